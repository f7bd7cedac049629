/* Settings as JSON: all of them, or those that a command set. */
#include "sim/describe.h"

#include <math.h>

void describe_number(struct json *json, const char *key, float value) {
    json_key(json, key);
    json_short_float(json, value);
}

void describe_vector(struct json *json, const char *key, const float *values, size_t count) {
    json_key(json, key);
    json_begin_array(json);
    for (size_t i = 0; i < count; ++i)
        json_short_float(json, values[i]);
    json_end_array(json);
}

static void put_name(struct json *json, const char *key, const char *value) {
    json_key(json, key);
    json_string(json, value);
}

static void put_count(struct json *json, const char *key, int value) {
    json_key(json, key);
    json_integer(json, value);
}

static void put_bool(struct json *json, const char *key, bool value) {
    json_key(json, key);
    json_bool(json, value);
}

/* Whether a command had the member, or everything is asked for. */
#define HAS(name) (!members || members->has_##name != WIRE_ABSENT)

static const char *const method_names[] = {
    [PBD_METHOD_PBD] = "pbd", [PBD_METHOD_XPBD] = "xpbd", [PBD_METHOD_JACOBI] = "jacobi"};

void describe_solver(struct json *json, const struct pbd_solver_settings *solver,
                     const struct wire_solver *members) {
    json_begin_object(json);
    if (HAS(method)) put_name(json, "method", method_names[solver->method]);
    if (HAS(iterations)) put_count(json, "iterations", solver->iterations);
    if (HAS(substeps)) put_count(json, "substeps", solver->substeps);
    if (HAS(dt)) describe_number(json, "dt", solver->dt);
    if (HAS(jacobi_weight)) describe_number(json, "jacobi_weight", solver->jacobi_weight);
    if (HAS(velocity_factor)) describe_number(json, "velocity_factor", solver->velocity_factor);
    json_end_object(json);
}

static void put_wind(struct json *json, const struct pbd_wind *wind, const struct wire_wind *members) {
    json_key(json, "wind");
    json_begin_object(json);
    if (HAS(velocity)) describe_vector(json, "velocity", wind->velocity, 3);
    if (HAS(turbulence)) describe_number(json, "turbulence", wind->turbulence);
    if (HAS(gust_size)) describe_number(json, "gust_size", wind->gust_size);
    if (HAS(air_density)) describe_number(json, "air_density", wind->air_density);
    json_end_object(json);
}

void describe_world_settings(struct json *json, const struct pbd_world_settings *settings, double time_scale,
                             const struct wire_world_settings *members) {
    json_begin_object(json);
    if (HAS(gravity)) describe_vector(json, "gravity", settings->gravity, 3);
    if (HAS(wind)) put_wind(json, &settings->wind, members ? &members->wind : NULL);
    if (HAS(seed)) {
        json_key(json, "seed");
        json_integer(json, settings->seed);
    }
    if (HAS(drag)) describe_number(json, "drag", settings->drag);
    if (HAS(damping)) describe_number(json, "damping", settings->damping);
    if (HAS(time_scale)) {
        json_key(json, "time_scale");
        json_double(json, time_scale);
    }
    if (HAS(max_depenetration)) describe_number(json, "max_depenetration", settings->max_depenetration);
    if (HAS(max_speed)) describe_number(json, "max_speed", settings->max_speed);
    if (members && members->has_solver == WIRE_PRESENT) {
        json_key(json, "solver");
        describe_solver(json, &settings->solver, &members->solver);
    }
    json_end_object(json);
}

/* An infinite compliance is JSON's null by itself; so is the value that stands for none here. */
static void put_unless(struct json *json, const char *key, float value, float none) {
    json_key(json, key);
    if (value == none) {
        json_null(json);
    } else {
        json_short_float(json, value);
    }
}

void describe_material_members(struct json *json, const struct pbd_cloth_settings *settings,
                               const struct wire_cloth_settings *members) {
    if (HAS(stretch_stiffness)) describe_number(json, "stretch_stiffness", settings->stretch_stiffness);
    if (HAS(bend_stiffness)) describe_number(json, "bend_stiffness", settings->bend_stiffness);
    if (HAS(stretch_compliance)) describe_number(json, "stretch_compliance", settings->stretch_compliance);
    if (HAS(stretch_compliance_weft))
        put_unless(json, "stretch_compliance_weft", settings->stretch_compliance_weft, PBD_SAME_AS_WARP);
    if (HAS(compression)) describe_number(json, "compression", settings->compression);
    if (HAS(bend_compliance)) describe_number(json, "bend_compliance", settings->bend_compliance);
    if (HAS(bend_model)) {
        put_name(json, "bend_model", settings->bend_model == PBD_BEND_DIHEDRAL ? "dihedral" : "distance");
    }
    if (HAS(tethers)) put_bool(json, "tethers", settings->tethers);
    if (HAS(pressure)) put_unless(json, "pressure", settings->pressure, PBD_PRESSURE_OFF);
    if (HAS(thickness)) describe_number(json, "thickness", settings->thickness);
    if (HAS(self_collision)) put_bool(json, "self_collision", settings->self_collision);
    if (HAS(cloth_collision)) put_bool(json, "cloth_collision", settings->cloth_collision);
    if (HAS(friction)) describe_number(json, "friction", settings->friction);
    if (HAS(static_friction))
        put_unless(json, "static_friction", settings->static_friction, PBD_SAME_AS_KINETIC);
    if (HAS(restitution)) describe_number(json, "restitution", settings->restitution);
    if (HAS(drag_coefficient)) describe_number(json, "drag_coefficient", settings->drag_coefficient);
    if (HAS(lift_coefficient)) describe_number(json, "lift_coefficient", settings->lift_coefficient);
}

void describe_material(struct json *json, const struct pbd_cloth_settings *settings,
                       const struct wire_cloth_settings *members) {
    json_begin_object(json);
    describe_material_members(json, settings, members);
    json_end_object(json);
}

void describe_surface(struct json *json, const struct pbd_collider_def *def,
                      const struct wire_collider_settings *members) {
    if (HAS(friction)) describe_number(json, "friction", def->friction);
    if (HAS(static_friction)) put_unless(json, "static_friction", def->static_friction, PBD_SAME_AS_KINETIC);
    if (HAS(restitution)) describe_number(json, "restitution", def->restitution);
    if (def->motion == PBD_DYNAMIC && HAS(mass)) describe_number(json, "mass", def->mass);
}

void describe_inactive(struct json *json, enum pbd_method method) {
    static const char *const of_pbd[] = {"solver.jacobi_weight", "solver.velocity_factor",
                                         "stretch_compliance",   "stretch_compliance_weft",
                                         "bend_compliance",      NULL};
    static const char *const of_xpbd[] = {"solver.jacobi_weight", "solver.velocity_factor",
                                          "stretch_stiffness", "bend_stiffness", NULL};
    /* G103: stretch and collider projection only, one substep, no friction. The last ones are
     * no settings: corners and edges of colliders, what cloth does to bodies, ways to hold it. */
    static const char *const of_jacobi[] = {"solver.substeps",
                                            "wind",
                                            "seed",
                                            "drag",
                                            "damping",
                                            "max_depenetration",
                                            "stretch_stiffness",
                                            "bend_stiffness",
                                            "stretch_compliance",
                                            "stretch_compliance_weft",
                                            "compression",
                                            "bend_compliance",
                                            "bend_model",
                                            "tethers",
                                            "pressure",
                                            "thickness",
                                            "self_collision",
                                            "cloth_collision",
                                            "friction",
                                            "static_friction",
                                            "restitution",
                                            "drag_coefficient",
                                            "lift_coefficient",
                                            "collider_features",
                                            "reaction_on_bodies",
                                            "dynamic_attachments",
                                            "grabs",
                                            "sleep",
                                            NULL};
    static const char *const *const lists[] = {
        [PBD_METHOD_PBD] = of_pbd, [PBD_METHOD_XPBD] = of_xpbd, [PBD_METHOD_JACOBI] = of_jacobi};
    json_begin_array(json);
    for (const char *const *name = lists[method]; *name; ++name)
        json_string(json, *name);
    json_end_array(json);
}
