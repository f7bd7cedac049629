/* The defaults that commands.def tells clients are those that the solver starts from. */
#include <check.h>
#include <stdlib.h>
#include <pbd/types.h>
#include <wire/commands.h>

static struct wire_request *decode(const char *text) {
    const struct wire_decode_rules rules = {.may_control = true};
    struct wire_error error;
    struct wire_request *request = wire_request_decode(text, strlen(text), &rules, &error);
    CHECK(request != NULL);
    return request;
}

/* Both sides are float32 of the same decimal, so they are equal. */
#define SAME(theirs, ours) CHECK_NEAR((float)(theirs), (ours), 0)

static void a_new_worlds_settings_are_the_tables(void) {
    struct wire_request *request = decode("{\"jsonrpc\":\"2.0\",\"method\":\"world.set\"}");
    if (!request) return;
    const struct wire_world_settings *table =
        &((const struct wire_world_set *)request->params)->world_settings;
    const struct pbd_world_settings solver = pbd_default_world_settings();
    for (int i = 0; i < 3; ++i)
        SAME(table->gravity[i], solver.gravity[i]);
    SAME(table->drag, solver.drag);
    SAME(table->damping, solver.damping);
    SAME(table->max_depenetration, solver.max_depenetration);
    SAME(table->max_speed, solver.max_speed);
    CHECK_INT(table->solver.method, WIRE_method_xpbd);
    CHECK_INT(solver.solver.method, PBD_METHOD_XPBD);
    CHECK_INT(table->solver.iterations, solver.solver.iterations);
    CHECK_INT(table->solver.substeps, solver.solver.substeps);
    SAME(table->solver.dt, solver.solver.dt);
    for (int i = 0; i < 3; ++i)
        SAME(table->wind.velocity[i], solver.wind.velocity[i]);
    SAME(table->wind.turbulence, solver.wind.turbulence);
    SAME(table->wind.gust_size, solver.wind.gust_size);
    SAME(table->wind.air_density, solver.wind.air_density);
    CHECK_INT(table->seed, solver.seed);
    SAME(table->solver.jacobi_weight, solver.solver.jacobi_weight);
    SAME(table->solver.velocity_factor, solver.solver.velocity_factor);
    wire_request_destroy(request);
}

static void a_new_cloths_settings_are_the_tables(void) {
    struct wire_request *request =
        decode("{\"jsonrpc\":\"2.0\",\"method\":\"cloth.set\",\"params\":{\"cloth\":\"a\"}}");
    if (!request) return;
    const struct wire_cloth_settings *table =
        &((const struct wire_cloth_set *)request->params)->cloth_settings;
    const struct pbd_cloth_settings solver = pbd_default_cloth_settings();
    SAME(table->stretch_stiffness, solver.stretch_stiffness);
    SAME(table->bend_stiffness, solver.bend_stiffness);
    SAME(table->stretch_compliance, solver.stretch_compliance);
    SAME(table->bend_compliance, solver.bend_compliance);
    CHECK_INT(table->bend_model, WIRE_bend_model_dihedral);
    CHECK_INT(solver.bend_model, PBD_BEND_DIHEDRAL);
    SAME(table->thickness, solver.thickness);
    SAME(table->friction, solver.friction);
    SAME(table->restitution, solver.restitution);
    CHECK(table->tethers == solver.tethers);
    SAME(table->compression, solver.compression);
    CHECK(solver.stretch_compliance_weft == PBD_SAME_AS_WARP);
    CHECK(solver.pressure == PBD_PRESSURE_OFF); /* the table's null */
    SAME(table->drag_coefficient, solver.drag_coefficient);
    SAME(table->lift_coefficient, solver.lift_coefficient);
    CHECK(solver.static_friction == PBD_SAME_AS_KINETIC); /* the table's null */
    wire_request_destroy(request);
}

static void a_new_colliders_settings_are_the_tables(void) {
    struct wire_request *request =
        decode("{\"jsonrpc\":\"2.0\",\"method\":\"collider.add\",\"params\":{\"collider\":"
               "\"a\",\"shape\":{\"type\":\"plane\"}}}");
    if (!request) return;
    const struct wire_collider_spec *table =
        &((const struct wire_collider_add *)request->params)->collider_spec;
    const struct pbd_collider_def solver = pbd_default_collider_def();
    for (int i = 0; i < 3; ++i) {
        SAME(table->position[i], solver.position[i]);
        SAME(table->shape.normal[i], solver.shape.normal[i]);
    }
    for (int i = 0; i < 4; ++i)
        SAME(table->rotation[i], solver.rotation[i]);
    SAME(table->shape.offset, solver.shape.offset);
    CHECK_INT(table->motion, WIRE_motion_kinematic);
    CHECK_INT(solver.motion, PBD_KINEMATIC);
    SAME(table->collider_settings.friction, solver.friction);
    SAME(table->collider_settings.restitution, solver.restitution);
    CHECK(solver.static_friction == PBD_SAME_AS_KINETIC);
    wire_request_destroy(request);
}

RUN_TESTS(TEST(a_new_worlds_settings_are_the_tables), TEST(a_new_cloths_settings_are_the_tables),
          TEST(a_new_colliders_settings_are_the_tables))
