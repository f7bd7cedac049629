/* From a text to a request: the checks of protocol.md in their order
 *
 *   parse → envelope → rate → method → role → size of that method → params
 *
 * Up to the params only spans of the scanned text are looked at; the tree is built
 * when everything else has been let through. */
#include <wire/commands.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decoder.h"
#include "json_locate.h"
#include "json_number.h"

enum { DEFAULT_DEPTH = 16, LONGEST_METHOD = 64 };

static void error_init(struct wire_error *error) {
    *error = (struct wire_error){.reason = "", .id_json = "null", .answer = true};
}

static void fail_parse(struct wire_error *error, const char *text, const struct json_problem *problem) {
    if (problem->no_memory) {
        WIRE_FAIL(error, out_of_memory, "", "The server is out of memory for this request.");
        return;
    }
    size_t line = 1;
    for (size_t i = 0; i < problem->offset; ++i)
        line += text[i] == '\n';
    char place[64];
    if (line > 1) {
        snprintf(place, sizeof place, "at byte %zu (line %zu)", problem->offset, line);
    } else {
        snprintf(place, sizeof place, "at byte %zu", problem->offset);
    }
    WIRE_FAIL(error, parse, "", "The text is not accepted as JSON %s: %s.", place, problem->text);
    wire_error_data(error, "\"offset\":%zu", problem->offset);
}

/* Beyond 2^53 a double cannot tell neighbours apart: of the numbers that read as 2^53
 * only its own digits are within. */
static bool is_within_2_53(const char *text, size_t length, double value) {
    static const char most[] = "9007199254740992";
    if (fabs(value) < 9007199254740992.0) return true;
    if (*text == '-') ++text, --length;
    return length == sizeof most - 1 && memcmp(text, most, length) == 0;
}

/* Is the id a string, a whole number within ±2^53, or null? Its text goes to the error. */
static bool check_id(const struct json_scan *scan, struct wire_error *error) {
    const struct json_span *id = &scan->id;
    const char *problem = NULL;
    if (id->kind == JSON_NONE) {
        error->answer = false;
        return true;
    }
    size_t length = id->end - id->start;
    if (id->kind == JSON_NUMBER) {
        const char *end;
        const char *text = scan->text + id->start;
        double value = json_number_parse(text, &end);
        if (!is_within_2_53(text, length, value) || value != floor(value)) {
            problem = "a whole number within 2^53 either way";
        }
    } else if (id->kind != JSON_STRING && id->kind != JSON_NULL) {
        problem = "a string, a whole number or null";
    }
    if (!problem && length >= sizeof error->id_json) problem = "at most 263 bytes long";
    if (problem) {
        WIRE_FAIL(error, invalid_request, "id", "id must be %s.", problem);
        return false;
    }
    memcpy(error->id_json, scan->text + id->start, length);
    error->id_json[length] = '\0';
    return true;
}

/* An envelope fault is answered even when there is no id: nobody can tell whether
 * there should have been one. */
static bool fail_envelope(struct wire_error *error, const char *path, const char *sentence) {
    error->answer = true;
    WIRE_FAIL(error, invalid_request, path, "%s", sentence);
    return false;
}

static bool check_envelope(const struct json_scan *scan, struct wire_error *error) {
    if (scan->root.kind == JSON_ARRAY) {
        return fail_envelope(error, "", "A request is one object; batches are not accepted.");
    }
    if (scan->root.kind != JSON_OBJECT) return fail_envelope(error, "", "A request is an object.");
    if (!check_id(scan, error)) return false;
    if (scan->unknown_key.kind != JSON_NONE) {
        char key[49];
        json_unescape(scan, &scan->unknown_key, key, sizeof key);
        error->answer = true;
        WIRE_FAIL(error, invalid_request, key,
                  "A request has no member \"%s\"; allowed: jsonrpc, id, method, params.", key);
        return false;
    }
    if (scan->jsonrpc.kind != JSON_STRING || !json_span_equals(scan, &scan->jsonrpc, "2.0")) {
        return fail_envelope(error, "jsonrpc", "A request needs \"jsonrpc\":\"2.0\".");
    }
    if (scan->method.kind != JSON_STRING) {
        return fail_envelope(error, "method", "A request needs a method, a string such as \"world.list\".");
    }
    enum json_kind params = scan->params.kind;
    if (params != JSON_NONE && params != JSON_OBJECT && params != JSON_ARRAY) {
        return fail_envelope(error, "params",
                             "params must be an object, or be left out; null is not accepted.");
    }
    return true;
}

static enum wire_command find_method(const struct json_scan *scan, char method[LONGEST_METHOD + 1]) {
    size_t length = json_unescape(scan, &scan->method, method, LONGEST_METHOD + 1);
    return length > LONGEST_METHOD ? WIRE_COMMAND_COUNT : command_find(method);
}

static void fail_method(struct wire_error *error, const char *method) {
    const char *nearest = command_nearest(method);
    WIRE_FAIL(error, unknown_method, "method",
              "There is no method \"%s\"%s%s%s; server.commands lists them all.", method,
              nearest ? " (did you mean " : "", nearest ? nearest : "", nearest ? "?)" : "");
    if (nearest) wire_error_data(error, "\"nearest\":\"%s\"", nearest);
}

/* rate → method → role → size. */
static bool admit(const struct json_scan *scan, const struct wire_decode_rules *rules,
                  enum wire_command command, const char *method, struct wire_error *error) {
    char world[65] = "";
    if (scan->world.kind == JSON_STRING) json_unescape(scan, &scan->world, world, sizeof world);
    if (rules->rate && !rules->rate(rules->context, command, world[0] ? world : NULL)) {
        WIRE_FAIL(error, rate_limited, "",
                  "Too many commands per second; hello.limits says how many are allowed.");
        return false;
    }
    if (command == WIRE_COMMAND_COUNT) {
        fail_method(error, method);
        return false;
    }
    if (wire_command_get_info(command)->mutates && !rules->may_control) {
        WIRE_FAIL(error, forbidden, "method",
                  "%s changes the world; this session's role is view, allowed is control.", method);
        return false;
    }
    uint32_t max = wire_command_max_bytes(command);
    if (scan->length > max) {
        WIRE_FAIL(error, limit_exceeded, "", "The request has %zu bytes; %s may have at most %u bytes.",
                  scan->length, method, max);
        wire_error_data(error, "\"limit\":\"message_bytes\",\"max\":%u,\"got\":%zu", max, scan->length);
        return false;
    }
    if (scan->too_many_values) {
        WIRE_FAIL(error, limit_exceeded, "params",
                  "params has more than %d values outside lists of numbers; at most so many are allowed.",
                  JSON_MAX_VALUES);
        wire_error_data(error, "\"limit\":\"json_values\",\"max\":%d,\"got\":%u", JSON_MAX_VALUES,
                        scan->value_count);
        return false;
    }
    if (scan->params.kind == JSON_ARRAY) {
        WIRE_FAIL(error, wrong_type, "params", "params must be an object of members by name; it is a list.");
        return false;
    }
    return true;
}

/* The value as a tree; NULL when out of memory. */
static cJSON *parse_tree(const struct json_scan *scan, const struct json_span *value) {
    if (value->kind == JSON_NONE) return cJSON_CreateObject();
    size_t length;
    char *text = json_extract(scan, value, &length);
    if (!text) return NULL;
    const char *end = NULL;
    cJSON *tree = cJSON_ParseWithLengthOpts(text, length + 1, &end, true);
    if (tree && end != text + length) {
        cJSON_Delete(tree);
        tree = NULL;
    }
    free(text);
    return tree;
}

/* The world that params address: their member `world`, when they have one. */
static const char *addressed_world(const struct record *record, const unsigned char *params) {
    struct field_list list;
    record_fields(record, &list);
    const struct field *field = field_find(&list, "world");
    if (!field || field->row->kind != FIELD_NAME) return NULL;
    return *(const char *const *)(const void *)(params + field->offset);
}

/* Everything behind the checks: memory, tree, params. */
static struct wire_request *build(const struct json_scan *scan, const struct json_span *value,
                                  enum wire_command command, const struct record *record, const char *owner,
                                  struct wire_error *error) {
    struct decoder d = {.scan = scan, .arena = arena_create(), .error = error, .owner = owner};
    cJSON *tree = d.arena ? parse_tree(scan, value) : NULL;
    struct wire_request *request = d.arena ? arena_alloc(d.arena, sizeof *request) : NULL;
    unsigned char *params = d.arena ? arena_alloc(d.arena, record->size) : NULL;
    char *id = d.arena ? arena_text(d.arena, error->id_json, strlen(error->id_json)) : NULL;
    bool good = tree && request && params && id;
    if (!good) {
        decode_fail_memory(&d);
    } else {
        good = decode_record(&d, record, tree, params);
    }
    cJSON_Delete(tree);
    if (!good) {
        arena_destroy(d.arena);
        return NULL;
    }
    *request = (struct wire_request){
        .command = command,
        .wants_reply = error->answer,
        .id_json = id,
        .world = addressed_world(record, params),
        .params = params,
        .text_bytes = scan->length,
        .arena = d.arena,
    };
    return request;
}

struct wire_request *wire_request_decode(const char *text, size_t length,
                                         const struct wire_decode_rules *rules, struct wire_error *error) {
    error_init(error);
    struct json_scan scan;
    struct json_problem problem;
    uint32_t depth = rules->max_depth ? rules->max_depth : DEFAULT_DEPTH;
    if (!json_scan(&scan, text, length, depth, &problem)) {
        fail_parse(error, text, &problem);
        return NULL;
    }
    struct wire_request *request = NULL;
    char method[LONGEST_METHOD + 1];
    if (check_envelope(&scan, error)) {
        enum wire_command command = find_method(&scan, method);
        if (admit(&scan, rules, command, method, error)) {
            request = build(&scan, &scan.params, command, command_record(command), method, error);
        }
    }
    json_scan_free(&scan);
    return request;
}

struct wire_request *wire_scene_decode(const char *text, size_t length, struct wire_error *error) {
    error_init(error);
    struct json_scan scan;
    struct json_problem problem;
    if (!json_scan(&scan, text, length, DEFAULT_DEPTH, &problem)) {
        fail_parse(error, text, &problem);
        return NULL;
    }
    struct wire_request *request = NULL;
    if (scan.root.kind != JSON_OBJECT) {
        WIRE_FAIL(error, wrong_type, "", "A scene is an object with world, cloths and colliders.");
    } else if (scan.too_many_values) {
        WIRE_FAIL(error, limit_exceeded, "", "The scene has more than %d values outside lists of numbers.",
                  JSON_MAX_VALUES);
    } else {
        request = build(&scan, &scan.root, WIRE_COMMAND_COUNT, scene_record(), "the scene", error);
    }
    json_scan_free(&scan);
    return request;
}

/* At which byte it is wrong, before the sentence that says how. */
static void place_error(struct wire_error *error, const char *text, const char *prefix) {
    struct wire_error inner = *error;
    struct json_span span;
    char path[2 * sizeof error->path];
    snprintf(path, sizeof path, "%s%s", prefix, inner.path);
    json_locate(text, path, &span);
    wire_error_set(error, inner.code, inner.reason, inner.path, "At byte %u: %s", span.start, inner.message);
    wire_error_data(error, "\"offset\":%u", span.start);
}

struct wire_request *wire_log_decode(const char *text, size_t length, struct wire_error *error) {
    enum { MANY_VALUES = 1u << 28 };
    error_init(error);
    struct json_scan scan;
    struct json_problem problem;
    if (!json_scan_file(&scan, text, length, DEFAULT_DEPTH, MANY_VALUES, &problem)) {
        fail_parse(error, text, &problem);
        return NULL;
    }
    struct wire_request *request = NULL;
    struct json_span log;
    bool is_reply = json_locate(text, "result", &log);
    if (!is_reply) log = scan.root;
    if (log.kind != JSON_OBJECT) {
        WIRE_FAIL(error, wrong_type, "", "A log is an object with start, commands and checks.");
    } else {
        request = build(&scan, &log, WIRE_COMMAND_COUNT, log_record(), "the log", error);
    }
    json_scan_free(&scan);
    if (!request) place_error(error, text, is_reply ? "result." : "");
    return request;
}

void wire_request_destroy(struct wire_request *request) {
    if (request) arena_destroy(request->arena);
}
