/* The command table as JSON: what server.commands answers and commands.json holds. */
#include "describe.h"

#include <assert.h>
#include <string.h>

static void put_number(struct json *json, const char *key, double value) {
    json_key(json, key);
    json_double(json, value);
}

static void put_text(struct json *json, const char *key, const char *value) {
    json_key(json, key);
    json_string(json, value);
}

const char *describe_type(enum field_kind kind) {
    switch (kind) {
    case FIELD_BOOLEAN:
        return "boolean";
    case FIELD_INTEGER:
        return "integer";
    case FIELD_NUMBER:
    case FIELD_NUMBER_OR_VEC3:
        return "number";
    case FIELD_STRING:
        return "string";
    case FIELD_NAME:
        return "name";
    case FIELD_VEC3:
        return "vec3";
    case FIELD_QUAT:
        return "quat";
    case FIELD_VERTICES:
        return "vertices";
    case FIELD_NUMBERS:
        return "numbers";
    case FIELD_INTEGERS:
        return "integers";
    case FIELD_ENUM:
        return "enum";
    case FIELD_METHOD:
        return "string";
    case FIELD_PARAMS:
    case FIELD_OBJECT:
        return "object";
    default:
        return "list";
    }
}

static void put_range(struct json *json, double min, double max, const char *unit) {
    put_number(json, "min", min);
    put_number(json, "max", max);
    put_text(json, "unit", unit);
}

static void put_values(struct json *json, const char *const *values) {
    json_key(json, "values");
    json_begin_array(json);
    for (; *values; ++values)
        json_string(json, *values);
    json_end_array(json);
}

/* The words of names as an array. */
static void put_names(struct json *json, const char *names) {
    json_begin_array(json);
    const char *word, *cursor = names;
    for (size_t length; (length = names_next(&cursor, &word)) != 0;) {
        char name[64];
        assert(length < sizeof name);
        memcpy(name, word, length);
        name[length] = '\0';
        json_string(json, name);
    }
    json_end_array(json);
}

static void put_param(struct json *json, const struct field *field);

/* Members that exist for this type; type NULL: those that exist for all. */
static void put_params(struct json *json, const struct field_list *list, const char *type) {
    json_begin_array(json);
    for (uint32_t i = 0; i < list->count; ++i) {
        const struct field *field = &list->fields[i];
        if (type ? field->only && names_contain(field->only, type) : !field->only) put_param(json, field);
    }
    json_end_array(json);
}

/* Members and how they exclude each other: key is "params" of a command, "members" of an object. */
static void put_record(struct json *json, const char *key, const struct record *record) {
    struct field_list list;
    record_fields(record, &list);
    json_key(json, key);
    put_params(json, &list, NULL);
    bool variants = false;
    for (uint32_t i = 0; i < list.count; ++i)
        variants = variants || list.fields[i].only;
    assert(list.group_count + variants <= 1); /* one_of says one thing */
    if (list.group_count) {
        json_key(json, "one_of");
        json_begin_object(json);
        put_text(json, "by", "key");
        json_key(json, "required");
        json_bool(json, list.groups[0].required);
        json_key(json, "variants");
        put_names(json, list.groups[0].names);
        json_end_object(json);
    } else if (variants) {
        json_key(json, "one_of");
        json_begin_object(json);
        put_text(json, "by", "type");
        json_key(json, "required");
        json_bool(json, true);
        json_key(json, "variants");
        json_begin_object(json);
        for (const char *const *value = field_find(&list, "type")->row->values; *value; ++value) {
            json_key(json, *value);
            put_params(json, &list, *value);
        }
        json_end_object(json);
        json_end_object(json);
    }
}

static void put_name_rules(struct json *json) {
    put_range(json, 1, 64, "bytes");
    put_text(json, "pattern", "^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$");
}

static void put_item_counts(struct json *json, double min, double max) {
    put_number(json, "min_items", min);
    put_number(json, "max_items", max);
}

static void put_kind(struct json *json, const struct field *field) {
    const struct field_row *row = field->row;
    switch (row->kind) {
    case FIELD_STRING:
        put_range(json, 0, row->max_items, "bytes");
        break;
    case FIELD_NAME:
        put_name_rules(json);
        break;
    case FIELD_METHOD:
        put_range(json, 1, 64, "bytes");
        break;
    case FIELD_PARAMS:
        put_text(json, "params_of", "method");
        json_key(json, "members"); /* those of the command */
        json_begin_array(json);
        json_end_array(json);
        break;
    case FIELD_ENUM:
        put_values(json, row->values);
        break;
    case FIELD_NUMBERS:
    case FIELD_INTEGERS:
        put_range(json, row->min, row->max, row->unit);
        put_item_counts(json, field->min_items, row->max_items);
        if (field->multiple > 1) put_number(json, "multiple", field->multiple);
        break;
    case FIELD_VERTICES:
        put_range(json, row->min, row->max, row->unit);
        if (field->min_items > 0) put_number(json, "min_items", field->min_items);
        break;
    case FIELD_NAMES:
        put_item_counts(json, 0, row->max_items);
        json_key(json, "items");
        json_begin_object(json);
        put_text(json, "type", "name");
        json_key(json, "default");
        json_null(json);
        put_name_rules(json);
        put_text(json, "help", "one of them");
        json_end_object(json);
        break;
    case FIELD_OBJECT:
        put_record(json, "members", row->record());
        break;
    case FIELD_LIST:
        put_item_counts(json, row->min_items, row->max_items);
        json_key(json, "items");
        json_begin_object(json);
        put_text(json, "type", "object");
        put_record(json, "members", row->record());
        json_end_object(json);
        break;
    case FIELD_NUMBER_OR_VEC3:
        put_range(json, row->min, row->max, row->unit);
        json_key(json, "one_of");
        json_begin_object(json);
        put_text(json, "by", "value");
        json_key(json, "required");
        json_bool(json, true);
        json_key(json, "variants");
        put_names(json, "number vec3");
        json_end_object(json);
        break;
    default:
        if (row->unit) put_range(json, row->min, row->max, row->unit);
        break;
    }
}

static void put_param(struct json *json, const struct field *field) {
    const struct field_row *row = field->row;
    json_begin_object(json);
    put_text(json, "name", row->name);
    put_text(json, "type", describe_type(row->kind));
    json_key(json, "required");
    json_bool(json, row->required);
    if (row->kind != FIELD_OBJECT && row->kind != FIELD_LIST && row->kind != FIELD_PARAMS) {
        json_key(json, "default");
        const char *fallback = row->fallback ? row->fallback : "null";
        json_raw(json, fallback, strlen(fallback));
    }
    if (field->nullable) {
        json_key(json, "nullable");
        json_bool(json, true);
    }
    if (field->nonzero) {
        json_key(json, "nonzero");
        json_bool(json, true);
    }
    put_kind(json, field);
    put_text(json, "help", row->help);
    json_end_object(json);
}

void describe_command(struct json *json, enum wire_command command) {
    const struct wire_command_info *info = wire_command_get_info(command);
    json_begin_object(json);
    put_text(json, "name", info->method);
    json_key(json, "mutates");
    json_bool(json, info->mutates);
    json_key(json, "max_bytes");
    json_integer(json, wire_command_max_bytes(command));
    put_text(json, "help", info->help);
    put_record(json, "params", command_record(command));
    json_end_object(json);
}

void describe_commands(struct json *json) {
    json_begin_array(json);
    for (int i = 0; i < WIRE_COMMAND_COUNT; ++i)
        describe_command(json, (enum wire_command)i);
    json_end_array(json);
}

void describe_file(struct json *json) {
    static const char head[] = "{\"commands\":[\n", between[] = ",\n", tail[] = "\n]}\n";
    json->comma = false;
    json_raw(json, head, sizeof head - 1);
    for (int i = 0; i < WIRE_COMMAND_COUNT; ++i) {
        json->comma = false; /* ours is followed by a line's end */
        if (i) json_raw(json, between, sizeof between - 1);
        json->comma = false;
        describe_command(json, (enum wire_command)i);
    }
    json->comma = false;
    json_raw(json, tail, sizeof tail - 1);
}
