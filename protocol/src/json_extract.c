/* From a scanned text to what cJSON and the envelope need of it. */
#include "json_scan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json_number.h"
#include "json_string.h"

/* The first patch at or behind offset. */
static uint32_t first_patch_from(const struct json_scan *scan, uint32_t offset) {
    uint32_t low = 0, high = scan->patch_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (scan->patches[middle].start < offset) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* What stands for a patch; at most 32 bytes. */
static size_t replacement(const struct json_scan *scan, uint32_t index, char out[32]) {
    const struct json_patch *patch = &scan->patches[index];
    if (patch->kind != PATCH_NUMBER) return (size_t)snprintf(out, 32, "\"\xFF%u\"", index);
    const char *end;
    double value = json_number_parse(scan->text + patch->start, &end);
    if (value > 1.7976931348623157e308) return (size_t)snprintf(out, 32, "1e999");
    if (value < -1.7976931348623157e308) return (size_t)snprintf(out, 32, "-1e999");
    return json_number_format(value, out);
}

char *json_extract(const struct json_scan *scan, const struct json_span *value, size_t *length) {
    uint32_t first = first_patch_from(scan, value->start), last = first;
    size_t capacity = value->end - value->start + 1;
    while (last < scan->patch_count && scan->patches[last].end <= value->end) {
        capacity = capacity + 32 - (size_t)(scan->patches[last].end - scan->patches[last].start);
        ++last;
    }
    char *out = malloc(capacity);
    if (!out) return NULL;
    size_t used = 0;
    uint32_t from = value->start;
    for (uint32_t i = first; i < last; ++i) {
        const struct json_patch *patch = &scan->patches[i];
        memcpy(out + used, scan->text + from, patch->start - from);
        used += patch->start - from;
        char word[32];
        size_t word_length = replacement(scan, i, word);
        memcpy(out + used, word, word_length);
        used += word_length;
        from = patch->end;
    }
    memcpy(out + used, scan->text + from, value->end - from);
    used += value->end - from;
    out[used] = '\0';
    *length = used;
    return out;
}

size_t json_unescape(const struct json_scan *scan, const struct json_span *string, char *out, size_t size) {
    const char *p = scan->text + string->start + 1;
    size_t total = 0, written = 0;
    char c[4];
    for (size_t count; (count = json_string_next(&p, c)) != 0; total += count) {
        if (written == total && total + count < size) {
            memcpy(out + total, c, count);
            written += count;
        }
    }
    if (size) out[written] = '\0';
    return total;
}

bool json_span_equals(const struct json_scan *scan, const struct json_span *string, const char *word) {
    const char *p = scan->text + string->start + 1;
    size_t length = strlen(word);
    char c[4];
    for (size_t count; (count = json_string_next(&p, c)) != 0;) {
        if (count > length || memcmp(word, c, count) != 0) return false;
        word += count;
        length -= count;
    }
    return length == 0;
}
