/* world.replay beside others: slices, one at a time, and leaving in the middle. */
#include "check.h"
#include "support_sim.h"

#include <stdlib.h>

#define SHEET "{\"cloths\":[{\"cloth\":\"a\",\"grid\":{\"nx\":5,\"ny\":5,\"size\":[1,1]},\"pins\":[0]}]}"

static struct bench bench;

/* Params of a world.replay of 400 ticks, to be freed; from then on a slice holds a few ticks. */
static char *long_log(void) {
    bench_open(&bench, SHEET);
    bench_connect(&bench, 2);
    bench_call(&bench, "world.step", "{\"ticks\":400}");
    char *log = cJSON_PrintUnformatted(bench_call(&bench, "world.log", NULL));
    char *params = malloc(strlen(log) + 16);
    sprintf(params, "{\"log\":%s}", log);
    cJSON_free(log);
    bench.read_us = 1000;
    return params;
}

static void others_have_their_turn_and_the_callers_next_request_waits(void) {
    char *params = long_log();
    int replay = bench_send(&bench, 1, "world.replay", params);
    int behind = bench_send(&bench, 1, "server.ping", NULL),
        other = bench_send(&bench, 2, "world.step", "{\"ticks\":2}");
    bench_run(&bench);
    bench_run(&bench);
    bench_run(&bench);
    CHECK(bench_reply(&bench, replay) == NULL && bench_reply(&bench, behind) == NULL);
    CHECK(bench_reply(&bench, other) != NULL);
    bench_advance(&bench, 10000000);
    const cJSON *result = cJSON_GetObjectItem(bench_reply(&bench, replay), "result");
    CHECK(cJSON_IsTrue(cJSON_GetObjectItem(result, "identical")));
    CHECK(bench_reply(&bench, behind) != NULL);
    free(params);
    bench_close(&bench);
}

static void a_second_one_is_busy(void) {
    char *params = long_log();
    int replay = bench_send(&bench, 1, "world.replay", params),
        second = bench_send(&bench, 2, "world.replay", params);
    bench_run(&bench);
    CHECK_INT(bench_number(cJSON_GetObjectItem(bench_reply(&bench, second), "error"), "code"), -32008);
    bench_advance(&bench, 10000000);
    CHECK(cJSON_GetObjectItem(bench_reply(&bench, replay), "result") != NULL);
    CHECK(bench_call_as(&bench, 2, "world.replay", params) != NULL);
    free(params);
    bench_close(&bench);
}

static void a_caller_that_leaves_ends_it(void) {
    char *params = long_log();
    bench_send(&bench, 2, "world.replay", params);
    bench_run(&bench);
    CHECK(bench.sim->replay_job.client != NULL);
    bench_disconnect(&bench, 2);
    CHECK(bench.sim->replay_job.client == NULL);
    CHECK(bench_call(&bench, "world.replay", params) != NULL);
    bench_send(&bench, 1, "world.replay", params); /* and so does the end of the server */
    bench_run(&bench);
    free(params);
    bench_close(&bench);
}

RUN_TESTS(TEST(others_have_their_turn_and_the_callers_next_request_waits), TEST(a_second_one_is_busy),
          TEST(a_caller_that_leaves_ends_it))
