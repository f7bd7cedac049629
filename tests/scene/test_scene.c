/* Finding and listing scene files. */
#include "check.h"

#include <stdlib.h>
#include <unistd.h>

#include "support_files.h"

static void scenes_are_found_by_name_and_by_path(void) {
    char folder[64], path[128];
    struct scene_source source;
    struct wire_error error = {0};
    folder_create(folder);
    folder_write_text(folder, "one.json", "{\"title\":\"One\"}");
    CHECK_INT(scene_read_named(folder, "one", &source, &error), 0);
    CHECK_STRING(source.text, "{\"title\":\"One\"}");
    CHECK_STRING(source.base_dir, folder);
    CHECK_INT(source.length, strlen(source.text));
    scene_source_free(&source);
    snprintf(path, sizeof path, "%s/one.json", folder);
    CHECK_INT(scene_read("nowhere", path, &source, &error), 0);
    CHECK_STRING(source.base_dir, folder);
    scene_source_free(&source);
    CHECK_INT(scene_read(folder, "one", &source, &error), 0);
    scene_source_free(&source);
    folder_remove(folder);
}

static void unknown_scenes_are_refused_with_those_there_are(void) {
    char folder[64];
    struct scene_source source;
    struct wire_error error = {0};
    folder_create(folder);
    folder_write_text(folder, "one.json", "{}");
    folder_write_text(folder, "two.json", "{}");
    CHECK_INT(scene_read_named(folder, "three", &source, &error), -1);
    CHECK_INT(error.code, -32001);
    CHECK(strstr(error.message, "three") != NULL && strstr(error.message, "one, two") != NULL);
    CHECK_INT(scene_read(folder, "./none.json", &source, &error), -1);
    CHECK(strstr(error.message, "none.json") != NULL);
    CHECK_INT(scene_read(folder, folder, &source, &error), -1);
    folder_remove(folder);
}

/* Over the wire a scene is a name, never a path. */
static void names_cannot_leave_the_folder(void) {
    char folder[64];
    struct scene_source source;
    struct wire_error error = {0};
    folder_create(folder);
    folder_write_text(folder, "one.json", "{}");
    const char *const names[] = {"../one", "./one", "", ".one", "one/", "/etc/passwd", "a\nb"};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; ++k) {
        CHECK_INT(scene_read_named(folder, names[k], &source, &error), -1);
        CHECK_INT(error.code, -32001);
    }
    folder_remove(folder);
}

static void the_list_is_sorted_and_tells_titles(void) {
    char folder[64];
    struct scene_list list;
    folder_create(folder);
    folder_write_text(folder, "b.json", "{\"title\":\"Bee\",\"description\":\"It hums.\"}");
    folder_write_text(folder, "a.json", "this is no scene");
    folder_write_text(folder, "c.obj", "v 0 0 0\n");
    folder_write_text(folder, ".d.json", "{}");
    CHECK_INT(scene_list_read(folder, &list), 0);
    CHECK_INT(list.count, 2);
    CHECK_STRING(list.entries[0].name, "a");
    CHECK_STRING(list.entries[0].title, "");
    CHECK_STRING(list.entries[1].name, "b");
    CHECK_STRING(list.entries[1].title, "Bee");
    CHECK_STRING(list.entries[1].description, "It hums.");
    scene_list_free(&list);
    CHECK_INT(list.count, 0);
    folder_remove(folder);
    CHECK_INT(scene_list_read(folder, &list), -1);
    CHECK_INT(list.count, 0);
}

RUN_TESTS(TEST(scenes_are_found_by_name_and_by_path), TEST(unknown_scenes_are_refused_with_those_there_are),
          TEST(names_cannot_leave_the_folder), TEST(the_list_is_sorted_and_tells_titles))
