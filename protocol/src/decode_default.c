/* Defaults: the fallback texts of the table, put where the JSON may not say anything. */
#include "decoder.h"

#include <assert.h>
#include <string.h>

#include "json_number.h"

/* "[0,-9.8,0]" or one number for all. */
static void put_vector(const char *text, float *out, int count) {
    bool list = *text == '[';
    const char *p = text + list;
    for (int i = 0; i < count; ++i) {
        const char *end;
        out[i] = (float)json_number_parse(p, &end);
        if (list) p = end + 1;
    }
}

static void put_enum(const struct field_row *row, unsigned char *out) {
    size_t length = strlen(row->fallback) - 2; /* within its quotes */
    for (int i = 0; row->values[i]; ++i) {
        if (strlen(row->values[i]) == length && !strncmp(row->values[i], row->fallback + 1, length)) {
            memcpy(out, &i, sizeof i);
            return;
        }
    }
    assert(false && "a default that is not among the enum's values");
}

static const char main_world[] = "main";

static void put_default(const struct field *field, unsigned char *out) {
    const struct field_row *row = field->row;
    const char *text = row->fallback, *end;
    if (!text || !strcmp(text, "null")) return;
    switch (row->kind) {
    case FIELD_BOOLEAN:
        *(bool *)(void *)out = *text == 't';
        break;
    case FIELD_INTEGER:
        *(int64_t *)(void *)out = (int64_t)json_number_parse(text, &end);
        break;
    case FIELD_NUMBER:
        *(double *)(void *)out = json_number_parse(text, &end);
        break;
    case FIELD_NAME:
        assert(!strcmp(text, "\"main\"")); /* the only name with a default */
        *(const char **)(void *)out = main_world;
        break;
    case FIELD_QUAT:
        put_vector(text, (float *)(void *)out, 4);
        break;
    case FIELD_VEC3:
    case FIELD_NUMBER_OR_VEC3:
        put_vector(text, (float *)(void *)out, 3);
        break;
    case FIELD_ENUM:
        put_enum(row, out);
        break;
    default:
        assert(false && "this kind has no default");
        break;
    }
}

void decode_defaults(const struct record *record, unsigned char *base) {
    struct field_list list;
    record_fields(record, &list);
    for (uint32_t i = 0; i < list.count; ++i) {
        const struct field *field = &list.fields[i];
        if (field->row->kind == FIELD_OBJECT) {
            decode_defaults(field->row->record(), base + field->offset);
        } else {
            put_default(field, base + field->offset);
        }
    }
}
