/* A collider command made into a definition. */
#include "scene/scene.h"

#include <string.h>
#include <wire/errors.h>

void scene_shape_apply(struct pbd_shape *shape, const struct wire_shape *members) {
    switch (members->type) {
    case WIRE_shape_type_plane:
        shape->type = PBD_PLANE;
        break;
    case WIRE_shape_type_sphere:
        shape->type = PBD_SPHERE;
        break;
    case WIRE_shape_type_capsule:
        shape->type = PBD_CAPSULE;
        break;
    case WIRE_shape_type_box:
        shape->type = PBD_BOX;
        break;
    }
    static const float up[3] = {0.0f, 1.0f, 0.0f};
    memcpy(shape->normal, members->has_normal == WIRE_PRESENT ? members->normal : up, sizeof shape->normal);
    shape->offset = members->has_offset == WIRE_PRESENT ? (float)members->offset : 0.0f;
    if (members->has_radius == WIRE_PRESENT) shape->radius = (float)members->radius;
    if (members->has_half_height == WIRE_PRESENT) shape->half_height = (float)members->half_height;
    if (members->has_half_extents == WIRE_PRESENT)
        memcpy(shape->half_extents, members->half_extents, sizeof shape->half_extents);
}

void scene_collider_settings_apply(struct pbd_collider_def *def,
                                   const struct wire_collider_settings *members) {
    if (members->has_friction == WIRE_PRESENT) def->friction = (float)members->friction;
    if (members->has_static_friction == WIRE_PRESENT) def->static_friction = (float)members->static_friction;
    if (members->has_static_friction == WIRE_NULL) def->static_friction = PBD_SAME_AS_KINETIC;
    if (members->has_restitution == WIRE_PRESENT) def->restitution = (float)members->restitution;
}

bool scene_rotation_check(const float rotation[4], struct wire_error *error) {
    for (int k = 0; k < 4; ++k)
        if (rotation[k] != 0.0f) return true;
    WIRE_FAIL(error, out_of_range, "rotation",
              "rotation is [0,0,0,0]; a quaternion [x,y,z,w] must have a length.");
    return false;
}

int scene_collider_build(const struct wire_collider_spec *spec, struct pbd_collider_def *def,
                         struct wire_error *error) {
    struct pbd_collider_def made = pbd_default_collider_def();
    if (spec->has_rotation == WIRE_PRESENT && !scene_rotation_check(spec->rotation, error)) return -1;
    scene_shape_apply(&made.shape, &spec->shape);
    scene_collider_settings_apply(&made, &spec->collider_settings);
    if (spec->has_position == WIRE_PRESENT) memcpy(made.position, spec->position, sizeof made.position);
    if (spec->has_rotation == WIRE_PRESENT) memcpy(made.rotation, spec->rotation, sizeof made.rotation);
    if (spec->has_motion == WIRE_PRESENT)
        made.motion = spec->motion == WIRE_motion_static ? PBD_STATIC_MOTION : PBD_KINEMATIC;
    *def = made;
    return 0;
}
