/* Colliders: adding, removing, moving, and their motion through a tick.
 *
 * A move goes from `from` to `to` in `total` ticks; poses within it are computed from
 * the two ends each time, so nothing accumulates and the end is `to` bit for bit. */
#include "contact/contact.h"

#include <assert.h>
#include <string.h>

#include "math/elementary.h"

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

static bool moves(const struct pbd_collider *collider) {
    return collider->done < collider->total;
}

/* At rest where def says, as if it had never moved. */
static void come_to_rest(struct pbd_collider *collider) {
    collider->from = collider->to = pose_of(&collider->def);
    collider->done = collider->total = 0;
    memset(collider->velocity, 0, sizeof collider->velocity);
    memset(collider->angular_velocity, 0, sizeof collider->angular_velocity);
}

int pbd_collider_add(pbd_world *world, const struct pbd_collider_def *def, pbd_collider_id *id) {
    for (uint32_t i = 0; i < world->cloth_count; ++i) {
        struct pbd_cloth *cloth = &world->cloths[world->cloth_order[i]];
        if (contact_reserve_colliders(cloth, world->collider_count + 1) < 0) return PBD_OUT_OF_MEMORY;
    }
    struct pbd_collider *collider = world_new_collider(world);
    if (collider == NULL) return PBD_OUT_OF_MEMORY;
    collider->def = *def;
    quaternion_normalise(collider->def.rotation);
    collider->shape = collide_shape_from(&def->shape);
    collider->fresh = true;
    come_to_rest(collider);
    *id = collider->id;
    return PBD_OK;
}

int pbd_collider_remove(pbd_world *world, pbd_collider_id id) {
    struct pbd_collider *collider = world_collider(world, id);
    if (collider == NULL) return PBD_STALE_ID;
    world_free_collider(world, collider);
    return PBD_OK;
}

int pbd_collider_get(const pbd_world *world, pbd_collider_id id, struct pbd_collider_state *state) {
    const struct pbd_collider *collider = world_collider(world, id);
    if (collider == NULL) return PBD_STALE_ID;
    state->def = collider->def;
    memcpy(state->velocity, collider->velocity, sizeof state->velocity);
    memcpy(state->angular_velocity, collider->angular_velocity, sizeof state->angular_velocity);
    return PBD_OK;
}

int pbd_collider_set(pbd_world *world, pbd_collider_id id, const struct pbd_collider_def *def) {
    struct pbd_collider *collider = world_collider(world, id);
    if (collider == NULL) return PBD_STALE_ID;
    collider->def.shape = def->shape;
    collider->def.friction = def->friction;
    collider->def.static_friction = def->static_friction;
    collider->def.restitution = def->restitution;
    collider->shape = collide_shape_from(&def->shape);
    collider->fresh = true;
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
    if (teleport) {
        set_pose(&collider->def, &target);
        come_to_rest(collider);
        collider->fresh = true;
        return PBD_OK;
    }
    collider->from = pose_of(&collider->def);
    collider->to = target;
    collider->done = 0;
    collider->total = over > 0 ? over : 1;
    return PBD_OK;
}

/* ---- through a tick ---- */

static double fraction_at(const struct pbd_collider *collider, int index, int count) {
    if (!moves(collider)) return 1.0;
    if (collider->done + 1 == collider->total && index == count) return 1.0;
    return ((double)collider->done + (double)index / (double)count) / (double)collider->total;
}

void collider_begin_tick(pbd_world *world) {
    for (uint32_t i = 0; i < world->collider_count; ++i) {
        struct pbd_collider *collider = &world->colliders[world->collider_order[i]];
        collider->tick_shift = collider->tick_turn = 0.0;
        collider->fraction_start = collider->fraction_end = fraction_at(collider, 0, 1);
        collider->substep_start = collider->substep_end = collider_pose_at(collider, 0.0);
        if (!moves(collider)) continue;
        struct vec3 axis;
        struct vec3 way = vec3_sub(vec3_from(collider->to.position), vec3_from(collider->from.position));
        collider->tick_shift = vec3_length(way) / (double)collider->total;
        collider->tick_turn = pose_turn(&collider->from, &collider->to, &axis) / (double)collider->total;
    }
}

void collider_begin_substep(pbd_world *world, int index, int count) {
    assert(index >= 0 && index < count);
    for (uint32_t i = 0; i < world->collider_count; ++i) {
        struct pbd_collider *collider = &world->colliders[world->collider_order[i]];
        collider->fraction_start = fraction_at(collider, index, count);
        collider->fraction_end = fraction_at(collider, index + 1, count);
        collider->substep_turn = collider->tick_turn / (double)count;
        collider->substep_start = collider_pose_at(collider, 0.0);
        collider->substep_end = collider->substep_start;
        if (moves(collider)) collider->substep_end = collider_pose_at(collider, 1.0);
    }
}

struct exact_pose collider_pose_at(const struct pbd_collider *collider, double time) {
    double a = collider->fraction_start, b = collider->fraction_end;
    double fraction = time <= 0.0 ? a : time >= 1.0 ? b : a + (b - a) * time;
    return pose_between(&collider->from, &collider->to, fraction);
}

/* Velocities over the tick that ends: of a straight move at constant speed. */
static void set_velocities(struct pbd_collider *collider, float dt) {
    struct vec3 axis;
    double rate = 1.0 / ((double)collider->total * (double)dt);
    struct vec3 way = vec3_sub(vec3_from(collider->to.position), vec3_from(collider->from.position));
    struct vec3 v = vec3_scale(way, rate);
    double turn = pose_turn(&collider->from, &collider->to, &axis);
    struct vec3 spin = vec3_scale(axis, turn * rate);
    collider->velocity[0] = (float)v.x;
    collider->velocity[1] = (float)v.y;
    collider->velocity[2] = (float)v.z;
    collider->angular_velocity[0] = (float)spin.x;
    collider->angular_velocity[1] = (float)spin.y;
    collider->angular_velocity[2] = (float)spin.z;
}

void collider_end_tick(pbd_world *world) {
    float dt = world->settings.solver.dt;
    for (uint32_t i = 0; i < world->collider_count; ++i) {
        struct pbd_collider *collider = &world->colliders[world->collider_order[i]];
        collider->fresh = false;
        if (!moves(collider)) {
            come_to_rest(collider);
            continue;
        }
        set_velocities(collider, dt);
        ++collider->done;
        double fraction = (double)collider->done / (double)collider->total;
        struct pose now = pose_rounded_between(&collider->from, &collider->to, fraction);
        set_pose(&collider->def, &now);
    }
}
