/* What cJSON gets instead of the text: placeholders for flat arrays, short numbers. */
#include <check.h>
#include <cjson/cJSON.h>
#include <stdlib.h>

#include "json_scan.h"

static void check_extract(const char *text, const char *want) {
    struct json_scan scan;
    struct json_problem problem;
    size_t length = 0;
    CHECK(json_scan(&scan, text, strlen(text), 16, &problem));
    char *got = json_extract(&scan, &scan.root, &length);
    CHECK_STRING(got, want);
    CHECK_INT(length, strlen(want));
    free(got);
    json_scan_free(&scan);
}

static void flat_arrays_become_placeholders(void) {
    check_extract("{\"a\":1}", "{\"a\":1}");
    check_extract("{\"a\":[1, 2],\"b\":[[],[\"x\"]]}", "{\"a\":\"\xFF"
                                                       "0\",\"b\":[\"\xFF"
                                                       "1\",[\"x\"]]}");
    check_extract("[1]", "\"\xFF"
                         "0\"");
}

static void long_numbers_are_shortened_to_the_same_value(void) {
    check_extract("{\"a\":0.30000000000000000000000000000000000000000000000}", "{\"a\":0.3}");
    check_extract("{\"a\":1000000000000000000000000000000000000000000000000}", "{\"a\":1e+48}");
    /* 400 digits overflow. */
    char text[420] = "{\"a\":-";
    memset(text + 6, '9', 400);
    strcpy(text + 406, "}");
    check_extract(text, "{\"a\":-1e999}");
    check_extract("[\"x\",0.30000000000000000000000000000000000000000000000]", "[\"x\",0.3]");
}

static void one_value_of_many_is_extracted(void) {
    static const char text[] = "{\"a\":[1],\"params\":{\"b\":[2,3]},\"c\":[4]}";
    struct json_scan scan;
    struct json_problem problem;
    size_t length;
    CHECK(json_scan(&scan, text, sizeof text - 1, 16, &problem));
    char *got = json_extract(&scan, &scan.params, &length);
    CHECK_STRING(got, "{\"b\":\"\xFF"
                      "1\"}");
    free(got);
    json_scan_free(&scan);
}

static void cjson_takes_whatever_the_scan_takes(void) {
    static const char *const texts[] = {
        "{\"a\":\"\\ud83d\\ude00\\n\",\"b\":[{\"c\":[[[]]]}],\"d\":-0.0e-5,\"e\":[true,false,null]}",
        "\"\\u00e9\"", "1e400", "{\"\":{\"\":[{}]}}",
        "{\"n\":123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890}"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
        struct json_scan scan;
        struct json_problem problem;
        size_t length;
        CHECK(json_scan(&scan, texts[i], strlen(texts[i]), 16, &problem));
        char *got = json_extract(&scan, &scan.root, &length);
        const char *end = NULL;
        cJSON *tree = cJSON_ParseWithLengthOpts(got, length + 1, &end, true);
        CHECK(tree != NULL);
        CHECK(end == got + length);
        cJSON_Delete(tree);
        free(got);
        json_scan_free(&scan);
    }
}

static void strings_are_unescaped_and_compared(void) {
    static const char text[] = "\"a\\u00e9b\"";
    struct json_scan scan;
    struct json_problem problem;
    CHECK(json_scan(&scan, text, sizeof text - 1, 16, &problem));
    char out[8];
    CHECK_INT(json_unescape(&scan, &scan.root, out, sizeof out), 4);
    CHECK_STRING(out, "aéb");
    CHECK_INT(json_unescape(&scan, &scan.root, out, 3), 4); /* é does not fit: nothing after it either */
    CHECK_STRING(out, "a");
    CHECK(json_span_equals(&scan, &scan.root, "aéb"));
    CHECK(!json_span_equals(&scan, &scan.root, "aé"));
    CHECK(!json_span_equals(&scan, &scan.root, "aébc"));
    json_scan_free(&scan);
}

RUN_TESTS(TEST(flat_arrays_become_placeholders), TEST(long_numbers_are_shortened_to_the_same_value),
          TEST(one_value_of_many_is_extracted), TEST(cjson_takes_whatever_the_scan_takes),
          TEST(strings_are_unescaped_and_compared))
