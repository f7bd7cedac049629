/* A collider command made into a definition. */
#include "scene/scene.h"

#include <string.h>
#include <pbd/collision_mesh.h>
#include <wire/errors.h>

void scene_collider_settings_apply(struct pbd_collider_def *def,
                                   const struct wire_collider_settings *members) {
    if (members->has_friction == WIRE_PRESENT) def->friction = (float)members->friction;
    if (members->has_static_friction == WIRE_PRESENT) def->static_friction = (float)members->static_friction;
    if (members->has_static_friction == WIRE_NULL) def->static_friction = PBD_SAME_AS_KINETIC;
    if (members->has_restitution == WIRE_PRESENT) def->restitution = (float)members->restitution;
    if (members->has_mass == WIRE_PRESENT) def->mass = (float)members->mass;
}

bool scene_rotation_check(const float rotation[4], struct wire_error *error) {
    for (int k = 0; k < 4; ++k)
        if (rotation[k] != 0.0f) return true;
    WIRE_FAIL(error, out_of_range, "rotation",
              "rotation is [0,0,0,0]; a quaternion [x,y,z,w] must have a length.");
    return false;
}

static enum pbd_motion motion_of(enum wire_motion motion) {
    return motion == WIRE_motion_static    ? PBD_STATIC_MOTION
           : motion == WIRE_motion_dynamic ? PBD_DYNAMIC
                                           : PBD_KINEMATIC;
}

static const char *motion_name(enum pbd_motion motion) {
    return motion == PBD_STATIC_MOTION ? "static" : motion == PBD_DYNAMIC ? "dynamic" : "kinematic";
}

int scene_collider_check(const struct pbd_collider_def *def, const struct wire_collider_settings *members,
                         struct wire_error *error) {
    bool rigid =
        def->shape.type == PBD_SPHERE || def->shape.type == PBD_CAPSULE || def->shape.type == PBD_BOX;
    if (def->motion == PBD_DYNAMIC && !rigid) {
        WIRE_FAIL(error, conflict, "shape.type",
                  "a %s cannot be dynamic; a rigid body is a sphere, a capsule or a box.",
                  def->shape.type == PBD_PLANE ? "plane" : "mesh");
        return -1;
    }
    if (members->has_mass == WIRE_PRESENT && def->motion != PBD_DYNAMIC) {
        WIRE_FAIL(error, conflict, "mass",
                  "mass is %g kg, but the collider is %s; only dynamic ones have a mass.", members->mass,
                  motion_name(def->motion));
        return -1;
    }
    return 0;
}

static bool is_zero(const float v[3]) {
    return v[0] == 0.0f && v[1] == 0.0f && v[2] == 0.0f;
}

/* Velocities and times: what each motion can have. */
static int take_motion(const struct wire_collider_spec *spec, struct pbd_collider_def *def,
                       struct wire_error *error) {
    if (spec->has_velocity == WIRE_PRESENT) memcpy(def->velocity, spec->velocity, sizeof def->velocity);
    if (spec->has_angular_velocity == WIRE_PRESENT)
        memcpy(def->angular_velocity, spec->angular_velocity, sizeof def->angular_velocity);
    bool moving = !is_zero(def->velocity);
    if (def->motion == PBD_STATIC_MOTION && (moving || !is_zero(def->angular_velocity))) {
        const char *name = moving ? "velocity" : "angular_velocity";
        WIRE_FAIL(error, conflict, name,
                  "%s is not zero, but the collider is static; kinematic and dynamic ones move.", name);
        return -1;
    }
    bool from = spec->has_moves_from != WIRE_ABSENT, until = spec->has_moves_until != WIRE_ABSENT;
    if (def->motion != PBD_KINEMATIC && (from || until)) {
        const char *name = from ? "moves_from" : "moves_until";
        WIRE_FAIL(error, conflict, name, "%s is of kinematic colliders only; this one is %s.", name,
                  motion_name(def->motion));
        return -1;
    }
    if (from) def->moves_from = (float)spec->moves_from;
    def->moves_until = spec->has_moves_until == WIRE_PRESENT ? (float)spec->moves_until : PBD_FOR_EVER;
    if (def->moves_until < def->moves_from) {
        WIRE_FAIL(error, out_of_range, "moves_until",
                  "moves_until is %g s; allowed is from moves_from (%g s) on, or null.",
                  (double)def->moves_until, (double)def->moves_from);
        return -1;
    }
    return 0;
}

static int take_all(const struct wire_collider_spec *spec, const char *base_dir, uint32_t max_vertices,
                    struct pbd_collider_def *def, struct wire_error *error) {
    if (spec->has_rotation == WIRE_PRESENT && !scene_rotation_check(spec->rotation, error)) return -1;
    scene_collider_settings_apply(def, &spec->collider_settings);
    if (spec->has_position == WIRE_PRESENT) memcpy(def->position, spec->position, sizeof def->position);
    if (spec->has_rotation == WIRE_PRESENT) memcpy(def->rotation, spec->rotation, sizeof def->rotation);
    if (spec->has_motion == WIRE_PRESENT) def->motion = motion_of(spec->motion);
    if (take_motion(spec, def, error) != 0) return -1;
    if (scene_shape_build(&spec->shape, base_dir, max_vertices, &def->shape, error) != 0) return -1;
    return scene_collider_check(def, &spec->collider_settings, error);
}

int scene_collider_build(const struct wire_collider_spec *spec, const char *base_dir, uint32_t max_vertices,
                         struct pbd_collider_def *def, struct wire_error *error) {
    struct pbd_collider_def made = pbd_default_collider_def();
    if (take_all(spec, base_dir, max_vertices, &made, error) != 0) {
        scene_collider_free(&made);
        return -1;
    }
    *def = made;
    return 0;
}

void scene_collider_free(struct pbd_collider_def *def) {
    pbd_collision_mesh_unref(def->shape.mesh);
    def->shape.mesh = NULL;
}
