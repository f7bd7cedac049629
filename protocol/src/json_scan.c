/* One pass over the text, before anything is allocated for its content. Recursion
 * is bounded by the depth limit; everything else is loops. */
#include "json_scan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json_number.h"
#include "json_string.h"

/* A key seen in an object that is still open. */
struct seen_key {
    uint64_t hash;
    size_t offset;
};

struct scanner {
    struct json_scan *scan;
    struct json_problem *problem;
    const char *text;
    size_t length, at;
    uint32_t max_depth, depth;
    bool in_params;        /* within the root's params object itself */
    bool range_object;     /* the object just read was {"from":number,"to":number} */
    struct seen_key *keys; /* a stack over all open objects */
    size_t key_count, key_capacity;
};

static bool fail(struct scanner *s, size_t offset, const char *text) {
    s->problem->offset = offset;
    snprintf(s->problem->text, sizeof s->problem->text, "%s", text);
    return false;
}

static bool fail_memory(struct scanner *s) {
    s->problem->no_memory = true;
    return fail(s, s->at, "out of memory");
}

static void skip_space(struct scanner *s) {
    const char *p = s->text + s->at;
    while (*p == ' ' || *p == '\n' || *p == '\t' || *p == '\r')
        ++p;
    s->at = (size_t)(p - s->text);
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* What the byte at s->at is not. */
static bool fail_unexpected(struct scanner *s, const char *wanted) {
    const char *p = s->text + s->at;
    if (s->at >= s->length) {
        char text[96];
        snprintf(text, sizeof text, "the text ends where %s should be", wanted);
        return fail(s, s->at, text);
    }
    if (!strncmp(p, "NaN", 3) || !strncmp(p, "Infinity", 8)) {
        return fail(s, s->at, "NaN and Infinity are not JSON");
    }
    if (*p == '\0') return fail(s, s->at, "a zero byte");
    char text[96];
    snprintf(text, sizeof text, "%s should be here", wanted);
    return fail(s, s->at, text);
}

static bool add_patch(struct scanner *s, struct json_patch patch) {
    struct json_scan *scan = s->scan;
    if (scan->patch_count == scan->patch_capacity) {
        uint32_t capacity = scan->patch_capacity ? 2 * scan->patch_capacity : 32;
        struct json_patch *grown = realloc(scan->patches, capacity * sizeof *grown);
        if (!grown) return fail_memory(s);
        scan->patches = grown;
        scan->patch_capacity = capacity;
    }
    scan->patches[scan->patch_count++] = patch;
    return true;
}

static void count_values(struct scanner *s, uint32_t count) {
    s->scan->value_count += count;
    if (s->scan->value_count > s->scan->max_values) s->scan->too_many_values = true;
}

static bool scan_number(struct scanner *s) {
    const char *start = s->text + s->at, *p = start;
    if (*p == '-') ++p;
    if (!is_digit(*p)) {
        s->at = (size_t)(p - s->text);
        if (*p == 'I') return fail(s, (size_t)(start - s->text), "NaN and Infinity are not JSON");
        return fail_unexpected(s, "a digit");
    }
    if (*p == '0' && is_digit(p[1])) {
        return fail(s, (size_t)(p - s->text), "a number may not start with a zero before another digit");
    }
    while (is_digit(*p))
        ++p;
    if (*p == '.') {
        ++p;
        if (!is_digit(*p)) {
            s->at = (size_t)(p - s->text);
            return fail_unexpected(s, "a digit after the point");
        }
        while (is_digit(*p))
            ++p;
    }
    if (*p == 'e' || *p == 'E') {
        ++p;
        if (*p == '+' || *p == '-') ++p;
        if (!is_digit(*p)) {
            s->at = (size_t)(p - s->text);
            return fail_unexpected(s, "a digit of the exponent");
        }
        while (is_digit(*p))
            ++p;
    }
    size_t from = s->at;
    s->at = (size_t)(p - s->text);
    if (s->at - from > JSON_LONGEST_NUMBER) {
        return add_patch(s, (struct json_patch){PATCH_NUMBER, (uint32_t)from, (uint32_t)s->at, 1});
    }
    return true;
}

static bool scan_string(struct scanner *s, uint64_t *hash) {
    size_t bad = 0;
    const char *problem = NULL;
    size_t end = json_string_scan(s->text, s->at, hash, &bad, &problem);
    if (!end) return fail(s, bad, bad < s->length && s->text[bad] == '\0' ? "a zero byte" : problem);
    s->at = end;
    return true;
}

static bool scan_word(struct scanner *s, const char *word, enum json_kind kind, struct json_span *span) {
    size_t length = strlen(word);
    if (strncmp(s->text + s->at, word, length) != 0) return fail_unexpected(s, "a value");
    span->kind = kind;
    s->at += length;
    return true;
}

static int compare_keys(const void *a, const void *b) {
    const struct seen_key *x = a, *y = b;
    if (x->hash != y->hash) return x->hash < y->hash ? -1 : 1;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static bool push_key(struct scanner *s, uint64_t hash, size_t offset) {
    if (s->scan->too_many_values) return true; /* refused anyway; bounds memory and time */
    if (s->key_count == s->key_capacity) {
        size_t capacity = s->key_capacity ? 2 * s->key_capacity : 64;
        struct seen_key *grown = realloc(s->keys, capacity * sizeof *grown);
        if (!grown) return fail_memory(s);
        s->keys = grown;
        s->key_capacity = capacity;
    }
    s->keys[s->key_count++] = (struct seen_key){hash, offset};
    return true;
}

/* Equal 64-bit hashes count as equal keys: a chance meeting is out of reach, and who
 * searches for one gains a refusal. */
static bool check_duplicates(struct scanner *s, size_t first) {
    size_t count = s->key_count - first;
    if (count > 1) {
        struct seen_key *keys = s->keys + first;
        qsort(keys, count, sizeof *keys, compare_keys);
        for (size_t i = 1; i < count; ++i) {
            if (keys[i].hash == keys[i - 1].hash)
                return fail(s, keys[i].offset, "a key that this object already has");
        }
    }
    s->key_count = first;
    return true;
}

static bool scan_value(struct scanner *s, struct json_span *span);

/* Which part of the envelope a root key is; the caller's own span otherwise. */
static struct json_span *envelope_member(struct json_scan *scan, const struct json_span *key,
                                         struct json_span *other) {
    if (json_span_equals(scan, key, "jsonrpc")) return &scan->jsonrpc;
    if (json_span_equals(scan, key, "id")) return &scan->id;
    if (json_span_equals(scan, key, "method")) return &scan->method;
    if (json_span_equals(scan, key, "params")) return &scan->params;
    if (scan->unknown_key.kind == JSON_NONE) scan->unknown_key = *key;
    return other;
}

static bool key_is(const struct scanner *s, const struct json_span *key, const char *quoted, size_t length) {
    return key->end - key->start == length && !memcmp(s->text + key->start, quoted, length);
}

static bool scan_object(struct scanner *s) {
    struct json_scan *scan = s->scan;
    bool is_root = s->depth == 1, is_params = s->in_params;
    s->in_params = false;
    size_t first_key = s->key_count;
    uint32_t members = 0, from_count = 0, to_count = 0;
    ++s->at;
    skip_space(s);
    while (s->text[s->at] != '}') {
        if (members) {
            if (s->text[s->at] != ',') return fail_unexpected(s, "a comma or }");
            ++s->at;
            skip_space(s);
        }
        struct json_span key = {JSON_STRING, (uint32_t)s->at, 0}, value = {0};
        if (s->text[s->at] != '"') return fail_unexpected(s, "a key in quotes");
        uint64_t hash;
        if (!scan_string(s, &hash)) return false;
        key.end = (uint32_t)s->at;
        if (!push_key(s, hash, key.start)) return false;
        skip_space(s);
        if (s->text[s->at] != ':') return fail_unexpected(s, "a colon");
        ++s->at;
        skip_space(s);
        struct json_span *target = is_root ? envelope_member(scan, &key, &value) : &value;
        s->in_params = is_root && target == &scan->params && s->text[s->at] == '{';
        struct json_span found = {0};
        if (!scan_value(s, &found)) return false;
        s->in_params = false;
        if (is_root && target->kind == JSON_NONE) *target = found; /* a second one is a duplicate */
        if (is_params && found.kind == JSON_STRING && json_span_equals(scan, &key, "world"))
            scan->world = found;
        if (found.kind == JSON_NUMBER) {
            from_count += key_is(s, &key, "\"from\"", 6);
            to_count += key_is(s, &key, "\"to\"", 4);
        }
        ++members;
        skip_space(s);
    }
    if (!check_duplicates(s, first_key)) return false;
    s->range_object = members == 2 && from_count == 1 && to_count == 1;
    ++s->at;
    return true;
}

static bool scan_array(struct scanner *s) {
    struct json_scan *scan = s->scan;
    size_t start = s->at;
    uint32_t first_patch = scan->patch_count, first_value = scan->value_count;
    bool had_too_many = scan->too_many_values, flat = true, ranges = false;
    uint32_t count = 0;
    ++s->at;
    skip_space(s);
    while (s->text[s->at] != ']') {
        if (count) {
            if (s->text[s->at] != ',') return fail_unexpected(s, "a comma or ]");
            ++s->at;
            skip_space(s);
        }
        char c = s->text[s->at];
        if (c == '-' || is_digit(c)) {
            if (!scan_number(s)) return false;
        } else {
            struct json_span item = {0};
            if (!scan_value(s, &item)) return false;
            if (item.kind == JSON_OBJECT && s->range_object) {
                ranges = true;
            } else {
                flat = false;
            }
        }
        ++count;
        skip_space(s);
    }
    ++s->at;
    s->range_object = false;
    if (!flat) {
        count_values(s, count);
        return true;
    }
    scan->patch_count = first_patch;
    scan->value_count = first_value;
    scan->too_many_values = had_too_many;
    return add_patch(s, (struct json_patch){ranges ? PATCH_RANGES : PATCH_NUMBERS, (uint32_t)start,
                                            (uint32_t)s->at, count});
}

static bool scan_value(struct scanner *s, struct json_span *span) {
    span->start = (uint32_t)s->at;
    bool done;
    uint64_t hash;
    char c = s->text[s->at];
    if (c == '{' || c == '[') {
        if (s->depth == s->max_depth) {
            char text[96];
            snprintf(text, sizeof text, "nested deeper than %u", s->max_depth);
            return fail(s, s->at, text);
        }
        ++s->depth;
        span->kind = c == '{' ? JSON_OBJECT : JSON_ARRAY;
        done = c == '{' ? scan_object(s) : scan_array(s);
        --s->depth;
    } else if (c == '"') {
        span->kind = JSON_STRING;
        done = scan_string(s, &hash);
    } else if (c == '-' || is_digit(c)) {
        span->kind = JSON_NUMBER;
        done = scan_number(s);
    } else if (c == 't') {
        done = scan_word(s, "true", JSON_TRUE, span);
    } else if (c == 'f') {
        done = scan_word(s, "false", JSON_FALSE, span);
    } else if (c == 'n') {
        done = scan_word(s, "null", JSON_NULL, span);
    } else {
        done = fail_unexpected(s, "a value");
    }
    span->end = (uint32_t)s->at;
    count_values(s, 1);
    return done;
}

bool json_scan(struct json_scan *scan, const char *text, size_t length, uint32_t max_depth,
               struct json_problem *problem) {
    return json_scan_file(scan, text, length, max_depth, JSON_MAX_VALUES, problem);
}

bool json_scan_file(struct json_scan *scan, const char *text, size_t length, uint32_t max_depth,
                    uint32_t max_values, struct json_problem *problem) {
    *scan = (struct json_scan){.text = text, .length = length, .max_values = max_values};
    *problem = (struct json_problem){0};
    struct scanner s = {
        .scan = scan, .problem = problem, .text = text, .length = length, .max_depth = max_depth};
    bool done;
    if (length >= UINT32_MAX) {
        done = fail(&s, 0, "longer than 4 GiB");
    } else {
        skip_space(&s);
        done = scan_value(&s, &scan->root);
        skip_space(&s);
        if (done && s.at != length) done = fail(&s, s.at, "text after the value");
    }
    free(s.keys);
    if (!done) json_scan_free(scan);
    return done;
}

void json_scan_free(struct json_scan *scan) {
    free(scan->patches);
    *scan = (struct json_scan){0};
}
