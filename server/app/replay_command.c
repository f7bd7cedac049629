/* Reading a log, running it, saying what came of it. */
#include <app/replay_command.h>
#include <errno.h>
#include <inttypes.h>
#include <scene/scene_file.h>
#include <sim/replay.h>
#include <stdlib.h>
#include <string.h>

/* All of standard input, NUL-terminated; NULL with errno. */
static char *read_input(size_t *length) {
    size_t capacity = 1 << 16;
    char *text = malloc(capacity);
    *length = 0;
    while (text) {
        *length += fread(text + *length, 1, capacity - *length - 1, stdin);
        if (*length + 1 < capacity) break;
        capacity *= 2;
        char *longer = realloc(text, capacity);
        if (!longer) free(text);
        text = longer;
    }
    if (text) text[*length] = '\0';
    return text;
}

static char *read_log(const char *path, size_t *length) {
    return strcmp(path, "-") == 0 ? read_input(length) : scene_file_read(path, length);
}

static int refuse(FILE *errors, const char *path, struct wire_error *error) {
    fprintf(errors, "clothd: %s: %s\n", path, error->message);
    free(error->data_json);
    return REPLAY_UNREADABLE;
}

static void print_difference(const struct replay_report *report, FILE *out) {
    fprintf(out, "differs at tick %u", report->tick);
    if (report->difference == REPLAY_OBJECT) {
        fprintf(out, ": %s \"%s\"", report->kind == OBJECT_CLOTH ? "cloth" : "collider", report->object);
        if (report->has_vertex) fprintf(out, ", vertex %u", report->vertex);
    } else if (report->difference == REPLAY_COMMAND) {
        fprintf(out, ": command %" PRIu64, report->seq);
    } else {
        fprintf(out, ": no single object");
    }
    if (report->had_check) {
        fprintf(out, " (the same at tick %u)", report->checked_tick);
    }
    fprintf(out, "\n%s\n", report->text);
}

static int run(struct sim *sim, const char *path, const struct wire_log *log, FILE *out, FILE *errors) {
    struct wire_error error = {0};
    struct replay *replay = replay_open(sim, log, "", &error);
    if (!replay) return refuse(errors, path, &error);
    replay_advance(replay, UINT64_MAX, NULL);
    const struct replay_report *report = replay_get_report(replay);
    bool same = report->difference == REPLAY_IDENTICAL;
    if (same) {
        fprintf(out, "identical\n");
    } else {
        print_difference(report, out);
    }
    if (!log->complete) {
        fprintf(errors, "clothd: the log is not complete: it ended after %" PRId64 " ticks, at its limit\n",
                log->steps);
    }
    replay_close(replay);
    return same ? REPLAY_SAME : REPLAY_OTHER;
}

static void tell_version(const struct wire_log *log, FILE *errors) {
    char here[64];
    snprintf(here, sizeof here, "clothd %s", app_version());
    if (strcmp(here, log->server) == 0) return;
    fprintf(errors, "clothd: the log is of %s, this is %s: another version may compute other states\n",
            log->server, here);
}

int replay_command_main(const struct options *options, FILE *out, FILE *errors) {
    const char *path = options->replay_file;
    size_t length = 0;
    char *text = read_log(path, &length);
    if (!text) {
        fprintf(errors, "clothd: the log %s cannot be read: %s\n", path, scene_file_reason(errno));
        return REPLAY_UNREADABLE;
    }
    struct wire_error error;
    struct wire_request *request = wire_log_decode(text, length, &error);
    free(text);
    if (!request && strcmp(error.path, "format") == 0 && strcmp(error.reason, "out_of_range") == 0) {
        fprintf(errors, "clothd: the log is of another version of clothd, this is %s\n", app_version());
    }
    if (!request) return refuse(errors, path, &error);
    const struct wire_log *log = request->params;
    char message[256];
    const struct sim_config config = {
        .paused = true,
        .version = app_version(),
        .build = app_build(),
        .limits = {.max_worlds = 1,
                   .max_vertices_per_world = (uint32_t)options->max_vertices_per_world,
                   .max_vertices = (uint32_t)options->max_vertices,
                   .max_grabs = (uint32_t)options->max_grabs,
                   .max_snapshots = (uint32_t)options->max_snapshots,
                   .max_snapshot_bytes = (uint32_t)options->max_snapshot_bytes,
                   .max_message_bytes = (uint32_t)options->max_message_bytes}};
    struct sim *sim = sim_create(&config, message, sizeof message);
    int status = REPLAY_UNREADABLE;
    if (sim) {
        tell_version(log, errors);
        status = run(sim, path, log, out, errors);
        sim_destroy(sim);
    } else {
        fprintf(errors, "clothd: %s\n", message);
    }
    wire_request_destroy(request);
    return status;
}
