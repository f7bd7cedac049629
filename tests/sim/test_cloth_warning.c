/* A thickness above the shortest rest edge: told with both numbers, never refused. */
#include "check.h"
#include "support_sim.h"

/* Cells of 0.25 m with diagonals of 0.354 m. */
#define GRID "\"grid\":{\"nx\":5,\"ny\":5,\"size\":[1,1]}"

static struct bench bench;

static void check_text(const cJSON *warnings, int count, const char *got, const char *edge) {
    CHECK_INT(cJSON_GetArraySize(warnings), count);
    if (count == 0) return;
    const char *text = cJSON_GetStringValue(cJSON_GetArrayItem(warnings, 0));
    CHECK(strstr(text, got) && strstr(text, edge));
}

static const cJSON *report_warnings(const cJSON *result) {
    return cJSON_GetObjectItem(cJSON_GetObjectItem(result, "report"), "warnings");
}

/* The index-th `clamped` event of a thickness that client 1 got, or NULL. */
static const cJSON *clamped(uint32_t index) {
    for (uint32_t i = 0; i < bench_notifications(&bench, 1, "event"); ++i) {
        const cJSON *event = bench_notification(&bench, 1, "event", i);
        const char *what = cJSON_GetStringValue(cJSON_GetObjectItem(event, "what"));
        if (what && strcmp(what, "thickness") == 0 && index-- == 0) return event;
    }
    return NULL;
}

static void adding_tells_it_in_the_report_and_as_an_event(void) {
    bench_open(&bench, NULL);
    const cJSON *result = bench_call(&bench, "cloth.add",
                                     "{\"cloth\":\"a\"," GRID ",\"self_collision\":true,\"thickness\":0.5}");
    check_text(report_warnings(result), 1, "0.5 m", "0.25 m");
    CHECK_STRING(bench_string(clamped(0), "cloth"), "a");
    CHECK_NEAR(bench_number(clamped(0), "got"), 0.5, 0);
    double max = bench_number(clamped(0), "max");
    CHECK(max < 0.25 && max > 0.24);
    CHECK(clamped(1) == NULL);
    check_text(report_warnings(bench_call(&bench, "cloth.describe", "{\"cloth\":\"a\"}")), 1, "0.5 m",
               "0.25 m");
    bench_close(&bench);
}

static void setting_tells_it_in_warnings_and_as_an_event(void) {
    bench_open(&bench, NULL);
    bench_call(&bench, "cloth.add", "{\"cloth\":\"a\"," GRID ",\"self_collision\":true}");
    bench_clear(&bench);
    const cJSON *result = bench_call(&bench, "cloth.set", "{\"cloth\":\"a\",\"thickness\":0.3}");
    check_text(cJSON_GetObjectItem(result, "warnings"), 1, "0.3 m", "0.25 m");
    CHECK_NEAR(bench_number(clamped(0), "got"), 0.3, 1e-7);
    /* Another setting does not say it again; a smaller thickness ends it. */
    check_text(cJSON_GetObjectItem(bench_call(&bench, "cloth.set", "{\"cloth\":\"a\",\"friction\":0.1}"),
                                   "warnings"),
               0, "", "");
    check_text(cJSON_GetObjectItem(bench_call(&bench, "cloth.set", "{\"cloth\":\"a\",\"thickness\":0.1}"),
                                   "warnings"),
               0, "", "");
    CHECK(clamped(1) == NULL);
    bench_close(&bench);
}

static void nobody_is_warned_of_what_does_not_matter(void) {
    bench_open(&bench, NULL);
    /* The default thickness of a fine cloth that touches no cloth. */
    check_text(
        report_warnings(bench_call(&bench, "cloth.add",
                                   "{\"cloth\":\"fine\",\"grid\":{\"nx\":5,\"ny\":5,\"size\":[0.01,0.01]}}")),
        0, "", "");
    /* A thick one that never touches cloth. */
    check_text(report_warnings(bench_call(&bench, "cloth.add",
                                          "{\"cloth\":\"thick\"," GRID
                                          ",\"thickness\":0.5,\"cloth_collision\":false}")),
               0, "", "");
    CHECK(clamped(0) == NULL);
    /* A thick one that may touch other cloths. */
    check_text(
        report_warnings(bench_call(&bench, "cloth.add", "{\"cloth\":\"other\"," GRID ",\"thickness\":0.5}")),
        1, "0.5 m", "0.25 m");
    bench_close(&bench);
}

RUN_TESTS(TEST(adding_tells_it_in_the_report_and_as_an_event),
          TEST(setting_tells_it_in_warnings_and_as_an_event), TEST(nobody_is_warned_of_what_does_not_matter))
