/* What can be said on the command line or in the environment: one table of flag,
 * variable, default and help, from which parsing, --help and --print-config follow. */
#ifndef APP_OPTIONS_H
#define APP_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { OPTIONS_LIST_MAX = 32 };

struct options_list {
    const char *items[OPTIONS_LIST_MAX];
    uint32_t count;
};

enum options_action {
    OPTIONS_RUN,
    OPTIONS_LIST_SCENES,
    OPTIONS_HEALTHCHECK,
    OPTIONS_REPLAY,
    OPTIONS_PRINT_CONFIG,
    OPTIONS_VERSION,
    OPTIONS_HELP
};

/* Texts point into argv, the environment or static memory, or to what options_free frees. */
struct options {
    const char *bind, *scene, *scene_dir, *mesh, *web_dir, *token_file;
    const char *replay_file;    /* of the action OPTIONS_REPLAY */
    int64_t port, command_rate; /* command_rate 0: 2000 on loopback, 100 elsewhere */
    int64_t max_clients, max_worlds, max_vertices_per_world, max_vertices, max_grabs;
    int64_t max_snapshots, max_snapshot_bytes, max_log_bytes;
    int64_t max_message_bytes, max_json_depth, handshake_s;
    bool paused;
    bool port_given; /* by a flag or a variable */
    struct options_list allow_hosts, allow_origins;
    enum options_action action;
    char *allocated[2 * OPTIONS_LIST_MAX]; /* items cut out of comma-separated lists */
    uint32_t allocated_count;
};

/* Flags win over variables (CLOTHD_…), variables over defaults. environment: like getenv.
 * 0, or −1 and one sentence in message. */
int options_parse(struct options *options, int argc, char *const *argv,
                  const char *(*environment)(const char *name), char *message, size_t message_size);
void options_free(struct options *options);

void options_print_help(FILE *file);
/* One line per option with the value that holds. */
void options_print_config(const struct options *options, FILE *file);

const char *app_version(void);
const char *app_build(void);

#endif
