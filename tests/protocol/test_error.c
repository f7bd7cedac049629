/* Error objects: the table's codes, and texts that are cut without breaking UTF-8. */
#include <check.h>
#include <stdlib.h>
#include <wire/errors.h>

#include "json_string.h"

static void codes_are_the_contracts(void) {
    size_t count;
    const struct wire_error_kind *kinds = wire_error_kinds(&count);
    for (size_t i = 0; i < count; ++i) {
        for (size_t k = 0; k < i; ++k)
            CHECK(strcmp(kinds[i].reason, kinds[k].reason) != 0);
        CHECK(kinds[i].text[0] != '\0');
    }
    CHECK_INT(WIRE_CODE_parse, -32700);
    CHECK_INT(WIRE_CODE_invalid_request, -32600);
    CHECK_INT(WIRE_CODE_unknown_method, -32601);
    CHECK_INT(WIRE_CODE_non_finite, -32602);
    CHECK_INT(WIRE_CODE_internal, -32603);
    CHECK_INT(WIRE_CODE_not_found, -32001);
    CHECK_INT(WIRE_CODE_already_exists, -32002);
    CHECK_INT(WIRE_CODE_invalid_mesh, -32003);
    CHECK_INT(WIRE_CODE_limit_exceeded, -32004);
    CHECK_INT(WIRE_CODE_conflict, -32005);
    CHECK_INT(WIRE_CODE_forbidden, -32006);
    CHECK_INT(WIRE_CODE_rate_limited, -32007);
    CHECK_INT(WIRE_CODE_busy, -32008);
}

static void code_reason_path_and_sentence_are_set(void) {
    struct wire_error error = {0};
    WIRE_FAIL(&error, not_found, "cloth", "There is no cloth \"%s\".", "flag");
    CHECK_INT(error.code, -32001);
    CHECK_STRING(error.reason, "not_found");
    CHECK_STRING(error.path, "cloth");
    CHECK_STRING(error.message, "There is no cloth \"flag\".");
    WIRE_FAIL(&error, busy, NULL, "Busy.");
    CHECK_STRING(error.path, "");
}

static bool is_utf8(const char *text) {
    for (const unsigned char *p = (const unsigned char *)text; *p;) {
        size_t length = json_utf8_length(p);
        if (!length) return false;
        p += length;
    }
    return true;
}

static void a_cut_text_stays_utf8(void) {
    /* Shifting the text by one byte each time puts every byte of a character at the cut. */
    static const char *const characters[] = {"é", "€", "😀", "a"};
    for (size_t c = 0; c < 4; ++c) {
        for (int shift = 0; shift < 4; ++shift) {
            char text[1200] = "";
            memset(text, 'x', (size_t)shift);
            for (size_t used = (size_t)shift; used < 1100; used += strlen(characters[c])) {
                strcpy(text + used, characters[c]);
            }
            struct wire_error error = {0};
            WIRE_FAIL(&error, internal, text, "%s", text);
            CHECK(is_utf8(error.message));
            CHECK(is_utf8(error.path));
            CHECK(strlen(error.message) >= sizeof error.message - 4);
            CHECK(strlen(error.path) >= sizeof error.path - 4);
        }
    }
}

static void data_replaces_data(void) {
    struct wire_error error = {0};
    wire_error_data(&error, "\"max\":%d", 5);
    wire_error_data(&error, "\"max\":%d,\"got\":%d", 5, 6);
    CHECK_STRING(error.data_json, "\"max\":5,\"got\":6");
    free(error.data_json);
}

static void a_prefix_says_where_the_part_was(void) {
    struct wire_error error = {.path = "solver.dt"};
    wire_error_prefix(&error, "params.");
    wire_error_prefix(&error, "commands[3].");
    CHECK_STRING(error.path, "commands[3].params.solver.dt");
    error.path[0] = '\0';
    wire_error_prefix(&error, "cloths[1].");
    CHECK_STRING(error.path, "cloths[1]");
    for (int i = 0; i < 60; ++i)
        wire_error_prefix(&error, "\xC3\xA9.");
    CHECK(strlen(error.path) >= sizeof error.path - 4);
    CHECK(is_utf8(error.path));
}

RUN_TESTS(TEST(codes_are_the_contracts), TEST(code_reason_path_and_sentence_are_set),
          TEST(a_cut_text_stays_utf8), TEST(data_replaces_data), TEST(a_prefix_says_where_the_part_was))
