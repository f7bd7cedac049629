/* Who rests, who sleeps, who wakes. */
#include "world/sleep.h"

#include "contact/rigid.h"
#include "math/elementary.h"
#include "solve/aero.h"
#include "solve/grab.h"
#include "world/islands.h"

#include <stdlib.h>
#include <string.h>

/* Of a body's diagonal. */
#define BALL_RADIUS 1e-4
#define BALL_ULPS 16.0
/* Of the speed that gravity gives in a substep: a body that friction holds through a layer
 * of cloth moves this fast for ever (measured: 0.4 % to 6 %), and only looks at rest. */
#define CREEP 0.0625
/* Simulated seconds. */
#define QUIET_TIME 1.0
/* A particle's way in a tick may exceed speed·dt, where constraints pull. */
#define REACH 2.0
/* Particles at a time; FABRIC_PAD is a multiple. */
#define BLOCK 16u

int sleep_reserve(pbd_world *world, uint32_t cloth_count, uint32_t collider_count) {
    size_t need = (size_t)cloth_count + collider_count;
    if (need <= world->node_capacity) return PBD_OK;
    if (need < 2 * (size_t)world->node_capacity) need = 2 * (size_t)world->node_capacity;
    struct island_node *nodes = realloc(world->nodes, need * sizeof *nodes);
    if (nodes == NULL) return PBD_OUT_OF_MEMORY;
    world->nodes = nodes;
    uint32_t *order = realloc(world->node_order, need * sizeof *order);
    if (order == NULL) return PBD_OUT_OF_MEMORY;
    world->node_order = order;
    world->node_capacity = (uint32_t)need;
    return PBD_OK;
}

static struct pbd_cloth *cloth_at(const pbd_world *world, uint32_t i) {
    return &world->cloths[world->cloth_order[i]];
}

static struct pbd_collider *collider_at(const pbd_world *world, uint32_t i) {
    return &world->colliders[world->collider_order[i]];
}

static bool is_body(const struct pbd_collider *collider) {
    return collider->body.inverse_mass > 0.0 && !collider->body.frozen;
}

static bool moves_in_tick(const struct pbd_collider *collider) {
    return collider->tick_shift > 0.0 || collider->tick_turn > 0.0;
}

/* ---- waking ---- */

void sleep_wake_cloth(struct pbd_cloth *cloth) {
    cloth->woke = cloth->woke || cloth->asleep;
    cloth->asleep = false;
    cloth->quiet_ticks = 0;
}

void sleep_wake_collider(struct pbd_collider *collider) {
    collider->woke = collider->woke || collider->body.asleep;
    collider->body.asleep = false;
    collider->quiet_ticks = 0;
}

void sleep_wake_all(pbd_world *world) {
    for (uint32_t i = 0; i < world->cloth_count; ++i)
        sleep_wake_cloth(cloth_at(world, i));
    for (uint32_t i = 0; i < world->collider_count; ++i)
        sleep_wake_collider(collider_at(world, i));
}

/* ---- boxes ---- */

/* An ulp of a coordinate, at most two. */
static double ulp(double coordinate) {
    return coordinate * 0x1p-23;
}

static double larger(double a, double b) {
    return a > b ? a : b;
}

static double ball_radius(double diagonal, double coordinate) {
    return larger(BALL_RADIUS * diagonal, BALL_ULPS * ulp(coordinate));
}

static void inflate(struct island_node *node, double by) {
    for (int k = 0; k < 3; ++k) {
        node->low[k] -= by;
        node->high[k] += by;
    }
}

/* How far a body may go in a tick, m. */
static double reach_of(const pbd_world *world, double speed) {
    double dt = (double)world->settings.solver.dt;
    return REACH * (speed + vec3_length(vec3_from(world->settings.gravity)) * dt) * dt;
}

static double largest_coordinate(const struct island_node *node) {
    double largest = 0.0;
    for (int k = 0; k < 3; ++k)
        largest = larger(largest, larger(-node->low[k], node->high[k]));
    return largest;
}

/* Least and largest of an array, in lanes of which compilers make vectors. */
static void range_of(const float *a, uint32_t count, float *low, float *high) {
    float least[BLOCK], most[BLOCK];
    for (uint32_t k = 0; k < BLOCK; ++k)
        least[k] = most[k] = a[0];
    uint32_t whole = count / BLOCK * BLOCK;
    for (uint32_t first = 0; first < whole; first += BLOCK)
        for (uint32_t k = 0; k < BLOCK; ++k) {
            least[k] = math_minf(a[first + k], least[k]);
            most[k] = math_maxf(a[first + k], most[k]);
        }
    for (uint32_t i = whole; i < count; ++i) {
        least[0] = math_minf(a[i], least[0]);
        most[0] = math_maxf(a[i], most[0]);
    }
    *low = least[0];
    *high = most[0];
    for (uint32_t k = 1; k < BLOCK; ++k) {
        *low = math_minf(least[k], *low);
        *high = math_maxf(most[k], *high);
    }
}

static void measure_box(struct pbd_cloth *cloth) {
    const float *axes[3] = {cloth->state.x, cloth->state.y, cloth->state.z};
    for (int k = 0; k < 3; ++k)
        range_of(axes[k], cloth->fabric->particle_count, &cloth->box_low[k], &cloth->box_high[k]);
}

static double fastest(const struct pbd_cloth *cloth) {
    const struct cloth_state *s = &cloth->state;
    float most[BLOCK] = {0.0f};
    for (uint32_t first = 0; first < cloth->fabric->padded_count; first += BLOCK)
        for (uint32_t k = 0; k < BLOCK; ++k) {
            float vx = s->vx[first + k], vy = s->vy[first + k], vz = s->vz[first + k];
            most[k] = math_maxf(vx * vx + vy * vy + vz * vz, most[k]);
        }
    for (uint32_t k = 1; k < BLOCK; ++k)
        most[0] = math_maxf(most[k], most[0]);
    return __builtin_sqrt((double)most[0]);
}

/* The box that the cloth cannot leave within a tick, and what may touch it there. The
 * bare box of a sleeping one is known. */
static struct island_node cloth_node(const pbd_world *world, struct pbd_cloth *cloth) {
    struct island_node node = {.place = (uint32_t)(cloth - world->cloths), .is_cloth = true};
    if (!cloth->asleep) measure_box(cloth);
    for (int k = 0; k < 3; ++k) {
        node.low[k] = (double)cloth->box_low[k];
        node.high[k] = (double)cloth->box_high[k];
    }
    double radius = ball_radius((double)cloth->fabric->view.rest_diagonal, largest_coordinate(&node));
    inflate(&node, (double)cloth->settings.thickness + radius);
    if (cloth_is_active(cloth)) inflate(&node, reach_of(world, fastest(cloth) + aero_speed(world, cloth)));
    node.passes = !cloth->settings.cloth_collision;
    return node;
}

/* Half of the shape's box in its own frame; that of a mesh is a ball's. */
static struct vec3 half_of(const struct collide_shape *shape) {
    double r = shape->radius;
    switch (shape->type) {
    case PBD_SPHERE:
        return vec3_make(r, r, r);
    case PBD_CAPSULE:
        return vec3_make(r, r + shape->half_height, r);
    case PBD_BOX:
        return shape->half;
    case PBD_PLANE:
    case PBD_MESH:
        break;
    }
    return vec3_make(shape->bound, shape->bound, shape->bound);
}

/* The same of a collider. A plane is everywhere. */
static struct island_node collider_node(const pbd_world *world, const struct pbd_collider *collider) {
    struct island_node node = {.place = (uint32_t)(collider - world->colliders)};
    if (collider->shape.type == PBD_PLANE) {
        for (int k = 0; k < 3; ++k) {
            node.low[k] = -HUGE_VAL;
            node.high[k] = HUGE_VAL;
        }
        return node;
    }
    const struct pbd_collider_def *def = &collider->def;
    struct exact_pose pose = exact_pose_from(vec3_from(def->position), quaternion_from(def->rotation));
    struct vec3 half = half_of(&collider->shape), centre = pose.position;
    const struct vec3 *a = pose.axis;
    double reach[3] = {
        __builtin_fabs(a[0].x) * half.x + __builtin_fabs(a[1].x) * half.y + __builtin_fabs(a[2].x) * half.z,
        __builtin_fabs(a[0].y) * half.x + __builtin_fabs(a[1].y) * half.y + __builtin_fabs(a[2].y) * half.z,
        __builtin_fabs(a[0].z) * half.x + __builtin_fabs(a[1].z) * half.y + __builtin_fabs(a[2].z) * half.z};
    const double at[3] = {centre.x, centre.y, centre.z};
    for (int k = 0; k < 3; ++k) {
        node.low[k] = at[k] - reach[k];
        node.high[k] = at[k] + reach[k];
    }
    double bound = collider->shape.bound;
    inflate(&node, ball_radius(2.0 * bound, largest_coordinate(&node)));
    if (rigid_moves(collider)) {
        double speed = vec3_length(vec3_from(collider->velocity)) +
                       vec3_length(vec3_from(collider->angular_velocity)) * bound;
        inflate(&node, reach_of(world, speed));
    } else {
        inflate(&node, collider->tick_shift + collider->tick_turn * bound);
    }
    return node;
}

/* Wakes what sleeps in the box. */
static void wake_near(pbd_world *world, const struct island_node *box) {
    for (uint32_t i = 0; i < world->cloth_count; ++i) {
        struct pbd_cloth *cloth = cloth_at(world, i);
        if (!cloth->asleep) continue;
        struct island_node node = cloth_node(world, cloth);
        if (islands_overlap(box, &node)) sleep_wake_cloth(cloth);
    }
    for (uint32_t i = 0; i < world->collider_count; ++i) {
        struct pbd_collider *collider = collider_at(world, i);
        if (!collider->body.asleep) continue;
        struct island_node node = collider_node(world, collider);
        if (islands_overlap(box, &node)) sleep_wake_collider(collider);
    }
}

void sleep_wake_near_cloth(pbd_world *world, struct pbd_cloth *cloth) {
    struct island_node node = cloth_node(world, cloth);
    wake_near(world, &node);
}

void sleep_wake_near_collider(pbd_world *world, struct pbd_collider *collider) {
    struct island_node node = collider_node(world, collider);
    wake_near(world, &node);
    sleep_wake_collider(collider);
}

/* ---- islands ---- */

/* Joins what holds together at a distance, by attachments. */
static void join_attached(pbd_world *world, uint32_t count) {
    struct island_node *nodes = world->nodes;
    for (uint32_t i = 0; i < count && nodes[i].is_cloth; ++i) {
        const struct pbd_cloth *cloth = &world->cloths[nodes[i].place];
        pbd_collider_id last = 0;
        for (uint32_t k = 0; k < cloth->attachment_count; ++k) {
            if (cloth->attachments[k].collider == last) continue;
            last = cloth->attachments[k].collider;
            const struct pbd_collider *collider = world_collider(world, last);
            for (uint32_t j = i + 1; j < count; ++j)
                if (!nodes[j].is_cloth && &world->colliders[nodes[j].place] == collider)
                    islands_join(nodes, i, j);
        }
    }
}

static bool quiet(const pbd_world *world, uint32_t ticks) {
    return ticks > 0 && (double)(ticks - 1) * (double)world->settings.solver.dt >= QUIET_TIME;
}

/* Islands of all bodies and of what moves. Restless are those with a member that is awake,
 * or, where they are to fall asleep, not quiet yet. Returns the number of nodes, cloths
 * first; what is frozen or stands still is none. */
static uint32_t find_islands(pbd_world *world, bool falling_asleep) {
    struct island_node *nodes = world->nodes;
    uint32_t count = 0;
    for (uint32_t i = 0; i < world->cloth_count; ++i) {
        struct pbd_cloth *cloth = cloth_at(world, i);
        if (cloth->frozen) continue;
        nodes[count] = cloth_node(world, cloth);
        nodes[count++].restless = !(cloth->asleep || (falling_asleep && quiet(world, cloth->quiet_ticks)));
    }
    for (uint32_t i = 0; i < world->collider_count; ++i) {
        const struct pbd_collider *collider = collider_at(world, i);
        if (!is_body(collider) && !moves_in_tick(collider)) continue;
        bool rests = collider->body.asleep || (falling_asleep && quiet(world, collider->quiet_ticks));
        nodes[count] = collider_node(world, collider);
        nodes[count++].restless = !(is_body(collider) && rests);
    }
    islands_begin(nodes, count);
    islands_join_touching(nodes, world->node_order, count);
    join_attached(world, count);
    islands_spread(nodes, count);
    return count;
}

static bool anything_sleeps(const pbd_world *world) {
    for (uint32_t i = 0; i < world->cloth_count; ++i)
        if (cloth_at(world, i)->asleep) return true;
    for (uint32_t i = 0; i < world->collider_count; ++i)
        if (collider_at(world, i)->body.asleep) return true;
    return false;
}

static bool anything_moves(const pbd_world *world) {
    for (uint32_t i = 0; i < world->cloth_count; ++i)
        if (cloth_is_active(cloth_at(world, i))) return true;
    for (uint32_t i = 0; i < world->collider_count; ++i)
        if (rigid_moves(collider_at(world, i)) || moves_in_tick(collider_at(world, i))) return true;
    return false;
}

void sleep_begin_tick(pbd_world *world) {
    if (!anything_sleeps(world) || !anything_moves(world)) return;
    uint32_t count = find_islands(world, false);
    for (uint32_t i = 0; i < count; ++i) {
        const struct island_node *node = &world->nodes[i];
        if (!node->restless) continue;
        if (node->is_cloth) {
            struct pbd_cloth *cloth = &world->cloths[node->place];
            if (cloth->asleep) sleep_wake_cloth(cloth);
        } else {
            struct pbd_collider *body = &world->colliders[node->place];
            if (!body->body.asleep) continue;
            sleep_wake_collider(body);
            rigid_begin_tick(world, body);
        }
    }
}

/* ---- falling asleep ---- */

/* Whether all particles of a block are in their balls. */
static bool block_rests(const struct cloth_state *s, uint32_t first, float square) {
    const float *x = s->x + first, *y = s->y + first, *z = s->z + first;
    const float *qx = s->qx + first, *qy = s->qy + first, *qz = s->qz + first;
    uint32_t outside = 0;
    for (uint32_t k = 0; k < BLOCK; ++k) {
        float dx = x[k] - qx[k], dy = y[k] - qy[k], dz = z[k] - qz[k];
        outside |= dx * dx + dy * dy + dz * dz <= square ? 0u : 1u;
    }
    return outside == 0;
}

/* The largest coordinate counts where it is many times the diagonal: any particle's will do. */
static double cloth_radius(const struct pbd_cloth *cloth) {
    const struct cloth_state *s = &cloth->state;
    double x = (double)math_absf(s->x[0]), y = (double)math_absf(s->y[0]), z = (double)math_absf(s->z[0]);
    return ball_radius((double)cloth->fabric->view.rest_diagonal, larger(x, larger(y, z)));
}

/* One more quiet tick, or new balls. */
static void watch_cloth(const pbd_world *world, struct pbd_cloth *cloth) {
    struct cloth_state *s = &cloth->state;
    uint32_t count = cloth->fabric->padded_count;
    if (pins_move(cloth) || grabs_hold(world, cloth->id) || aero_acts(world, cloth)) cloth->quiet_ticks = 0;
    bool rests = cloth->quiet_ticks > 0;
    double radius = cloth_radius(cloth);
    for (uint32_t first = 0; rests && first < count; first += BLOCK)
        rests = block_rests(s, first, (float)(radius * radius));
    if (rests) {
        ++cloth->quiet_ticks;
        return;
    }
    cloth->quiet_ticks = 1;
    memcpy(s->qx, s->x, count * sizeof(float));
    memcpy(s->qy, s->y, count * sizeof(float));
    memcpy(s->qz, s->z, count * sizeof(float));
}

/* How far the farthest point of its shape may be from where it was at the resting pose. */
static double body_shift(const struct pbd_collider *body) {
    const float *p = body->def.position, *q = body->def.rotation, *r = body->resting.rotation;
    double way = vec3_length(vec3_sub(vec3_from(p), vec3_from(body->resting.position)));
    /* A ball that turns in place moves nothing. */
    if (body->shape.type == PBD_SPHERE) return way;
    double same = 0.0, opposite = 0.0;
    for (int k = 0; k < 4; ++k) {
        double minus = (double)q[k] - (double)r[k], plus = (double)q[k] + (double)r[k];
        same += minus * minus;
        opposite += plus * plus;
    }
    /* Unit quaternions half of the angle apart; q and −q are one rotation. */
    double half_turn = __builtin_sqrt(same < opposite ? same : opposite);
    return way + 2.0 * half_turn * body->shape.bound;
}

static double body_radius(const pbd_world *world, const struct pbd_collider *body) {
    const struct pbd_solver_settings *solver = &world->settings.solver;
    const float *p = body->def.position;
    double x = (double)math_absf(p[0]), y = (double)math_absf(p[1]), z = (double)math_absf(p[2]);
    double h = (double)solver->dt / (double)solver->substeps;
    double creep = CREEP * vec3_length(vec3_from(world->settings.gravity)) * h * QUIET_TIME;
    return larger(ball_radius(2.0 * body->shape.bound, larger(x, larger(y, z))), creep);
}

static void watch_body(const pbd_world *world, struct pbd_collider *body) {
    if (body->quiet_ticks > 0 && body_shift(body) <= body_radius(world, body)) {
        ++body->quiet_ticks;
        return;
    }
    body->quiet_ticks = 1;
    memcpy(body->resting.position, body->def.position, sizeof body->resting.position);
    memcpy(body->resting.rotation, body->def.rotation, sizeof body->resting.rotation);
}

/* Counts what is quiet; returns whether anything awake has been so for long enough. */
static bool watch(pbd_world *world) {
    bool any = false;
    for (uint32_t i = 0; i < world->cloth_count; ++i) {
        struct pbd_cloth *cloth = cloth_at(world, i);
        if (!cloth_is_active(cloth)) continue;
        watch_cloth(world, cloth);
        any = any || quiet(world, cloth->quiet_ticks);
    }
    for (uint32_t i = 0; i < world->collider_count; ++i) {
        struct pbd_collider *collider = collider_at(world, i);
        if (!rigid_moves(collider)) continue;
        watch_body(world, collider);
        any = any || quiet(world, collider->quiet_ticks);
    }
    return any;
}

static void lay_cloth_to_sleep(struct pbd_cloth *cloth) {
    size_t size = cloth->fabric->padded_count * sizeof(float);
    memset(cloth->state.vx, 0, size);
    memset(cloth->state.vy, 0, size);
    memset(cloth->state.vz, 0, size);
    measure_box(cloth);
    cloth->asleep = true;
}

static void lay_body_to_sleep(struct pbd_collider *body) {
    body->body.now.velocity = body->body.now.spin = vec3_make(0.0, 0.0, 0.0);
    memset(body->velocity, 0, sizeof body->velocity);
    memset(body->angular_velocity, 0, sizeof body->angular_velocity);
    body->body.asleep = true;
}

static void lay_to_sleep(pbd_world *world) {
    uint32_t count = find_islands(world, true);
    for (uint32_t i = 0; i < count; ++i) {
        const struct island_node *node = &world->nodes[i];
        if (node->restless) continue;
        struct pbd_event event = {.type = PBD_EVENT_SLEPT};
        if (node->is_cloth) {
            struct pbd_cloth *cloth = &world->cloths[node->place];
            if (cloth->asleep) continue;
            lay_cloth_to_sleep(cloth);
            event.cloth = cloth->id;
        } else {
            struct pbd_collider *body = &world->colliders[node->place];
            if (body->body.asleep) continue;
            lay_body_to_sleep(body);
            event.collider = body->id;
        }
        world_emit(world, &event);
    }
}

static void tell_who_woke(pbd_world *world) {
    for (uint32_t i = 0; i < world->cloth_count; ++i) {
        struct pbd_cloth *cloth = cloth_at(world, i);
        if (cloth->woke) world_emit(world, &(struct pbd_event){.type = PBD_EVENT_WOKE, .cloth = cloth->id});
        cloth->woke = false;
    }
    for (uint32_t i = 0; i < world->collider_count; ++i) {
        struct pbd_collider *body = collider_at(world, i);
        if (body->woke) world_emit(world, &(struct pbd_event){.type = PBD_EVENT_WOKE, .collider = body->id});
        body->woke = false;
    }
}

void sleep_end_tick(pbd_world *world) {
    tell_who_woke(world);
    if (world->settings.solver.method == PBD_METHOD_JACOBI) return;
    if (watch(world)) lay_to_sleep(world);
}
