/* world.describe, world.list and world.stats as JSON. */
#include "check.h"
#include "support_sim.h"

static struct bench bench;

static void a_world_is_described_whole(void) {
    bench_open(
        &bench,
        "{\"title\":\"T\",\"view\":{\"target\":[0,1,0]},\"world\":{\"gravity\":[0,-1,0],\"solver\":{\"substeps\":3}},"
        "\"cloths\":[{\"cloth\":\"a\",\"grid\":{\"nx\":3,\"ny\":3,\"size\":[1,1]},\"friction\":0.7}],"
        "\"colliders\":[{\"collider\":\"floor\",\"shape\":{\"type\":\"plane\"},\"motion\":\"static\"}]}");
    const cJSON *world = bench_call(&bench, "world.describe", NULL);
    CHECK_STRING(bench_string(world, "world"), "main");
    CHECK_STRING(bench_string(world, "title"), "T");
    CHECK(cJSON_GetObjectItem(cJSON_GetObjectItem(world, "view"), "target") != NULL);
    CHECK(cJSON_IsFalse(cJSON_GetObjectItem(world, "running")));
    const cJSON *settings = cJSON_GetObjectItem(world, "settings");
    CHECK_NEAR(cJSON_GetArrayItem(cJSON_GetObjectItem(settings, "gravity"), 1)->valuedouble, -1, 0);
    CHECK_NEAR(bench_number(settings, "time_scale"), 1, 0);
    const cJSON *solver = cJSON_GetObjectItem(world, "solver");
    CHECK_STRING(bench_string(solver, "method"), "xpbd");
    CHECK_INT(bench_number(solver, "substeps"), 3);
    const cJSON *cloth = cJSON_GetArrayItem(cJSON_GetObjectItem(world, "cloths"), 0);
    CHECK_STRING(bench_string(cloth, "cloth"), "a");
    CHECK_NEAR(bench_number(cJSON_GetObjectItem(cloth, "material"), "friction"), 0.7, 1e-12);
    CHECK_INT(bench_number(cJSON_GetObjectItem(cloth, "report"), "edges"), 16);
    const cJSON *collider = cJSON_GetArrayItem(cJSON_GetObjectItem(world, "colliders"), 0);
    CHECK_STRING(bench_string(collider, "collider"), "floor");
    CHECK_STRING(bench_string(collider, "motion"), "static");
    CHECK_INT(strlen(bench_string(world, "state_hash")), 16);
    bench_close(&bench);
}

static void the_list_has_one_entry_a_world(void) {
    bench_open(&bench, NULL);
    bench_call(&bench, "world.create", "{\"world\":\"two\"}");
    bench_call(&bench, "cloth.add",
               "{\"world\":\"two\",\"cloth\":\"a\",\"grid\":{\"nx\":3,\"ny\":3,\"size\":[1,1]}}");
    const cJSON *worlds = cJSON_GetObjectItem(bench_call(&bench, "world.list", NULL), "worlds");
    CHECK_INT(cJSON_GetArraySize(worlds), 2);
    const cJSON *two = cJSON_GetArrayItem(worlds, 1);
    CHECK_STRING(bench_string(two, "world"), "two");
    CHECK(cJSON_IsTrue(cJSON_GetObjectItem(two, "running")));
    CHECK_INT(bench_number(two, "cloths"), 1);
    CHECK_INT(bench_number(two, "clients"), 1);
    bench_close(&bench);
}

static void stats_measure_the_tick_rate_also_within_the_first_second(void) {
    bench_open(&bench, "{\"cloths\":[{\"cloth\":\"a\",\"grid\":{\"nx\":3,\"ny\":3,\"size\":[1,1]}}]}");
    CHECK_NEAR(bench_number(bench_call(&bench, "world.stats", NULL), "tick_rate"), 0, 0);
    bench_call(&bench, "world.resume", NULL);
    bench_advance(&bench, 500000);
    const cJSON *stats = bench_call(&bench, "world.stats", NULL);
    CHECK_NEAR(bench_number(stats, "tick_rate"), 60, 2.5); /* 29 or 30 ticks in half a second */
    CHECK_INT(bench_number(stats, "constraints"), 16 + 8); /* edges and hinges of 3×3 vertices */
    CHECK(bench_number(stats, "kinetic_energy") > 0);
    CHECK(bench_number(stats, "max_strain") >= 0);
    bench_close(&bench);
}

RUN_TESTS(TEST(a_world_is_described_whole), TEST(the_list_has_one_entry_a_world),
          TEST(stats_measure_the_tick_rate_also_within_the_first_second))
