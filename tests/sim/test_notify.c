/* hello, presence, status and stats. */
#include "check.h"
#include "support_sim.h"
#include <sim/notify.h>

static struct bench bench;

static void hello_comes_first_and_says_who_and_what(void) {
    bench_open(&bench, NULL);
    bench_connect(&bench, 2);
    CHECK_INT(bench_position(&bench, SIM_TEXT, 2, "hello"), bench_position(&bench, SIM_TEXT, 2, NULL));
    const cJSON *hello = bench_notification(&bench, 2, "hello", 0);
    CHECK_STRING(bench_string(hello, "server"), "clothd");
    CHECK_STRING(bench_string(hello, "version"), "0");
    CHECK_STRING(bench_string(hello, "session"), "session2");
    CHECK_STRING(bench_string(hello, "role"), "control");
    CHECK_INT(bench_number(hello, "protocol"), 1);
    CHECK_INT(bench_number(hello, "client"), 2);
    const cJSON *limits = cJSON_GetObjectItem(hello, "limits");
    CHECK_INT(bench_number(limits, "max_clients"), 256);
    CHECK_INT(bench_number(limits, "max_vertices_per_world"), 2000);
    CHECK_INT(bench_number(limits, "command_rate"), 2000);
    const cJSON *codecs = cJSON_GetObjectItem(cJSON_GetObjectItem(hello, "capabilities"), "codecs");
    CHECK_INT(cJSON_GetArraySize(codecs), 2);
    const cJSON *worlds = cJSON_GetObjectItem(hello, "worlds");
    CHECK_STRING(bench_string(cJSON_GetArrayItem(worlds, 0), "world"), "main");
    bench_close(&bench);
}

static void presence_tells_of_named_clients_and_of_their_leaving(void) {
    bench_open(&bench, NULL);
    bench_connect(&bench, 2);
    bench_connect(&bench, 3);
    bench_call_as(&bench, 2, "client.set", "{\"name\":\"Ada\",\"color\":\"#ff8800\"}");
    const cJSON *presence = bench_notification(&bench, 1, "presence", 0);
    CHECK_INT(bench_number(presence, "client"), 2);
    CHECK_STRING(bench_string(presence, "name"), "Ada");
    CHECK_STRING(bench_string(presence, "color"), "#ff8800");
    CHECK(cJSON_IsFalse(cJSON_GetObjectItem(presence, "gone")));
    bench_clear(&bench);
    bench_disconnect(&bench, 2);
    CHECK(cJSON_IsTrue(cJSON_GetObjectItem(bench_notification(&bench, 1, "presence", 0), "gone")));
    bench_clear(&bench);
    bench_disconnect(&bench, 3); /* never presented itself */
    CHECK_INT(bench_notifications(&bench, 1, "presence"), 0);
    bench_close(&bench);
}

static void stats_come_once_a_second_to_subscribers(void) {
    bench_open(&bench, "{\"cloths\":[{\"cloth\":\"a\",\"grid\":{\"nx\":4,\"ny\":4,\"size\":[1,1]}}]}");
    bench_connect(&bench, 2);
    bench_call(&bench, "stream.subscribe", NULL);
    bench_call(&bench, "world.resume", NULL);
    struct delivery_counters *counters = sim_client_find(&bench.sim->clients, 1)->counters;
    atomic_store(&counters->frames_sent, 17);
    atomic_store(&counters->frames_skipped, 3);
    atomic_store(&counters->bytes_sent, 4711);
    bench_advance(&bench, 3500000);
    CHECK_INT(bench_notifications(&bench, 1, "stats"), 3);
    CHECK_INT(bench_notifications(&bench, 2, "stats"), 0);
    const cJSON *stats = bench_notification(&bench, 1, "stats", 2);
    CHECK_NEAR(bench_number(stats, "tick_rate"), 60, 0.5);
    CHECK(bench_number(stats, "constraints") > 0);
    CHECK(bench_number(cJSON_GetObjectItem(stats, "step_ms"), "max") >= 0);
    CHECK_INT(bench_number(stats, "late_ticks"), 0);
    CHECK_INT(bench_number(stats, "frames_sent"), 17);
    CHECK_INT(bench_number(stats, "frames_skipped"), 3);
    CHECK_INT(bench_number(stats, "bytes_sent"), 4711);
    bench_close(&bench);
}

static void a_status_goes_to_one_client(void) {
    bench_open(&bench, NULL);
    bench_connect(&bench, 2);
    notify_status(bench.sim, bench.sim->worlds[0], 2, "info", "test", "A sentence.");
    bench_run(&bench);
    const cJSON *status = bench_notification(&bench, 2, "status", 0);
    CHECK_STRING(bench_string(status, "level"), "info");
    CHECK_STRING(bench_string(status, "code"), "test");
    CHECK_STRING(bench_string(status, "text"), "A sentence.");
    CHECK_INT(bench_notifications(&bench, 1, "status"), 0);
    bench_close(&bench);
}

static void a_text_without_memory_closes_the_client(void) {
    bench_open(&bench, NULL);
    struct json json;
    json_init(&json);
    json.failed = true;
    notify_send(bench.sim, 1, &json);
    bench_run(&bench);
    uint32_t at = bench_position(&bench, SIM_CLOSE, 1, NULL);
    CHECK(at != UINT32_MAX);
    CHECK_INT(bench.log[at].output->close_code, 1011);
    bench_close(&bench);
}

RUN_TESTS(TEST(hello_comes_first_and_says_who_and_what),
          TEST(presence_tells_of_named_clients_and_of_their_leaving),
          TEST(stats_come_once_a_second_to_subscribers), TEST(a_status_goes_to_one_client),
          TEST(a_text_without_memory_closes_the_client))
