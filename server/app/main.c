/* Options, the loop, signals: from the command line to a server that runs, and back. */
#include <app/bridge.h>
#include <app/healthcheck.h>
#include <app/locate.h>
#include <app/options.h>
#include <app/replay_command.h>
#include <app/tokens.h>
#include <base/log.h>
#include <scene/scene.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EXIT_USAGE = 2 };

struct program {
    struct options options;
    struct net_token tokens[TOKENS_MAX];
    int token_count;
    bool tokens_made;
    char program_path[PATH_MAX], scene_dir[PATH_MAX], web_dir[PATH_MAX];
    uv_loop_t loop;
    uv_signal_t signals[2];
    struct bridge *bridge;
    bool stopping;
};

static const char *environment(const char *name) {
    return getenv(name);
}

static int fail(int status, const char *sentence) {
    fprintf(stderr, "clothd: %s\n", sentence);
    return status;
}

static int list_scenes(const struct program *program) {
    struct scene_list list;
    if (scene_list_read(program->options.scene_dir, &list) != 0) {
        fprintf(stderr, "clothd: the scene folder %s cannot be read\n", program->options.scene_dir);
        return EXIT_FAILURE;
    }
    for (uint32_t i = 0; i < list.count; ++i) {
        printf("%-12s %s%s%s\n", list.entries[i].name, list.entries[i].title,
               list.entries[i].description[0] ? ": " : "", list.entries[i].description);
    }
    scene_list_free(&list);
    return EXIT_SUCCESS;
}

static void fill_folders(struct program *program) {
    struct options *options = &program->options;
    locate_program(program->program_path, sizeof program->program_path);
    if (!options->scene_dir) {
        options->scene_dir =
            locate_folder(program->program_path, "../share/clothd/scenes", "../../server/scenes",
                          program->scene_dir, sizeof program->scene_dir);
    }
    if (!options->scene_dir) options->scene_dir = "scenes";
    if (!options->web_dir) {
        options->web_dir = locate_folder(program->program_path, "../share/clothd/web",
                                         "../../clients/web/dist", program->web_dir, sizeof program->web_dir);
    }
}

/* Tokens where they are needed; 0, or −1 and a sentence. */
static int fill_tokens(struct program *program, char *message, size_t message_size) {
    const struct options *options = &program->options;
    if (options->token_file) {
        program->token_count = tokens_read(options->token_file, program->tokens, message, message_size);
    } else if (!net_is_loopback(options->bind)) {
        program->token_count = tokens_make(program->tokens);
        program->tokens_made = true;
        if (program->token_count < 0)
            snprintf(message, message_size, "the system gives no random bytes for tokens");
    }
    return program->token_count < 0 ? -1 : 0;
}

/* The links, on standard output only: they are for a person, and may hold tokens. */
static void print_links(const struct program *program, uint16_t port) {
    const struct options *options = &program->options;
    const char *host = options->bind;
    if (strcmp(host, "0.0.0.0") == 0) host = "127.0.0.1";
    if (strcmp(host, "::") == 0) host = "::1";
    bool bracketed = strchr(host, ':') != NULL;
    if (!net_is_loopback(options->bind) && options->allow_hosts.count > 0) {
        host = options->allow_hosts.items[0];
        bracketed = false;
    }
    const char *open = bracketed ? "[" : "", *close = bracketed ? "]" : "";
    if (!program->tokens_made) {
        printf("http://%s%s%s:%u\n", open, host, close, port);
    }
    for (int i = 0; program->tokens_made && i < program->token_count; ++i) {
        printf("%s: http://%s%s%s:%u/#token=%s\n", tokens_role_name(program->tokens[i].role), open, host,
               close, port, program->tokens[i].text);
    }
    fflush(stdout);
}

static void on_stopped(void *context) {
    struct program *program = context;
    uv_stop(&program->loop);
}

static void on_signal(uv_signal_t *handle, int number) {
    struct program *program = handle->data;
    if (program->stopping) _exit(128 + number); /* asked twice: at once */
    program->stopping = true;
    log_line(LOG_INFO, "stopping signal=%d", number);
    bridge_drain(program->bridge, on_stopped, program);
}

static void run_loop(struct program *program) {
    static const int numbers[2] = {SIGTERM, SIGINT};
    for (int i = 0; i < 2; ++i) {
        uv_signal_init(&program->loop, &program->signals[i]);
        program->signals[i].data = program;
        uv_signal_start(&program->signals[i], on_signal, numbers[i]);
    }
    /* Only now: who waits for the link may send a signal at once. */
    print_links(program, bridge_port(program->bridge));
    uv_run(&program->loop, UV_RUN_DEFAULT);
    if (bridge_is_stuck(program->bridge)) {
        log_line(LOG_WARNING, "ending within a tick");
        bridge_close_sockets(program->bridge);
        _exit(EXIT_SUCCESS);
    }
    bridge_destroy(program->bridge);
    for (int i = 0; i < 2; ++i)
        uv_close((uv_handle_t *)&program->signals[i], NULL);
    uv_run(&program->loop, UV_RUN_DEFAULT);
}

static int serve(struct program *program) {
    const struct options *options = &program->options;
    char message[1024];
    if (fill_tokens(program, message, sizeof message) != 0) return fail(EXIT_FAILURE, message);
    signal(SIGPIPE, SIG_IGN); /* a closed socket or a closed log is no reason to end */
    if (uv_loop_init(&program->loop) != 0) return fail(EXIT_FAILURE, "the event loop cannot be created");
    const struct bridge_config config = {
        .sim = {.scene_dir = options->scene_dir,
                .scene = options->scene,
                .mesh_file = options->mesh,
                .paused = options->paused,
                .version = app_version(),
                .build = app_build(),
                .limits = {.max_worlds = (uint32_t)options->max_worlds,
                           .max_vertices_per_world = (uint32_t)options->max_vertices_per_world,
                           .max_vertices = (uint32_t)options->max_vertices,
                           .max_grabs = (uint32_t)options->max_grabs,
                           .max_snapshots = (uint32_t)options->max_snapshots,
                           .max_snapshot_bytes = (uint32_t)options->max_snapshot_bytes,
                           .max_log_bytes = (uint32_t)options->max_log_bytes,
                           .max_json_depth = (uint32_t)options->max_json_depth}},
        .net = {.bind = options->bind,
                .port = (uint16_t)options->port,
                .web_dir = options->web_dir,
                .tokens = program->tokens,
                .token_count = (uint32_t)program->token_count,
                .allow_hosts = options->allow_hosts.items,
                .allow_host_count = options->allow_hosts.count,
                .allow_origins = options->allow_origins.items,
                .allow_origin_count = options->allow_origins.count,
                .max_clients = (uint32_t)options->max_clients,
                .max_message_bytes = (size_t)options->max_message_bytes,
                .handshake_s = (uint32_t)options->handshake_s,
                .lane_max_messages = 256,
                .lane_max_bytes = 1024 * 1024,
                .send_buffer_bytes = 64 * 1024},
        .command_rate = (uint32_t)options->command_rate,
    };
    program->bridge = bridge_create(&program->loop, &config, message, sizeof message);
    int status = EXIT_SUCCESS;
    if (program->bridge) {
        run_loop(program);
    } else {
        status = fail(EXIT_FAILURE, message);
    }
    uv_loop_close(&program->loop);
    return status;
}

int main(int argc, char **argv) {
    static struct program program;
    char message[512];
    if (options_parse(&program.options, argc, argv, environment, message, sizeof message) != 0) {
        return fail(EXIT_USAGE, message);
    }
    int status = EXIT_SUCCESS;
    fill_folders(&program);
    switch (program.options.action) {
    case OPTIONS_RUN:
        status = serve(&program);
        break;
    case OPTIONS_LIST_SCENES:
        status = list_scenes(&program);
        break;
    case OPTIONS_HEALTHCHECK:
        status = healthcheck_main(&program.options);
        break;
    case OPTIONS_REPLAY:
        status = replay_command_main(&program.options, stdout, stderr);
        break;
    case OPTIONS_PRINT_CONFIG:
        options_print_config(&program.options, stdout);
        break;
    case OPTIONS_VERSION:
        printf("clothd %s (protocol 1, %s)\n", app_version(), app_build());
        break;
    case OPTIONS_HELP:
        options_print_help(stdout);
        break;
    }
    options_free(&program.options);
    return status;
}
