/* What the encoder and the decoder of CB32 share: the width table and
 * little-endian words on any host (compilers turn these into single moves). */
#ifndef WIRE_FRAME_WORDS_H
#define WIRE_FRAME_WORDS_H

#include <stddef.h>
#include <stdint.h>

/* W of PROTOCOL.md §3: bits per value, and words per block, of each of the 16 width codes. */
#define FRAME_WIDTHS                                                                                         \
    { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 18, 32 }

/* X(code, width) for each code but 0, so that a block's loop is compiled for its width. */
#define FRAME_EACH_WIDTH(X)                                                                                  \
    X(1, 1)                                                                                                  \
    X(2, 2)                                                                                                  \
    X(3, 3)                                                                                                  \
    X(4, 4)                                                                                                  \
    X(5, 5)                                                                                                  \
    X(6, 6)                                                                                                  \
    X(7, 7)                                                                                                  \
    X(8, 8)                                                                                                  \
    X(9, 9)                                                                                                  \
    X(10, 10)                                                                                                \
    X(11, 11)                                                                                                \
    X(12, 12)                                                                                                \
    X(13, 14)                                                                                                \
    X(14, 18)                                                                                                \
    X(15, 32)

static inline void frame_put16(unsigned char *out, uint16_t value) {
    out[0] = (unsigned char)value;
    out[1] = (unsigned char)(value >> 8);
}

static inline void frame_put32(unsigned char *out, uint32_t value) {
    out[0] = (unsigned char)value;
    out[1] = (unsigned char)(value >> 8);
    out[2] = (unsigned char)(value >> 16);
    out[3] = (unsigned char)(value >> 24);
}

static inline uint16_t frame_get16(const unsigned char *in) {
    return (uint16_t)((uint32_t)in[0] | (uint32_t)in[1] << 8);
}

static inline uint32_t frame_get32(const unsigned char *in) {
    return (uint32_t)in[0] | (uint32_t)in[1] << 8 | (uint32_t)in[2] << 16 | (uint32_t)in[3] << 24;
}

/* Blocks of 32 values in one axis. */
static inline size_t frame_block_count(uint32_t count) {
    return ((size_t)count + 31) / 32;
}

/* Bytes of the width table: three nibbles a block, padded to whole words. */
static inline size_t frame_table_bytes(uint32_t count) {
    return (3 * frame_block_count(count) + 7) / 8 * 4;
}

#endif
