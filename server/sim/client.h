/* The clients of a simulation and the requests that each still waits for.
 *
 * A client's requests are executed in the order in which they came; those whose world
 * is not ready for them (a running world takes commands at its tick boundary) wait in
 * the client's queue and everything behind them waits too. */
#ifndef SIM_CLIENT_H
#define SIM_CLIENT_H

#include <sim/sim.h>

/* A client that sends faster than its worlds take it is refused beyond these (busy). */
enum { CLIENT_MAX_PENDING = 4096 };
#define CLIENT_MAX_PENDING_BYTES ((size_t)64 << 20)

struct pending {
    struct wire_request *request;
    uint64_t arrival; /* rises over all clients: the order at a tick boundary */
    struct pending *next;
};

struct client {
    uint32_t id;
    enum sim_role role;
    struct delivery_counters *counters; /* our reference; may be NULL */
    char name[65];
    char color[33];
    bool presented; /* has set a name or colour, so others know of it */
    bool stepping;  /* its world.step is running: everything behind it waits */
    struct pending *first, *last;
    uint32_t pending_count;
    size_t pending_bytes;
};

/* In ascending order of id. */
struct client_table {
    struct client **items;
    uint32_t count, capacity;
};

/* NULL when out of memory; otherwise the reference to counters (may be NULL) moves.
 * The id is larger than every one before it. */
struct client *sim_client_add(struct client_table *table, uint32_t id, enum sim_role role,
                              struct delivery_counters *counters);
/* NULL when there is none. */
struct client *sim_client_find(const struct client_table *table, uint32_t id);
/* Frees it with its waiting requests; returns how many those were. */
uint32_t sim_client_remove(struct client_table *table, struct client *client);
void sim_client_table_free(struct client_table *table);

/* Appends; false when the queue is full or memory is out: the caller keeps the request. */
bool sim_client_queue(struct client *client, struct wire_request *request, uint64_t arrival);
/* Takes the first; the caller owns it. NULL when none waits. */
struct wire_request *sim_client_unqueue(struct client *client);

#endif
