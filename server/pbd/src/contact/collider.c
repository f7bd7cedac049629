/* Colliders: adding, removing, moving, and their motion through a tick.
 *
 * A move goes from `from` to `to` in `total` ticks; poses within it are computed from
 * the two ends each time, so nothing accumulates and the end is `to` bit for bit. A
 * driven collider's pose is computed from its origin and its age, so it may turn for
 * hours. Dynamic ones: rigid_motion.c. */
#include "contact/contact.h"
#include "contact/rigid.h"

#include <pbd/collision_mesh.h>

#include <assert.h>
#include <string.h>

#include "math/elementary.h"
#include "solve/attach.h"
#include "world/sleep.h"

struct pbd_collider_def pbd_default_collider_def(void) {
    return (struct pbd_collider_def){
        .shape = {.type = PBD_SPHERE,
                  .normal = {0.0f, 1.0f, 0.0f},
                  .radius = 0.5f,
                  .half_height = 0.5f,
                  .half_extents = {0.5f, 0.5f, 0.5f}},
        .motion = PBD_KINEMATIC,
        .rotation = {0.0f, 0.0f, 0.0f, 1.0f},
        .friction = 0.3f,
        .static_friction = PBD_SAME_AS_KINETIC,
        .moves_until = PBD_FOR_EVER,
        .mass = 1.0f,
    };
}

static struct pose pose_of(const struct pbd_collider_def *def) {
    struct pose pose;
    memcpy(pose.position, def->position, sizeof pose.position);
    memcpy(pose.rotation, def->rotation, sizeof pose.rotation);
    return pose;
}

static void set_pose(struct pbd_collider_def *def, const struct pose *pose) {
    memcpy(def->position, pose->position, sizeof def->position);
    memcpy(def->rotation, pose->rotation, sizeof def->rotation);
}

/* Of its own accord and by a move alike; not dynamic ones. */
static bool moves(const struct pbd_collider *collider) {
    return collider->driven || collider->done < collider->total;
}

static bool is_dynamic(const struct pbd_collider *collider) {
    return collider->body.inverse_mass > 0.0;
}

/* At rest where def says, as if it had never moved. */
static void come_to_rest(struct pbd_collider *collider) {
    collider->from = collider->to = pose_of(&collider->def);
    collider->done = collider->total = 0;
    memset(collider->velocity, 0, sizeof collider->velocity);
    memset(collider->angular_velocity, 0, sizeof collider->angular_velocity);
}

static bool has_velocity(const struct pbd_collider_def *def) {
    for (int k = 0; k < 3; ++k)
        if (def->velocity[k] != 0.0f || def->angular_velocity[k] != 0.0f) return true;
    return false;
}

/* A dynamic one, at the pose of def. */
static void begin_at(struct pbd_collider *collider, const float velocity[3], const float spin[3]) {
    rigid_place(collider, velocity, spin);
    memcpy(collider->velocity, velocity, sizeof collider->velocity);
    memcpy(collider->angular_velocity, spin, sizeof collider->angular_velocity);
}

void collider_release(struct pbd_collider *collider) {
    if (collider->def.shape.type == PBD_MESH) pbd_collision_mesh_unref(collider->def.shape.mesh);
}

int pbd_collider_add(pbd_world *world, const struct pbd_collider_def *def, pbd_collider_id *id) {
    for (uint32_t i = 0; i < world->cloth_count; ++i) {
        struct pbd_cloth *cloth = &world->cloths[world->cloth_order[i]];
        if (contact_reserve_colliders(cloth, world->collider_count + 1) < 0) return PBD_OUT_OF_MEMORY;
    }
    struct pbd_collider *collider = world_new_collider(world);
    if (collider == NULL) return PBD_OUT_OF_MEMORY;
    collider->def = *def;
    if (def->shape.type == PBD_MESH) pbd_collision_mesh_ref(def->shape.mesh);
    quaternion_normalise(collider->def.rotation);
    collider->shape = collide_shape_from(&def->shape);
    collider->fresh = true;
    come_to_rest(collider);
    collider->origin = collider->from;
    collider->driven = def->motion == PBD_KINEMATIC && has_velocity(def);
    rigid_set_mass(collider);
    if (is_dynamic(collider)) begin_at(collider, def->velocity, def->angular_velocity);
    sleep_wake_near_collider(world, collider);
    *id = collider->id;
    return PBD_OK;
}

int pbd_collider_remove(pbd_world *world, pbd_collider_id id) {
    struct pbd_collider *collider = world_collider(world, id);
    if (collider == NULL) return PBD_STALE_ID;
    sleep_wake_near_collider(world, collider);
    attach_drop_collider(world, id);
    collider_release(collider);
    world_free_collider(world, collider);
    return PBD_OK;
}

int pbd_collider_get(const pbd_world *world, pbd_collider_id id, struct pbd_collider_state *state) {
    const struct pbd_collider *collider = world_collider(world, id);
    if (collider == NULL) return PBD_STALE_ID;
    state->def = collider->def;
    memcpy(state->velocity, collider->velocity, sizeof state->velocity);
    memcpy(state->angular_velocity, collider->angular_velocity, sizeof state->angular_velocity);
    state->asleep = collider->body.asleep;
    state->age = collider->driven ? collider->age : 0.0;
    return PBD_OK;
}

int pbd_collider_set(pbd_world *world, pbd_collider_id id, const struct pbd_collider_def *def) {
    struct pbd_collider *collider = world_collider(world, id);
    if (collider == NULL) return PBD_STALE_ID;
    sleep_wake_near_collider(world, collider);
    if (def->shape.type == PBD_MESH) pbd_collision_mesh_ref(def->shape.mesh);
    collider_release(collider);
    collider->def.shape = def->shape;
    collider->def.friction = def->friction;
    collider->def.static_friction = def->static_friction;
    collider->def.restitution = def->restitution;
    collider->def.mass = def->mass;
    collider->shape = collide_shape_from(&def->shape);
    collider->fresh = true;
    rigid_set_mass(collider);
    sleep_wake_near_collider(world, collider);
    return PBD_OK;
}

int pbd_collider_move(pbd_world *world, pbd_collider_id id, const float *position, const float *rotation,
                      uint32_t over, bool teleport) {
    struct pbd_collider *collider = world_collider(world, id);
    if (collider == NULL) return PBD_STALE_ID;
    if (collider->def.motion == PBD_STATIC_MOTION) return PBD_STATIC;
    struct pose target = pose_of(&collider->def);
    if (position != NULL) memcpy(target.position, position, sizeof target.position);
    if (rotation != NULL) {
        memcpy(target.rotation, rotation, sizeof target.rotation);
        quaternion_normalise(target.rotation);
    }
    collider->driven = false;
    if (!is_dynamic(collider)) {
        memset(collider->def.velocity, 0, sizeof collider->def.velocity);
        memset(collider->def.angular_velocity, 0, sizeof collider->def.angular_velocity);
    }
    if (teleport || is_dynamic(collider)) {
        sleep_wake_near_collider(world, collider);
        set_pose(&collider->def, &target);
        come_to_rest(collider);
        collider->fresh = true;
        if (is_dynamic(collider)) begin_at(collider, (float[3]){0.0f}, (float[3]){0.0f});
        attach_follow_collider(world, collider);
        sleep_wake_near_collider(world, collider);
        return PBD_OK;
    }
    collider->from = pose_of(&collider->def);
    collider->to = target;
    collider->done = 0;
    collider->total = over > 0 ? over : 1;
    return PBD_OK;
}

/* ---- driven ---- */

/* Seconds of its own motion that are over when it is `age` old. */
static double driven_time(const struct pbd_collider_def *def, double age) {
    double until = age < (double)def->moves_until ? age : (double)def->moves_until;
    return until > (double)def->moves_from ? until - (double)def->moves_from : 0.0;
}

static struct vec3 driven_position(const struct pbd_collider *collider, double time) {
    return vec3_add_scaled(vec3_from(collider->origin.position), vec3_from(collider->def.velocity), time);
}

static struct quaternion driven_rotation(const struct pbd_collider *collider, double time) {
    struct quaternion start = quaternion_from(collider->origin.rotation);
    struct vec3 spin = vec3_from(collider->def.angular_velocity);
    double rate = vec3_length(spin);
    if (!(rate > 0.0)) return start;
    return quaternion_product(quaternion_about(vec3_scale(spin, 1.0 / rate), rate * time), start);
}

static struct exact_pose driven_pose(const struct pbd_collider *collider, double age) {
    double time = driven_time(&collider->def, age);
    return exact_pose_from(driven_position(collider, time), driven_rotation(collider, time));
}

/* Part of a tick that it moves in, s. */
static double driven_share(const struct pbd_collider *collider, float dt) {
    const struct pbd_collider_def *def = &collider->def;
    return driven_time(def, collider->age + (double)dt) - driven_time(def, collider->age);
}

/* ---- through a tick ---- */

static double fraction_at(const struct pbd_collider *collider, int index, int count) {
    if (collider->driven) return (double)index / (double)count;
    if (!moves(collider)) return 1.0;
    if (collider->done + 1 == collider->total && index == count) return 1.0;
    return ((double)collider->done + (double)index / (double)count) / (double)collider->total;
}

static void begin_tick(const pbd_world *world, struct pbd_collider *collider) {
    collider->tick_shift = collider->tick_turn = 0.0;
    collider->tick_length = (double)world->settings.solver.dt;
    collider->fraction_start = collider->fraction_end = fraction_at(collider, 0, 1);
    collider->substep_start = collider->substep_end = collider_pose_at(collider, 0.0);
    if (collider->driven) {
        double time = driven_share(collider, world->settings.solver.dt);
        collider->tick_shift = vec3_length(vec3_from(collider->def.velocity)) * time;
        collider->tick_turn = vec3_length(vec3_from(collider->def.angular_velocity)) * time;
    } else if (moves(collider)) {
        struct vec3 axis;
        struct vec3 way = vec3_sub(vec3_from(collider->to.position), vec3_from(collider->from.position));
        collider->tick_shift = vec3_length(way) / (double)collider->total;
        collider->tick_turn = pose_turn(&collider->from, &collider->to, &axis) / (double)collider->total;
    }
}

void collider_begin_tick(pbd_world *world) {
    world->has_bodies = false;
    for (uint32_t i = 0; i < world->collider_count; ++i) {
        struct pbd_collider *collider = &world->colliders[world->collider_order[i]];
        if (is_dynamic(collider)) {
            world->has_bodies = true;
            rigid_begin_tick(world, collider);
        } else {
            begin_tick(world, collider);
        }
    }
}

void collider_begin_substep(pbd_world *world, int index, int count) {
    assert(index >= 0 && index < count);
    double h = (double)world->settings.solver.dt / (double)count;
    for (uint32_t i = 0; i < world->collider_count; ++i) {
        struct pbd_collider *collider = &world->colliders[world->collider_order[i]];
        if (is_dynamic(collider)) {
            rigid_begin_substep(world, collider, h);
            continue;
        }
        collider->fraction_start = fraction_at(collider, index, count);
        collider->fraction_end = fraction_at(collider, index + 1, count);
        collider->substep_turn = collider->tick_turn / (double)count;
        collider->substep_start = collider_pose_at(collider, 0.0);
        collider->substep_end = collider->substep_start;
        if (moves(collider)) collider->substep_end = collider_pose_at(collider, 1.0);
    }
}

void collider_commit(pbd_world *world, int count) {
    double h = (double)world->settings.solver.dt / (double)count;
    for (uint32_t i = 0; i < world->collider_count; ++i) {
        struct pbd_collider *collider = &world->colliders[world->collider_order[i]];
        if (is_dynamic(collider)) rigid_commit(collider, h);
    }
}

bool collider_bounds_broken(pbd_world *world) {
    bool broken = false;
    for (uint32_t i = 0; i < world->collider_count; ++i) {
        struct pbd_collider *collider = &world->colliders[world->collider_order[i]];
        if (is_dynamic(collider) && rigid_outran(collider)) broken = true;
    }
    return broken;
}

struct exact_pose collider_pose_at(const struct pbd_collider *collider, double time) {
    if (is_dynamic(collider)) return rigid_pose_at(collider, time);
    double a = collider->fraction_start, b = collider->fraction_end;
    double fraction = time <= 0.0 ? a : time >= 1.0 ? b : a + (b - a) * time;
    if (collider->driven) return driven_pose(collider, collider->age + fraction * collider->tick_length);
    return pose_between(&collider->from, &collider->to, fraction);
}

static void set_velocities(struct pbd_collider *collider, struct vec3 v, struct vec3 spin) {
    collider->velocity[0] = (float)v.x;
    collider->velocity[1] = (float)v.y;
    collider->velocity[2] = (float)v.z;
    collider->angular_velocity[0] = (float)spin.x;
    collider->angular_velocity[1] = (float)spin.y;
    collider->angular_velocity[2] = (float)spin.z;
}

/* Velocities over the tick that ends: of a straight move at constant speed. */
static void end_move(struct pbd_collider *collider, float dt) {
    struct vec3 axis;
    double rate = 1.0 / ((double)collider->total * (double)dt);
    struct vec3 way = vec3_sub(vec3_from(collider->to.position), vec3_from(collider->from.position));
    double turn = pose_turn(&collider->from, &collider->to, &axis);
    set_velocities(collider, vec3_scale(way, rate), vec3_scale(axis, turn * rate));
    ++collider->done;
    double fraction = (double)collider->done / (double)collider->total;
    struct pose now = pose_rounded_between(&collider->from, &collider->to, fraction);
    set_pose(&collider->def, &now);
}

static void end_driven(struct pbd_collider *collider, float dt) {
    double share = driven_share(collider, dt) / (double)dt;
    set_velocities(collider, vec3_scale(vec3_from(collider->def.velocity), share),
                   vec3_scale(vec3_from(collider->def.angular_velocity), share));
    collider->age += (double)dt;
    double time = driven_time(&collider->def, collider->age);
    struct vec3 p = driven_position(collider, time);
    struct quaternion q = quaternion_unit(driven_rotation(collider, time));
    struct pose now = {.position = {(float)p.x, (float)p.y, (float)p.z},
                       .rotation = {(float)q.x, (float)q.y, (float)q.z, (float)q.w}};
    set_pose(&collider->def, &now);
}

void collider_end_tick(pbd_world *world) {
    float dt = world->settings.solver.dt;
    for (uint32_t i = 0; i < world->collider_count; ++i) {
        struct pbd_collider *collider = &world->colliders[world->collider_order[i]];
        collider->fresh = false;
        if (is_dynamic(collider))
            rigid_end_tick(world, collider);
        else if (collider->driven)
            end_driven(collider, dt);
        else if (moves(collider))
            end_move(collider, dt);
        else
            come_to_rest(collider);
    }
}
