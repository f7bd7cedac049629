/* cloth.add, remove, describe, set, pin, unpin, move. */
#include "check.h"
#include "support_sim.h"

#define SHEET                                                                                                \
    "{\"world\":{\"gravity\":[0,0,0]},\"cloths\":[{\"cloth\":\"a\",\"grid\":{\"nx\":5,\"ny\":5,\"size\":[1,1]}}]}"

static struct bench bench;

static int pin_count(void) {
    return cJSON_GetArraySize(
        cJSON_GetObjectItem(bench_call(&bench, "cloth.describe", "{\"cloth\":\"a\"}"), "pins"));
}

static double coordinate(int vertex, int axis) {
    char params[64];
    snprintf(params, sizeof params, "{\"cloth\":\"a\",\"vertices\":[%d]}", vertex);
    const cJSON *values = cJSON_GetObjectItem(bench_call(&bench, "cloth.positions", params), "values");
    return cJSON_GetArrayItem(values, axis)->valuedouble;
}

static void add_answers_object_and_report(void) {
    bench_open(&bench, SHEET);
    const cJSON *result = bench_call(
        &bench, "cloth.add",
        "{\"cloth\":\"b\",\"grid\":{\"nx\":3,\"ny\":3,\"size\":[1,1]},\"pins\":[{\"from\":0,\"to\":2}],"
        "\"position\":[0,2,0],\"friction\":0.5,\"density\":0.3}");
    CHECK_INT(bench_number(result, "object"), 1);
    CHECK_NEAR(bench_number(cJSON_GetObjectItem(result, "report"), "mass"), 0.3, 1e-6);
    const cJSON *b = bench_call(&bench, "cloth.describe", "{\"cloth\":\"b\"}");
    CHECK_INT(cJSON_GetArraySize(cJSON_GetObjectItem(b, "pins")), 3);
    CHECK_NEAR(bench_number(cJSON_GetObjectItem(b, "material"), "friction"), 0.5, 0);
    CHECK_INT(bench_number(b, "edges_count"), 16);
    CHECK_INT(bench_number(b, "bends_count"), 8);
    const cJSON *box = cJSON_GetObjectItem(b, "rest_box");
    CHECK_NEAR(cJSON_GetArrayItem(cJSON_GetObjectItem(box, "max"), 0)->valuedouble, 0.5, 0);
    bench_close(&bench);
}

static void pressure_is_set_taken_back_and_refused_on_sheets(void) {
    bench_open(&bench, SHEET);
    bench_call(
        &bench, "cloth.add",
        "{\"cloth\":\"ball\",\"mesh\":{\"positions\":[0,0,0,1,0,0,0,1,0,0,0,1],\"triangles\":[0,2,1,0,1,3,0,3,2,"
        "1,2,3]}}");
    const cJSON *set = bench_call(&bench, "cloth.set", "{\"cloth\":\"ball\",\"pressure\":1.25}");
    CHECK(cJSON_IsNull(cJSON_GetObjectItem(cJSON_GetObjectItem(set, "previous"), "pressure")));
    const cJSON *ball = bench_call(&bench, "cloth.describe", "{\"cloth\":\"ball\"}");
    CHECK_NEAR(bench_number(cJSON_GetObjectItem(ball, "material"), "pressure"), 1.25, 0);
    set = bench_call(&bench, "cloth.set", "{\"cloth\":\"ball\",\"pressure\":null}");
    CHECK_NEAR(bench_number(cJSON_GetObjectItem(set, "previous"), "pressure"), 1.25, 0);
    const cJSON *error =
        bench_refused(&bench, "cloth.set", "{\"cloth\":\"a\",\"pressure\":1,\"friction\":0.9}");
    CHECK_INT(bench_number(error, "code"), -32005);
    CHECK_STRING(bench_string(error, "message"),
                 "pressure needs a closed mesh; this one has 16 border edges.");
    const cJSON *a = bench_call(&bench, "cloth.describe", "{\"cloth\":\"a\"}");
    CHECK_NEAR(bench_number(cJSON_GetObjectItem(a, "material"), "friction"), 0.3, 1e-6);
    bench_close(&bench);
}

static void add_refuses_taken_names_bad_meshes_and_too_many_vertices(void) {
    bench_open(&bench, SHEET);
    static const char grid[] = "\"grid\":{\"nx\":3,\"ny\":3,\"size\":[1,1]}}";
    char params[256];
    snprintf(params, sizeof params, "{\"cloth\":\"a\",%s", grid);
    CHECK_INT(bench_number(bench_refused(&bench, "cloth.add", params), "code"), -32002);
    const cJSON *error =
        bench_refused(&bench, "cloth.add",
                      "{\"cloth\":\"b\",\"mesh\":{\"positions\":[0,0,0,1,0,0,0,0,1,0,1,0,0,-1,0],"
                      "\"triangles\":[0,1,2,0,1,3,0,1,4]}}");
    CHECK_INT(bench_number(error, "code"), -32003);
    const cJSON *data = cJSON_GetObjectItem(error, "data");
    CHECK_STRING(bench_string(data, "cause"), "non_manifold_edge");
    CHECK_INT(cJSON_GetArraySize(cJSON_GetArrayItem(cJSON_GetObjectItem(data, "edges"), 0)), 2);
    error =
        bench_refused(&bench, "cloth.add", "{\"cloth\":\"b\",\"grid\":{\"nx\":45,\"ny\":44,\"size\":[1,1]}}");
    CHECK_INT(bench_number(error, "code"), -32004);
    CHECK_INT(bench_number(cJSON_GetObjectItem(error, "data"), "got"), 25 + 45 * 44);
    CHECK_INT(cJSON_GetArraySize(cJSON_GetObjectItem(bench_call(&bench, "world.describe", NULL), "cloths")),
              1);
    bench_close(&bench);
}

static void a_removed_name_can_be_used_again_with_another_index(void) {
    bench_open(&bench, SHEET);
    bench_call(&bench, "cloth.remove", "{\"cloth\":\"a\"}");
    CHECK_INT(bench_number(bench_refused(&bench, "cloth.describe", "{\"cloth\":\"a\"}"), "code"), -32001);
    const cJSON *result =
        bench_call(&bench, "cloth.add", "{\"cloth\":\"a\",\"grid\":{\"nx\":3,\"ny\":3,\"size\":[1,1]}}");
    CHECK_INT(bench_number(result, "object"), 1);
    bench_close(&bench);
}

static void set_changes_what_is_named_and_null_switches_off(void) {
    bench_open(&bench, SHEET);
    const cJSON *previous = cJSON_GetObjectItem(
        bench_call(&bench, "cloth.set", "{\"cloth\":\"a\",\"bend_compliance\":null,\"friction\":0.8}"),
        "previous");
    CHECK_INT(cJSON_GetArraySize(previous), 2);
    CHECK_NEAR(bench_number(previous, "friction"), 0.3, 1e-12);
    CHECK(bench_number(previous, "bend_compliance") > 0);
    const cJSON *material =
        cJSON_GetObjectItem(bench_call(&bench, "cloth.describe", "{\"cloth\":\"a\"}"), "material");
    CHECK(cJSON_IsNull(cJSON_GetObjectItem(material, "bend_compliance")));
    CHECK_NEAR(bench_number(material, "friction"), 0.8, 1e-12);
    CHECK_NEAR(bench_number(material, "stretch_compliance"), 1e-7, 1e-13);
    bench_close(&bench);
}

static void pinning_is_a_set_and_positions_are_reached_in_the_next_tick(void) {
    bench_open(&bench, SHEET);
    bench_call(&bench, "cloth.pin", "{\"cloth\":\"a\",\"vertices\":[0,0,1]}");
    bench_call(&bench, "cloth.pin", "{\"cloth\":\"a\",\"vertices\":[1]}");
    CHECK_INT(pin_count(), 2);
    bench_call(&bench, "cloth.pin", "{\"cloth\":\"a\",\"vertices\":[4],\"positions\":[0.625,0.25,-0.5]}");
    CHECK_NEAR(coordinate(4, 0), 0.5, 0); /* the target; the vertex follows in the step */
    bench_call(&bench, "world.step", NULL);
    CHECK_NEAR(coordinate(4, 0), 0.625, 0);
    CHECK_NEAR(coordinate(4, 1), 0.25, 0);
    bench_close(&bench);
}

static void unpin_frees_some_or_all(void) {
    bench_open(&bench, SHEET);
    bench_call(&bench, "cloth.pin", "{\"cloth\":\"a\",\"vertices\":[{\"from\":0,\"to\":9}]}");
    bench_call(&bench, "cloth.unpin", "{\"cloth\":\"a\",\"vertices\":[0,1,20]}");
    CHECK_INT(pin_count(), 8);
    CHECK_INT(bench_number(bench_refused(&bench, "cloth.unpin", "{\"cloth\":\"a\",\"all\":false}"), "code"),
              -32602);
    bench_call(&bench, "cloth.unpin", "{\"cloth\":\"a\",\"all\":true}");
    CHECK_INT(pin_count(), 0);
    bench_close(&bench);
}

static void a_move_takes_over_ticks_and_ends_exactly(void) {
    bench_open(&bench, SHEET);
    bench_call(&bench, "cloth.pin", "{\"cloth\":\"a\",\"vertices\":[0]}");
    bench_call(&bench, "cloth.move",
               "{\"cloth\":\"a\",\"vertices\":[0],\"positions\":[-0.5,1,-0.5],\"over\":4}");
    CHECK_NEAR(coordinate(0, 1), 0, 0);
    bench_call(&bench, "world.step", "{\"ticks\":2}");
    CHECK_NEAR(coordinate(0, 1), 0.5, 1e-6); /* linear; one rounding of float32 near 0.5 is 6e-8 */
    bench_call(&bench, "world.step", "{\"ticks\":2}");
    CHECK_NEAR(coordinate(0, 1), 1, 0);
    bench_close(&bench);
}

static void offsets_start_from_where_the_pins_lead(void) {
    bench_open(&bench, SHEET);
    bench_call(&bench, "cloth.pin", "{\"cloth\":\"a\",\"vertices\":[0,4]}");
    bench_call(&bench, "cloth.move", "{\"cloth\":\"a\",\"vertices\":[0,4],\"offset\":[0,0.25,0]}");
    bench_call(&bench, "cloth.move", "{\"cloth\":\"a\",\"vertices\":[0,4],\"offset\":[0,0.25,0]}");
    bench_call(&bench, "world.step", NULL);
    CHECK_NEAR(coordinate(0, 1), 0.5, 0);
    CHECK_NEAR(coordinate(4, 1), 0.5, 0);
    bench_close(&bench);
}

static void move_refuses_free_vertices_and_far_offsets_whole(void) {
    bench_open(&bench, SHEET);
    bench_call(&bench, "cloth.pin", "{\"cloth\":\"a\",\"vertices\":[0]}");
    const cJSON *error =
        bench_refused(&bench, "cloth.move", "{\"cloth\":\"a\",\"vertices\":[0,1],\"offset\":[0,1,0]}");
    CHECK_INT(bench_number(error, "code"), -32005);
    CHECK(strstr(bench_string(error, "message"), "vertex 1") != NULL);
    bench_call(&bench, "cloth.move", "{\"cloth\":\"a\",\"vertices\":[0],\"positions\":[1000000,0,0]}");
    error = bench_refused(&bench, "cloth.move", "{\"cloth\":\"a\",\"vertices\":[0],\"offset\":[1000,0,0]}");
    CHECK_INT(bench_number(error, "code"), -32602);
    CHECK_STRING(bench_string(cJSON_GetObjectItem(error, "data"), "path"), "offset");
    bench_close(&bench);
}

static void a_cloth_whose_attachment_fails_is_not_there(void) {
    bench_open(&bench, NULL);
    const cJSON *error = bench_refused(&bench, "cloth.add",
                                       "{\"cloth\":\"new\",\"grid\":{\"nx\":3,\"ny\":3,\"size\":[1,1]},"
                                       "\"attach\":[{\"collider\":\"nose\",\"vertices\":[0]}]}");
    CHECK_INT(bench_number(error, "code"), -32001);
    CHECK_STRING(bench_string(cJSON_GetObjectItem(error, "data"), "path"), "attach[0].collider");
    const cJSON *world = bench_call(&bench, "world.describe", NULL);
    CHECK_INT(cJSON_GetArraySize(cJSON_GetObjectItem(world, "cloths")), 0);
    bench_close(&bench);
}

RUN_TESTS(TEST(a_cloth_whose_attachment_fails_is_not_there), TEST(add_answers_object_and_report),
          TEST(pressure_is_set_taken_back_and_refused_on_sheets),
          TEST(add_refuses_taken_names_bad_meshes_and_too_many_vertices),
          TEST(a_removed_name_can_be_used_again_with_another_index),
          TEST(set_changes_what_is_named_and_null_switches_off),
          TEST(pinning_is_a_set_and_positions_are_reached_in_the_next_tick), TEST(unpin_frees_some_or_all),
          TEST(a_move_takes_over_ticks_and_ends_exactly), TEST(offsets_start_from_where_the_pins_lead),
          TEST(move_refuses_free_vertices_and_far_offsets_whole))
