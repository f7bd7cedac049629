/* The deadline accumulator: averages, catch-up, late ticks, changes of rate. */
#include "check.h"
#include <sim/clock.h>

static const uint64_t start_us = 5000000;

static struct clock started(double dt, double time_scale) {
    struct clock clock;
    clock_init(&clock, dt, time_scale);
    clock_start(&clock, start_us);
    return clock;
}

/* Runs all that is due at now. */
static uint32_t run_due(struct clock *clock, uint64_t now_us) {
    uint32_t ran = 0;
    while (clock_due(clock, now_us) > 0) {
        clock_advance(clock);
        ++ran;
    }
    return ran;
}

static void first_tick_is_due_one_period_after_the_start(void) {
    struct clock clock = started(0.01, 1.0);
    CHECK_INT(clock_due(&clock, start_us), 0);
    CHECK_INT(clock_due(&clock, start_us + 9999), 0);
    CHECK_INT(clock_deadline(&clock), start_us + 10000);
    CHECK_INT(clock_due(&clock, start_us + 10000), 1);
}

static void sixtieths_are_exact_on_average_with_a_millisecond_timer(void) {
    struct clock clock = started(1.0 / 60.0, 1.0);
    uint32_t ticks = 0;
    for (uint64_t ms = 1; ms <= 100000; ++ms)
        ticks += run_due(&clock, start_us + ms * 1000);
    /* 100 s at 60 Hz; the last boundary may fall a rounding after the last millisecond. */
    CHECK(ticks >= 5999 && ticks <= 6000);
    CHECK_INT(clock.late_ticks, 0);
}

static void deadline_is_the_moment_at_which_a_tick_becomes_due(void) {
    struct clock clock = started(1.0 / 60.0, 0.7);
    for (int i = 0; i < 1000; ++i) {
        uint64_t deadline = clock_deadline(&clock);
        CHECK_INT(clock_due(&clock, deadline - 1), 0);
        CHECK_INT(clock_due(&clock, deadline), 1);
        clock_advance(&clock);
    }
}

static void more_than_four_missed_ticks_are_dropped_and_counted(void) {
    struct clock clock = started(0.01, 1.0);
    CHECK_INT(clock_due(&clock, start_us + 105000), CLOCK_MAX_CATCH_UP); /* 10 due */
    CHECK_INT(clock.late_ticks, 6);
    CHECK_INT(run_due(&clock, start_us + 105000), 4);
    /* The grid of deadlines is kept: the next is at 110 ms. */
    CHECK_INT(clock_deadline(&clock), start_us + 110000);
    CHECK_INT(clock.late_ticks, 6);
}

static void a_stopped_clock_is_never_due_and_restarts_from_now(void) {
    struct clock clock = started(0.01, 1.0);
    clock_stop(&clock);
    CHECK_INT(clock_due(&clock, start_us + 1000000), 0);
    CHECK(clock_deadline(&clock) == CLOCK_NEVER);
    clock_start(&clock, start_us + 1000000);
    CHECK_INT(clock_due(&clock, start_us + 1009999), 0);
    CHECK_INT(clock_due(&clock, start_us + 1010000), 1);
    CHECK_INT(clock.late_ticks, 0);
}

static void time_scale_stretches_the_period_and_zero_stops_it(void) {
    struct clock clock = started(0.01, 0.5);
    CHECK_INT(clock_deadline(&clock), start_us + 20000);
    clock_set_rate(&clock, 0.01, 0.0, start_us + 1000);
    CHECK(clock_deadline(&clock) == CLOCK_NEVER);
    CHECK_INT(clock_due(&clock, start_us + 900000), 0);
    clock_set_rate(&clock, 0.01, 1.0, start_us + 900000);
    CHECK_INT(clock_deadline(&clock), start_us + 910000);
}

static void a_change_of_rate_keeps_the_passed_fraction_of_the_tick(void) {
    struct clock clock = started(0.01, 1.0);
    clock_set_rate(&clock, 0.02, 1.0, start_us + 5000); /* half a tick passed, half of 20 ms is left */
    CHECK_INT(clock_deadline(&clock), start_us + 15000);
    CHECK_INT(clock.late_ticks, 0);
}

static void very_many_ticks_stay_on_the_grid(void) {
    struct clock clock = started(0.001, 1.0);
    for (uint32_t i = 0; i < 3u << 20; ++i)
        clock_advance(&clock);
    CHECK_INT(clock_deadline(&clock), start_us + ((3u << 20) + 1) * 1000ull);
}

RUN_TESTS(TEST(first_tick_is_due_one_period_after_the_start),
          TEST(sixtieths_are_exact_on_average_with_a_millisecond_timer),
          TEST(deadline_is_the_moment_at_which_a_tick_becomes_due),
          TEST(more_than_four_missed_ticks_are_dropped_and_counted),
          TEST(a_stopped_clock_is_never_due_and_restarts_from_now),
          TEST(time_scale_stretches_the_period_and_zero_stops_it),
          TEST(a_change_of_rate_keeps_the_passed_fraction_of_the_tick),
          TEST(very_many_ticks_stay_on_the_grid))
