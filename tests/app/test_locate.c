/* app/locate: the installed folder first, the source tree's next. */
#include "check.h"
#include <app/locate.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void the_first_folder_that_exists_is_taken(void) {
    char root[] = "/tmp/clothd-locate-XXXXXX", path[256], program[256], want[256];
    CHECK(mkdtemp(root) != NULL);
    snprintf(path, sizeof path, "%s/bin", root);
    mkdir(path, 0700);
    snprintf(program, sizeof program, "%s/bin/clothd", root);
    CHECK(locate_folder(program, "../installed", "../built", path, sizeof path) == NULL);
    snprintf(want, sizeof want, "%s/built", root);
    mkdir(want, 0700);
    CHECK_STRING(locate_folder(program, "../installed", "../built", path, sizeof path), want);
    rmdir(want);
    snprintf(want, sizeof want, "%s/installed", root);
    mkdir(want, 0700);
    CHECK_STRING(locate_folder(program, "../installed", "../built", path, sizeof path), want);
    CHECK(locate_folder(program, "../installed", "../built", path, 5) == NULL); /* does not fit */
    rmdir(want);
    snprintf(want, sizeof want, "%s/bin", root);
    rmdir(want);
    rmdir(root);
}

static void the_program_knows_its_own_path(void) {
    char path[512];
    locate_program(path, sizeof path);
    CHECK(path[0] == '/' && strstr(path, "test_locate") != NULL);
}

RUN_TESTS(TEST(the_first_folder_that_exists_is_taken), TEST(the_program_knows_its_own_path))
