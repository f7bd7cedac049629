/* What a cloth's mesh must be like for its settings, told in one sentence. */
#include "check.h"

#include <stdlib.h>
#include <wire/errors.h>

#include "support_files.h"

#define TETRAHEDRON                                                                                          \
    "\"mesh\":{\"positions\":[0,0,0,1,0,0,0,1,0,0,0,1],\"triangles\":[0,2,1,0,1,3,0,3,2,1,2,3]}"
#define FLAT_PILLOW                                                                                          \
    "\"mesh\":{\"positions\":[0,0,0,1,0,0,1,0,1,0,0,1],\"triangles\":[0,1,2,0,2,3,0,3,1,1,3,2]}"

static void check_refused(const char *spec, const char *message) {
    struct scene_cloth cloth = {0};
    struct wire_error error = {0};
    CHECK_INT(build_cloth(spec, NULL, &cloth, &error), -1);
    CHECK_INT(error.code, -32005);
    CHECK_STRING(error.reason, "conflict");
    CHECK_STRING(error.path, "pressure");
    CHECK_STRING(error.message, message);
    free(error.data_json);
}

static void a_closed_mesh_holds_pressure(void) {
    struct scene_cloth cloth = {0};
    struct wire_error error = {0};
    CHECK_INT(build_cloth("{\"cloth\":\"c\"," TETRAHEDRON ",\"pressure\":1.5}", NULL, &cloth, &error), 0);
    CHECK(cloth.settings.pressure == 1.5f);
    scene_cloth_free(&cloth);
}

static void what_cannot_hold_it_says_why(void) {
    check_refused("{\"cloth\":\"c\",\"grid\":{\"nx\":3,\"ny\":3,\"size\":[1,1]},\"pressure\":1}",
                  "pressure needs a closed mesh; this one has 8 border edges.");
    check_refused("{\"cloth\":\"c\",\"mesh\":{\"positions\":[0,0,0,1,0,0],\"edges\":[0,1]},\"pressure\":1}",
                  "pressure needs a closed mesh; this one has no triangles.");
    check_refused("{\"cloth\":\"c\"," FLAT_PILLOW ",\"pressure\":1}",
                  "pressure is a factor of the volume at rest; this mesh, or a part of it, is flat there.");
}

static void the_borders_are_counted_for_programs(void) {
    struct scene_cloth cloth = {0};
    struct wire_error error = {0};
    CHECK_INT(build_cloth("{\"cloth\":\"c\",\"grid\":{\"nx\":3,\"ny\":3,\"size\":[1,1]},\"pressure\":0}",
                          NULL, &cloth, &error),
              -1);
    CHECK_STRING(error.data_json, "\"boundary_edges\":8");
    free(error.data_json);
}

static void a_weft_needs_rows(void) {
    struct scene_cloth cloth = {0};
    struct wire_error error = {0};
    CHECK_INT(build_cloth("{\"cloth\":\"c\"," TETRAHEDRON ",\"stretch_compliance_weft\":0.001}", NULL, &cloth,
                          &error),
              -1);
    CHECK_STRING(error.path, "stretch_compliance_weft");
    CHECK_STRING(error.message, "stretch_compliance_weft needs rows: a grid, or a mesh with cols.");
    free(error.data_json);
    CHECK_INT(
        build_cloth(
            "{\"cloth\":\"c\",\"grid\":{\"nx\":3,\"ny\":3,\"size\":[1,1]},\"stretch_compliance_weft\":0.001,"
            "\"compression\":0.25}",
            NULL, &cloth, &error),
        0);
    CHECK(cloth.settings.stretch_compliance_weft == 0.001f && cloth.settings.compression == 0.25f);
    scene_cloth_free(&cloth);
}

static void null_pressure_is_off_on_any_mesh(void) {
    struct scene_cloth cloth = {0};
    struct wire_error error = {0};
    CHECK_INT(build_cloth("{\"cloth\":\"c\",\"grid\":{\"nx\":3,\"ny\":3,\"size\":[1,1]},\"pressure\":null}",
                          NULL, &cloth, &error),
              0);
    CHECK(cloth.settings.pressure == PBD_PRESSURE_OFF);
    scene_cloth_free(&cloth);
}

RUN_TESTS(TEST(a_weft_needs_rows), TEST(a_closed_mesh_holds_pressure), TEST(what_cannot_hold_it_says_why),
          TEST(the_borders_are_counted_for_programs), TEST(null_pressure_is_off_on_any_mesh))
