/* Slices of world.replay, and its answer. */
#include "sim/replay_job.h"

#include <stdio.h>
#include <string.h>

#include "sim/dispatch.h"
#include "sim/replay.h"
#include "sim/schedule.h"

bool replay_job_begin(struct sim *sim, struct client *client, struct wire_request *request,
                      struct wire_error *error) {
    const struct wire_world_replay *params = request->params;
    struct replay_job *job = &sim->replay_job;
    if (job->client) {
        WIRE_FAIL(error, busy, "", "Another log is being replayed; send this one again later.");
        return false;
    }
    struct replay *replay = replay_open(sim, &params->log, "log.", error);
    if (!replay) return false;
    *job = (struct replay_job){.client = client, .request = request, .replay = replay};
    json_init(&job->hashes);
    json_begin_array(&job->hashes);
    client->stepping = true;
    return true;
}

static void put_text(struct json *json, const char *key, const char *value) {
    json_key(json, key);
    json_string(json, value);
}

static void put_integer(struct json *json, const char *key, uint64_t value) {
    json_key(json, key);
    json_integer(json, (int64_t)value);
}

static void put_difference(struct json *json, const struct replay_report *report) {
    json_key(json, "difference");
    if (report->difference == REPLAY_IDENTICAL) {
        json_null(json);
        return;
    }
    json_begin_object(json);
    put_integer(json, "steps", report->steps);
    put_integer(json, "tick", report->tick);
    if (report->difference == REPLAY_OBJECT) {
        put_text(json, report->kind == OBJECT_CLOTH ? "cloth" : "collider", report->object);
        if (report->has_vertex) put_integer(json, "vertex", report->vertex);
    }
    if (report->difference == REPLAY_COMMAND) put_integer(json, "seq", report->seq);
    json_key(json, "same_until");
    if (report->had_check) {
        json_integer(json, (int64_t)report->checked_steps);
    } else {
        json_null(json);
    }
    put_text(json, "text", report->text);
    json_end_object(json);
}

/* Whether the log is of a server like this one. */
static bool is_same_version(const struct sim *sim, const struct wire_log *log) {
    char server[96];
    snprintf(server, sizeof server, "clothd %s", sim->config.version);
    return strcmp(server, log->server) == 0;
}

static void answer(struct sim *sim) {
    struct replay_job job = sim->replay_job;
    const struct wire_world_replay *params = job.request->params;
    const struct replay_report *report = replay_get_report(job.replay);
    struct json result;
    sim->replay_job = (struct replay_job){0};
    job.client->stepping = false;
    json_end_array(&job.hashes);
    json_init(&result);
    reply_begin(&result, job.request->id_json);
    json_key(&result, "identical");
    json_bool(&result, report->difference == REPLAY_IDENTICAL);
    put_difference(&result, report);
    put_integer(&result, "steps", report->steps);
    put_integer(&result, "commands", report->commands);
    json_key(&result, "same_version");
    json_bool(&result, is_same_version(sim, &params->log));
    json_key(&result, "hashes");
    if (job.hashes.failed) {
        result.failed = true;
    } else {
        json_raw(&result, job.hashes.text, job.hashes.length);
    }
    json_free(&job.hashes);
    dispatch_answer(sim, job.client, NULL, job.request, &result);
    replay_close(job.replay);
    wire_request_destroy(job.request);
}

void replay_job_slice(struct sim *sim) {
    struct replay_job *job = &sim->replay_job;
    if (!replay_advance(job->replay, sim_now(sim) + SIM_SLICE_US, &job->hashes)) return;
    answer(sim);
    schedule_ready(sim);
}

void replay_job_end(struct sim *sim) {
    struct replay_job *job = &sim->replay_job;
    if (!job->client) return;
    json_free(&job->hashes);
    replay_close(job->replay);
    wire_request_destroy(job->request);
    sim->replay_job = (struct replay_job){0};
}
