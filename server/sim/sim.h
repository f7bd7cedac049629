/* The tick layer as the bridge sees it: requests in, messages and frames out.
 *
 * One simulation runs on one thread with its own libuv loop. Two bounded queues join
 * it to the net thread; neither side ever waits for the other:
 *
 *   net thread: sim_push(input)  ──inbox──▶ sim thread: tick boundary → handler → step → publish
 *   net thread: sim_pop()        ◀─outbox── (config.wake is called once per batch)
 */
#ifndef SIM_H
#define SIM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <base/buffer.h>
#include <wire/commands.h>

struct sim;

enum sim_role { SIM_ROLE_VIEW, SIM_ROLE_CONTROL };

/* Written by the net thread, read by the sim for `stats` and the rate divisor.
 * Counted: one reference for the net's client, one for the sim's. */
struct delivery_counters {
    _Atomic uint32_t refs;
    _Atomic uint64_t frames_sent, frames_skipped, bytes_sent;
    _Atomic uint32_t acked_tick; /* of the last stream.ack */
};

/* Every limit of protocol.md §5, as hello.limits announces it. */
struct sim_limits {
    uint32_t max_clients, max_worlds, max_vertices_per_world, max_vertices, max_grabs; /* grabs: of a world */
    uint32_t max_snapshots, max_snapshot_bytes; /* of a world; of all worlds together */
    uint32_t max_log_bytes;                     /* of a world's command log */
    uint32_t max_message_bytes, max_json_depth, command_rate, handshake_s;
};

struct sim_config {
    const char *scene_dir; /* folder of the shipped scenes */
    const char *scene;     /* a scene's name or a path to a .json file; NULL = empty world */
    const char *mesh_file; /* --mesh: hang this mesh by its highest vertices; overrides scene */
    bool paused;           /* main stays paused; else it runs from the first client on */
    const char *version, *build;
    struct sim_limits limits;
    void (*wake)(void *context); /* sim thread → net thread: outputs are waiting */
    void *wake_context;
};

enum sim_input_kind {
    SIM_CLIENT_OPEN,  /* → hello */
    SIM_CLIENT_CLOSE, /* frees what the client held */
    SIM_REQUEST,      /* a decoded command; ownership of request moves */
    SIM_WANT_KEY,     /* a member of the tier needs a key */
};

struct sim_input {
    enum sim_input_kind kind;
    uint32_t client; /* never reused within a process */
    union {
        struct {
            enum sim_role role;
            bool loopback;
            char session[33];
            struct delivery_counters *counters; /* reference moves */
        } open;
        struct wire_request *request;
        uint32_t tier;
    };
};

enum sim_output_kind {
    SIM_TEXT,        /* buffer → client's control lane */
    SIM_BINARY,      /* buffer → client's reliable lane, after earlier texts */
    SIM_JOIN,        /* client becomes a member of tier, or already is one: it needs a key first */
    SIM_LEAVE,       /* client leaves tier */
    SIM_MOVE,        /* client goes over from one tier of a world to another; what it owes stays owed */
    SIM_FRAME,       /* tier: delta and/or key of one tick */
    SIM_TIER_END,    /* tier is gone */
    SIM_CLOSE,       /* close client with code and reason */
    SIM_WORLD_STATE, /* a world appeared, paused, resumed or went: for rate rules */
};

/* Freed with sim_output_free (drops the buffers). */
struct sim_output {
    struct sim_output *next; /* the sim's own, while the outbox is full */
    enum sim_output_kind kind;
    uint32_t client;
    uint32_t tier;
    uint32_t tick, base_tick;   /* SIM_FRAME: delta builds on base_tick */
    struct buffer *buffer;      /* TEXT, BINARY */
    struct buffer *delta, *key; /* SIM_FRAME; either may be NULL, not both */
    uint16_t close_code;
    uint32_t from;       /* SIM_MOVE: the tier it leaves */
    bool ack;            /* SIM_JOIN: the client acknowledges frames */
    bool exists, paused; /* SIM_WORLD_STATE */
    char name[65];       /* SIM_WORLD_STATE: the world; SIM_CLOSE: the reason */
};

/* Loads the scene on the calling thread; on failure NULL and one sentence in message. */
struct sim *sim_create(const struct sim_config *config, char *message, size_t message_size);
/* Starts the thread. 0 or a negative errno. */
int sim_start(struct sim *sim);
/* Asks the thread to stop after the running tick, which may take minutes; returns at once:
 * whether it has stopped, so that sim_stop would not wait. */
bool sim_ask_stop(struct sim *sim);
/* Stops the thread after the running slice, joins it. Outputs left stay poppable. */
void sim_stop(struct sim *sim);
void sim_destroy(struct sim *sim);

/* Net thread. false = inbox full: the caller answers `busy` and still owns input. */
bool sim_push(struct sim *sim, struct sim_input *input);
/* Net thread. NULL = nothing waits. */
struct sim_output *sim_pop(struct sim *sim);
struct sim_input *sim_input_create(enum sim_input_kind kind, uint32_t client);
void sim_input_free(struct sim_input *input);
void sim_output_free(struct sim_output *output);

/* Counters for /metrics; any thread. */
struct sim_metrics {
    uint64_t ticks_total, late_ticks_total;
    uint64_t step_count, step_us_sum, step_bucket[12]; /* not cumulative; le 0.1 0.2 0.5 1 2 5 10 20 50
                                                          100 200 ms, and what is longer */
    uint64_t encode_count, encode_us_sum, encode_bucket[12];
    size_t inbox_count, outbox_count;
    uint32_t worlds;
    uint64_t commands_done[WIRE_COMMAND_COUNT], commands_failed[WIRE_COMMAND_COUNT]; /* executed by the sim */
};
void sim_get_metrics(const struct sim *sim, struct sim_metrics *metrics);

struct delivery_counters *delivery_counters_create(void);
void delivery_counters_unref(struct delivery_counters *counters);

#endif
