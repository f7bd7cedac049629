/* Mass and inertia of a body, and what pushes and impulses do to it. */
#include "contact/rigid.h"

/* ---- mass (Baraff, An Introduction to Physically Based Modeling, 1997) ---- */

/* Moments of inertia over the mass about the principal axes, m². */
static struct vec3 unit_inertia(const struct collide_shape *shape) {
    double r = shape->radius, h = shape->half_height;
    switch (shape->type) {
    case PBD_SPHERE:
        return vec3_make(0.4 * r * r, 0.4 * r * r, 0.4 * r * r);
    case PBD_CAPSULE: {
        /* A cylinder of length 2h and two hemispheres, whose centres of mass are 3r/8 from
         * their flat sides; volumes over πr². */
        double cylinder = 2.0 * h, caps = 4.0 / 3.0 * r, whole = cylinder + caps;
        double along = (cylinder * 0.5 + caps * 0.4) * r * r;
        double across = cylinder * (0.25 * r * r + h * h / 3.0) + caps * (0.4 * r * r + h * h + 0.75 * h * r);
        return vec3_make(across / whole, along / whole, across / whole);
    }
    case PBD_BOX: {
        double x = shape->half.x * shape->half.x, y = shape->half.y * shape->half.y,
               z = shape->half.z * shape->half.z;
        return vec3_make((y + z) / 3.0, (z + x) / 3.0, (x + y) / 3.0);
    }
    case PBD_PLANE:
    case PBD_MESH:
        break;
    }
    return vec3_make(0.0, 0.0, 0.0);
}

void rigid_set_mass(struct pbd_collider *collider) {
    struct rigid_body *body = &collider->body;
    struct vec3 unit = unit_inertia(&collider->shape);
    double mass = (double)collider->def.mass;
    body->inverse_mass = 0.0;
    body->inverse_inertia = vec3_make(0.0, 0.0, 0.0);
    if (collider->def.motion != PBD_DYNAMIC || !(mass > 0.0)) return;
    if (!(unit.x > 0.0 && unit.y > 0.0 && unit.z > 0.0)) return;
    body->inverse_mass = 1.0 / mass;
    body->inverse_inertia = vec3_make(1.0 / (mass * unit.x), 1.0 / (mass * unit.y), 1.0 / (mass * unit.z));
}

/* ---- pushes ---- */

struct vec3 rigid_spin_of(const struct pbd_collider *collider, struct vec3 moment) {
    if (!rigid_moves(collider)) return vec3_make(0.0, 0.0, 0.0);
    const struct vec3 *axis = collider->substep_end.axis;
    struct vec3 inverse = collider->body.inverse_inertia;
    struct vec3 local = {vec3_dot(axis[0], moment) * inverse.x, vec3_dot(axis[1], moment) * inverse.y,
                         vec3_dot(axis[2], moment) * inverse.z};
    return pose_direction_to_world(&collider->substep_end, local);
}

double rigid_inverse_mass(const struct pbd_collider *collider, struct vec3 point, struct vec3 direction) {
    if (!rigid_moves(collider)) return 0.0;
    const struct vec3 *axis = collider->substep_end.axis;
    struct vec3 inverse = collider->body.inverse_inertia;
    struct vec3 moment = vec3_cross(vec3_sub(point, collider->body.now.position), direction);
    double x = vec3_dot(axis[0], moment), y = vec3_dot(axis[1], moment), z = vec3_dot(axis[2], moment);
    return collider->body.inverse_mass + x * x * inverse.x + y * y * inverse.y + z * z * inverse.z;
}

void rigid_push(struct pbd_collider *collider, struct vec3 point, struct vec3 push) {
    if (!rigid_moves(collider)) return;
    struct rigid_body *body = &collider->body;
    struct vec3 moment = vec3_cross(vec3_sub(point, body->now.position), push);
    struct vec3 turn = rigid_spin_of(collider, moment);
    body->pushed = vec3_add(body->pushed, push);
    body->turned = vec3_add(body->turned, moment);
    body->now.position = vec3_add_scaled(body->now.position, push, body->inverse_mass);
    body->now.rotation = quaternion_turned(body->now.rotation, turn);
    collider->substep_end = exact_pose_from(body->now.position, body->now.rotation);
}

void rigid_account(struct pbd_collider *collider, struct vec3 shift, struct vec3 turn) {
    if (!rigid_moves(collider)) return;
    struct rigid_body *body = &collider->body;
    const struct vec3 *axis = collider->substep_end.axis;
    struct vec3 inverse = body->inverse_inertia;
    struct vec3 moment = {vec3_dot(axis[0], turn) / inverse.x, vec3_dot(axis[1], turn) / inverse.y,
                          vec3_dot(axis[2], turn) / inverse.z};
    body->pushed = vec3_add_scaled(body->pushed, shift, 1.0 / body->inverse_mass);
    body->turned = vec3_add(body->turned, pose_direction_to_world(&collider->substep_end, moment));
}

void rigid_shift(struct pbd_collider *collider, struct vec3 shift, struct vec3 turn) {
    if (!rigid_moves(collider)) return;
    struct rigid_body *body = &collider->body;
    body->now.position = vec3_add(body->now.position, shift);
    body->now.rotation = quaternion_turned(body->now.rotation, turn);
    collider->substep_end = exact_pose_from(body->now.position, body->now.rotation);
}

double rigid_lift(struct pbd_collider *collider, struct vec3 shift, double limit) {
    struct rigid_body *body = &collider->body;
    double size = vec3_length(shift), room = limit - vec3_length(body->lifted);
    if (!rigid_moves(collider) || !(size > 0.0) || !(room > 0.0)) return 0.0;
    if (size > room) shift = vec3_scale(shift, room / size);
    body->lifted = vec3_add(body->lifted, shift);
    body->start.position = vec3_add(body->start.position, shift);
    body->now.position = vec3_add(body->now.position, shift);
    collider->substep_start.position = body->start.position;
    collider->substep_end.position = body->now.position;
    return size > room ? room : size;
}

/* Depths below this many g·h² stay: a contact that rests keeps touching. What is deeper
 * is undone by this part in a substep, at most at max_depenetration. */
#define DEPTH_KEPT 2.0
#define DEPTH_UNDONE 0.25

double rigid_rise(const pbd_world *world, double depth, double h) {
    double fall = vec3_length(vec3_from(world->settings.gravity)) * h * h;
    double rise = DEPTH_UNDONE * (depth - DEPTH_KEPT * fall);
    double most = (double)world->settings.max_depenetration * h;
    if (!(rise > 0.0)) return 0.0;
    return rise < most ? rise : most;
}

struct vec3 rigid_velocity_at(const struct pbd_collider *collider, struct vec3 point, double h) {
    if (rigid_moves(collider)) {
        const struct rigid_state *now = &collider->body.now;
        return vec3_add(now->velocity, vec3_cross(now->spin, vec3_sub(point, now->position)));
    }
    struct vec3 local = pose_to_local(&collider->substep_end, point);
    struct vec3 way = vec3_sub(pose_to_world(&collider->substep_end, local),
                               pose_to_world(&collider->substep_start, local));
    return vec3_scale(way, 1.0 / h);
}

struct vec3 rigid_velocity_so_far(const struct pbd_collider *collider, struct vec3 point, double h) {
    struct vec3 v = rigid_velocity_at(collider, point, h);
    if (!rigid_moves(collider)) return v;
    const struct rigid_body *body = &collider->body;
    struct vec3 spin = vec3_scale(rigid_spin_of(collider, body->turned), 1.0 / h);
    v = vec3_add_scaled(v, body->pushed, body->inverse_mass / h);
    return vec3_add(v, vec3_cross(spin, vec3_sub(point, body->now.position)));
}

void rigid_kick(struct pbd_collider *collider, struct vec3 point, struct vec3 impulse) {
    if (!rigid_moves(collider)) return;
    struct rigid_state *now = &collider->body.now;
    struct vec3 moment = vec3_cross(vec3_sub(point, now->position), impulse);
    now->velocity = vec3_add_scaled(now->velocity, impulse, collider->body.inverse_mass);
    now->spin = vec3_add(now->spin, rigid_spin_of(collider, moment));
}
