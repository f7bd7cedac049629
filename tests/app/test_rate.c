/* app/rate: the bucket's size, its refill, its life, and what a flood is. */
#include "check.h"
#include <app/rate.h>

static int take_all(const struct rate_table *table, struct rate_bucket *bucket, uint64_t now_ms) {
    int taken = 0;
    while (taken < 100000 && rate_take(table, bucket, RATE_COMMANDS, now_ms))
        ++taken;
    return taken;
}

static void a_burst_is_twice_the_rate_and_refills(void) {
    struct rate_table table;
    rate_init(&table, 100);
    struct rate_bucket *bucket = rate_open(&table, "a", 1000);
    CHECK_INT(take_all(&table, bucket, 1000), 200);
    CHECK_INT(take_all(&table, bucket, 1100), 10);
    CHECK_INT(take_all(&table, bucket, 2100), 100);
    CHECK_INT(take_all(&table, bucket, 100000), 200);
    CHECK(rate_take(&table, bucket, RATE_ACKS, 100000)); /* acknowledgements have their own */
    rate_close(&table, bucket, 100000);
    rate_free(&table);
}

static void connecting_again_does_not_fill_the_bucket(void) {
    struct rate_table table;
    rate_init(&table, 100);
    struct rate_bucket *bucket = rate_open(&table, "a", 1000), *other = rate_open(&table, "b", 1000);
    CHECK(other != bucket);
    CHECK_INT(take_all(&table, bucket, 1000), 200);
    rate_close(&table, bucket, 1000);
    CHECK(rate_open(&table, "a", 1100) == bucket);
    CHECK_INT(take_all(&table, bucket, 1100), 10);
    CHECK(rate_open(&table, "a", 1100) == bucket); /* two sessions share it */
    rate_close(&table, bucket, 1100);
    rate_close(&table, bucket, 1100);
    /* Ten seconds after its last user it is forgotten. */
    rate_close(&table, other, 1100 + RATE_LINGER_MS);
    CHECK(table.first == other && other->next == NULL);
    rate_free(&table);
}

static void ten_seconds_of_refusals_are_a_flood(void) {
    struct rate_streak streak = {0};
    for (uint64_t now = 5000; now < 15000; now += 500)
        CHECK(!rate_is_flood(&streak, now));
    CHECK(rate_is_flood(&streak, 15000));
    /* A calm second begins a new count. */
    CHECK(!rate_is_flood(&streak, 16001));
    CHECK(!rate_is_flood(&streak, 16500));
}

RUN_TESTS(TEST(a_burst_is_twice_the_rate_and_refills), TEST(connecting_again_does_not_fill_the_bucket),
          TEST(ten_seconds_of_refusals_are_a_flood))
