/* Token buckets: so many commands a second, twice that at once. A bucket belongs to
 * an address or an access token and outlives its last connection by ten seconds, so
 * that connecting again does not fill it. */
#ifndef APP_RATE_H
#define APP_RATE_H

#include <stdbool.h>
#include <stdint.h>

enum { RATE_LINGER_MS = 10000, RATE_FLOOD_MS = 10000, RATE_CALM_MS = 1000 };

enum rate_kind { RATE_COMMANDS, RATE_ACKS, RATE_KINDS };

struct rate_bucket {
    struct rate_bucket *next;
    char key[80];
    uint32_t users;
    uint64_t unused_since_ms;
    double left[RATE_KINDS];
    uint64_t filled_ms[RATE_KINDS];
};

struct rate_table {
    double per_second;
    struct rate_bucket *first;
};

/* One client's streak of refusals. */
struct rate_streak {
    uint64_t since_ms, last_ms; /* 0 = none */
};

void rate_init(struct rate_table *table, uint32_t per_second);
void rate_free(struct rate_table *table);
/* The bucket of key, new ones full. NULL when out of memory. */
struct rate_bucket *rate_open(struct rate_table *table, const char *key, uint64_t now_ms);
void rate_close(struct rate_table *table, struct rate_bucket *bucket, uint64_t now_ms);
/* One more of kind; false = too many. */
bool rate_take(const struct rate_table *table, struct rate_bucket *bucket, enum rate_kind kind,
               uint64_t now_ms);
/* Notes a refusal; true after ten seconds in which no whole second was free of them. */
bool rate_is_flood(struct rate_streak *streak, uint64_t now_ms);

#endif
