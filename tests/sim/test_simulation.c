/* Rounds: real time, catching up, several worlds, clients that come and go. */
#include "check.h"
#include "support_sim.h"

#define SHEET "{\"cloths\":[{\"cloth\":\"a\",\"grid\":{\"nx\":5,\"ny\":5,\"size\":[1,1]}}]}"

static struct bench bench;

static double tick_of_main(void) {
    return bench_number(bench_call(&bench, "world.stats", NULL), "tick");
}

static void a_running_world_ticks_in_real_time(void) {
    bench_open(&bench, SHEET);
    bench_call(&bench, "world.resume", NULL);
    bench_advance(&bench, 10000000);
    /* 10 s at 60 Hz; dt as float32 is a hair longer than 1/60 s. */
    CHECK_NEAR(tick_of_main(), 600, 1);
    bench_close(&bench);
}

static void a_paused_world_wants_no_round(void) {
    bench_open(&bench, SHEET);
    CHECK(bench_run(&bench) == CLOCK_NEVER);
    bench_close(&bench);
}

static void a_round_is_wanted_when_the_next_tick_is_due(void) {
    bench_open(&bench, SHEET);
    bench_call(&bench, "world.resume", NULL);
    uint64_t next = bench_run(&bench);
    CHECK(next > bench.now_us && next <= bench.now_us + 16667);
    bench_close(&bench);
}

static void a_stall_costs_four_ticks_of_catching_up_and_the_rest_is_late(void) {
    bench_open(&bench, SHEET);
    bench_call(&bench, "world.resume", NULL);
    bench.now_us += 1000000; /* 59 or 60 ticks missed */
    while (bench_run(&bench) <= bench.now_us)
        continue;
    const cJSON *stats = bench_call(&bench, "world.stats", NULL);
    CHECK_INT(bench_number(stats, "tick"), 4);
    CHECK_NEAR(bench_number(stats, "late_ticks"), 55.5, 0.5);
    struct sim_metrics metrics;
    sim_get_metrics(bench.sim, &metrics);
    CHECK_INT(metrics.late_ticks_total, bench_number(stats, "late_ticks"));
    CHECK_INT(metrics.ticks_total, 4);
    bench_close(&bench);
}

static void worlds_tick_side_by_side(void) {
    bench_open(&bench, SHEET);
    CHECK(bench_call(&bench, "world.create", "{\"world\":\"two\",\"spec\":{\"world\":{\"time_scale\":2}}}") !=
          NULL);
    bench_call(&bench, "world.resume", NULL);
    bench_advance(&bench, 1000000);
    CHECK_NEAR(tick_of_main(), 60, 1);
    CHECK_NEAR(bench_number(bench_call(&bench, "world.stats", "{\"world\":\"two\"}"), "tick"), 120, 2);
    bench_close(&bench);
}

static void state_is_the_same_however_many_watch(void) {
    static char hashes[3][17];
    static const uint32_t viewers[] = {0, 1, 4};
    for (int run = 0; run < 3; ++run) {
        bench_open(&bench, SHEET);
        for (uint32_t v = 0; v < viewers[run]; ++v) {
            bench_connect(&bench, 10 + v);
            bench_call_as(&bench, 10 + v, "stream.subscribe",
                          v % 2 ? "{\"codec\":\"f32\"}" : "{\"max_hz\":20}");
        }
        bench_call(&bench, "world.step", "{\"ticks\":50}");
        strcpy(hashes[run], bench_hash(&bench));
        bench_close(&bench);
    }
    CHECK_STRING(hashes[1], hashes[0]);
    CHECK_STRING(hashes[2], hashes[0]);
}

static void a_leaving_client_takes_its_stream_but_not_its_pins(void) {
    bench_open(&bench, SHEET);
    bench_connect(&bench, 2);
    bench_call_as(&bench, 2, "cloth.pin", "{\"cloth\":\"a\",\"vertices\":[1]}");
    bench_call_as(&bench, 2, "stream.subscribe", NULL);
    uint32_t tier = bench_tier(&bench, 2);
    bench_clear(&bench);
    bench_disconnect(&bench, 2);
    CHECK(bench_position(&bench, SIM_TIER_END, 0, NULL) != UINT32_MAX);
    CHECK_INT(bench.log[bench_position(&bench, SIM_TIER_END, 0, NULL)].output->tier, tier);
    const cJSON *pins =
        cJSON_GetObjectItem(bench_call(&bench, "cloth.describe", "{\"cloth\":\"a\"}"), "pins");
    CHECK_INT(cJSON_GetArraySize(pins), 1);
    const cJSON *worlds = cJSON_GetObjectItem(bench_call(&bench, "world.list", NULL), "worlds");
    CHECK_INT(bench_number(cJSON_GetArrayItem(worlds, 0), "clients"), 1); /* client 1, which loaded it */
    bench_close(&bench);
}

static void a_request_of_an_unknown_client_is_dropped(void) {
    bench_open(&bench, SHEET);
    int id = bench_send(&bench, 99, "server.ping", NULL);
    bench_run(&bench);
    CHECK(bench_reply(&bench, id) == NULL);
    bench_close(&bench);
}

static void the_net_thread_is_woken_once_a_round(void) {
    bench_open(&bench, SHEET);
    bench.wakes = 0;
    for (int i = 0; i < 5; ++i)
        bench_send(&bench, 1, "server.ping", NULL);
    bench_run(&bench);
    CHECK_INT(bench.wakes, 1);
    bench_run(&bench);
    CHECK_INT(bench.wakes, 1);
    bench_close(&bench);
}

static void the_net_side_is_told_of_worlds(void) {
    bench_open(&bench, SHEET);
    bench_call(&bench, "world.resume", NULL);
    bench_call(&bench, "world.create", "{\"world\":\"two\",\"paused\":true}");
    bench_call(&bench, "world.destroy", "{\"world\":\"two\"}");
    static const struct {
        const char *name;
        bool exists, paused;
    } want[] = {{"main", true, false}, {"two", true, true}, {"two", false, false}};
    uint32_t seen = 0;
    for (uint32_t i = 0; i < bench.count; ++i) {
        const struct sim_output *output = bench.log[i].output;
        if (output->kind != SIM_WORLD_STATE) continue;
        CHECK(seen < 3 && strcmp(output->name, want[seen].name) == 0);
        CHECK(output->exists == want[seen].exists &&
              (!output->exists || output->paused == want[seen].paused));
        ++seen;
    }
    CHECK_INT(seen, 3);
    bench_close(&bench);
}

static void requests_wait_in_the_inbox_while_the_net_thread_takes_nothing(void) {
    bench_open(&bench, SHEET);
    while (bench.sim->outbox.overflow_count < SIM_OVERFLOW_STOP) {
        outbox_join(&bench.sim->outbox, 77, 1000, false);
    }
    bench_send(&bench, 1, "server.ping", NULL);
    uint64_t next = simulation_run(bench.sim);
    CHECK(next > bench.now_us && next <= bench.now_us + 1000); /* looked at again soon, without spinning */
    CHECK_INT(queue_count(bench.sim->inbox), 1);
    struct sim_output *output;
    while ((output = sim_pop(bench.sim)) != NULL)
        sim_output_free(output);
    simulation_run(bench.sim);
    CHECK_INT(queue_count(bench.sim->inbox), 0);
    sim_destroy(bench.sim);
}

RUN_TESTS(TEST(a_running_world_ticks_in_real_time), TEST(a_paused_world_wants_no_round),
          TEST(a_round_is_wanted_when_the_next_tick_is_due),
          TEST(a_stall_costs_four_ticks_of_catching_up_and_the_rest_is_late), TEST(worlds_tick_side_by_side),
          TEST(state_is_the_same_however_many_watch),
          TEST(a_leaving_client_takes_its_stream_but_not_its_pins),
          TEST(a_request_of_an_unknown_client_is_dropped), TEST(the_net_thread_is_woken_once_a_round),
          TEST(the_net_side_is_told_of_worlds),
          TEST(requests_wait_in_the_inbox_while_the_net_thread_takes_nothing))
