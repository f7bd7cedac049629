/* Cloths, colliders, shapes and reports as JSON. */
#include "check.h"
#include "support_sim.h"
#include <sim/describe.h>

static struct bench bench;

static const cJSON *collider(uint32_t index) {
    const cJSON *world = bench_call(&bench, "world.describe", NULL);
    return cJSON_GetArrayItem(cJSON_GetObjectItem(world, "colliders"), (int)index);
}

static void every_shape_has_its_own_members(void) {
    bench_open(
        &bench,
        "{\"colliders\":[{\"collider\":\"p\",\"shape\":{\"type\":\"plane\",\"normal\":[0,1,0],\"offset\":-2}},"
        "{\"collider\":\"s\",\"shape\":{\"type\":\"sphere\",\"radius\":0.5}},"
        "{\"collider\":\"c\",\"shape\":{\"type\":\"capsule\",\"radius\":0.25,\"half_height\":2}},"
        "{\"collider\":\"b\",\"shape\":{\"type\":\"box\",\"half_extents\":[1,2,3]},\"position\":[4,5,6]}]}");
    CHECK_NEAR(bench_number(cJSON_GetObjectItem(collider(0), "shape"), "offset"), -2, 0);
    CHECK_NEAR(bench_number(cJSON_GetObjectItem(collider(1), "shape"), "radius"), 0.5, 0);
    const cJSON *capsule = cJSON_GetObjectItem(collider(2), "shape");
    CHECK_STRING(bench_string(capsule, "type"), "capsule");
    CHECK_NEAR(bench_number(capsule, "half_height"), 2, 0);
    const cJSON *box = collider(3);
    CHECK_NEAR(cJSON_GetArrayItem(cJSON_GetObjectItem(cJSON_GetObjectItem(box, "shape"), "half_extents"), 2)
                   ->valuedouble,
               3, 0);
    CHECK_NEAR(cJSON_GetArrayItem(cJSON_GetObjectItem(box, "position"), 0)->valuedouble, 4, 0);
    CHECK(cJSON_GetObjectItem(cJSON_GetObjectItem(box, "shape"), "radius") == NULL);
    bench_close(&bench);
}

static void a_report_has_every_member_of_the_gate(void) {
    bench_open(&bench, NULL);
    const cJSON *result =
        bench_call(&bench, "cloth.add",
                   "{\"cloth\":\"a\",\"mesh\":{\"positions\":[0,0,0,1,0,0,0,0,1,1,0,1,1,0,1],"
                   "\"triangles\":[0,2,1,1,2,3,1,1,2]}}");
    const cJSON *report = cJSON_GetObjectItem(result, "report");
    CHECK_INT(bench_number(report, "vertices"), 5);
    CHECK_INT(bench_number(report, "particles"), 4);
    CHECK_INT(bench_number(report, "welded"), 1);
    CHECK_INT(bench_number(report, "degenerate"), 1);
    CHECK_INT(bench_number(report, "triangles"), 2);
    CHECK_INT(bench_number(report, "bends"), 1);
    CHECK_NEAR(bench_number(report, "mass"), 0.2, 1e-6);
    static const char *const others[] = {"edges",   "boundary_edges", "components", "duplicate",
                                         "flipped", "isolated",       "massless"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i)
        CHECK(bench_number(report, others[i]) >= 0);
    CHECK(cJSON_IsBool(cJSON_GetObjectItem(report, "closed")) &&
          cJSON_IsBool(cJSON_GetObjectItem(report, "orientable")));
    CHECK(cJSON_IsArray(cJSON_GetObjectItem(report, "warnings")));
    bench_close(&bench);
}

static void a_mesh_without_rows_announces_an_order_that_is_a_permutation(void) {
    bench_open(&bench,
               "{\"cloths\":[{\"cloth\":\"a\",\"mesh\":{\"positions\":[0,0,0,1,0,0,0,0,1,1,0,1,2,0,0],"
               "\"triangles\":[0,2,1,1,2,3,1,3,4]}}]}");
    struct json json;
    json_init(&json);
    json_begin_object(&json);
    describe_mesh(&json, bench.sim->worlds[0], bench.sim->worlds[0]->content.objects.items[0], -5);
    json_end_object(&json);
    cJSON *mesh = cJSON_Parse(json.text);
    json_free(&json);
    CHECK_INT(bench_number(mesh, "step_exp"), -5);
    CHECK_INT(bench_number(mesh, "cols"), 0);
    const cJSON *order = cJSON_GetObjectItem(mesh, "order");
    uint32_t seen = 0;
    if (cJSON_IsArray(order)) {
        const cJSON *vertex;
        cJSON_ArrayForEach(vertex, order) seen |= 1u << vertex->valueint;
        CHECK_INT(seen, 31);
    } else {
        CHECK(cJSON_IsNull(order));
    }
    cJSON_Delete(mesh);
    bench_close(&bench);
}

RUN_TESTS(TEST(every_shape_has_its_own_members), TEST(a_report_has_every_member_of_the_gate),
          TEST(a_mesh_without_rows_announces_an_order_that_is_a_permutation))
