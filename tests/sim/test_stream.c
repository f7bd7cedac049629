/* Subscriptions: order, tiers, keys on demand, the rate rule. */
#include "check.h"
#include "support_sim.h"

#define SCENE                                                                                                \
    "{\"cloths\":[{\"cloth\":\"a\",\"grid\":{\"nx\":5,\"ny\":5,\"size\":[1,1]}},"                            \
    "{\"cloth\":\"b\",\"grid\":{\"nx\":4,\"ny\":4,\"size\":[1,1]}}],"                                        \
    "\"colliders\":[{\"collider\":\"ball\",\"shape\":{\"type\":\"sphere\",\"radius\":0.2}}]}"

static struct bench bench;

static void the_order_on_subscribe_is_reply_mesh_topology_join_key(void) {
    bench_open(&bench, SCENE);
    int id = bench_send(&bench, 1, "stream.subscribe", NULL);
    bench_run(&bench);
    static const enum sim_output_kind want[] = {SIM_TEXT,   SIM_TEXT,   SIM_TEXT, SIM_TEXT,
                                                SIM_BINARY, SIM_BINARY, SIM_JOIN, SIM_FRAME};
    CHECK_INT(bench.count, 8);
    for (uint32_t i = 0; i < 8 && i < bench.count; ++i)
        CHECK_INT(bench.log[i].output->kind, want[i]);
    CHECK(bench.log[0].json == bench_reply(&bench, id));
    const cJSON *result = cJSON_GetObjectItem(bench.log[0].json, "result");
    CHECK_INT(cJSON_GetArraySize(cJSON_GetObjectItem(result, "objects")), 3);
    CHECK_INT(bench_number(result, "world_index"),
              bench_number(bench_notification(&bench, 1, "mesh", 0), "world_index"));
    const struct sim_output *frame = bench_frame(&bench, 0, 0);
    CHECK(frame->key != NULL && frame->delta == NULL);
    CHECK_INT(frame->tick, 0);
    struct viewer viewer = {0};
    viewer.cloths[0].cols = 5;
    viewer.cloths[1].cols = 4;
    viewer_apply(&viewer, frame->key);
    CHECK_INT(viewer.errors, 0);
    CHECK_INT(viewer.keys, 2);
    CHECK_INT(viewer.pose_count, 1);
    bench_close(&bench);
}

static void equal_wishes_share_a_tier_and_others_do_not(void) {
    bench_open(&bench, SCENE);
    static const char *const wishes[] = {"{}",
                                         "{\"codec\":\"cb32\"}",
                                         "{\"codec\":\"f32\"}",
                                         "{\"step_exp\":-8}",
                                         "{\"max_hz\":30}",
                                         "{\"cloths\":[\"a\"]}",
                                         "{\"cloths\":[\"a\",\"a\"]}",
                                         "{\"cloths\":[\"b\",\"a\"]}",
                                         "{\"cloths\":[\"a\",\"b\"]}"};
    uint32_t tiers[9];
    for (uint32_t i = 0; i < 9; ++i) {
        bench_connect(&bench, 10 + i);
        CHECK(bench_call_as(&bench, 10 + i, "stream.subscribe", wishes[i]) != NULL);
        tiers[i] = bench_tier(&bench, 10 + i);
    }
    static const uint32_t same_as[] = {0, 0, 2, 3, 4, 5, 5, 7, 7};
    for (uint32_t i = 0; i < 9; ++i) {
        for (uint32_t k = 0; k < 9; ++k)
            CHECK((tiers[i] == tiers[k]) == (same_as[i] == same_as[k]));
    }
    CHECK_INT(bench.sim->worlds[0]->tier_count, 6);
    bench_close(&bench);
}

static void a_cloth_set_concerns_meshes_and_frames(void) {
    bench_open(&bench, SCENE);
    bench_call(&bench, "stream.subscribe", "{\"cloths\":[\"b\"]}");
    CHECK_INT(bench_notifications(&bench, 1, "mesh"), 2); /* b and the ball */
    struct viewer viewer = {0};
    viewer.cloths[1].cols = 4;
    viewer_apply(&viewer, bench_frame(&bench, 0, 0)->key);
    CHECK_INT(viewer.keys, 1);
    CHECK(viewer.cloths[1].known && !viewer.cloths[0].known);
    const cJSON *error = bench_refused(&bench, "stream.subscribe", "{\"cloths\":[\"c\"]}");
    CHECK_INT(bench_number(error, "code"), -32001);
    CHECK_STRING(bench_string(cJSON_GetObjectItem(error, "data"), "path"), "cloths");
    bench_close(&bench);
}

static void a_second_subscription_replaces_the_first(void) {
    bench_open(&bench, SCENE);
    bench_call(&bench, "stream.subscribe", NULL);
    uint32_t first = bench_tier(&bench, 1);
    bench_call(&bench, "stream.subscribe", "{\"codec\":\"f32\"}");
    CHECK(bench_tier(&bench, 1) != first);
    CHECK(bench_position(&bench, SIM_LEAVE, 1, NULL) != UINT32_MAX);
    CHECK_INT(bench.sim->worlds[0]->tier_count, 1);
    bench_close(&bench);
}

static void unsubscribing_ends_the_stream(void) {
    bench_open(&bench, SCENE);
    bench_call(&bench, "stream.subscribe", NULL);
    bench_call(&bench, "stream.unsubscribe", NULL);
    CHECK(bench_position(&bench, SIM_LEAVE, 1, NULL) < bench_position(&bench, SIM_TIER_END, 0, NULL));
    CHECK_INT(bench.sim->worlds[0]->tier_count, 0);
    bench_clear(&bench);
    bench_call(&bench, "world.step", "{\"ticks\":3}");
    CHECK_INT(bench_frames(&bench, 0), 0);
    bench_close(&bench);
}

static void stream_key_brings_a_key_also_while_paused(void) {
    bench_open(&bench, SCENE);
    bench_call(&bench, "stream.subscribe", NULL);
    bench_clear(&bench);
    bench_call(&bench, "stream.key", NULL);
    CHECK(bench_position(&bench, SIM_JOIN, 1, NULL) != UINT32_MAX);
    CHECK_INT(bench_frames(&bench, 0), 1);
    CHECK(bench_frame(&bench, 0, 0)->key != NULL);
    bench_call(&bench, "stream.unsubscribe", NULL);
    CHECK_INT(bench_number(bench_refused(&bench, "stream.key", NULL), "code"), -32005);
    bench_close(&bench);
}

static void a_running_tier_adds_a_key_to_the_next_delta_when_asked(void) {
    bench_open(&bench, SCENE);
    bench_connect(&bench, 2);
    bench_call(&bench, "stream.subscribe", NULL);
    bench_call_as(&bench, 2, "stream.subscribe", NULL);
    bench_call(&bench, "world.resume", NULL);
    bench_advance(&bench, 60000);
    bench_clear(&bench);
    bench_want_key(&bench, bench.sim->worlds[0]->tiers[0]->id);
    bench_advance(&bench, 40000);
    CHECK(bench_frame(&bench, 0, 0)->key != NULL && bench_frame(&bench, 0, 0)->delta != NULL);
    CHECK(bench_frame(&bench, 0, 1)->key == NULL && bench_frame(&bench, 0, 1)->delta != NULL);
    bench_close(&bench);
}

static void max_hz_leaves_ticks_out(void) {
    bench_open(&bench, SCENE);
    const cJSON *result = bench_call(&bench, "stream.subscribe", "{\"max_hz\":25}"); /* 60 / 3 = 20 Hz */
    CHECK_INT(bench_number(result, "divisor"), 3);
    CHECK_INT(bench_number(bench_call(&bench, "stream.subscribe", "{\"max_hz\":60}"), "divisor"), 1);
    CHECK_INT(bench_number(bench_call(&bench, "stream.subscribe", "{\"max_hz\":20}"), "divisor"), 3);
    bench_clear(&bench);
    bench_call(&bench, "world.resume", NULL);
    bench_advance(&bench, 1000000);
    for (uint32_t i = 1; i < bench_frames(&bench, 0); ++i)
        CHECK_INT(bench_frame(&bench, 0, i)->tick % 3, 0);
    CHECK_NEAR(bench_frames(&bench, 0), 20, 1);
    bench_close(&bench);
}

static void set_counters(uint32_t client, uint64_t sent, uint64_t skipped) {
    struct delivery_counters *counters = sim_client_find(&bench.sim->clients, client)->counters;
    atomic_fetch_add(&counters->frames_sent, sent);
    atomic_fetch_add(&counters->frames_skipped, skipped);
}

static uint32_t divisor(void) {
    return bench.sim->worlds[0]->members[0].subscription->tier->kind.divisor;
}

static void a_client_that_skips_more_than_half_gets_half_the_rate_and_is_told(void) {
    bench_open(&bench, SCENE);
    bench_call(&bench, "stream.subscribe", NULL);
    bench_call(&bench, "world.resume", NULL);
    bench_advance(&bench, 500000);
    set_counters(1, 20, 20); /* exactly half: not more */
    bench_advance(&bench, 600000);
    CHECK_INT(divisor(), 1);
    CHECK_INT(bench_notifications(&bench, 1, "status"), 0);
    set_counters(1, 20, 21);
    bench_advance(&bench, 1000000);
    CHECK_INT(divisor(), 2);
    const cJSON *status = bench_notification(&bench, 1, "status", 0);
    CHECK_STRING(bench_string(status, "code"), "rate_divisor");
    CHECK_STRING(bench_string(status, "level"), "warning");
    CHECK(strstr(bench_string(status, "text"), "one tick in 2 is sent now, 30 frames per second.") != NULL);
    set_counters(1, 0, 30);
    bench_advance(&bench, 1000000);
    CHECK_INT(divisor(), 4);
    /* Five clean seconds a halving, down to what was asked for. */
    bench_advance(&bench, 4000000);
    CHECK_INT(divisor(), 4);
    bench_advance(&bench, 1100000);
    CHECK_INT(divisor(), 2);
    bench_advance(&bench, 5100000);
    CHECK_INT(divisor(), 1);
    bench_clear(&bench);
    bench_advance(&bench, 6000000);
    CHECK_INT(divisor(), 1);
    CHECK_INT(bench_notifications(&bench, 1, "status"), 0);
    bench_close(&bench);
}

static void a_new_tick_rate_makes_a_new_divisor(void) {
    bench_open(&bench, SCENE);
    bench_call(&bench, "stream.subscribe", "{\"max_hz\":30}");
    CHECK_INT(divisor(), 2);
    bench_call(&bench, "world.set", "{\"solver\":{\"dt\":0.01}}");
    bench_advance(&bench, 1100000);
    CHECK_INT(divisor(), 4); /* 100 / 4 = 25 Hz */
    bench_close(&bench);
}

RUN_TESTS(TEST(the_order_on_subscribe_is_reply_mesh_topology_join_key),
          TEST(equal_wishes_share_a_tier_and_others_do_not), TEST(a_cloth_set_concerns_meshes_and_frames),
          TEST(a_second_subscription_replaces_the_first), TEST(unsubscribing_ends_the_stream),
          TEST(stream_key_brings_a_key_also_while_paused),
          TEST(a_running_tier_adds_a_key_to_the_next_delta_when_asked), TEST(max_hz_leaves_ticks_out),
          TEST(a_client_that_skips_more_than_half_gets_half_the_rate_and_is_told),
          TEST(a_new_tick_rate_makes_a_new_divisor))
