/* collider.add, remove, set, move. */
#include "check.h"
#include "support_sim.h"

#define SCENE                                                                                                \
    "{\"colliders\":[{\"collider\":\"ball\",\"shape\":{\"type\":\"sphere\",\"radius\":0.2}},"                \
    "{\"collider\":\"floor\",\"shape\":{\"type\":\"plane\"},\"motion\":\"static\"}]}"

static struct bench bench;

static const cJSON *collider(int index) {
    return cJSON_GetArrayItem(cJSON_GetObjectItem(bench_call(&bench, "world.describe", NULL), "colliders"),
                              index);
}

static double position(int index, int axis) {
    return cJSON_GetArrayItem(cJSON_GetObjectItem(collider(index), "position"), axis)->valuedouble;
}

static void add_and_remove(void) {
    bench_open(&bench, SCENE);
    const cJSON *result =
        bench_call(&bench, "collider.add",
                   "{\"collider\":\"box\",\"shape\":{\"type\":\"box\",\"half_extents\":[1,1,1]},"
                   "\"position\":[1,2,3],\"friction\":0.25}");
    CHECK_INT(bench_number(result, "object"), 2);
    CHECK_NEAR(position(2, 2), 3, 0);
    CHECK_NEAR(bench_number(collider(2), "friction"), 0.25, 0);
    CHECK_INT(
        bench_number(bench_refused(&bench, "collider.add",
                                   "{\"collider\":\"box\",\"shape\":{\"type\":\"sphere\",\"radius\":1}}"),
                     "code"),
        -32002);
    const cJSON *previous =
        cJSON_GetObjectItem(bench_call(&bench, "collider.remove", "{\"collider\":\"box\"}"), "previous");
    CHECK_STRING(bench_string(previous, "collider"), "box");
    CHECK_STRING(bench_string(cJSON_GetObjectItem(previous, "shape"), "type"), "box");
    CHECK_INT(bench_number(bench_refused(&bench, "collider.remove", "{\"collider\":\"box\"}"), "code"),
              -32001);
    bench_close(&bench);
}

static void set_changes_shape_and_surface_and_tells_what_it_replaced(void) {
    bench_open(&bench, SCENE);
    const cJSON *previous = cJSON_GetObjectItem(
        bench_call(
            &bench, "collider.set",
            "{\"collider\":\"ball\",\"shape\":{\"type\":\"capsule\",\"radius\":0.5,\"half_height\":1},\"friction\":0.9}"),
        "previous");
    CHECK_INT(cJSON_GetArraySize(previous), 2);
    CHECK_NEAR(bench_number(previous, "friction"), 0.3, 1e-12);
    CHECK_NEAR(bench_number(cJSON_GetObjectItem(previous, "shape"), "radius"), 0.2, 1e-12);
    CHECK_STRING(bench_string(cJSON_GetObjectItem(collider(0), "shape"), "type"), "capsule");
    bench_call(&bench, "collider.set", "{\"collider\":\"ball\",\"restitution\":0.5}");
    CHECK_STRING(bench_string(cJSON_GetObjectItem(collider(0), "shape"), "type"), "capsule");
    CHECK_NEAR(bench_number(collider(0), "friction"), 0.9, 1e-12);
    bench_close(&bench);
}

static void a_move_follows_in_the_steps_and_a_teleport_at_once(void) {
    bench_open(&bench, SCENE);
    const cJSON *result =
        bench_call(&bench, "collider.move", "{\"collider\":\"ball\",\"position\":[0,4,0],\"over\":4}");
    CHECK_INT(bench_number(result, "tick"), 0);
    CHECK_NEAR(cJSON_GetArrayItem(cJSON_GetObjectItem(cJSON_GetObjectItem(result, "previous"), "position"), 1)
                   ->valuedouble,
               0, 0);
    CHECK_NEAR(position(0, 1), 0, 0);
    bench_call(&bench, "world.step", NULL);
    CHECK_NEAR(position(0, 1), 1, 1e-6); /* a quarter of the way, to float32 */
    bench_call(&bench, "world.step", "{\"ticks\":3}");
    CHECK_NEAR(position(0, 1), 4, 0);
    bench_call(&bench, "collider.move", "{\"collider\":\"ball\",\"position\":[7,8,9],\"teleport\":true}");
    CHECK_NEAR(position(0, 2), 9, 0);
    bench_close(&bench);
}

static void a_rotation_alone_keeps_the_position(void) {
    bench_open(&bench, SCENE);
    bench_call(&bench, "collider.move", "{\"collider\":\"ball\",\"position\":[1,2,3],\"teleport\":true}");
    bench_call(&bench, "collider.move", "{\"collider\":\"ball\",\"rotation\":[1,0,0,0]}");
    bench_call(&bench, "world.step", NULL);
    CHECK_NEAR(position(0, 1), 2, 0);
    CHECK_NEAR(cJSON_GetArrayItem(cJSON_GetObjectItem(collider(0), "rotation"), 0)->valuedouble, 1, 1e-6);
    bench_close(&bench);
}

static void move_refuses_static_ones_nothing_and_a_slow_teleport(void) {
    bench_open(&bench, SCENE);
    char before[17];
    strcpy(before, bench_hash(&bench));
    CHECK_INT(
        bench_number(bench_refused(&bench, "collider.move", "{\"collider\":\"floor\",\"position\":[0,1,0]}"),
                     "code"),
        -32005);
    const cJSON *error = bench_refused(&bench, "collider.move", "{\"collider\":\"ball\"}");
    CHECK_STRING(bench_string(cJSON_GetObjectItem(error, "data"), "reason"), "missing");
    error = bench_refused(&bench, "collider.move",
                          "{\"collider\":\"ball\",\"position\":[0,1,0],\"teleport\":true,\"over\":5}");
    CHECK_STRING(bench_string(cJSON_GetObjectItem(error, "data"), "path"), "over");
    CHECK_STRING(bench_hash(&bench), before);
    bench_close(&bench);
}

#define TETRA                                                                                                \
    "{\"type\":\"mesh\",\"positions\":[0,0,0,1,0,0,0,1,0,0,0,1],\"triangles\":[0,2,1,0,1,3,0,3,2,1,2,3]}"

/* Sends `{…member: JSON of value…}` made with format from printed JSON. */
static const cJSON *call_with(const char *method, const char *format, const cJSON *value) {
    static char params[4096];
    char *text = cJSON_PrintUnformatted(value);
    snprintf(params, sizeof params, format, text);
    cJSON_free(text);
    return bench_call(&bench, method, params);
}

static void a_body_is_described_set_moved_and_added_again(void) {
    bench_open(&bench, NULL);
    bench_call(
        &bench, "collider.add",
        "{\"collider\":\"crate\",\"shape\":{\"type\":\"box\",\"half_extents\":[0.1,0.1,0.1]},\"motion\":\"dynamic\","
        "\"mass\":2,\"velocity\":[1,0,0],\"position\":[0,5,0]}");
    CHECK_STRING(bench_string(collider(0), "motion"), "dynamic");
    CHECK_NEAR(bench_number(collider(0), "mass"), 2, 0);
    CHECK_NEAR(cJSON_GetArrayItem(cJSON_GetObjectItem(collider(0), "velocity"), 0)->valuedouble, 1, 0);
    CHECK(cJSON_IsNull(cJSON_GetObjectItem(collider(0), "drive")));
    const cJSON *result = bench_call(&bench, "collider.set", "{\"collider\":\"crate\",\"mass\":3}");
    CHECK_NEAR(bench_number(cJSON_GetObjectItem(result, "previous"), "mass"), 2, 0);
    bench_call(&bench, "world.step", "{\"ticks\":30}");
    CHECK(position(0, 1) < 4.0 && position(0, 0) > 0.2);
    const cJSON *previous =
        cJSON_GetObjectItem(bench_call(&bench, "collider.remove", "{\"collider\":\"crate\"}"), "previous");
    CHECK_NEAR(bench_number(previous, "mass"), 3, 0);
    double fallen = cJSON_GetArrayItem(cJSON_GetObjectItem(previous, "position"), 1)->valuedouble;
    CHECK(cJSON_GetArrayItem(cJSON_GetObjectItem(previous, "velocity"), 1)->valuedouble < -3.0);
    CHECK(call_with("collider.add", "%s", previous) != NULL);
    CHECK_NEAR(position(0, 1), fallen, 0);
    bench_call(&bench, "collider.move", "{\"collider\":\"crate\",\"position\":[0,9,0]}");
    CHECK_NEAR(position(0, 1), 9, 0);
    CHECK_NEAR(cJSON_GetArrayItem(cJSON_GetObjectItem(collider(0), "velocity"), 1)->valuedouble, 0, 0);
    const cJSON *error =
        bench_refused(&bench, "collider.move", "{\"collider\":\"crate\",\"position\":[0,9,0],\"over\":30}");
    CHECK_INT(bench_number(error, "code"), -32005);
    bench_close(&bench);
}

static void a_mesh_is_told_by_its_counts_and_given_back_whole(void) {
    bench_open(&bench, NULL);
    bench_call(&bench, "collider.add", "{\"collider\":\"t\",\"shape\":" TETRA ",\"motion\":\"static\"}");
    CHECK_INT(bench_number(cJSON_GetObjectItem(collider(0), "shape"), "vertex_count"), 4);
    const cJSON *result = bench_call(&bench, "collider.set",
                                     "{\"collider\":\"t\",\"shape\":{\"type\":\"sphere\",\"radius\":1}}");
    const cJSON *shape = cJSON_GetObjectItem(cJSON_GetObjectItem(result, "previous"), "shape");
    CHECK_INT(cJSON_GetArraySize(cJSON_GetObjectItem(shape, "triangles")), 12);
    CHECK(call_with("collider.set", "{\"collider\":\"t\",\"shape\":%s}", shape) != NULL);
    CHECK_STRING(bench_string(cJSON_GetObjectItem(collider(0), "shape"), "type"), "mesh");
    const cJSON *previous =
        cJSON_GetObjectItem(bench_call(&bench, "collider.remove", "{\"collider\":\"t\"}"), "previous");
    CHECK(call_with("collider.add", "%s", previous) != NULL);
    bench_call(&bench, "world.reset", NULL);
    bench_close(&bench);
}

/* 1000 vertices of a strip, of which the bench's longest message has no room. */
static void a_mesh_too_long_for_a_message_is_told_as_null(void) {
    bench_open(&bench, NULL);
    static char params[65536];
    int length =
        snprintf(params, sizeof params, "{\"collider\":\"t\",\"shape\":{\"type\":\"mesh\",\"positions\":[");
    for (int i = 0; i < 1000; ++i)
        length += snprintf(params + length, sizeof params - (size_t)length, "%s%d,0,%d", i ? "," : "", i / 2,
                           i % 2);
    length += snprintf(params + length, sizeof params - (size_t)length, "],\"triangles\":[");
    for (int i = 0; i < 998; ++i)
        length += snprintf(params + length, sizeof params - (size_t)length, "%s%d,%d,%d", i ? "," : "", i,
                           i + 1, i + 2);
    snprintf(params + length, sizeof params - (size_t)length, "]}}");
    CHECK(bench_call(&bench, "collider.add", params) != NULL);
    bench.sim->config.limits.max_message_bytes = 8192;
    const cJSON *result = bench_call(&bench, "collider.set",
                                     "{\"collider\":\"t\",\"shape\":{\"type\":\"sphere\",\"radius\":1}}");
    CHECK(cJSON_IsNull(cJSON_GetObjectItem(cJSON_GetObjectItem(result, "previous"), "shape")));
    bench_close(&bench);
}

static void a_driven_one_tells_how_it_moves(void) {
    bench_open(&bench, NULL);
    bench_call(
        &bench, "collider.add",
        "{\"collider\":\"drum\",\"shape\":{\"type\":\"sphere\",\"radius\":1},\"velocity\":[6,0,0],\"moves_from\":0,"
        "\"moves_until\":0.5}");
    const cJSON *drive = cJSON_GetObjectItem(collider(0), "drive");
    CHECK_NEAR(bench_number(drive, "moves_until"), 0.5, 0);
    CHECK_NEAR(cJSON_GetArrayItem(cJSON_GetObjectItem(drive, "velocity"), 0)->valuedouble, 6, 0);
    bench_call(&bench, "world.step", "{\"ticks\":60}");
    CHECK_NEAR(position(0, 0), 3, 1e-3);
    CHECK_NEAR(cJSON_GetArrayItem(cJSON_GetObjectItem(collider(0), "velocity"), 0)->valuedouble, 0, 0);
    const cJSON *previous =
        cJSON_GetObjectItem(bench_call(&bench, "collider.remove", "{\"collider\":\"drum\"}"), "previous");
    CHECK(call_with("collider.add", "%s", previous) != NULL);
    bench_close(&bench);
}

static void what_does_not_go_together_changes_nothing(void) {
    bench_open(&bench, SCENE);
    bench_call(
        &bench, "collider.add",
        "{\"collider\":\"crate\",\"shape\":{\"type\":\"sphere\",\"radius\":0.1},\"motion\":\"dynamic\","
        "\"position\":[9,9,9]}");
    static const struct {
        const char *params;
        double code;
        const char *path;
    } bad[] = {
        {"{\"collider\":\"ball\",\"mass\":2}", -32005, "mass"},
        {"{\"collider\":\"crate\",\"shape\":" TETRA "}", -32005, "shape.type"},
        {"{\"collider\":\"crate\",\"shape\":{\"type\":\"plane\"}}", -32005, "shape.type"},
        {"{\"collider\":\"ball\",\"shape\":{\"type\":\"mesh\",\"positions\":[0,0,0],\"triangles\":[]}}",
         -32003, "shape"},
        {"{\"collider\":\"ball\",\"shape\":{\"type\":\"file\",\"file\":\"none.obj\"}}", -32001, "shape.file"},
    };
    char before[17];
    strcpy(before, bench_hash(&bench));
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        const cJSON *error = bench_refused(&bench, "collider.set", bad[i].params);
        CHECK_INT(bench_number(error, "code"), bad[i].code);
        CHECK_STRING(bench_string(cJSON_GetObjectItem(error, "data"), "path"), bad[i].path);
    }
    CHECK_STRING(bench_hash(&bench), before);
    bench_close(&bench);
}

RUN_TESTS(TEST(a_body_is_described_set_moved_and_added_again),
          TEST(a_mesh_is_told_by_its_counts_and_given_back_whole),
          TEST(a_mesh_too_long_for_a_message_is_told_as_null), TEST(a_driven_one_tells_how_it_moves),
          TEST(what_does_not_go_together_changes_nothing), TEST(add_and_remove),
          TEST(set_changes_shape_and_surface_and_tells_what_it_replaced),
          TEST(a_move_follows_in_the_steps_and_a_teleport_at_once), TEST(a_rotation_alone_keeps_the_position),
          TEST(move_refuses_static_ones_nothing_and_a_slow_teleport))
