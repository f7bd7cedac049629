/* A log run again. */
#include "sim/replay.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/dispatch.h"
#include "sim/fingerprint.h"
#include "sim/load.h"

struct replay {
    struct sim *sim;
    const struct wire_log *log;
    struct world *world;
    struct client client; /* whose id is that of the command's */
    uint32_t next_command, next_check;
    uint64_t steps;
    bool over;
    struct replay_report report;
};

/* ---- the log by itself ---- */

static bool fail_order(struct wire_error *error, const char *prefix, const char *list, uint32_t i,
                       int64_t got, int64_t low, int64_t high) {
    char path[96];
    snprintf(path, sizeof path, "%s%s[%u].steps", prefix, list, i);
    WIRE_FAIL(error, out_of_range, path,
              "%s is %lld; allowed is from %lld, that of the one before, to %lld, the log's.", path,
              (long long)got, (long long)low, (long long)high);
    return false;
}

static bool is_replayable(enum wire_command command) {
    return command_log_holds(command) && command != WIRE_world_replay;
}

static bool check_log(const struct wire_log *log, const char *prefix, struct wire_error *error) {
    int64_t last = 0;
    for (uint32_t i = 0; i < log->commands_count; ++i) {
        const struct wire_log_entry *entry = &log->commands[i];
        if (entry->steps < last || entry->steps > log->steps)
            return fail_order(error, prefix, "commands", i, entry->steps, last, log->steps);
        last = entry->steps;
        if (is_replayable(entry->method)) continue;
        char path[96];
        snprintf(path, sizeof path, "%scommands[%u].method", prefix, i);
        WIRE_FAIL(error, out_of_range, path, "%s is \"%s\", which no log holds.", path,
                  wire_command_get_info(entry->method)->method);
        return false;
    }
    last = 0;
    for (uint32_t i = 0; i < log->checks_count; ++i) {
        if (log->checks[i].steps < last || log->checks[i].steps > log->steps)
            return fail_order(error, prefix, "checks", i, log->checks[i].steps, last, log->steps);
        last = log->checks[i].steps;
    }
    if (log->has_end != WIRE_PRESENT || log->end.steps == log->steps) return true;
    char path[96];
    snprintf(path, sizeof path, "%send.steps", prefix);
    WIRE_FAIL(error, out_of_range, path, "%s is %lld; allowed is %lld, the log's.", path,
              (long long)log->end.steps, (long long)log->steps);
    return false;
}

struct replay *replay_open(struct sim *sim, const struct wire_log *log, const char *prefix,
                           struct wire_error *error) {
    if (!check_log(log, prefix, error)) return NULL;
    struct content content;
    struct content_room room = sim_room(sim, NULL, true);
    char start[64];
    snprintf(start, sizeof start, "%sstart.", prefix);
    if (content_build(&content, &log->start, NULL, &room, start, error) != 0) return NULL;
    struct replay *replay = calloc(1, sizeof *replay);
    struct world *world = NULL;
    if (replay) {
        world = world_open(log->world, 0, &content, 0, sim_now(sim));
    } else {
        content_free(&content);
    }
    if (!world) {
        free(replay);
        WIRE_FAIL(error, out_of_memory, "", "The server had no memory for this request.");
        return NULL;
    }
    *replay = (struct replay){.sim = sim, .log = log, .world = world, .client = {.role = SIM_ROLE_CONTROL}};
    return replay;
}

/* ---- comparing ---- */

static bool is_marked_same(struct replay *replay, const struct wire_log_cloth *want) {
    struct replay_report *report = &replay->report;
    const struct content *content = &replay->world->content;
    const struct object *cloth = object_find(&content->objects, OBJECT_CLOTH, want->cloth);
    struct pbd_cloth_view view;
    report->has_vertex = false;
    report->kind = OBJECT_CLOTH;
    snprintf(report->object, sizeof report->object, "%s", want->cloth);
    if (!cloth || pbd_cloth_get_view(content->pbd, cloth->id, &view) != PBD_OK) {
        snprintf(report->text, sizeof report->text, "cloth \"%s\" of the log is not there.", want->cloth);
        return false;
    }
    char *marks = fingerprint_marks(&view);
    size_t got = marks ? strlen(marks) : 0, length = strlen(want->marks);
    if (got != length) {
        snprintf(report->text, sizeof report->text, "cloth \"%s\" has %zu vertices, in the log %zu.",
                 want->cloth, got / FINGERPRINT_CHARACTERS, length / FINGERPRINT_CHARACTERS);
        free(marks);
        return false;
    }
    size_t at = 0;
    while (at < length && marks[at] == want->marks[at])
        ++at;
    if (at < length) {
        uint32_t vertex = (uint32_t)(at / FINGERPRINT_CHARACTERS), p = view.vertex_particle[vertex];
        report->has_vertex = true;
        report->vertex = vertex;
        snprintf(report->text, sizeof report->text,
                 "cloth \"%s\", vertex %u: here it is at [%.9g,%.9g,%.9g] with velocity [%.9g,%.9g,%.9g].",
                 want->cloth, vertex, (double)view.x[p], (double)view.y[p], (double)view.z[p],
                 (double)view.vx[p], (double)view.vy[p], (double)view.vz[p]);
    }
    free(marks);
    return at == length;
}

static bool is_placed_same(struct replay *replay, const struct wire_log_collider *want) {
    struct replay_report *report = &replay->report;
    const struct content *content = &replay->world->content;
    const struct object *collider = object_find(&content->objects, OBJECT_COLLIDER, want->collider);
    struct pbd_collider_state state;
    char mark[FINGERPRINT_MARK_BYTES + 1];
    report->has_vertex = false;
    report->kind = OBJECT_COLLIDER;
    snprintf(report->object, sizeof report->object, "%s", want->collider);
    if (!collider || pbd_collider_get(content->pbd, collider->id, &state) != PBD_OK) {
        snprintf(report->text, sizeof report->text, "collider \"%s\" of the log is not there.",
                 want->collider);
        return false;
    }
    fingerprint_collider(&state, mark);
    if (strcmp(mark, want->mark) == 0) return true;
    snprintf(report->text, sizeof report->text, "collider \"%s\": here it is at [%.9g,%.9g,%.9g].",
             want->collider, (double)state.def.position[0], (double)state.def.position[1],
             (double)state.def.position[2]);
    return false;
}

/* The hashes differ: which object, and where in it? */
static void find_difference(struct replay *replay, const struct wire_log_check *want, const char *hash) {
    struct replay_report *report = &replay->report;
    report->difference = REPLAY_OBJECT;
    for (uint32_t i = 0; i < want->cloths_count; ++i) {
        if (!is_marked_same(replay, &want->cloths[i])) return;
    }
    for (uint32_t i = 0; i < want->colliders_count; ++i) {
        if (!is_placed_same(replay, &want->colliders[i])) return;
    }
    report->difference = REPLAY_STATE;
    report->object[0] = '\0';
    snprintf(report->text, sizeof report->text,
             "the state hash is %s, in the log %s, while no object's fingerprint differs.", hash,
             want->state_hash);
}

/* The state is that of the log; false: it is not. */
static bool compare(struct replay *replay, const struct wire_log_check *want, struct json *hashes) {
    struct replay_report *report = &replay->report;
    char hash[17];
    snprintf(hash, sizeof hash, "%016" PRIx64, pbd_world_state_hash(replay->world->content.pbd));
    if (hashes) {
        json_begin_object(hashes);
        json_key(hashes, "steps");
        json_integer(hashes, (int64_t)replay->steps);
        json_key(hashes, "tick");
        json_integer(hashes, world_tick(replay->world));
        json_key(hashes, "state_hash");
        json_string(hashes, hash);
        json_end_object(hashes);
    }
    if (strcmp(hash, want->state_hash) == 0 && world_tick(replay->world) == want->tick) {
        report->had_check = true;
        report->checked_steps = replay->steps;
        report->checked_tick = world_tick(replay->world);
        report->checks += 1;
        return true;
    }
    if (strcmp(hash, want->state_hash) == 0) {
        report->difference = REPLAY_STATE;
        snprintf(report->text, sizeof report->text, "the tick is %u, in the log %lld.",
                 world_tick(replay->world), (long long)want->tick);
        return false;
    }
    find_difference(replay, want, hash);
    return false;
}

/* ---- running ---- */

static bool has_effect(enum wire_command command) {
    return command != WIRE_world_pause && command != WIRE_world_resume && command != WIRE_world_step;
}

static bool apply(struct replay *replay) {
    const struct wire_log_entry *entry = &replay->log->commands[replay->next_command++];
    if (!has_effect(entry->method)) return true;
    struct wire_request request = {
        .command = entry->method, .id_json = "null", .world = replay->world->name, .params = entry->params};
    struct call call = {
        .sim = replay->sim, .client = &replay->client, .world = replay->world, .request = &request};
    replay->client.id = (uint32_t)entry->client;
    json_init(&call.result);
    json_begin_object(&call.result);
    int handled = dispatch_apply(&call);
    json_free(&call.result);
    if (handled == HANDLED) {
        replay->report.commands += 1;
        return true;
    }
    struct replay_report *report = &replay->report;
    report->difference = REPLAY_COMMAND;
    report->seq = (uint64_t)entry->seq;
    snprintf(report->text, sizeof report->text,
             "command %lld (%s) was applied in the log and is refused here: %s", (long long)entry->seq,
             wire_command_get_info(entry->method)->method, call.error.message);
    free(call.error.data_json);
    return false;
}

/* Everything of this boundary; false: a difference. */
static bool stand(struct replay *replay, struct json *hashes) {
    const struct wire_log *log = replay->log;
    while (replay->next_check < log->checks_count &&
           (uint64_t)log->checks[replay->next_check].steps == replay->steps) {
        if (!compare(replay, &log->checks[replay->next_check++], hashes)) return false;
    }
    while (replay->next_command < log->commands_count &&
           (uint64_t)log->commands[replay->next_command].steps == replay->steps) {
        if (!apply(replay)) return false;
    }
    bool ends = log->has_end == WIRE_PRESENT && replay->steps == (uint64_t)log->steps;
    return !ends || compare(replay, &log->end, hashes);
}

static void finish(struct replay *replay) {
    replay->over = true;
    replay->report.steps = replay->steps;
    replay->report.tick = world_tick(replay->world);
}

bool replay_advance(struct replay *replay, uint64_t end_us, struct json *hashes) {
    while (!replay->over) {
        if (!stand(replay, hashes) || replay->steps >= (uint64_t)replay->log->steps) {
            finish(replay);
            break;
        }
        pbd_world_step(replay->world->content.pbd);
        replay->steps += 1;
        if (sim_now(replay->sim) >= end_us) return false;
    }
    return true;
}

const struct replay_report *replay_get_report(const struct replay *replay) {
    return &replay->report;
}

uint64_t replay_vertices(const struct replay *replay) {
    return content_vertices(&replay->world->content);
}

void replay_close(struct replay *replay) {
    if (!replay) return;
    world_close(replay->world);
    free(replay);
}
