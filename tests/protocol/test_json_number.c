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

RUN_TESTS(TEST(edge_cases_equal_strtod), TEST(random_numbers_equal_strtod),
          TEST(every_float_survives_nine_digits), TEST(formats_are_short_and_read_back))
