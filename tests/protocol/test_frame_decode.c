/* The CB32 decoder: golden frames to the bit, and every way in which bytes can lie. */
#include <check.h>
#include <stdlib.h>
#include <wire/frame.h>

#include "support_vectors.h"

static int seen;
static char failing[96];

static enum frame_error decode(const unsigned char *bytes, size_t length, const struct vector *vector,
                               const struct frame_planes *base, const struct frame_planes *q) {
    size_t offset = 0;
    struct frame_header header;
    const unsigned char *payload;
    enum frame_error error = frame_next_segment(bytes, length, &offset, &header, &payload);
    if (error != FRAME_OK) return error;
    if (!(header.flags & FRAME_KEY) && base->q[0] == NULL) return FRAME_BAD_CRC; /* a mutated key bit */
    return frame_cb32_decode(&header, payload, header.payload_bytes, base, vector->count, vector->cols, q);
}

static void check_golden(const struct vector *vector) {
    if (vector->q.q[0] == NULL) return;
    ++seen;
    struct frame_planes q = planes_alloc(vector->count);
    enum frame_error error = decode(vector->bytes, vector->length, vector, &vector->base, &q);
    if (error != FRAME_OK || !planes_equal(&q, &vector->q, vector->count)) {
        snprintf(failing, sizeof failing, "%s (%d)", vector->name, error);
        CHECK_STRING(failing, "");
    }
    planes_free(&q);
    if (vector->key) return;
    q = planes_copy(&vector->base, vector->count);
    error = decode(vector->bytes, vector->length, vector, &q, &q);
    CHECK_INT(error, FRAME_OK);
    CHECK(planes_equal(&q, &vector->q, vector->count));
    planes_free(&q);
}

static void golden_frames_decode_to_the_bit_also_in_place(void) {
    seen = 0;
    vectors_each(check_golden);
    CHECK(seen >= 17);
}

/* As a message that ends early, and as one whose header was adapted to the shorter payload. */
static void check_truncations(const struct vector *vector) {
    if (vector->q.q[0] == NULL) return;
    ++seen;
    struct frame_planes q = planes_alloc(vector->count);
    for (int axis = 0; axis < 3; ++axis)
        memset(q.q[axis], 0x55, (size_t)vector->count * 4);
    struct frame_planes untouched = planes_copy(&q, vector->count);
    for (size_t length = 0; length < vector->length; ++length) {
        unsigned char *bytes = exact_copy(vector->bytes, length);
        CHECK_INT(decode(bytes, length, vector, &vector->base, &q), FRAME_TRUNCATED);
        if (length >= FRAME_HEADER_BYTES) {
            struct frame_header header;
            frame_header_read(bytes, &header);
            size_t payload = length - FRAME_HEADER_BYTES;
            CHECK_INT(frame_cb32_decode(&header, bytes + FRAME_HEADER_BYTES, payload, &vector->base,
                                        vector->count, vector->cols, &q),
                      FRAME_BAD_LENGTH);
            header.payload_bytes = (uint32_t)payload;
            frame_header_write(&header, bytes);
            CHECK_INT(decode(bytes, length, vector, &vector->base, &q),
                      payload % 4 != 0 ? FRAME_BAD_LENGTH : FRAME_BAD_TABLE);
        }
        free(bytes);
    }
    CHECK(planes_equal(&q, &untouched, vector->count));
    planes_free(&q);
    planes_free(&untouched);
}

static void every_truncation_is_refused_and_writes_nothing(void) {
    seen = 0;
    vectors_each(check_truncations);
    CHECK(seen >= 17);
}

static void words_too_many_are_refused(void) {
    struct vector vector = vector_load("worked-example");
    unsigned char *bytes = malloc(vector.length + 4);
    memcpy(bytes, vector.bytes, vector.length);
    memset(bytes + vector.length, 0, 4);
    struct frame_header header;
    frame_header_read(bytes, &header);
    header.payload_bytes += 4;
    frame_header_write(&header, bytes);
    struct frame_planes q = planes_alloc(vector.count);
    CHECK_INT(decode(bytes, vector.length + 4, &vector, &vector.base, &q), FRAME_BAD_TABLE);
    planes_free(&q);
    free(bytes);
    vector_free(&vector);
}

static void another_count_is_refused(void) {
    struct vector vector = vector_load("grid21-key-2d");
    struct frame_header header;
    frame_header_read(vector.bytes, &header);
    struct frame_planes q = planes_alloc(vector.count);
    const uint32_t counts[] = {0, 1, 440, 442, UINT32_MAX};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i) {
        header.count = counts[i];
        CHECK_INT(frame_cb32_decode(&header, vector.bytes + FRAME_HEADER_BYTES, header.payload_bytes, NULL,
                                    vector.count, vector.cols, &q),
                  FRAME_BAD_COUNT);
    }
    planes_free(&q);
    vector_free(&vector);
}

static void reserved_predictor_and_2d_without_rows_are_refused(void) {
    struct vector vector = vector_load("grid21-key-2d");
    struct frame_header header;
    frame_header_read(vector.bytes, &header);
    struct frame_planes q = planes_alloc(vector.count);
    const unsigned char *payload = vector.bytes + FRAME_HEADER_BYTES;
    CHECK_INT(frame_cb32_decode(&header, payload, header.payload_bytes, NULL, vector.count, 0, &q),
              FRAME_BAD_PREDICTOR);
    header.predictor = 3;
    CHECK_INT(frame_cb32_decode(&header, payload, header.payload_bytes, NULL, vector.count, vector.cols, &q),
              FRAME_BAD_PREDICTOR);
    planes_free(&q);
    vector_free(&vector);
}

static void a_flipped_bit_of_the_words_or_the_crc_is_noticed(void) {
    struct vector vector = vector_load("key-left-33");
    struct frame_planes q = planes_alloc(vector.count);
    struct frame_header header;
    frame_header_read(vector.bytes, &header);
    /* The table is 6 nibbles in 4 bytes; behind it each bit of a value that exists counts. The
     * blocks of one vertex hold 31 padding values, so only the whole blocks are flipped. */
    size_t first = FRAME_HEADER_BYTES + 4;
    for (size_t bit = 0; bit < 8 * 4 * 5; bit += 7) {
        vector.bytes[first + bit / 8] ^= (unsigned char)(1u << bit % 8);
        CHECK_INT(decode(vector.bytes, vector.length, &vector, &vector.base, &q), FRAME_BAD_CRC);
        vector.bytes[first + bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
    vector.bytes[44] ^= 1;
    CHECK_INT(decode(vector.bytes, vector.length, &vector, &vector.base, &q), FRAME_BAD_CRC);
    /* An absent (zero) crc is for deltas only. */
    memset(vector.bytes + 44, 0, 4);
    CHECK_INT(decode(vector.bytes, vector.length, &vector, &vector.base, &q), FRAME_BAD_CRC);
    planes_free(&q);
    vector_free(&vector);
}

static uint32_t random_state = 1;
static uint32_t random_bits(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state;
}

/* Whatever comes back, nothing is read or written out of bounds: the sanitizers look. A CRC that
 * is absent (deltas) lets wrong values pass, hence no check of the result beyond its range. */
static void check_mutations(const struct vector *vector) {
    if (vector->q.q[0] == NULL) return;
    ++seen;
    struct frame_planes q = planes_alloc(vector->count);
    for (int round = 0; round < 200; ++round) {
        size_t length = random_bits() % 4 == 0 ? random_bits() % (vector->length + 1) : vector->length;
        unsigned char *bytes = exact_copy(vector->bytes, length);
        for (unsigned flips = 1 + random_bits() % 6; flips > 0 && length > 0; --flips)
            bytes[random_bits() % length] = (unsigned char)random_bits();
        enum frame_error error = decode(bytes, length, vector, &vector->base, &q);
        CHECK(error <= FRAME_OK && error >= FRAME_BAD_CRC);
        free(bytes);
    }
    planes_free(&q);
}

static void mutated_bytes_never_leave_their_bounds(void) {
    seen = 0;
    vectors_each(check_mutations);
    CHECK(seen >= 17);
}

static void an_empty_cloth_is_an_empty_payload(void) {
    struct frame_header header = {.type = FRAME_STATE, .codec = FRAME_CB32, .flags = FRAME_KEY};
    struct frame_planes q = planes_alloc(0);
    unsigned char nothing = 0;
    CHECK_INT(frame_cb32_decode(&header, &nothing, 0, NULL, 0, 0, &q), FRAME_OK);
    planes_free(&q);
}

RUN_TESTS(TEST(golden_frames_decode_to_the_bit_also_in_place),
          TEST(every_truncation_is_refused_and_writes_nothing), TEST(words_too_many_are_refused),
          TEST(another_count_is_refused), TEST(reserved_predictor_and_2d_without_rows_are_refused),
          TEST(a_flipped_bit_of_the_words_or_the_crc_is_noticed),
          TEST(mutated_bytes_never_leave_their_bounds), TEST(an_empty_cloth_is_an_empty_payload))
