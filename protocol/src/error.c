/* Filling error objects, and the error table itself. */
#include <wire/errors.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct wire_error_kind kinds[] = {
#define ERROR(reason, code, text) {code, #reason, text},
#include "../errors.def"
#undef ERROR
};

const struct wire_error_kind *wire_error_kinds(size_t *count) {
    *count = sizeof kinds / sizeof kinds[0];
    return kinds;
}

/* A text cut at its buffer's end must not end within a UTF-8 sequence. */
static void drop_cut_sequence(char *text, size_t length) {
    size_t lead = length;
    while (lead > 0 && length - lead < 3 && ((unsigned char)text[lead - 1] & 0xC0) == 0x80)
        --lead;
    if (lead == 0) return;
    unsigned char c = (unsigned char)text[lead - 1];
    size_t need = c >= 0xF0 ? 4 : c >= 0xE0 ? 3 : c >= 0xC0 ? 2 : 1;
    if (length - lead + 1 < need) text[lead - 1] = '\0';
}

static void copy_text(char *out, size_t size, const char *text) {
    int n = snprintf(out, size, "%s", text);
    if (n >= 0 && (size_t)n >= size) drop_cut_sequence(out, size - 1);
}

void wire_error_set(struct wire_error *error, int code, const char *reason, const char *path,
                    const char *format, ...) {
    error->code = code;
    error->reason = reason;
    copy_text(error->path, sizeof error->path, path ? path : "");
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    if (n >= 0 && (size_t)n >= sizeof error->message) {
        drop_cut_sequence(error->message, sizeof error->message - 1);
    }
}

void wire_error_data(struct wire_error *error, const char *format, ...) {
    free(error->data_json);
    error->data_json = NULL;
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (n < 0) return;
    char *text = malloc((size_t)n + 1);
    if (!text) return;
    va_start(arguments, format);
    vsnprintf(text, (size_t)n + 1, format, arguments);
    va_end(arguments);
    error->data_json = text;
}

void wire_error_prefix(struct wire_error *error, const char *prefix) {
    char inner[sizeof error->path];
    size_t room = sizeof error->path - 1, length = strlen(prefix);
    memcpy(inner, error->path, sizeof inner);
    if (length > room) length = room;
    memcpy(error->path, prefix, length);
    size_t rest = strlen(inner);
    bool cut = rest > room - length;
    if (cut) rest = room - length;
    /* Without a member of its own it is about the whole object. */
    if (rest == 0 && length > 0 && prefix[length - 1] == '.') --length;
    memcpy(error->path + length, inner, rest);
    error->path[length + rest] = '\0';
    if (cut) drop_cut_sequence(error->path, length + rest);
}
