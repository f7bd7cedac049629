/* A ring of the last step times and its percentiles. */
#include "sim/step_times.h"

#include <stdlib.h>
#include <string.h>

void step_times_add(struct step_times *times, double ms) {
    times->ms[times->next] = (float)ms;
    times->next = (times->next + 1) % STEP_TIMES_WINDOW;
    if (times->count < STEP_TIMES_WINDOW) times->count += 1;
}

static int ascending(const void *a, const void *b) {
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* The smallest value that at least the share q of the values do not exceed. */
static float percentile(const float *sorted, uint32_t count, double q) {
    uint32_t rank = (uint32_t)(q * count + 0.999999);
    if (rank < 1) rank = 1;
    if (rank > count) rank = count;
    return sorted[rank - 1];
}

struct step_summary step_times_summary(const struct step_times *times) {
    struct step_summary summary = {0};
    if (times->count == 0) return summary;
    float sorted[STEP_TIMES_WINDOW];
    memcpy(sorted, times->ms, times->count * sizeof *sorted);
    qsort(sorted, times->count, sizeof *sorted, ascending);
    summary.p50 = percentile(sorted, times->count, 0.5);
    summary.p99 = percentile(sorted, times->count, 0.99);
    summary.max = sorted[times->count - 1];
    return summary;
}
