/* Metrics of the tick layer: written with relaxed atomics, since each is read alone. */
#include "sim/meter.h"

static const uint32_t bucket_us[11] = {100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000, 200000};

void meter_time(struct histogram *histogram, uint64_t us) {
    int i = 0;
    while (i < 11 && us > bucket_us[i])
        ++i;
    atomic_fetch_add_explicit(&histogram->bucket[i], 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&histogram->count, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&histogram->us_sum, us, memory_order_relaxed);
}

static uint64_t load(const _Atomic uint64_t *value) {
    return atomic_load_explicit(value, memory_order_relaxed);
}

void meter_read(const struct meter *meter, struct sim_metrics *metrics) {
    *metrics = (struct sim_metrics){
        .ticks_total = load(&meter->ticks),
        .late_ticks_total = load(&meter->late_ticks),
        .step_count = load(&meter->step.count),
        .step_us_sum = load(&meter->step.us_sum),
        .encode_count = load(&meter->encode.count),
        .encode_us_sum = load(&meter->encode.us_sum),
        .worlds = atomic_load_explicit(&meter->worlds, memory_order_relaxed),
    };
    for (int i = 0; i < 12; ++i) {
        metrics->step_bucket[i] = load(&meter->step.bucket[i]);
        metrics->encode_bucket[i] = load(&meter->encode.bucket[i]);
    }
    for (int i = 0; i < WIRE_COMMAND_COUNT; ++i) {
        metrics->commands_done[i] = load(&meter->commands[i][0]);
        metrics->commands_failed[i] = load(&meter->commands[i][1]);
    }
}
