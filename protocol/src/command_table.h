/* commands.def as data: what the decoder, the describers and the tests walk over. */
#ifndef WIRE_COMMAND_TABLE_H
#define WIRE_COMMAND_TABLE_H

#include <wire/commands.h>

enum field_kind {
    FIELD_END,
    FIELD_BOOLEAN,
    FIELD_INTEGER,
    FIELD_NUMBER,
    FIELD_STRING,
    FIELD_NAME,
    FIELD_VEC3,
    FIELD_QUAT,
    FIELD_NUMBER_OR_VEC3,
    FIELD_VERTICES,
    FIELD_NUMBERS,
    FIELD_INTEGERS,
    FIELD_NAMES,
    FIELD_METHOD,
    FIELD_PARAMS,
    FIELD_ENUM,
    FIELD_OBJECT,
    FIELD_LIST,
    FIELD_EMBED,
    /* Markers: they concern the next field, or the record. */
    MARK_NULLABLE,
    MARK_NONZERO,
    MARK_FIRST,
    MARK_ONLY,
    MARK_ONE_OF,
    MARK_ITEMS,
};

struct record;

/* One row of the table. */
struct field_row {
    enum field_kind kind;
    const char *name;
    bool required;
    double min, max;
    const char *unit;
    const char *fallback; /* JSON text or NULL */
    uint32_t min_items, max_items, multiple;
    const char *help;
    const char *const *values;            /* of an enum, ended by NULL */
    const struct record *(*record)(void); /* OBJECT, LIST, EMBED */
    size_t offset, has_offset, count_offset;
    const char *names; /* ONLY, ONE_OF: words between spaces */
};

struct record {
    const char *tag;
    size_t size;
    const struct field_row *rows;
};

/* A row with its markers applied and embedded records flattened. */
struct field {
    const struct field_row *row;
    size_t offset, has_offset, count_offset; /* from the outermost struct's start */
    size_t members_offset[4];                /* `members` of each struct that it belongs to */
    uint32_t owner_count;
    bool nullable, nonzero, first;
    const char *only;             /* NULL: for every type */
    uint32_t min_items, multiple; /* of NUMBERS and INTEGERS; 0 and 1 by default */
};

struct field_group {
    const char *names;
    bool required;
};

struct field_list {
    uint32_t count, group_count;
    struct field fields[64];
    struct field_group groups[4];
};

void record_fields(const struct record *record, struct field_list *list);
/* NULL when there is none of that name. */
const struct field *field_find(const struct field_list *list, const char *name);

/* Is word among the words of names? */
bool names_contain(const char *names, const char *word);
/* The next word of names from *cursor on (set it to names first): its length, *word
 * its start; 0 at the end. */
size_t names_next(const char **cursor, const char **word);

const struct record *command_record(enum wire_command command);
const struct record *scene_record(void);
const struct record *log_record(void);
/* WIRE_COMMAND_COUNT when there is none. */
enum wire_command command_find(const char *method);
/* The method that was probably meant, or NULL. */
const char *command_nearest(const char *method);

#endif
