/* Radix sort, least significant digit first. qsort's order of equal keys is the
 * libc's own, and its worst case is too. */
#include "build/sort.h"

#include <stdlib.h>
#include <string.h>
#include <pbd/types.h>

enum { DIGIT_BITS = 11, DIGITS = 6, BUCKETS = 1 << DIGIT_BITS, SMALL = 48 };

static void insertion_sort(uint64_t *keys, uint32_t *values, size_t count) {
    for (size_t i = 1; i < count; ++i) {
        uint64_t key = keys[i];
        uint32_t value = values[i];
        size_t j = i;
        for (; j > 0 && keys[j - 1] > key; --j) {
            keys[j] = keys[j - 1];
            values[j] = values[j - 1];
        }
        keys[j] = key;
        values[j] = value;
    }
}

static size_t digit(uint64_t key, int d) {
    return (size_t)(key >> (d * DIGIT_BITS)) & (BUCKETS - 1);
}

int sort_by_key(uint64_t *keys, uint32_t *values, size_t count) {
    if (count <= SMALL) {
        insertion_sort(keys, values, count);
        return PBD_OK;
    }
    size_t(*starts)[BUCKETS] = calloc(DIGITS, sizeof *starts);
    uint64_t *other_keys = malloc(count * sizeof *other_keys);
    uint32_t *other_values = malloc(count * sizeof *other_values);
    int result = starts && other_keys && other_values ? PBD_OK : PBD_OUT_OF_MEMORY;
    if (result == PBD_OK) {
        uint64_t *from = keys, *to = other_keys;
        uint32_t *from_values = values, *to_values = other_values;
        for (size_t i = 0; i < count; ++i)
            for (int d = 0; d < DIGITS; ++d)
                ++starts[d][digit(keys[i], d)];
        for (int d = 0; d < DIGITS; ++d) {
            if (starts[d][digit(keys[0], d)] == count) continue; /* all the same */
            size_t sum = 0;
            for (size_t b = 0; b < BUCKETS; ++b) {
                size_t here = starts[d][b];
                starts[d][b] = sum;
                sum += here;
            }
            for (size_t i = 0; i < count; ++i) {
                size_t place = starts[d][digit(from[i], d)]++;
                to[place] = from[i];
                to_values[place] = from_values[i];
            }
            uint64_t *k = from;
            from = to;
            to = k;
            uint32_t *v = from_values;
            from_values = to_values;
            to_values = v;
        }
        if (from != keys) {
            memcpy(keys, from, count * sizeof *keys);
            memcpy(values, from_values, count * sizeof *values);
        }
    }
    free(starts);
    free(other_keys);
    free(other_values);
    return result;
}
