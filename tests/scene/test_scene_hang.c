/* A scene around a mesh of the user's own. */
#include "check.h"

#include <stdlib.h>

#include "support_files.h"

static char folder[64];

static int hang(const char *name, struct scene_source *source, struct wire_error *error) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    *error = (struct wire_error){0};
    return scene_hang_mesh(path, 500000, source, error);
}

/* A standing square of 3×3, its top row last. */
#define SQUARE                                                                                               \
    "v 4 0 0\nv 5 0 0\nv 6 0 0\nv 4 1 0\nv 5 1 0\nv 6 1 0\nv 4 2 0\nv 5 2 0\nv 6 2 0\n"                      \
    "f 1 2 5 4\nf 2 3 6 5\nf 4 5 8 7\nf 5 6 9 8\n"

static void the_highest_vertices_are_pinned_and_the_size_is_kept(void) {
    struct scene_source source;
    struct wire_error error;
    /* 12 more vertices far down, so that three are few. */
    folder_write_text(folder, "a.obj",
                      SQUARE "v 5 0.5 0\nv 5 0.5 0\nv 5 0.5 0\nv 5 0.5 0\nv 5 0.5 0\nv 5 0.5 0\n");
    CHECK_INT(hang("a.obj", &source, &error), 0);
    struct wire_request *request = decode_scene(source.text);
    const struct wire_scene *scene = request->params;
    CHECK_INT(scene->cloths_count, 1);
    CHECK_INT(scene->colliders_count, 1);
    struct scene_cloth cloth;
    CHECK_INT(scene_cloth_build(&scene->cloths[0], source.base_dir, 500000, &cloth, &error), 0);
    CHECK_INT(cloth.pin_count, 3);
    CHECK(cloth.pins[0] == 6 && cloth.pins[2] == 8);
    /* Centred, 2 m wide, above the floor. */
    CHECK_NEAR(cloth.positions[0], -1.0, 1e-5);
    CHECK_NEAR(cloth.positions[6], 1.0, 1e-5);
    CHECK(cloth.positions[1] > 0.2f);
    CHECK_NEAR(cloth.positions[19] - cloth.positions[1], 2.0, 1e-5);
    scene_cloth_free(&cloth);
    wire_request_destroy(request);
    scene_source_free(&source);
}

static void a_flat_mesh_hangs_by_one_edge(void) {
    struct scene_source source;
    struct wire_error error;
    char text[4096] = "";
    for (int j = 0; j < 6; ++j)
        for (int i = 0; i < 5; ++i)
            snprintf(text + strlen(text), 64, "v %d 0 %d\n", i, j);
    strcat(text, "f 1 2 6\n");
    folder_write_text(folder, "flat.obj", text);
    CHECK_INT(hang("flat.obj", &source, &error), 0);
    struct wire_request *request = decode_scene(source.text);
    const struct wire_scene *scene = request->params;
    CHECK_INT(scene->cloths[0].pins.count, 5);
    CHECK_INT(scene->cloths[0].pins.ranges[0].from, 25);
    wire_request_destroy(request);
    scene_source_free(&source);
}

/* The eye would stand 1.8e6 m away, where no coordinate may be. */
static void a_mesh_as_large_as_the_world_is_in_view(void) {
    struct scene_source source;
    struct wire_error error;
    folder_write_text(folder, "far.obj", "v -400000 0 0\nv 400000 0 0\nv 0 800000 0\nf 1 2 3\n");
    CHECK_INT(hang("far.obj", &source, &error), 0);
    struct wire_request *request = decode_scene(source.text);
    const struct wire_scene *scene = request->params;
    CHECK_NEAR(scene->view.position[2], 1e6, 1e-3);
    wire_request_destroy(request);
    scene_source_free(&source);
}

static void what_cannot_be_read_says_which_file_what_and_where(void) {
    struct scene_source source;
    struct wire_error error;
    folder_write_text(folder, "bad.obj", "v 0 0 0\nv 0 zero 0\n");
    CHECK_INT(hang("bad.obj", &source, &error), -1);
    CHECK(strstr(error.message, "bad.obj:2") != NULL && strstr(error.message, "zero") != NULL);
    free(error.data_json);
    CHECK_INT(hang("missing.obj", &source, &error), -1);
    CHECK(strstr(error.message, "missing.obj") != NULL);
    free(error.data_json);
    folder_write_text(folder, "a.txt", "");
    CHECK_INT(hang("a.txt", &source, &error), -1);
    CHECK(strstr(error.message, ".obj .ply") != NULL);
    free(error.data_json);
    folder_write_text(folder, "empty.obj", "# nothing\n");
    CHECK_INT(hang("empty.obj", &source, &error), -1);
    CHECK(strstr(error.message, "no vertices") != NULL);
    free(error.data_json);
}

static void make_folder(void) {
    folder_create(folder);
}

static void drop_folder(void) {
    folder_remove(folder);
}

RUN_TESTS(TEST(make_folder), TEST(the_highest_vertices_are_pinned_and_the_size_is_kept),
          TEST(a_flat_mesh_hangs_by_one_edge), TEST(a_mesh_as_large_as_the_world_is_in_view),
          TEST(what_cannot_be_read_says_which_file_what_and_where), TEST(drop_folder))
