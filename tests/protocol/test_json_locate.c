/* Paths lead to the bytes of their values. */
#include <check.h>

#include "json_locate.h"

static void check_at(const char *text, const char *path, bool found, const char *want) {
    struct json_span span;
    CHECK_INT(json_locate(text, path, &span), found);
    char got[64];
    snprintf(got, sizeof got, "%.*s", (int)(span.end - span.start), text + span.start);
    CHECK_STRING(got, want);
}

static void members_and_items_are_found(void) {
    static const char text[] =
        " {\"a\" : [1, {\"b\":\"x]}\\\"\", \"c\": [true,null]}, -2.5e3],\n \"ab\":{},\"\":[]}";
    check_at(text, "a[0]", true, "1");
    check_at(text, "a[1].b", true, "\"x]}\\\"\"");
    check_at(text, "a[1].c[1]", true, "null");
    check_at(text, "a[2]", true, "-2.5e3");
    check_at(text, "ab", true, "{}");
    check_at(text, "a[1].c", true, "[true,null]");
}

static void what_is_not_there_is_placed_in_what_holds_it(void) {
    static const char text[] = "{\"a\":{\"b\":[1,2]}}";
    check_at(text, "a.c", false, "{\"b\":[1,2]}");
    check_at(text, "a.b[2]", false, "[1,2]");
    check_at(text, "a.b.c", false, "[1,2]");
    check_at(text, "a.b[0].d", false, "1");
    check_at(text, "b", false, text);
    check_at("[]", "[0]", false, "[]");
}

static void kinds_are_told(void) {
    struct json_span span;
    static const enum json_kind kinds[] = {JSON_OBJECT, JSON_ARRAY, JSON_STRING, JSON_NUMBER,
                                           JSON_TRUE,   JSON_FALSE, JSON_NULL};
    for (int i = 0; i < 7; ++i) {
        char path[8];
        snprintf(path, sizeof path, "[%d]", i);
        CHECK(json_locate("[{},[],\"\",0,true,false,null]", path, &span));
        CHECK_INT(span.kind, kinds[i]);
    }
}

RUN_TESTS(TEST(members_and_items_are_found), TEST(what_is_not_there_is_placed_in_what_holds_it),
          TEST(kinds_are_told))
