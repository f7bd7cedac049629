/* CB32, from bytes to planes. The table is checked against the payload before anything
 * is written; after that no read can leave the payload, whatever the bits say. */
#include <wire/frame.h>

#include <assert.h>

#include "frame_words.h"

static const uint8_t widths[16] = FRAME_WIDTHS;

/* The 32 zigzagged values of width bits at in. With a constant width every shift is
 * known to the compiler. */
static inline __attribute__((always_inline)) void unpack(const unsigned char *in, unsigned width,
                                                         uint32_t *z) {
    const uint32_t mask = width == 32 ? UINT32_MAX : (UINT32_C(1) << width) - 1;
    uint64_t bits = 0;
    unsigned have = 0;
#pragma GCC unroll 32
    for (unsigned k = 0; k < FRAME_BLOCK; ++k) {
        if (have < width) {
            bits |= (uint64_t)frame_get32(in) << have;
            in += 4;
            have += 32;
        }
        z[k] = (uint32_t)bits & mask;
        bits >>= width;
        have -= width;
    }
}

static void unpack_block(const unsigned char *in, unsigned code, uint32_t *z) {
    switch (code) {
    case 0:
        for (unsigned k = 0; k < FRAME_BLOCK; ++k)
            z[k] = 0;
        break;
#define CASE(code, width)                                                                                    \
    case code:                                                                                               \
        unpack(in, width, z);                                                                                \
        break;
        FRAME_EACH_WIDTH(CASE)
#undef CASE
    default:
        assert(0 && "a nibble has 16 values");
    }
    for (unsigned k = 0; k < FRAME_BLOCK; ++k)
        z[k] = (z[k] >> 1) ^ (0u - (z[k] & 1u));
}

static unsigned table_code(const unsigned char *table, size_t block) {
    return (unsigned)(table[block / 2] >> 4 * (block & 1)) & 15u;
}

/* What each value of q starts from, before the running sums are added: base + origin.
 * Two-dimensional sums run down the columns too, so there each row starts from its
 * difference to the row above; going backwards this works in place. */
static void start_plane(uint32_t *q, const uint32_t *base, uint32_t origin, size_t count,
                        size_t column_step) {
    size_t head = column_step < count ? column_step : count;
    if (base == NULL) {
        for (size_t i = 0; i < head; ++i)
            q[i] = origin;
        for (size_t i = head; i < count; ++i)
            q[i] = 0;
        return;
    }
    for (size_t i = count; i-- > head;)
        q[i] = base[i] - base[i - column_step];
    for (size_t i = head; i-- > 0;)
        q[i] = base[i] + origin;
}

struct plane_reader {
    const unsigned char *table, *words;
    size_t block; /* in the table */
};

static void add_residuals(struct plane_reader *reader, uint32_t *q, size_t count,
                          enum frame_predictor predictor, size_t cols) {
    uint32_t z[FRAME_BLOCK], sum = 0;
    size_t column = 0;
    for (size_t start = 0; start < count; start += FRAME_BLOCK) {
        size_t here = count - start < FRAME_BLOCK ? count - start : FRAME_BLOCK;
        unsigned code = table_code(reader->table, reader->block++);
        unpack_block(reader->words, code, z);
        reader->words += (size_t)widths[code] * 4;
        uint32_t *out = q + start;
        if (predictor == FRAME_PREDICT_NONE) {
            for (size_t k = 0; k < here; ++k)
                out[k] += z[k];
        } else if (predictor == FRAME_PREDICT_LEFT) {
            for (size_t k = 0; k < here; ++k)
                out[k] += sum += z[k];
        } else {
            for (size_t k = 0; k < here; ++k) {
                if (column++ == cols) {
                    column = 1;
                    sum = 0;
                }
                sum += z[k];
                out[k] += sum;
                if (start + k >= cols) out[k] += q[start + k - cols];
            }
        }
    }
}

enum frame_error frame_cb32_decode(const struct frame_header *header, const unsigned char *payload,
                                   size_t bytes, const struct frame_planes *base, uint32_t count,
                                   uint32_t cols, const struct frame_planes *q) {
    const bool key = (header->flags & FRAME_KEY) != 0;
    assert(key || base != NULL);
    if (header->count != count) return FRAME_BAD_COUNT;
    if (header->predictor > FRAME_PREDICT_2D || (header->predictor == FRAME_PREDICT_2D && cols == 0))
        return FRAME_BAD_PREDICTOR;
    if (bytes != header->payload_bytes || bytes % 4 != 0) return FRAME_BAD_LENGTH;

    const size_t table_bytes = frame_table_bytes(count), blocks = 3 * frame_block_count(count);
    if (table_bytes > bytes) return FRAME_BAD_TABLE;
    size_t words = 0;
    for (size_t block = 0; block < blocks; ++block)
        words += widths[table_code(payload, block)];
    if (words != (bytes - table_bytes) / 4) return FRAME_BAD_TABLE;

    struct plane_reader reader = {.table = payload, .words = payload + table_bytes, .block = 0};
    const bool two_dimensional = header->predictor == FRAME_PREDICT_2D;
    for (int axis = 0; axis < 3; ++axis) {
        uint32_t *plane = (uint32_t *)q->q[axis];
        start_plane(plane, key ? NULL : (const uint32_t *)base->q[axis], (uint32_t)header->origin[axis],
                    count, two_dimensional ? cols : count);
        add_residuals(&reader, plane, count, (enum frame_predictor)header->predictor, cols);
    }
    if ((key || header->state_crc != 0) && frame_state_crc(q, count) != header->state_crc)
        return FRAME_BAD_CRC;
    return FRAME_OK;
}
