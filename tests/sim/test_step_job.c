/* world.step: slices, fairness, order, and leaving in the middle. */
#include "check.h"
#include "support_sim.h"

#define SHEET "{\"cloths\":[{\"cloth\":\"a\",\"grid\":{\"nx\":5,\"ny\":5,\"size\":[1,1]}}]}"

static struct bench bench;

/* Every look at the clock costs 1 ms, so a slice holds a handful of ticks. */
static void open_slow(void) {
    bench_open(&bench, SHEET);
    bench.read_us = 1000;
}

static void a_step_answers_tick_and_hash_when_it_is_done(void) {
    open_slow();
    const cJSON *result = bench_call(&bench, "world.step", "{\"ticks\":20}");
    CHECK_INT(bench_number(result, "tick"), 20);
    CHECK_INT(strlen(bench_string(result, "state_hash")), 16);
    CHECK_STRING(bench_string(result, "state_hash"), bench_hash(&bench));
    bench_close(&bench);
}

static void the_same_steps_from_reset_give_the_same_hash(void) {
    char first[17];
    bench_open(&bench, SHEET);
    strcpy(first, bench_string(bench_call(&bench, "world.step", "{\"ticks\":60}"), "state_hash"));
    bench_call(&bench, "world.reset", NULL);
    bench_call(&bench, "world.step", "{\"ticks\":25}");
    CHECK_STRING(bench_string(bench_call(&bench, "world.step", "{\"ticks\":35}"), "state_hash"), first);
    bench_close(&bench);
}

static void a_long_step_lets_others_have_their_turn(void) {
    open_slow();
    bench_connect(&bench, 2);
    bench_call_as(&bench, 2, "world.create", "{\"world\":\"two\",\"paused\":true}");
    int step = bench_send(&bench, 1, "world.step", "{\"ticks\":1000}");
    bench_run(&bench);
    int other = bench_send(&bench, 2, "world.set", "{\"world\":\"two\",\"drag\":1}");
    int read = bench_send(&bench, 2, "world.stats", NULL); /* of the stepping world */
    bench_run(&bench);
    CHECK(bench_reply(&bench, step) == NULL);
    CHECK(bench_reply(&bench, other) != NULL);
    CHECK(bench_reply(&bench, read) != NULL);
    bench_close(&bench);
}

static void commands_for_a_stepping_world_wait_for_its_end(void) {
    open_slow();
    bench_connect(&bench, 2);
    int step = bench_send(&bench, 1, "world.step", "{\"ticks\":60}");
    int behind = bench_send(&bench, 1, "server.ping", NULL); /* the caller's own next request */
    int pin = bench_send(&bench, 2, "cloth.pin", "{\"cloth\":\"a\",\"vertices\":[0]}");
    bench_run(&bench);
    CHECK(bench_reply(&bench, step) == NULL && bench_reply(&bench, pin) == NULL);
    CHECK(bench_reply(&bench, behind) == NULL);
    bench_advance(&bench, 10000000);
    CHECK_INT(bench_number(cJSON_GetObjectItem(bench_reply(&bench, step), "result"), "tick"), 60);
    CHECK_INT(bench_number(cJSON_GetObjectItem(bench_reply(&bench, pin), "result"), "tick"), 60);
    CHECK(bench_reply(&bench, behind) != NULL);
    bench_close(&bench);
}

static void its_event_precedes_the_reply(void) {
    open_slow();
    bench_clear(&bench);
    int step = bench_send(&bench, 1, "world.step", "{\"ticks\":3}");
    bench_advance(&bench, 1000000);
    uint32_t event = bench_position(&bench, SIM_TEXT, 1, "event"), reply = 0;
    while (bench.log[reply].json != bench_reply(&bench, step))
        ++reply;
    CHECK(event < reply);
    CHECK_INT(bench_number(bench_notification(&bench, 1, "event", 0), "tick"), 3);
    bench_close(&bench);
}

static void a_step_ends_early_when_its_caller_leaves(void) {
    open_slow();
    bench_connect(&bench, 2);
    bench_call_as(&bench, 2, "world.set", "{\"drag\":0.1}"); /* so that it hears of events */
    bench_send(&bench, 1, "world.step", "{\"ticks\":1000}");
    bench_run(&bench);
    bench_run(&bench);
    int pin = bench_send(&bench, 2, "cloth.pin", "{\"cloth\":\"a\",\"vertices\":[0]}");
    bench_run(&bench);
    bench_clear(&bench);
    bench_disconnect(&bench, 1);
    const cJSON *event = bench_notification(&bench, 2, "event", 0);
    CHECK_STRING(bench_string(event, "method"), "world.step");
    double done = bench_number(event, "tick");
    CHECK(done > 0 && done < 1000);
    CHECK_INT(bench_number(cJSON_GetObjectItem(event, "params"), "ticks"), done);
    CHECK(bench_reply(&bench, pin) != NULL); /* what waited for it goes on */
    bench_close(&bench);
}

static void a_running_world_cannot_be_stepped(void) {
    bench_open(&bench, SHEET);
    bench_call(&bench, "world.resume", NULL);
    const cJSON *error = bench_refused(&bench, "world.step", "{\"ticks\":5}");
    CHECK_INT(bench_number(error, "code"), -32005);
    bench_close(&bench);
}

static void viewers_get_the_last_tick_of_a_step(void) {
    bench_open(&bench, SHEET);
    bench_call(&bench, "stream.subscribe", "{\"max_hz\":1}");
    bench_clear(&bench);
    bench_call(&bench, "world.step", "{\"ticks\":7}");
    uint32_t frames = bench_frames(&bench, 0);
    CHECK(frames > 0);
    CHECK_INT(bench_frame(&bench, 0, frames - 1)->tick, 7);
    bench_close(&bench);
}

RUN_TESTS(TEST(a_step_answers_tick_and_hash_when_it_is_done),
          TEST(the_same_steps_from_reset_give_the_same_hash), TEST(a_long_step_lets_others_have_their_turn),
          TEST(commands_for_a_stepping_world_wait_for_its_end), TEST(its_event_precedes_the_reply),
          TEST(a_step_ends_early_when_its_caller_leaves), TEST(a_running_world_cannot_be_stepped),
          TEST(viewers_get_the_last_tick_of_a_step))
