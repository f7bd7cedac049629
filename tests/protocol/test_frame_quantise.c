/* Metres to steps: rounding, range, order, and the step that a cloth gets by itself. */
#include <check.h>
#include <wire/frame.h>

static void positions_round_to_the_nearest_step_and_ties_to_even(void) {
    const float step = 0.0001220703125f; /* 2^-13, exact */
    const float values[] = {0.0f,        step,         0.4f * step,  0.6f * step, 0.5f * step,
                            1.5f * step, -0.5f * step, -1.5f * step, 1.0f,        -2.0f};
    const int32_t want[] = {0, 1, 0, 1, 0, 2, 0, -2, 8192, -16384};
    int32_t q[10];
    CHECK(frame_quantise(values, NULL, 10, -13, q));
    for (int i = 0; i < 10; ++i)
        CHECK_INT(q[i], want[i]);
}

static void an_index_reorders(void) {
    const float values[] = {10.0f, 20.0f, 30.0f};
    const uint32_t order[] = {2, 0, 1, 2};
    int32_t q[4];
    CHECK(frame_quantise(values, order, 4, 0, q));
    CHECK_INT(q[0], 30);
    CHECK_INT(q[1], 10);
    CHECK_INT(q[2], 20);
    CHECK_INT(q[3], 30);
}

static void values_beyond_24_bits_and_non_finite_ones_are_refused(void) {
    int32_t q[1];
    const float inside = 16777215.0f, outside = 16777216.0f;
    CHECK(frame_quantise(&inside, NULL, 1, 0, q));
    CHECK_INT(q[0], 16777215);
    CHECK(!frame_quantise(&outside, NULL, 1, 0, q));
    CHECK(frame_quantise(&outside, NULL, 1, 1, q));
    const float bad[] = {-16777216.0f, NAN, INFINITY, -INFINITY, 3e38f};
    for (int i = 0; i < 5; ++i)
        CHECK(!frame_quantise(&bad[i], NULL, 1, 0, q));
    CHECK(!frame_quantise(bad, NULL, 1, INT8_MIN, q));
}

static void steps_times_step_is_the_nearest_float(void) {
    /* |q| < 2^24 and a power of two: the product is exact, so the error is at most half a step. */
    const float value = 1.23456789f;
    for (int exponent = -23; exponent < 5; ++exponent) {
        int32_t q;
        CHECK(frame_quantise(&value, NULL, 1, (int8_t)exponent, &q));
        CHECK_NEAR(ldexp((double)q, exponent), (double)value, ldexp(0.5, exponent));
    }
}

static void auto_step_is_the_diagonals_exponent_less_14(void) {
    CHECK_INT(frame_auto_step_exp(2.8284271f), -13); /* the 2 m sheet */
    CHECK_INT(frame_auto_step_exp(2.0f), -13);
    CHECK_INT(frame_auto_step_exp(1.9999999f), -14);
    CHECK_INT(frame_auto_step_exp(1.0f), -14);
    CHECK_INT(frame_auto_step_exp(0.001f), -24);
    CHECK_INT(frame_auto_step_exp(3.0e38f), 113);
    CHECK_INT(frame_auto_step_exp(1e-44f), INT8_MIN);
    CHECK_INT(frame_auto_step_exp(0.0f), -14);
    CHECK_INT(frame_auto_step_exp(-1.0f), -14);
    CHECK_INT(frame_auto_step_exp(NAN), -14);
    CHECK_INT(frame_auto_step_exp(INFINITY), -14);
}

RUN_TESTS(TEST(positions_round_to_the_nearest_step_and_ties_to_even), TEST(an_index_reorders),
          TEST(values_beyond_24_bits_and_non_finite_ones_are_refused),
          TEST(steps_times_step_is_the_nearest_float), TEST(auto_step_is_the_diagonals_exponent_less_14))
