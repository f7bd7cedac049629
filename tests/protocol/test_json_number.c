/* Numbers: the fast path equals strtod bit for bit, and what is printed reads back. */
#include <check.h>
#include <stdint.h>
#include <stdlib.h>

#include "json_number.h"

static void check_equals_strtod(const char *text) {
    const char *end;
    char *want_end;
    double got = json_number_parse(text, &end), want = strtod(text, &want_end);
    if (memcmp(&got, &want, sizeof got) != 0) printf("%s: %.17g, not %.17g\n", text, got, want);
    CHECK(memcmp(&got, &want, sizeof got) == 0);
    CHECK(end == want_end);
}

static void edge_cases_equal_strtod(void) {
    static const char *const texts[] = {"0",
                                        "-0",
                                        "0.0",
                                        "-0.0",
                                        "1",
                                        "-1",
                                        "0.1",
                                        "123456789012345678",
                                        "1234567890123456789",
                                        "12345678901234567890",
                                        "9007199254740992",
                                        "9007199254740993",
                                        "9007199254740993.0",
                                        "1e22",
                                        "1e23",
                                        "1e-22",
                                        "1e-23",
                                        "1.7976931348623157e308",
                                        "1e308",
                                        "1e309",
                                        "-1e999",
                                        "5e-324",
                                        "2e-324",
                                        "1e-400",
                                        "1E+5",
                                        "1e-5",
                                        "0.000000000000000000000000000001",
                                        "0.30000000000000004",
                                        "100000000000000000000000000000000",
                                        "3.1415926535897932384626433832795028841971",
                                        "1e0000000000000000000000001",
                                        "0e999",
                                        "0.016666666666666666",
                                        "1e99999999999999999999",
                                        "1e-99999999999999999999"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i)
        check_equals_strtod(texts[i]);
}

static uint32_t next_random(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state;
}

static void random_numbers_equal_strtod(void) {
    uint32_t state = 1;
    for (int i = 0; i < 20000; ++i) {
        char text[64];
        double value = (double)(int32_t)next_random(&state) / (double)(1u << (next_random(&state) >> 27));
        int digits = 1 + (int)(next_random(&state) >> 28);
        snprintf(text, sizeof text, i % 2 ? "%.*g" : "%.*f", digits, value);
        check_equals_strtod(text);
    }
}

static void every_float_survives_nine_digits(void) {
    uint32_t state = 7;
    for (int i = 0; i < 50000; ++i) {
        uint32_t bits = next_random(&state);
        if ((bits & 0x7F800000u) == 0x7F800000u) continue; /* infinite or not a number */
        float value, back;
        memcpy(&value, &bits, sizeof value);
        char text[32];
        snprintf(text, sizeof text, "%.9g", (double)value);
        const char *end;
        back = (float)json_number_parse(text, &end);
        CHECK(memcmp(&value, &back, sizeof value) == 0);
    }
}

static void formats_are_short_and_read_back(void) {
    static const struct {
        double value;
        const char *text;
    } cases[] = {
        {0.1, "0.1"}, {1000000, "1000000"}, {1e-6, "1e-06"}, {1.0 / 3, "0.33333333333333331"}, {-0.0, "-0"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        char text[32];
        size_t length = json_number_format(cases[i].value, text);
        CHECK_STRING(text, cases[i].text);
        CHECK_INT(length, strlen(text));
    }
}

static void check_printed(float value) {
    char got[32], want[32];
    memset(got, '#', sizeof got);
    size_t length = json_number_format_float(value, got);
    snprintf(want, sizeof want, "%.9g", (double)value);
    if (strcmp(got, want) != 0) printf("%a: %s, not %s\n", (double)value, got, want);
    CHECK(strcmp(got, want) == 0 && length == strlen(want));
}

static void floats_are_printed_as_printf_does(void) {
    static const float values[] = {0.0f,    -0.0f,      1.0f,          -1.0f,       10.0f,       100.0f,
                                   1e7f,    1e8f,       1e9f,          99999999.0f, 16777216.0f, 0.1f,
                                   0.5f,    1e-4f,      9e-5f,         1e-5f,       1e-10f,      1e-13f,
                                   1e-14f,  1e-38f,     1e-45f,        3.4e38f,     123456.75f,  0.999999999f,
                                   1.5e-5f, 8388608.5f, 9.99999999e-5f};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; ++i)
        check_printed(values[i]);
    /* Halves of the ninth digit: ties, which printf rounds to even. */
    for (uint32_t i = 0; i < 2000; ++i)
        check_printed(4194304.0f + 0.5f * (float)i);
    for (uint32_t i = 0; i < 2000; ++i)
        check_printed(131072.0f + 0.015625f * (float)i);
    uint32_t state = 9;
    for (uint32_t i = 0; i < 200000; ++i) {
        uint32_t bits = next_random(&state);
        if (i % 2) bits = (bits & 0x807FFFFFu) | (83 + next_random(&state) % 72) << 23; /* 1e-13 to 1e8 */
        if ((bits >> 23 & 0xFF) == 0xFF) continue;
        float value;
        memcpy(&value, &bits, sizeof value);
        check_printed(value);
    }
}

static void digits_are_those_of_the_number(void) {
    static const uint64_t values[] = {0, 9, 10, 4294967295u, UINT64_MAX, 10000000000000000000u};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; ++i) {
        char got[32] = "", want[32];
        size_t length = json_number_format_digits(values[i], got);
        snprintf(want, sizeof want, "%llu", (unsigned long long)values[i]);
        CHECK_STRING(got, want);
        CHECK_INT(length, strlen(want));
    }
}

RUN_TESTS(TEST(edge_cases_equal_strtod), TEST(random_numbers_equal_strtod),
          TEST(every_float_survives_nine_digits), TEST(formats_are_short_and_read_back),
          TEST(floats_are_printed_as_printf_does), TEST(digits_are_those_of_the_number))
