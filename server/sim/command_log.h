/* The log of a world: every applied ★ command since the load, and checks of the state between
 * them, so that the same can be run again elsewhere and compared (physics.md §9).
 *
 *   steps 0 ── check every n ── commands at a boundary ── check … ── now
 *
 * `steps` counts the ticks that were run since the load; unlike the tick it goes on through resets
 * and restores. Entries are kept as the JSON text that world.log answers, arrays whole and floats
 * exact; meshes of files are inline. The memory is bounded: a command that does not fit ends the
 * log, which stays true up to there and says so. Checks thin out by themselves: when there are too
 * many, every second one goes and the distance doubles. */
#ifndef SIM_COMMAND_LOG_H
#define SIM_COMMAND_LOG_H

#include <sim/content.h>
#include <wire/json_write.h>

enum {
    COMMAND_LOG_FORMAT = 1,
    COMMAND_LOG_FIRST_EVERY = 4,
    COMMAND_LOG_MAX_CHECKS = 512,
};

/* A check as text: {"steps":…,"tick":…,"state_hash":…,"cloths":[…],"colliders":[…]}. */
struct log_mark {
    char *text;
    size_t length;
};

struct command_log {
    uint64_t steps;
    uint64_t ended_at; /* steps at which it ended, valid when ended */
    bool ended;        /* something did not fit */
    uint32_t command_count;
    char *commands; /* entries with commas between, without brackets */
    size_t length, capacity;
    uint32_t every; /* steps between checks */
    struct log_mark *checks;
    uint32_t check_count;
    size_t check_bytes, max_bytes;
};

void command_log_init(struct command_log *log, size_t max_bytes);
void command_log_free(struct command_log *log);
/* Empty again, after a load. */
void command_log_clear(struct command_log *log);
/* The same history for a clone; false when out of memory. */
bool command_log_copy(struct command_log *copy, const struct command_log *log);

/* A tick was run: counts it and takes a check where one is due. */
void command_log_tick(struct command_log *log, const struct content *content);

struct log_command {
    uint64_t seq;
    uint32_t tick, client;
    const char *method;
    const char *params; /* a JSON object; NULL: there was no memory for it */
};
/* Appends a command that was applied at the present steps. Returns false where this one ended the
 * log; later ones are passed over with true. */
bool command_log_add(struct command_log *log, const struct log_command *command);

/* The params of an applied command as the log has them, malloc'd, NULL when out of memory: to be
 * asked for while the content is as the command left it, since what came from a file is described
 * from there. */
char *command_log_params(const struct content *content, const struct wire_request *request);
/* Whether the log holds such commands: not those that begin a log anew or end the world. */
bool command_log_holds(enum wire_command command);

/* The check of a content as a value. */
void command_log_check(struct json *json, const struct content *content, uint64_t steps);

#endif
