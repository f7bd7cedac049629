/* The phrases of refusals, and what data says beside the sentence. */
#include <check.h>
#include <stdlib.h>
#include <wire/errors.h>

#include "decoder.h"
#include "support_decode.h"

/* The error of a request that must fail; the caller frees data_json. */
static struct wire_error error_of(const char *method, const char *params) {
    char *text = support_request_text(method, params);
    const struct wire_decode_rules rules = {.may_control = true};
    struct wire_error error;
    struct wire_request *request = wire_request_decode(text, strlen(text), &rules, &error);
    CHECK(request == NULL);
    wire_request_destroy(request);
    free(text);
    return error;
}

static void check_data(const char *method, const char *params, const char *data) {
    struct wire_error error = error_of(method, params);
    CHECK_STRING(error.data_json, data);
    free(error.data_json);
}

static void data_helps_programs(void) {
    check_data("world.step", "{\"ticks\":0}", "\"got\":0,\"min\":1,\"max\":100000,\"unit\":\"ticks\"");
    check_data("stream.subscribe", "{\"codec\":\"h264\"}", "\"values\":[\"f32\",\"cb32\"]");
    check_data("world.step", "{\"tick\":1}",
               "\"allowed\":[\"world\",\"ticks\",\"commands\",\"state\"],\"nearest\":\"ticks\"");
    check_data("world.step", "{\"qqqqqq\":1}", "\"allowed\":[\"world\",\"ticks\",\"commands\",\"state\"]");
    check_data("client.set", "{\"color\":\"012345678901234567890123456789012\"}",
               "\"limit\":\"color\",\"max\":32,\"got\":33");
}

static void check_got(const char *value, const char *phrase) {
    char params[256], want[256];
    snprintf(params, sizeof params, "{\"ticks\":%s}", value);
    snprintf(want, sizeof want, "ticks must be a whole number from 1 to 100000 ticks; it is %s.", phrase);
    struct wire_error error = error_of("world.step", params);
    CHECK_STRING(error.message, want);
    free(error.data_json);
}

static void what_was_got_is_named(void) {
    check_got("\"five\"", "the text \"five\"");
    check_got("null", "null");
    check_got("true", "true");
    check_got("false", "false");
    check_got("2.5", "the number 2.5");
    check_got("[]", "a list of 0 numbers");
    check_got("[1]", "a list of 1 number");
    check_got("[1,2]", "a list of 2 numbers");
    check_got("[{\"from\":1,\"to\":2}]", "a list with ranges");
    check_got("[\"a\"]", "a list");
    check_got("{}", "an object");
}

static void a_long_text_is_quoted_in_part_and_stays_utf8(void) {
    /* 47 letters, then a character of two bytes across the cut at 48. */
    check_got("\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaé tail\"",
              "the text \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"");
}

static void check_wants(const char *method, const char *member, const char *phrase) {
    struct field_list list;
    record_fields(command_record(command_find(method)), &list);
    char wants[PHRASE_BYTES];
    decode_wants(field_find(&list, member), wants);
    CHECK_STRING(wants, phrase);
}

static void what_a_field_takes_is_named(void) {
    check_wants("cloth.unpin", "all", "true or false");
    check_wants("cloth.set", "stretch_compliance", "a number from 0 to 1000000 m/N or null");
    check_wants("cloth.set", "bend_model", "\"dihedral\" or \"distance\"");
    check_wants("cloth.add", "rotation", "4 numbers [x,y,z,w], each from -1 to 1");
    check_wants("cloth.add", "scale", "a number or 3 numbers [x,y,z], each from 1e-06 to 1000000");
    check_wants("cloth.add", "grid", "an object");
    check_wants("cloth.add", "file", "text of at most 255 bytes");
    check_wants("cloth.add", "cloth",
                "a name: 1 to 64 of A-Z a-z 0-9 . _ -, beginning with a letter or digit");
    check_wants("cloth.pin", "vertices", "a list of vertex indices and ranges {\"from\":a,\"to\":b}");
    check_wants("cloth.pin", "positions",
                "a list of numbers in groups of 3, each from -1000000 to 1000000 m");
    check_wants("stream.subscribe", "cloths", "a list of names");
}

static void a_hostile_name_does_no_harm(void) {
    char params[2100], *p = params;
    p += sprintf(p, "{\"");
    for (int i = 0; i < 500; ++i)
        p += sprintf(p, "€");
    sprintf(p, "\\u0007\":1}");
    struct wire_error error = error_of("world.pause", params);
    CHECK_STRING(error.reason, "unknown_param");
    CHECK(strlen(error.path) <= 48);
    CHECK(strstr(error.message, "allowed: world.") != NULL);
    free(error.data_json);
}

RUN_TESTS(TEST(data_helps_programs), TEST(what_was_got_is_named),
          TEST(a_long_text_is_quoted_in_part_and_stays_utf8), TEST(what_a_field_takes_is_named),
          TEST(a_hostile_name_does_no_harm))
