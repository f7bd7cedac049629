/* Sample texts made from the table itself, so that a new member is tested unasked. */
#include "support_decode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct wire_request *support_decode_bytes(const char *text, size_t length, struct wire_error *error) {
    char *copy = malloc(length + 1);
    memcpy(copy, text, length);
    copy[length] = '\0';
    const struct wire_decode_rules rules = {.may_control = true, .max_depth = 16};
    struct wire_request *request = wire_request_decode(copy, length, &rules, error);
    free(copy); /* a request must not point into its text */
    free(error->data_json);
    error->data_json = NULL;
    return request;
}

struct wire_request *support_decode(const char *text, struct wire_error *error) {
    return support_decode_bytes(text, strlen(text), error);
}

char *support_request_text(const char *method, const char *params) {
    size_t size = strlen(method) + strlen(params) + 80;
    char *text = malloc(size);
    snprintf(text, size, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":%s}", method, params);
    return text;
}

struct wire_request *support_decode_params(const char *method, const char *params, struct wire_error *error) {
    char *text = support_request_text(method, params);
    struct wire_request *request = support_decode(text, error);
    free(text);
    return request;
}

bool support_fails(const char *method, const char *params, const char *reason, const char *path) {
    struct wire_error error;
    struct wire_request *request = support_decode_params(method, params, &error);
    if (request) {
        printf("%s %.200s was accepted, not refused as %s at %s\n", method, params, reason, path);
        wire_request_destroy(request);
        return false;
    }
    bool good = !strcmp(error.reason, reason) && !strcmp(error.path, path) && !strcmp(error.id_json, "1") &&
                error.answer;
    if (!good) {
        printf("%s %.200s: %s at \"%s\" (%s), not %s at \"%s\"\n", method, params, error.reason, error.path,
               error.message, reason, path);
    }
    return good;
}

/* A number within the field's range. */
static double sample_number(const struct field_row *row) {
    double value = row->min > 0 ? row->min : 0;
    return value > row->max ? row->max : value;
}

static void sample_numbers(struct json *json, double value, uint32_t count) {
    json_begin_array(json);
    for (uint32_t i = 0; i < count; ++i)
        json_double(json, value);
    json_end_array(json);
}

void support_sample_value(struct json *json, const struct field *field) {
    const struct field_row *row = field->row;
    if (row->fallback) {
        json_raw(json, row->fallback, strlen(row->fallback));
        return;
    }
    double number = row->unit ? sample_number(row) : 0;
    uint32_t items = field->min_items > field->multiple ? field->min_items : field->multiple;
    switch (row->kind) {
    case FIELD_BOOLEAN:
        json_bool(json, true);
        break;
    case FIELD_INTEGER:
    case FIELD_NUMBER:
        json_double(json, number);
        break;
    case FIELD_STRING:
    case FIELD_NAME:
        json_string(json, "a");
        break;
    case FIELD_VEC3:
    case FIELD_NUMBER_OR_VEC3:
        sample_numbers(json, number, 3);
        break;
    case FIELD_QUAT:
        json_raw(json, "[0,0,0,1]", 9);
        break;
    case FIELD_VERTICES:
        json_raw(json, "[0,{\"from\":2,\"to\":4}]", 21);
        break;
    case FIELD_NUMBERS:
    case FIELD_INTEGERS:
        sample_numbers(json, number, items);
        break;
    case FIELD_NAMES:
        json_raw(json, "[\"a\"]", 5);
        break;
    case FIELD_METHOD:
        json_string(json, "world.pause");
        break;
    case FIELD_PARAMS:
        json_raw(json, "{}", 2);
        break;
    case FIELD_ENUM:
        json_string(json, row->values[0]);
        break;
    case FIELD_OBJECT:
        support_sample_record(json, row->record(), NULL, NULL, NULL);
        break;
    default:
        json_begin_array(json);
        support_sample_record(json, row->record(), NULL, NULL, NULL);
        json_end_array(json);
        break;
    }
}

/* Is the field wanted to stand for its required group? The focus does if it is in it, else the first. */
static bool stands_for_group(const struct field_list *list, const struct field *field,
                             const struct field *focus) {
    for (uint32_t i = 0; i < list->group_count; ++i) {
        const struct field_group *group = &list->groups[i];
        if (!group->required || !names_contain(group->names, field->row->name)) continue;
        if (focus && names_contain(group->names, focus->row->name)) return false;
        return !strncmp(group->names, field->row->name, strlen(field->row->name));
    }
    return false;
}

static void put_focus(struct json *json, const struct field *field, const struct support_chain *rest,
                      const char *last, const char *extra) {
    bool list = field->row->kind == FIELD_LIST;
    if (list) json_begin_array(json);
    support_sample_record(json, field->row->record(), rest, last, extra);
    if (list) json_end_array(json);
}

void support_sample_record(struct json *json, const struct record *record, const struct support_chain *chain,
                           const char *last, const char *extra) {
    struct field_list list;
    record_fields(record, &list);
    const struct field *focus = chain && chain->count ? field_find(&list, chain->fields[0]->row->name) : NULL;
    bool is_last = chain && chain->count == 1, is_end = !chain || chain->count <= 1;
    struct support_chain rest = {.count = 0};
    if (focus) {
        rest.count = chain->count - 1;
        memcpy(rest.fields, chain->fields + 1, rest.count * sizeof rest.fields[0]);
    }
    /* The variant: what the focus needs, or the first. */
    char type[32] = "";
    const struct field *type_field = field_find(&list, "type");
    if (type_field) snprintf(type, sizeof type, "%s", type_field->row->values[0]);
    if (type_field && focus && focus->only) {
        const char *word, *cursor = focus->only;
        size_t length = names_next(&cursor, &word);
        snprintf(type, sizeof type, "%.*s", (int)length, word);
    }
    json_begin_object(json);
    for (uint32_t i = 0; i < list.count; ++i) {
        const struct field *field = &list.fields[i];
        bool exists = !field->only || names_contain(field->only, type);
        if (field == focus) {
            if (is_last && !last) continue;
            json_key(json, field->row->name);
            if (is_last) {
                json_raw(json, last, strlen(last));
            } else {
                put_focus(json, field, &rest, last, extra);
            }
        } else if (exists && (field->row->required || stands_for_group(&list, field, focus))) {
            json_key(json, field->row->name);
            if (field == type_field) {
                json_string(json, type);
            } else {
                support_sample_value(json, field);
            }
        }
    }
    if (is_end && extra) json_raw(json, extra, strlen(extra));
    json_end_object(json);
}

void support_full_record(struct json *json, const struct record *record) {
    struct field_list list;
    record_fields(record, &list);
    const struct field *type = field_find(&list, "type");
    json_begin_object(json);
    for (uint32_t i = 0; i < list.count; ++i) {
        const struct field *field = &list.fields[i];
        if (field->only && !names_contain(field->only, type->row->values[1])) continue;
        bool excluded = false;
        for (uint32_t g = 0; g < list.group_count; ++g) {
            const char *names = list.groups[g].names, *second = strchr(names, ' ') + 1;
            size_t length = strcspn(second, " "); /* the second of each group */
            excluded = excluded ||
                       (names_contain(names, field->row->name) &&
                        (strlen(field->row->name) != length || strncmp(second, field->row->name, length)));
        }
        if (excluded) continue;
        json_key(json, field->row->name);
        if (field == type) {
            json_string(json, type->row->values[1]);
        } else if (field->row->kind == FIELD_OBJECT) {
            support_full_record(json, field->row->record());
        } else if (field->row->kind == FIELD_LIST) {
            json_begin_array(json);
            support_full_record(json, field->row->record());
            json_end_array(json);
        } else {
            support_sample_value(json, field);
        }
    }
    json_end_object(json);
}

void support_chain_path(const struct support_chain *chain, char *out, size_t size) {
    size_t used = 0;
    out[0] = '\0';
    for (uint32_t i = 0; i < chain->count; ++i) {
        const struct field_row *row = chain->fields[i]->row;
        bool item = row->kind == FIELD_LIST && i + 1 < chain->count;
        int n = snprintf(out + used, size - used, "%s%s%s", i ? "." : "", row->name, item ? "[0]" : "");
        used += (size_t)n;
    }
}

void support_walk(const struct record *record, struct support_chain *chain, support_visit *visit,
                  void *context) {
    struct field_list *list = malloc(sizeof *list);
    record_fields(record, list);
    for (uint32_t i = 0; i < list->count; ++i) {
        const struct field *field = &list->fields[i];
        chain->fields[chain->count++] = field;
        visit(chain, context);
        bool nested = field->row->kind == FIELD_OBJECT || field->row->kind == FIELD_LIST;
        if (nested) support_walk(field->row->record(), chain, visit, context);
        --chain->count;
    }
    free(list);
}

char *support_read_file(const char *path, size_t *length) {
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *text = calloc(1, (size_t)size + 1);
    *length = fread(text, 1, (size_t)size, file);
    fclose(file);
    return text;
}
