/* How long the last ticks took, for `stats`. */
#ifndef SIM_STEP_TIMES_H
#define SIM_STEP_TIMES_H

#include <stdint.h>

enum { STEP_TIMES_WINDOW = 256 };

struct step_times {
    float ms[STEP_TIMES_WINDOW];
    uint32_t count; /* entries in use */
    uint32_t next;
};

struct step_summary {
    float p50, p99, max; /* ms, over the window; 0 when empty */
};

void step_times_add(struct step_times *times, double ms);
struct step_summary step_times_summary(const struct step_times *times);

#endif
