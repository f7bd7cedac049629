/* What subscribers see: in real time, paused, after jumps and in new epochs. */
#include "check.h"
#include "support_sim.h"
#include <math.h>
#include <stdlib.h>

#define SCENE                                                                                                \
    "{\"cloths\":[{\"cloth\":\"a\",\"grid\":{\"nx\":5,\"ny\":5,\"size\":[1,1]}}],"                           \
    "\"colliders\":[{\"collider\":\"ball\",\"shape\":{\"type\":\"sphere\",\"radius\":0.2},\"position\":[0,-3,0]}]}"

static struct bench bench;
static struct viewer viewer;

static void open_subscribed(void) {
    bench_open(&bench, SCENE);
    memset(&viewer, 0, sizeof viewer);
    viewer.cloths[0].cols = 5;
    bench_call(&bench, "stream.subscribe", NULL);
}

/* Applies all frames of the log in order, as a client that misses none. */
static void watch(void) {
    for (uint32_t i = 0; bench_frame(&bench, 0, i); ++i) {
        const struct sim_output *frame = bench_frame(&bench, 0, i);
        viewer_apply(&viewer, frame->delta ? frame->delta : frame->key);
    }
    bench_clear(&bench);
}

/* The viewer's planes are the positions that the server reports, rounded to the step. */
static void check_positions(void) {
    const cJSON *values =
        cJSON_GetObjectItem(bench_call(&bench, "cloth.positions", "{\"cloth\":\"a\"}"), "values");
    CHECK_INT(cJSON_GetArraySize(values), 75);
    int wrong = 0, i = 0;
    const cJSON *value;
    cJSON_ArrayForEach(value, values) {
        float position = (float)value->valuedouble;
        int32_t want = (int32_t)lrintf(ldexpf(position, -viewer.cloths[0].step_exp));
        wrong += viewer.cloths[0].planes[i % 3][i / 3] != want;
        ++i;
    }
    CHECK_INT(wrong, 0);
}

static void every_tick_brings_one_frame_that_decodes_to_its_positions(void) {
    open_subscribed();
    bench_call(&bench, "world.resume", NULL);
    for (int i = 0; i < 20; ++i) {
        watch();
        bench_advance(&bench, 16700);
        CHECK(bench_frames(&bench, 0) <= 2);
    }
    watch();
    check_positions();
    CHECK_INT(viewer.errors, 0);
    CHECK(viewer.deltas >= 19);
    CHECK_INT(viewer.keys, 1);
    bench_close(&bench);
}

static void a_paused_world_is_silent(void) {
    open_subscribed();
    watch();
    bench_advance(&bench, 900000);
    CHECK_INT(bench_frames(&bench, 0), 0);
    bench_close(&bench);
}

static void a_teleport_in_a_paused_world_is_a_key_of_the_same_tick_with_a_cut(void) {
    open_subscribed();
    bench_call(&bench, "world.step", "{\"ticks\":5}");
    watch();
    bench_call(&bench, "collider.move", "{\"collider\":\"ball\",\"position\":[1,2,3],\"teleport\":true}");
    CHECK_INT(bench_frames(&bench, 0), 1);
    CHECK(bench_frame(&bench, 0, 0)->key != NULL && bench_frame(&bench, 0, 0)->delta == NULL);
    CHECK_INT(bench_frame(&bench, 0, 0)->tick, 5);
    watch();
    CHECK_NEAR(viewer.poses[0].position[2], 3, 0);
    CHECK(viewer.pose_flags & FRAME_CUT);
    CHECK_INT(viewer.errors, 0);
    bench_close(&bench);
}

static void set_state_in_a_paused_world_shows_at_once(void) {
    open_subscribed();
    watch();
    static char params[4096];
    int length = snprintf(params, sizeof params, "{\"cloth\":\"a\",\"positions\":[");
    for (int i = 0; i < 75; ++i) {
        length += snprintf(params + length, sizeof params - (size_t)length, "%s%d.25", i ? "," : "", i % 7);
    }
    snprintf(params + length, sizeof params - (size_t)length, "]}");
    CHECK(bench_call(&bench, "cloth.set_state", params) != NULL);
    watch();
    CHECK(viewer.cloths[0].flags & FRAME_CUT);
    check_positions();
    bench_call(&bench, "world.step", NULL); /* deltas go on from there */
    watch();
    check_positions();
    CHECK_INT(viewer.errors, 0);
    bench_close(&bench);
}

static void a_move_in_a_paused_world_waits_for_the_next_step(void) {
    open_subscribed();
    watch();
    bench_call(&bench, "collider.move", "{\"collider\":\"ball\",\"position\":[1,2,3]}");
    CHECK_INT(bench_frames(&bench, 0), 0);
    bench_call(&bench, "world.step", NULL);
    watch();
    CHECK_NEAR(viewer.poses[0].position[0], 1, 0);
    bench_close(&bench);
}

static void reset_begins_an_epoch_with_a_cut_key_after_the_meshes(void) {
    open_subscribed();
    bench_call(&bench, "world.step", "{\"ticks\":5}");
    watch();
    bench_call(&bench, "world.reset", NULL);
    CHECK_INT(bench_notifications(&bench, 1, "mesh"), 2);
    CHECK_INT(bench_number(bench_notification(&bench, 1, "mesh", 0), "epoch"), 3); /* the load was 2 */
    CHECK(bench_position(&bench, SIM_BINARY, 1, NULL) < bench_position(&bench, SIM_FRAME, 0, NULL));
    CHECK(bench_frame(&bench, 0, 0)->key != NULL && bench_frame(&bench, 0, 0)->delta == NULL);
    CHECK_INT(bench_frame(&bench, 0, 0)->tick, 0);
    watch();
    CHECK_INT(viewer.cloths[0].epoch, 3);
    CHECK(viewer.cloths[0].flags & FRAME_CUT);
    check_positions();
    CHECK_INT(viewer.errors, 0);
    bench_close(&bench);
}

static void a_reset_of_a_running_world_is_seen_without_a_gap(void) {
    open_subscribed();
    bench_call(&bench, "world.resume", NULL);
    bench_advance(&bench, 100000);
    watch();
    bench_call(&bench, "world.reset", NULL);
    bench_advance(&bench, 100000);
    watch();
    check_positions();
    CHECK_INT(viewer.errors, 0);
    CHECK_INT(viewer.cloths[0].epoch, 3);
    bench_close(&bench);
}

static void an_added_cloth_streams_to_those_who_watch_all(void) {
    open_subscribed();
    bench_call(&bench, "world.resume", NULL);
    bench_advance(&bench, 50000);
    watch();
    bench_call(&bench, "cloth.add", "{\"cloth\":\"b\",\"grid\":{\"nx\":3,\"ny\":3,\"size\":[1,1]}}");
    bench_advance(&bench, 50000);
    const cJSON *mesh = bench_notification(&bench, 1, "mesh", 0);
    CHECK_STRING(bench_string(mesh, "name"), "b");
    CHECK_INT(bench_number(mesh, "object"), 2);
    CHECK(bench_position(&bench, SIM_TEXT, 1, "mesh") < bench_position(&bench, SIM_FRAME, 0, NULL));
    viewer.cloths[2].cols = 3;
    watch();
    CHECK(viewer.cloths[2].known);
    CHECK_INT(viewer.errors, 0);
    CHECK_INT(viewer.keys, 2); /* the first of a and the first of b */
    bench_call(&bench, "cloth.remove", "{\"cloth\":\"b\"}");
    bench_advance(&bench, 50000);
    mesh = bench_notification(&bench, 1, "mesh", 0);
    CHECK(cJSON_IsTrue(cJSON_GetObjectItem(mesh, "removed")));
    CHECK_INT(bench_number(mesh, "object"), 2);
    watch();
    CHECK_INT(viewer.errors, 0);
    bench_close(&bench);
}

static void pausing_shows_the_tick_at_which_it_stopped_to_slow_tiers_too(void) {
    bench_open(&bench, SCENE);
    bench_call(&bench, "stream.subscribe", "{\"max_hz\":6}"); /* every 10th tick */
    bench_call(&bench, "world.resume", NULL);
    bench_advance(&bench, 16667 * 14);
    bench_clear(&bench);
    double tick = bench_number(bench_call(&bench, "world.pause", NULL), "tick");
    CHECK(fmod(tick, 10) != 0);
    CHECK_INT(bench_frames(&bench, 0), 1);
    CHECK_INT(bench_frame(&bench, 0, 0)->tick, tick);
    bench_close(&bench);
}

static void a_full_outbox_drops_frames_and_the_next_one_is_a_key(void) {
    open_subscribed();
    bench_connect(&bench, 2);
    bench_call_as(&bench, 2, "stream.subscribe", NULL);
    bench_call(&bench, "world.resume", NULL);
    bench_advance(&bench, 50000);
    watch();
    /* Nobody takes what comes out: the queue fills up. */
    while (bench.sim->outbox.overflow_count == 0) {
        for (int i = 0; i < 512; ++i)
            outbox_join(&bench.sim->outbox, 77, 1000, false);
        outbox_flush(&bench.sim->outbox);
    }
    bench.now_us += 16667;
    simulation_run(bench.sim);
    struct sim_output *output;
    while ((output = sim_pop(bench.sim)) != NULL) {
        CHECK(output->kind != SIM_FRAME);
        sim_output_free(output);
        outbox_flush(&bench.sim->outbox);
    }
    bench.now_us += 16667;
    bench_run(&bench);
    CHECK_INT(bench_frames(&bench, 0), 1);
    CHECK(bench_frame(&bench, 0, 0)->key != NULL);
    bench_close(&bench);
}

#define STILL                                                                                                      \
    "{\"world\":{\"gravity\":[0,0,0]},\"cloths\":[{\"cloth\":\"a\",\"grid\":{\"nx\":5,\"ny\":5,\"size\":[1,1]}}]," \
    "\"colliders\":[{\"collider\":\"ball\",\"shape\":{\"type\":\"sphere\",\"radius\":0.2},\"position\":[0,-3,0]}]}"

/* Asleep from one second on; then ten seconds of it. */
static void a_sleeping_world_sends_one_unchanged_frame_a_second(void) {
    bench_open(&bench, STILL);
    memset(&viewer, 0, sizeof viewer);
    viewer.cloths[0].cols = 5;
    bench_call(&bench, "stream.subscribe", NULL);
    bench_call(&bench, "world.resume", NULL);
    bench_advance(&bench, 2000000);
    CHECK(cJSON_IsTrue(
        cJSON_GetObjectItem(bench_call(&bench, "cloth.describe", "{\"cloth\":\"a\"}"), "asleep")));
    watch();
    uint32_t unchanged = viewer.unchanged;
    bench_advance(&bench, 10000000);
    CHECK(bench_frames(&bench, 0) >= 9 && bench_frames(&bench, 0) <= 10);
    watch();
    CHECK(viewer.unchanged > unchanged);
    CHECK_INT(viewer.keys, 1);
    CHECK_INT(viewer.errors, 0);
    bench_close(&bench);
}

static void what_wakes_a_world_is_seen_in_the_next_frame(void) {
    bench_open(&bench, STILL);
    memset(&viewer, 0, sizeof viewer);
    viewer.cloths[0].cols = 5;
    bench_call(&bench, "stream.subscribe", NULL);
    bench_call(&bench, "world.resume", NULL);
    bench_advance(&bench, 2300000);
    watch();
    /* A collider that moves far away wakes nothing, but is shown. */
    bench_call(&bench, "collider.move", "{\"collider\":\"ball\",\"position\":[0,-4,0]}");
    bench_advance(&bench, 40000);
    CHECK(bench_frames(&bench, 0) >= 1);
    watch();
    CHECK_NEAR(viewer.poses[0].position[1], -4, 0);
    bench_call(&bench, "cloth.impulse", "{\"cloth\":\"a\",\"vertices\":[12],\"impulse\":[0,0.01,0]}");
    bench_advance(&bench, 100000);
    CHECK(bench_frames(&bench, 0) >= 4);
    watch();
    check_positions();
    CHECK_INT(viewer.errors, 0);
    CHECK_INT(viewer.keys, 1); /* deltas go on where the sleep began */
    bench_close(&bench);
}

static void a_step_of_a_sleeping_world_is_shown(void) {
    bench_open(&bench, STILL);
    bench_call(&bench, "stream.subscribe", NULL);
    bench_call(&bench, "world.step", "{\"ticks\":90}");
    bench_clear(&bench);
    bench_call(&bench, "world.step", NULL);
    CHECK_INT(bench_frames(&bench, 0), 1);
    CHECK_INT(bench_frame(&bench, 0, 0)->tick, 91);
    bench_close(&bench);
}

RUN_TESTS(TEST(a_sleeping_world_sends_one_unchanged_frame_a_second),
          TEST(what_wakes_a_world_is_seen_in_the_next_frame), TEST(a_step_of_a_sleeping_world_is_shown),
          TEST(every_tick_brings_one_frame_that_decodes_to_its_positions), TEST(a_paused_world_is_silent),
          TEST(a_teleport_in_a_paused_world_is_a_key_of_the_same_tick_with_a_cut),
          TEST(set_state_in_a_paused_world_shows_at_once),
          TEST(a_move_in_a_paused_world_waits_for_the_next_step),
          TEST(reset_begins_an_epoch_with_a_cut_key_after_the_meshes),
          TEST(a_reset_of_a_running_world_is_seen_without_a_gap),
          TEST(an_added_cloth_streams_to_those_who_watch_all),
          TEST(pausing_shows_the_tick_at_which_it_stopped_to_slow_tiers_too),
          TEST(a_full_outbox_drops_frames_and_the_next_one_is_a_key))
