/* Envelopes of results, notifications and errors, letter by letter. */
#include <check.h>
#include <stdlib.h>
#include <wire/errors.h>
#include <wire/reply.h>

static void a_result_echoes_the_id(void) {
    struct json json;
    json_init(&json);
    reply_begin(&json, "\"a\\\"b\"");
    json_key(&json, "tick");
    json_integer(&json, 7);
    json_key(&json, "ok");
    json_bool(&json, true);
    reply_end(&json);
    CHECK_STRING(json.text, "{\"jsonrpc\":\"2.0\",\"id\":\"a\\\"b\",\"result\":{\"tick\":7,\"ok\":true}}");
    json_free(&json);
}

static void a_notification_has_no_id(void) {
    struct json json;
    json_init(&json);
    notification_begin(&json, "stats");
    json_key(&json, "tick");
    json_integer(&json, 7);
    notification_end(&json);
    CHECK_STRING(json.text, "{\"jsonrpc\":\"2.0\",\"method\":\"stats\",\"params\":{\"tick\":7}}");
    json_free(&json);
}

static void check_error(const struct wire_error *error, const char *want) {
    struct json json;
    json_init(&json);
    reply_error(&json, error);
    CHECK_STRING(json.text, want);
    json_free(&json);
}

static void an_error_has_what_is_known(void) {
    struct wire_error error = {.id_json = "3"};
    WIRE_FAIL(&error, not_found, "cloth", "There is no cloth \"x\".");
    check_error(&error,
                "{\"jsonrpc\":\"2.0\",\"id\":3,\"error\":{\"code\":-32001,\"message\":\"There is no cloth "
                "\\\"x\\\".\",\"data\":{\"reason\":\"not_found\",\"path\":\"cloth\"}}}");
    wire_error_data(&error, "\"max\":%d,\"list\":[1,2]", 4);
    check_error(
        &error,
        "{\"jsonrpc\":\"2.0\",\"id\":3,\"error\":{\"code\":-32001,\"message\":\"There is no cloth "
        "\\\"x\\\".\",\"data\":{\"reason\":\"not_found\",\"path\":\"cloth\",\"max\":4,\"list\":[1,2]}}}");
    free(error.data_json);
    struct wire_error bare = {.id_json = "null"};
    WIRE_FAIL(&bare, busy, "", "Busy.");
    check_error(&bare,
                "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32008,\"message\":\"Busy.\",\"data\":{"
                "\"reason\":\"busy\"}}}");
}

static void a_parse_error_says_where(void) {
    const struct wire_decode_rules rules = {.may_control = true};
    struct wire_error error;
    CHECK(wire_request_decode("{\"a\":NaN}", 9, &rules, &error) == NULL);
    check_error(&error,
                "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,\"message\":\"The text is not "
                "accepted as JSON at byte 5: NaN and Infinity are not JSON.\",\"data\":{\"reason\":\"parse\","
                "\"offset\":5}}}");
    free(error.data_json);
}

RUN_TESTS(TEST(a_result_echoes_the_id), TEST(a_notification_has_no_id), TEST(an_error_has_what_is_known),
          TEST(a_parse_error_says_where))
