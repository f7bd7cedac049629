/* The reference part of PROTOCOL.md: a section per command, a table of its params with
 * nested members by their path, the scene's members, the errors. */
#include "describe.h"

#include <stdio.h>
#include <string.h>
#include <wire/errors.h>

#include "json_number.h"

static void put(struct json *text, const char *piece) {
    text->comma = false;
    json_raw(text, piece, strlen(piece));
}

static void put_range(struct json *text, const struct field *field) {
    const struct field_row *row = field->row;
    char low[32], high[32], piece[160];
    if (row->kind == FIELD_ENUM) {
        for (const char *const *value = row->values; *value; ++value) {
            snprintf(piece, sizeof piece, "%s`%s`", value == row->values ? "" : " ", *value);
            put(text, piece);
        }
    } else if (row->kind == FIELD_STRING) {
        snprintf(piece, sizeof piece, "≤ %u bytes", row->max_items);
        put(text, piece);
    } else if (row->unit) {
        json_number_format(row->min, low);
        json_number_format(row->max, high);
        snprintf(piece, sizeof piece, "%s … %s%s%s", low, high, strcmp(row->unit, "1") ? " " : "",
                 strcmp(row->unit, "1") ? row->unit : "");
        put(text, piece);
    }
    if (row->kind == FIELD_NUMBERS || row->kind == FIELD_INTEGERS) {
        if (field->min_items == row->max_items) {
            snprintf(piece, sizeof piece, ", %u of them", row->max_items);
        } else {
            snprintf(piece, sizeof piece, ", at most %u", row->max_items);
        }
        put(text, piece);
    }
    if (row->kind == FIELD_VERTICES && field->min_items > 0) {
        snprintf(piece, sizeof piece, ", at least %u", field->min_items);
        put(text, piece);
    }
    if (field->nullable) put(text, ", or null");
}

static void put_row(struct json *text, const char *prefix, const struct field *field) {
    const struct field_row *row = field->row;
    const char *type = row->kind == FIELD_NUMBER_OR_VEC3 ? "number or vec3"
                       : row->kind == FIELD_NAMES        ? "list of names"
                                                         : describe_type(row->kind);
    put(text, "| `");
    put(text, prefix);
    put(text, row->name);
    put(text, "` | ");
    put(text, type);
    put(text, " | ");
    put_range(text, field);
    put(text, " | ");
    put(text, row->required ? "required" : row->fallback ? row->fallback : "");
    put(text, " | ");
    if (field->only) {
        put(text, "(");
        put(text, field->only);
        put(text, ") ");
    }
    put(text, row->help);
    put(text, " |\n");
}

/* Rows of a record; nested ones follow their object, except where a section has them. */
static void put_rows(struct json *text, const char *prefix, const struct record *record) {
    struct field_list list;
    record_fields(record, &list);
    for (uint32_t i = 0; i < list.count; ++i) {
        const struct field *field = &list.fields[i];
        put_row(text, prefix, field);
        if (field->row->kind != FIELD_OBJECT && field->row->kind != FIELD_LIST) continue;
        if (field->row->kind == FIELD_OBJECT && !strcmp(field->row->record()->tag, "scene")) continue;
        char inner[128];
        snprintf(inner, sizeof inner, "%s%s%s.", prefix, field->row->name,
                 field->row->kind == FIELD_LIST ? "[]" : "");
        put_rows(text, inner, field->row->record());
    }
}

static void put_table(struct json *text, const struct record *record) {
    struct field_list list;
    record_fields(record, &list);
    if (!list.count) {
        put(text, "No params.\n");
        return;
    }
    for (uint32_t i = 0; i < list.group_count; ++i) {
        put(text, list.groups[i].required ? "Exactly one of: " : "At most one of: ");
        put(text, list.groups[i].names);
        put(text, ".\n\n");
    }
    put(text, "| member | type | range | default | meaning |\n|---|---|---|---|---|\n");
    put_rows(text, "", record);
}

static void put_errors(struct json *text) {
    put(text, "### Errors\n\n| code | reason | when |\n|---|---|---|\n");
    size_t count;
    const struct wire_error_kind *kinds = wire_error_kinds(&count);
    for (size_t i = 0; i < count; ++i) {
        char piece[256];
        snprintf(piece, sizeof piece, "| %d | `%s` | %s |\n", kinds[i].code, kinds[i].reason, kinds[i].text);
        put(text, piece);
    }
}

void describe_markdown(struct json *text) {
    put_errors(text);
    for (int i = 0; i < WIRE_COMMAND_COUNT; ++i) {
        enum wire_command command = (enum wire_command)i;
        const struct wire_command_info *info = wire_command_get_info(command);
        char piece[64];
        snprintf(piece, sizeof piece, "\n### %s%s\n\n", info->method, info->mutates ? " ★" : "");
        put(text, piece);
        put(text, info->help);
        snprintf(piece, sizeof piece, " At most %u KiB.\n\n", wire_command_max_bytes(command) / 1024);
        put(text, piece);
        put_table(text, command_record(command));
    }
    put(text, "\n### A scene\n\nA scene file, or `spec` of `world.create` and `world.load`.\n\n");
    put_table(text, scene_record());
}
