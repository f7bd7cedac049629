/* The radix sort: order, stability, and keys that use every digit. */
#include "check.h"
#include "build/sort.h"

#include <pbd/types.h>
#include <stdlib.h>

/* Sorts `count` pseudo-random keys of `bits` bits and checks order and stability. */
static void sort_and_check(size_t count, int bits) {
    uint64_t *keys = calloc(count + 1, sizeof *keys), *given = calloc(count + 1, sizeof *given), state = 7;
    uint32_t *values = calloc(count + 1, sizeof *values);
    for (size_t i = 0; i < count; ++i) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        given[i] = keys[i] = (state ^ state >> 31) >> (64 - bits);
        values[i] = (uint32_t)i;
    }
    CHECK_INT(sort_by_key(keys, values, count), PBD_OK);
    size_t wrong = 0;
    for (size_t i = 0; i < count; ++i) {
        if (given[values[i]] != keys[i]) ++wrong;
        if (i > 0 && keys[i - 1] > keys[i]) ++wrong;
        if (i > 0 && keys[i - 1] == keys[i] && values[i - 1] > values[i]) ++wrong;
    }
    CHECK_INT(wrong, 0);
    free(keys);
    free(given);
    free(values);
}

static void keys_ascend_and_equal_ones_keep_their_order(void) {
    for (size_t count = 0; count < 100; ++count)
        sort_and_check(count, 3);
    sort_and_check(20000, 5);
    sort_and_check(20000, 40);
}

static void all_sixty_four_bits_count(void) {
    sort_and_check(5000, 64);
    uint64_t keys[60];
    uint32_t values[60];
    for (uint32_t i = 0; i < 60; ++i) {
        keys[i] = UINT64_MAX - i;
        values[i] = i;
    }
    CHECK_INT(sort_by_key(keys, values, 60), PBD_OK);
    for (uint32_t i = 0; i < 60; ++i)
        CHECK_INT(values[i], 59 - i);
}

RUN_TESTS(TEST(keys_ascend_and_equal_ones_keep_their_order), TEST(all_sixty_four_bits_count))
