/* world.log and world.replay over the table: what one tells, the other takes. */
#include "check.h"
#include "support_sim.h"

#include <stdlib.h>

#define SHEET                                                                                                \
    "{\"title\":\"T\",\"cloths\":[{\"cloth\":\"a\",\"grid\":{\"nx\":5,\"ny\":5,\"size\":[1,1]},\"pins\":[0]}]}"

static struct bench bench;

static char *log_params(const char *world) {
    char ask[64];
    snprintf(ask, sizeof ask, "{\"world\":\"%s\"}", world);
    char *log = cJSON_PrintUnformatted(bench_call(&bench, "world.log", ask));
    char *params = malloc(strlen(log) + 16);
    sprintf(params, "{\"log\":%s}", log);
    cJSON_free(log);
    return params;
}

static const cJSON *replay(const char *world) {
    char *params = log_params(world);
    const cJSON *result = bench_call(&bench, "world.replay", params);
    CHECK(result != NULL);
    free(params);
    return result;
}

static void a_log_tells_where_it_starts_what_came_and_where_it_ends(void) {
    bench_open(&bench, SHEET);
    bench_call(&bench, "cloth.pin", "{\"cloth\":\"a\",\"vertices\":[4]}");
    bench_call(&bench, "world.step", "{\"ticks\":10}");
    const cJSON *log = bench_call(&bench, "world.log", NULL);
    CHECK_INT(bench_number(log, "format"), 1);
    CHECK_STRING(bench_string(log, "server"), "clothd 0");
    CHECK_STRING(bench_string(log, "world"), "main");
    CHECK_INT(bench_number(log, "steps"), 10);
    CHECK_INT(bench_number(log, "tick"), 10);
    CHECK(cJSON_IsTrue(cJSON_GetObjectItem(log, "complete")));
    CHECK_STRING(bench_string(cJSON_GetObjectItem(log, "start"), "title"), "T");
    CHECK_INT(cJSON_GetArraySize(cJSON_GetObjectItem(log, "commands")), 2);
    CHECK_INT(cJSON_GetArraySize(cJSON_GetObjectItem(log, "checks")), 2);
    const cJSON *end = cJSON_GetObjectItem(log, "end");
    CHECK_STRING(bench_string(end, "state_hash"), bench_hash(&bench));
    const cJSON *cloth = cJSON_GetArrayItem(cJSON_GetObjectItem(end, "cloths"), 0);
    CHECK_INT(strlen(bench_string(cloth, "marks")), 50);
    bench_close(&bench);
}

static void a_replay_is_identical_and_leaves_the_world_alone(void) {
    bench_open(&bench, SHEET);
    bench_call(&bench, "cloth.unpin", "{\"cloth\":\"a\",\"all\":true}");
    bench_call(&bench, "world.step", "{\"ticks\":10}");
    const cJSON *before = bench_call(&bench, "world.describe", NULL);
    const cJSON *result = replay("main");
    CHECK(cJSON_IsTrue(cJSON_GetObjectItem(result, "identical")));
    CHECK(cJSON_IsTrue(cJSON_GetObjectItem(result, "same_version")));
    CHECK(cJSON_IsNull(cJSON_GetObjectItem(result, "difference")));
    CHECK_INT(bench_number(result, "steps"), 10);
    CHECK_INT(bench_number(result, "commands"), 1);
    const cJSON *hashes = cJSON_GetObjectItem(result, "hashes");
    CHECK_INT(cJSON_GetArraySize(hashes), 3);
    CHECK_STRING(bench_string(cJSON_GetArrayItem(hashes, 2), "state_hash"),
                 bench_string(before, "state_hash"));
    CHECK(cJSON_Compare(before, bench_call(&bench, "world.describe", NULL), true));
    CHECK_INT(bench.sim->world_count, 1);
    bench_close(&bench);
}

static void a_clone_of_now_has_the_history_of_its_source_and_goes_on(void) {
    bench_open(&bench, SHEET);
    bench_call(&bench, "cloth.pin", "{\"cloth\":\"a\",\"vertices\":[4]}");
    bench_call(&bench, "world.step", "{\"ticks\":10}");
    bench_call(&bench, "world.create", "{\"world\":\"twin\",\"like\":\"main\",\"paused\":true}");
    bench_call(&bench, "world.create",
               "{\"world\":\"start\",\"like\":\"main\",\"at\":\"scene\",\"paused\":true}");
    bench_call(&bench, "cloth.unpin", "{\"world\":\"twin\",\"cloth\":\"a\",\"all\":true}");
    bench_call(&bench, "world.step", "{\"world\":\"twin\",\"ticks\":5}");
    const cJSON *result = replay("twin");
    CHECK(cJSON_IsTrue(cJSON_GetObjectItem(result, "identical")));
    CHECK_INT(bench_number(result, "steps"), 15);
    CHECK_INT(bench_number(result, "commands"), 2);
    CHECK_INT(bench_number(bench_call(&bench, "world.log", "{\"world\":\"start\"}"), "steps"), 0);
    CHECK(cJSON_IsTrue(cJSON_GetObjectItem(replay("start"), "identical")));
    bench_close(&bench);
}

static void a_difference_names_object_vertex_and_the_last_that_was_the_same(void) {
    bench_open(&bench, SHEET);
    bench_call(&bench, "world.step", "{\"ticks\":6}");
    bench_call(&bench, "cloth.impulse", "{\"cloth\":\"a\",\"vertices\":[13],\"impulse\":[0,0.5,0]}");
    bench_call(&bench, "world.step", "{\"ticks\":6}");
    char *params = log_params("main"), *at = strstr(params, "[0,0.5,0]");
    CHECK(at != NULL);
    at[5] = '4';
    const cJSON *result = bench_call(&bench, "world.replay", params);
    CHECK(cJSON_IsFalse(cJSON_GetObjectItem(result, "identical")));
    const cJSON *difference = cJSON_GetObjectItem(result, "difference");
    CHECK_STRING(bench_string(difference, "cloth"), "a");
    CHECK(bench_number(difference, "vertex") >= 0);
    CHECK_INT(bench_number(difference, "steps"), 8);
    CHECK_INT(bench_number(difference, "same_until"), 4);
    CHECK(strlen(bench_string(difference, "text")) > 20);
    free(params);
    bench_close(&bench);
}

static void another_version_is_told(void) {
    bench_open(&bench, SHEET);
    char *params = log_params("main"), *at = strstr(params, "clothd 0");
    at[7] = '7';
    CHECK(cJSON_IsFalse(cJSON_GetObjectItem(bench_call(&bench, "world.replay", params), "same_version")));
    free(params);
    bench_close(&bench);
}

static void a_start_beyond_the_limits_is_refused(void) {
    bench_open(&bench, SHEET);
    bench_call(&bench, "cloth.add", "{\"cloth\":\"b\",\"grid\":{\"nx\":40,\"ny\":40,\"size\":[1,1]}}");
    bench_call(&bench, "world.create",
               "{\"world\":\"twin\",\"spec\":{\"cloths\":[{\"cloth\":\"c\",\"grid\":{\"nx\":30,\"ny\":"
               "40,\"size\":[1,1]}}]},\"paused\":true}");
    char *params = log_params("twin");
    const cJSON *error = bench_refused(&bench, "world.replay", params);
    CHECK_INT(bench_number(error, "code"), -32004);
    CHECK_STRING(bench_string(cJSON_GetObjectItem(error, "data"), "path"), "log.start.cloths[0]");
    free(params);
    bench_close(&bench);
}

RUN_TESTS(TEST(a_log_tells_where_it_starts_what_came_and_where_it_ends),
          TEST(a_replay_is_identical_and_leaves_the_world_alone),
          TEST(a_clone_of_now_has_the_history_of_its_source_and_goes_on),
          TEST(a_difference_names_object_vertex_and_the_last_that_was_the_same),
          TEST(another_version_is_told), TEST(a_start_beyond_the_limits_is_refused))
