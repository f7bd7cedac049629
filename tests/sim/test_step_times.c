/* Percentiles over the last step times. */
#include "check.h"
#include <sim/step_times.h>

static void an_empty_window_is_all_zero(void) {
    struct step_times times = {0};
    struct step_summary summary = step_times_summary(&times);
    CHECK(summary.p50 == 0.0f && summary.p99 == 0.0f && summary.max == 0.0f);
}

static void percentiles_are_the_ranks_of_the_sorted_values(void) {
    struct step_times times = {0};
    /* 1…100 in an order that is not theirs: 37 is prime to 100. */
    for (uint32_t i = 0; i < 100; ++i)
        step_times_add(&times, (i * 37) % 100 + 1);
    struct step_summary summary = step_times_summary(&times);
    CHECK_NEAR(summary.p50, 50, 0);
    CHECK_NEAR(summary.p99, 99, 0);
    CHECK_NEAR(summary.max, 100, 0);
}

static void old_times_leave_the_window(void) {
    struct step_times times = {0};
    step_times_add(&times, 1000.0);
    for (int i = 0; i < STEP_TIMES_WINDOW; ++i)
        step_times_add(&times, 2.0);
    CHECK_NEAR(step_times_summary(&times).max, 2.0, 0);
}

static void a_single_time_is_every_percentile(void) {
    struct step_times times = {0};
    step_times_add(&times, 3.0);
    struct step_summary summary = step_times_summary(&times);
    CHECK(summary.p50 == 3.0f && summary.p99 == 3.0f && summary.max == 3.0f);
}

RUN_TESTS(TEST(an_empty_window_is_all_zero), TEST(percentiles_are_the_ranks_of_the_sorted_values),
          TEST(old_times_leave_the_window), TEST(a_single_time_is_every_percentile))
