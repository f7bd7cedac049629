/* From the name of a mesh file to its mesh, without leaving the scene folder. */
#include "scene/scene_mesh_file.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wire/errors.h>

#include "scene/mesh_file.h"
#include "scene/scene_refusal.h"

static void refuse_place(const char *file, const char *path, struct wire_error *error) {
    WIRE_FAIL(
        error, out_of_range, path,
        "%s is \"%s\"; it must be a relative path within the scene folder, without \"..\" or a link out of it.",
        path, file);
}

/* The real path of `file` below base_dir, malloc'd; NULL with *error. */
static char *place_of(const char *file, const char *base_dir, const char *path, struct wire_error *error) {
    if (base_dir == NULL || file[0] == '\0' || file[0] == '/' || strstr(file, "..") != NULL) {
        refuse_place(file, path, error);
        return NULL;
    }
    if (!mesh_file_known(file)) {
        WIRE_FAIL(error, out_of_range, path, "%s is \"%s\"; known mesh files end in %s.", path, file,
                  mesh_file_suffixes);
        return NULL;
    }
    char joined[PATH_MAX];
    int length = snprintf(joined, sizeof joined, "%s/%s", base_dir, file);
    char *root = realpath(base_dir, NULL), *real = NULL;
    if (root != NULL && length < (int)sizeof joined) real = realpath(joined, NULL);
    if (real == NULL) {
        WIRE_FAIL(error, not_found, path, "%s \"%s\" is not in the scene folder.", path, file);
    } else {
        size_t n = strlen(root);
        bool within = strncmp(real, root, n) == 0 && (root[n - 1] == '/' || real[n] == '/');
        if (!within) {
            refuse_place(file, path, error);
            free(real);
            real = NULL;
        }
    }
    free(root);
    return real;
}

int scene_mesh_file_read(const char *file, const char *base_dir, uint32_t max_vertices, const char *path,
                         struct mesh_data *mesh, struct wire_error *error) {
    char *real = place_of(file, base_dir, path, error);
    if (real == NULL) return -1;
    struct pbd_mesh_refusal refusal = {0};
    int result = mesh_file_read(real, file, max_vertices, mesh, &refusal);
    free(real);
    if (result == PBD_OK) return 0;
    if (result == PBD_OUT_OF_MEMORY) {
        WIRE_FAIL(error, out_of_memory, path, "The server had no memory for %s \"%s\".", path, file);
        return -1;
    }
    uint32_t got = refusal.cause == PBD_MESH_LIMIT ? max_vertices + 1 : 0;
    scene_refusal_error(&refusal, path, got, 0, max_vertices, error);
    return -1;
}
