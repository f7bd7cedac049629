/* Histograms and counters of the tick layer. */
#include "check.h"
#include <sim/meter.h>

static void times_fall_into_the_bucket_whose_bound_they_do_not_exceed(void) {
    static struct meter meter;
    static const uint64_t us[] = {0, 100, 101, 1000, 200000, 200001};
    static const int bucket[] = {0, 0, 1, 3, 10, 11};
    uint64_t want[12] = {0}, sum = 0;
    for (int i = 0; i < 6; ++i) {
        meter_time(&meter.step, us[i]);
        want[bucket[i]] += 1;
        sum += us[i];
    }
    struct sim_metrics metrics;
    meter_read(&meter, &metrics);
    for (int i = 0; i < 12; ++i)
        CHECK_INT(metrics.step_bucket[i], want[i]);
    CHECK_INT(metrics.step_count, 6);
    CHECK_INT(metrics.step_us_sum, sum);
    CHECK_INT(metrics.encode_count, 0);
}

static void commands_are_counted_by_method_and_result(void) {
    static struct meter meter;
    atomic_fetch_add(&meter.commands[WIRE_cloth_pin][0], 3);
    atomic_fetch_add(&meter.commands[WIRE_cloth_pin][1], 2);
    struct sim_metrics metrics;
    meter_read(&meter, &metrics);
    CHECK_INT(metrics.commands_done[WIRE_cloth_pin], 3);
    CHECK_INT(metrics.commands_failed[WIRE_cloth_pin], 2);
    CHECK_INT(metrics.commands_done[WIRE_cloth_unpin], 0);
}

RUN_TESTS(TEST(times_fall_into_the_bucket_whose_bound_they_do_not_exceed),
          TEST(commands_are_counted_by_method_and_result))
