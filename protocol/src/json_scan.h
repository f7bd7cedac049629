/* The strict first look at a text: is it JSON, and where are the parts that matter?
 *
 * Stricter than cJSON, which takes `0x10`, `NaN`, `01` and duplicate keys: only RFC 8259,
 * depth bounded, UTF-8 and surrogates whole, no U+0000, no key twice in one object.
 * It also finds the envelope's members and every *flat array*, so that long arrays
 * of numbers never become cJSON nodes:
 *
 *   {"id":1,"params":{"positions":[0,1.5,2],"pins":[3,{"from":5,"to":9}]}}
 *                                 ^ flat, 3 numbers  ^ flat, 2 entries, with ranges
 */
#ifndef WIRE_JSON_SCAN_H
#define WIRE_JSON_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum json_kind {
    JSON_NONE,
    JSON_OBJECT,
    JSON_ARRAY,
    JSON_STRING,
    JSON_NUMBER,
    JSON_TRUE,
    JSON_FALSE,
    JSON_NULL
};

struct json_span {
    enum json_kind kind; /* JSON_NONE: not there */
    uint32_t start, end; /* bytes [start, end) of the text; a string's include its quotes */
};

enum json_patch_kind {
    PATCH_NUMBERS, /* an array of numbers only, or an empty one */
    PATCH_RANGES,  /* numbers and objects of exactly the numbers from and to */
    PATCH_NUMBER,  /* a number longer than cJSON reads */
};

/* What json_extract replaces, in the text's order; patches never overlap. */
struct json_patch {
    enum json_patch_kind kind;
    uint32_t start, end;
    uint32_t count; /* items of an array */
};

struct json_scan {
    const char *text;
    size_t length;
    struct json_span root;
    /* Members of the root object, and params.world. */
    struct json_span jsonrpc, id, method, params, world;
    struct json_span unknown_key; /* first key of the root that is none of these four */
    struct json_patch *patches;
    uint32_t patch_count, patch_capacity;
    uint32_t value_count; /* values outside flat arrays */
    uint32_t max_values;
    bool too_many_values; /* value_count went over max_values: do not parse further */
};

enum {
    JSON_MAX_VALUES = 262144, /* what cJSON would hold of one text: 20 MiB at most */
    JSON_LONGEST_NUMBER = 40, /* cJSON reads 63 bytes of a number */
};

struct json_problem {
    size_t offset; /* of the first byte that is wrong */
    char text[96]; /* what is wrong, without the place */
    bool no_memory;
};

/* text[length] must be NUL. On success *scan is to be freed; on failure it holds
 * nothing and *problem says why. */
bool json_scan(struct json_scan *scan, const char *text, size_t length, uint32_t max_depth,
               struct json_problem *problem);
/* The same for a file of one's own: max_values in place of JSON_MAX_VALUES. */
bool json_scan_file(struct json_scan *scan, const char *text, size_t length, uint32_t max_depth,
                    uint32_t max_values, struct json_problem *problem);
void json_scan_free(struct json_scan *scan);

/* A copy of one value for cJSON: flat arrays become strings "\xFFn" (0xFF never
 * occurs in UTF-8, so no client can write one), n the patch's index; long numbers are
 * shortened. NUL-terminated, malloc'd; NULL when out of memory. */
char *json_extract(const struct json_scan *scan, const struct json_span *value, size_t *length);

/* A string's content, unescaped, cut to size − 1 bytes. Returns its full length. */
size_t json_unescape(const struct json_scan *scan, const struct json_span *string, char *out, size_t size);

/* Is this string's content equal to word? */
bool json_span_equals(const struct json_scan *scan, const struct json_span *string, const char *word);

#endif
