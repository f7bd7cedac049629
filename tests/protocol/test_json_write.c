/* The writer: commas by itself, escapes, and float32 that reads back bit for bit. */
#include <check.h>
#include <stdlib.h>
#include <wire/json_write.h>

#include "json_scan.h"

static void commas_come_by_themselves(void) {
    struct json json;
    json_init(&json);
    json_begin_object(&json);
    json_key(&json, "a");
    json_integer(&json, -5);
    json_key(&json, "b");
    json_begin_array(&json);
    json_bool(&json, true);
    json_begin_object(&json);
    json_end_object(&json);
    json_begin_array(&json);
    json_end_array(&json);
    json_null(&json);
    json_raw(&json, "[7]", 3);
    json_end_array(&json);
    json_key(&json, "c");
    json_string(&json, NULL);
    json_key(&json, "d");
    json_uints(&json, (const uint32_t[]){0, 4294967295u}, 2);
    json_key(&json, "e");
    json_floats(&json, NULL, 0);
    json_end_object(&json);
    CHECK_STRING(json.text,
                 "{\"a\":-5,\"b\":[true,{},[],null,[7]],\"c\":null,\"d\":[0,4294967295],\"e\":[]}");
    CHECK_INT(json.length, strlen(json.text));
    CHECK(!json.failed);
    json_free(&json);
}

static void what_is_rewound_was_never_there(void) {
    struct json json;
    json_init(&json);
    json_rewind(&json, json_get_mark(&json)); /* nothing yet */
    json_begin_object(&json);
    json_key(&json, "a");
    struct json_mark mark = json_get_mark(&json);
    json_begin_array(&json);
    json_integer(&json, 1);
    json_integer(&json, 2);
    json_rewind(&json, mark);
    json_null(&json);
    mark = json_get_mark(&json);
    json_key(&json, "b");
    json_rewind(&json, mark);
    json_key(&json, "c");
    json_bool(&json, true);
    json_end_object(&json);
    CHECK_STRING(json.text, "{\"a\":null,\"c\":true}");
    json_free(&json);
}

static void strings_are_escaped(void) {
    struct json json;
    json_init(&json);
    json_string(&json, "a\"\\\n\x01\x7F/é€😀");
    CHECK_STRING(json.text, "\"a\\\"\\\\\\n\\u0001\\u007f/é€😀\"");
    json_free(&json);
}

static void numbers_that_are_none_become_null(void) {
    struct json json;
    json_init(&json);
    json_begin_array(&json);
    json_float(&json, NAN);
    json_float(&json, INFINITY);
    json_double(&json, -INFINITY);
    json_double(&json, NAN);
    json_end_array(&json);
    CHECK_STRING(json.text, "[null,null,null,null]");
    json_free(&json);
}

static void doubles_are_short_and_exact(void) {
    struct json json;
    json_init(&json);
    json_begin_array(&json);
    json_double(&json, 0.1);
    json_double(&json, 1.0 / 3);
    json_double(&json, 1e15);
    json_double(&json, -0.0);
    json_end_array(&json);
    CHECK_STRING(json.text, "[0.1,0.33333333333333331,1e+15,-0]");
    json_free(&json);
}

/* Every exponent with a spread of mantissas, and the special neighbours. */
static const char *short_float(float value) {
    static char text[32];
    struct json json;
    json_init(&json);
    json_short_float(&json, value);
    snprintf(text, sizeof text, "%s", json.text);
    json_free(&json);
    return text;
}

static void short_floats_are_as_short_as_brings_them_back(void) {
    CHECK_STRING(short_float(0.1f), "0.1");
    CHECK_STRING(short_float(-9.8f), "-9.8");
    CHECK_STRING(short_float(1e-7f), "1e-07");
    CHECK_STRING(short_float(INFINITY), "null");
    static const float values[] = {1.0f / 3.0f, 16777217.0f, 1.17549435e-38f, 3.4028235e38f, 0.0166666675f};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; ++i)
        CHECK(strtof(short_float(values[i]), NULL) == values[i]);
}

static void every_float32_round_trips(void) {
    enum { COUNT = 255 * 64 };
    float *values = malloc(COUNT * sizeof *values);
    uint32_t state = 5;
    for (uint32_t i = 0; i < COUNT; ++i) {
        state = state * 1664525u + 1013904223u;
        uint32_t mantissa = i % 64 == 0 ? 0 : i % 64 == 1 ? 0x7FFFFF : state >> 9;
        uint32_t bits = ((i & 1) << 31) | (i / 64) << 23 | mantissa;
        memcpy(&values[i], &bits, sizeof bits);
    }
    struct json json;
    json_init(&json);
    json_floats(&json, values, COUNT);
    CHECK(!json.failed);
    const char *p = json.text + 1;
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < COUNT; ++i) {
        char *end;
        float back = strtof(p, &end);
        wrong += memcmp(&back, &values[i], sizeof back) != 0 || end == p;
        p = end + 1;
    }
    CHECK_INT(wrong, 0);
    CHECK_STRING(p, "");
    struct json_scan scan;
    struct json_problem problem;
    CHECK(json_scan(&scan, json.text, json.length, 16, &problem)); /* and it is JSON */
    json_scan_free(&scan);
    json_free(&json);
    free(values);
}

static void a_failed_text_stays_failed(void) {
    struct json json;
    json_init(&json);
    json_begin_array(&json);
    json.failed = true; /* as after a failed allocation */
    size_t length = json.length;
    json_string(&json, "a");
    json_end_array(&json);
    CHECK_INT(json.length, length);
    CHECK(json.failed);
    json_free(&json);
}

RUN_TESTS(TEST(commas_come_by_themselves), TEST(what_is_rewound_was_never_there), TEST(strings_are_escaped),
          TEST(numbers_that_are_none_become_null), TEST(doubles_are_short_and_exact),
          TEST(short_floats_are_as_short_as_brings_them_back), TEST(every_float32_round_trips),
          TEST(a_failed_text_stays_failed))
