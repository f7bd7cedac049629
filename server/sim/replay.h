/* Running a command log again, on a world of its own that nobody sees, and comparing the state
 * with the log's checks (physics.md §9).
 *
 *   start → steps → check? → commands of this boundary → steps → … → the last check
 *
 * What only concerns clocks and clients (pause, resume, world.step) is passed over. It ends with the
 * first difference. */
#ifndef SIM_REPLAY_H
#define SIM_REPLAY_H

#include <sim/simulation.h>
#include <wire/json_write.h>

enum replay_difference {
    REPLAY_IDENTICAL,
    REPLAY_OBJECT,  /* a cloth or collider, see object */
    REPLAY_STATE,   /* the hash alone: no object's fingerprint differs */
    REPLAY_COMMAND, /* one that the log says was applied is refused here */
};

struct replay_report {
    enum replay_difference difference;
    uint64_t steps; /* reached, or where it differs first */
    uint32_t tick;
    uint32_t checks, commands; /* that were the same */
    bool had_check;            /* that was the same before the difference */
    uint64_t checked_steps;    /* the last of them */
    uint32_t checked_tick;
    enum object_kind kind;
    char object[65];
    bool has_vertex;
    uint32_t vertex;
    uint64_t seq;    /* of the command */
    char text[1024]; /* of a difference: one sentence */
};

struct replay;

/* Builds the start. log must stay as long as the replay. NULL with *error: the log contradicts
 * itself, its scene is refused, or memory is out; paths begin with prefix ("log." or ""). */
struct replay *replay_open(struct sim *sim, const struct wire_log *log, const char *prefix,
                           struct wire_error *error);
/* Runs on until sim_now reaches end_us (UINT64_MAX: to the end); true: it is over. hashes: per
 * check reached an object {steps, tick, state_hash} of this run is appended; NULL: not wanted. */
bool replay_advance(struct replay *replay, uint64_t end_us, struct json *hashes);
const struct replay_report *replay_get_report(const struct replay *replay);
/* Vertices of its world, for limits. */
uint64_t replay_vertices(const struct replay *replay);
void replay_close(struct replay *replay);

#endif
