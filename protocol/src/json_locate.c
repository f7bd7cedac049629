/* A walk along a path over a text that is known to be JSON. */
#include "json_locate.h"

#include <stdlib.h>
#include <string.h>

static const char *skip_space(const char *p) {
    return p + strspn(p, " \t\r\n");
}

/* p at a quote; behind the closing one. */
static const char *skip_string(const char *p) {
    for (++p; *p != '"'; ++p)
        p += *p == '\\';
    return p + 1;
}

/* From a value's first byte to behind its last. */
static const char *skip_value(const char *p) {
    if (*p == '"') return skip_string(p);
    if (*p != '{' && *p != '[') return p + strcspn(p, " \t\r\n,]}");
    size_t depth = 0;
    do {
        if (*p == '"') {
            p = skip_string(p);
            continue;
        }
        depth += *p == '{' || *p == '[';
        depth -= *p == '}' || *p == ']';
        ++p;
    } while (depth > 0);
    return p;
}

/* The index-th item of the array at p, or NULL. */
static const char *find_item(const char *p, unsigned long index) {
    if (*p != '[') return NULL;
    p = skip_space(p + 1);
    for (; *p != ']' && index > 0; --index) {
        p = skip_space(skip_value(p));
        if (*p == ',') p = skip_space(p + 1);
    }
    return *p == ']' ? NULL : p;
}

/* The member of the object at p, by its key without escapes, or NULL. */
static const char *find_member(const char *p, const char *name, size_t length) {
    if (*p != '{') return NULL;
    p = skip_space(p + 1);
    while (*p != '}') {
        const char *key = p, *end = skip_string(p);
        p = skip_space(skip_space(end) + 1); /* the colon */
        if ((size_t)(end - key) == length + 2 && memcmp(key + 1, name, length) == 0) return p;
        p = skip_space(skip_value(p));
        if (*p == ',') p = skip_space(p + 1);
    }
    return NULL;
}

static enum json_kind kind_of(char first) {
    switch (first) {
    case '{':
        return JSON_OBJECT;
    case '[':
        return JSON_ARRAY;
    case '"':
        return JSON_STRING;
    case 't':
        return JSON_TRUE;
    case 'f':
        return JSON_FALSE;
    case 'n':
        return JSON_NULL;
    default:
        return JSON_NUMBER;
    }
}

bool json_locate(const char *text, const char *path, struct json_span *span) {
    const char *at = skip_space(text), *found = at;
    while (found && *path) {
        if (*path == '[') {
            char *end;
            found = find_item(at, strtoul(path + 1, &end, 10));
            path = *end == ']' ? end + 1 : end + strlen(end);
        } else {
            path += *path == '.';
            size_t length = strcspn(path, ".[");
            found = find_member(at, path, length);
            path += length;
        }
        if (found) at = found;
    }
    *span = (struct json_span){
        .kind = kind_of(*at), .start = (uint32_t)(at - text), .end = (uint32_t)(skip_value(at) - text)};
    return found != NULL;
}
