/* Writes what is made from the command table: commands.json, and the part of
 * PROTOCOL.md between its two markers. Run by hand after a change of the table;
 * tests/protocol fails while the files are not what this would write.
 *
 *   clothd_generate protocol/
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "describe.h"

static const char begin_mark[] = "<!-- generated: begin -->\n";
static const char end_mark[] = "<!-- generated: end -->\n";

static bool write_file(const char *path, const char *text, size_t length) {
    FILE *file = fopen(path, "wb");
    bool good = file && fwrite(text, 1, length, file) == length;
    if (file && fclose(file) != 0) good = false;
    if (!good) fprintf(stderr, "%s cannot be written\n", path);
    return good;
}

/* The whole file, NUL-terminated, malloc'd; NULL when it cannot be read. */
static char *read_file(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    char *text = NULL;
    if (fseek(file, 0, SEEK_END) == 0) {
        long length = ftell(file);
        rewind(file);
        text = length >= 0 ? calloc(1, (size_t)length + 1) : NULL;
        if (text && fread(text, 1, (size_t)length, file) != (size_t)length) {
            free(text);
            text = NULL;
        }
    }
    fclose(file);
    return text;
}

static bool write_commands(const char *folder) {
    char path[4096];
    snprintf(path, sizeof path, "%s/commands.json", folder);
    struct json json;
    json_init(&json);
    describe_file(&json);
    bool good = !json.failed && write_file(path, json.text, json.length);
    json_free(&json);
    return good;
}

/* Puts the reference between the markers, keeps the rest. */
static bool write_page(const char *folder) {
    char path[4096];
    snprintf(path, sizeof path, "%s/PROTOCOL.md", folder);
    char *page = read_file(path);
    char *begin = page ? strstr(page, begin_mark) : NULL;
    char *end = begin ? strstr(begin, end_mark) : NULL;
    if (!end) {
        fprintf(stderr, "%s cannot be read or lacks its markers\n", path);
        free(page);
        return false;
    }
    struct json text;
    json_init(&text);
    json_raw(&text, page, (size_t)(begin - page) + strlen(begin_mark));
    text.comma = false;
    describe_markdown(&text);
    text.comma = false;
    json_raw(&text, end, strlen(end));
    bool good = !text.failed && write_file(path, text.text, text.length);
    json_free(&text);
    free(page);
    return good;
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: clothd_generate PROTOCOL_FOLDER\n");
        return 2;
    }
    return write_commands(argv[1]) && write_page(argv[1]) ? 0 : 1;
}
