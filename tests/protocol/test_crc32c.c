/* CRC32C against published values and a bit-by-bit loop, both ways of computing it. */
#include <check.h>
#include <stdlib.h>
#include <wire/frame.h>

#include "support_vectors.h"

static uint32_t bit_by_bit(const unsigned char *bytes, size_t length) {
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < length; ++i) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; ++bit)
            crc = crc >> 1 ^ (crc & 1 ? 0x82F63B78u : 0);
    }
    return ~crc;
}

/* RFC 3720 appendix B.4. */
static void published_values_hold(void) {
    unsigned char bytes[32];
    CHECK(frame_crc32c(0, "123456789", 9) == 0xE3069283u);
    memset(bytes, 0, sizeof bytes);
    CHECK(frame_crc32c(0, bytes, 32) == 0x8A9136AAu);
    memset(bytes, 0xFF, sizeof bytes);
    CHECK(frame_crc32c(0, bytes, 32) == 0x62A8AB43u);
    for (unsigned i = 0; i < 32; ++i)
        bytes[i] = (unsigned char)i;
    CHECK(frame_crc32c(0, bytes, 32) == 0x46DD794Eu);
    CHECK(frame_crc32c(0, bytes, 0) == 0);
}

static void instruction_and_tables_equal_the_loop_at_every_length_and_offset(void) {
    unsigned char source[80];
    for (unsigned i = 0; i < sizeof source; ++i)
        source[i] = (unsigned char)(i * 167 + 13);
    for (size_t offset = 0; offset < 9; ++offset) {
        for (size_t length = 0; length + offset <= sizeof source; ++length) {
            unsigned char *bytes = exact_copy(source + offset, length);
            uint32_t want = bit_by_bit(bytes, length);
            CHECK(frame_crc32c(0, bytes, length) == want);
            CHECK(frame_crc32c_tables(0, bytes, length) == want);
            free(bytes);
        }
    }
}

static void every_table_entry_is_right(void) {
    unsigned char bytes[8];
    for (unsigned place = 0; place < 8; ++place) {
        for (unsigned value = 0; value < 256; ++value) {
            memset(bytes, 0x5A, sizeof bytes);
            bytes[place] = (unsigned char)value;
            CHECK(frame_crc32c_tables(0, bytes, 8) == bit_by_bit(bytes, 8));
        }
    }
}

static void parts_continue_the_whole(void) {
    const char *text = "a sheet of cloth, four metres square, let go at once";
    size_t length = strlen(text);
    uint32_t whole = frame_crc32c(0, text, length);
    for (size_t cut = 0; cut <= length; ++cut) {
        CHECK(frame_crc32c(frame_crc32c(0, text, cut), text + cut, length - cut) == whole);
        CHECK(frame_crc32c_tables(frame_crc32c_tables(0, text, cut), text + cut, length - cut) == whole);
    }
}

static int states_seen;
static void check_state(const struct vector *vector) {
    if (vector->q.q[0] == NULL) return;
    ++states_seen;
    CHECK(frame_state_crc(&vector->q, vector->count) == vector->state_crc);
}

static void state_crc_of_every_golden_frame_holds(void) {
    vectors_each(check_state);
    CHECK(states_seen >= 17);
}

RUN_TESTS(TEST(published_values_hold), TEST(instruction_and_tables_equal_the_loop_at_every_length_and_offset),
          TEST(every_table_entry_is_right), TEST(parts_continue_the_whole),
          TEST(state_crc_of_every_golden_frame_holds))
