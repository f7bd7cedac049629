/* How a body moves on its own through ticks and substeps.
 *
 * Free rotation is the flow of Dullweber, Leimkuhler and McLachlan (Symplectic splitting
 * methods for rigid body molecular dynamics, 1997): turns about the principal axes 1, 2,
 * 3, 2, 1. The angular momentum is kept exactly, the energy to O((ωh)²) without drift.
 * Velocities after the pushes are those of the flow plus what the sum of the pushes
 * gives, which for the centre is (x' − x)/h. */
#include "contact/rigid.h"

#include <float.h>

#include "math/elementary.h"

void rigid_place(struct pbd_collider *collider, const float velocity[3], const float spin[3]) {
    struct rigid_body *body = &collider->body;
    body->now = (struct rigid_state){.position = vec3_from(collider->def.position),
                                     .rotation = quaternion_unit(quaternion_from(collider->def.rotation)),
                                     .velocity = vec3_from(velocity),
                                     .spin = vec3_from(spin)};
    body->frozen = body->asleep = false;
}

/* ---- bounds for clearances ---- */

/* How far the speeds of now lead in a tick, doubled: hits within it change them. What is
 * faster still is noticed by rigid_outran. */
static void set_bounds(const pbd_world *world, struct pbd_collider *collider) {
    const struct rigid_state *now = &collider->body.now;
    double dt = (double)world->settings.solver.dt;
    double gravity = vec3_length(vec3_from(world->settings.gravity));
    collider->tick_shift = 2.0 * (vec3_length(now->velocity) + gravity * dt) * dt;
    collider->tick_turn = 2.0 * vec3_length(now->spin) * dt + collider->tick_shift / collider->shape.bound;
}

static struct vec3 shift_in_substep(const struct rigid_body *body) {
    return vec3_sub(body->now.position, body->start.position);
}

/* The angle turned in this substep, rad, 0…π. */
static double turn_in_substep(const struct rigid_body *body) {
    struct quaternion a = body->start.rotation, b = body->now.rotation;
    struct quaternion turn = quaternion_product(b, (struct quaternion){-a.x, -a.y, -a.z, a.w});
    double sine = vec3_length(vec3_make(turn.x, turn.y, turn.z));
    return 2.0 * math_atan2(sine, __builtin_fabs(turn.w));
}

bool rigid_outran(struct pbd_collider *collider) {
    struct rigid_body *body = &collider->body;
    if (!rigid_moves(collider)) return false;
    double shift = vec3_length(shift_in_substep(body)) + vec3_length(body->lifted);
    double turn = turn_in_substep(body);
    collider->substep_turn = turn;
    if (body->spent_shift + shift <= collider->tick_shift && body->spent_turn + turn <= collider->tick_turn)
        return false;
    collider->tick_shift = 2.0 * (collider->tick_shift + shift);
    collider->tick_turn = 2.0 * (collider->tick_turn + turn);
    body->spent_shift = body->spent_turn = 0.0;
    return true;
}

/* ---- a tick ---- */

void rigid_begin_tick(const pbd_world *world, struct pbd_collider *collider) {
    struct rigid_body *body = &collider->body;
    collider->tick_shift = collider->tick_turn = collider->substep_turn = 0.0;
    collider->substep_start = collider->substep_end = exact_pose_from(body->now.position, body->now.rotation);
    body->start = body->backup = body->now;
    body->spent_shift = body->spent_turn = 0.0;
    if (rigid_moves(collider)) set_bounds(world, collider);
}

/* Turns the attitude about its own axis k, and with it the momentum seen from the body. */
static void turn_about(struct quaternion *q, double local[3], int k, double rate, double time) {
    struct vec3 axis = {k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0};
    struct quaternion turn = quaternion_about(axis, local[k] * rate * time);
    double half = turn.x + turn.y + turn.z;
    double c = 1.0 - 2.0 * half * half, s = 2.0 * half * turn.w;
    int i = (k + 1) % 3, j = (k + 2) % 3;
    double a = local[i], b = local[j];
    local[i] = c * a + s * b;
    local[j] = c * b - s * a;
    *q = quaternion_product(*q, turn);
}

static struct vec3 spin_from_momentum(const struct pbd_collider *collider) {
    return rigid_spin_of(collider, collider->body.momentum);
}

/* Rotation of a free body through h; momentum keeps. */
static void turn_freely(struct pbd_collider *collider, double h) {
    struct rigid_body *body = &collider->body;
    struct vec3 inverse = body->inverse_inertia;
    const struct vec3 *axis = collider->substep_start.axis;
    double local[3] = {vec3_dot(axis[0], body->momentum), vec3_dot(axis[1], body->momentum),
                       vec3_dot(axis[2], body->momentum)};
    struct quaternion q = body->now.rotation;
    turn_about(&q, local, 0, inverse.x, 0.5 * h);
    turn_about(&q, local, 1, inverse.y, 0.5 * h);
    turn_about(&q, local, 2, inverse.z, h);
    turn_about(&q, local, 1, inverse.y, 0.5 * h);
    turn_about(&q, local, 0, inverse.x, 0.5 * h);
    body->now.rotation = quaternion_unit(q);
}

/* I·ω at substep_start. */
static struct vec3 angular_momentum(const struct pbd_collider *collider) {
    const struct exact_pose *pose = &collider->substep_start;
    struct vec3 inverse = collider->body.inverse_inertia, spin = collider->body.now.spin;
    struct vec3 local = {vec3_dot(pose->axis[0], spin) / inverse.x, vec3_dot(pose->axis[1], spin) / inverse.y,
                         vec3_dot(pose->axis[2], spin) / inverse.z};
    return pose_direction_to_world(pose, local);
}

void rigid_begin_substep(const pbd_world *world, struct pbd_collider *collider, double h) {
    struct rigid_body *body = &collider->body;
    collider->substep_start = collider->substep_end = exact_pose_from(body->now.position, body->now.rotation);
    collider->substep_turn = 0.0;
    body->start = body->now;
    body->pushed = body->turned = body->lifted = vec3_make(0.0, 0.0, 0.0);
    if (!rigid_moves(collider)) return;
    double kept = math_exp(-(double)world->settings.drag * h);
    body->now.velocity =
        vec3_add_scaled(vec3_scale(body->now.velocity, kept), vec3_from(world->settings.gravity), h);
    body->momentum = vec3_scale(angular_momentum(collider), kept);
    body->now.position = vec3_add_scaled(body->now.position, body->now.velocity, h);
    turn_freely(collider, h);
    collider->substep_end = exact_pose_from(body->now.position, body->now.rotation);
    collider->substep_turn = turn_in_substep(body);
    body->now.spin = spin_from_momentum(collider);
}

void rigid_commit(struct pbd_collider *collider, double h) {
    struct rigid_body *body = &collider->body;
    if (!rigid_moves(collider)) return;
    body->now.velocity = vec3_add_scaled(body->now.velocity, body->pushed, body->inverse_mass / h);
    body->momentum = vec3_add_scaled(body->momentum, body->turned, 1.0 / h);
    body->now.spin = spin_from_momentum(collider);
    body->spent_shift += vec3_length(shift_in_substep(body)) + vec3_length(body->lifted);
    body->spent_turn += turn_in_substep(body);
}

struct exact_pose rigid_pose_at(const struct pbd_collider *collider, double time) {
    const struct rigid_body *body = &collider->body;
    if (time <= 0.0) return collider->substep_start;
    if (time >= 1.0) return collider->substep_end;
    struct vec3 way = vec3_sub(body->now.position, body->start.position);
    return exact_pose_from(vec3_add_scaled(body->start.position, way, time),
                           quaternion_between(body->start.rotation, body->now.rotation, time));
}

/* ---- a tick's end ---- */

static bool is_finite(struct vec3 v) {
    double limit = (double)FLT_MAX;
    return __builtin_fabs(v.x) <= limit && __builtin_fabs(v.y) <= limit && __builtin_fabs(v.z) <= limit;
}

static bool state_is_finite(const struct rigid_state *state) {
    struct quaternion q = state->rotation;
    return is_finite(state->position) && is_finite(state->velocity) && is_finite(state->spin) &&
           is_finite(vec3_make(q.x, q.y, q.z)) && __builtin_fabs(q.w) <= 2.0;
}

/* Velocities this small are none (physics.md §9). */
#define STANDSTILL 1e-20

static struct vec3 without_dust(struct vec3 v) {
    return vec3_make(__builtin_fabs(v.x) < STANDSTILL ? 0.0 : v.x,
                     __builtin_fabs(v.y) < STANDSTILL ? 0.0 : v.y,
                     __builtin_fabs(v.z) < STANDSTILL ? 0.0 : v.z);
}

/* The limit itself, travelled with for a tick, comes back rounded: no new event. */
#define SPEED_SLACK 1.00001

/* max_speed holds for the centre, and for the surface as it turns about the centre. */
static void clamp_speed(pbd_world *world, struct pbd_collider *collider) {
    struct rigid_state *now = &collider->body.now;
    double limit = (double)world->settings.max_speed, arm = collider->shape.bound;
    double speed = vec3_length(now->velocity), rim = vec3_length(now->spin) * arm, largest = 0.0;
    if (speed > limit * SPEED_SLACK) {
        now->velocity = vec3_scale(now->velocity, limit / speed);
        largest = speed;
    }
    if (rim > limit * SPEED_SLACK) {
        now->spin = vec3_scale(now->spin, limit / rim);
        largest = rim > largest ? rim : largest;
    }
    if (largest == 0.0) return;
    world_emit(world, &(struct pbd_event){.type = PBD_EVENT_CLAMPED,
                                          .collider = collider->id,
                                          .got = largest < (double)FLT_MAX ? (float)largest : FLT_MAX,
                                          .max = world->settings.max_speed});
}

static void freeze(pbd_world *world, struct pbd_collider *collider) {
    struct rigid_body *body = &collider->body;
    body->now = body->backup;
    body->now.velocity = body->now.spin = vec3_make(0.0, 0.0, 0.0);
    body->frozen = true;
    world_emit(world, &(struct pbd_event){.type = PBD_EVENT_DIVERGED, .collider = collider->id});
}

static void store(float out[3], struct vec3 v) {
    out[0] = (float)v.x;
    out[1] = (float)v.y;
    out[2] = (float)v.z;
}

void rigid_end_tick(pbd_world *world, struct pbd_collider *collider) {
    struct rigid_body *body = &collider->body;
    if (rigid_moves(collider)) {
        if (!state_is_finite(&body->now))
            freeze(world, collider);
        else
            clamp_speed(world, collider);
    }
    body->now.velocity = without_dust(body->now.velocity);
    body->now.spin = without_dust(body->now.spin);
    store(collider->def.position, body->now.position);
    struct quaternion q = body->now.rotation;
    store(collider->def.rotation, vec3_make(q.x, q.y, q.z));
    collider->def.rotation[3] = (float)q.w;
    store(collider->velocity, body->now.velocity);
    store(collider->angular_velocity, body->now.spin);
}
