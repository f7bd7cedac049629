/* world.*: every method once, and what each refuses. */
#include "check.h"
#include "support_sim.h"

#define SHEET "{\"cloths\":[{\"cloth\":\"a\",\"grid\":{\"nx\":5,\"ny\":5,\"size\":[1,1]}}]}"

static struct bench bench;

static void a_world_is_created_from_a_scene_a_spec_or_nothing(void) {
    bench_open(&bench, NULL);
    bench_call(&bench, "world.create", "{\"world\":\"empty\"}");
    bench_call(&bench, "world.create", "{\"world\":\"spec\",\"spec\":" SHEET ",\"paused\":true}");
    const cJSON *worlds = cJSON_GetObjectItem(bench_call(&bench, "world.list", NULL), "worlds");
    CHECK_INT(cJSON_GetArraySize(worlds), 3);
    CHECK(cJSON_IsTrue(cJSON_GetObjectItem(cJSON_GetArrayItem(worlds, 1), "running")));
    CHECK(cJSON_IsFalse(cJSON_GetObjectItem(cJSON_GetArrayItem(worlds, 2), "running")));
    CHECK_INT(bench_number(cJSON_GetArrayItem(worlds, 2), "cloths"), 1);
    /* The bench allows 2000 vertices a world, games103 has 441. */
    CHECK(bench_call(&bench, "world.create", "{\"world\":\"named\",\"scene\":\"games103\"}") != NULL);
    bench_close(&bench);
}

static void create_refuses_taken_names_unknown_scenes_and_too_many_worlds(void) {
    bench_open(&bench, NULL);
    CHECK_INT(bench_number(bench_refused(&bench, "world.create", "{\"world\":\"main\"}"), "code"), -32002);
    CHECK_INT(
        bench_number(bench_refused(&bench, "world.create", "{\"world\":\"w\",\"scene\":\"nope\"}"), "code"),
        -32001);
    bench_call(&bench, "world.create", "{\"world\":\"w1\"}");
    bench_call(&bench, "world.create", "{\"world\":\"w2\"}");
    bench_call(&bench, "world.create", "{\"world\":\"w3\"}");
    const cJSON *error = bench_refused(&bench, "world.create", "{\"world\":\"w4\"}");
    CHECK_INT(bench_number(error, "code"), -32004);
    const cJSON *data = cJSON_GetObjectItem(error, "data");
    CHECK_STRING(bench_string(data, "limit"), "max_worlds");
    CHECK_INT(bench_number(data, "max"), 4);
    CHECK_INT(bench_number(data, "got"), 5);
    bench_close(&bench);
}

static void a_clone_is_the_same_bits_now_or_at_the_start(void) {
    bench_open(&bench, SHEET);
    char start[17], now[17], later[17];
    snprintf(start, sizeof start, "%s", bench_hash(&bench));
    bench_call(&bench, "cloth.grab", "{\"cloth\":\"a\",\"vertex\":12,\"position\":[0,1,0]}");
    bench_call(&bench, "world.step", "{\"ticks\":7}");
    snprintf(now, sizeof now, "%s", bench_hash(&bench));
    CHECK_INT(bench_number(
                  bench_call(&bench, "world.create", "{\"world\":\"w1\",\"like\":\"main\",\"paused\":true}"),
                  "tick"),
              7);
    bench_call(&bench, "world.create",
               "{\"world\":\"w2\",\"like\":\"main\",\"at\":\"scene\",\"paused\":true}");
    CHECK_STRING(bench_string(bench_call(&bench, "world.describe", "{\"world\":\"w1\"}"), "state_hash"), now);
    CHECK_STRING(bench_string(bench_call(&bench, "world.describe", "{\"world\":\"w2\"}"), "state_hash"),
                 start);
    snprintf(later, sizeof later, "%s",
             bench_string(bench_call(&bench, "world.step", "{\"ticks\":20}"), "state_hash"));
    CHECK_STRING(
        bench_string(bench_call(&bench, "world.step", "{\"world\":\"w1\",\"ticks\":20}"), "state_hash"),
        later);
    /* The hand is there, too, and held by the same client. */
    CHECK(bench_call(&bench, "cloth.drag", "{\"world\":\"w1\",\"grab\":1,\"position\":[0,2,0]}") != NULL);
    CHECK(bench_refused(&bench, "cloth.drag", "{\"world\":\"w2\",\"grab\":1,\"position\":[0,2,0]}") != NULL);
    CHECK_STRING(bench_string(bench_call(&bench, "world.describe", NULL), "state_hash"), later);
    bench_call(&bench, "world.reset", "{\"world\":\"w1\"}");
    CHECK_STRING(bench_string(bench_call(&bench, "world.describe", "{\"world\":\"w1\"}"), "state_hash"),
                 start);
    bench_close(&bench);
}

static void a_clone_of_nothing_or_beyond_the_limits_is_refused(void) {
    bench_open(&bench, SHEET);
    const cJSON *error = bench_refused(&bench, "world.create", "{\"world\":\"w\",\"like\":\"nope\"}");
    CHECK_INT(bench_number(error, "code"), -32001);
    CHECK_STRING(bench_string(cJSON_GetObjectItem(error, "data"), "path"), "like");
    error = bench_refused(&bench, "world.create", "{\"world\":\"w\",\"at\":\"now\"}");
    CHECK_STRING(bench_string(cJSON_GetObjectItem(error, "data"), "reason"), "missing");
    bench_call(&bench, "cloth.add", "{\"cloth\":\"b\",\"grid\":{\"nx\":40,\"ny\":40,\"size\":[1,1]}}");
    error = bench_refused(&bench, "world.create", "{\"world\":\"w\",\"like\":\"main\"}");
    CHECK_INT(bench_number(error, "code"), -32004);
    CHECK_STRING(bench_string(cJSON_GetObjectItem(error, "data"), "limit"), "max_vertices");
    CHECK_INT(bench_number(cJSON_GetObjectItem(error, "data"), "got"), 3250);
    CHECK_INT(bench.sim->world_count, 1);
    bench_close(&bench);
}

static void a_clone_waits_for_the_end_of_a_step(void) {
    bench_open(&bench, SHEET);
    bench_connect(&bench, 2);
    bench.read_us = 4000; /* two ticks a slice */
    int step = bench_send(&bench, 1, "world.step", "{\"ticks\":9}");
    bench_run(&bench);
    CHECK(bench_reply(&bench, step) == NULL);
    const cJSON *made =
        bench_call_as(&bench, 2, "world.create", "{\"world\":\"w\",\"like\":\"main\",\"paused\":true}");
    CHECK(bench_reply(&bench, step) != NULL);
    CHECK_INT(bench_number(made, "tick"), 9);
    bench_close(&bench);
}

static void full_describes_a_scene_that_makes_the_world_again(void) {
    bench_open(&bench, SHEET);
    bench_call(&bench, "cloth.pin", "{\"cloth\":\"a\",\"vertices\":[0,4]}");
    CHECK(cJSON_GetObjectItem(bench_call(&bench, "world.describe", "{\"full\":false}"), "spec") == NULL);
    const cJSON *world = bench_call(&bench, "world.describe", "{\"full\":true}");
    char hash[17], *spec = cJSON_PrintUnformatted(cJSON_GetObjectItem(world, "spec")), params[4096];
    snprintf(hash, sizeof hash, "%s", bench_string(world, "state_hash"));
    snprintf(params, sizeof params, "{\"world\":\"again\",\"spec\":%s,\"paused\":true}", spec);
    cJSON_free(spec);
    CHECK(bench_call(&bench, "world.create", params) != NULL);
    world = bench_call(&bench, "world.describe", "{\"world\":\"again\"}");
    CHECK_STRING(bench_string(world, "state_hash"), hash);
    const cJSON *cloth = cJSON_GetArrayItem(cJSON_GetObjectItem(world, "cloths"), 0);
    CHECK_INT(cJSON_GetArraySize(cJSON_GetObjectItem(cloth, "pins")), 2);
    bench_close(&bench);
}

static void a_world_index_is_not_that_of_a_destroyed_world(void) {
    bench_open(&bench, NULL);
    bench_call(&bench, "world.create", "{\"world\":\"w\"}");
    double first = bench_number(bench_call(&bench, "world.describe", "{\"world\":\"w\"}"), "world_index");
    bench_call(&bench, "world.destroy", "{\"world\":\"w\"}");
    bench_call(&bench, "world.create", "{\"world\":\"w\"}");
    CHECK(bench_number(bench_call(&bench, "world.describe", "{\"world\":\"w\"}"), "world_index") != first);
    bench_close(&bench);
}

static void destroy_tells_the_members_and_ends_their_streams(void) {
    bench_open(&bench, NULL);
    bench_call(&bench, "world.create", "{\"world\":\"w\",\"spec\":" SHEET "}");
    bench_connect(&bench, 2);
    bench_call_as(&bench, 2, "stream.subscribe", "{\"world\":\"w\"}");
    bench_clear(&bench);
    bench_call(&bench, "world.destroy", "{\"world\":\"w\"}");
    CHECK_STRING(bench_string(bench_notification(&bench, 2, "event", 0), "method"), "world.destroy");
    CHECK(bench_position(&bench, SIM_TIER_END, 0, NULL) != UINT32_MAX);
    CHECK_INT(bench_number(bench_refused(&bench, "world.describe", "{\"world\":\"w\"}"), "code"), -32001);
    CHECK_INT(bench.sim->world_count, 1);
    bench_close(&bench);
}

static void main_cannot_be_destroyed(void) {
    bench_open(&bench, NULL);
    CHECK_INT(bench_number(bench_refused(&bench, "world.destroy", NULL), "code"), -32005);
    bench_close(&bench);
}

static void load_replaces_everything_and_keeps_running_or_paused(void) {
    bench_open(&bench, SHEET);
    bench_call(&bench, "world.resume", NULL);
    bench_advance(&bench, 100000);
    const cJSON *result =
        bench_call(&bench, "world.load",
                   "{\"spec\":{\"cloths\":[{\"cloth\":\"z\",\"grid\":{\"nx\":2,\"ny\":2,\"size\":[1,1]}}]}}");
    CHECK_INT(bench_number(result, "tick"), 0);
    CHECK_INT(bench_number(result, "epoch"), 3); /* the bench's own load was the second */
    const cJSON *world = bench_call(&bench, "world.describe", NULL);
    CHECK(cJSON_IsTrue(cJSON_GetObjectItem(world, "running")));
    CHECK_INT(cJSON_GetArraySize(cJSON_GetObjectItem(world, "cloths")), 1);
    bench_close(&bench);
}

static void a_load_that_fails_leaves_the_world_as_it_was(void) {
    bench_open(&bench, SHEET);
    char before[17];
    strcpy(before, bench_hash(&bench));
    const cJSON *error = bench_refused(
        &bench, "world.load",
        "{\"spec\":{\"cloths\":[{\"cloth\":\"z\",\"grid\":{\"nx\":50,\"ny\":50,\"size\":[1,1]}}]}}");
    CHECK_INT(bench_number(error, "code"), -32004);
    CHECK(strncmp(bench_string(cJSON_GetObjectItem(error, "data"), "path"), "spec.cloths[0]", 14) == 0);
    CHECK_STRING(bench_hash(&bench), before);
    CHECK_INT(bench_number(bench_call(&bench, "world.describe", NULL), "epoch"), 2);
    bench_close(&bench);
}

static void reset_is_bit_exact_after_anything(void) {
    bench_open(
        &bench,
        "{\"cloths\":[{\"cloth\":\"a\",\"grid\":{\"nx\":5,\"ny\":5,\"size\":[1,1]},\"pins\":[0]}],"
        "\"colliders\":[{\"collider\":\"ball\",\"shape\":{\"type\":\"sphere\",\"radius\":0.2},\"position\":[0,-1,0]}]}");
    char start[17], later[17];
    strcpy(start, bench_hash(&bench));
    strcpy(later, bench_string(bench_call(&bench, "world.step", "{\"ticks\":40}"), "state_hash"));
    bench_call(&bench, "cloth.pin", "{\"cloth\":\"a\",\"vertices\":[24]}");
    bench_call(&bench, "cloth.unpin", "{\"cloth\":\"a\",\"vertices\":[0]}");
    bench_call(&bench, "cloth.set", "{\"cloth\":\"a\",\"friction\":0.9,\"stretch_compliance\":0.001}");
    bench_call(&bench, "world.set", "{\"gravity\":[1,2,3],\"time_scale\":3,\"solver\":{\"method\":\"pbd\"}}");
    bench_call(&bench, "collider.remove", "{\"collider\":\"ball\"}");
    bench_call(&bench, "cloth.add", "{\"cloth\":\"b\",\"grid\":{\"nx\":3,\"ny\":3,\"size\":[1,1]}}");
    bench_call(&bench, "world.step", "{\"ticks\":10}");
    const cJSON *result = bench_call(&bench, "world.reset", NULL);
    CHECK_INT(bench_number(result, "tick"), 0);
    CHECK_STRING(bench_hash(&bench), start);
    CHECK_STRING(bench_string(bench_call(&bench, "world.step", "{\"ticks\":40}"), "state_hash"), later);
    const cJSON *world = bench_call(&bench, "world.describe", NULL);
    CHECK_NEAR(bench_number(cJSON_GetObjectItem(world, "settings"), "time_scale"), 1, 0);
    CHECK_INT(cJSON_GetArraySize(cJSON_GetObjectItem(world, "cloths")), 1);
    CHECK_INT(cJSON_GetArraySize(cJSON_GetObjectItem(world, "colliders")), 1);
    bench_close(&bench);
}

static void wind_blows_and_reset_brings_the_calm_back(void) {
    bench_open(&bench, SHEET);
    char start[17];
    strcpy(start, bench_hash(&bench));
    const cJSON *set =
        bench_call(&bench, "world.set", "{\"wind\":{\"velocity\":[9,0,0],\"turbulence\":0.2},\"seed\":3}");
    const cJSON *previous = cJSON_GetObjectItem(set, "previous");
    CHECK_NEAR(bench_number(cJSON_GetObjectItem(previous, "wind"), "turbulence"), 0, 0);
    CHECK_INT(cJSON_GetArraySize(cJSON_GetObjectItem(previous, "wind")), 2);
    CHECK_NEAR(bench_number(previous, "seed"), 0, 0);
    bench_call(&bench, "world.step", "{\"ticks\":30}");
    const cJSON *world = bench_call(&bench, "world.describe", NULL);
    const cJSON *wind = cJSON_GetObjectItem(cJSON_GetObjectItem(world, "settings"), "wind");
    CHECK_NEAR(cJSON_GetArrayItem(cJSON_GetObjectItem(wind, "velocity"), 0)->valuedouble, 9, 0);
    CHECK_NEAR(bench_number(wind, "air_density"), 1.225, 1e-6);
    bench_call(&bench, "world.reset", NULL);
    CHECK_STRING(bench_hash(&bench), start);
    world = bench_call(&bench, "world.describe", NULL);
    wind = cJSON_GetObjectItem(cJSON_GetObjectItem(world, "settings"), "wind");
    CHECK_NEAR(cJSON_GetArrayItem(cJSON_GetObjectItem(wind, "velocity"), 0)->valuedouble, 0, 0);
    bench_close(&bench);
}

static void reset_keeps_running_and_time_goes_on(void) {
    bench_open(&bench, SHEET);
    bench_call(&bench, "world.resume", NULL);
    bench_advance(&bench, 500000);
    bench_call(&bench, "world.reset", NULL);
    bench_advance(&bench, 500000);
    CHECK_NEAR(bench_number(bench_call(&bench, "world.stats", NULL), "tick"), 30, 1);
    bench_close(&bench);
}

static void pausing_twice_is_pausing_once(void) {
    bench_open(&bench, SHEET);
    CHECK(bench_call(&bench, "world.pause", NULL) != NULL);
    CHECK(bench_call(&bench, "world.resume", NULL) != NULL);
    CHECK(bench_call(&bench, "world.resume", NULL) != NULL);
    bench_advance(&bench, 100000);
    CHECK(bench_call(&bench, "world.pause", NULL) != NULL);
    double tick = bench_number(bench_call(&bench, "world.stats", NULL), "tick");
    bench_advance(&bench, 1000000);
    CHECK_INT(bench_number(bench_call(&bench, "world.stats", NULL), "tick"), tick);
    bench_close(&bench);
}

static void set_changes_what_is_named_and_tells_what_it_replaced(void) {
    bench_open(&bench, SHEET);
    bench_call(&bench, "world.set", "{\"solver\":{\"iterations\":3}}");
    const cJSON *result =
        bench_call(&bench, "world.set", "{\"gravity\":[0,-5,0],\"solver\":{\"substeps\":4}}");
    const cJSON *previous = cJSON_GetObjectItem(result, "previous");
    CHECK_INT(cJSON_GetArraySize(previous), 2);
    CHECK_NEAR(cJSON_GetArrayItem(cJSON_GetObjectItem(previous, "gravity"), 1)->valuedouble, -9.8, 1e-12);
    CHECK_INT(cJSON_GetArraySize(cJSON_GetObjectItem(previous, "solver")), 1);
    CHECK_INT(bench_number(cJSON_GetObjectItem(previous, "solver"), "substeps"), 10);
    const cJSON *solver = cJSON_GetObjectItem(bench_call(&bench, "world.describe", NULL), "solver");
    CHECK_INT(bench_number(solver, "iterations"), 3); /* a partial solver keeps the rest */
    CHECK_INT(bench_number(solver, "substeps"), 4);
    bench_close(&bench);
}

static void another_dt_changes_the_rate_at_once(void) {
    bench_open(&bench, SHEET);
    bench_call(&bench, "world.set", "{\"solver\":{\"dt\":0.01}}");
    bench_call(&bench, "world.resume", NULL);
    bench_advance(&bench, 1000000);
    CHECK_NEAR(bench_number(bench_call(&bench, "world.stats", NULL), "tick"), 100, 1);
    bench_close(&bench);
}

static void jacobi_lists_inactive_parameters(void) {
    bench_open(&bench, SHEET);
    bench_call(&bench, "world.set", "{\"solver\":{\"method\":\"jacobi\"}}");
    const cJSON *inactive = cJSON_GetObjectItem(bench_call(&bench, "world.describe", NULL), "inactive");
    bool substeps = false;
    const cJSON *name;
    cJSON_ArrayForEach(name, inactive) substeps =
        substeps || strcmp(name->valuestring, "solver.substeps") == 0;
    CHECK(substeps);
    bench_close(&bench);
}

RUN_TESTS(TEST(a_clone_is_the_same_bits_now_or_at_the_start),
          TEST(a_clone_of_nothing_or_beyond_the_limits_is_refused), TEST(a_clone_waits_for_the_end_of_a_step),
          TEST(full_describes_a_scene_that_makes_the_world_again),
          TEST(a_world_is_created_from_a_scene_a_spec_or_nothing),
          TEST(create_refuses_taken_names_unknown_scenes_and_too_many_worlds),
          TEST(a_world_index_is_not_that_of_a_destroyed_world),
          TEST(destroy_tells_the_members_and_ends_their_streams), TEST(main_cannot_be_destroyed),
          TEST(load_replaces_everything_and_keeps_running_or_paused),
          TEST(a_load_that_fails_leaves_the_world_as_it_was), TEST(reset_is_bit_exact_after_anything),
          TEST(reset_keeps_running_and_time_goes_on), TEST(pausing_twice_is_pausing_once),
          TEST(set_changes_what_is_named_and_tells_what_it_replaced),
          TEST(another_dt_changes_the_rate_at_once), TEST(wind_blows_and_reset_brings_the_calm_back),
          TEST(jacobi_lists_inactive_parameters))
