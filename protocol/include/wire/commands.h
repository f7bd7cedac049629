/* Commands as plain structs, made from commands.def, and the way to them from text.
 *
 * commands.def is read several times with different macros. Its dialect:
 *
 *   VALUES(tag, VALUE(tag, a) VALUE(tag, b))         an enum: enum wire_tag { WIRE_tag_a, WIRE_tag_b }
 *   STRUCT(tag) … END(tag)                           struct wire_tag; fields in between:
 *     BOOLEAN(name, need, fallback, help)
 *     INTEGER(name, need, min, max, unit, fallback, help)
 *     NUMBER(name, need, min, max, unit, fallback, help)
 *     STRING(name, need, max_bytes, help)
 *     NAME(name, need, fallback, help)               a world's, cloth's … name
 *     VEC3 / QUAT(name, need, min, max, unit, fallback, help)
 *     VERTICES(name, need, help)                     indices and ranges {"from","to"}
 *     NUMBERS / INTEGERS(name, need, min, max, unit, max_items, help)
 *     ENUM(name, need, values_tag, fallback, help)
 *     OBJECT(name, need, struct_tag, help)           nested by value
 *     LIST(name, need, struct_tag, min, max, help)   array of structs
 *     NUMBER_OR_VEC3(name, need, min, max, unit, fallback, help)   one number stands for all three
 *     NAMES(name, need, max_items, help)             list of names
 *     METHOD(name, need, help)                       the name of a ★ command
 *     PARAMS(name, need, help)                       its params: a struct of the command that this record's
 * METHOD names EMBED(struct_tag)                              its members among ours, as struct wire_tag tag
 *     NULLABLE                                       marker: the next field may be null
 *     ONLY("sphere capsule")                         marker: the next field exists for these `type`s only
 *     NONZERO                    marker: the next VEC3 may not be [0,0,0] (a QUAT never may)
 *     ITEMS(min, multiple)       marker: the next NUMBERS/INTEGERS has at least min items, in groups of
 *                                multiple; the next VERTICES names at least min
 *     FIRST                      marker: the next field is looked at before all others
 *     ONE_OF(need, "scene spec") marker: exactly (REQUIRED) or at most (OPTIONAL) one of them
 *   COMMAND(tag, "world.set", mutates, struct_tag, help)   mutates: CHANGES or READS
 *
 * need is REQUIRED or OPTIONAL; fallback is the JSON text of the default, or NULL: none.
 * Every member x has has_x (enum wire_presence): what the JSON said. Where has_x is
 * WIRE_ABSENT, x holds the default, or zero when there is none. */
#ifndef WIRE_COMMANDS_H
#define WIRE_COMMANDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum wire_presence { WIRE_ABSENT = 0, WIRE_PRESENT = 1, WIRE_NULL = 2 };

struct wire_range {
    uint32_t from, to; /* both included, from ≤ to */
};
struct wire_vertices {
    struct wire_range *ranges; /* single indices have from == to; in the order given */
    uint32_t range_count;
    uint64_t count; /* vertices in all */
};
struct wire_numbers {
    float *values;
    uint32_t count;
};
struct wire_integers {
    uint32_t *values;
    uint32_t count;
};
struct wire_names {
    const char **values;
    uint32_t count;
};

/* Enums. */
#define VALUE(tag, value) WIRE_##tag##_##value,
#define VALUES(tag, list) enum wire_##tag{list};
#include <wire/table_empty.inc>
#include "../../commands.def"
#include <wire/table_undef.inc>

/* enum wire_command { WIRE_server_ping, … }; */
enum wire_command {
#define COMMAND(tag, method, mutates, struct_tag, help) WIRE_##tag,
#include <wire/table_empty.inc>
#include "../../commands.def"
#include <wire/table_undef.inc>
    WIRE_COMMAND_COUNT
};

/* Structs. members: how many of its members the JSON had. */
#define STRUCT(tag)                                                                                          \
    struct wire_##tag {                                                                                      \
        uint32_t members;
#define END(tag)                                                                                             \
    }                                                                                                        \
    ;
#define WIRE_MEMBER(type, name)                                                                              \
    uint8_t has_##name;                                                                                      \
    type name;
#define BOOLEAN(name, need, fallback, help) WIRE_MEMBER(bool, name)
#define INTEGER(name, need, min, max, unit, fallback, help) WIRE_MEMBER(int64_t, name)
#define NUMBER(name, need, min, max, unit, fallback, help) WIRE_MEMBER(double, name)
#define STRING(name, need, max_bytes, help) WIRE_MEMBER(const char *, name)
#define NAME(name, need, fallback, help) WIRE_MEMBER(const char *, name)
#define VEC3(name, need, min, max, unit, fallback, help)                                                     \
    uint8_t has_##name;                                                                                      \
    float name[3];
#define QUAT(name, need, min, max, unit, fallback, help)                                                     \
    uint8_t has_##name;                                                                                      \
    float name[4];
#define NUMBER_OR_VEC3(name, need, min, max, unit, fallback, help)                                           \
    VEC3(name, need, min, max, unit, fallback, help)
#define VERTICES(name, need, help) WIRE_MEMBER(struct wire_vertices, name)
#define NUMBERS(name, need, min, max, unit, max_items, help) WIRE_MEMBER(struct wire_numbers, name)
#define INTEGERS(name, need, min, max, unit, max_items, help) WIRE_MEMBER(struct wire_integers, name)
#define NAMES(name, need, max_items, help) WIRE_MEMBER(struct wire_names, name)
#define METHOD(name, need, help) WIRE_MEMBER(enum wire_command, name)
#define PARAMS(name, need, help) WIRE_MEMBER(const void *, name)
#define ENUM(name, need, values_tag, fallback, help) WIRE_MEMBER(enum wire_##values_tag, name)
#define OBJECT(name, need, struct_tag, help) WIRE_MEMBER(struct wire_##struct_tag, name)
#define LIST(name, need, struct_tag, min, max, help)                                                         \
    uint8_t has_##name;                                                                                      \
    uint32_t name##_count;                                                                                   \
    struct wire_##struct_tag *name;
#define EMBED(struct_tag) struct wire_##struct_tag struct_tag;
#include <wire/table_empty.inc>
#include "../../commands.def"
#include <wire/table_undef.inc>

/* A decoded request. params points to struct wire_<struct_tag>; all memory is the
 * request's own and goes with wire_request_destroy. */
struct wire_request {
    enum wire_command command;
    bool wants_reply;    /* it had an id */
    const char *id_json; /* the id as JSON text to echo: 7, "a", null */
    const char *world;   /* the world it addresses ("main" by default), NULL for server.* and the like */
    const void *params;
    size_t text_bytes;
    void *arena;
};
void wire_request_destroy(struct wire_request *request);

/* A command's entry in the table. */
struct wire_command_info {
    const char *method;
    const char *help;
    bool mutates;
};
const struct wire_command_info *wire_command_get_info(enum wire_command command);
/* The world that params of a command name; NULL: none, or there is no such member. */
const char *wire_params_world(enum wire_command command, const void *params);
/* The most bytes that a request of this command may have. */
uint32_t wire_command_max_bytes(enum wire_command command);

/* What a failed decode or command says: an error object of protocol.md §2. */
struct wire_error {
    int code;           /* -32602 … */
    const char *reason; /* "out_of_range"; static text, or "" */
    char path[128];     /* the member: "solver.substeps", "cloths[0].grid.nx" */
    char message[640];  /* one sentence: the member, what it got, what is allowed */
    char *data_json;    /* further members of data as JSON text `"k":v,…`, malloc'd, or NULL */
    char id_json[264];  /* of the request, "null" when there was none to read */
    bool answer;        /* false: the request had no id */
};

/* The caller's part of the checks, in the contract's order:
 * parse → envelope → rate → method → role → size → params. */
struct wire_decode_rules {
    bool may_control;   /* role */
    uint32_t max_depth; /* 16 */
    /* Called once after the envelope; false → rate_limited. world is NULL if none was named. */
    bool (*rate)(void *context, enum wire_command command, const char *world);
    void *context;
};

/* text[length] must be NUL. Returns the request, or NULL with *error filled (free data_json). */
struct wire_request *wire_request_decode(const char *text, size_t length,
                                         const struct wire_decode_rules *rules, struct wire_error *error);

/* A scene file or inline spec, checked by the same table: struct wire_scene of commands.def
 * ({title, description, view, world, cloths, colliders}). Freed as a request. */
struct wire_request *wire_scene_decode(const char *text, size_t length, struct wire_error *error);

/* A file with the reply of world.log, or its result alone: struct wire_log of commands.def. However
 * long it is. The sentence of *error begins with the byte, data has `offset`. */
struct wire_request *wire_log_decode(const char *text, size_t length, struct wire_error *error);

/* Fills *error; format prints the sentence. */
__attribute__((format(printf, 5, 6))) void wire_error_set(struct wire_error *error, int code,
                                                          const char *reason, const char *path,
                                                          const char *format, ...);

#endif
