#include "support_files.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void stop(const char *what) {
    printf("the test cannot go on: %s\n", what);
    exit(1);
}

void folder_create(char path[64]) {
    const char *root = getenv("TMPDIR");
    snprintf(path, 64, "%s/clothd-test-XXXXXX", root != NULL && strlen(root) < 40 ? root : P_tmpdir);
    if (mkdtemp(path) == NULL) stop("no temporary folder");
}

void folder_remove(const char *path) {
    DIR *dir = opendir(path);
    if (dir == NULL) return;
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        char file[512];
        snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
        remove(file);
    }
    closedir(dir);
    rmdir(path);
}

void folder_write(const char *folder, const char *name, const void *bytes, size_t length) {
    char file[512];
    snprintf(file, sizeof file, "%s/%s", folder, name);
    FILE *out = fopen(file, "wb");
    if (out == NULL || fwrite(bytes, 1, length, out) != length || fclose(out) != 0)
        stop("cannot write a file");
}

void folder_write_text(const char *folder, const char *name, const char *text) {
    folder_write(folder, name, text, strlen(text));
}

struct wire_request *decode_scene(const char *text) {
    struct wire_error error = {0};
    struct wire_request *request = wire_scene_decode(text, strlen(text), &error);
    if (request == NULL) {
        printf("%s: %s\n", error.path, error.message);
        stop("the table refuses the scene");
    }
    return request;
}

struct wire_request *decode_cloth(const char *spec) {
    size_t size = strlen(spec) + 64;
    char *text = malloc(size);
    if (text == NULL) stop("no memory");
    snprintf(text, size, "{\"cloths\":[%s]}", spec);
    struct wire_request *request = decode_scene(text);
    free(text);
    return request;
}

int build_cloth(const char *spec, const char *base_dir, struct scene_cloth *cloth, struct wire_error *error) {
    struct wire_request *request = decode_cloth(spec);
    const struct wire_scene *scene = request->params;
    *error = (struct wire_error){0};
    int result = scene_cloth_build(&scene->cloths[0], base_dir, 500000, cloth, error);
    wire_request_destroy(request);
    return result;
}
