/* Commands of one step: all of them or none, told afterwards and in their order. */
#include "check.h"
#include "support_sim.h"

#include <sim/batch.h>

#define SHEET                                                                                                \
    "{\"cloths\":[{\"cloth\":\"a\",\"grid\":{\"nx\":5,\"ny\":5,\"size\":[1,1]},\"pins\":[0]}],"              \
    "\"colliders\":[{\"collider\":\"ball\",\"shape\":{\"type\":\"sphere\",\"radius\":0.2},\"position\":[0,-9,0]}]}"
#define PIN "{\"method\":\"cloth.pin\",\"params\":{\"cloth\":\"a\",\"vertices\":[4]}}"

static struct bench bench;

/* A step of one tick with these commands. */
static const cJSON *step(const char *commands, bool refused) {
    static char params[2048];
    snprintf(params, sizeof params, "{\"commands\":[%s]}", commands);
    return refused ? bench_refused(&bench, "world.step", params) : bench_call(&bench, "world.step", params);
}

static void check_refused(const char *commands, const char *reason, const char *path) {
    char hash[17];
    snprintf(hash, sizeof hash, "%s", bench_hash(&bench));
    uint32_t events = bench_notifications(&bench, 1, "event");
    const cJSON *error = step(commands, true), *data = cJSON_GetObjectItem(error, "data");
    CHECK_STRING(bench_string(data, "reason"), reason);
    CHECK_STRING(bench_string(data, "path"), path);
    const cJSON *world = bench_call(&bench, "world.describe", NULL);
    CHECK_STRING(bench_string(world, "state_hash"), hash);
    CHECK_INT(bench_number(world, "tick"), 0);
    CHECK_INT(cJSON_GetArraySize(cJSON_GetObjectItem(world, "cloths")), 1);
    CHECK_INT(cJSON_GetArraySize(cJSON_GetObjectItem(world, "colliders")), 1);
    const cJSON *cloth = cJSON_GetArrayItem(cJSON_GetObjectItem(world, "cloths"), 0);
    CHECK_INT(cJSON_GetArraySize(cJSON_GetObjectItem(cloth, "pins")), 1);
    CHECK_NEAR(bench_number(cJSON_GetObjectItem(world, "settings"), "drag"), 0.5, 0);
    CHECK_INT(bench_number(world, "epoch"), 2);
    CHECK_INT(cJSON_GetArraySize(cJSON_GetObjectItem(world, "grabs")), 0);
    CHECK_INT(bench_notifications(&bench, 1, "event"), events);
}

static void a_failing_command_takes_back_those_before_it(void) {
    bench_open(&bench, SHEET);
    bench_call(&bench, "stream.subscribe", NULL);
    check_refused(PIN ",{\"method\":\"cloth.pin\",\"params\":{\"cloth\":\"b\",\"vertices\":[4]}}",
                  "not_found", "commands[1].params.cloth");
    check_refused(
        "{\"method\":\"world.set\",\"params\":{\"drag\":3}},{\"method\":\"collider.remove\",\"params\":"
        "{\"collider\":\"ball\"}},{\"method\":\"cloth.add\",\"params\":{\"cloth\":\"z\",\"grid\":{\"nx\":2,"
        "\"ny\":2,\"size\":[1,1]}}},{\"method\":\"cloth.grab\",\"params\":{\"cloth\":\"z\",\"vertex\":3}},"
        "{\"method\":\"world.reset\"},{\"method\":\"cloth.move\",\"params\":{\"cloth\":\"a\",\"vertices\":[7],"
        "\"offset\":[0,1,0]}}",
        "conflict", "commands[5].params.vertices");
    check_refused("{\"method\":\"cloth.pin\",\"params\":{\"cloth\":\"a\",\"vertices\":[99]}}", "out_of_range",
                  "commands[0].params.vertices");
    bench_close(&bench);
}

static void only_what_is_of_this_world_is_taken(void) {
    bench_open(&bench, SHEET);
    check_refused(PIN ",{\"method\":\"world.load\",\"params\":{\"scene\":\"drape\"}}", "out_of_range",
                  "commands[1].method");
    check_refused("{\"method\":\"world.step\"}", "out_of_range", "commands[0].method");
    check_refused("{\"method\":\"world.save\",\"params\":{\"snapshot\":\"a\"}}", "out_of_range",
                  "commands[0].method");
    check_refused(
        "{\"method\":\"cloth.unpin\",\"params\":{\"world\":\"other\",\"cloth\":\"a\",\"all\":true}}",
        "out_of_range", "commands[0].params.world");
    CHECK(step("{\"method\":\"cloth.unpin\",\"params\":{\"world\":\"main\",\"cloth\":\"a\",\"all\":true}}",
               false) != NULL);
    bench_close(&bench);
}

static void results_and_events_come_in_order(void) {
    bench_open(&bench, SHEET);
    bench_call(&bench, "stream.subscribe", NULL);
    bench_clear(&bench);
    const cJSON *result = step(PIN ",{\"method\":\"cloth.grab\",\"params\":{\"cloth\":\"a\",\"vertex\":7}},"
                                   "{\"method\":\"cloth.grab\",\"params\":{\"cloth\":\"a\",\"vertex\":9}}",
                               false);
    const cJSON *results = cJSON_GetObjectItem(result, "results");
    CHECK_INT(cJSON_GetArraySize(results), 3);
    CHECK(cJSON_GetObjectItem(cJSON_GetArrayItem(results, 0), "previous") != NULL);
    CHECK_INT(bench_number(cJSON_GetArrayItem(results, 2), "grab"), 2);
    CHECK_INT(bench_number(cJSON_GetArrayItem(results, 2), "tick"), 0);
    CHECK_INT(bench_number(result, "tick"), 1);
    static const char *const methods[] = {"cloth.pin", "cloth.grab", "cloth.grab", "world.step"};
    for (uint32_t i = 0; i < 4; ++i) {
        const cJSON *event = bench_notification(&bench, 1, "event", i);
        CHECK_STRING(bench_string(event, "method"), methods[i]);
        CHECK_INT(bench_number(event, "tick"), i < 3 ? 0 : 1);
        if (i == 1 || i == 2) CHECK_INT(bench_number(event, "grab"), i);
    }
    const cJSON *last = cJSON_GetObjectItem(bench_notification(&bench, 1, "event", 3), "params");
    CHECK(cJSON_GetObjectItem(last, "commands") == NULL);
    bench_close(&bench);
}

static void a_reset_within_a_step_is_an_episodes_start(void) {
    bench_open(&bench, SHEET);
    char first[17];
    snprintf(first, sizeof first, "%s", bench_string(step(PIN, false), "state_hash"));
    bench_call(&bench, "world.step", "{\"ticks\":9}");
    const cJSON *result = step("{\"method\":\"world.reset\"}," PIN, false);
    CHECK_STRING(bench_string(result, "state_hash"), first);
    CHECK_INT(bench_number(result, "tick"), 1);
    bench_close(&bench);
}

static void a_batch_may_be_undone_after_all_of_it_went_well(void) {
    bench_open(&bench, SHEET);
    struct world *world = bench.sim->worlds[0];
    struct wire_error error = {0};
    static const struct wire_world_set drag = {.world_settings = {.has_drag = 1, .drag = 7}};
    static const struct wire_step_command command = {.method = WIRE_world_set, .params = &drag};
    struct batch batch;
    CHECK_INT(batch_apply(&batch, bench.sim, world, bench.sim->clients.items[0], &command, 1, true,
                          "commands", &error),
              0);
    CHECK_NEAR(pbd_world_get_settings(world->content.pbd).drag, 7, 0);
    batch_undo(&batch);
    CHECK_NEAR(pbd_world_get_settings(world->content.pbd).drag, 0.5, 0);
    bench_close(&bench);
}

RUN_TESTS(TEST(a_failing_command_takes_back_those_before_it), TEST(only_what_is_of_this_world_is_taken),
          TEST(results_and_events_come_in_order), TEST(a_reset_within_a_step_is_an_episodes_start),
          TEST(a_batch_may_be_undone_after_all_of_it_went_well))
