/* Counters that the sim thread writes and any thread may read. */
#ifndef SIM_METER_H
#define SIM_METER_H

#include <sim/sim.h>

struct histogram {
    _Atomic uint64_t count, us_sum;
    _Atomic uint64_t bucket[12]; /* not cumulative: le 0.1 0.2 0.5 1 2 5 10 20 50 100 200 ms, rest */
};

struct meter {
    _Atomic uint64_t ticks, late_ticks;
    struct histogram step, encode;
    _Atomic uint64_t commands[WIRE_COMMAND_COUNT][2]; /* [failed] */
    _Atomic uint32_t worlds;
};

void meter_time(struct histogram *histogram, uint64_t us);
/* Everything but the queue counts. */
void meter_read(const struct meter *meter, struct sim_metrics *metrics);

#endif
