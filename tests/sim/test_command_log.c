/* The log by itself: entries in order, checks that thin out, an end that is honest. */
#include "check.h"
#include "support_sim.h"

#include <stdlib.h>

#define SHEET "{\"cloths\":[{\"cloth\":\"a\",\"grid\":{\"nx\":5,\"ny\":5,\"size\":[1,1]},\"pins\":[0]}]}"

static struct bench bench;

static struct command_log *log_of_main(void) {
    return &bench.sim->worlds[0]->log;
}

static cJSON *commands(void) {
    char *text = malloc(log_of_main()->length + 3);
    sprintf(text, "[%s]", log_of_main()->commands ? log_of_main()->commands : "");
    cJSON *list = cJSON_Parse(text);
    CHECK(list != NULL);
    free(text);
    return list;
}

static const char *method_of(const cJSON *list, int i) {
    return bench_string(cJSON_GetArrayItem(list, i), "method");
}

static void applied_commands_are_kept_in_their_order_and_refused_ones_are_not(void) {
    bench_open(&bench, SHEET);
    bench_connect(&bench, 2);
    bench_call_as(&bench, 2, "cloth.pin", "{\"cloth\":\"a\",\"vertices\":[1]}");
    bench_refused(&bench, "cloth.pin", "{\"cloth\":\"a\",\"vertices\":[999]}");
    bench_call(&bench, "world.describe", NULL);
    bench_call(&bench, "world.step", "{\"ticks\":6}");
    bench_call(&bench, "world.reset", NULL);
    bench_call(&bench, "world.set", "{\"drag\":0.1}");
    cJSON *list = commands();
    CHECK_INT(cJSON_GetArraySize(list), 4);
    CHECK_STRING(method_of(list, 0), "cloth.pin");
    CHECK_STRING(method_of(list, 1), "world.step");
    CHECK_STRING(method_of(list, 2), "world.reset");
    CHECK_INT(bench_number(cJSON_GetArrayItem(list, 0), "client"), 2);
    CHECK_INT(bench_number(cJSON_GetArrayItem(list, 1), "tick"), 6);
    CHECK_INT(bench_number(cJSON_GetArrayItem(list, 2), "steps"), 6);
    CHECK_INT(bench_number(cJSON_GetArrayItem(list, 2), "tick"), 0);
    CHECK_INT(bench_number(cJSON_GetArrayItem(list, 3), "steps"), 6);
    double last = 0;
    const cJSON *entry;
    cJSON_ArrayForEach(entry, list) {
        CHECK(bench_number(entry, "seq") > last);
        last = bench_number(entry, "seq");
    }
    cJSON_Delete(list);
    CHECK_INT(log_of_main()->steps, 6);
    bench_close(&bench);
}

static void an_entry_has_the_seq_of_its_event(void) {
    bench_open(&bench, SHEET);
    bench_call(&bench, "stream.subscribe", NULL);
    bench_clear(&bench);
    bench_call(&bench, "cloth.pin", "{\"cloth\":\"a\",\"vertices\":[1]}");
    bench_call(&bench, "world.reset", NULL);
    bench_call(&bench, "cloth.unpin", "{\"cloth\":\"a\",\"all\":true}");
    cJSON *list = commands();
    for (int i = 0; i < 3; ++i) {
        const cJSON *event = bench_notification(&bench, 1, "event", (uint32_t)i),
                    *entry = cJSON_GetArrayItem(list, i);
        CHECK_INT(bench_number(event, "seq"), bench_number(entry, "seq"));
        CHECK_STRING(bench_string(event, "method"), bench_string(entry, "method"));
        CHECK_INT(bench_number(event, "tick"), bench_number(entry, "tick"));
    }
    cJSON_Delete(list);
    bench_close(&bench);
}

static void every_move_of_a_drag_is_kept_though_events_tell_few(void) {
    bench_open(&bench,
               "{\"colliders\":[{\"collider\":\"ball\",\"shape\":{\"type\":\"sphere\",\"radius\":0.2}}]}");
    bench_call(&bench, "stream.subscribe", NULL);
    bench_clear(&bench);
    char params[96];
    for (int i = 0; i < 10; ++i) {
        snprintf(params, sizeof params, "{\"collider\":\"ball\",\"position\":[0,0.0%d,0]}", i);
        bench_call(&bench, "collider.move", params);
    }
    cJSON *list = commands();
    CHECK_INT(cJSON_GetArraySize(list), 10);
    cJSON_Delete(list);
    bench_call(&bench, "world.set", "{\"drag\":1}");
    uint32_t events = bench_notifications(&bench, 1, "event");
    CHECK_INT(events, 3); /* first, last, and world.set */
    double last = 0;
    for (uint32_t i = 0; i < events; ++i) {
        double seq = bench_number(bench_notification(&bench, 1, "event", i), "seq");
        CHECK(seq > last);
        last = seq;
    }
    bench_close(&bench);
}

static void what_a_leaving_client_held_is_a_command(void) {
    bench_open(&bench, SHEET);
    bench_connect(&bench, 2);
    bench_call_as(&bench, 2, "cloth.grab", "{\"cloth\":\"a\",\"vertex\":9}");
    bench_disconnect(&bench, 2);
    cJSON *list = commands();
    CHECK_INT(cJSON_GetArraySize(list), 2);
    CHECK_STRING(method_of(list, 1), "cloth.release");
    CHECK_INT(bench_number(cJSON_GetArrayItem(list, 1), "client"), 2);
    cJSON_Delete(list);
    bench_close(&bench);
}

static void a_load_begins_anew_and_goes_on_counting(void) {
    bench_open(&bench, SHEET);
    bench_call(&bench, "world.set", "{\"drag\":1}");
    bench_call(&bench, "world.step", "{\"ticks\":9}");
    uint64_t seq = bench.sim->worlds[0]->event_seq;
    bench_call(&bench, "world.load", "{\"spec\":" SHEET "}");
    CHECK_INT(log_of_main()->steps, 0);
    CHECK_INT(log_of_main()->check_count, 0);
    bench_call(&bench, "world.set", "{\"drag\":1}");
    cJSON *list = commands();
    CHECK_INT(cJSON_GetArraySize(list), 1);
    CHECK(bench_number(cJSON_GetArrayItem(list, 0), "seq") > (double)seq);
    cJSON_Delete(list);
    bench_close(&bench);
}

static void what_came_from_files_is_inline(void) {
    bench_open(&bench, NULL);
    bench.sim->config.limits.max_vertices_per_world = bench.sim->config.limits.max_vertices = 100000;
    log_of_main()->max_bytes = 8 << 20;
    CHECK(
        bench_call(
            &bench, "cloth.add",
            "{\"cloth\":\"d\",\"file\":\"towel.obj\",\"position\":[0,2,0],\"scale\":0.5,\"friction\":0.7}") !=
        NULL);
    CHECK(
        bench_call(&bench, "collider.add",
                   "{\"collider\":\"b\",\"shape\":{\"type\":\"file\",\"file\":\"bunny.obj\",\"scale\":2}}") !=
        NULL);
    CHECK(bench_call(&bench, "collider.set",
                     "{\"collider\":\"b\",\"friction\":0.1,\"shape\":{\"type\":\"file\",\"file\":"
                     "\"barrel.obj\"}}") != NULL);
    cJSON *list = commands();
    const cJSON *cloth = cJSON_GetObjectItem(cJSON_GetArrayItem(list, 0), "params");
    CHECK(cJSON_GetObjectItem(cloth, "file") == NULL && cJSON_GetObjectItem(cloth, "mesh") != NULL);
    CHECK_NEAR(bench_number(cloth, "friction"), 0.7, 0);
    for (int i = 1; i < 3; ++i) {
        const cJSON *params = cJSON_GetObjectItem(cJSON_GetArrayItem(list, i), "params");
        CHECK_STRING(bench_string(cJSON_GetObjectItem(params, "shape"), "type"), "mesh");
    }
    const cJSON *set = cJSON_GetObjectItem(cJSON_GetArrayItem(list, 2), "params");
    CHECK_NEAR(bench_number(set, "friction"), 0.1, 0);
    CHECK(cJSON_GetObjectItem(set, "restitution") == NULL);
    cJSON_Delete(list);
    bench_close(&bench);
}

static void checks_thin_out_and_stay_at_multiples(void) {
    bench_open(
        &bench,
        "{\"cloths\":[{\"cloth\":\"a\",\"grid\":{\"nx\":2,\"ny\":2,\"size\":[1,1]}}],\"world\":{\"solver\":"
        "{\"substeps\":1}}}");
    struct command_log *log = log_of_main();
    bench_call(&bench, "world.step", "{\"ticks\":2000}");
    CHECK_INT(log->every, 4);
    CHECK_INT(log->check_count, 500);
    bench_call(&bench, "world.step", "{\"ticks\":2100}");
    CHECK_INT(log->every, 16);
    CHECK_INT(log->check_count, 4100 / 16);
    size_t bytes = 0;
    for (uint32_t i = 0; i < log->check_count; ++i) {
        cJSON *check = cJSON_Parse(log->checks[i].text);
        CHECK_INT(bench_number(check, "steps"), 16 * (i + 1));
        bytes += log->checks[i].length;
        cJSON_Delete(check);
    }
    CHECK_INT(log->check_bytes, bytes);
    log->max_bytes = 8 * (bytes / 3);
    bench_call(&bench, "world.step", "{\"ticks\":16}");
    CHECK(log->check_bytes <= bytes / 3);
    CHECK_INT(log->every, 64);
    bench_close(&bench);
}

static void a_command_that_does_not_fit_ends_the_log_and_is_told_once(void) {
    bench_open(&bench, SHEET);
    bench_call(&bench, "world.step", "{\"ticks\":3}");
    log_of_main()->max_bytes = log_of_main()->length + 1200;
    char params[64];
    int told = 0;
    for (int i = 0; i < 20; ++i) {
        snprintf(params, sizeof params, "{\"drag\":0.%02d}", i);
        CHECK(bench_call(&bench, "world.set", params) != NULL);
        told = (int)bench_notifications(&bench, 1, "status");
    }
    CHECK_INT(told, 1);
    CHECK_STRING(bench_string(bench_notification(&bench, 1, "status", 0), "code"), "log_ended");
    CHECK(log_of_main()->ended);
    CHECK_INT(log_of_main()->ended_at, 3);
    cJSON *list = commands();
    int kept = cJSON_GetArraySize(list);
    CHECK(kept > 1 && kept < 20);
    cJSON_Delete(list);
    bench_call(&bench, "world.step", "{\"ticks\":40}");
    CHECK_INT(log_of_main()->check_count, 0);
    const cJSON *log = bench_call(&bench, "world.log", NULL);
    CHECK(cJSON_IsFalse(cJSON_GetObjectItem(log, "complete")) && cJSON_GetObjectItem(log, "end") == NULL);
    CHECK_INT(bench_number(log, "steps"), 3);
    bench_close(&bench);
}

static void a_copy_is_equal_and_its_own(void) {
    bench_open(&bench, SHEET);
    bench_call(&bench, "world.set", "{\"drag\":1}");
    bench_call(&bench, "world.step", "{\"ticks\":9}");
    struct command_log copy;
    CHECK(command_log_copy(&copy, log_of_main()));
    CHECK_STRING(copy.commands, log_of_main()->commands);
    CHECK_INT(copy.check_count, 2);
    CHECK_STRING(copy.checks[1].text, log_of_main()->checks[1].text);
    CHECK(copy.checks[1].text != log_of_main()->checks[1].text);
    const struct log_command command = {99, 9, 1, "world.reset", "{}"};
    CHECK(command_log_add(&copy, &command));
    CHECK(copy.length > log_of_main()->length);
    command_log_free(&copy);
    bench_close(&bench);
}

RUN_TESTS(TEST(applied_commands_are_kept_in_their_order_and_refused_ones_are_not),
          TEST(an_entry_has_the_seq_of_its_event), TEST(every_move_of_a_drag_is_kept_though_events_tell_few),
          TEST(what_a_leaving_client_held_is_a_command), TEST(a_load_begins_anew_and_goes_on_counting),
          TEST(what_came_from_files_is_inline), TEST(checks_thin_out_and_stay_at_multiples),
          TEST(a_command_that_does_not_fit_ends_the_log_and_is_told_once), TEST(a_copy_is_equal_and_its_own))
