/* The one place where commands.def becomes data. Each STRUCT becomes a function that
 * returns its rows: inside, `self` names the struct, so that a row knows its offset. */
#include "command_table.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "nearest_name.h"

#define REQUIRED true
#define OPTIONAL false

#define VALUE(tag, value) #value,
#define VALUES(tag, list) static const char *const values_##tag[] = {list NULL};
#define STRUCT(tag)                                                                                          \
    static const struct record *record_##tag(void) {                                                         \
        typedef struct wire_##tag self;                                                                      \
        static const char record_name[] = #tag;                                                              \
        static const struct field_row rows[] = {
#define END(tag)                                                                                             \
    { .kind = FIELD_END }                                                                                    \
    }                                                                                                        \
    ;                                                                                                        \
    static const struct record record = {record_name, sizeof(self), rows};                                   \
    return &record;                                                                                          \
    }
#define PLACE(n) .name = #n, .offset = offsetof(self, n), .has_offset = offsetof(self, has_##n)
#define RANGE(low, high, u) .min = (low), .max = (high), .unit = (u)
#define BOOLEAN(n, need, def, text)                                                                          \
    {.kind = FIELD_BOOLEAN, PLACE(n), .required = need, .fallback = def, .help = text},
#define RANGED(k, n, need, low, high, u, def, text)                                                          \
    {.kind = k, PLACE(n), .required = need, RANGE(low, high, u), .fallback = def, .help = text},
#define INTEGER(n, need, low, high, u, def, text) RANGED(FIELD_INTEGER, n, need, low, high, u, def, text)
#define NUMBER(n, need, low, high, u, def, text) RANGED(FIELD_NUMBER, n, need, low, high, u, def, text)
#define VEC3(n, need, low, high, u, def, text) RANGED(FIELD_VEC3, n, need, low, high, u, def, text)
#define QUAT(n, need, low, high, u, def, text) RANGED(FIELD_QUAT, n, need, low, high, u, def, text)
#define NUMBER_OR_VEC3(n, need, low, high, u, def, text)                                                     \
    RANGED(FIELD_NUMBER_OR_VEC3, n, need, low, high, u, def, text)
#define STRING(n, need, bytes, text)                                                                         \
    {.kind = FIELD_STRING, PLACE(n), .required = need, .max_items = bytes, .help = text},
#define NAME(n, need, def, text)                                                                             \
    {.kind = FIELD_NAME, PLACE(n), .required = need, .fallback = def, .help = text},
#define VERTICES(n, need, text)                                                                              \
    {.kind = FIELD_VERTICES, PLACE(n), .required = need, RANGE(0, 4294967294.0, "vertex"), .help = text},
#define NUMBERS(n, need, low, high, u, most, text)                                                           \
    {.kind = FIELD_NUMBERS, PLACE(n), .required = need, RANGE(low, high, u), .max_items = most, .help = text},
#define INTEGERS(n, need, low, high, u, most, text)                                                          \
    {.kind = FIELD_INTEGERS,                                                                                 \
     PLACE(n),                                                                                               \
     .required = need,                                                                                       \
     RANGE(low, high, u),                                                                                    \
     .max_items = most,                                                                                      \
     .help = text},
#define NAMES(n, need, most, text)                                                                           \
    {.kind = FIELD_NAMES, PLACE(n), .required = need, .max_items = most, .help = text},
#define METHOD(n, need, text) {.kind = FIELD_METHOD, PLACE(n), .required = need, .help = text},
#define PARAMS(n, need, text) {.kind = FIELD_PARAMS, PLACE(n), .required = need, .help = text},
#define ENUM(n, need, tag, def, text)                                                                        \
    {.kind = FIELD_ENUM, PLACE(n), .required = need, .values = values_##tag, .fallback = def, .help = text},
#define OBJECT(n, need, tag, text)                                                                           \
    {.kind = FIELD_OBJECT, PLACE(n), .required = need, .record = record_##tag, .help = text},
#define LIST(n, need, tag, least, most, text)                                                                \
    {.kind = FIELD_LIST,                                                                                     \
     PLACE(n),                                                                                               \
     .count_offset = offsetof(self, n##_count),                                                              \
     .required = need,                                                                                       \
     .min_items = least,                                                                                     \
     .max_items = most,                                                                                      \
     .record = record_##tag,                                                                                 \
     .help = text},
#define EMBED(tag) {.kind = FIELD_EMBED, .offset = offsetof(self, tag), .record = record_##tag},
#define NULLABLE {.kind = MARK_NULLABLE},
#define NONZERO {.kind = MARK_NONZERO},
#define FIRST {.kind = MARK_FIRST},
#define ONLY(types) {.kind = MARK_ONLY, .names = types},
#define ONE_OF(need, list) {.kind = MARK_ONE_OF, .required = need, .names = list},
#define ITEMS(least, group) {.kind = MARK_ITEMS, .min_items = least, .multiple = group},
#include <wire/table_empty.inc>
#include "../commands.def"
#include <wire/table_undef.inc>

enum { KIB = 1024 };

/* Texts longer than this are refused once the method is known (protocol.md §5). */
static uint32_t max_text_bytes(const char *method) {
    static const char *const large[] = {"cloth.add", "cloth.set_state", "collider.", "world."};
    for (size_t i = 0; i < sizeof large / sizeof large[0]; ++i) {
        if (!strncmp(method, large[i], strlen(large[i]))) return 16 * KIB * KIB;
    }
    return !strncmp(method, "cloth.", 6) ? KIB * KIB : 64 * KIB;
}

static const struct {
    struct wire_command_info info;
    const struct record *(*record)(void);
} commands[WIRE_COMMAND_COUNT] = {
#define READS false
#define CHANGES true
#define COMMAND(tag, name, changes, params, text) [WIRE_##tag] = {{name, text, changes}, record_##params},
#include <wire/table_empty.inc>
#include "../commands.def"
#include <wire/table_undef.inc>
};

const struct wire_command_info *wire_command_get_info(enum wire_command command) {
    return &commands[command].info;
}

uint32_t wire_command_max_bytes(enum wire_command command) {
    return max_text_bytes(commands[command].info.method);
}

const struct record *command_record(enum wire_command command) {
    return commands[command].record();
}

const char *wire_params_world(enum wire_command command, const void *params) {
    struct field_list list;
    record_fields(command_record(command), &list);
    const struct field *field = field_find(&list, "world");
    const unsigned char *base = params;
    if (!field || field->row->kind != FIELD_NAME || base[field->has_offset] != WIRE_PRESENT) return NULL;
    return *(const char *const *)(const void *)(base + field->offset);
}

const struct record *scene_record(void) {
    return record_scene();
}

const struct record *log_record(void) {
    return record_log();
}

enum wire_command command_find(const char *method) {
    for (int i = 0; i < WIRE_COMMAND_COUNT; ++i) {
        if (!strcmp(commands[i].info.method, method)) return (enum wire_command)i;
    }
    return WIRE_COMMAND_COUNT;
}

const char *command_nearest(const char *method) {
    const char *nearest = NULL;
    uint32_t distance = UINT32_MAX;
    for (int i = 0; i < WIRE_COMMAND_COUNT; ++i) {
        const char *other = commands[i].info.method;
        uint32_t other_distance = name_distance(method, other);
        if (other_distance < distance && name_is_near(method, other, other_distance)) {
            nearest = other;
            distance = other_distance;
        }
    }
    return nearest;
}

/* Owners on the way down: base offsets of the structs around the rows. */
struct nesting {
    size_t base[4];
    uint32_t count;
};

static void add_rows(const struct record *record, const struct nesting *nesting, struct field_list *list) {
    size_t base = nesting->base[nesting->count - 1];
    const struct field fresh = {.min_items = 0, .multiple = 1};
    struct field next = fresh;
    for (const struct field_row *row = record->rows; row->kind != FIELD_END; ++row) {
        switch (row->kind) {
        case MARK_NULLABLE:
            next.nullable = true;
            continue;
        case MARK_NONZERO:
            next.nonzero = true;
            continue;
        case MARK_FIRST:
            next.first = true;
            continue;
        case MARK_ONLY:
            next.only = row->names;
            continue;
        case MARK_ITEMS:
            next.min_items = row->min_items;
            next.multiple = row->multiple;
            continue;
        case MARK_ONE_OF:
            assert(list->group_count < sizeof list->groups / sizeof list->groups[0]);
            list->groups[list->group_count++] = (struct field_group){row->names, row->required};
            continue;
        case FIELD_EMBED: {
            struct nesting inner = *nesting;
            assert(inner.count < sizeof inner.base / sizeof inner.base[0]);
            inner.base[inner.count++] = base + row->offset;
            add_rows(row->record(), &inner, list);
            continue;
        }
        default:
            break;
        }
        assert(list->count < sizeof list->fields / sizeof list->fields[0]);
        next.row = row;
        next.offset = base + row->offset;
        next.has_offset = base + row->has_offset;
        next.count_offset = base + row->count_offset;
        next.owner_count = nesting->count;
        for (uint32_t i = 0; i < nesting->count; ++i)
            next.members_offset[i] = nesting->base[i];
        list->fields[list->count++] = next;
        next = fresh;
    }
}

/* Every wire struct begins with `members`, so an owner's base is its members' offset. */
static_assert(offsetof(struct wire_none, members) == 0, "members comes first");

void record_fields(const struct record *record, struct field_list *list) {
    list->count = list->group_count = 0;
    const struct nesting outermost = {.base = {0}, .count = 1};
    add_rows(record, &outermost, list);
}

const struct field *field_find(const struct field_list *list, const char *name) {
    for (uint32_t i = 0; i < list->count; ++i) {
        if (!strcmp(list->fields[i].row->name, name)) return &list->fields[i];
    }
    return NULL;
}

size_t names_next(const char **cursor, const char **word) {
    *word = *cursor + strspn(*cursor, " ");
    size_t length = strcspn(*word, " ");
    *cursor = *word + length;
    return length;
}

bool names_contain(const char *names, const char *word) {
    size_t length, wanted = strlen(word);
    for (const char *cursor = names, *found; (length = names_next(&cursor, &found)) != 0;) {
        if (length == wanted && !strncmp(found, word, length)) return true;
    }
    return false;
}
