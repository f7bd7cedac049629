/* A log run again: the same bits, or where they are others. */
#include "check.h"
#include "support_sim.h"

#include <sim/replay.h>
#include <stdlib.h>

#define SCENE                                                                                                           \
    "{\"cloths\":[{\"cloth\":\"a\",\"grid\":{\"nx\":7,\"ny\":6,\"size\":[1,1]},\"pins\":[0],\"self_collision\":true}]," \
    "\"colliders\":[{\"collider\":\"ball\",\"shape\":{\"type\":\"sphere\",\"radius\":0.2},\"position\":[0,-0.5,0]},"    \
    "{\"collider\":\"crate\",\"shape\":{\"type\":\"box\",\"half_extents\":[0.1,0.1,0.1]},\"motion\":\"dynamic\","       \
    "\"position\":[0.2,0.4,0]}]}"

static struct bench bench;

/* A little of everything, by two clients one of which leaves. */
static void play(void) {
    bench_open(&bench, SCENE);
    bench_connect(&bench, 2);
    bench_call(&bench, "world.step", "{\"ticks\":5}");
    bench_call_as(&bench, 2, "cloth.grab", "{\"cloth\":\"a\",\"vertex\":20,\"position\":[0.1,0.3,0]}");
    bench_call(&bench, "collider.move", "{\"collider\":\"ball\",\"position\":[0.1,-0.3,0],\"over\":9}");
    bench_call(&bench, "world.save", "{\"snapshot\":\"s\"}");
    bench_call(&bench, "world.step",
               "{\"ticks\":7,\"commands\":[{\"method\":\"cloth.drag\",\"params\":{\"grab\":1,"
               "\"position\":[0.2,0.4,0.1]}},{\"method\":\"cloth.impulse\",\"params\":{\"cloth\":"
               "\"a\",\"vertices\":[3,4],\"impulse\":[0,0.001,0]}}]}");
    bench_disconnect(&bench, 2);
    bench_call(&bench, "world.restore", "{\"snapshot\":\"s\"}");
    bench_call(&bench, "cloth.attach", "{\"cloth\":\"a\",\"vertices\":[41],\"collider\":\"crate\"}");
    bench_call(&bench, "world.step", "{\"ticks\":6}");
    bench_call(&bench, "world.reset", NULL);
    bench_call(&bench, "cloth.unpin", "{\"cloth\":\"a\",\"all\":true}");
    bench_call(&bench, "world.step", "{\"ticks\":8}");
}

/* The reply of world.log as text, to be freed. */
static char *log_text(void) {
    char *text = cJSON_PrintUnformatted(bench_call(&bench, "world.log", NULL));
    CHECK(text != NULL);
    return text;
}

/* text with the first `from` behind `after` replaced. */
static char *altered(const char *text, const char *after, const char *from, const char *to) {
    const char *at = strstr(text, after);
    at = at ? strstr(at, from) : NULL;
    CHECK(at != NULL);
    char *out = malloc(strlen(text) + strlen(to) + 1);
    if (!at) return strcpy(out, text);
    sprintf(out, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    return out;
}

/* Runs a text; frees it. */
static struct replay_report run(char *text) {
    struct replay_report report = {.difference = REPLAY_COMMAND};
    struct wire_error error;
    struct wire_request *request = wire_log_decode(text, strlen(text), &error);
    if (!request) printf("%s\n", error.message);
    CHECK(request != NULL);
    struct replay *replay = request ? replay_open(bench.sim, request->params, "", &error) : NULL;
    CHECK(replay != NULL);
    if (replay) {
        CHECK(replay_vertices(replay) == 42);
        CHECK(replay_advance(replay, UINT64_MAX, NULL));
        report = *replay_get_report(replay);
        replay_close(replay);
    }
    wire_request_destroy(request);
    free(text);
    return report;
}

static void the_same_log_gives_the_same_bits(void) {
    play();
    struct replay_report report = run(log_text());
    if (report.difference != REPLAY_IDENTICAL) printf("%s\n", report.text);
    CHECK_INT(report.difference, REPLAY_IDENTICAL);
    CHECK_INT(report.steps, 26);
    CHECK_INT(report.tick, 8);
    CHECK_INT(report.checks, 7); /* every 4 steps, and the end */
    CHECK_INT(report.commands, 11);
    bench_close(&bench);
}

static void slices_make_no_difference(void) {
    play();
    char *text = log_text();
    struct wire_error error;
    struct wire_request *request = wire_log_decode(text, strlen(text), &error);
    struct replay *replay = replay_open(bench.sim, request->params, "", &error);
    struct json hashes;
    json_init(&hashes);
    json_begin_array(&hashes);
    int slices = 1;
    bench.read_us = 10;
    while (!replay_advance(replay, bench.now_us, &hashes))
        ++slices;
    json_end_array(&hashes);
    CHECK(slices > 20);
    CHECK_INT(replay_get_report(replay)->difference, REPLAY_IDENTICAL);
    cJSON *list = cJSON_Parse(hashes.text);
    CHECK_INT(cJSON_GetArraySize(list), 7);
    CHECK_INT(bench_number(cJSON_GetArrayItem(list, 1), "steps"), 8);
    cJSON_Delete(list);
    json_free(&hashes);
    replay_close(replay);
    wire_request_destroy(request);
    free(text);
    bench_close(&bench);
}

static void another_command_is_found_at_the_next_check_with_object_and_vertex(void) {
    play();
    char *text = log_text();
    struct replay_report report = run(altered(text, "cloth.impulse", "[0,0.001,0]", "[0,0.002,0]"));
    CHECK_INT(report.difference, REPLAY_OBJECT);
    CHECK_STRING(report.object, "a");
    CHECK(report.has_vertex && report.vertex < 42);
    CHECK_INT(report.steps, 8); /* it was at 5 */
    CHECK(report.had_check);
    CHECK_INT(report.checked_steps, 4);
    CHECK(strstr(report.text, "cloth \"a\", vertex") != NULL);
    free(text);
    bench_close(&bench);
}

static void a_moved_collider_is_named(void) {
    bench_open(&bench, SCENE);
    bench_call(&bench, "collider.move", "{\"collider\":\"ball\",\"position\":[5,5,5],\"teleport\":true}");
    bench_call(&bench, "world.step", "{\"ticks\":3}");
    char *text = log_text();
    struct replay_report report = run(altered(text, "collider.move", "[5,5,5]", "[5,5,6]"));
    CHECK_INT(report.difference, REPLAY_OBJECT);
    CHECK_INT(report.kind, OBJECT_COLLIDER);
    CHECK_STRING(report.object, "ball");
    CHECK(!report.has_vertex && !report.had_check);
    free(text);
    bench_close(&bench);
}

static void a_refused_command_is_a_difference(void) {
    play();
    char *text = log_text();
    struct replay_report report = run(altered(text, "\"world.restore\"", "\"s\"", "\"t\""));
    CHECK_INT(report.difference, REPLAY_COMMAND);
    CHECK(report.seq > 0 && strstr(report.text, "world.restore") != NULL);
    CHECK_INT(report.steps, 12);
    free(text);
    bench_close(&bench);
}

static void a_changed_hash_or_tick_is_a_difference_of_no_object(void) {
    play();
    char *text = log_text();
    const char *hash = strstr(strstr(text, "\"checks\""), "\"state_hash\"");
    char old[40], new[40];
    snprintf(old, sizeof old, "%.31s", hash);
    snprintf(new, sizeof new, "\"state_hash\":\"0123456789abcdef\"");
    struct replay_report report = run(altered(text, "\"checks\"", old, new));
    CHECK_INT(report.difference, REPLAY_STATE);
    CHECK(strstr(report.text, "0123456789abcdef") != NULL);
    report = run(altered(text, "\"end\"", "\"tick\":8", "\"tick\":9"));
    CHECK_INT(report.difference, REPLAY_STATE);
    CHECK(strstr(report.text, "tick") != NULL);
    report = run(altered(text, "\"end\"", "\"cloth\":\"a\"", "\"cloth\":\"b\""));
    CHECK_INT(report.difference, REPLAY_IDENTICAL); /* only where the hash differs are they looked at */
    free(text);
    bench_close(&bench);
}

static void check_refused(char *text, const char *path) {
    struct wire_error error;
    struct wire_request *request = wire_log_decode(text, strlen(text), &error);
    CHECK(request != NULL);
    CHECK(replay_open(bench.sim, request->params, "log.", &error) == NULL);
    CHECK_STRING(error.path, path);
    free(error.data_json);
    wire_request_destroy(request);
    free(text);
}

static void a_log_that_contradicts_itself_is_refused(void) {
    play();
    char *text = log_text();
    check_refused(altered(text, "\"world.reset\"", "\"steps\":18", "\"steps\":3"), "log.commands[13].steps");
    check_refused(altered(text, "\"world.reset\"", "\"steps\":18", "\"steps\":333"),
                  "log.commands[13].steps");
    check_refused(altered(text, "\"checks\"", "\"steps\":8", "\"steps\":2"), "log.checks[1].steps");
    check_refused(altered(text, "\"end\"", "\"steps\":26", "\"steps\":25"), "log.end.steps");
    check_refused(altered(text, "\"world.save\"", "\"world.save\",\"params\":{\"snapshot\":\"s\"}",
                          "\"world.load\",\"params\":{\"scene\":\"drape\"}"),
                  "log.commands[3].method");
    check_refused(altered(text, "\"start\"", "\"nx\":7", "\"nx\":1999"), "log.start.cloths[0].grid");
    free(text);
    bench_close(&bench);
}

RUN_TESTS(TEST(the_same_log_gives_the_same_bits), TEST(slices_make_no_difference),
          TEST(another_command_is_found_at_the_next_check_with_object_and_vertex),
          TEST(a_moved_collider_is_named), TEST(a_refused_command_is_a_difference),
          TEST(a_changed_hash_or_tick_is_a_difference_of_no_object),
          TEST(a_log_that_contradicts_itself_is_refused))
