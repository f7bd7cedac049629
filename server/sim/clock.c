/* The fixed-step deadline accumulator of one world. */
#include "sim/clock.h"

#include <assert.h>
#include <math.h>

/* Moves the origin to a boundary `ticks` after it, so that done stays small and exact. */
static void rebase(struct clock *clock, uint64_t ticks) {
    clock->origin_us += (uint64_t)llrint((double)ticks * clock->period_us);
    clock->done -= ticks < clock->done ? ticks : clock->done;
}

static double period(double dt, double time_scale) {
    assert(dt > 0.0 && time_scale >= 0.0);
    return time_scale > 0.0 ? dt * 1e6 / time_scale : 0.0;
}

void clock_init(struct clock *clock, double dt, double time_scale) {
    *clock = (struct clock){.period_us = period(dt, time_scale)};
}

void clock_set_rate(struct clock *clock, double dt, double time_scale, uint64_t now_us) {
    double next = period(dt, time_scale);
    if (next == clock->period_us) return;
    /* The fraction of the current tick that has passed keeps its meaning. */
    double fraction = 0.0;
    if (clock->running && clock->period_us > 0.0) {
        double passed = (double)now_us - (double)clock->origin_us - (double)clock->done * clock->period_us;
        fraction = passed / clock->period_us;
        fraction = fraction < 0.0 ? 0.0 : fraction > 1.0 ? 1.0 : fraction;
    }
    uint64_t passed_us = (uint64_t)llrint(fraction * next);
    clock->period_us = next;
    clock->origin_us = now_us > passed_us ? now_us - passed_us : 0;
    clock->done = 0;
}

void clock_start(struct clock *clock, uint64_t now_us) {
    if (clock->running) return;
    clock->running = true;
    clock->origin_us = now_us;
    clock->done = 0;
}

void clock_stop(struct clock *clock) {
    clock->running = false;
}

uint32_t clock_due(struct clock *clock, uint64_t now_us) {
    if (!clock->running || clock->period_us <= 0.0 || now_us <= clock->origin_us) return 0;
    uint64_t boundaries = (uint64_t)((double)(now_us - clock->origin_us) / clock->period_us);
    if (boundaries <= clock->done) return 0;
    uint64_t due = boundaries - clock->done;
    if (due > CLOCK_MAX_CATCH_UP) {
        uint64_t dropped = due - CLOCK_MAX_CATCH_UP;
        clock->late_ticks += dropped;
        clock->done += dropped;
        due = CLOCK_MAX_CATCH_UP;
    }
    return (uint32_t)due;
}

void clock_advance(struct clock *clock) {
    enum { REBASE_EVERY = 1u << 20 };
    clock->done += 1;
    if (clock->done >= REBASE_EVERY) rebase(clock, clock->done);
}

uint64_t clock_deadline(const struct clock *clock) {
    if (!clock->running || clock->period_us <= 0.0) return CLOCK_NEVER;
    return clock->origin_us + (uint64_t)ceil((double)(clock->done + 1) * clock->period_us);
}
