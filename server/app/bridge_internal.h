/* What the two halves of the bridge share: requests.c takes what net hands up,
 * bridge.c gives to net what the simulation says, and starts and ends both. */
#ifndef APP_BRIDGE_INTERNAL_H
#define APP_BRIDGE_INTERNAL_H

#include <app/bridge.h>
#include <app/session.h>
#include <wire/json_write.h>

enum {
    BRIDGE_UNANSWERED_HOLD = 64, /* requests under way: not read from above, read again below */
    BRIDGE_UNANSWERED_RESUME = 32,
    BRIDGE_HEAVY_BYTES = 65536
};

struct deferred {
    struct deferred *next;
    struct sim_input *input;
};

struct bridge {
    uv_loop_t *loop;
    uv_async_t wake;
    uv_timer_t retry_timer; /* deferred inputs */
    uv_timer_t drain_timer;
    uint32_t open_handles;
    struct net *net;
    struct sim *sim;
    struct sim_limits limits;
    const char *version, *build;
    bool running, draining;
    bool stuck; /* the simulation did not stop in time */
    uint32_t stop_waited_ms;
    struct session_table sessions;
    struct world_states worlds;
    struct rate_table rates;
    /* Ends of sessions that the full inbox could not take; nothing else waits. */
    struct deferred *deferred_first, *deferred_last;
    struct bridge_metrics metrics;
    void (*stopped)(void *context);
    void *stopped_context;
};

/* requests.c */
struct net_callbacks requests_callbacks(struct bridge *bridge);
void requests_init(struct bridge *bridge);
/* Reads again from a client, or stops, by the requests that it has under way. */
void requests_update_hold(struct bridge *bridge, struct session *session);
/* Sends what json holds and frees it. Out of memory: the client goes, since control is never dropped. */
void requests_send_json(struct bridge *bridge, uint32_t client, struct json *json);

#endif
