/* When a world's next tick is due. Pure: the time comes in as an argument.
 *
 * Deadlines are absolute (origin + n · period), so that a timer of whole milliseconds
 * still gives 1/60 s on average. A world that falls behind catches up by at most
 * CLOCK_MAX_CATCH_UP ticks; what is beyond is dropped and counted as late. */
#ifndef SIM_CLOCK_H
#define SIM_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

enum { CLOCK_MAX_CATCH_UP = 4 };
/* clock_deadline of a clock that never ticks. */
#define CLOCK_NEVER UINT64_MAX

struct clock {
    double period_us;    /* real time of one tick; 0 = never due (time_scale 0) */
    uint64_t origin_us;  /* a tick boundary */
    uint64_t done;       /* ticks since origin */
    uint64_t late_ticks; /* dropped since creation */
    bool running;
};

/* Stopped, with tick length dt (s) and time_scale (simulated per real second, ≥ 0). */
void clock_init(struct clock *clock, double dt, double time_scale);

/* Another rate: the time to the next tick shrinks or grows in proportion. */
void clock_set_rate(struct clock *clock, double dt, double time_scale, uint64_t now_us);

/* The first tick is due one period from now. Starting a running clock changes nothing. */
void clock_start(struct clock *clock, uint64_t now_us);
void clock_stop(struct clock *clock);

/* Ticks that are due now, 0…CLOCK_MAX_CATCH_UP; drops and counts those beyond. */
uint32_t clock_due(struct clock *clock, uint64_t now_us);

/* One tick was run. */
void clock_advance(struct clock *clock);

/* When the next tick is due, or CLOCK_NEVER. */
uint64_t clock_deadline(const struct clock *clock);

#endif
