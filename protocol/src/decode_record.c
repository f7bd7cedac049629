/* Objects and lists of objects: which members are there, which may not be, which lack. */
#include "decoder.h"

#include <stdio.h>
#include <string.h>

static const cJSON *member(const cJSON *object, const char *name) {
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

static bool decode_object(struct decoder *d, const struct field *field, const cJSON *value,
                          unsigned char *base) {
    if (!cJSON_IsObject(value)) return decode_fail_type(d, field, value);
    if (!decode_record(d, field->row->record(), value, base + field->offset)) return false;
    base[field->has_offset] = WIRE_PRESENT;
    return true;
}

static bool decode_list(struct decoder *d, const struct field *field, const cJSON *value,
                        unsigned char *base) {
    const struct record *record = field->row->record();
    const struct json_patch *patch = decode_patch(d, value);
    bool empty = patch && patch->count == 0;
    if (!cJSON_IsArray(value) && !empty) return decode_fail_type(d, field, value);
    uint32_t count = empty ? 0 : (uint32_t)cJSON_GetArraySize(value);
    if (count > field->row->max_items) {
        return decode_fail_limit(d, field->row->name, "items", field->row->max_items, count);
    }
    if (count < field->row->min_items) return decode_fail_type(d, field, value);
    unsigned char *items = arena_alloc(d->arena, count * record->size);
    if (!items) return decode_fail_memory(d);
    const cJSON *item;
    uint32_t index = 0;
    if (!empty) cJSON_ArrayForEach(item, value) {
            size_t back = decode_path_item(d, index);
            if (!cJSON_IsObject(item)) {
                const struct field_row row = {.kind = FIELD_OBJECT};
                return decode_fail_type(d, &(const struct field){.row = &row}, item);
            }
            if (!decode_record(d, record, item, items + index * record->size)) return false;
            decode_path_back(d, back);
            ++index;
        }
    *(void **)(void *)(base + field->offset) = items;
    memcpy(base + field->count_offset, &count, sizeof count);
    base[field->has_offset] = WIRE_PRESENT;
    return true;
}

/* What decides which ONLY members exist: `type`, where the record has such members. */
static bool decode_type(struct decoder *d, const struct field_list *list, const cJSON *object,
                        unsigned char *base, const char **type) {
    *type = NULL;
    bool has_variants = false;
    for (uint32_t i = 0; i < list->count; ++i)
        has_variants = has_variants || list->fields[i].only;
    if (!has_variants) return true;
    const struct field *field = field_find(list, "type");
    const cJSON *value = member(object, "type");
    if (!value) return decode_fail_missing(d, field);
    size_t back = decode_path_member(d, "type");
    if (!decode_value(d, field, value, base)) return false;
    decode_path_back(d, back);
    *type = value->valuestring;
    return true;
}

static bool exists(const struct field *field, const char *type) {
    return field && (!field->only || names_contain(field->only, type));
}

static bool decode_member(struct decoder *d, const struct field *field, const cJSON *value,
                          unsigned char *base) {
    size_t back = decode_path_member(d, field->row->name);
    bool good = field->row->kind == FIELD_OBJECT ? decode_object(d, field, value, base)
                : field->row->kind == FIELD_LIST ? decode_list(d, field, value, base)
                                                 : decode_value(d, field, value, base);
    if (!good) return false;
    decode_path_back(d, back);
    for (uint32_t i = 0; i < field->owner_count; ++i)
        ++*(uint32_t *)(void *)(base + field->members_offset[i]);
    return true;
}

static const struct field *field_of_kind(const struct field_list *list, enum field_kind kind) {
    for (uint32_t i = 0; i < list->count; ++i) {
        if (list->fields[i].row->kind == kind) return &list->fields[i];
    }
    return NULL;
}

/* PARAMS: a record of the command that METHOD, which is decoded, names. */
static bool decode_params(struct decoder *d, const struct field_list *list, const cJSON *object,
                          unsigned char *base) {
    const struct field *field = field_of_kind(list, FIELD_PARAMS);
    if (!field) return true;
    static const cJSON nothing = {.type = cJSON_Object};
    enum wire_command command;
    memcpy(&command, base + field_of_kind(list, FIELD_METHOD)->offset, sizeof command);
    const cJSON *value = member(object, field->row->name);
    if (!value && field->row->required) return decode_fail_missing(d, field);
    const struct record *record = command_record(command);
    void *params = arena_alloc(d->arena, record->size);
    if (!params) return decode_fail_memory(d);
    size_t back = decode_path_member(d, field->row->name);
    if (value && !cJSON_IsObject(value)) return decode_fail_type(d, field, value);
    if (!decode_record(d, record, value ? value : &nothing, params)) return false;
    decode_path_back(d, back);
    memcpy(base + field->offset, &params, sizeof params);
    if (value) base[field->has_offset] = WIRE_PRESENT;
    return true;
}

/* "grid mesh file" → "grid, mesh or file". */
static void join_names(const char *names, char *out, size_t size) {
    size_t used = 0, length, next_length;
    const char *cursor = names, *word, *next;
    length = names_next(&cursor, &word);
    for (bool first = true; length; first = false, length = next_length, word = next) {
        next_length = names_next(&cursor, &next);
        const char *separator = first ? "" : next_length ? ", " : " or ";
        int n = snprintf(out + used, size - used, "%s%.*s", separator, (int)length, word);
        used += (size_t)n < size - used ? (size_t)n : size - used - 1;
    }
}

static bool check_group(struct decoder *d, const struct field_group *group, const cJSON *object) {
    const char *word, *cursor = group->names, *found = NULL;
    char names[128], name[64];
    join_names(group->names, names, sizeof names);
    for (size_t length; (length = names_next(&cursor, &word)) != 0;) {
        snprintf(name, sizeof name, "%.*s", (int)length, word);
        const cJSON *item = member(object, name);
        if (!item) continue;
        if (found) {
            decode_path_member(d, name);
            WIRE_FAIL(d->error, unknown_param, d->path, "%s cannot stand beside %s; allowed is one of %s.",
                      d->path, found, names);
            return false;
        }
        found = item->string;
    }
    if (found || !group->required) return true;
    char holder[sizeof d->path];
    snprintf(holder, sizeof holder, "%s", d->path_length ? d->path : d->owner);
    cursor = group->names;
    size_t first_length = names_next(&cursor, &word);
    snprintf(name, sizeof name, "%.*s", (int)first_length, word);
    decode_path_member(d, name); /* the first of them stands for all */
    WIRE_FAIL(d->error, missing, d->path, "%s lacks one of %s.", holder, names);
    return false;
}

bool decode_record(struct decoder *d, const struct record *record, const cJSON *object, unsigned char *base) {
    struct field_list list;
    record_fields(record, &list);
    decode_defaults(record, base);
    const char *type;
    if (!decode_type(d, &list, object, base, &type)) return false;
    const cJSON *item;
    for (uint32_t i = 0; i < list.count; ++i) {
        item = list.fields[i].first ? member(object, list.fields[i].row->name) : NULL;
        if (item && !decode_member(d, &list.fields[i], item, base)) return false;
    }
    cJSON_ArrayForEach(item, object) {
        const struct field *field = field_find(&list, item->string);
        if (!exists(field, type)) return decode_fail_unknown(d, &list, item->string, type);
        /* Decoded already, or at the end, when the method is known. */
        if (field->first || field->row->kind == FIELD_PARAMS) continue;
        if (!decode_member(d, field, item, base)) return false;
    }
    for (uint32_t i = 0; i < list.group_count; ++i) {
        if (!check_group(d, &list.groups[i], object)) return false;
    }
    for (uint32_t i = 0; i < list.count; ++i) {
        const struct field *field = &list.fields[i];
        if (field->row->kind == FIELD_PARAMS) continue; /* decode_params looks itself */
        if (field->row->required && exists(field, type) && base[field->has_offset] == WIRE_ABSENT) {
            return decode_fail_missing(d, field);
        }
    }
    return decode_params(d, &list, object, base);
}
