/* A list is enough: there are as many buckets as addresses. */
#include <app/rate.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void rate_init(struct rate_table *table, uint32_t per_second) {
    *table = (struct rate_table){.per_second = per_second};
}

void rate_free(struct rate_table *table) {
    while (table->first) {
        struct rate_bucket *bucket = table->first;
        table->first = bucket->next;
        free(bucket);
    }
}

static void drop_old(struct rate_table *table, uint64_t now_ms) {
    for (struct rate_bucket **link = &table->first; *link;) {
        struct rate_bucket *bucket = *link;
        if (bucket->users == 0 && now_ms - bucket->unused_since_ms >= RATE_LINGER_MS) {
            *link = bucket->next;
            free(bucket);
        } else {
            link = &bucket->next;
        }
    }
}

struct rate_bucket *rate_open(struct rate_table *table, const char *key, uint64_t now_ms) {
    drop_old(table, now_ms);
    struct rate_bucket *bucket = table->first;
    while (bucket && strcmp(bucket->key, key) != 0)
        bucket = bucket->next;
    if (!bucket) {
        bucket = calloc(1, sizeof *bucket);
        if (!bucket) return NULL;
        snprintf(bucket->key, sizeof bucket->key, "%s", key);
        for (int kind = 0; kind < RATE_KINDS; ++kind) {
            bucket->left[kind] = 2 * table->per_second;
            bucket->filled_ms[kind] = now_ms;
        }
        bucket->next = table->first;
        table->first = bucket;
    }
    ++bucket->users;
    return bucket;
}

void rate_close(struct rate_table *table, struct rate_bucket *bucket, uint64_t now_ms) {
    --bucket->users;
    bucket->unused_since_ms = now_ms;
    drop_old(table, now_ms);
}

bool rate_take(const struct rate_table *table, struct rate_bucket *bucket, enum rate_kind kind,
               uint64_t now_ms) {
    double *left = &bucket->left[kind];
    *left += (double)(now_ms - bucket->filled_ms[kind]) * table->per_second / 1000;
    bucket->filled_ms[kind] = now_ms;
    if (*left > 2 * table->per_second) *left = 2 * table->per_second;
    if (*left < 1) return false;
    *left -= 1;
    return true;
}

bool rate_is_flood(struct rate_streak *streak, uint64_t now_ms) {
    if (streak->since_ms == 0 || now_ms - streak->last_ms > RATE_CALM_MS) streak->since_ms = now_ms;
    streak->last_ms = now_ms;
    return now_ms - streak->since_ms >= RATE_FLOOD_MS;
}
