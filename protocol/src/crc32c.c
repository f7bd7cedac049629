/* CRC32C (Castagnoli, reflected polynomial 0x82F63B78), as RFC 3720 has it. Two ways
 * with the same result: the processor's own instruction where it has one, else eight
 * tables ("slicing by 8", Kounavis & Berry 2005). */
#include <wire/frame.h>

#include <string.h>

#include "frame_words.h"

#if defined(__x86_64__)
#include <nmmintrin.h>
#define HAVE_CRC_INSTRUCTION 1
#endif

/* A CRC is linear over GF(2): the entry of byte i is the xor of the entries of its set
 * bits. So eight constants a table say all, and the compiler works out the rest. */
#define ENTRY(i, a, b, c, d, e, f, g, h)                                                                     \
    (((i)&1 ? a : 0) ^ ((i)&2 ? b : 0) ^ ((i)&4 ? c : 0) ^ ((i)&8 ? d : 0) ^ ((i)&16 ? e : 0) ^              \
     ((i)&32 ? f : 0) ^ ((i)&64 ? g : 0) ^ ((i)&128 ? h : 0))
#define ENTRIES_4(i, ...)                                                                                    \
    ENTRY(i, __VA_ARGS__), ENTRY((i) + 1, __VA_ARGS__), ENTRY((i) + 2, __VA_ARGS__),                         \
        ENTRY((i) + 3, __VA_ARGS__)
#define ENTRIES_16(i, ...)                                                                                   \
    ENTRIES_4(i, __VA_ARGS__), ENTRIES_4((i) + 4, __VA_ARGS__), ENTRIES_4((i) + 8, __VA_ARGS__),             \
        ENTRIES_4((i) + 12, __VA_ARGS__)
#define ENTRIES_64(i, ...)                                                                                   \
    ENTRIES_16(i, __VA_ARGS__), ENTRIES_16((i) + 16, __VA_ARGS__), ENTRIES_16((i) + 32, __VA_ARGS__),        \
        ENTRIES_16((i) + 48, __VA_ARGS__)
#define TABLE(...)                                                                                           \
    {                                                                                                        \
        ENTRIES_64(0, __VA_ARGS__), ENTRIES_64(64, __VA_ARGS__), ENTRIES_64(128, __VA_ARGS__),               \
            ENTRIES_64(192, __VA_ARGS__)                                                                     \
    }

/* table[s][i]: the CRC of byte i followed by s zero bytes. */
static const uint32_t table[8][256] = {
    TABLE(0xF26B8303u, 0xE13B70F7u, 0xC79A971Fu, 0x8AD958CFu, 0x105EC76Fu, 0x20BD8EDEu, 0x417B1DBCu,
          0x82F63B78u),
    TABLE(0x13A29877u, 0x274530EEu, 0x4E8A61DCu, 0x9D14C3B8u, 0x3FC5F181u, 0x7F8BE302u, 0xFF17C604u,
          0xFBC3FAF9u),
    TABLE(0xA541927Eu, 0x4F6F520Du, 0x9EDEA41Au, 0x38513EC5u, 0x70A27D8Au, 0xE144FB14u, 0xC76580D9u,
          0x8B277743u),
    TABLE(0xDD45AAB8u, 0xBF672381u, 0x7B2231F3u, 0xF64463E6u, 0xE964B13Du, 0xD725148Bu, 0xABA65FE7u,
          0x52A0C93Fu),
    TABLE(0x38116FACu, 0x7022DF58u, 0xE045BEB0u, 0xC5670B91u, 0x8F2261D3u, 0x1BA8B557u, 0x37516AAEu,
          0x6EA2D55Cu),
    TABLE(0xEF306B19u, 0xDB8CA0C3u, 0xB2F53777u, 0x6006181Fu, 0xC00C303Eu, 0x85F4168Du, 0x0E045BEBu,
          0x1C08B7D6u),
    TABLE(0x68032CC8u, 0xD0065990u, 0xA5E0C5D1u, 0x4E2DFD53u, 0x9C5BFAA6u, 0x3D5B83BDu, 0x7AB7077Au,
          0xF56E0EF4u),
    TABLE(0x493C7D27u, 0x9278FA4Eu, 0x211D826Du, 0x423B04DAu, 0x847609B4u, 0x0D006599u, 0x1A00CB32u,
          0x34019664u),
};

uint32_t frame_crc32c_tables(uint32_t crc, const void *data, size_t length) {
    const unsigned char *in = data;
    crc = ~crc;
    for (; length >= 8; length -= 8, in += 8) {
        uint32_t low = crc ^ frame_get32(in), high = frame_get32(in + 4);
        crc = table[7][low & 255] ^ table[6][low >> 8 & 255] ^ table[5][low >> 16 & 255] ^
              table[4][low >> 24] ^ table[3][high & 255] ^ table[2][high >> 8 & 255] ^
              table[1][high >> 16 & 255] ^ table[0][high >> 24];
    }
    for (; length > 0; --length, ++in)
        crc = table[0][(crc ^ *in) & 255] ^ crc >> 8;
    return ~crc;
}

#ifdef HAVE_CRC_INSTRUCTION
__attribute__((target("sse4.2"))) static uint32_t crc32c_instruction(uint32_t crc, const void *data,
                                                                     size_t length) {
    const unsigned char *in = data;
    uint64_t state = (uint32_t)~crc;
    for (; length >= 8; length -= 8, in += 8) {
        uint64_t word;
        memcpy(&word, in, sizeof word);
        state = _mm_crc32_u64(state, word);
    }
    for (; length > 0; --length, ++in)
        state = _mm_crc32_u8((uint32_t)state, *in);
    return ~(uint32_t)state;
}
#endif

uint32_t frame_crc32c(uint32_t crc, const void *data, size_t length) {
#ifdef HAVE_CRC_INSTRUCTION
    if (__builtin_cpu_supports("sse4.2")) return crc32c_instruction(crc, data, length);
#endif
    return frame_crc32c_tables(crc, data, length);
}

uint32_t frame_state_crc(const struct frame_planes *q, uint32_t count) {
    uint32_t crc = 0;
    for (int axis = 0; axis < 3; ++axis) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
        crc = frame_crc32c(crc, q->q[axis], (size_t)count * 4);
#else
        for (uint32_t i = 0; i < count; ++i) {
            unsigned char bytes[4];
            frame_put32(bytes, (uint32_t)q->q[axis][i]);
            crc = frame_crc32c(crc, bytes, sizeof bytes);
        }
#endif
    }
    return crc;
}
