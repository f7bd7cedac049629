/* server.info, server.commands, server.ping. */
#include "check.h"
#include "support_sim.h"

static struct bench bench;

static void info_has_limits_capabilities_worlds_and_scenes(void) {
    bench_open(&bench, NULL);
    const cJSON *info = bench_call(&bench, "server.info", NULL);
    CHECK_STRING(bench_string(info, "name"), "clothd");
    CHECK_STRING(bench_string(info, "version"), "0");
    CHECK_INT(bench_number(info, "protocol"), 1);
    CHECK_INT(bench_number(cJSON_GetObjectItem(info, "limits"), "max_worlds"), 4);
    CHECK_INT(cJSON_GetArraySize(cJSON_GetObjectItem(cJSON_GetObjectItem(info, "capabilities"), "methods")),
              3);
    CHECK_INT(cJSON_GetArraySize(cJSON_GetObjectItem(info, "worlds")), 1);
    bool drape = false;
    const cJSON *scene;
    cJSON_ArrayForEach(scene, cJSON_GetObjectItem(info, "scenes")) {
        CHECK(strlen(bench_string(scene, "name")) > 0 && strlen(bench_string(scene, "title")) > 0);
        drape = drape || strcmp(bench_string(scene, "name"), "drape") == 0;
    }
    CHECK(drape);
    bench_close(&bench);
}

static void commands_list_every_method(void) {
    bench_open(&bench, NULL);
    const cJSON *commands = cJSON_GetObjectItem(bench_call(&bench, "server.commands", NULL), "commands");
    CHECK_INT(cJSON_GetArraySize(commands), WIRE_COMMAND_COUNT);
    bench_close(&bench);
}

static void ping_tells_the_servers_clock_as_frames_do(void) {
    bench_open(&bench, NULL);
    bench.now_us = (1ull << 32) + 12345; /* modulo 2^32 */
    CHECK_INT(bench_number(bench_call(&bench, "server.ping", NULL), "server_us"), 12345);
    bench_close(&bench);
}

RUN_TESTS(TEST(info_has_limits_capabilities_worlds_and_scenes), TEST(commands_list_every_method),
          TEST(ping_tells_the_servers_clock_as_frames_do))
