/* The order in which requests are executed. */
#include "check.h"
#include "support_sim.h"

#define SHEET "{\"cloths\":[{\"cloth\":\"a\",\"grid\":{\"nx\":5,\"ny\":5,\"size\":[1,1]}}]}"

static struct bench bench;

static void commands_on_a_paused_world_take_effect_at_once(void) {
    bench_open(&bench, SHEET);
    int id = bench_send(&bench, 1, "cloth.pin", "{\"cloth\":\"a\",\"vertices\":[0]}");
    bench_run(&bench);
    const cJSON *reply = bench_reply(&bench, id);
    CHECK(reply != NULL);
    CHECK_INT(bench_number(cJSON_GetObjectItem(reply, "result"), "tick"), 0);
    bench_close(&bench);
}

static void commands_on_a_running_world_wait_for_its_tick_boundary(void) {
    bench_open(&bench, SHEET);
    bench_call(&bench, "world.resume", NULL);
    bench_advance(&bench, 60000); /* 3 ticks are over, the 4th is due at 66.7 ms */
    int id = bench_send(&bench, 1, "cloth.pin", "{\"cloth\":\"a\",\"vertices\":[0]}");
    bench_run(&bench);
    CHECK(bench_reply(&bench, id) == NULL);
    bench_advance(&bench, 10000);
    const cJSON *reply = bench_reply(&bench, id);
    CHECK(reply != NULL);
    CHECK_INT(bench_number(cJSON_GetObjectItem(reply, "result"), "tick"), 3);
    bench_close(&bench);
}

static void a_read_sees_its_clients_earlier_commands(void) {
    bench_open(&bench, SHEET);
    bench_call(&bench, "world.resume", NULL);
    bench_advance(&bench, 20000);
    bench_send(&bench, 1, "cloth.pin", "{\"cloth\":\"a\",\"vertices\":[3]}");
    int read = bench_send(&bench, 1, "cloth.describe", "{\"cloth\":\"a\"}");
    bench_run(&bench);
    CHECK(bench_reply(&bench, read) == NULL); /* it waits behind the command */
    bench_advance(&bench, 20000);
    const cJSON *result = cJSON_GetObjectItem(bench_reply(&bench, read), "result");
    const cJSON *pins = cJSON_GetObjectItem(result, "pins");
    CHECK_INT(cJSON_GetArraySize(pins), 1);
    CHECK_INT(cJSON_GetArrayItem(pins, 0)->valueint, 3);
    bench_close(&bench);
}

static void reads_on_a_running_world_are_answered_at_once(void) {
    bench_open(&bench, SHEET);
    bench_call(&bench, "world.resume", NULL);
    bench_advance(&bench, 20000);
    int id = bench_send(&bench, 1, "world.stats", NULL);
    bench_run(&bench);
    CHECK(bench_reply(&bench, id) != NULL);
    bench_close(&bench);
}

static void commands_of_several_clients_run_in_arrival_order(void) {
    bench_open(&bench, SHEET);
    bench_connect(&bench, 2);
    bench_call(&bench, "world.resume", NULL);
    bench_advance(&bench, 20000);
    bench_clear(&bench);
    bench_send(&bench, 2, "cloth.set", "{\"cloth\":\"a\",\"friction\":0.1}");
    bench_send(&bench, 1, "cloth.set", "{\"cloth\":\"a\",\"friction\":0.2}");
    bench_send(&bench, 2, "cloth.set", "{\"cloth\":\"a\",\"friction\":0.3}");
    bench_send(&bench, 1, "cloth.set", "{\"cloth\":\"a\",\"friction\":0.4}");
    bench_advance(&bench, 20000);
    static const int clients[] = {2, 1, 2, 1};
    CHECK_INT(bench_notifications(&bench, 1, "event"), 4);
    for (uint32_t i = 0; i < 4; ++i) {
        const cJSON *event = bench_notification(&bench, 1, "event", i);
        CHECK_INT(bench_number(event, "client"), clients[i]);
        CHECK_NEAR(bench_number(cJSON_GetObjectItem(event, "params"), "friction"), 0.1 * (i + 1), 1e-12);
    }
    bench_close(&bench);
}

static void a_pause_lets_what_comes_behind_it_run_without_a_tick(void) {
    bench_open(&bench, SHEET);
    bench_call(&bench, "world.resume", NULL);
    bench_advance(&bench, 20000);
    bench_send(&bench, 1, "world.pause", NULL);
    int step = bench_send(&bench, 1, "world.step", "{\"ticks\":2}");
    int after = bench_send(&bench, 1, "world.describe", NULL);
    bench_advance(&bench, 40000);
    CHECK_INT(bench_number(cJSON_GetObjectItem(bench_reply(&bench, step), "result"), "tick"), 3);
    CHECK_INT(bench_number(cJSON_GetObjectItem(bench_reply(&bench, after), "result"), "tick"), 3);
    bench_close(&bench);
}

static void a_command_for_a_slow_world_does_not_wait_for_a_far_boundary(void) {
    bench_open(&bench, SHEET);
    bench_call(&bench, "world.set", "{\"time_scale\":0.01}"); /* a tick each 1.67 s */
    bench_call(&bench, "world.resume", NULL);
    bench_advance(&bench, 20000);
    int id = bench_send(&bench, 1, "world.set", "{\"time_scale\":1}");
    bench_run(&bench);
    CHECK(bench_reply(&bench, id) != NULL);
    bench_close(&bench);
}

static void a_client_that_floods_is_told_busy_and_keeps_its_order(void) {
    bench_open(&bench, SHEET);
    bench_call(&bench, "world.resume", NULL);
    bench_advance(&bench, 20000);
    bench_clear(&bench);
    /* The inbox is drained between, since it holds no more than the client's queue. */
    int first = 0, last = 0;
    for (int i = 0; i <= CLIENT_MAX_PENDING; ++i) {
        last = bench_send(&bench, 1, "cloth.pin", "{\"cloth\":\"a\",\"vertices\":[0]}");
        if (i == 0) first = last;
        if (i % 1000 == 0) bench_run(&bench);
    }
    bench_run(&bench);
    CHECK(bench_reply(&bench, first) == NULL);
    const cJSON *error = cJSON_GetObjectItem(bench_reply(&bench, last), "error");
    CHECK_INT(bench_number(error, "code"), -32008);
    bench_disconnect(&bench, 1); /* and its queue goes with it */
    CHECK_INT(bench.sim->pending_total, 0);
    bench_close(&bench);
}

RUN_TESTS(TEST(commands_on_a_paused_world_take_effect_at_once),
          TEST(commands_on_a_running_world_wait_for_its_tick_boundary),
          TEST(a_read_sees_its_clients_earlier_commands), TEST(reads_on_a_running_world_are_answered_at_once),
          TEST(commands_of_several_clients_run_in_arrival_order),
          TEST(a_pause_lets_what_comes_behind_it_run_without_a_tick),
          TEST(a_command_for_a_slow_world_does_not_wait_for_a_far_boundary),
          TEST(a_client_that_floods_is_told_busy_and_keeps_its_order))
