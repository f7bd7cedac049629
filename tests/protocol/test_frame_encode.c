/* The CB32 encoder: the worked example's bytes, and what it writes decodes to what it read. */
#include <check.h>
#include <stdlib.h>
#include <wire/frame.h>

#include "support_vectors.h"

struct encoded {
    struct frame_header header;
    unsigned char *bytes; /* exactly the payload */
    size_t length;
};

static struct encoded encode(const struct frame_planes *q, const struct frame_planes *base, uint32_t count,
                             uint32_t cols) {
    struct encoded result = {.header = {.type = FRAME_STATE, .flags = FRAME_CUT, .step_exp = -13, .tick = 7}};
    /* To the byte, so that an overrun of the bound or the scratch is seen. */
    unsigned char *out = malloc(frame_cb32_bound(count) + (count == 0));
    int32_t *scratch = malloc(8 * (size_t)count + (count == 0));
    memset(out, 0xA5, frame_cb32_bound(count));
    result.length = frame_cb32_encode(q, base, count, cols, scratch, &result.header, out);
    result.bytes = exact_copy(out, result.length);
    free(scratch);
    free(out);
    return result;
}

static void check_round_trip(const struct frame_planes *q, const struct frame_planes *base, uint32_t count,
                             uint32_t cols) {
    struct encoded encoded = encode(q, base, count, cols);
    CHECK(encoded.length <= frame_cb32_bound(count));
    CHECK_INT(encoded.header.payload_bytes, encoded.length);
    CHECK_INT(encoded.header.count, count);
    CHECK_INT(encoded.header.codec, FRAME_CB32);
    CHECK_INT(encoded.header.flags, FRAME_CUT | (base == NULL ? FRAME_KEY : 0));
    CHECK(encoded.header.state_crc == (base == NULL ? frame_state_crc(q, count) : 0));
    struct frame_planes back = planes_alloc(count);
    CHECK_INT(frame_cb32_decode(&encoded.header, encoded.bytes, encoded.length, base, count, cols, &back),
              FRAME_OK);
    CHECK(planes_equal(&back, q, count));
    planes_free(&back);
    free(encoded.bytes);
}

static uint32_t random_state = 2463534242u;
static uint32_t random_bits(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state;
}

/* Values of at most bits bits, around a walk so that every predictor has its chance. */
static struct frame_planes random_planes(uint32_t count, unsigned bits) {
    struct frame_planes planes = planes_alloc(count);
    for (int axis = 0; axis < 3; ++axis) {
        uint32_t walk = random_bits();
        for (uint32_t i = 0; i < count; ++i) {
            uint32_t noise = bits == 0 ? 0 : random_bits() >> (32 - bits);
            if (i % 3 == 0) walk += noise;
            planes.q[axis][i] = (int32_t)(walk - noise);
        }
    }
    return planes;
}

static void worked_example_has_the_contracts_bytes(void) {
    struct vector vector = vector_load("worked-example");
    struct encoded encoded = encode(&vector.q, &vector.base, vector.count, vector.cols);
    const unsigned char want[] = {0x20, 0, 0, 0, 0x40, 0x79, 0x02, 0, 0, 0, 0, 0};
    CHECK_INT(encoded.length, sizeof want);
    CHECK(encoded.length == sizeof want && memcmp(encoded.bytes, want, sizeof want) == 0);
    CHECK_INT(encoded.header.predictor, FRAME_PREDICT_2D);
    for (int axis = 0; axis < 3; ++axis)
        CHECK_INT(encoded.header.origin[axis], 0);
    free(encoded.bytes);
    vector_free(&vector);
}

static int golden_seen;
static void check_golden(const struct vector *vector) {
    if (vector->q.q[0] == NULL) return;
    ++golden_seen;
    struct encoded encoded =
        encode(&vector->q, vector->key ? NULL : &vector->base, vector->count, vector->cols);
    /* The golden encoders fixed their predictor; this one weighs them all and so takes no more. */
    CHECK(encoded.length + FRAME_HEADER_BYTES <= vector->length);
    free(encoded.bytes);
    check_round_trip(&vector->q, vector->key ? NULL : &vector->base, vector->count, vector->cols);
}

static void golden_states_take_no_more_bytes_than_the_golden_frames(void) {
    golden_seen = 0;
    vectors_each(check_golden);
    CHECK(golden_seen >= 17);
}

static void random_states_survive_at_every_size_and_width(void) {
    const uint32_t counts[] = {1, 2, 3, 21, 31, 32, 33, 63, 64, 65, 95, 96, 97, 255, 441};
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; ++c) {
        for (unsigned bits = 0; bits <= 32; ++bits) {
            struct frame_planes base = random_planes(counts[c], 32), q = random_planes(counts[c], bits);
            for (int axis = 0; axis < 3; ++axis)
                for (uint32_t i = 0; i < counts[c]; ++i)
                    base.q[axis][i] =
                        (int32_t)((uint32_t)q.q[axis][i] + (bits == 0 ? 0 : random_bits() >> (32 - bits)));
            const uint32_t cols[] = {0, 1, 3, 21, counts[c], 1000};
            for (size_t k = 0; k < sizeof cols / sizeof cols[0]; ++k) {
                check_round_trip(&q, NULL, counts[c], cols[k]);
                check_round_trip(&q, &base, counts[c], cols[k]);
            }
            planes_free(&base);
            planes_free(&q);
        }
    }
}

static void largest_and_smallest_integers_wrap_around(void) {
    enum { COUNT = 70 };
    struct frame_planes q = planes_alloc(COUNT), base = planes_alloc(COUNT);
    for (int axis = 0; axis < 3; ++axis) {
        for (uint32_t i = 0; i < COUNT; ++i) {
            q.q[axis][i] = i % 2 ? INT32_MIN : INT32_MAX;
            base.q[axis][i] = i % 3 ? INT32_MAX : INT32_MIN;
        }
    }
    for (uint32_t cols = 0; cols < 12; ++cols) {
        check_round_trip(&q, NULL, COUNT, cols);
        check_round_trip(&q, &base, COUNT, cols);
        check_round_trip(&base, &q, COUNT, cols);
    }
    planes_free(&q);
    planes_free(&base);
}

static void every_width_code_is_written(void) {
    const unsigned bits_of_code[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 18, 32};
    for (unsigned code = 0; code < 16; ++code) {
        enum { COUNT = 32 };
        struct frame_planes base = planes_alloc(COUNT), q = planes_alloc(COUNT);
        for (int axis = 0; axis < 3; ++axis) {
            memset(base.q[axis], 0, COUNT * 4);
            /* Noise of that many zigzagged bits, among it the largest: no predictor shrinks it. */
            for (uint32_t i = 0; i < COUNT; ++i) {
                uint32_t largest = bits_of_code[code] == 0 ? 0 : UINT32_MAX >> (32 - bits_of_code[code]);
                uint32_t z = i == 13 ? largest : random_bits() & largest;
                q.q[axis][i] = (int32_t)((z >> 1) ^ (0u - (z & 1)));
            }
        }
        struct encoded encoded = encode(&q, &base, COUNT, 0);
        CHECK_INT(encoded.header.predictor, FRAME_PREDICT_NONE);
        CHECK_INT(encoded.bytes[0], code | code << 4);
        CHECK_INT(encoded.length, 4 + 3 * 4 * bits_of_code[code]);
        free(encoded.bytes);
        check_round_trip(&q, &base, COUNT, 0);
        planes_free(&base);
        planes_free(&q);
    }
}

/* The cheapest way is taken: what each of three motions is made for. */
static void predictor_and_origin_follow_the_motion(void) {
    enum { ROWS = 12, COLS = 16, COUNT = ROWS * COLS };
    struct frame_planes base = random_planes(COUNT, 20), q = planes_copy(&base, COUNT);
    for (uint32_t i = 0; i < COUNT; ++i)
        q.q[1][i] = (int32_t)((uint32_t)q.q[1][i] - 500u - (i % 5 == 2));
    struct encoded falling = encode(&q, &base, COUNT, 0);
    CHECK_INT(falling.header.predictor, FRAME_PREDICT_NONE);
    CHECK_INT(falling.header.origin[0], 0);
    CHECK_INT(falling.header.origin[1], -500);

    for (uint32_t i = 0; i < COUNT; ++i)
        q.q[1][i] = (int32_t)((uint32_t)base.q[1][i] + i * 30u);
    struct encoded sloping = encode(&q, &base, COUNT, 0);
    CHECK_INT(sloping.header.predictor, FRAME_PREDICT_LEFT);

    for (uint32_t i = 0; i < COUNT; ++i)
        q.q[1][i] = (int32_t)((uint32_t)base.q[1][i] + (i % COLS) * (i % COLS) * 9u + (i / COLS) * 777u);
    struct encoded curved = encode(&q, &base, COUNT, COLS);
    CHECK_INT(curved.header.predictor, FRAME_PREDICT_2D);
    free(falling.bytes);
    free(sloping.bytes);
    free(curved.bytes);
    planes_free(&base);
    planes_free(&q);
}

static void a_keys_origin_is_its_first_vertex(void) {
    struct frame_planes q = random_planes(50, 9);
    for (uint32_t cols = 0; cols < 10; cols += 5) {
        struct encoded key = encode(&q, NULL, 50, cols);
        for (int axis = 0; axis < 3; ++axis)
            CHECK_INT(key.header.origin[axis], q.q[axis][0]);
        free(key.bytes);
    }
    planes_free(&q);
}

static void an_empty_cloth_takes_no_bytes(void) {
    struct frame_planes q = planes_alloc(0);
    check_round_trip(&q, NULL, 0, 0);
    check_round_trip(&q, &q, 0, 5);
    struct encoded encoded = encode(&q, NULL, 0, 0);
    CHECK_INT(encoded.length, 0);
    free(encoded.bytes);
    planes_free(&q);
}

RUN_TESTS(TEST(worked_example_has_the_contracts_bytes),
          TEST(golden_states_take_no_more_bytes_than_the_golden_frames),
          TEST(random_states_survive_at_every_size_and_width),
          TEST(largest_and_smallest_integers_wrap_around), TEST(every_width_code_is_written),
          TEST(predictor_and_origin_follow_the_motion), TEST(a_keys_origin_is_its_first_vertex),
          TEST(an_empty_cloth_takes_no_bytes))
