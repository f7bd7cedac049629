/* The sentences of refused params: the member, what it got, what is allowed. */
#include "decoder.h"

#include <wire/json_write.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json_number.h"
#include "nearest_name.h"

/* Longest part of a client's own text that a sentence repeats. */
enum { QUOTED_BYTES = 48 };

/* Appends to a phrase, cut at its end. */
__attribute__((format(printf, 2, 3))) static void add(char out[PHRASE_BYTES], const char *format, ...) {
    size_t used = strlen(out);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(out + used, PHRASE_BYTES - used, format, arguments);
    va_end(arguments);
}

/* The longest whole-character part of text that fits QUOTED_BYTES. */
static int quoted_length(const char *text) {
    size_t length = strlen(text);
    if (length <= QUOTED_BYTES) return (int)length;
    length = QUOTED_BYTES;
    while (length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80)
        --length;
    return (int)length;
}

/* " from 0 to 1 m/N", without a unit where it is 1. */
static void add_range(char out[PHRASE_BYTES], const struct field_row *row) {
    char low[32], high[32];
    json_number_format(row->min, low);
    json_number_format(row->max, high);
    bool unit = row->unit && strcmp(row->unit, "1") != 0;
    add(out, " from %s to %s%s%s", low, high, unit ? " " : "", unit ? row->unit : "");
}

static void add_values(char out[PHRASE_BYTES], const struct field_row *row) {
    for (const char *const *value = row->values; *value; ++value) {
        add(out, "%s\"%s\"", value == row->values ? "" : value[1] ? ", " : " or ", *value);
    }
}

void decode_wants(const struct field *field, char out[PHRASE_BYTES]) {
    const struct field_row *row = field->row;
    out[0] = '\0';
    switch (row->kind) {
    case FIELD_BOOLEAN:
        add(out, "true or false");
        break;
    case FIELD_INTEGER:
        add(out, "a whole number");
        break;
    case FIELD_NUMBER:
        add(out, "a number");
        break;
    case FIELD_STRING:
        add(out, "text of at most %u bytes", row->max_items);
        break;
    case FIELD_NAME:
        add(out, "a name: 1 to 64 of A-Z a-z 0-9 . _ -, beginning with a letter or digit");
        break;
    case FIELD_VEC3:
        add(out, "3 numbers [x,y,z], each");
        break;
    case FIELD_QUAT:
        add(out, "4 numbers [x,y,z,w], each");
        break;
    case FIELD_NUMBER_OR_VEC3:
        add(out, "a number or 3 numbers [x,y,z], each");
        break;
    case FIELD_VERTICES:
        add(out, "a list of vertex indices and ranges {\"from\":a,\"to\":b}");
        break;
    case FIELD_NUMBERS:
    case FIELD_INTEGERS: {
        const char *what = row->kind == FIELD_NUMBERS ? "numbers" : "whole numbers";
        if (field->min_items == row->max_items) {
            add(out, "a list of %u %s, each", row->max_items, what);
        } else if (field->multiple > 1) {
            add(out, "a list of %s in groups of %u, each", what, field->multiple);
        } else {
            add(out, "a list of %s, each", what);
        }
        break;
    }
    case FIELD_NAMES:
        add(out, "a list of names");
        break;
    case FIELD_METHOD:
        add(out, "the name of a method");
        break;
    case FIELD_ENUM:
        add_values(out, row);
        break;
    case FIELD_PARAMS:
    case FIELD_OBJECT:
        add(out, "an object");
        break;
    default:
        add(out, "a list of objects");
        break;
    }
    if (row->unit && row->kind != FIELD_VERTICES) add_range(out, row);
    if (field->nullable) add(out, " or null");
}

void decode_got(const struct decoder *d, const cJSON *value, char out[PHRASE_BYTES]) {
    out[0] = '\0';
    const struct json_patch *patch = decode_patch(d, value);
    if (patch && patch->kind == PATCH_RANGES) {
        add(out, "a list with ranges");
    } else if (patch) {
        add(out, "a list of %u number%s", patch->count, patch->count == 1 ? "" : "s");
    } else if (cJSON_IsString(value)) {
        add(out, "the text \"%.*s\"", quoted_length(value->valuestring), value->valuestring);
    } else if (cJSON_IsNumber(value)) {
        char number[32];
        json_number_format(value->valuedouble, number);
        add(out, "the number %s", number);
    } else if (cJSON_IsBool(value)) {
        add(out, "%s", cJSON_IsTrue(value) ? "true" : "false");
    } else if (cJSON_IsNull(value)) {
        add(out, "null");
    } else {
        add(out, cJSON_IsObject(value) ? "an object" : "a list");
    }
}

bool decode_fail_type_phrase(struct decoder *d, const struct field *field, const char *got) {
    char wants[PHRASE_BYTES];
    decode_wants(field, wants);
    WIRE_FAIL(d->error, wrong_type, d->path, "%s must be %s; it is %s.", d->path, wants, got);
    return false;
}

bool decode_fail_type(struct decoder *d, const struct field *field, const cJSON *value) {
    char got[PHRASE_BYTES];
    decode_got(d, value, got);
    return decode_fail_type_phrase(d, field, got);
}

bool decode_fail_range(struct decoder *d, const struct field *field, double got) {
    const struct field_row *row = field->row;
    char range[PHRASE_BYTES] = "", number[32], low[32], high[32];
    add_range(range, row);
    json_number_format(got, number);
    json_number_format(row->min, low);
    json_number_format(row->max, high);
    bool one = row->min >= row->max;
    WIRE_FAIL(d->error, out_of_range, d->path, "%s is %s; allowed is %s%s.", d->path, number,
              one ? low : range + strlen(" from "), field->nullable ? " or null" : "");
    wire_error_data(d->error, "\"got\":%s,\"min\":%s,\"max\":%s,\"unit\":\"%s\"", number, low, high,
                    row->unit);
    return false;
}

bool decode_fail_non_finite(struct decoder *d, const struct field *field) {
    char wants[PHRASE_BYTES];
    decode_wants(field, wants);
    WIRE_FAIL(d->error, non_finite, d->path, "%s is too large to be finite; allowed is %s.", d->path, wants);
    return false;
}

bool decode_fail_limit(struct decoder *d, const char *limit, const char *unit, double max, double got) {
    char most[32], have[32];
    json_number_format(max, most);
    json_number_format(got, have);
    WIRE_FAIL(d->error, limit_exceeded, d->path, "%s has %s %s; at most %s are allowed.", d->path, have, unit,
              most);
    wire_error_data(d->error, "\"limit\":\"%s\",\"max\":%s,\"got\":%s", limit, most, have);
    return false;
}

bool decode_fail_missing(struct decoder *d, const struct field *field) {
    char wants[PHRASE_BYTES], holder[sizeof d->path];
    snprintf(holder, sizeof holder, "%s", d->path_length ? d->path : d->owner);
    size_t back = decode_path_member(d, field->row->name);
    decode_wants(field, wants);
    WIRE_FAIL(d->error, missing, d->path, "%s lacks %s: %s.", holder, field->row->name, wants);
    decode_path_back(d, back);
    return false;
}

static bool allowed_for(const struct field *field, const char *type) {
    return !field->only || !type || names_contain(field->only, type);
}

bool decode_fail_unknown(struct decoder *d, const struct field_list *list, const char *name,
                         const char *type) {
    char holder[sizeof d->path], short_name[QUOTED_BYTES + 1];
    snprintf(holder, sizeof holder, "%s", d->path_length ? d->path : d->owner);
    snprintf(short_name, sizeof short_name, "%.*s", quoted_length(name), name);
    size_t back = decode_path_member(d, short_name);
    const char *nearest = NULL;
    uint32_t distance = UINT32_MAX;
    char names[512] = "";
    struct json data;
    json_init(&data);
    json_begin_array(&data);
    for (uint32_t i = 0; i < list->count; ++i) {
        const char *other = list->fields[i].row->name;
        if (!allowed_for(&list->fields[i], type)) continue;
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", other);
        json_string(&data, other);
        uint32_t other_distance = name_distance(name, other);
        if (other_distance < distance && name_is_near(name, other, other_distance)) {
            nearest = other;
            distance = other_distance;
        }
    }
    json_end_array(&data);
    WIRE_FAIL(d->error, unknown_param, d->path, "%s%s%s has no member \"%s\"%s%s%s; allowed: %s.", holder,
              type ? " of type " : "", type ? type : "", short_name, nearest ? " (did you mean " : "",
              nearest ? nearest : "", nearest ? "?)" : "", names[0] ? names : "none");
    if (!data.failed) {
        wire_error_data(d->error, "\"allowed\":%s%s%s%s", data.text, nearest ? ",\"nearest\":\"" : "",
                        nearest ? nearest : "", nearest ? "\"" : "");
    }
    json_free(&data);
    decode_path_back(d, back);
    return false;
}

bool decode_fail_memory(struct decoder *d) {
    WIRE_FAIL(d->error, out_of_memory, d->path, "The server is out of memory for this request.");
    return false;
}
