/* Appends JSON to one growing text. A failed allocation is remembered and everything
 * after it is ignored, so callers check once, at the end. */
#include <wire/json_write.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json_number.h"

enum { FIRST_CAPACITY = 256 };

void json_init(struct json *json) {
    *json = (struct json){0};
}

void json_free(struct json *json) {
    free(json->text);
    *json = (struct json){0};
}

/* Room for count bytes and a NUL behind them. */
static bool reserve(struct json *json, size_t count) {
    if (json->failed) return false;
    if (json->text && count < json->capacity - json->length) return true;
    if (count > SIZE_MAX / 4 - json->length) {
        json->failed = true;
        return false;
    }
    size_t capacity = json->capacity ? json->capacity : FIRST_CAPACITY;
    while (capacity - json->length <= count)
        capacity *= 2;
    char *grown = realloc(json->text, capacity);
    if (!grown) {
        json->failed = true;
        return false;
    }
    json->text = grown;
    json->capacity = capacity;
    return true;
}

static void put(struct json *json, const char *text, size_t length) {
    if (!reserve(json, length)) return;
    memcpy(json->text + json->length, text, length);
    json->length += length;
    json->text[json->length] = '\0';
}

/* A value begins: a comma when another one stands before it. */
static void separate(struct json *json) {
    if (json->comma) put(json, ",", 1);
    json->comma = true;
}

static void open(struct json *json, const char *bracket) {
    separate(json);
    put(json, bracket, 1);
    json->comma = false;
}

static void close(struct json *json, const char *bracket) {
    put(json, bracket, 1);
    json->comma = true;
}

void json_begin_object(struct json *json) {
    open(json, "{");
}

void json_end_object(struct json *json) {
    close(json, "}");
}

void json_begin_array(struct json *json) {
    open(json, "[");
}

void json_end_array(struct json *json) {
    close(json, "]");
}

static void put_quoted(struct json *json, const char *value) {
    put(json, "\"", 1);
    const char *plain = value;
    for (const char *p = value;; ++p) {
        unsigned char c = (unsigned char)*p;
        if (c >= 0x20 && c != '"' && c != '\\' && c != 0x7F) continue;
        put(json, plain, (size_t)(p - plain));
        if (c == '\0') break;
        plain = p + 1;
        char escape[8];
        int n = c == '"' || c == '\\' ? snprintf(escape, sizeof escape, "\\%c", c)
                : c == '\n'           ? snprintf(escape, sizeof escape, "\\n")
                                      : snprintf(escape, sizeof escape, "\\u%04x", c);
        put(json, escape, (size_t)n);
    }
    put(json, "\"", 1);
}

void json_key(struct json *json, const char *key) {
    separate(json);
    put_quoted(json, key);
    put(json, ":", 1);
    json->comma = false;
}

void json_string(struct json *json, const char *value) {
    if (!value) {
        json_null(json);
        return;
    }
    separate(json);
    put_quoted(json, value);
}

void json_bool(struct json *json, bool value) {
    separate(json);
    put(json, value ? "true" : "false", value ? 4 : 5);
}

void json_integer(struct json *json, int64_t value) {
    char text[32];
    separate(json);
    if (value < 0) put(json, "-", 1);
    put(json, text, json_number_format_digits(value < 0 ? -(uint64_t)value : (uint64_t)value, text));
}

void json_float(struct json *json, float value) {
    if (!isfinite(value)) {
        json_null(json);
        return;
    }
    char text[32];
    size_t n = json_number_format_float(value, text);
    separate(json);
    put(json, text, n);
}

void json_short_float(struct json *json, float value) {
    if (!isfinite(value)) {
        json_null(json);
        return;
    }
    char text[32];
    int n = 0;
    for (int digits = 6; digits <= 9; ++digits) {
        n = snprintf(text, sizeof text, "%.*g", digits, (double)value);
        if ((float)strtod(text, NULL) == value) break; /* as JSON is read: by way of a double */
    }
    separate(json);
    put(json, text, (size_t)n);
}

void json_double(struct json *json, double value) {
    if (!isfinite(value)) {
        json_null(json);
        return;
    }
    char text[32];
    size_t n = json_number_format(value, text);
    separate(json);
    put(json, text, n);
}

void json_null(struct json *json) {
    separate(json);
    put(json, "null", 4);
}

void json_raw(struct json *json, const char *value, size_t length) {
    separate(json);
    put(json, value, length);
}

void json_floats(struct json *json, const float *values, size_t count) {
    json_begin_array(json);
    for (size_t i = 0; i < count; ++i)
        json_float(json, values[i]);
    json_end_array(json);
}

void json_uints(struct json *json, const uint32_t *values, size_t count) {
    json_begin_array(json);
    for (size_t i = 0; i < count; ++i)
        json_integer(json, values[i]);
    json_end_array(json);
}

struct json_mark json_get_mark(const struct json *json) {
    return (struct json_mark){json->length, json->comma};
}

void json_rewind(struct json *json, struct json_mark mark) {
    json->length = mark.length;
    json->comma = mark.comma;
    if (json->text) json->text[mark.length] = '\0';
}
