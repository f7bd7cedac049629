/* net/site: the viewer's folder as a table, and what stays out of it. */
#include "check.h"
#include <net/site.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[64];

static void make_file(const char *name, const char *text) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    if (!file) abort();
    fputs(text, file);
    fclose(file);
}

static void make_folder(void) {
    char path[256];
    strcpy(folder, "/tmp/clothd-site-XXXXXX");
    if (!mkdtemp(folder)) abort();
    snprintf(path, sizeof path, "%s/assets", folder);
    mkdir(path, 0700);
    make_file("index.html", "<p>viewer");
    make_file("assets/app.js", "run()");
    make_file("assets/app.unknown", "?");
    make_file(".secret", "no");
    snprintf(path, sizeof path, "%s/link.txt", folder);
    if (symlink("/etc/passwd", path) != 0) abort();
    snprintf(path, sizeof path, "%s/up", folder);
    if (symlink("..", path) != 0) abort();
}

static void remove_folder(void) {
    static const char *const names[] = {
        "index.html", "assets/app.js", "assets/app.unknown", ".secret", "link.txt", "up", "assets", ""};
    char path[256];
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        remove(path);
    }
}

static void files_are_found_with_their_types(void) {
    struct site site;
    make_folder();
    CHECK(site_load(&site, folder));
    remove_folder(); /* everything is in memory */
    const struct site_file *file = site_find(&site, "/");
    CHECK(file && file == site_find(&site, "/index.html"));
    CHECK_STRING(file->content_type, "text/html; charset=utf-8");
    CHECK(file->body->length == 9 && memcmp(file->body->data, "<p>viewer", 9) == 0);
    file = site_find(&site, "/assets/app.js");
    CHECK(file != NULL);
    CHECK_STRING(file->content_type, "text/javascript; charset=utf-8");
    CHECK_STRING(site_find(&site, "/assets/app.unknown")->content_type, "application/octet-stream");
    CHECK_INT(site.count, 3);
    site_free(&site);
}

static void nothing_outside_is_reached(void) {
    static const char *const paths[] = {"/.secret",
                                        "/link.txt",
                                        "/up",
                                        "/up/passwd",
                                        "/../etc/passwd",
                                        "/assets",
                                        "/assets/",
                                        "/assets/../index.html",
                                        "//index.html",
                                        "",
                                        "index.html",
                                        "/INDEX.HTML",
                                        "/assets/app.js/",
                                        "/%2e%2e/etc/passwd",
                                        "/assets\\app.js"};
    struct site site;
    make_folder();
    CHECK(site_load(&site, folder));
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; ++i) {
        if (site_find(&site, paths[i])) printf("found: %s\n", paths[i]);
        CHECK(site_find(&site, paths[i]) == NULL);
    }
    site_free(&site);
    remove_folder();
}

static void without_a_viewer_the_page_says_how_to_build_it(void) {
    static const char *const folders[] = {NULL, "/nonexistent/folder"};
    for (int i = 0; i < 2; ++i) {
        struct site site;
        CHECK(!site_load(&site, folders[i]));
        const struct site_file *file = site_find(&site, "/");
        CHECK(file != NULL);
        char *text = strndup((const char *)file->body->data, file->body->length);
        CHECK(strstr(text, "server/run --build-only") && strstr(text, "--web-dir"));
        free(text);
        site_free(&site);
    }
}

RUN_TESTS(TEST(files_are_found_with_their_types), TEST(nothing_outside_is_reached),
          TEST(without_a_viewer_the_page_says_how_to_build_it))
