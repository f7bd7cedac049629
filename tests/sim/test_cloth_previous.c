/* `previous` undoes what a command did. */
#include "check.h"
#include "support_sim.h"
#include <stdlib.h>

#define SHEET "{\"cloths\":[{\"cloth\":\"a\",\"grid\":{\"nx\":4,\"ny\":3,\"size\":[1,1]},\"pins\":[0,3]}]}"

static struct bench bench;

/* Sends params that contain printed JSON of an earlier reply. */
static const cJSON *call_with(const char *method, const char *format, const cJSON *vertices,
                              const cJSON *positions) {
    static char params[65536];
    char *v = cJSON_PrintUnformatted(vertices), *p = cJSON_PrintUnformatted(positions);
    snprintf(params, sizeof params, format, v, p);
    cJSON_free(v);
    cJSON_free(p);
    return bench_call(&bench, method, params);
}

static void unpin_is_undone_by_pinning_with_previous(void) {
    bench_open(&bench, SHEET);
    bench_call(&bench, "cloth.move", "{\"cloth\":\"a\",\"vertices\":[3],\"positions\":[1,2,3]}");
    bench_call(&bench, "world.step", NULL);
    const cJSON *previous = cJSON_GetObjectItem(
        bench_call(&bench, "cloth.unpin", "{\"cloth\":\"a\",\"vertices\":[1,3]}"), "previous");
    const cJSON *vertices = cJSON_GetObjectItem(previous, "vertices");
    const cJSON *positions = cJSON_GetObjectItem(previous, "positions");
    CHECK_INT(cJSON_GetArraySize(vertices), 1); /* 1 was not pinned */
    CHECK_INT(cJSON_GetArrayItem(vertices, 0)->valueint, 3);
    CHECK_INT(cJSON_GetArraySize(positions), 3);
    CHECK_NEAR(cJSON_GetArrayItem(positions, 1)->valuedouble, 2, 0);
    CHECK(call_with("cloth.pin", "{\"cloth\":\"a\",\"vertices\":%s,\"positions\":%s}", vertices, positions) !=
          NULL);
    const cJSON *pins =
        cJSON_GetObjectItem(bench_call(&bench, "cloth.describe", "{\"cloth\":\"a\"}"), "pins");
    CHECK_INT(cJSON_GetArraySize(pins), 2);
    bench_close(&bench);
}

static void move_tells_the_targets_that_it_replaced(void) {
    bench_open(&bench, SHEET);
    bench_call(&bench, "cloth.move", "{\"cloth\":\"a\",\"vertices\":[0],\"positions\":[1,2,3],\"over\":10}");
    const cJSON *result =
        bench_call(&bench, "cloth.move", "{\"cloth\":\"a\",\"vertices\":[0],\"offset\":[0,1,0]}");
    const cJSON *positions = cJSON_GetObjectItem(cJSON_GetObjectItem(result, "previous"), "positions");
    CHECK_NEAR(cJSON_GetArrayItem(positions, 0)->valuedouble, 1, 0);
    CHECK_NEAR(cJSON_GetArrayItem(positions, 2)->valuedouble, 3, 0);
    bench_close(&bench);
}

static void a_removed_cloth_can_be_added_again_where_it_was(void) {
    bench_open(&bench, SHEET);
    bench_call(&bench, "world.step", "{\"ticks\":10}");
    cJSON *before = cJSON_Duplicate(
        cJSON_GetObjectItem(bench_call(&bench, "cloth.positions", "{\"cloth\":\"a\"}"), "values"), true);
    const cJSON *previous =
        cJSON_GetObjectItem(bench_call(&bench, "cloth.remove", "{\"cloth\":\"a\"}"), "previous");
    const cJSON *mesh = cJSON_GetObjectItem(previous, "mesh");
    CHECK_INT(cJSON_GetArraySize(cJSON_GetObjectItem(mesh, "rest_positions")), 36);
    CHECK_INT(cJSON_GetArraySize(cJSON_GetObjectItem(previous, "velocities")), 36);
    CHECK_NEAR(bench_number(previous, "density"), 0.2, 1e-12);
    CHECK(call_with("cloth.add", "{\"cloth\":\"a\",\"mesh\":%s,\"pins\":%s}", mesh,
                    cJSON_GetObjectItem(previous, "pins")) != NULL);
    const cJSON *after =
        cJSON_GetObjectItem(bench_call(&bench, "cloth.positions", "{\"cloth\":\"a\"}"), "values");
    CHECK(cJSON_Compare(before, after, true));
    cJSON_Delete(before);
    bench_close(&bench);
}

RUN_TESTS(TEST(unpin_is_undone_by_pinning_with_previous), TEST(move_tells_the_targets_that_it_replaced),
          TEST(a_removed_cloth_can_be_added_again_where_it_was))
