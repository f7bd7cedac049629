/* The tick layer's inside: worlds, clients, and the order in which things happen.
 *
 * simulation_run does one round and says when it wants the next; the loop (loop.c) calls
 * it from a timer, a test from a for loop with a clock of its own:
 *
 *   flush what the outbox held back
 *   inbox → clients' queues → what can be executed at once
 *   per world:  a running world.step → one slice
 *               its next tick is due → the commands that wait for this boundary, the tick, frames
 *   worlds that changed without a tick → a key of the same tick
 *   what comes once a second
 *
 * ★ A command for a running world waits for its tick boundary, in arrival order over all
 * clients, unless the boundary is more than SIM_FAR_US away: the world stands at that very
 * boundary until then, so that the result is the same. */
#ifndef SIM_SIMULATION_H
#define SIM_SIMULATION_H

#include <scene/scene.h>
#include <sim/meter.h>
#include <sim/outbox.h>
#include <sim/world.h>
#include <wire/json_write.h>

enum {
    SIM_SLICE_US = 5000, /* a world.step runs this long at a stretch */
    SIM_DRAIN_US = 4000, /* and requests before the worlds have their turn */
    SIM_FAR_US = 100000,
    SIM_OVERFLOW_STOP = 4096, /* control messages held back before requests are left in the inbox */
};

struct loop; /* loop.h */

struct replay; /* replay.h */

/* A running world.replay. */
struct replay_job {
    struct client *client; /* NULL = none runs */
    struct wire_request *request;
    struct replay *replay;
    struct json hashes;
};

struct sim {
    struct sim_config config; /* its strings are our copies */
    char server[96];          /* "clothd 0.1.0" */
    struct queue *inbox;
    struct outbox outbox;
    struct client_table clients;
    struct world **worlds;
    uint32_t world_count, world_capacity;
    uint16_t next_world_index;
    uint32_t next_tier;
    uint64_t arrivals;
    uint32_t pending_total; /* requests that wait in clients' queues */
    struct scene_list scenes;
    struct tier_scratch scratch;
    struct meter meter;
    uint64_t (*now_us)(void *context); /* CLOCK_MONOTONIC, or a test's own */
    void *now_context;
    struct loop *loop;
    struct replay_job replay_job;
    bool main_waits; /* main runs from the first client on, so that who opens the page sees it start */
};

/* One round. Returns when the next one is needed: a time of now_us, 0 = at once,
 * CLOCK_NEVER = only when something is pushed. */
uint64_t simulation_run(struct sim *sim);

uint64_t sim_now(const struct sim *sim);
struct world *sim_find_world(const struct sim *sim, const char *name);
/* Takes the content (also on failure) and tells the net thread. NULL = out of memory. */
struct world *sim_add_world(struct sim *sim, const char *name, struct content *content, bool running);
/* Ends its tiers and members; the memory goes at the end of the round. */
void sim_remove_world(struct sim *sim, struct world *world);
/* Runs or pauses and tells the net thread. */
void sim_set_running(struct sim *sim, struct world *world, bool running);

/* Room for vertices: of this world (NULL: a new one; one that is not among the sim's counts, too);
 * fresh: its present ones will go. */
struct content_room sim_room(const struct sim *sim, const struct world *world, bool fresh);

#endif
