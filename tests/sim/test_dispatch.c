/* Replies, errors and what surrounds every handler. */
#include "check.h"
#include "support_sim.h"
#include <sim/dispatch.h>

static struct bench bench;

static void every_result_carries_a_tick(void) {
    bench_open(&bench, "{\"cloths\":[{\"cloth\":\"a\",\"grid\":{\"nx\":3,\"ny\":3,\"size\":[1,1]}}]}");
    bench_call(&bench, "world.step", "{\"ticks\":4}");
    CHECK_INT(bench_number(bench_call(&bench, "server.ping", NULL), "tick"), 4); /* main's */
    CHECK_INT(bench_number(bench_call(&bench, "world.describe", NULL), "tick"), 4);
    CHECK_INT(bench_number(bench_call(&bench, "cloth.pin", "{\"cloth\":\"a\",\"vertices\":[0]}"), "tick"), 4);
    CHECK_INT(bench_number(bench_call(&bench, "world.create", "{\"world\":\"w\"}"), "tick"), 0);
    bench_close(&bench);
}

static void an_unknown_world_is_not_found(void) {
    bench_open(&bench, NULL);
    const cJSON *error = bench_refused(&bench, "world.pause", "{\"world\":\"nowhere\"}");
    CHECK_INT(bench_number(error, "code"), -32001);
    CHECK_STRING(bench_string(cJSON_GetObjectItem(error, "data"), "reason"), "not_found");
    CHECK_STRING(bench_string(cJSON_GetObjectItem(error, "data"), "path"), "world");
    CHECK(strstr(bench_string(error, "message"), "nowhere") != NULL);
    bench_close(&bench);
}

static void a_request_without_id_is_executed_and_not_answered(void) {
    bench_open(&bench, NULL);
    static const char *const texts[] = {
        "{\"jsonrpc\":\"2.0\",\"method\":\"world.set\",\"params\":{\"drag\":0.5}}",
        "{\"jsonrpc\":\"2.0\",\"method\":\"world.set\",\"params\":{\"world\":\"nowhere\"}}"};
    for (int i = 0; i < 2; ++i) {
        struct wire_decode_rules rules = {.may_control = true, .max_depth = 16};
        struct wire_error error = {0};
        struct sim_input *input = sim_input_create(SIM_REQUEST, 1);
        input->request = wire_request_decode(texts[i], strlen(texts[i]), &rules, &error);
        CHECK(input->request != NULL);
        CHECK(sim_push(bench.sim, input));
        bench_run(&bench);
    }
    CHECK_INT(bench.count, 1); /* the event alone */
    CHECK_INT(bench_notifications(&bench, 1, "event"), 1);
    const cJSON *settings = cJSON_GetObjectItem(bench_call(&bench, "world.describe", NULL), "settings");
    CHECK_NEAR(bench_number(settings, "drag"), 0.5, 0);
    bench_close(&bench);
}

static void commands_are_counted(void) {
    bench_open(&bench, NULL);
    struct sim_metrics before, after;
    sim_get_metrics(bench.sim, &before);
    bench_call(&bench, "world.set", "{\"drag\":0.5}");
    bench_refused(&bench, "world.set", "{\"world\":\"x\",\"drag\":0.5}");
    bench_call(&bench, "world.step", "{\"ticks\":2}");
    sim_get_metrics(bench.sim, &after);
    CHECK_INT(after.commands_done[WIRE_world_set] - before.commands_done[WIRE_world_set], 1);
    CHECK_INT(after.commands_failed[WIRE_world_set] - before.commands_failed[WIRE_world_set], 1);
    CHECK_INT(after.commands_done[WIRE_world_step] - before.commands_done[WIRE_world_step], 1);
    bench_close(&bench);
}

static void an_event_precedes_its_commands_reply(void) {
    bench_open(&bench, NULL);
    int id = bench_send(&bench, 1, "world.set", "{\"drag\":0.5}");
    bench_run(&bench);
    CHECK_INT(bench_position(&bench, SIM_TEXT, 1, "event"), 0);
    CHECK(bench.log[1].json == bench_reply(&bench, id));
    bench_close(&bench);
}

RUN_TESTS(TEST(every_result_carries_a_tick), TEST(an_unknown_world_is_not_found),
          TEST(a_request_without_id_is_executed_and_not_answered), TEST(commands_are_counted),
          TEST(an_event_precedes_its_commands_reply))
