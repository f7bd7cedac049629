/* One member of a leaf type, from the tree or a flat array's text into its struct. */
#include "decoder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct json_patch *decode_patch(const struct decoder *d, const cJSON *value) {
    if (!cJSON_IsString(value) || (unsigned char)value->valuestring[0] != 0xFF) return NULL;
    return &d->scan->patches[strtoul(value->valuestring + 1, NULL, 10)];
}

/* Bounds are met when the value, or what float32 makes of it, meets them: a client may
 * send back the 0.100000001 that it was told. */
static bool in_range(double value, double min, double max) {
    if (value >= min && value <= max) return true;
    float rounded = (float)value;
    return rounded >= (float)min && rounded <= (float)max && fabs(value) <= 3e38;
}

bool decode_check_number(struct decoder *d, const struct field *field, double value) {
    if (!isfinite(value)) return decode_fail_non_finite(d, field);
    bool whole = field->row->kind == FIELD_INTEGER || field->row->kind == FIELD_INTEGERS ||
                 field->row->kind == FIELD_VERTICES;
    if (whole) {
        if (value != floor(value)) {
            char got[PHRASE_BYTES];
            cJSON number = {.type = cJSON_Number, .valuedouble = value};
            decode_got(d, &number, got);
            return decode_fail_type_phrase(d, field, got);
        }
        if (value < field->row->min || value > field->row->max) return decode_fail_range(d, field, value);
    } else if (!in_range(value, field->row->min, field->row->max)) {
        return decode_fail_range(d, field, value);
    }
    return true;
}

static bool decode_string(struct decoder *d, const struct field *field, const cJSON *value,
                          const char **out) {
    if (!cJSON_IsString(value) || decode_patch(d, value)) return decode_fail_type(d, field, value);
    size_t length = strlen(value->valuestring);
    if (length > field->row->max_items) {
        return decode_fail_limit(d, field->row->name, "bytes", field->row->max_items, (double)length);
    }
    *out = arena_text(d->arena, value->valuestring, length);
    return *out ? true : decode_fail_memory(d);
}

static bool letter_or_digit(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/* ^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$ */
static bool is_name(const char *text) {
    if (!letter_or_digit(text[0])) return false;
    size_t length = 1;
    for (; text[length]; ++length) {
        char c = text[length];
        if (length >= 64 || !(letter_or_digit(c) || c == '.' || c == '_' || c == '-')) return false;
    }
    return true;
}

static bool decode_name(struct decoder *d, const struct field *field, const cJSON *value, const char **out) {
    if (!cJSON_IsString(value) || decode_patch(d, value)) return decode_fail_type(d, field, value);
    if (!is_name(value->valuestring)) {
        char got[PHRASE_BYTES];
        decode_got(d, value, got);
        WIRE_FAIL(d->error, out_of_range, d->path,
                  "%s is %s; allowed are 1 to 64 of A-Z a-z 0-9 . _ -, beginning with a letter or digit.",
                  d->path, got);
        return false;
    }
    *out = arena_text(d->arena, value->valuestring, strlen(value->valuestring));
    return *out ? true : decode_fail_memory(d);
}

static bool decode_enum(struct decoder *d, const struct field *field, const cJSON *value,
                        unsigned char *out) {
    if (!cJSON_IsString(value) || decode_patch(d, value)) return decode_fail_type(d, field, value);
    for (int i = 0; field->row->values[i]; ++i) {
        if (!strcmp(field->row->values[i], value->valuestring)) {
            memcpy(out, &i, sizeof i);
            return true;
        }
    }
    char wants[PHRASE_BYTES], got[PHRASE_BYTES], list[PHRASE_BYTES] = "";
    decode_wants(field, wants);
    decode_got(d, value, got);
    for (int i = 0; field->row->values[i]; ++i) {
        if (i) strcat(list, ",");
        strcat(strcat(strcat(list, "\""), field->row->values[i]), "\"");
    }
    WIRE_FAIL(d->error, out_of_range, d->path, "%s is %s; allowed is %s.", d->path, got, wants);
    wire_error_data(d->error, "\"values\":[%s]", list);
    return false;
}

/* The name of a command that changes a world. */
static bool decode_method(struct decoder *d, const struct field *field, const cJSON *value,
                          unsigned char *out) {
    if (!cJSON_IsString(value) || decode_patch(d, value)) return decode_fail_type(d, field, value);
    enum wire_command command = command_find(value->valuestring);
    if (command != WIRE_COMMAND_COUNT && wire_command_get_info(command)->mutates) {
        memcpy(out, &command, sizeof command);
        return true;
    }
    char got[PHRASE_BYTES];
    decode_got(d, value, got);
    const char *nearest = command == WIRE_COMMAND_COUNT ? command_nearest(value->valuestring) : NULL;
    WIRE_FAIL(d->error, out_of_range, d->path, "%s is %s%s%s%s; allowed is a method that changes a world.",
              d->path, got, nearest ? " (did you mean " : "", nearest ? nearest : "", nearest ? "?)" : "");
    return false;
}

static bool is_range(const cJSON *item) {
    return cJSON_GetArraySize(item) == 2 && cJSON_IsNumber(cJSON_GetObjectItemCaseSensitive(item, "from")) &&
           cJSON_IsNumber(cJSON_GetObjectItemCaseSensitive(item, "to"));
}

/* A list whose items are not all numbers is refused at the first that does not fit. */
static bool fail_item(struct decoder *d, const struct field *field, const cJSON *value) {
    if (!cJSON_IsArray(value)) return decode_fail_type(d, field, value);
    uint64_t index = 0;
    const cJSON *item;
    cJSON_ArrayForEach(item, value) {
        bool fits = cJSON_IsNumber(item) || (field->row->kind == FIELD_VERTICES && is_range(item));
        if (!fits) {
            decode_path_item(d, index);
            const char *wants = field->row->kind == FIELD_VERTICES ? "a vertex index or {\"from\":a,\"to\":b}"
                                : field->row->kind == FIELD_INTEGERS ? "a whole number"
                                                                     : "a number";
            char got[PHRASE_BYTES];
            decode_got(d, item, got);
            WIRE_FAIL(d->error, wrong_type, d->path, "%s must be %s; it is %s.", d->path, wants, got);
            return false;
        }
        ++index;
    }
    return decode_fail_type(d, field, value);
}

static bool decode_vector(struct decoder *d, const struct field *field, const cJSON *value, float *out) {
    const struct json_patch *patch = decode_patch(d, value);
    uint32_t count = field->row->kind == FIELD_QUAT ? 4 : 3;
    if (field->row->kind == FIELD_NUMBER_OR_VEC3 && cJSON_IsNumber(value)) {
        if (!decode_check_number(d, field, value->valuedouble)) return false;
        for (uint32_t i = 0; i < count; ++i)
            out[i] = (float)value->valuedouble;
        return true;
    }
    if (!patch) return fail_item(d, field, value);
    if (patch->kind != PATCH_NUMBERS || patch->count != count) return decode_fail_type(d, field, value);
    if (!decode_floats(d, field, patch, out)) return false;
    bool quat = field->row->kind == FIELD_QUAT;
    if (!quat && !field->nonzero) return true;
    float largest = 0;
    for (uint32_t i = 0; i < count; ++i)
        largest = fmaxf(largest, fabsf(out[i]));
    if (largest >= 1e-6f) return true;
    WIRE_FAIL(d->error, out_of_range, d->path, "%s has length 0; allowed is any %s of another length.",
              d->path, quat ? "quaternion" : "direction");
    return false;
}

/* The count fits the table's bounds. */
static bool check_count(struct decoder *d, const struct field *field, uint32_t count, const cJSON *value) {
    const struct field_row *row = field->row;
    bool fixed = field->min_items == row->max_items;
    if (count > row->max_items && !fixed)
        return decode_fail_limit(d, row->name, "items", row->max_items, count);
    if (count < field->min_items || count > row->max_items || count % field->multiple != 0) {
        return decode_fail_type(d, field, value);
    }
    return true;
}

static bool decode_numbers(struct decoder *d, const struct field *field, const cJSON *value,
                           unsigned char *out) {
    const struct json_patch *patch = decode_patch(d, value);
    if (!patch) return fail_item(d, field, value);
    if (patch->kind != PATCH_NUMBERS) return decode_fail_type(d, field, value);
    if (!check_count(d, field, patch->count, value)) return false;
    void *values = arena_alloc_array(d->arena, patch->count, sizeof(float));
    if (!values) return decode_fail_memory(d);
    if (field->row->kind == FIELD_NUMBERS) {
        if (!decode_floats(d, field, patch, values)) return false;
        *(struct wire_numbers *)(void *)out = (struct wire_numbers){values, patch->count};
    } else {
        if (!decode_uints(d, field, patch, values)) return false;
        *(struct wire_integers *)(void *)out = (struct wire_integers){values, patch->count};
    }
    return true;
}

static bool decode_names(struct decoder *d, const struct field *field, const cJSON *value,
                         unsigned char *out) {
    const struct json_patch *patch = decode_patch(d, value);
    if (!cJSON_IsArray(value) && !(patch && patch->count == 0)) return decode_fail_type(d, field, value);
    uint32_t count = patch ? 0 : (uint32_t)cJSON_GetArraySize(value);
    if (count > field->row->max_items) {
        return decode_fail_limit(d, field->row->name, "items", field->row->max_items, count);
    }
    struct wire_names names = {arena_alloc_array(d->arena, count, sizeof(char *)), 0};
    if (!names.values) return decode_fail_memory(d);
    struct field_row item_row = *field->row;
    item_row.kind = FIELD_NAME;
    const struct field item_field = {.row = &item_row, .multiple = 1};
    const cJSON *item;
    if (!patch) cJSON_ArrayForEach(item, value) {
            size_t back = decode_path_item(d, names.count);
            if (!decode_name(d, &item_field, item, &names.values[names.count])) return false;
            decode_path_back(d, back);
            ++names.count;
        }
    memcpy(out, &names, sizeof names);
    return true;
}

static bool decode_present(struct decoder *d, const struct field *field, const cJSON *value,
                           unsigned char *out) {
    switch (field->row->kind) {
    case FIELD_BOOLEAN:
        if (!cJSON_IsBool(value)) return decode_fail_type(d, field, value);
        *(bool *)(void *)out = cJSON_IsTrue(value);
        return true;
    case FIELD_INTEGER:
        if (!cJSON_IsNumber(value)) return decode_fail_type(d, field, value);
        if (!decode_check_number(d, field, value->valuedouble)) return false;
        *(int64_t *)(void *)out = (int64_t)value->valuedouble;
        return true;
    case FIELD_NUMBER:
        if (!cJSON_IsNumber(value)) return decode_fail_type(d, field, value);
        if (!decode_check_number(d, field, value->valuedouble)) return false;
        *(double *)(void *)out = value->valuedouble;
        return true;
    case FIELD_STRING:
        return decode_string(d, field, value, (const char **)(void *)out);
    case FIELD_NAME:
        return decode_name(d, field, value, (const char **)(void *)out);
    case FIELD_VEC3:
    case FIELD_QUAT:
    case FIELD_NUMBER_OR_VEC3:
        return decode_vector(d, field, value, (float *)(void *)out);
    case FIELD_VERTICES: {
        const struct json_patch *patch = decode_patch(d, value);
        if (!patch) return fail_item(d, field, value);
        return decode_vertices(d, field, patch, (struct wire_vertices *)(void *)out);
    }
    case FIELD_NUMBERS:
    case FIELD_INTEGERS:
        return decode_numbers(d, field, value, out);
    case FIELD_NAMES:
        return decode_names(d, field, value, out);
    case FIELD_METHOD:
        return decode_method(d, field, value, out);
    default:
        return decode_enum(d, field, value, out);
    }
}

bool decode_value(struct decoder *d, const struct field *field, const cJSON *value, unsigned char *base) {
    if (cJSON_IsNull(value) && field->nullable) {
        base[field->has_offset] = WIRE_NULL;
        return true;
    }
    if (!decode_present(d, field, value, base + field->offset)) return false;
    base[field->has_offset] = WIRE_PRESENT;
    return true;
}
