/* Hands of clients: what they hold, who may drag it, and when it ends. */
#include "check.h"
#include "support_sim.h"

#define SHEET                                                                                                \
    "{\"world\":{\"gravity\":[0,0,0]},\"cloths\":[{\"cloth\":\"a\",\"grid\":{\"nx\":5,\"ny\":5,\"size\":[1,1]}}]}"

static struct bench bench;

static double height(uint32_t vertex) {
    char params[64];
    snprintf(params, sizeof params, "{\"cloth\":\"a\",\"vertices\":[%u]}", vertex);
    const cJSON *values = cJSON_GetObjectItem(bench_call(&bench, "cloth.positions", params), "values");
    return cJSON_GetArrayItem(values, 1)->valuedouble;
}

static void a_grabbed_vertex_is_drawn_to_where_it_is_dragged(void) {
    bench_open(&bench, SHEET);
    const cJSON *grab = bench_call(&bench, "cloth.grab",
                                   "{\"cloth\":\"a\",\"vertex\":12,\"position\":[0,0.2,0],\"compliance\":0}");
    CHECK_INT(bench_number(grab, "grab"), 1);
    bench_call(&bench, "world.step", "{\"ticks\":60}");
    CHECK_NEAR(height(12), 0.2, 1e-3);
    CHECK(bench_call(&bench, "cloth.drag", "{\"grab\":1,\"position\":[0,0.4,0]}") != NULL);
    bench_call(&bench, "world.step", "{\"ticks\":60}");
    CHECK_NEAR(height(12), 0.4, 1e-3);
    CHECK(bench_call(&bench, "cloth.release", "{\"grab\":1}") != NULL);
    CHECK(bench_refused(&bench, "cloth.release", "{\"grab\":1}") != NULL);
    bench_close(&bench);
}

static void without_a_position_it_is_held_where_it_is(void) {
    bench_open(&bench, SHEET);
    bench_call(&bench, "world.set", "{\"gravity\":[0,-9.8,0]}");
    bench_call(&bench, "cloth.grab", "{\"cloth\":\"a\",\"vertex\":0,\"compliance\":0}");
    bench_call(&bench, "world.step", "{\"ticks\":120}");
    CHECK_NEAR(height(0), 0.0, 1e-2);
    CHECK(height(24) < -0.2);
    bench_close(&bench);
}

static void any_client_may_drag_and_release_and_all_hear_the_number(void) {
    bench_open(&bench, SHEET);
    bench_connect(&bench, 2);
    bench_call_as(&bench, 2, "stream.subscribe", NULL);
    bench_clear(&bench);
    bench_call(&bench, "cloth.grab", "{\"cloth\":\"a\",\"vertex\":12}");
    const cJSON *event = bench_notification(&bench, 2, "event", 0);
    CHECK_STRING(bench_string(event, "method"), "cloth.grab");
    CHECK_INT(bench_number(event, "grab"), 1);
    CHECK_INT(bench_number(event, "client"), 1);
    CHECK(bench_call_as(&bench, 2, "cloth.drag", "{\"grab\":1,\"position\":[0,1,0]}") != NULL);
    CHECK(bench_call_as(&bench, 2, "cloth.release", "{\"grab\":1}") != NULL);
    bench_close(&bench);
}

static void what_a_client_holds_is_released_when_it_leaves_and_told_as_its_command(void) {
    bench_open(&bench, SHEET);
    bench_connect(&bench, 2);
    bench_call(&bench, "world.set", NULL); /* client 1 hears events from here on */
    bench_call_as(&bench, 2, "cloth.grab", "{\"cloth\":\"a\",\"vertex\":12}");
    bench_call(&bench, "cloth.grab", "{\"cloth\":\"a\",\"vertex\":3}");
    bench_call_as(&bench, 2, "cloth.grab", "{\"cloth\":\"a\",\"vertex\":4}");
    bench_clear(&bench);
    bench_disconnect(&bench, 2);
    static const double released[] = {1, 3};
    CHECK_INT(bench_notifications(&bench, 1, "event"), 2);
    for (uint32_t i = 0; i < 2; ++i) {
        const cJSON *event = bench_notification(&bench, 1, "event", i);
        CHECK_STRING(bench_string(event, "method"), "cloth.release");
        CHECK_INT(bench_number(event, "client"), 2);
        CHECK_INT(bench_number(cJSON_GetObjectItem(event, "params"), "grab"), released[i]);
    }
    const cJSON *grabs = cJSON_GetObjectItem(bench_call(&bench, "world.describe", NULL), "grabs");
    CHECK_INT(cJSON_GetArraySize(grabs), 1);
    CHECK_INT(bench_number(cJSON_GetArrayItem(grabs, 0), "grab"), 2);
    CHECK_INT(bench_number(cJSON_GetArrayItem(grabs, 0), "client"), 1);
    CHECK_STRING(bench_string(cJSON_GetArrayItem(grabs, 0), "cloth"), "a");
    CHECK_INT(bench_number(cJSON_GetArrayItem(grabs, 0), "vertex"), 3);
    bench_close(&bench);
}

static void a_grab_ends_with_its_cloth_with_a_reset_and_with_a_load(void) {
    bench_open(&bench, SHEET);
    bench_call(&bench, "cloth.grab", "{\"cloth\":\"a\",\"vertex\":12}");
    bench_call(&bench, "world.reset", NULL);
    CHECK_INT(bench_number(bench_refused(&bench, "cloth.drag", "{\"grab\":1,\"position\":[0,0,0]}"), "code"),
              -32001);
    CHECK_INT(bench_number(bench_call(&bench, "cloth.grab", "{\"cloth\":\"a\",\"vertex\":12}"), "grab"), 2);
    bench_call(&bench, "cloth.remove", "{\"cloth\":\"a\"}");
    CHECK(bench_refused(&bench, "cloth.drag", "{\"grab\":2,\"position\":[0,0,0]}") != NULL);
    bench_call(&bench, "world.load", "{\"spec\":" SHEET "}");
    CHECK_INT(bench_number(bench_call(&bench, "cloth.grab", "{\"cloth\":\"a\",\"vertex\":12}"), "grab"), 1);
    bench_close(&bench);
}

static void what_cannot_be_held_is_refused(void) {
    bench_open(&bench, SHEET);
    const cJSON *error = bench_refused(&bench, "cloth.grab", "{\"cloth\":\"a\",\"vertex\":25}");
    CHECK_STRING(bench_string(cJSON_GetObjectItem(error, "data"), "path"), "vertex");
    CHECK_STRING(bench_string(cJSON_GetObjectItem(error, "data"), "reason"), "out_of_range");
    error = bench_refused(&bench, "cloth.grab", "{\"cloth\":\"b\",\"vertex\":0}");
    CHECK_INT(bench_number(error, "code"), -32001);
    error = bench_refused(&bench, "cloth.release", "{\"grab\":9}");
    CHECK_STRING(bench_string(cJSON_GetObjectItem(error, "data"), "path"), "grab");
    for (int i = 0; i < 3; ++i) /* max_grabs of the bench */
        CHECK(bench_call(&bench, "cloth.grab", "{\"cloth\":\"a\",\"vertex\":12}") != NULL);
    error = bench_refused(&bench, "cloth.grab", "{\"cloth\":\"a\",\"vertex\":12}");
    CHECK_INT(bench_number(error, "code"), -32004);
    CHECK_STRING(bench_string(cJSON_GetObjectItem(error, "data"), "limit"), "max_grabs");
    bench_call(&bench, "cloth.release", "{\"grab\":2}");
    CHECK_INT(bench_number(bench_call(&bench, "cloth.grab", "{\"cloth\":\"a\",\"vertex\":12}"), "grab"), 4);
    bench_close(&bench);
}

RUN_TESTS(TEST(a_grabbed_vertex_is_drawn_to_where_it_is_dragged),
          TEST(without_a_position_it_is_held_where_it_is),
          TEST(any_client_may_drag_and_release_and_all_hear_the_number),
          TEST(what_a_client_holds_is_released_when_it_leaves_and_told_as_its_command),
          TEST(a_grab_ends_with_its_cloth_with_a_reset_and_with_a_load), TEST(what_cannot_be_held_is_refused))
