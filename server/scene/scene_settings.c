/* Members of commands to settings: what is present is taken, the rest stays. */
#include "scene/scene.h"

#include <string.h>

#define TAKE(from, to, member)                                                                               \
    do {                                                                                                     \
        if ((from)->has_##member == WIRE_PRESENT) (to)->member = (float)(from)->member;                      \
    } while (0)

void scene_cloth_settings_apply(struct pbd_cloth_settings *settings,
                                const struct wire_cloth_settings *members) {
    TAKE(members, settings, stretch_stiffness);
    TAKE(members, settings, bend_stiffness);
    TAKE(members, settings, stretch_compliance);
    TAKE(members, settings, bend_compliance);
    TAKE(members, settings, thickness);
    TAKE(members, settings, friction);
    TAKE(members, settings, static_friction);
    TAKE(members, settings, restitution);
    TAKE(members, settings, drag_coefficient);
    TAKE(members, settings, lift_coefficient);
    if (members->has_tethers == WIRE_PRESENT) settings->tethers = members->tethers;
    if (members->has_self_collision == WIRE_PRESENT) settings->self_collision = members->self_collision;
    if (members->has_cloth_collision == WIRE_PRESENT) settings->cloth_collision = members->cloth_collision;
    if (members->has_stretch_compliance == WIRE_NULL) settings->stretch_compliance = PBD_COMPLIANCE_OFF;
    if (members->has_bend_compliance == WIRE_NULL) settings->bend_compliance = PBD_COMPLIANCE_OFF;
    TAKE(members, settings, pressure);
    TAKE(members, settings, compression);
    TAKE(members, settings, stretch_compliance_weft);
    if (members->has_stretch_compliance_weft == WIRE_NULL)
        settings->stretch_compliance_weft = PBD_SAME_AS_WARP;
    if (members->has_pressure == WIRE_NULL) settings->pressure = PBD_PRESSURE_OFF;
    if (members->has_static_friction == WIRE_NULL) settings->static_friction = PBD_SAME_AS_KINETIC;
    if (members->has_bend_model == WIRE_PRESENT)
        settings->bend_model =
            members->bend_model == WIRE_bend_model_distance ? PBD_BEND_DISTANCE : PBD_BEND_DIHEDRAL;
}

static enum pbd_method method_of(enum wire_method method) {
    switch (method) {
    case WIRE_method_pbd:
        return PBD_METHOD_PBD;
    case WIRE_method_jacobi:
        return PBD_METHOD_JACOBI;
    case WIRE_method_xpbd:
        break;
    }
    return PBD_METHOD_XPBD;
}

static void apply_solver(struct pbd_solver_settings *settings, const struct wire_solver *members) {
    if (members->has_method == WIRE_PRESENT) settings->method = method_of(members->method);
    if (members->has_iterations == WIRE_PRESENT) settings->iterations = (int)members->iterations;
    if (members->has_substeps == WIRE_PRESENT) settings->substeps = (int)members->substeps;
    TAKE(members, settings, dt);
    TAKE(members, settings, jacobi_weight);
    TAKE(members, settings, velocity_factor);
}

static void apply_wind(struct pbd_wind *wind, const struct wire_wind *members) {
    if (members->has_velocity == WIRE_PRESENT)
        memcpy(wind->velocity, members->velocity, sizeof wind->velocity);
    TAKE(members, wind, turbulence);
    TAKE(members, wind, gust_size);
    TAKE(members, wind, air_density);
}

void scene_world_settings_apply(struct pbd_world_settings *settings,
                                const struct wire_world_settings *members) {
    if (members->has_gravity == WIRE_PRESENT)
        memcpy(settings->gravity, members->gravity, sizeof settings->gravity);
    if (members->has_wind == WIRE_PRESENT) apply_wind(&settings->wind, &members->wind);
    if (members->has_seed == WIRE_PRESENT) settings->seed = (uint32_t)members->seed;
    TAKE(members, settings, drag);
    TAKE(members, settings, damping);
    TAKE(members, settings, max_depenetration);
    TAKE(members, settings, max_speed);
    if (members->has_solver == WIRE_PRESENT) apply_solver(&settings->solver, &members->solver);
}
