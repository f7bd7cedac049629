/* Whole files, and what is refused instead of being waited for. */
#include "check.h"

#include <errno.h>
#include <scene/scene_file.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support_files.h"

static char folder[64];

static const char *path_of(const char *name) {
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void check_refused(const char *path, int error) {
    size_t length = 7;
    errno = 0;
    CHECK(scene_file_read(path, &length) == NULL);
    CHECK_INT(errno, error);
    CHECK_INT(scene_file_check(path), error);
    CHECK(strlen(scene_file_reason(error)) > 5);
}

static void a_file_is_read_whole_and_ended(void) {
    folder_write(folder, "t.txt", "a\0b", 3);
    size_t length = 0;
    char *text = scene_file_read(path_of("t.txt"), &length);
    CHECK(text != NULL && length == 3 && memcmp(text, "a\0b\0", 4) == 0);
    free(text);
    CHECK_INT(scene_file_check(path_of("t.txt")), 0);
}

static void an_empty_file_is_an_empty_text(void) {
    folder_write(folder, "t.txt", "", 0);
    size_t length = 1;
    char *text = scene_file_read(path_of("t.txt"), &length);
    CHECK(text != NULL && length == 0 && text[0] == '\0');
    free(text);
}

static void what_is_no_file_is_refused_at_once(void) {
    check_refused(folder, EISDIR);
    check_refused(path_of("none"), ENOENT);
    check_refused("/dev/zero", ENODEV);
    CHECK_INT(mkfifo(path_of("pipe"), 0600), 0);
    check_refused(path_of("pipe"), ENODEV); /* opened plainly it would wait for a writer */
    unlink(path_of("pipe"));
}

/* A hole costs no disk: only its size is looked at. */
static void a_huge_file_is_refused_unread(void) {
    folder_write(folder, "huge", "", 0);
    CHECK_INT(truncate(path_of("huge"), (off_t)SCENE_FILE_MAX_BYTES + 1), 0);
    check_refused(path_of("huge"), EFBIG);
}

static void make_folder(void) {
    folder_create(folder);
}

static void drop_folder(void) {
    folder_remove(folder);
}

RUN_TESTS(TEST(make_folder), TEST(a_file_is_read_whole_and_ended), TEST(an_empty_file_is_an_empty_text),
          TEST(what_is_no_file_is_refused_at_once), TEST(a_huge_file_is_refused_unread), TEST(drop_folder))
