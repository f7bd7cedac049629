/* Params of an applied command for `event`: the struct walked by the table, back to JSON. */
#include <wire/reply.h>

#include <string.h>

#include "command_table.h"

/* Longer arrays are replaced by their length. */
enum { LONGEST_ARRAY = 16 };

static void put_vertices(struct json *json, const struct wire_vertices *vertices) {
    if (vertices->range_count > LONGEST_ARRAY) {
        json_integer(json, vertices->range_count);
        return;
    }
    json_begin_array(json);
    for (uint32_t i = 0; i < vertices->range_count; ++i) {
        const struct wire_range *range = &vertices->ranges[i];
        if (range->from == range->to) {
            json_integer(json, range->from);
            continue;
        }
        json_begin_object(json);
        json_key(json, "from");
        json_integer(json, range->from);
        json_key(json, "to");
        json_integer(json, range->to);
        json_end_object(json);
    }
    json_end_array(json);
}

/* As the client is likely to have written them. */
static void put_floats(struct json *json, const float *values, uint32_t count) {
    if (count > LONGEST_ARRAY) {
        json_integer(json, count);
        return;
    }
    json_begin_array(json);
    for (uint32_t i = 0; i < count; ++i)
        json_short_float(json, values[i]);
    json_end_array(json);
}

static void put_numbers(struct json *json, const struct wire_numbers *numbers) {
    put_floats(json, numbers->values, numbers->count);
}

static void put_uints(struct json *json, const struct wire_integers *integers) {
    if (integers->count > LONGEST_ARRAY) {
        json_integer(json, integers->count);
    } else {
        json_uints(json, integers->values, integers->count);
    }
}

static void put_names(struct json *json, const struct wire_names *names) {
    if (names->count > LONGEST_ARRAY) {
        json_integer(json, names->count);
        return;
    }
    json_begin_array(json);
    for (uint32_t i = 0; i < names->count; ++i)
        json_string(json, names->values[i]);
    json_end_array(json);
}

static void put_record(struct json *json, const struct record *record, const unsigned char *base);

static void put_list(struct json *json, const struct field *field, const unsigned char *base) {
    const struct record *record = field->row->record();
    uint32_t count;
    memcpy(&count, base + field->count_offset, sizeof count);
    if (count > LONGEST_ARRAY) {
        json_integer(json, count);
        return;
    }
    const unsigned char *items = *(unsigned char *const *)(const void *)(base + field->offset);
    json_begin_array(json);
    for (uint32_t i = 0; i < count; ++i)
        put_record(json, record, items + i * record->size);
    json_end_array(json);
}

static void put_value(struct json *json, const struct field *field, const unsigned char *base) {
    const void *value = base + field->offset;
    switch (field->row->kind) {
    case FIELD_BOOLEAN:
        json_bool(json, *(const bool *)value);
        break;
    case FIELD_INTEGER:
        json_integer(json, *(const int64_t *)value);
        break;
    case FIELD_NUMBER:
        json_double(json, *(const double *)value);
        break;
    case FIELD_STRING:
    case FIELD_NAME:
        json_string(json, *(const char *const *)value);
        break;
    case FIELD_VEC3:
    case FIELD_NUMBER_OR_VEC3:
        put_floats(json, value, 3);
        break;
    case FIELD_QUAT:
        put_floats(json, value, 4);
        break;
    case FIELD_VERTICES:
        put_vertices(json, value);
        break;
    case FIELD_NUMBERS:
        put_numbers(json, value);
        break;
    case FIELD_INTEGERS:
        put_uints(json, value);
        break;
    case FIELD_NAMES:
        put_names(json, value);
        break;
    case FIELD_ENUM: {
        int index;
        memcpy(&index, value, sizeof index);
        json_string(json, field->row->values[index]);
        break;
    }
    case FIELD_OBJECT:
        put_record(json, field->row->record(), value);
        break;
    default:
        put_list(json, field, base);
        break;
    }
}

static void put_record(struct json *json, const struct record *record, const unsigned char *base) {
    struct field_list list;
    record_fields(record, &list);
    json_begin_object(json);
    for (uint32_t i = 0; i < list.count; ++i) {
        const struct field *field = &list.fields[i];
        uint8_t has = base[field->has_offset];
        if (has == WIRE_ABSENT) continue;
        json_key(json, field->row->name);
        if (has == WIRE_NULL) {
            json_null(json);
        } else {
            put_value(json, field, base);
        }
    }
    json_end_object(json);
}

void describe_params(struct json *json, const struct wire_request *request) {
    put_record(json, command_record(request->command), request->params);
}
