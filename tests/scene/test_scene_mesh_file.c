/* Mesh files by name: only from within the scene folder, errors with the member's path. */
#include "check.h"

#include <stdlib.h>
#include <unistd.h>
#include <scene/scene_mesh_file.h>

#include "support_files.h"

static char folder[64];

/* Reads name as member shape.file; 0 or the error's code. */
static int read_as(const char *name, const char *base_dir, struct mesh_data *mesh, struct wire_error *error) {
    *error = (struct wire_error){0};
    int result = scene_mesh_file_read(name, base_dir, 5, "shape.file", mesh, error);
    free(error->data_json);
    error->data_json = NULL;
    CHECK(result == 0 || strcmp(error->path, "shape.file") == 0);
    return result == 0 ? 0 : error->code;
}

static void a_file_of_the_folder_is_read(void) {
    struct mesh_data mesh = {0};
    struct wire_error error;
    folder_create(folder);
    folder_write_text(folder, "quad.obj", "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nf 1 2 3 4\n");
    CHECK_INT(read_as("quad.obj", folder, &mesh, &error), 0);
    CHECK_INT(mesh.vertex_count, 4);
    CHECK_INT(mesh.face_count, 1);
    mesh_data_free(&mesh);
    folder_remove(folder);
}

static void nothing_outside_of_the_folder_is_read(void) {
    struct mesh_data mesh = {0};
    struct wire_error error;
    char outside[64], link[160], target[160];
    folder_create(folder);
    folder_create(outside);
    folder_write_text(outside, "secret.obj", "v 0 0 0\n");
    snprintf(link, sizeof link, "%s/link.obj", folder);
    snprintf(target, sizeof target, "%s/secret.obj", outside);
    CHECK_INT(symlink(target, link), 0);
    CHECK_INT(read_as("link.obj", folder, &mesh, &error), -32602);
    CHECK_INT(read_as("../secret.obj", folder, &mesh, &error), -32602);
    CHECK_INT(read_as(target, folder, &mesh, &error), -32602);
    CHECK_INT(read_as("", folder, &mesh, &error), -32602);
    CHECK_INT(read_as("quad.obj", NULL, &mesh, &error), -32602);
    CHECK(strstr(error.message, "shape.file is \"quad.obj\"") != NULL);
    folder_remove(folder);
    folder_remove(outside);
}

static void what_is_not_there_unknown_broken_or_too_large_is_refused(void) {
    struct mesh_data mesh = {0};
    struct wire_error error;
    folder_create(folder);
    folder_write_text(folder, "broken.obj", "v 0 0 zero\n");
    folder_write_text(folder, "large.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nv 3 0 0\nv 4 0 0\nv 5 0 0\nf 1 2 3\n");
    CHECK_INT(read_as("none.obj", folder, &mesh, &error), -32001);
    CHECK_INT(read_as("mesh.txt", folder, &mesh, &error), -32602);
    CHECK_INT(read_as("broken.obj", folder, &mesh, &error), -32003);
    CHECK_INT(read_as("large.obj", folder, &mesh, &error), -32004);
    folder_remove(folder);
}

RUN_TESTS(TEST(a_file_of_the_folder_is_read), TEST(nothing_outside_of_the_folder_is_read),
          TEST(what_is_not_there_unknown_broken_or_too_large_is_refused))
