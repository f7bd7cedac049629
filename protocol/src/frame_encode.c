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
enum way { WAY_NONE, WAY_NONE_MOVED, WAY_LEFT, WAY_2D, WAY_COUNT };

/* One axis of one segment. An origin of d[0] lets both sums start at zero; an origin
 * concerns their first residual alone, so no other would be better. */
struct plane {
    const uint32_t *d;
    uint32_t moved; /* the origin of WAY_NONE_MOVED */
    size_t count, cols;
};

static inline uint32_t zigzag(uint32_t r) {
    return (r << 1) ^ (0u - (r >> 31));
}

static inline unsigned code_for(uint32_t all_bits) {
    return code_of_bits[all_bits == 0 ? 0 : 32 - __builtin_clz(all_bits)];
}

/* z[k] = zigzag(residual of k) for k < here. A whole block has a loop of its own: with a
 * constant length, and size_t indices that cannot wrap, compilers vectorise it at -O2. */
#define FILL_BLOCK(z, here, residual)                                                                        \
    do {                                                                                                     \
        if ((here) == FRAME_BLOCK)                                                                           \
            for (size_t k = 0; k < FRAME_BLOCK; ++k)                                                         \
                (z)[k] = zigzag(residual);                                                                   \
        else                                                                                                 \
            for (size_t k = 0; k < (here); ++k)                                                              \
                (z)[k] = zigzag(residual);                                                                   \
    } while (0)

static inline size_t block_length(size_t count, size_t start) {
    return count - start < FRAME_BLOCK ? count - start : FRAME_BLOCK;
}

/* The middle one of three vertices' movements: a guess at the common translation which one
 * pinned or trembling vertex does not spoil. */
static uint32_t common_translation(const uint32_t *d, size_t count) {
    const int32_t a = (int32_t)d[0], b = (int32_t)d[count / 2], c = (int32_t)d[count - 1];
    const int32_t low = a < b ? a : b, high = a < b ? b : a;
    return (uint32_t)(c < low ? low : c > high ? high : c);
}

/* d = q − base, in whole blocks as above. */
static void subtract(const uint32_t *restrict q, const uint32_t *restrict base, size_t count,
                     uint32_t *restrict d) {
    size_t i = 0;
    for (; count - i >= FRAME_BLOCK; i += FRAME_BLOCK)
        for (size_t k = 0; k < FRAME_BLOCK; ++k)
            d[i + k] = q[i + k] - base[i + k];
    for (; i < count; ++i)
        d[i] = q[i] - base[i];
}

/* Two-dimensional residuals of the whole plane, from an origin of d[0]: straight through
 * as if there were no row ends, which has no branches, then the first column again. */
static void residuals_2d(const uint32_t *restrict d, size_t count, size_t cols, uint32_t *restrict z) {
    const size_t first_row = cols < count ? cols : count;
    z[0] = 0;
    for (size_t i = 1; i < first_row; ++i)
        z[i] = zigzag(d[i] - d[i - 1]);
    if (first_row == count) return;
    for (size_t start = cols + 1; start < count;) {
        const size_t here = block_length(count, start);
        const uint32_t *left = d + start - 1, *above = d + (start - cols), *corner = above - 1;
        FILL_BLOCK(z + start, here, d[start + k] - left[k] - above[k] + corner[k]);
        start += here;
    }
    for (size_t i = cols; i < count; i += cols)
        z[i] = zigzag(d[i] - d[i - cols]);
}

/* Adds what each way costs on this plane, in words. z receives the 2-D residuals. */
static void weigh(const struct plane *plane, uint32_t *restrict z, uint64_t cost[WAY_COUNT]) {
    const uint32_t *restrict d = plane->d;
    if (plane->cols > 0) residuals_2d(d, plane->count, plane->cols, z);
    for (size_t start = 0; start < plane->count;) {
        const size_t here = block_length(plane->count, start);
        const uint32_t *block = d + start, *before = block - (start > 0);
        uint32_t none = 0, moved = 0, two = 0, left = 0;
        if (here == FRAME_BLOCK && start > 0) {
            for (size_t k = 0; k < FRAME_BLOCK; ++k) {
                none |= zigzag(block[k]);
                moved |= zigzag(block[k] - plane->moved);
                left |= zigzag(block[k] - before[k]);
            }
            if (plane->cols > 0)
                for (size_t k = 0; k < FRAME_BLOCK; ++k)
                    two |= z[start + k];
        } else {
            for (size_t k = 0; k < here; ++k) {
                none |= zigzag(block[k]);
                moved |= zigzag(block[k] - plane->moved);
                if (start + k > 0) left |= zigzag(d[start + k] - d[start + k - 1]);
                if (plane->cols > 0) two |= z[start + k];
            }
        }
        cost[WAY_NONE] += widths[code_for(none)];
        cost[WAY_NONE_MOVED] += widths[code_for(moved)];
        cost[WAY_LEFT] += widths[code_for(left)];
        cost[WAY_2D] += widths[code_for(two)];
        start += here;
    }
}

/* The 32 values of width bits, lowest first. With a constant width every shift is known
 * to the compiler. */
static inline __attribute__((always_inline)) void pack(const uint32_t *z, unsigned width,
                                                       unsigned char *out) {
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

static void pack_block(const uint32_t *z, unsigned code, unsigned char *out) {
    switch (code) {
    case 0:
        break;
#define CASE(code, width)                                                                                    \
    case code:                                                                                               \
        pack(z, width, out);                                                                                 \
        break;
        FRAME_EACH_WIDTH(CASE)
#undef CASE
    default:
        assert(0 && "a width has 16 codes");
    }
}

/* Writes one plane the way chosen. Returns where the next words go. */
static unsigned char *write_plane(const struct plane *plane, enum way way, uint32_t origin,
                                  uint32_t *restrict z, unsigned char *table, size_t block_index,
                                  unsigned char *words) {
    const uint32_t *restrict d = plane->d;
    if (way == WAY_2D) residuals_2d(d, plane->count, plane->cols, z);
    for (size_t start = 0; start < plane->count; ++block_index) {
        const size_t here = block_length(plane->count, start);
        uint32_t block[FRAME_BLOCK] = {0}, all = 0;
        const uint32_t *values = block;
        if (way == WAY_2D && here == FRAME_BLOCK) {
            values = z + start;
        } else if (way == WAY_2D) {
            memcpy(block, z + start, here * sizeof *block);
        } else if (way == WAY_LEFT) {
            const uint32_t *own = d + start, *before = own - (start > 0);
            if (start > 0)
                FILL_BLOCK(block, here, own[k] - before[k]);
            else
                for (size_t k = 1; k < here; ++k)
                    block[k] = zigzag(own[k] - own[k - 1]);
        } else {
            FILL_BLOCK(block, here, d[start + k] - origin);
        }
        for (size_t k = 0; k < FRAME_BLOCK; ++k)
            all |= values[k];
        const unsigned code = code_for(all);
        table[block_index / 2] |= (unsigned char)(code << 4 * (block_index & 1));
        pack_block(values, code, words);
        words += (size_t)widths[code] * 4;
        start += here;
    }
    return words;
}

size_t frame_cb32_bound(uint32_t count) {
    return frame_table_bytes(count) + 3 * frame_block_count(count) * FRAME_BLOCK * 4;
}

/* The plane of one axis as it is coded: a key's q itself, a delta's difference (in scratch). */
static struct plane open_plane(const struct frame_planes *q, const struct frame_planes *base, int axis,
                               size_t count, size_t cols, uint32_t *scratch) {
    struct plane plane = {.d = (const uint32_t *)q->q[axis], .count = count, .cols = cols};
    if (base != NULL) {
        subtract(plane.d, (const uint32_t *)base->q[axis], count, scratch);
        plane.d = scratch;
    }
    /* A key's origin is its first vertex. */
    plane.moved = base == NULL ? plane.d[0] : common_translation(plane.d, count);
    return plane;
}

/* frame_cb32_encode for count > 0: weighs, then writes. */
static size_t encode(const struct frame_planes *q, const struct frame_planes *base, uint32_t count,
                     uint32_t cols, uint32_t *scratch, struct frame_header *header, unsigned char *out) {
    uint32_t *z = scratch + count;
    uint64_t cost[WAY_COUNT] = {0};
    for (int axis = 0; axis < 3; ++axis) {
        const struct plane plane = open_plane(q, base, axis, count, cols, scratch);
        weigh(&plane, z, cost);
    }
    enum way way = base == NULL ? WAY_NONE_MOVED : WAY_NONE;
    for (enum way other = WAY_NONE_MOVED; other < (cols > 0 ? WAY_COUNT : WAY_2D); ++other)
        if (cost[other] < cost[way]) way = other;

    const size_t table_bytes = frame_table_bytes(count);
    memset(out, 0, table_bytes);
    unsigned char *words = out + table_bytes;
    for (int axis = 0; axis < 3; ++axis) {
        const struct plane plane = open_plane(q, base, axis, count, cols, scratch);
        const uint32_t origin = way == WAY_NONE ? 0 : way == WAY_NONE_MOVED ? plane.moved : plane.d[0];
        header->origin[axis] = (int32_t)origin;
        words = write_plane(&plane, way, origin, z, out, (size_t)axis * frame_block_count(count), words);
    }
    static const uint8_t predictors[WAY_COUNT] = {FRAME_PREDICT_NONE, FRAME_PREDICT_NONE, FRAME_PREDICT_LEFT,
                                                  FRAME_PREDICT_2D};
    header->predictor = predictors[way];
    return (size_t)(words - out);
}

size_t frame_cb32_encode(const struct frame_planes *q, const struct frame_planes *base, uint32_t count,
                         uint32_t cols, int32_t *scratch, struct frame_header *header, unsigned char *out) {
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
