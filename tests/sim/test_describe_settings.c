/* Settings as JSON. */
#include "check.h"
#include <stdlib.h>
#include <sim/describe.h>

static const char *text_of(struct json *json) {
    static char text[4096];
    snprintf(text, sizeof text, "%s", json->failed ? "failed" : json->text);
    json_free(json);
    return text;
}

static void only_the_members_of_a_command_are_told(void) {
    struct pbd_world_settings settings = pbd_default_world_settings();
    struct wire_world_settings members = {
        .has_drag = WIRE_PRESENT, .has_solver = WIRE_PRESENT, .solver = {.has_substeps = WIRE_PRESENT}};
    struct json json;
    settings.drag = 0.25f;
    settings.solver.substeps = 12;
    json_init(&json);
    describe_world_settings(&json, &settings, 1.0, &members);
    CHECK_STRING(text_of(&json), "{\"drag\":0.25,\"solver\":{\"substeps\":12}}");
}

static void wind_is_told_whole_or_in_part(void) {
    struct pbd_world_settings settings = pbd_default_world_settings();
    struct wire_world_settings members = {.has_wind = WIRE_PRESENT, .wind = {.has_turbulence = WIRE_PRESENT}};
    struct json json;
    settings.wind.turbulence = 0.5f;
    settings.seed = 4294967295u;
    json_init(&json);
    describe_world_settings(&json, &settings, 1.0, &members);
    CHECK_STRING(text_of(&json), "{\"wind\":{\"turbulence\":0.5}}");
    json_init(&json);
    describe_world_settings(&json, &settings, 1.0, NULL);
    const char *text = text_of(&json);
    CHECK(strstr(text,
                 "\"wind\":{\"velocity\":[0,0,0],\"turbulence\":0.5,\"gust_size\":1,\"air_density\":1.225}"));
    CHECK(strstr(text, "\"seed\":4294967295"));
}

static void what_is_off_or_follows_is_null(void) {
    struct pbd_cloth_settings settings = pbd_default_cloth_settings();
    struct wire_cloth_settings members = {
        .has_bend_compliance = WIRE_NULL, .has_pressure = WIRE_PRESENT, .has_static_friction = WIRE_PRESENT};
    struct json json;
    settings.bend_compliance = PBD_COMPLIANCE_OFF;
    settings.static_friction = PBD_SAME_AS_KINETIC;
    json_init(&json);
    describe_material(&json, &settings, &members);
    CHECK_STRING(text_of(&json), "{\"bend_compliance\":null,\"pressure\":null,\"static_friction\":null}");
}

static void each_method_lists_what_it_does_not_use(void) {
    struct json json;
    json_init(&json);
    describe_inactive(&json, PBD_METHOD_XPBD);
    const char *text = text_of(&json);
    CHECK(strstr(text, "stretch_stiffness") && !strstr(text, "stretch_compliance"));
    json_init(&json);
    describe_inactive(&json, PBD_METHOD_PBD);
    text = text_of(&json);
    CHECK(!strstr(text, "stretch_stiffness") && strstr(text, "stretch_compliance"));
    json_init(&json);
    describe_inactive(&json, PBD_METHOD_JACOBI);
    text = text_of(&json);
    CHECK(strstr(text, "friction") && strstr(text, "drag") && !strstr(text, "jacobi_weight"));
    CHECK(strstr(text, "tethers") && strstr(text, "pressure") && strstr(text, "compression"));
    CHECK(strstr(text, "wind") && strstr(text, "seed") && strstr(text, "lift_coefficient"));
    CHECK(strstr(text, "self_collision") && strstr(text, "collider_features") && strstr(text, "grabs"));
}

RUN_TESTS(TEST(only_the_members_of_a_command_are_told), TEST(wind_is_told_whole_or_in_part),
          TEST(what_is_off_or_follows_is_null), TEST(each_method_lists_what_it_does_not_use))
