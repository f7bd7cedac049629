/* A small JSON writer for replies, events and notifications: appends to one growing
 * text, commas by itself. Floats are printed with 9 digits so that float32
 * round-trips exactly; non-finite values become null. */
#ifndef WIRE_JSON_WRITE_H
#define WIRE_JSON_WRITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json {
    char *text; /* NUL-terminated unless failed */
    size_t length, capacity;
    bool failed; /* out of memory happened; text is then not whole */
    bool comma;
};

void json_init(struct json *json);
void json_free(struct json *json);
void json_begin_object(struct json *json);
void json_end_object(struct json *json);
void json_begin_array(struct json *json);
void json_end_array(struct json *json);
void json_key(struct json *json, const char *key);
void json_string(struct json *json, const char *value); /* NULL → null */
void json_bool(struct json *json, bool value);
void json_integer(struct json *json, int64_t value);
void json_float(struct json *json, float value);   /* %.9g */
void json_double(struct json *json, double value); /* shortest of %.15g and %.17g that round-trips */
/* As few digits as read back exactly: 0.1 and not 0.100000001. Slower; for few values. */
void json_short_float(struct json *json, float value);
void json_null(struct json *json);
void json_raw(struct json *json, const char *value, size_t length);
void json_floats(struct json *json, const float *values, size_t count); /* an array */
void json_uints(struct json *json, const uint32_t *values, size_t count);

/* A place in the text to go back to. */
struct json_mark {
    size_t length;
    bool comma;
};
struct json_mark json_get_mark(const struct json *json);
/* Forgets what was written since. */
void json_rewind(struct json *json, struct json_mark mark);

#endif
