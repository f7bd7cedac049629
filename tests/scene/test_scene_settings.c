/* Members of commands to settings. */
#include "check.h"

#include "support_files.h"

static void present_members_replace_and_absent_ones_stay(void) {
    struct wire_request *request = decode_cloth(
        "{\"cloth\":\"c\",\"grid\":{\"nx\":2,\"ny\":2,\"size\":[1,1]},\"thickness\":0.25,\"bend_model\":\"distance\","
        "\"bend_compliance\":null,\"static_friction\":0.75,\"restitution\":0.5,\"stretch_stiffness\":0.125,\"drag_coefficient\":2,\"tethers\":true}");
    const struct wire_scene *scene = request->params;
    struct pbd_cloth_settings settings = pbd_default_cloth_settings(), defaults = settings;
    settings.friction = 0.9f;
    scene_cloth_settings_apply(&settings, &scene->cloths[0].cloth_settings);
    CHECK(settings.thickness == 0.25f);
    CHECK(settings.bend_model == PBD_BEND_DISTANCE);
    CHECK(isinf(settings.bend_compliance));
    CHECK(settings.static_friction == 0.75f);
    CHECK(settings.restitution == 0.5f);
    CHECK(settings.stretch_stiffness == 0.125f);
    CHECK(settings.friction == 0.9f);
    CHECK(settings.tethers);
    CHECK(settings.drag_coefficient == 2.0f);
    CHECK(settings.lift_coefficient == defaults.lift_coefficient);
    CHECK(settings.stretch_compliance == defaults.stretch_compliance);
    CHECK(settings.bend_stiffness == defaults.bend_stiffness);
    wire_request_destroy(request);
}

static void null_static_friction_follows_the_kinetic_one(void) {
    struct wire_request *request = decode_cloth(
        "{\"cloth\":\"c\",\"grid\":{\"nx\":2,\"ny\":2,\"size\":[1,1]},\"static_friction\":null,\"stretch_compliance\":null}");
    const struct wire_scene *scene = request->params;
    struct pbd_cloth_settings settings = pbd_default_cloth_settings();
    settings.static_friction = 3.0f;
    scene_cloth_settings_apply(&settings, &scene->cloths[0].cloth_settings);
    CHECK(settings.static_friction == PBD_SAME_AS_KINETIC);
    CHECK(isinf(settings.stretch_compliance));
    wire_request_destroy(request);
}

static void world_members_and_partial_solvers(void) {
    struct wire_request *request = decode_scene(
        "{\"world\":{\"gravity\":[1,2,3],\"drag\":0.5,\"max_speed\":7,\"solver\":{\"method\":\"jacobi\",\"dt\":0.0333}}}");
    const struct wire_scene *scene = request->params;
    struct pbd_world_settings settings = pbd_default_world_settings(), defaults = settings;
    scene_world_settings_apply(&settings, &scene->world);
    CHECK(settings.gravity[0] == 1.0f && settings.gravity[2] == 3.0f);
    CHECK(settings.drag == 0.5f && settings.max_speed == 7.0f);
    CHECK(settings.damping == defaults.damping && settings.max_depenetration == defaults.max_depenetration);
    CHECK(settings.solver.method == PBD_METHOD_JACOBI);
    CHECK(settings.solver.dt == 0.0333f);
    CHECK_INT(settings.solver.substeps, defaults.solver.substeps);
    CHECK(settings.solver.jacobi_weight == defaults.solver.jacobi_weight);
    wire_request_destroy(request);
}

static void partial_winds_keep_the_rest(void) {
    struct wire_request *request = decode_scene(
        "{\"world\":{\"wind\":{\"velocity\":[5,0,-2],\"turbulence\":0.25},\"seed\":4294967295}}");
    const struct wire_scene *scene = request->params;
    struct pbd_world_settings settings = pbd_default_world_settings(), defaults = settings;
    settings.wind.gust_size = 3.0f;
    scene_world_settings_apply(&settings, &scene->world);
    CHECK(settings.wind.velocity[0] == 5.0f && settings.wind.velocity[2] == -2.0f);
    CHECK(settings.wind.turbulence == 0.25f && settings.wind.gust_size == 3.0f);
    CHECK(settings.wind.air_density == defaults.wind.air_density);
    CHECK(settings.seed == 4294967295u);
    wire_request_destroy(request);
}

/* The table's defaults and the solver's are one truth. */
static void an_absent_member_holds_the_solvers_default(void) {
    struct wire_request *request = decode_scene("{\"world\":{\"solver\":{}}}");
    const struct wire_scene *scene = request->params;
    struct pbd_world_settings defaults = pbd_default_world_settings();
    CHECK((float)scene->world.drag == defaults.drag);
    CHECK((float)scene->world.damping == defaults.damping);
    CHECK((float)scene->world.max_speed == defaults.max_speed);
    CHECK((float)scene->world.solver.dt == defaults.solver.dt);
    CHECK_INT(scene->world.solver.substeps, defaults.solver.substeps);
    CHECK_INT(scene->world.solver.iterations, defaults.solver.iterations);
    wire_request_destroy(request);
    request = decode_cloth("{\"cloth\":\"c\",\"grid\":{\"nx\":2,\"ny\":2,\"size\":[1,1]}}");
    const struct wire_cloth_settings *members =
        &((const struct wire_scene *)request->params)->cloths[0].cloth_settings;
    struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
    CHECK((float)members->stretch_compliance == cloth.stretch_compliance);
    CHECK((float)members->bend_compliance == cloth.bend_compliance);
    CHECK((float)members->bend_stiffness == cloth.bend_stiffness);
    CHECK((float)members->stretch_stiffness == cloth.stretch_stiffness);
    CHECK((float)members->thickness == cloth.thickness);
    CHECK((float)members->friction == cloth.friction);
    CHECK((float)members->restitution == cloth.restitution);
    wire_request_destroy(request);
}

RUN_TESTS(TEST(present_members_replace_and_absent_ones_stay),
          TEST(null_static_friction_follows_the_kinetic_one), TEST(world_members_and_partial_solvers),
          TEST(partial_winds_keep_the_rest), TEST(an_absent_member_holds_the_solvers_default))
