/* What the parts of the decoder share: the text, the tree, where we are, what went wrong. */
#ifndef WIRE_DECODER_H
#define WIRE_DECODER_H

#include <cjson/cJSON.h>
#include <wire/commands.h>
#include <wire/errors.h>

#include "arena.h"
#include "command_table.h"
#include "json_scan.h"

struct decoder {
    const struct json_scan *scan;
    struct arena *arena;
    struct wire_error *error;
    const char *owner; /* "cloth.pin" or "the scene": for members of the outermost object */
    char path[128];    /* of the value being decoded */
    size_t path_length;
};

/* ---- decode_path.c ---- */

/* Append a member's name or an item's index; return the length to go back to. */
size_t decode_path_member(struct decoder *d, const char *name);
size_t decode_path_item(struct decoder *d, uint64_t index);
void decode_path_back(struct decoder *d, size_t length);

/* ---- decode_fail.c: all return false ---- */

enum { PHRASE_BYTES = 200 };
/* "a number from 0 to 1 m/N or null": what a field takes. */
void decode_wants(const struct field *field, char out[PHRASE_BYTES]);
/* "the text \"abc\"", "a list of 3 numbers": what the text has. */
void decode_got(const struct decoder *d, const cJSON *value, char out[PHRASE_BYTES]);
bool decode_fail_type(struct decoder *d, const struct field *field, const cJSON *value);
/* got instead of a tree's value: a phrase of the caller. */
bool decode_fail_type_phrase(struct decoder *d, const struct field *field, const char *got);
/* The number is finite but outside [row->min, row->max]. */
bool decode_fail_range(struct decoder *d, const struct field *field, double got);
bool decode_fail_non_finite(struct decoder *d, const struct field *field);
/* A count or size above the table's bound. */
bool decode_fail_limit(struct decoder *d, const char *limit, const char *unit, double max, double got);
bool decode_fail_missing(struct decoder *d, const struct field *field);
/* name is no member here; allowed by ONLY's type, or NULL: all types. */
bool decode_fail_unknown(struct decoder *d, const struct field_list *list, const char *name,
                         const char *type);
bool decode_fail_memory(struct decoder *d);

/* ---- decode_value.c ---- */

/* Decodes a leaf into the struct at base and sets has_. */
bool decode_value(struct decoder *d, const struct field *field, const cJSON *value, unsigned char *base);
/* The patch behind a placeholder string, or NULL. */
const struct json_patch *decode_patch(const struct decoder *d, const cJSON *value);
/* Finite, whole when the field is, within the range; else fails. */
bool decode_check_number(struct decoder *d, const struct field *field, double value);

/* ---- decode_array.c: from a flat array's text ---- */

bool decode_floats(struct decoder *d, const struct field *field, const struct json_patch *patch, float *out);
bool decode_uints(struct decoder *d, const struct field *field, const struct json_patch *patch,
                  uint32_t *out);
bool decode_vertices(struct decoder *d, const struct field *field, const struct json_patch *patch,
                     struct wire_vertices *out);

/* ---- decode_record.c ---- */

/* Fills the zeroed struct at base from an object: defaults, members, missing ones, groups. */
bool decode_record(struct decoder *d, const struct record *record, const cJSON *object, unsigned char *base);

/* ---- decode_default.c ---- */

/* Puts every default into a zeroed struct. */
void decode_defaults(const struct record *record, unsigned char *base);

#endif
