/* The reference part of PROTOCOL.md is what the table says now. */
#include <check.h>
#include <stdlib.h>

#include "describe.h"
#include "support_decode.h"

static void the_reference_is_current(void) {
    static const char begin[] = "<!-- generated: begin -->\n", end[] = "<!-- generated: end -->\n";
    size_t length = 0;
    char *page = support_read_file(SOURCE_DIR "/protocol/PROTOCOL.md", &length);
    char *from = page ? strstr(page, begin) : NULL, *to = from ? strstr(from, end) : NULL;
    CHECK(to != NULL);
    struct json text;
    json_init(&text);
    describe_markdown(&text);
    CHECK(!text.failed);
    if (to) {
        from += strlen(begin);
        bool same = (size_t)(to - from) == text.length && !memcmp(from, text.text, text.length);
        if (!same) printf("PROTOCOL.md is stale: build the target `generate`\n");
        CHECK(same);
    }
    json_free(&text);
    free(page);
}

static void every_command_has_its_section(void) {
    struct json text;
    json_init(&text);
    describe_markdown(&text);
    for (int i = 0; i < WIRE_COMMAND_COUNT; ++i) {
        const struct wire_command_info *info = wire_command_get_info((enum wire_command)i);
        char heading[80];
        snprintf(heading, sizeof heading, "\n### %s%s\n", info->method, info->mutates ? " ★" : "");
        CHECK(strstr(text.text, heading) != NULL);
    }
    CHECK(strstr(text.text, "\n### A scene\n") != NULL);
    CHECK(strstr(text.text, "| `solver.substeps` | integer | 1 … 64 | 10 |") != NULL);
    json_free(&text);
}

RUN_TESTS(TEST(the_reference_is_current), TEST(every_command_has_its_section))
