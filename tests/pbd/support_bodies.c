#include "support_bodies.h"

struct pbd_collider support_body(const struct pbd_shape *shape, struct vec3 position, struct vec3 axis,
                                 double angle) {
    struct pbd_collider body = {.def = pbd_default_collider_def()};
    body.def.shape = *shape;
    body.def.motion = PBD_DYNAMIC;
    body.def.mass = 2.0f;
    body.shape = collide_shape_from(shape);
    rigid_set_mass(&body);
    body.body.now.position = position;
    body.body.now.rotation = quaternion_about(vec3_scale(axis, 1.0 / vec3_length(axis)), angle);
    body.body.start = body.body.now;
    body.substep_start = body.substep_end = exact_pose_from(position, body.body.now.rotation);
    return body;
}

struct pbd_shape support_ball(double radius) {
    return (struct pbd_shape){.type = PBD_SPHERE, .radius = (float)radius};
}

struct pbd_shape support_box(double x, double y, double z) {
    return (struct pbd_shape){.type = PBD_BOX, .half_extents = {(float)x, (float)y, (float)z}};
}

struct pbd_shape support_capsule(double radius, double half_height) {
    return (struct pbd_shape){
        .type = PBD_CAPSULE, .radius = (float)radius, .half_height = (float)half_height};
}
