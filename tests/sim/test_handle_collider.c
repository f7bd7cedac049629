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

RUN_TESTS(TEST(add_and_remove), TEST(set_changes_shape_and_surface_and_tells_what_it_replaced),
          TEST(a_move_follows_in_the_steps_and_a_teleport_at_once), TEST(a_rotation_alone_keeps_the_position),
          TEST(move_refuses_static_ones_nothing_and_a_slow_teleport))
