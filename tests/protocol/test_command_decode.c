/* The order of the checks, the envelope, the sentences, and hostile texts. What the
 * params of each command refuse is tested in test_decode_record.c. */
#include <check.h>
#include <stdlib.h>
#include <wire/errors.h>

#include "support_decode.h"

/* ---- the envelope ---- */

static void refuse_text(const char *text, int code, const char *reason, const char *id, bool answer) {
    struct wire_error error;
    struct wire_request *request = support_decode(text, &error);
    CHECK(request == NULL);
    if (request) {
        printf("accepted: %s\n", text);
        wire_request_destroy(request);
        return;
    }
    if (error.code != code || strcmp(error.id_json, id)) printf("%s: %s\n", text, error.message);
    CHECK_INT(error.code, code);
    CHECK_STRING(error.reason, reason);
    CHECK_STRING(error.id_json, id);
    CHECK_INT(error.answer, answer);
    size_t length = strlen(error.message);
    CHECK(length > 0 && error.message[length - 1] == '.'); /* a sentence */
}

static void what_is_not_json_has_no_id(void) {
    static const char *const texts[] = {
        "",
        " ",
        "{",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"world.list\"",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"world.list\"}x",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"world.set\",\"params\":{\"drag\":NaN}}",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"world.set\",\"params\":{\"drag\":-Infinity}}",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"world.set\",\"params\":{\"drag\":0x10}}",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"world.set\",\"params\":{\"drag\":01}}",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"id\":2,\"method\":\"world.list\"}",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}",
        "{'jsonrpc':'2.0'}",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i)
        refuse_text(texts[i], -32700, "parse", "null", true);
}

static void an_envelope_that_is_no_request_is_invalid(void) {
    static const struct {
        const char *text, *id;
    } cases[] = {
        {"[]", "null"},
        {"[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"world.list\"}]", "null"},
        {"7", "null"},
        {"{}", "null"},
        {"{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"world.list\"}", "1"},
        {"{\"jsonrpc\":2.0,\"id\":1,\"method\":\"world.list\"}", "1"},
        {"{\"id\":\"a\",\"method\":\"world.list\"}", "\"a\""},
        {"{\"jsonrpc\":\"2.0\",\"id\":1}", "1"},
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":7}", "1"},
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"world.list\",\"extra\":0}", "1"},
        {"{\"jsonrpc\":\"2.0\",\"method\":\"world.list\",\"extra\":0}", "null"},
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"world.list\",\"params\":null}", "1"},
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"world.list\",\"params\":3}", "1"},
        {"{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"world.list\"}", "null"},
        {"{\"jsonrpc\":\"2.0\",\"id\":1e999,\"method\":\"world.list\"}", "null"},
        {"{\"jsonrpc\":\"2.0\",\"id\":9007199254740993,\"method\":\"world.list\"}", "null"},
        {"{\"jsonrpc\":\"2.0\",\"id\":-9007199254740993,\"method\":\"world.list\"}", "null"},
        {"{\"jsonrpc\":\"2.0\",\"id\":9007199254740994,\"method\":\"world.list\"}", "null"},
        {"{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"world.list\"}", "null"},
        {"{\"jsonrpc\":\"2.0\",\"id\":true,\"method\":\"world.list\"}", "null"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        refuse_text(cases[i].text, -32600, "invalid_request", cases[i].id, true);
    }
}

static void ids_come_back_as_they_were(void) {
    static const char *const ids[] = {
        "7", "-0", "9007199254740992", "-9007199254740992", "1e3", "\"a\\u00e9\"", "\"\"", "null"};
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; ++i) {
        char text[160];
        snprintf(text, sizeof text,
                 "{\"params\":{},\"method\":\"server.ping\",\"id\":%s,\"jsonrpc\":\"2.0\"}", ids[i]);
        struct wire_error error;
        struct wire_request *request = support_decode(text, &error);
        CHECK(request != NULL);
        if (!request) continue;
        CHECK_STRING(request->id_json, ids[i]);
        CHECK(request->wants_reply);
        CHECK(request->world == NULL);
        wire_request_destroy(request);
    }
}

static void a_request_without_id_is_not_answered(void) {
    struct wire_error error;
    struct wire_request *request = support_decode(
        "{\"jsonrpc\":\"2.0\",\"method\":\"stream.ack\",\"params\":{\"tick\":4294967295}}", &error);
    CHECK(request != NULL);
    if (!request) return;
    CHECK(!request->wants_reply);
    CHECK_STRING(request->world, "main");
    const struct wire_stream_ack *ack = request->params;
    CHECK_INT(ack->tick, 4294967295);
    CHECK_INT(ack->has_drawn_ms, WIRE_ABSENT);
    wire_request_destroy(request);
    refuse_text("{\"jsonrpc\":\"2.0\",\"method\":\"stream.ack\",\"params\":{\"tick\":-1}}", -32602,
                "out_of_range", "null", false);
    refuse_text("{\"jsonrpc\":\"2.0\",\"method\":\"no.such\"}", -32601, "unknown_method", "null", false);
}

static void a_number_too_large_keeps_the_id(void) {
    refuse_text("{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"world.set\",\"params\":{\"drag\":1e999}}", -32602,
                "non_finite", "5", true);
}

static void params_by_position_are_refused(void) {
    refuse_text("{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"world.set\",\"params\":[1]}", -32602,
                "wrong_type", "5", true);
}

/* ---- the order of the checks ---- */

struct rate_seen {
    int calls;
    bool allow;
    enum wire_command command;
    char world[70];
};

static bool note_rate(void *context, enum wire_command command, const char *world) {
    struct rate_seen *seen = context;
    ++seen->calls;
    seen->command = command;
    snprintf(seen->world, sizeof seen->world, "%s", world ? world : "(none)");
    return seen->allow;
}

static int code_of(const char *text, bool may_control, struct rate_seen *seen) {
    const struct wire_decode_rules rules = {may_control, 16, note_rate, seen};
    struct wire_error error;
    struct wire_request *request = wire_request_decode(text, strlen(text), &rules, &error);
    if (request) {
        wire_request_destroy(request);
        return 0;
    }
    free(error.data_json);
    return error.code;
}

static void rate_is_asked_after_the_envelope_and_before_the_method(void) {
    struct rate_seen seen = {.allow = false};
    CHECK_INT(code_of("{", true, &seen), -32700);
    CHECK_INT(code_of("{\"jsonrpc\":\"2.0\"}", true, &seen), -32600);
    CHECK_INT(seen.calls, 0);
    CHECK_INT(code_of("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"no.such\"}", true, &seen), -32007);
    CHECK_INT(seen.calls, 1);
    CHECK_INT(seen.command, WIRE_COMMAND_COUNT);
    CHECK_STRING(seen.world, "(none)");
    CHECK_INT(
        code_of("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"world.pause\",\"params\":{\"world\":\"w2\"}}",
                true, &seen),
        -32007);
    CHECK_INT(seen.command, WIRE_world_pause);
    CHECK_STRING(seen.world, "w2");
}

static void role_is_checked_after_the_method_and_before_size_and_params(void) {
    struct rate_seen seen = {.allow = true};
    CHECK_INT(code_of("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"no.such\"}", false, &seen), -32601);
    CHECK_INT(code_of("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"world.pause\",\"params\":{\"x\":1}}", false,
                      &seen),
              -32006);
    CHECK_INT(code_of("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"world.list\"}", false, &seen), 0);
    for (int i = 0; i < WIRE_COMMAND_COUNT; ++i) {
        const struct wire_command_info *info = wire_command_get_info((enum wire_command)i);
        char *text = support_request_text(info->method, "{\"zzz\":1}");
        CHECK_INT(code_of(text, false, &seen), info->mutates ? -32006 : -32602);
        free(text);
    }
}

/* A request of exactly `bytes` bytes, filled up with spaces. */
static char *request_of_size(const char *method, size_t bytes) {
    char *request = support_request_text(method, "{\"zzz\":1}");
    size_t length = strlen(request);
    char *text = malloc(bytes + 1);
    memset(text, ' ', bytes);
    memcpy(text, request, length - 1);
    text[bytes - 1] = '}';
    text[bytes] = '\0';
    free(request);
    return text;
}

static void each_method_has_its_own_size(void) {
    struct rate_seen seen = {.allow = true};
    static const struct {
        const char *method;
        size_t max;
    } cases[] = {
        {"server.ping", 65536},        {"stream.ack", 65536},    {"client.set", 65536},
        {"cloth.pin", 1048576},        {"cloth.set", 1048576},   {"cloth.add", 16777216},
        {"cloth.set_state", 16777216}, {"world.list", 16777216}, {"collider.move", 16777216},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        char *fits = request_of_size(cases[i].method, cases[i].max);
        char *over = request_of_size(cases[i].method, cases[i].max + 1);
        CHECK_INT(code_of(fits, true, &seen), -32602); /* the params are looked at */
        CHECK_INT(code_of(over, true, &seen), -32004);
        free(fits);
        free(over);
    }
}

static void too_many_small_values_are_refused_before_they_cost_memory(void) {
    size_t count = 300000;
    char *params = malloc(3 * count + 40), *p = params;
    p += sprintf(p, "{\"spec\":{\"cloths\":[[]");
    for (size_t i = 1; i < count; ++i)
        p += sprintf(p, ",[]");
    sprintf(p, "]}}");
    CHECK(support_fails("world.load", params, "limit_exceeded", "params"));
    free(params);
}

/* ---- sentences ---- */

static void check_sentence(const char *method, const char *params, const char *sentence) {
    struct wire_error error;
    struct wire_request *request = support_decode_params(method, params, &error);
    CHECK(request == NULL);
    wire_request_destroy(request);
    if (!request) CHECK_STRING(error.message, sentence);
}

static void sentences_name_member_value_and_what_is_allowed(void) {
    check_sentence("world.set", "{\"solver\":{\"dt\":2}}", "solver.dt is 2; allowed is 0.001 to 0.1 s.");
    check_sentence("cloth.set", "{\"cloth\":\"a\",\"stretch_compliance\":-1}",
                   "stretch_compliance is -1; allowed is 0 to 1000000 m/N or null.");
    check_sentence("cloth.set", "{\"cloth\":\"a\",\"bend_model\":\"angle\"}",
                   "bend_model is the text \"angle\"; allowed is \"dihedral\" or \"distance\".");
    check_sentence(
        "world.set", "{\"solver\":{\"substep\":2}}",
        "solver has no member \"substep\" (did you mean substeps?); allowed: method, iterations, substeps, "
        "dt, jacobi_weight, velocity_factor.");
    check_sentence("collider.add", "{\"collider\":\"a\",\"shape\":{\"type\":\"sphere\"}}",
                   "shape lacks radius: a number from 1e-06 to 1000000 m.");
    check_sentence(
        "collider.move", "{\"collider\":\"a\",\"position\":[1,2]}",
        "position must be 3 numbers [x,y,z], each from -1000000 to 1000000 m; it is a list of 2 numbers.");
}

/* ---- hostile texts ---- */

static void every_truncation_is_refused(void) {
    for (int i = 0; i < WIRE_COMMAND_COUNT; ++i) {
        struct json json;
        json_init(&json);
        support_full_record(&json, command_record((enum wire_command)i));
        char *text = support_request_text(wire_command_get_info((enum wire_command)i)->method, json.text);
        size_t length = strlen(text);
        struct wire_error error;
        struct wire_request *whole = support_decode(text, &error);
        if (!whole) printf("%s: %s\n", text, error.message);
        CHECK(whole != NULL);
        wire_request_destroy(whole);
        for (size_t n = 0; n < length; ++n) {
            struct wire_request *request = support_decode_bytes(text, n, &error);
            CHECK(request == NULL);
            wire_request_destroy(request);
            CHECK_INT(error.code, -32700);
        }
        free(text);
        json_free(&json);
    }
}

static void no_flipped_byte_does_harm(void) {
    static const unsigned char flips[] = {0x01, 0x20, 0x80, 0xFF};
    unsigned decoded = 0, refused = 0;
    for (int i = 0; i < WIRE_COMMAND_COUNT; ++i) {
        struct json json;
        json_init(&json);
        support_full_record(&json, command_record((enum wire_command)i));
        char *text = support_request_text(wire_command_get_info((enum wire_command)i)->method, json.text);
        size_t length = strlen(text);
        for (size_t n = 0; n < length; ++n) {
            unsigned char flip = flips[n % sizeof flips];
            text[n] = (char)(text[n] ^ flip);
            struct wire_error error;
            struct wire_request *request = support_decode_bytes(text, length, &error);
            ++*(request ? &decoded : &refused);
            wire_request_destroy(request);
            text[n] = (char)(text[n] ^ flip);
        }
        free(text);
        json_free(&json);
    }
    CHECK(decoded > 100 && refused > 100);
}

/* ---- logs ---- */

#define CHECKED                                                                                              \
    "\"steps\":0,\"tick\":0,\"state_hash\":\"0123456789abcdef\",\"cloths\":[{\"cloth\":\"a\",\"marks\":\"00AA\"}],\"colliders\":[]"
#define LOG(commands)                                                                                                   \
    "{\"format\":1,\"server\":\"clothd 0\",\"world\":\"main\",\"start\":{\"cloths\":[]},\"steps\":3,\"complete\":true," \
    "\"commands\":[" commands "],\"checks\":[{" CHECKED "}],\"end\":{" CHECKED "},\"tick\":3}"
#define PAUSE "{\"seq\":1,\"steps\":0,\"tick\":0,\"client\":7,\"method\":\"world.pause\",\"params\":{}}"

static void a_log_is_taken_alone_and_as_a_reply(void) {
    static const char *const texts[] = {LOG(PAUSE),
                                        "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":" LOG(PAUSE) "}"};
    for (int i = 0; i < 2; ++i) {
        struct wire_error error;
        struct wire_request *request = wire_log_decode(texts[i], strlen(texts[i]), &error);
        if (!request) printf("%s\n", error.message);
        CHECK(request != NULL);
        if (!request) continue;
        const struct wire_log *log = request->params;
        CHECK_INT(log->commands_count, 1);
        CHECK_INT(log->commands[0].method, WIRE_world_pause);
        CHECK(log->commands[0].params != NULL);
        CHECK_STRING(log->checks[0].cloths[0].marks, "00AA");
        wire_request_destroy(request);
    }
}

static void refuse_log(const char *text, const char *path, const char *at, const char *sentence) {
    struct wire_error error;
    CHECK(wire_log_decode(text, strlen(text), &error) == NULL);
    CHECK_STRING(error.path, path);
    char place[32];
    snprintf(place, sizeof place, "yte %zu", (size_t)(strstr(text, at) - text));
    if (!strstr(error.message, place) || !strstr(error.message, sentence))
        printf("%s: %s\n", place, error.message);
    CHECK(strstr(error.message, place) != NULL && strstr(error.message, sentence) != NULL);
    free(error.data_json);
}

static void a_bad_log_is_refused_with_the_byte(void) {
    refuse_log(LOG("{\"seq\":1.5}"), "commands[0].seq", "1.5", "whole number");
    refuse_log(LOG("{\"seq\":1,\"steps\":0,\"tick\":0,\"client\":7,\"method\":\"cloth.pni\",\"params\":{}}"),
               "commands[0].method", "\"cloth.pni", "did you mean cloth.pin");
    refuse_log(LOG("{\"seq\":1,\"steps\":0,\"tick\":0,\"client\":7,\"method\":\"world.pause\"}"),
               "commands[0].params", "{\"seq\"", "lacks params");
    refuse_log("{\"result\":" LOG("{\"seq\":0}") "}", "commands[0].seq", "0}]", "allowed is 1 to");
    refuse_log("{\"format\":2,\"nonsense\":1}", "format", "2", "format is 2; allowed is 1.");
    refuse_log("{\"nonsense\":1,\"format\":2}", "format", "2", "allowed is 1.");
    refuse_log("[1]", "", "[", "A log is an object");
    refuse_log("{\"format\":1,}", "", "}", "a key in quotes should be here");
}

RUN_TESTS(TEST(what_is_not_json_has_no_id), TEST(an_envelope_that_is_no_request_is_invalid),
          TEST(ids_come_back_as_they_were), TEST(a_request_without_id_is_not_answered),
          TEST(a_number_too_large_keeps_the_id), TEST(params_by_position_are_refused),
          TEST(rate_is_asked_after_the_envelope_and_before_the_method),
          TEST(role_is_checked_after_the_method_and_before_size_and_params),
          TEST(each_method_has_its_own_size), TEST(too_many_small_values_are_refused_before_they_cost_memory),
          TEST(sentences_name_member_value_and_what_is_allowed), TEST(every_truncation_is_refused),
          TEST(no_flipped_byte_does_harm), TEST(a_log_is_taken_alone_and_as_a_reply),
          TEST(a_bad_log_is_refused_with_the_byte))
