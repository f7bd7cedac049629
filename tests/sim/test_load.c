/* Scenes by name, by spec, and at the start. */
#include "check.h"
#include "support_sim.h"
#include <stdlib.h>
#include <sim/load.h>
#include <string.h>
#include <unistd.h>

static struct bench bench;

static void shipped_scenes_load_by_name(void) {
    static const char *const names[] = {"balloon", "barrel",     "bunny",    "curtain", "drape",
                                        "dress",   "flag",       "games103", "net",     "sheet128",
                                        "stack",   "tablecloth", "twist"};
    bench_open(&bench, NULL);
    struct content_room room = {.max_vertices_per_world = 500000, .max_vertices = 2000000};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        struct content content;
        struct wire_error error = {0};
        int result = load_named(bench.sim, names[i], &room, &content, &error);
        CHECK_INT(result, 0);
        if (result != 0) {
            printf("%s\n", error.message);
            continue;
        }
        CHECK(content.objects.count > 0);
        CHECK(strlen(content.title) > 0);
        content_free(&content);
    }
    bench_close(&bench);
}

static void an_unknown_scene_is_not_found_and_names_those_there_are(void) {
    bench_open(&bench, NULL);
    struct content_room room = {.max_vertices_per_world = 500000, .max_vertices = 2000000};
    struct content content;
    struct wire_error error = {0};
    CHECK_INT(load_named(bench.sim, "nope", &room, &content, &error), -1);
    CHECK_INT(error.code, -32001);
    CHECK(strstr(error.message, "nope") && strstr(error.message, "drape"));
    free(error.data_json);
    bench_close(&bench);
}

static void a_scene_that_does_not_fit_says_which_scene_and_where(void) {
    bench_open(&bench, NULL);
    struct content_room room = {.max_vertices_per_world = 100, .max_vertices = 100};
    struct content content;
    struct wire_error error = {0};
    CHECK_INT(load_named(bench.sim, "drape", &room, &content, &error), -1);
    CHECK_INT(error.code, -32004);
    CHECK(strstr(error.message, "Scene drape") != NULL);
    CHECK(strncmp(error.path, "cloths[0].", 10) == 0);
    CHECK(strstr(error.message, "Scene drape, cloths[0].") != NULL);
    free(error.data_json);
    bench_close(&bench);
}

static void the_start_is_a_scene_a_path_or_nothing(void) {
    char message[256] = "";
    struct sim_config config = {
        .paused = true,
        .version = "0",
        .build = "test",
        .scene_dir = SOURCE_DIR "/server/scenes",
        .scene = "drape",
        .limits = {.max_worlds = 1, .max_vertices_per_world = 500000, .max_vertices = 500000}};
    struct sim *sim = sim_create(&config, message, sizeof message);
    CHECK(sim != NULL);
    CHECK_INT(object_count(&sim->worlds[0]->content.objects, OBJECT_CLOTH), 1);
    sim_destroy(sim);
    config.scene = SOURCE_DIR "/server/scenes/curtain.json";
    sim = sim_create(&config, message, sizeof message);
    CHECK(sim != NULL);
    sim_destroy(sim);
    config.scene = NULL;
    sim = sim_create(&config, message, sizeof message);
    CHECK(sim && sim->worlds[0]->content.objects.count == 0);
    sim_destroy(sim);
    config.scene = "nope";
    CHECK(sim_create(&config, message, sizeof message) == NULL);
    CHECK(strstr(message, "nope") != NULL);
}

static void a_mesh_that_is_no_cloth_is_named_by_its_file(void) {
    char path[] = "points-XXXXXX.obj";
    FILE *file = fdopen(mkstemps(path, 4), "w");
    CHECK(file != NULL);
    if (!file) return;
    fputs("v 0 0 0\nv 1 0 0\nv 0 1 0\n", file);
    fclose(file);
    char message[256] = "";
    struct sim_config config = {
        .paused = true,
        .version = "0",
        .build = "test",
        .mesh_file = path,
        .limits = {.max_worlds = 1, .max_vertices_per_world = 500000, .max_vertices = 500000}};
    CHECK(sim_create(&config, message, sizeof message) == NULL);
    CHECK(strncmp(message, path, strlen(path)) == 0);
    CHECK(strstr(message, "neither faces nor edges") != NULL);
    unlink(path);
}

static void a_mesh_file_is_hung(void) {
    char message[256] = "";
    struct sim_config config = {
        .paused = true,
        .version = "0",
        .build = "test",
        .scene_dir = SOURCE_DIR "/server/scenes",
        .mesh_file = SOURCE_DIR "/server/scenes/dress.obj",
        .limits = {.max_worlds = 1, .max_vertices_per_world = 500000, .max_vertices = 500000}};
    struct sim *sim = sim_create(&config, message, sizeof message);
    CHECK(sim != NULL);
    if (!sim) printf("%s\n", message);
    if (!sim) return;
    struct object *cloth = sim->worlds[0]->content.objects.items[0];
    CHECK(pbd_cloth_pins(sim->worlds[0]->content.pbd, cloth->id, NULL, 0) > 0);
    sim_destroy(sim);
}

RUN_TESTS(TEST(shipped_scenes_load_by_name), TEST(an_unknown_scene_is_not_found_and_names_those_there_are),
          TEST(a_scene_that_does_not_fit_says_which_scene_and_where),
          TEST(the_start_is_a_scene_a_path_or_nothing), TEST(a_mesh_file_is_hung),
          TEST(a_mesh_that_is_no_cloth_is_named_by_its_file))
