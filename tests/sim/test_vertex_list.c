/* `vertices` of commands. */
#include "check.h"
#include "support_sim.h"
#include <sim/vertex_list.h>

#define SHEET "{\"cloths\":[{\"cloth\":\"a\",\"grid\":{\"nx\":5,\"ny\":5,\"size\":[1,1]}}]}"

static struct bench bench;

static int pin_count(void) {
    return cJSON_GetArraySize(
        cJSON_GetObjectItem(bench_call(&bench, "cloth.describe", "{\"cloth\":\"a\"}"), "pins"));
}

static void ranges_and_indices_are_spelled_out_with_both_ends(void) {
    bench_open(&bench, SHEET);
    CHECK(bench_call(&bench, "cloth.pin", "{\"cloth\":\"a\",\"vertices\":[0,{\"from\":20,\"to\":24}]}") !=
          NULL);
    CHECK_INT(pin_count(), 6);
    bench_close(&bench);
}

static void order_and_repetition_are_kept_in_reads(void) {
    bench_open(&bench, SHEET);
    const cJSON *values = cJSON_GetObjectItem(
        bench_call(&bench, "cloth.positions", "{\"cloth\":\"a\",\"vertices\":[24,0,24]}"), "values");
    CHECK_INT(cJSON_GetArraySize(values), 9);
    CHECK_NEAR(cJSON_GetArrayItem(values, 0)->valuedouble, 0.5, 0);
    CHECK_NEAR(cJSON_GetArrayItem(values, 3)->valuedouble, -0.5, 0);
    CHECK_NEAR(cJSON_GetArrayItem(values, 6)->valuedouble, 0.5, 0);
    bench_close(&bench);
}

static void an_index_beyond_the_cloth_refuses_all_of_them(void) {
    bench_open(&bench, SHEET);
    const cJSON *error =
        bench_refused(&bench, "cloth.pin", "{\"cloth\":\"a\",\"vertices\":[0,{\"from\":20,\"to\":25}]}");
    CHECK_INT(bench_number(error, "code"), -32602);
    CHECK_STRING(bench_string(cJSON_GetObjectItem(error, "data"), "path"), "vertices");
    CHECK(strstr(bench_string(error, "message"), "0 to 24") != NULL);
    CHECK_INT(pin_count(), 0);
    bench_close(&bench);
}

static void more_vertices_than_the_limit_are_refused(void) {
    bench_open(&bench, "{\"cloths\":[{\"cloth\":\"a\",\"grid\":{\"nx\":40,\"ny\":25,\"size\":[1,1]}}]}");
    static char params[65536];
    int length = snprintf(params, sizeof params, "{\"cloth\":\"a\",\"vertices\":[0");
    for (int i = 0; i < VERTEX_LIST_LIMIT / 1000; ++i) { /* the whole cloth each time, and vertex 0 before */
        length += snprintf(params + length, sizeof params - (size_t)length, ",{\"from\":0,\"to\":999}");
    }
    snprintf(params + length, sizeof params - (size_t)length, "]}");
    const cJSON *error = bench_refused(&bench, "cloth.pin", params);
    CHECK_INT(bench_number(error, "code"), -32004);
    CHECK_STRING(bench_string(cJSON_GetObjectItem(error, "data"), "limit"), "vertices");
    bench_close(&bench);
}

static void positions_must_be_three_a_vertex(void) {
    bench_open(&bench, SHEET);
    const cJSON *error =
        bench_refused(&bench, "cloth.pin", "{\"cloth\":\"a\",\"vertices\":[0,1],\"positions\":[0,0,0]}");
    CHECK_INT(bench_number(error, "code"), -32602);
    CHECK_STRING(bench_string(cJSON_GetObjectItem(error, "data"), "path"), "positions");
    CHECK_INT(pin_count(), 0);
    bench_close(&bench);
}

RUN_TESTS(TEST(ranges_and_indices_are_spelled_out_with_both_ends),
          TEST(order_and_repetition_are_kept_in_reads), TEST(an_index_beyond_the_cloth_refuses_all_of_them),
          TEST(more_vertices_than_the_limit_are_refused), TEST(positions_must_be_three_a_vertex))
