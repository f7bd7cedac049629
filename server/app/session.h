/* What the bridge knows of each session, by client id. */
#ifndef APP_SESSION_H
#define APP_SESSION_H

#include <app/rate.h>
#include <net/net.h>
#include <sim/sim.h>

enum { SESSION_BUCKETS = 256 };

struct session {
    struct session *next;
    uint32_t client;
    enum net_role role;
    bool loopback, refused; /* refused: its version; nothing it says is read */
    bool held;
    uint32_t unanswered;
    bool heavy; /* among the unanswered is one that may take long */
    struct rate_bucket *bucket;
    struct rate_streak streak;
    struct delivery_counters *counters;
};

struct session_table {
    struct session *buckets[SESSION_BUCKETS];
};

/* NULL when out of memory. The counters get one reference. */
struct session *session_add(struct session_table *table, uint32_t client);
struct session *session_find(const struct session_table *table, uint32_t client);
void session_remove(struct session_table *table, struct session *session);

/* Worlds that are paused: they decide what counts against a rate. */
struct world_states {
    char (*paused)[65];
    uint32_t count, capacity;
};
/* False when out of memory; a world that is then unknown counts as running. */
bool world_states_set(struct world_states *states, const char *name, bool exists, bool paused);
bool world_states_is_paused(const struct world_states *states, const char *name);
void world_states_free(struct world_states *states);

#endif
