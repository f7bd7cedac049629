/* CB32, from planes to bytes. Every predictor that the mesh allows is tried: what a
 * choice costs is the sum of its block widths, which needs no packing to know. Integers
 * modulo 2^32 only, so every build and every processor writes the same bytes.
 *
 *   q ──− base──▶ d ──predictor──▶ r ──zigzag──▶ z ──32 a block, width of the largest──▶ words
 */
#include <wire/frame.h>

#include <assert.h>
#include <string.h>

#include "frame_words.h"

static const uint8_t widths[16] = FRAME_WIDTHS;

/* code_of_bits[b]: the narrowest width code that holds values of b bits. */
static const uint8_t code_of_bits[33] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 13, 14, 14,
                                         14, 14, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15};

/* The ways that are weighed against each other. The first of equals is taken. */
enum way { WAY_NONE, WAY_NONE_FROM_FIRST, WAY_LEFT, WAY_2D, WAY_COUNT };

/* One axis of one segment. With an origin of d[0] both sums start at zero; what
 * is left of an origin afterwards concerns the first residual alone. */
struct plane {
    const uint32_t *d;
    uint32_t count, cols;
};

static inline uint32_t zigzag(uint32_t r)
{
    return (r << 1) ^ (0u - (r >> 31));
}

static inline unsigned code_for(uint32_t all_bits)
{
    return code_of_bits[all_bits == 0 ? 0 : 32 - __builtin_clz(all_bits)];
}

/* z[k] = zigzag(residual of k) for k < here. A whole block has a loop of its own: with a
 * constant length every compiler vectorises it at -O2. */
#define FILL_BLOCK(z, here, residual)                                                                         \
    do {                                                                                                      \
        if ((here) == FRAME_BLOCK)                                                                            \
            for (uint32_t k = 0; k < FRAME_BLOCK; ++k) (z)[k] = zigzag(residual);                             \
        else                                                                                                  \
            for (uint32_t k = 0; k < (here); ++k) (z)[k] = zigzag(residual);                                  \
    } while (0)

static inline uint32_t block_length(uint32_t count, uint32_t start)
{
    return count - start < FRAME_BLOCK ? count - start : FRAME_BLOCK;
}

/* d = q − base, in whole blocks as above. */
static inline __attribute__((always_inline)) void subtract(const uint32_t *restrict q, const uint32_t *restrict base,
                                                           uint32_t count, uint32_t *restrict d)
{
    uint32_t i = 0;
    for (; count - i >= FRAME_BLOCK; i += FRAME_BLOCK)
        for (uint32_t k = 0; k < FRAME_BLOCK; ++k) d[i + k] = q[i + k] - base[i + k];
    for (; i < count; ++i) d[i] = q[i] - base[i];
}

/* Two-dimensional residuals of the whole plane, from an origin of d[0]: straight through
 * as if there were no row ends, which has no branches, then the first column again. */
static inline __attribute__((always_inline)) void residuals_2d(const uint32_t *restrict d, uint32_t count,
                                                               uint32_t cols, uint32_t *restrict z)
{
    const uint32_t first_row = cols < count ? cols : count;
    z[0] = 0;
    for (uint32_t i = 1; i < first_row; ++i) z[i] = zigzag(d[i] - d[i - 1]);
    if (first_row == count) return;
    for (uint32_t start = cols + 1; start < count;) {
        const uint32_t here = block_length(count, start);
        const uint32_t *left = d + start - 1, *above = d + (start - cols), *corner = above - 1;
        FILL_BLOCK(z + start, here, d[start + k] - left[k] - above[k] + corner[k]);
        start += here;
    }
    for (uint64_t i = cols; i < count; i += cols) z[i] = zigzag(d[i] - d[i - cols]);
}

/* Adds what each way costs on this plane, in words. z receives the 2-D residuals. */
static inline __attribute__((always_inline)) void weigh(const struct plane *plane, uint32_t *restrict z,
                                                        uint64_t cost[WAY_COUNT])
{
    const uint32_t *restrict d = plane->d;
    const uint32_t first = d[0];
    if (plane->cols > 0) residuals_2d(d, plane->count, plane->cols, z);
    uint32_t previous = first;
    for (uint32_t start = 0; start < plane->count;) {
        const uint32_t here = block_length(plane->count, start);
        const uint32_t *block = d + start;
        uint32_t none = 0, from_first = 0, two = 0, left = zigzag(block[0] - previous);
        if (here == FRAME_BLOCK) {
            for (uint32_t k = 0; k < FRAME_BLOCK; ++k) {
                none |= zigzag(block[k]);
                from_first |= zigzag(block[k] - first);
            }
            for (uint32_t k = 1; k < FRAME_BLOCK; ++k) left |= zigzag(block[k] - block[k - 1]);
            if (plane->cols > 0)
                for (uint32_t k = 0; k < FRAME_BLOCK; ++k) two |= z[start + k];
        } else {
            for (uint32_t k = 0; k < here; ++k) {
                none |= zigzag(block[k]);
                from_first |= zigzag(block[k] - first);
                if (k > 0) left |= zigzag(block[k] - block[k - 1]);
                if (plane->cols > 0) two |= z[start + k];
            }
        }
        previous = block[here - 1];
        cost[WAY_NONE] += widths[code_for(none)];
        cost[WAY_NONE_FROM_FIRST] += widths[code_for(from_first)];
        cost[WAY_LEFT] += widths[code_for(left)];
        cost[WAY_2D] += widths[code_for(two)];
        start += here;
    }
}

/* The 32 values of width bits, lowest first. With a constant width every shift is known
 * to the compiler. */
static inline __attribute__((always_inline)) void pack(const uint32_t *z, unsigned width, unsigned char *out)
{
    uint64_t bits = 0;
    unsigned have = 0;
#pragma GCC unroll 32
    for (unsigned k = 0; k < FRAME_BLOCK; ++k) {
        bits |= (uint64_t)z[k] << have;
        have += width;
        if (have >= 32) {
            frame_put32(out, (uint32_t)bits);
            out += 4;
            bits >>= 32;
            have -= 32;
        }
    }
}

static void pack_block(const uint32_t *z, unsigned code, unsigned char *out)
{
    switch (code) {
    case 0:
        break;
#define CASE(code, width)                                                                                     \
    case code:                                                                                                \
        pack(z, width, out);                                                                                  \
        break;
        CASE(1, 1)
        CASE(2, 2)
        CASE(3, 3)
        CASE(4, 4)
        CASE(5, 5)
        CASE(6, 6)
        CASE(7, 7)
        CASE(8, 8)
        CASE(9, 9)
        CASE(10, 10)
        CASE(11, 11)
        CASE(12, 12)
        CASE(13, 14)
        CASE(14, 18)
        CASE(15, 32)
#undef CASE
    default:
        assert(0 && "a width has 16 codes");
    }
}

/* Writes one plane the way chosen. Returns where the next words go. */
static inline __attribute__((always_inline)) unsigned char *
write_plane(const struct plane *plane, enum way way, uint32_t *restrict z, unsigned char *table, size_t block_index,
            unsigned char *words)
{
    const uint32_t *restrict d = plane->d;
    const uint32_t origin = way == WAY_NONE ? 0 : d[0];
    if (way == WAY_2D) residuals_2d(d, plane->count, plane->cols, z);
    for (uint32_t start = 0; start < plane->count; ++block_index) {
        const uint32_t here = block_length(plane->count, start);
        uint32_t block[FRAME_BLOCK] = {0}, all = 0;
        const uint32_t *values = block;
        if (way == WAY_2D && here == FRAME_BLOCK) {
            values = z + start;
        } else if (way == WAY_2D) {
            memcpy(block, z + start, here * sizeof *block);
        } else if (way == WAY_LEFT) {
            block[0] = zigzag(d[start] - (start == 0 ? origin : d[start - 1]));
            for (uint32_t k = 1; k < here; ++k) block[k] = zigzag(d[start + k] - d[start + k - 1]);
        } else {
            FILL_BLOCK(block, here, d[start + k] - origin);
        }
        for (uint32_t k = 0; k < FRAME_BLOCK; ++k) all |= values[k];
        const unsigned code = code_for(all);
        table[block_index / 2] |= (unsigned char)(code << 4 * (block_index & 1));
        pack_block(values, code, words);
        words += (size_t)widths[code] * 4;
        start += here;
    }
    return words;
}

size_t frame_cb32_bound(uint32_t count)
{
    return frame_table_bytes(count) + 3 * frame_block_count(count) * FRAME_BLOCK * 4;
}

/* The whole of frame_cb32_encode for count > 0; compiled once per instruction set. */
static inline __attribute__((always_inline)) size_t encode(const struct frame_planes *q,
                                                           const struct frame_planes *base, uint32_t count,
                                                           uint32_t cols, uint32_t *scratch,
                                                           struct frame_header *header, unsigned char *out)
{
    uint32_t *difference = scratch, *z = scratch + count;
    uint64_t cost[WAY_COUNT] = {0};
    struct plane plane = {.count = count, .cols = cols};
    for (int axis = 0; axis < 3; ++axis) {
        plane.d = (const uint32_t *)q->q[axis];
        if (base != NULL) {
            subtract(plane.d, (const uint32_t *)base->q[axis], count, difference);
            plane.d = difference;
        }
        weigh(&plane, z, cost);
    }
    /* A key's origin is its first vertex, whatever a zero would cost. */
    enum way way = base == NULL ? WAY_NONE_FROM_FIRST : WAY_NONE;
    for (enum way other = WAY_NONE_FROM_FIRST; other < (cols > 0 ? WAY_COUNT : WAY_2D); ++other)
        if (cost[other] < cost[way]) way = other;

    const size_t table_bytes = frame_table_bytes(count);
    memset(out, 0, table_bytes);
    unsigned char *words = out + table_bytes;
    for (int axis = 0; axis < 3; ++axis) {
        plane.d = (const uint32_t *)q->q[axis];
        if (base != NULL) {
            subtract(plane.d, (const uint32_t *)base->q[axis], count, difference);
            plane.d = difference;
        }
        header->origin[axis] = way == WAY_NONE ? 0 : (int32_t)plane.d[0];
        words = write_plane(&plane, way, z, out, (size_t)axis * frame_block_count(count), words);
    }
    static const uint8_t predictors[WAY_COUNT] = {FRAME_PREDICT_NONE, FRAME_PREDICT_NONE, FRAME_PREDICT_LEFT,
                                                  FRAME_PREDICT_2D};
    header->predictor = predictors[way];
    return (size_t)(words - out);
}

size_t frame_cb32_encode(const struct frame_planes *q, const struct frame_planes *base, uint32_t count,
                         uint32_t cols, int32_t *scratch, struct frame_header *header, unsigned char *out)
{
    size_t bytes = 0;
    header->predictor = FRAME_PREDICT_NONE;
    memset(header->origin, 0, sizeof header->origin);
    if (count > 0) bytes = encode(q, base, count, cols, (uint32_t *)scratch, header, out);
    header->codec = FRAME_CB32;
    header->count = count;
    header->payload_bytes = (uint32_t)bytes;
    header->flags = (uint8_t)((header->flags & ~FRAME_KEY) | (base == NULL ? FRAME_KEY : 0));
    header->state_crc = base == NULL ? frame_state_crc(q, count) : 0;
    return bytes;
}
