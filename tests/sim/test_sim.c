/* Creation and the two queues, without the thread. */
#include "check.h"
#include <sim/simulation.h>

static struct sim_config config(void) {
    return (struct sim_config){
        .paused = true,
        .version = "1.2.3",
        .build = "test",
        .limits = {.max_worlds = 2, .max_vertices_per_world = 1000, .max_vertices = 1000}};
}

static void main_exists_from_the_start(void) {
    char message[256];
    struct sim_config plain = config();
    struct sim *sim = sim_create(&plain, message, sizeof message);
    CHECK(sim != NULL);
    CHECK(sim_find_world(sim, "main") != NULL);
    CHECK(!sim_find_world(sim, "main")->clock.running);
    struct sim_output *output = sim_pop(sim);
    CHECK(output && output->kind == SIM_WORLD_STATE && output->paused);
    sim_output_free(output);
    struct sim_metrics metrics;
    sim_get_metrics(sim, &metrics);
    CHECK_INT(metrics.worlds, 1);
    sim_destroy(sim);
}

static void the_config_is_copied(void) {
    char message[256], version[8] = "9.9";
    struct sim_config own = config();
    own.version = version;
    struct sim *sim = sim_create(&own, message, sizeof message);
    memset(version, 'x', sizeof version - 1);
    CHECK_STRING(sim->config.version, "9.9");
    sim_destroy(sim);
}

static void a_missing_scene_says_so_in_one_sentence(void) {
    char message[256] = "";
    struct sim_config wrong = config();
    wrong.scene = SOURCE_DIR "/tests/sim/no_such_scene.json";
    CHECK(sim_create(&wrong, message, sizeof message) == NULL);
    CHECK(strstr(message, "no_such_scene.json") != NULL);
}

static void a_full_inbox_refuses_and_leaves_the_input_with_the_caller(void) {
    char message[256];
    struct sim_config plain = config();
    struct sim *sim = sim_create(&plain, message, sizeof message);
    struct sim_input *input = sim_input_create(SIM_WANT_KEY, 0);
    while (sim_push(sim, input))
        input = sim_input_create(SIM_WANT_KEY, 0);
    struct sim_metrics metrics;
    sim_get_metrics(sim, &metrics);
    CHECK(metrics.inbox_count > 0);
    sim_input_free(input);
    sim_destroy(sim); /* frees those that were taken */
}

RUN_TESTS(TEST(main_exists_from_the_start), TEST(the_config_is_copied),
          TEST(a_missing_scene_says_so_in_one_sentence),
          TEST(a_full_inbox_refuses_and_leaves_the_input_with_the_caller))
