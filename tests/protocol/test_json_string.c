/* UTF-8 and escapes: what is valid passes unescaped, what is not is refused at its byte. */
#include <check.h>
#include <stdint.h>

#include "json_string.h"

static void check_content(const char *quoted, const char *content) {
    uint64_t hash;
    size_t bad = 0;
    const char *problem = NULL;
    CHECK_INT(json_string_scan(quoted, 0, &hash, &bad, &problem), strlen(quoted));
    char out[64], c[4];
    size_t used = 0;
    const char *p = quoted + 1;
    for (size_t n; (n = json_string_next(&p, c)) != 0; used += n)
        memcpy(out + used, c, n);
    out[used] = '\0';
    CHECK_STRING(out, content);
}

static void check_refused(const char *quoted, size_t at, const char *sentence) {
    uint64_t hash;
    size_t bad = 999;
    const char *problem = "";
    CHECK_INT(json_string_scan(quoted, 0, &hash, &bad, &problem), 0);
    CHECK_INT(bad, at);
    CHECK_STRING(problem, sentence);
}

static void content_is_unescaped(void) {
    check_content("\"\"", "");
    check_content("\"abc\"", "abc");
    check_content("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\b\f\n\r\t");
    check_content("\"\\u0041\\u00e9\\u20AC\\ud83d\\ude00\"", "Aé€😀");
    check_content("\"é€😀\"", "é€😀");
}

static void what_is_no_string_is_refused_at_its_byte(void) {
    check_refused("\"ab", 3, "the text ends within a string");
    check_refused("\"a\nb\"", 2, "a control character in a string must be escaped");
    check_refused("\"\\x\"", 1, "an escape that JSON does not have");
    check_refused("\"a\\u12g4\"", 2, "\\u needs four hex digits");
    check_refused("\"\\u0000\"", 1, "\\u0000 is not accepted");
    check_refused("\"\\ud800\"", 1, "half of a surrogate pair");
    check_refused("\"\\ud800\\u0041\"", 1, "half of a surrogate pair");
    check_refused("\"\\udc00\"", 1, "half of a surrogate pair");
    check_refused("\"ab\xff\"", 3, "not UTF-8");
    check_refused("\"\\", 1, "an escape that JSON does not have");
}

static void utf8_is_taken_strictly(void) {
    static const char *const bad[] = {
        "\x80",         "\xC0\xAF",         "\xC1\xBF",         "\xE0\x80\x80",
        "\xED\xA0\x80", "\xF0\x80\x80\x80", "\xF4\x90\x80\x80", "\xF8\x88\x80\x80",
        "\xC3",         "\xE2\x82",         "\xF0\x9F\x98",     "\xC3("};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        CHECK_INT(json_utf8_length((const unsigned char *)bad[i]), 0);
    }
    CHECK_INT(json_utf8_length((const unsigned char *)"\xC2\x80"), 2);
    CHECK_INT(json_utf8_length((const unsigned char *)"\xEF\xBF\xBF"), 3);
    CHECK_INT(json_utf8_length((const unsigned char *)"\xF4\x8F\xBF\xBF"), 4);
}

static void equal_contents_have_equal_hashes(void) {
    uint64_t a, b, c;
    size_t bad;
    const char *problem;
    json_string_scan("\"id\"", 0, &a, &bad, &problem);
    json_string_scan("\"\\u0069d\"", 0, &b, &bad, &problem);
    json_string_scan("\"di\"", 0, &c, &bad, &problem);
    CHECK(a == b);
    CHECK(a != c);
}

RUN_TESTS(TEST(content_is_unescaped), TEST(what_is_no_string_is_refused_at_its_byte),
          TEST(utf8_is_taken_strictly), TEST(equal_contents_have_equal_hashes))
