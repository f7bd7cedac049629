/* The error table errors.def as C: codes, reasons, texts. */
#ifndef WIRE_ERRORS_H
#define WIRE_ERRORS_H

#include <stddef.h>
#include <wire/commands.h>

/* WIRE_CODE_not_found == -32001, … */
enum wire_code {
#define ERROR(reason, code, text) WIRE_CODE_##reason = code,
#include "../../errors.def"
#undef ERROR
};

struct wire_error_kind {
    int code;
    const char *reason, *text;
};
/* All rows of the table; static. */
const struct wire_error_kind *wire_error_kinds(size_t *count);

/* WIRE_FAIL(error, not_found, path, "%s …", …): code and reason that belong together. */
#define WIRE_FAIL(error, reason, path, ...)                                                                  \
    wire_error_set((error), WIRE_CODE_##reason, #reason, (path), __VA_ARGS__)

/* Replaces error->data_json: further members of data as JSON text without braces.
 * Out of memory: data stays empty, the error itself is whole. */
__attribute__((format(printf, 2, 3))) void wire_error_data(struct wire_error *error, const char *format, ...);

/* Puts prefix before the path of an error that a part reported: "commands[2]." before "vertices". */
void wire_error_prefix(struct wire_error *error, const char *prefix);

#endif
