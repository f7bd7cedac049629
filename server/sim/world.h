/* A world on the server: its content, its clock, its clients, its tiers.
 *
 *   member  = a client that subscribed to the world or sent it a ★ command: gets events
 *   subscription = a member's stream; each belongs to one tier of the world
 */
#ifndef SIM_WORLD_H
#define SIM_WORLD_H

#include <sim/client.h>
#include <sim/clock.h>
#include <sim/command_log.h>
#include <sim/content.h>
#include <sim/grab.h>
#include <sim/saved.h>
#include <sim/step_times.h>
#include <sim/tier.h>

struct subscription {
    struct tier *tier;
    double max_hz;         /* 0 = every tick */
    uint32_t base_divisor; /* from max_hz */
    bool ack;
    /* the window of the rate rule, see rate.h */
    uint64_t window_us;
    uint64_t window_sent, window_skipped;
    uint32_t clean_windows;
};

struct member {
    struct client *client;
    struct subscription *subscription; /* NULL: only sent commands */
};

/* A running world.step. */
struct step_job {
    struct client *client; /* NULL = none runs */
    struct wire_request *request;
    uint32_t remaining, done;
    char *results;         /* JSON array: what its commands answered; NULL: it had none */
    uint64_t published_us; /* last intermediate frame */
};

/* An object that subscribers must still be told is gone. */
struct gone_object {
    enum object_kind kind;
    uint16_t index;
    uint32_t epoch;
    char name[65];
};

/* A `collider.move` or `cloth.drag` event of a fast drag, held back until it is due (2 Hz). */
struct drag {
    struct drag *next;
    uint32_t client;
    enum wire_command command;
    uint32_t what;   /* the collider's object index, or the grab's number */
    uint64_t due_us; /* when the held event may go, and the next one at once */
    uint32_t tick;   /* of the held command */
    char *params;    /* JSON object of the held command, NULL = none is held */
};

struct world {
    char name[65];
    uint16_t index; /* in frames and `mesh` */
    bool gone;      /* destroyed, freed at the end of the run */
    struct content content;
    uint32_t epoch;
    struct clock clock; /* clock.running: the world runs */
    struct step_job job;
    uint32_t end_us; /* server_us of the state as it is now */
    bool dirty;      /* changed since the last publication, while no tick follows */

    struct member *members;
    uint32_t member_count, member_capacity;
    struct tier **tiers;
    uint32_t tier_count, tier_capacity;
    uint64_t event_seq;
    struct drag *drags;
    struct grab_table grabs;
    struct saved_table saved;
    struct command_log log;

    bool announce_all; /* a new epoch: everything is told again */
    struct gone_object *gone_objects;
    uint32_t gone_count, gone_capacity;

    struct step_times times;
    uint64_t stats_due_us;
    uint64_t rate_from_us;
    uint32_t rate_ticks; /* ticks since rate_from_us */
    double tick_rate;    /* measured over the last second, 1/s */
};

/* Takes the content (also on failure). NULL when out of memory. max_log_bytes: of its command log. */
struct world *world_open(const char *name, uint16_t index, struct content *content, size_t max_log_bytes,
                         uint64_t now_us);
/* Frees it; tiers and members must be gone from the clients' side already. */
void world_close(struct world *world);

/* Ticks come by themselves, so that commands wait for the next boundary. */
bool world_is_ticking(const struct world *world);
uint32_t world_tick(const struct world *world);
/* One tick of the solver, and the log knows of it. Touches nothing but this world. */
void world_advance(struct world *world);

/* NULL when out of memory. */
struct member *world_member_add(struct world *world, struct client *client);
struct member *world_member_find(const struct world *world, const struct client *client);
void world_member_remove(struct world *world, struct client *client);
uint32_t world_subscriber_count(const struct world *world);

/* Remembers that subscribers must be told; false when out of memory. */
bool world_note_gone(struct world *world, const struct object *object);
/* Another content in place of the old one (load), the old one at its start (reset) or as it was
 * saved (restore): notes every object that is not among the new ones as gone and begins a new
 * epoch. A load drops what was saved; a restore brings the grabs back. */
bool world_replace_content(struct world *world, struct content *content, uint64_t now_us);
bool world_reset_content(struct world *world, uint64_t now_us, struct wire_error *error);
bool world_restore_content(struct world *world, const struct saved *saved, uint64_t now_us,
                           struct wire_error *error);

#endif
