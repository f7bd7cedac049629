/* The only place that knows escapes and UTF-8: what passes here is valid UTF-8 with
 * whole surrogate pairs and without U+0000, so later code may treat it as C text. */
#include "json_string.h"

#include <string.h>

size_t json_utf8_length(const unsigned char *p) {
    if (p[0] < 0x80) return 1;
    if (p[0] < 0xC2) return 0;
    if ((p[1] & 0xC0) != 0x80) return 0;
    if (p[0] < 0xE0) return 2;
    if (p[0] == 0xE0 && p[1] < 0xA0) return 0; /* overlong */
    if (p[0] == 0xED && p[1] > 0x9F) return 0; /* surrogate */
    if (p[0] == 0xF0 && p[1] < 0x90) return 0; /* overlong */
    if (p[0] == 0xF4 && p[1] > 0x8F) return 0; /* above U+10FFFF */
    if ((p[2] & 0xC0) != 0x80) return 0;
    if (p[0] < 0xF0) return 3;
    if (p[0] > 0xF4 || (p[3] & 0xC0) != 0x80) return 0;
    return 4;
}

/* Four hex digits, or −1. */
static int32_t hex4(const char *p) {
    int32_t value = 0;
    for (int i = 0; i < 4; ++i) {
        char c = p[i];
        int32_t digit = c >= '0' && c <= '9'   ? c - '0'
                        : c >= 'a' && c <= 'f' ? c - 'a' + 10
                        : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                               : -1;
        if (digit < 0) return -1;
        value = value * 16 + digit;
    }
    return value;
}

static size_t utf8_write(uint32_t point, char *out) {
    if (point < 0x80) {
        out[0] = (char)point;
        return 1;
    }
    size_t length = point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    static const unsigned char lead[] = {0, 0, 0xC0, 0xE0, 0xF0};
    for (size_t i = length - 1; i > 0; --i) {
        out[i] = (char)(0x80 | (point & 0x3F));
        point >>= 6;
    }
    out[0] = (char)(lead[length] | point);
    return length;
}

size_t json_string_next(const char **p, char out[4]) {
    const char *q = *p;
    if (*q == '"') return 0;
    if (*q != '\\') {
        size_t length = json_utf8_length((const unsigned char *)q);
        memcpy(out, q, length);
        *p = q + length;
        return length;
    }
    *p = q + 2;
    switch (q[1]) {
    case 'b':
        out[0] = '\b';
        return 1;
    case 'f':
        out[0] = '\f';
        return 1;
    case 'n':
        out[0] = '\n';
        return 1;
    case 'r':
        out[0] = '\r';
        return 1;
    case 't':
        out[0] = '\t';
        return 1;
    case 'u': {
        uint32_t point = (uint32_t)hex4(q + 2);
        *p = q + 6;
        if (point >= 0xD800 && point < 0xDC00) {
            point = 0x10000 + ((point - 0xD800) << 10) + ((uint32_t)hex4(q + 8) - 0xDC00);
            *p = q + 12;
        }
        return utf8_write(point, out);
    }
    default:
        out[0] = q[1];
        return 1;
    }
}

/* Checks the escape at text[at] == '\\'. Returns its length, or 0 and *problem. */
static size_t escape_length(const char *text, size_t at, const char **problem) {
    char c = text[at + 1];
    if (c != '\0' && strchr("\"\\/bfnrt", c)) return 2;
    if (c != 'u') {
        *problem = "an escape that JSON does not have";
        return 0;
    }
    int32_t point = hex4(text + at + 2);
    if (point < 0) {
        *problem = "\\u needs four hex digits";
        return 0;
    }
    if (point == 0) {
        *problem = "\\u0000 is not accepted";
        return 0;
    }
    if (point < 0xD800 || point > 0xDFFF) return 6;
    if (point < 0xDC00 && text[at + 6] == '\\' && text[at + 7] == 'u') {
        int32_t low = hex4(text + at + 8);
        if (low >= 0xDC00 && low <= 0xDFFF) return 12;
    }
    *problem = "half of a surrogate pair";
    return 0;
}

size_t json_string_scan(const char *text, size_t offset, uint64_t *hash, size_t *bad, const char **problem) {
    size_t at = offset + 1;
    uint64_t h = UINT64_C(0xcbf29ce484222325); /* FNV-1a of the unescaped bytes */
    for (;;) {
        unsigned char c = (unsigned char)text[at];
        if (c == '"') break;
        size_t length = 1;
        if (c < 0x20) {
            *problem =
                c == 0 ? "the text ends within a string" : "a control character in a string must be escaped";
        } else if (c == '\\') {
            length = escape_length(text, at, problem);
        } else if (c >= 0x80) {
            length = json_utf8_length((const unsigned char *)text + at);
            if (!length) *problem = "not UTF-8";
        }
        if (c < 0x20 || length == 0) {
            *bad = at;
            return 0;
        }
        char out[4] = {text[at]};
        size_t count = 1;
        if (length > 1) {
            const char *p = text + at;
            count = json_string_next(&p, out);
        }
        for (size_t i = 0; i < count; ++i)
            h = (h ^ (unsigned char)out[i]) * UINT64_C(0x100000001b3);
        at += length;
    }
    *hash = h;
    return at + 1;
}
