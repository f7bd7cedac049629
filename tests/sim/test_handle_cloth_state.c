/* cloth.positions, velocities, edges, set_state. */
#include "check.h"
#include "support_sim.h"
#include <math.h>

#define TWO                                                                                                  \
    "{\"world\":{\"gravity\":[0,0,0],\"drag\":0,\"damping\":0},\"cloths\":[{\"cloth\":\"a\",\"mesh\":"       \
    "{\"positions\":[0,0,0,1,0,0],\"edges\":[0,1],\"masses\":[1,1]}}]}"
#define SHEET "{\"cloths\":[{\"cloth\":\"a\",\"grid\":{\"nx\":5,\"ny\":5,\"size\":[1,1]}}]}"

static struct bench bench;

static void positions_are_exact_for_float32(void) {
    bench_open(&bench, SHEET);
    bench_call(&bench, "world.step", "{\"ticks\":17}");
    const cJSON *values =
        cJSON_GetObjectItem(bench_call(&bench, "cloth.positions", "{\"cloth\":\"a\"}"), "values");
    const struct content *content = &bench.sim->worlds[0]->content;
    struct pbd_cloth_view view;
    CHECK_INT(pbd_cloth_get_view(content->pbd, content->objects.items[0]->id, &view), PBD_OK);
    int i = 0, wrong = 0;
    const cJSON *value;
    cJSON_ArrayForEach(value, values) {
        uint32_t particle = view.vertex_particle[i / 3];
        float want = i % 3 == 0 ? view.x[particle] : i % 3 == 1 ? view.y[particle] : view.z[particle];
        wrong += (float)value->valuedouble != want;
        ++i;
    }
    CHECK_INT(i, 75);
    CHECK_INT(wrong, 0);
    bench_close(&bench);
}

static void set_state_takes_effect_at_once_and_bit_for_bit(void) {
    bench_open(&bench, TWO);
    CHECK(bench_call(
              &bench, "cloth.set_state",
              "{\"cloth\":\"a\",\"positions\":[0.1,0.2,0.3,1.1,0.2,0.3],\"velocities\":[0,3,0,0,3,0]}") !=
          NULL);
    const cJSON *values =
        cJSON_GetObjectItem(bench_call(&bench, "cloth.positions", "{\"cloth\":\"a\"}"), "values");
    CHECK((float)cJSON_GetArrayItem(values, 0)->valuedouble == 0.1f);
    CHECK((float)cJSON_GetArrayItem(values, 3)->valuedouble == 1.1f);
    values = cJSON_GetObjectItem(bench_call(&bench, "cloth.velocities", "{\"cloth\":\"a\",\"vertices\":[1]}"),
                                 "values");
    CHECK_INT(cJSON_GetArraySize(values), 3);
    CHECK_NEAR(cJSON_GetArrayItem(values, 1)->valuedouble, 3, 0);
    bench_call(&bench, "cloth.set_state",
               "{\"cloth\":\"a\",\"velocities\":[1,0,0,1,0,0]}"); /* positions stay */
    values = cJSON_GetObjectItem(bench_call(&bench, "cloth.positions", "{\"cloth\":\"a\"}"), "values");
    CHECK((float)cJSON_GetArrayItem(values, 0)->valuedouble == 0.1f);
    bench_close(&bench);
}

static void set_state_refuses_wrong_lengths_and_nothing_at_all(void) {
    bench_open(&bench, TWO);
    char before[17];
    strcpy(before, bench_hash(&bench));
    const cJSON *error = bench_refused(&bench, "cloth.set_state", "{\"cloth\":\"a\",\"positions\":[0,0,0]}");
    CHECK_INT(bench_number(error, "code"), -32602);
    CHECK_STRING(bench_string(cJSON_GetObjectItem(error, "data"), "path"), "positions");
    error = bench_refused(&bench, "cloth.set_state",
                          "{\"cloth\":\"a\",\"positions\":[9,9,9,9,9,9],\"velocities\":[0,0,0]}");
    CHECK_STRING(bench_string(cJSON_GetObjectItem(error, "data"), "path"), "velocities");
    error = bench_refused(&bench, "cloth.set_state", "{\"cloth\":\"a\"}");
    CHECK_STRING(bench_string(cJSON_GetObjectItem(error, "data"), "reason"), "missing");
    CHECK_STRING(bench_hash(&bench), before);
    bench_close(&bench);
}

static void edges_come_with_colour_rest_length_and_force(void) {
    /* 1 kg hangs on a pinned vertex under 10 m/s². */
    bench_open(&bench,
               "{\"world\":{\"gravity\":[0,-10,0]},\"cloths\":[{\"cloth\":\"a\",\"mesh\":{\"positions\":"
               "[0,0,0,0,-1,0],\"edges\":[0,1],\"masses\":[1,1]},\"pins\":[0]}]}");
    bench_call(&bench, "world.step", "{\"ticks\":60}");
    const cJSON *result = bench_call(&bench, "cloth.edges", "{\"cloth\":\"a\"}");
    CHECK_INT(cJSON_GetArraySize(cJSON_GetObjectItem(result, "edges")), 2);
    CHECK_INT(cJSON_GetArraySize(cJSON_GetObjectItem(result, "color")), 1);
    CHECK_NEAR(cJSON_GetArrayItem(cJSON_GetObjectItem(result, "rest"), 0)->valuedouble, 1, 0);
    /* It stretches by m·g·compliance = 1e-6 m. */
    CHECK_NEAR(cJSON_GetArrayItem(cJSON_GetObjectItem(result, "length"), 0)->valuedouble, 1, 1e-5);
    CHECK_NEAR(cJSON_GetArrayItem(cJSON_GetObjectItem(result, "force"), 0)->valuedouble, 10, 0.1);
    bench_call(&bench, "world.set", "{\"solver\":{\"method\":\"pbd\"}}");
    CHECK(cJSON_IsNull(cJSON_GetObjectItem(bench_call(&bench, "cloth.edges", "{\"cloth\":\"a\"}"), "force")));
    bench_close(&bench);
}

RUN_TESTS(TEST(positions_are_exact_for_float32), TEST(set_state_takes_effect_at_once_and_bit_for_bit),
          TEST(set_state_refuses_wrong_lengths_and_nothing_at_all),
          TEST(edges_come_with_colour_rest_length_and_force))
