/* Params of an applied command: the struct walked by the table, back to JSON. For `event` long
 * arrays are cut down to their length; for the command log everything is there, exact. */
#include <wire/reply.h>

#include <string.h>

#include "command_table.h"

/* Longer arrays are replaced by their length in events. */
enum { LONGEST_ARRAY = 16 };

struct writer {
    struct json *json;
    uint32_t longest;
};

static void put_vertices(const struct writer *w, const struct wire_vertices *vertices) {
    if (vertices->range_count > w->longest) {
        json_integer(w->json, vertices->range_count);
        return;
    }
    json_begin_array(w->json);
    for (uint32_t i = 0; i < vertices->range_count; ++i) {
        const struct wire_range *range = &vertices->ranges[i];
        if (range->from == range->to) {
            json_integer(w->json, range->from);
            continue;
        }
        json_begin_object(w->json);
        json_key(w->json, "from");
        json_integer(w->json, range->from);
        json_key(w->json, "to");
        json_integer(w->json, range->to);
        json_end_object(w->json);
    }
    json_end_array(w->json);
}

/* As the client is likely to have written them. */
static void put_floats(const struct writer *w, const float *values, uint32_t count) {
    if (count > w->longest) {
        json_integer(w->json, count);
        return;
    }
    if (count > LONGEST_ARRAY) {
        json_floats(w->json, values, count);
        return;
    }
    json_begin_array(w->json);
    for (uint32_t i = 0; i < count; ++i)
        json_short_float(w->json, values[i]);
    json_end_array(w->json);
}

static void put_numbers(const struct writer *w, const struct wire_numbers *numbers) {
    put_floats(w, numbers->values, numbers->count);
}

static void put_uints(const struct writer *w, const struct wire_integers *integers) {
    if (integers->count > w->longest) {
        json_integer(w->json, integers->count);
    } else {
        json_uints(w->json, integers->values, integers->count);
    }
}

static void put_names(const struct writer *w, const struct wire_names *names) {
    if (names->count > w->longest) {
        json_integer(w->json, names->count);
        return;
    }
    json_begin_array(w->json);
    for (uint32_t i = 0; i < names->count; ++i)
        json_string(w->json, names->values[i]);
    json_end_array(w->json);
}

static void put_record(const struct writer *w, const struct record *record, const unsigned char *base);

static void put_list(const struct writer *w, const struct field *field, const unsigned char *base) {
    const struct record *record = field->row->record();
    uint32_t count;
    memcpy(&count, base + field->count_offset, sizeof count);
    if (count > w->longest) {
        json_integer(w->json, count);
        return;
    }
    const unsigned char *items = *(unsigned char *const *)(const void *)(base + field->offset);
    json_begin_array(w->json);
    for (uint32_t i = 0; i < count; ++i)
        put_record(w, record, items + i * record->size);
    json_end_array(w->json);
}

static void put_value(const struct writer *w, const struct field *field, const unsigned char *base) {
    const void *value = base + field->offset;
    switch (field->row->kind) {
    case FIELD_BOOLEAN:
        json_bool(w->json, *(const bool *)value);
        break;
    case FIELD_INTEGER:
        json_integer(w->json, *(const int64_t *)value);
        break;
    case FIELD_NUMBER:
        json_double(w->json, *(const double *)value);
        break;
    case FIELD_STRING:
    case FIELD_NAME:
        json_string(w->json, *(const char *const *)value);
        break;
    case FIELD_VEC3:
    case FIELD_NUMBER_OR_VEC3:
        put_floats(w, value, 3);
        break;
    case FIELD_QUAT:
        put_floats(w, value, 4);
        break;
    case FIELD_VERTICES:
        put_vertices(w, value);
        break;
    case FIELD_NUMBERS:
        put_numbers(w, value);
        break;
    case FIELD_INTEGERS:
        put_uints(w, value);
        break;
    case FIELD_NAMES:
        put_names(w, value);
        break;
    case FIELD_METHOD: {
        enum wire_command command;
        memcpy(&command, value, sizeof command);
        json_string(w->json, wire_command_get_info(command)->method);
        break;
    }
    case FIELD_ENUM: {
        int index;
        memcpy(&index, value, sizeof index);
        json_string(w->json, field->row->values[index]);
        break;
    }
    case FIELD_OBJECT:
        put_record(w, field->row->record(), value);
        break;
    default:
        put_list(w, field, base);
        break;
    }
}

/* The params of the command that the record's METHOD names. */
static void put_params(const struct writer *w, const struct field_list *list, const struct field *field,
                       const unsigned char *base) {
    for (uint32_t i = 0; i < list->count; ++i) {
        if (list->fields[i].row->kind != FIELD_METHOD) continue;
        enum wire_command command;
        const unsigned char *params;
        memcpy(&command, base + list->fields[i].offset, sizeof command);
        memcpy(&params, base + field->offset, sizeof params);
        put_record(w, command_record(command), params);
    }
}

static void put_record(const struct writer *w, const struct record *record, const unsigned char *base) {
    struct field_list list;
    record_fields(record, &list);
    json_begin_object(w->json);
    for (uint32_t i = 0; i < list.count; ++i) {
        const struct field *field = &list.fields[i];
        uint8_t has = base[field->has_offset];
        if (has == WIRE_ABSENT) continue;
        json_key(w->json, field->row->name);
        if (has == WIRE_NULL) {
            json_null(w->json);
        } else if (field->row->kind == FIELD_PARAMS) {
            put_params(w, &list, field, base);
        } else {
            put_value(w, field, base);
        }
    }
    json_end_object(w->json);
}

void describe_params(struct json *json, const struct wire_request *request) {
    const struct writer writer = {json, LONGEST_ARRAY};
    put_record(&writer, command_record(request->command), request->params);
}

void describe_params_whole(struct json *json, const struct wire_request *request) {
    const struct writer writer = {json, UINT32_MAX};
    put_record(&writer, command_record(request->command), request->params);
}
