/* Finding scene files and listing them. */
#include "scene/scene.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wire/errors.h>

#include "scene/scene_file.h"

#define SUFFIX ".json"

void scene_source_free(struct scene_source *source) {
    free(source->text);
    free(source->base_dir);
    *source = (struct scene_source){0};
}

static bool ends_in(const char *text, const char *suffix) {
    size_t n = strlen(text), m = strlen(suffix);
    return n > m && strcmp(text + n - m, suffix) == 0;
}

/* protocol.md: ^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$ */
static bool is_name(const char *name) {
    static const char first[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    size_t n = strlen(name);
    if (n < 1 || n > 64 || strchr(first, name[0]) == NULL) return false;
    for (size_t i = 1; i < n; ++i)
        if (strchr(first, name[i]) == NULL && strchr("._-", name[i]) == NULL) return false;
    return true;
}

static int out_of_memory(struct wire_error *error) {
    WIRE_FAIL(error, out_of_memory, "scene", "The server had no memory for this scene.");
    return -1;
}

/* Reads path as a scene whose files lie in dir. ENOENT and the like stay in errno. */
static int read_source(const char *path, const char *dir, size_t dir_length, struct scene_source *source) {
    struct scene_source made = {0};
    made.text = scene_file_read(path, &made.length);
    if (made.text == NULL) return -1;
    made.base_dir = strndup(dir, dir_length);
    if (made.base_dir == NULL) {
        scene_source_free(&made);
        errno = ENOMEM;
        return -1;
    }
    *source = made;
    return 0;
}

/* "curtain, drape, …" into text, as far as it goes. */
static void name_all(const char *scene_dir, char *text, size_t size) {
    struct scene_list list;
    text[0] = '\0';
    if (scene_list_read(scene_dir, &list) != 0) return;
    size_t length = 0;
    for (uint32_t i = 0; i < list.count && length < size; ++i)
        length +=
            (size_t)snprintf(text + length, size - length, "%s%s", i > 0 ? ", " : "", list.entries[i].name);
    scene_list_free(&list);
}

int scene_read_named(const char *scene_dir, const char *name, struct scene_source *source,
                     struct wire_error *error) {
    char *path = NULL;
    if (is_name(name)) {
        size_t size = strlen(scene_dir) + strlen(name) + sizeof SUFFIX + 1;
        path = malloc(size);
        if (path == NULL) return out_of_memory(error);
        snprintf(path, size, "%s/%s%s", scene_dir, name, SUFFIX);
    }
    int result = path == NULL ? -1 : read_source(path, scene_dir, strlen(scene_dir), source);
    int cause = path == NULL ? ENOENT : errno;
    free(path);
    if (result == 0) return 0;
    if (cause == ENOMEM) return out_of_memory(error);
    char known[256];
    name_all(scene_dir, known, sizeof known);
    WIRE_FAIL(error, not_found, "scene", "There is no scene \"%.64s\"; there are: %s.", name,
              known[0] != '\0' ? known : "none");
    return -1;
}

int scene_read(const char *scene_dir, const char *name_or_path, struct scene_source *source,
               struct wire_error *error) {
    const char *slash = strrchr(name_or_path, '/');
    if (slash == NULL && !ends_in(name_or_path, SUFFIX))
        return scene_read_named(scene_dir, name_or_path, source, error);
    int result = slash == NULL ? read_source(name_or_path, ".", 1, source)
                 : slash == name_or_path
                     ? read_source(name_or_path, "/", 1, source)
                     : read_source(name_or_path, name_or_path, (size_t)(slash - name_or_path), source);
    if (result == 0) return 0;
    if (errno == ENOMEM) return out_of_memory(error);
    WIRE_FAIL(error, not_found, "scene", "The scene file %.300s cannot be read: %s.", name_or_path,
              scene_file_reason(errno));
    return -1;
}

/* ---- the list ---- */

static int is_scene_file(const struct dirent *entry) {
    const char *name = entry->d_name;
    if (!ends_in(name, SUFFIX) || strlen(name) > 64 + strlen(SUFFIX)) return 0;
    char stem[65] = "";
    memcpy(stem, name, strlen(name) - strlen(SUFFIX));
    return is_name(stem);
}

static int by_name(const struct dirent **a, const struct dirent **b) {
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* Title and description; empty where the file is not a scene. */
static bool describe_entry(const char *scene_dir, struct scene_entry *entry) {
    struct scene_source source = {0};
    struct wire_error error = {0};
    struct wire_request *request = NULL;
    if (scene_read_named(scene_dir, entry->name, &source, &error) == 0)
        request = wire_scene_decode(source.text, source.length, &error);
    const struct wire_scene *scene = request != NULL ? request->params : NULL;
    entry->title = strdup(scene != NULL && scene->has_title == WIRE_PRESENT ? scene->title : "");
    entry->description =
        strdup(scene != NULL && scene->has_description == WIRE_PRESENT ? scene->description : "");
    if (request != NULL) wire_request_destroy(request);
    free(error.data_json);
    scene_source_free(&source);
    return entry->title != NULL && entry->description != NULL;
}

int scene_list_read(const char *scene_dir, struct scene_list *list) {
    *list = (struct scene_list){0};
    struct dirent **found = NULL;
    int count = scandir(scene_dir, &found, is_scene_file, by_name);
    if (count < 0) return -1;
    list->entries = calloc((size_t)count + 1, sizeof *list->entries);
    bool whole = list->entries != NULL;
    for (int i = 0; i < count; ++i) {
        if (whole) {
            struct scene_entry *entry = &list->entries[list->count++];
            entry->name = strndup(found[i]->d_name, strlen(found[i]->d_name) - strlen(SUFFIX));
            whole = entry->name != NULL && describe_entry(scene_dir, entry);
        }
        free(found[i]);
    }
    free(found);
    if (whole) return 0;
    scene_list_free(list);
    return -1;
}

void scene_list_free(struct scene_list *list) {
    for (uint32_t i = 0; i < list->count; ++i) {
        free(list->entries[i].name);
        free(list->entries[i].title);
        free(list->entries[i].description);
    }
    free(list->entries);
    *list = (struct scene_list){0};
}
