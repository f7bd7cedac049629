/* The first look: exactly RFC 8259, with depth and duplicates, and where things are. */
#include <check.h>
#include <stdlib.h>

#include "json_scan.h"

static bool accepts(const char *text) {
    struct json_scan scan;
    struct json_problem problem;
    bool good = json_scan(&scan, text, strlen(text), 16, &problem);
    if (good) json_scan_free(&scan);
    return good;
}

static void check_refused(const char *text, size_t length, size_t offset, const char *sentence) {
    struct json_scan scan;
    struct json_problem problem;
    bool good = json_scan(&scan, text, length, 16, &problem);
    CHECK(!good);
    if (good) {
        printf("accepted: %s\n", text);
        json_scan_free(&scan);
        return;
    }
    if (problem.offset != offset) printf("%s:\n", text);
    CHECK_INT(problem.offset, offset);
    CHECK_STRING(problem.text, sentence);
}

static void refuse(const char *text, size_t offset, const char *sentence) {
    check_refused(text, strlen(text), offset, sentence);
}

static void valid_texts_pass(void) {
    static const char *const texts[] = {"0",
                                        " null ",
                                        "true",
                                        "false",
                                        "\"a\"",
                                        "-0.5e+10",
                                        "[]",
                                        "{}",
                                        "[ ]",
                                        "{ }",
                                        "[1 , 2]",
                                        "\t{\r\n\"a\" : [ { } , [ ] ] }\n",
                                        "[1,\"a\",null,{\"b\":[true]}]",
                                        "{\"a\":1,\"A\":2}",
                                        "[0,-0,0.0,1E5]"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i)
        CHECK(accepts(texts[i]));
}

static void what_json_is_not_is_refused_at_its_byte(void) {
    refuse("", 0, "the text ends where a value should be");
    refuse("  ", 2, "the text ends where a value should be");
    refuse("[1,", 3, "the text ends where a value should be");
    refuse("[1", 2, "the text ends where a comma or ] should be");
    refuse("{\"a\"", 4, "the text ends where a colon should be");
    refuse("{\"a\":1", 6, "the text ends where a comma or } should be");
    refuse("[1,]", 3, "a value should be here");
    refuse("{\"a\":1,}", 7, "a key in quotes should be here");
    refuse("{a:1}", 1, "a key in quotes should be here");
    refuse("[1 2]", 3, "a comma or ] should be here");
    refuse("1 2", 2, "text after the value");
    refuse("[1]]", 3, "text after the value");
    refuse("NaN", 0, "NaN and Infinity are not JSON");
    refuse("[Infinity]", 1, "NaN and Infinity are not JSON");
    refuse("[-Infinity]", 1, "NaN and Infinity are not JSON");
    refuse("0x10", 1, "text after the value");
    refuse("[01]", 1, "a number may not start with a zero before another digit");
    refuse("[-01]", 2, "a number may not start with a zero before another digit");
    refuse("+1", 0, "a value should be here");
    refuse(".5", 0, "a value should be here");
    refuse("5.", 2, "the text ends where a digit after the point should be");
    refuse("[5.]", 3, "a digit after the point should be here");
    refuse("[1e]", 3, "a digit of the exponent should be here");
    refuse("[1e+]", 4, "a digit of the exponent should be here");
    refuse("[-]", 2, "a digit should be here");
    refuse("'a'", 0, "a value should be here");
    refuse("tru", 0, "a value should be here");
    refuse("nulll", 4, "text after the value");
    refuse("// x\n1", 0, "a value should be here");
    refuse("\xEF\xBB\xBF{}", 0, "a value should be here");
    refuse("[\"a\xC3\"]", 3, "not UTF-8");
    check_refused("{}\0", 3, 2, "text after the value");
    check_refused("\0", 1, 0, "a zero byte");
    check_refused("[\"a\0b\"]", 7, 3, "a zero byte");
}

static void depth_counts_the_outermost(void) {
    char text[64];
    for (int depth = 15; depth <= 17; ++depth) {
        memset(text, '[', (size_t)depth);
        memset(text + depth, ']', (size_t)depth);
        text[2 * depth] = '\0';
        CHECK_INT(accepts(text), depth <= 16);
    }
    char deep[5001];
    memset(deep, '[', 5000);
    deep[5000] = '\0';
    refuse(deep, 16, "nested deeper than 16");
    refuse(
        "{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":"
        "{\"a\":{\"a\":1}}}}}}}}}}}}}}}}}",
        80, "nested deeper than 16");
}

static void a_key_may_stand_once_in_an_object(void) {
    refuse("{\"a\":1,\"b\":2,\"a\":3}", 13, "a key that this object already has");
    refuse("{\"a\":1,\"\\u0061\":3}", 7, "a key that this object already has");
    refuse("[{\"from\":1,\"from\":2}]", 11, "a key that this object already has");
    CHECK(accepts("{\"a\":{\"a\":1},\"b\":{\"a\":2}}"));
    CHECK(accepts("[{\"a\":1},{\"a\":1}]"));
    /* Many keys: the last repeats the first. */
    char *text = malloc(200000), *p = text;
    p += sprintf(p, "{\"k0\":0");
    for (int i = 1; i < 10000; ++i)
        p += sprintf(p, ",\"k%d\":0", i);
    strcpy(p, "}");
    CHECK(accepts(text));
    size_t offset = (size_t)(p - text) + 1;
    strcpy(p, ",\"k0\":0}");
    refuse(text, offset, "a key that this object already has");
    free(text);
}

static void check_span(const struct json_scan *scan, struct json_span span, enum json_kind kind,
                       const char *text) {
    CHECK_INT(span.kind, kind);
    CHECK_INT(span.end - span.start, strlen(text));
    CHECK(!strncmp(scan->text + span.start, text, strlen(text)));
}

static void the_envelope_is_found(void) {
    static const char text[] = "{ \"id\" : 7, \"par\\u0061ms\":{\"x\":{\"world\":\"no\"},\"world\":\"w\"}, "
                               "\"method\":\"a.b\",\"jsonrpc\":\"2.0\",\"world\":\"outer\"}";
    struct json_scan scan;
    struct json_problem problem;
    CHECK(json_scan(&scan, text, sizeof text - 1, 16, &problem));
    check_span(&scan, scan.id, JSON_NUMBER, "7");
    check_span(&scan, scan.method, JSON_STRING, "\"a.b\"");
    check_span(&scan, scan.jsonrpc, JSON_STRING, "\"2.0\"");
    check_span(&scan, scan.params, JSON_OBJECT, "{\"x\":{\"world\":\"no\"},\"world\":\"w\"}");
    check_span(&scan, scan.world, JSON_STRING, "\"w\"");
    check_span(&scan, scan.unknown_key, JSON_STRING, "\"world\"");
    json_scan_free(&scan);
}

static void flat_arrays_are_found(void) {
    static const char text[] = "{\"a\":[1,2.5,-3],\"b\":[],\"c\":[1,{\"to\":9,\"from\":2}],\"d\":[1,\"x\"],"
                               "\"e\":[{\"from\":1}],\"f\":[[1,2],[3]],\"g\":[{\"from\":\"1\",\"to\":2}]}";
    static const struct {
        enum json_patch_kind kind;
        uint32_t count;
        const char *text;
    } want[] = {{PATCH_NUMBERS, 3, "[1,2.5,-3]"},
                {PATCH_NUMBERS, 0, "[]"},
                {PATCH_RANGES, 2, "[1,{\"to\":9,\"from\":2}]"},
                {PATCH_NUMBERS, 2, "[1,2]"},
                {PATCH_NUMBERS, 1, "[3]"}};
    struct json_scan scan;
    struct json_problem problem;
    CHECK(json_scan(&scan, text, sizeof text - 1, 16, &problem));
    CHECK_INT(scan.patch_count, 5);
    for (uint32_t i = 0; i < 5 && i < scan.patch_count; ++i) {
        CHECK_INT(scan.patches[i].kind, want[i].kind);
        CHECK_INT(scan.patches[i].count, want[i].count);
        CHECK(!strncmp(text + scan.patches[i].start, want[i].text, strlen(want[i].text)));
        CHECK_INT(scan.patches[i].end - scan.patches[i].start, strlen(want[i].text));
    }
    json_scan_free(&scan);
}

static void numbers_in_flat_arrays_cost_no_values(void) {
    size_t count = 1000000;
    char *text = malloc(2 * count + 2);
    for (size_t i = 0; i < count; ++i)
        memcpy(text + 2 * i, ",1", 2);
    text[0] = '[';
    memcpy(text + 2 * count, "]", 2);
    struct json_scan scan;
    struct json_problem problem;
    CHECK(json_scan(&scan, text, 2 * count + 1, 16, &problem));
    CHECK_INT(scan.value_count, 1);
    CHECK(!scan.too_many_values);
    CHECK_INT(scan.patches[0].count, count);
    json_scan_free(&scan);
    memcpy(text + 1, "[ ]", 3); /* no longer flat */
    CHECK(json_scan(&scan, text, 2 * count + 1, 16, &problem));
    CHECK(scan.too_many_values);
    json_scan_free(&scan);
    free(text);
}

RUN_TESTS(TEST(valid_texts_pass), TEST(what_json_is_not_is_refused_at_its_byte),
          TEST(depth_counts_the_outermost), TEST(a_key_may_stand_once_in_an_object),
          TEST(the_envelope_is_found), TEST(flat_arrays_are_found),
          TEST(numbers_in_flat_arrays_cost_no_values))
