/* Bodies in a world, for the tests of rigid contact. */
#ifndef CLOTHD_TESTS_RIGID_SCENE_H
#define CLOTHD_TESTS_RIGID_SCENE_H

#include "sheet.h"

#if defined(__SANITIZE_ADDRESS__) || !defined(__OPTIMIZE__)
#define SLOW_BUILD true
#else
#define SLOW_BUILD false
#endif

/* Gravity 9.81 or none; no drag. */
static inline pbd_world *rigid_world(bool gravity, int substeps) {
    struct pbd_world_settings settings = quiet_settings();
    settings.gravity[1] = gravity ? -9.81f : 0.0f;
    settings.solver.substeps = substeps;
    return pbd_world_create(&settings);
}

static inline struct pbd_collider_def body_def(enum pbd_shape_type type, double mass, double x, double y,
                                               double z) {
    struct pbd_collider_def def = pbd_default_collider_def();
    def.shape.type = type;
    def.motion = PBD_DYNAMIC;
    def.mass = (float)mass;
    def.position[0] = (float)x;
    def.position[1] = (float)y;
    def.position[2] = (float)z;
    return def;
}

static inline void set_box(struct pbd_collider_def *def, double x, double y, double z) {
    def->shape.half_extents[0] = (float)x;
    def->shape.half_extents[1] = (float)y;
    def->shape.half_extents[2] = (float)z;
}

static inline pbd_collider_id add_collider(pbd_world *world, const struct pbd_collider_def *def) {
    pbd_collider_id id = 0;
    int result = pbd_collider_add(world, def, &id);
    assert(result == PBD_OK);
    (void)result;
    return id;
}

/* A plane through the origin, inclined about z by an angle: downhill is (cos, −sin, 0). */
static inline pbd_collider_id add_slope(pbd_world *world, double angle, double friction) {
    struct pbd_collider_def def = pbd_default_collider_def();
    def.shape = (struct pbd_shape){.type = PBD_PLANE, .normal = {(float)sin(angle), (float)cos(angle), 0.0f}};
    def.motion = PBD_STATIC_MOTION;
    def.friction = (float)friction;
    return add_collider(world, &def);
}

static inline struct pbd_collider_state state_of(const pbd_world *world, pbd_collider_id id) {
    struct pbd_collider_state state;
    int result = pbd_collider_get(world, id, &state);
    assert(result == PBD_OK);
    (void)result;
    return state;
}

static inline double speed_of(const struct pbd_collider_state *s) {
    double sum = 0.0;
    for (int k = 0; k < 3; ++k)
        sum += (double)s->velocity[k] * s->velocity[k];
    return sqrt(sum);
}

static inline double distance_between(const float a[3], const float b[3]) {
    double x = (double)a[0] - b[0], y = (double)a[1] - b[1], z = (double)a[2] - b[2];
    return sqrt(x * x + y * y + z * z);
}

#endif
