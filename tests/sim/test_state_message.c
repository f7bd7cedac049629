/* The state that a step answers with: exact, before the reply, apart from streams. */
#include "check.h"
#include "support_sim.h"

#include <stdlib.h>

#define SCENE                                                                                                \
    "{\"cloths\":[{\"cloth\":\"a\",\"grid\":{\"nx\":5,\"ny\":5,\"size\":[1,1]},\"pins\":[0]},"               \
    "{\"cloth\":\"b\",\"grid\":{\"nx\":3,\"ny\":2,\"size\":[1,1]},\"position\":[0,3,0]}],"                   \
    "\"colliders\":[{\"collider\":\"ball\",\"shape\":{\"type\":\"sphere\",\"radius\":0.2},\"position\":[0,-1,0]}]}"

static struct bench bench;

struct seen {
    struct frame_header header;
    const unsigned char *payload;
};

/* The segments of the only binary message of the log; how many. */
static uint32_t segments(struct seen seen[8]) {
    uint32_t at = bench_position(&bench, SIM_BINARY, 1, NULL), count = 0;
    CHECK(at != UINT32_MAX);
    if (at == UINT32_MAX) return 0;
    CHECK(at < bench_position(&bench, SIM_TEXT, 1, NULL));
    const struct buffer *message = bench.log[at].output->buffer;
    size_t offset = 0;
    while (offset < message->length && count < 8) {
        CHECK_INT(frame_next_segment(message->data, message->length, &offset, &seen[count].header,
                                     &seen[count].payload),
                  FRAME_OK);
        CHECK((seen[count].header.flags & FRAME_ANSWER) != 0 && (seen[count].header.flags & FRAME_KEY) != 0);
        ++count;
    }
    return count;
}

static void floats_of_every_cloth_and_poses_come_before_the_reply(void) {
    bench_open(&bench, SCENE);
    const cJSON *result = bench_call(&bench, "world.step", "{\"ticks\":5,\"state\":{}}");
    const cJSON *state = cJSON_GetObjectItem(result, "state");
    struct seen seen[8];
    CHECK_INT(segments(seen), 3);
    CHECK_INT(seen[0].header.type, FRAME_STATE);
    CHECK_INT(seen[0].header.codec, FRAME_F32);
    CHECK_INT(seen[0].header.tick, 5);
    CHECK_INT(seen[0].header.count, 25);
    CHECK_INT(seen[1].header.object, 1);
    CHECK_INT(seen[2].header.type, FRAME_POSES);
    const cJSON *cloths = cJSON_GetObjectItem(state, "cloths");
    CHECK_INT(cJSON_GetArraySize(cloths), 2);
    CHECK_STRING(bench_string(cJSON_GetArrayItem(cloths, 1), "cloth"), "b");
    CHECK_INT(bench_number(cJSON_GetArrayItem(cloths, 1), "vertex_count"), 6);
    CHECK_INT(bench_number(state, "epoch"), seen[0].header.epoch);
    CHECK_STRING(bench_string(cJSON_GetArrayItem(cJSON_GetObjectItem(state, "colliders"), 0), "collider"),
                 "ball");
    float sent[75];
    memcpy(sent, seen[0].payload, sizeof sent);
    const cJSON *values =
        cJSON_GetObjectItem(bench_call(&bench, "cloth.positions", "{\"cloth\":\"a\"}"), "values");
    for (int i = 0; i < 75; ++i)
        CHECK((float)cJSON_GetArrayItem(values, i)->valuedouble == sent[i]);
    bench_close(&bench);
}

static void velocities_follow_their_positions_where_they_are_wanted(void) {
    bench_open(&bench, SCENE);
    bench_call(&bench, "world.step", "{\"ticks\":5,\"state\":{\"velocities\":true,\"cloths\":[\"b\"]}}");
    struct seen seen[8];
    CHECK_INT(segments(seen), 3);
    CHECK_INT(seen[1].header.type, FRAME_VELOCITIES);
    CHECK_INT(seen[1].header.count, 6);
    CHECK_INT(seen[1].header.object, 1);
    float sent[18];
    memcpy(sent, seen[1].payload, sizeof sent);
    const cJSON *values =
        cJSON_GetObjectItem(bench_call(&bench, "cloth.velocities", "{\"cloth\":\"b\"}"), "values");
    for (int i = 0; i < 18; ++i)
        CHECK((float)cJSON_GetArrayItem(values, i)->valuedouble == sent[i]);
    bench_close(&bench);
}

static void quantised_it_decodes_by_what_the_reply_says(void) {
    bench_open(&bench, SCENE);
    const cJSON *result =
        bench_call(&bench, "world.step", "{\"ticks\":5,\"state\":{\"codec\":\"cb32\",\"cloths\":[\"a\"]}}");
    const cJSON *cloth =
        cJSON_GetArrayItem(cJSON_GetObjectItem(cJSON_GetObjectItem(result, "state"), "cloths"), 0);
    CHECK_INT(bench_number(cloth, "cols"), 5);
    CHECK(cJSON_IsNull(cJSON_GetObjectItem(cloth, "order")));
    struct seen seen[8];
    CHECK_INT(segments(seen), 2);
    int32_t q[3][25];
    const struct frame_planes planes = {.q = {q[0], q[1], q[2]}};
    CHECK_INT(frame_cb32_decode(&seen[0].header, seen[0].payload, seen[0].header.payload_bytes, NULL, 25, 5,
                                &planes),
              FRAME_OK);
    const cJSON *values =
        cJSON_GetObjectItem(bench_call(&bench, "cloth.positions", "{\"cloth\":\"a\"}"), "values");
    for (int i = 0; i < 75; ++i) {
        CHECK_NEAR(q[i % 3][i / 3] * ldexp(1, seen[0].header.step_exp),
                   cJSON_GetArrayItem(values, i)->valuedouble, 1e-4);
    }
    bench_close(&bench);
}

static void an_unknown_cloth_is_refused_before_anything_happens(void) {
    bench_open(&bench, SCENE);
    const cJSON *error = bench_refused(&bench, "world.step",
                                       "{\"commands\":[{\"method\":\"world.set\",\"params\":{\"drag\":9}}],"
                                       "\"state\":{\"cloths\":[\"a\",\"nope\"]}}");
    CHECK_STRING(bench_string(cJSON_GetObjectItem(error, "data"), "path"), "state.cloths[1]");
    const cJSON *world = bench_call(&bench, "world.describe", NULL);
    CHECK_INT(bench_number(world, "tick"), 0);
    CHECK_NEAR(bench_number(cJSON_GetObjectItem(world, "settings"), "drag"), 0.5, 0);
    bench_close(&bench);
}

static void a_world_with_nothing_in_it_sends_no_message(void) {
    bench_open(&bench, NULL);
    const cJSON *result = bench_call(&bench, "world.step", "{\"state\":{}}");
    CHECK_INT(cJSON_GetArraySize(cJSON_GetObjectItem(cJSON_GetObjectItem(result, "state"), "cloths")), 0);
    CHECK(bench_position(&bench, SIM_BINARY, 1, NULL) == UINT32_MAX);
    bench_close(&bench);
}

RUN_TESTS(TEST(floats_of_every_cloth_and_poses_come_before_the_reply),
          TEST(velocities_follow_their_positions_where_they_are_wanted),
          TEST(quantised_it_decodes_by_what_the_reply_says),
          TEST(an_unknown_cloth_is_refused_before_anything_happens),
          TEST(a_world_with_nothing_in_it_sends_no_message))
