/* Texts that grow, and checks that thin out. */
#include "sim/command_log.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wire/reply.h>

#include "sim/describe.h"
#include "sim/describe_spec.h"
#include "sim/fingerprint.h"

void command_log_init(struct command_log *log, size_t max_bytes) {
    *log = (struct command_log){.every = COMMAND_LOG_FIRST_EVERY, .max_bytes = max_bytes};
}

void command_log_free(struct command_log *log) {
    for (uint32_t i = 0; i < log->check_count; ++i)
        free(log->checks[i].text);
    free(log->checks);
    free(log->commands);
    *log = (struct command_log){0};
}

void command_log_clear(struct command_log *log) {
    size_t max_bytes = log->max_bytes;
    command_log_free(log);
    command_log_init(log, max_bytes);
}

static char *copy_text(const char *text, size_t length) {
    char *copy = malloc(length + 1);
    if (!copy) return NULL;
    if (length > 0) memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

bool command_log_copy(struct command_log *copy, const struct command_log *log) {
    struct command_log made = *log;
    made.commands = copy_text(log->commands, log->length);
    made.capacity = log->length + 1;
    made.check_count = 0;
    made.checks = calloc(COMMAND_LOG_MAX_CHECKS, sizeof *made.checks);
    bool whole = made.commands && made.checks;
    for (uint32_t i = 0; whole && i < log->check_count; ++i) {
        char *text = copy_text(log->checks[i].text, log->checks[i].length);
        whole = text != NULL;
        if (whole) made.checks[made.check_count++] = (struct log_mark){text, log->checks[i].length};
    }
    if (!whole) {
        command_log_free(&made);
        return false;
    }
    *copy = made;
    return true;
}

/* ---- checks ---- */

static void put_cloth(struct json *json, const struct content *content, const struct object *cloth) {
    struct pbd_cloth_view view;
    char *marks = NULL;
    if (pbd_cloth_get_view(content->pbd, cloth->id, &view) == PBD_OK) marks = fingerprint_marks(&view);
    json_begin_object(json);
    json_key(json, "cloth");
    json_string(json, cloth->name);
    json_key(json, "marks");
    json_string(json, marks ? marks : "");
    json_end_object(json);
    json->failed |= !marks;
    free(marks);
}

static void put_collider(struct json *json, const struct content *content, const struct object *collider) {
    struct pbd_collider_state state;
    char mark[FINGERPRINT_MARK_BYTES + 1] = "";
    if (pbd_collider_get(content->pbd, collider->id, &state) == PBD_OK) fingerprint_collider(&state, mark);
    json_begin_object(json);
    json_key(json, "collider");
    json_string(json, collider->name);
    json_key(json, "mark");
    json_string(json, mark);
    json_end_object(json);
}

static void put_objects(struct json *json, const struct content *content, enum object_kind kind) {
    json_begin_array(json);
    for (uint32_t i = 0; i < content->objects.count; ++i) {
        const struct object *object = content->objects.items[i];
        if (object->kind != kind) continue;
        if (kind == OBJECT_CLOTH) {
            put_cloth(json, content, object);
        } else {
            put_collider(json, content, object);
        }
    }
    json_end_array(json);
}

void command_log_check(struct json *json, const struct content *content, uint64_t steps) {
    char hash[17];
    snprintf(hash, sizeof hash, "%016" PRIx64, pbd_world_state_hash(content->pbd));
    json_begin_object(json);
    json_key(json, "steps");
    json_integer(json, (int64_t)steps);
    json_key(json, "tick");
    json_integer(json, pbd_world_tick(content->pbd));
    json_key(json, "state_hash");
    json_string(json, hash);
    json_key(json, "cloths");
    put_objects(json, content, OBJECT_CLOTH);
    json_key(json, "colliders");
    put_objects(json, content, OBJECT_COLLIDER);
    json_end_object(json);
}

/* Keeps every second one; they lie at multiples of `every`, and so do those that stay. */
static void thin_out(struct command_log *log) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < log->check_count; ++i) {
        if (i % 2 != 0) {
            log->checks[kept++] = log->checks[i];
        } else {
            log->check_bytes -= log->checks[i].length;
            free(log->checks[i].text);
        }
    }
    log->check_count = kept;
    log->every *= 2;
}

/* Checks help to find where a run differs; the log is as true without one. */
static void take_check(struct command_log *log, const struct content *content) {
    if (!log->checks) log->checks = calloc(COMMAND_LOG_MAX_CHECKS, sizeof *log->checks);
    struct json json;
    json_init(&json);
    command_log_check(&json, content, log->steps);
    if (!log->checks || json.failed) {
        json_free(&json);
        return;
    }
    log->checks[log->check_count++] = (struct log_mark){json.text, json.length};
    log->check_bytes += json.length;
    while (log->check_count > 0 &&
           (log->check_count == COMMAND_LOG_MAX_CHECKS || log->check_bytes > log->max_bytes / 8)) {
        thin_out(log);
    }
}

void command_log_tick(struct command_log *log, const struct content *content) {
    log->steps += 1;
    if (!log->ended && log->steps % log->every == 0) take_check(log, content);
}

/* ---- commands ---- */

static bool reserve(struct command_log *log, size_t more) {
    size_t need = log->length + more + 1;
    if (need <= log->capacity) return true;
    size_t capacity = 2 * log->capacity > need ? 2 * log->capacity : need + 256;
    char *longer = realloc(log->commands, capacity);
    if (!longer) return false;
    log->commands = longer;
    log->capacity = capacity;
    return true;
}

bool command_log_add(struct command_log *log, const struct log_command *command) {
    if (log->ended) return true;
    enum { HEAD = 192 }; /* longer than all but the params */
    size_t params = command->params ? strlen(command->params) : 0;
    bool fits = command->params && log->length + params + HEAD <= log->max_bytes - log->max_bytes / 8;
    if (!fits || !reserve(log, params + HEAD)) {
        log->ended = true;
        log->ended_at = log->steps;
        return false;
    }
    int head = snprintf(log->commands + log->length, HEAD,
                        "%s{\"seq\":%" PRIu64 ",\"steps\":%" PRIu64
                        ",\"tick\":%u,\"client\":%u,\"method\":\"%s\",\"params\":",
                        log->command_count > 0 ? "," : "", command->seq, log->steps, command->tick,
                        command->client, command->method);
    log->length += (size_t)head;
    memcpy(log->commands + log->length, command->params, params);
    log->length += params;
    log->commands[log->length++] = '}';
    log->commands[log->length] = '\0';
    log->command_count += 1;
    return true;
}

bool command_log_holds(enum wire_command command) {
    return command != WIRE_world_create && command != WIRE_world_load && command != WIRE_world_destroy;
}

static const struct object *find(const struct content *content, enum object_kind kind, const char *name) {
    return object_find(&content->objects, kind, name);
}

/* collider.set with a shape from a file: as if it had been given inline. */
static void put_set(struct json *json, const struct content *content, const struct wire_collider_set *params,
                    const struct object *collider) {
    struct pbd_collider_state state;
    if (pbd_collider_get(content->pbd, collider->id, &state) != PBD_OK) return;
    json_key(json, "collider");
    json_string(json, collider->name);
    json_key(json, "shape");
    describe_shape_whole(json, &state.def.shape, SIZE_MAX);
    describe_surface(json, &state.def, &params->collider_settings);
}

/* What a file gave, from the world; false: no file was needed. */
static bool put_without_file(struct json *json, const struct content *content,
                             const struct wire_request *request) {
    const struct object *object = NULL;
    if (request->command == WIRE_cloth_add) {
        const struct wire_cloth_spec *spec = &((const struct wire_cloth_add *)request->params)->cloth_spec;
        if (spec->has_file == WIRE_PRESENT) object = find(content, OBJECT_CLOTH, spec->cloth);
    } else if (request->command == WIRE_collider_add) {
        const struct wire_collider_spec *spec =
            &((const struct wire_collider_add *)request->params)->collider_spec;
        if (spec->shape.type == WIRE_shape_type_file) object = find(content, OBJECT_COLLIDER, spec->collider);
    } else if (request->command == WIRE_collider_set) {
        const struct wire_collider_set *params = request->params;
        if (params->has_shape == WIRE_PRESENT && params->shape.type == WIRE_shape_type_file)
            object = find(content, OBJECT_COLLIDER, params->collider);
    }
    if (!object) return false;
    json_begin_object(json);
    if (request->command == WIRE_cloth_add) {
        describe_cloth_spec(json, content, object);
    } else if (request->command == WIRE_collider_add) {
        describe_collider_spec(json, content, object, SIZE_MAX);
    } else {
        put_set(json, content, request->params, object);
    }
    json_end_object(json);
    return true;
}

char *command_log_params(const struct content *content, const struct wire_request *request) {
    struct json json;
    json_init(&json);
    if (!put_without_file(&json, content, request)) describe_params_whole(&json, request);
    if (!json.failed) return json.text;
    json_free(&json);
    return NULL;
}
