/* stream.* as commands; what follows from them is in test_stream.c. */
#include "check.h"
#include "support_sim.h"

#define SCENE "{\"cloths\":[{\"cloth\":\"a\",\"grid\":{\"nx\":5,\"ny\":5,\"size\":[1,1]}}]}"

static struct bench bench;

static void a_subscription_answers_objects_index_and_epoch(void) {
    bench_open(&bench, SCENE);
    const cJSON *result = bench_call(&bench, "stream.subscribe", "{\"ack\":true}");
    const cJSON *object = cJSON_GetArrayItem(cJSON_GetObjectItem(result, "objects"), 0);
    CHECK_STRING(bench_string(object, "name"), "a");
    CHECK_STRING(bench_string(object, "kind"), "cloth");
    CHECK_INT(bench_number(object, "object"), 0);
    CHECK_INT(bench_number(result, "epoch"), 2);
    CHECK_INT(bench_number(result, "divisor"), 1);
    CHECK(bench.log[bench_position(&bench, SIM_JOIN, 1, NULL)].output->ack);
    bench_close(&bench);
}

static void a_wanted_step_is_announced_and_used(void) {
    bench_open(&bench, SCENE);
    bench_call(&bench, "stream.subscribe", "{\"step_exp\":-6}");
    CHECK_INT(bench_number(bench_notification(&bench, 1, "mesh", 0), "step_exp"), -6);
    struct viewer viewer = {0};
    viewer.cloths[0].cols = 5;
    viewer_apply(&viewer, bench_frame(&bench, 0, 0)->key);
    CHECK_INT(viewer.cloths[0].step_exp, -6);
    CHECK_INT(viewer.cloths[0].planes[0][0], -32); /* −0.5 m in steps of 1/64 m */
    bench_close(&bench);
}

static void unsubscribing_twice_is_no_error(void) {
    bench_open(&bench, SCENE);
    bench_call(&bench, "stream.subscribe", NULL);
    CHECK(bench_call(&bench, "stream.unsubscribe", NULL) != NULL);
    CHECK(bench_call(&bench, "stream.unsubscribe", NULL) != NULL);
    bench_close(&bench);
}

static void an_acknowledged_tick_is_written_down(void) {
    bench_open(&bench, SCENE);
    bench_call(&bench, "stream.subscribe", "{\"ack\":true}");
    bench_call(&bench, "stream.ack", "{\"tick\":123,\"drawn_ms\":4.5}");
    CHECK_INT(atomic_load(&sim_client_find(&bench.sim->clients, 1)->counters->acked_tick), 123);
    bench_close(&bench);
}

static void streams_of_several_worlds_go_side_by_side(void) {
    bench_open(&bench, SCENE);
    bench_call(&bench, "world.create", "{\"world\":\"w\",\"spec\":" SCENE ",\"paused\":true}");
    bench_call(&bench, "stream.subscribe", NULL);
    uint32_t first = bench_tier(&bench, 1);
    const cJSON *result = bench_call(&bench, "stream.subscribe", "{\"world\":\"w\"}");
    CHECK(bench_number(result, "world_index") != bench.sim->worlds[0]->index);
    CHECK(bench_tier(&bench, 1) != first);
    bench_call(&bench, "stream.unsubscribe", "{\"world\":\"w\"}");
    bench_clear(&bench);
    bench_call(&bench, "world.step", NULL);
    CHECK_INT(bench_frames(&bench, first), 1);
    bench_close(&bench);
}

RUN_TESTS(TEST(a_subscription_answers_objects_index_and_epoch), TEST(a_wanted_step_is_announced_and_used),
          TEST(unsubscribing_twice_is_no_error), TEST(an_acknowledged_tick_is_written_down),
          TEST(streams_of_several_worlds_go_side_by_side))
