/* Slices of world.step. */
#include "sim/step_job.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wire/reply.h>

#include "sim/dispatch.h"
#include "sim/event.h"
#include "sim/publish.h"
#include "sim/schedule.h"
#include "sim/state_message.h"

/* Viewers of a long step see about this many frames; more would slow it down. */
enum { FRAME_PERIOD_US = 16000 };

void step_job_begin(struct sim *sim, struct world *world, struct client *client, struct wire_request *request,
                    uint32_t ticks, char *results) {
    assert(!world->job.client && !world->clock.running && ticks > 0);
    world->job = (struct step_job){.client = client,
                                   .request = request,
                                   .remaining = ticks,
                                   .results = results,
                                   .published_us = sim_now(sim)};
    client->stepping = true;
}

/* Clears the job; the request is the caller's. Its commands have been told as their own. */
static struct wire_request *take(struct world *world) {
    struct wire_request *request = world->job.request;
    struct wire_world_step *params = (struct wire_world_step *)request->params;
    params->has_commands = WIRE_ABSENT;
    free(world->job.results);
    world->job.client->stepping = false;
    world->job = (struct step_job){0};
    world->rate_ticks = 0;
    world->tick_rate = 0.0;
    return request;
}

/* Ahead of the reply, so that who reads it has the state already. */
static void send_state(struct sim *sim, const struct world *world, uint32_t client,
                       const struct wire_step_state *wish) {
    size_t bound = state_message_bound(world, wish), integers = state_message_scratch(world, wish);
    struct buffer *buffer = buffer_create(bound);
    int32_t *scratch = malloc((integers + 1) * sizeof *scratch);
    if (buffer && scratch) {
        buffer->length = state_message_write(world, wish, scratch, buffer->data);
        bool empty = buffer->length == 0;
        if (empty) buffer_unref(buffer);
        if (empty || outbox_binary(&sim->outbox, client, buffer)) {
            free(scratch);
            return;
        }
    } else {
        buffer_unref(buffer);
    }
    free(scratch);
    outbox_close_client(&sim->outbox, client, 1011, "the server is out of memory");
}

static void put_answer(struct json *json, const struct world *world) {
    const struct wire_world_step *params = world->job.request->params;
    char hash[17];
    snprintf(hash, sizeof hash, "%016" PRIx64, pbd_world_state_hash(world->content.pbd));
    json_key(json, "state_hash");
    json_string(json, hash);
    if (world->job.results) {
        json_key(json, "results");
        json_raw(json, world->job.results, strlen(world->job.results));
    }
    if (params->has_state != WIRE_PRESENT) return;
    json_key(json, "state");
    state_message_describe(json, world, &params->state);
}

static void finish(struct sim *sim, struct world *world) {
    struct client *client = world->job.client;
    const struct wire_world_step *params = world->job.request->params;
    struct json result;
    json_init(&result);
    reply_begin(&result, world->job.request->id_json);
    put_answer(&result, world);
    if (params->has_state == WIRE_PRESENT) send_state(sim, world, client->id, &params->state);
    struct wire_request *request = take(world);
    dispatch_answer(sim, client, world, request, &result);
    wire_request_destroy(request);
}

void step_job_slice(struct sim *sim, struct world *world) {
    uint64_t start = sim_now(sim), now = start;
    struct step_job *job = &world->job;
    while (job->remaining > 0 && now < start + SIM_SLICE_US) {
        uint64_t before = now;
        world_advance(world);
        now = sim_now(sim);
        world_stepped(sim, world, before, now);
        job->remaining -= 1;
        job->done += 1;
    }
    if (job->remaining == 0) {
        publish_now(sim, world);
        finish(sim, world);
        schedule_ready(sim);
    } else if (now >= job->published_us + FRAME_PERIOD_US) {
        job->published_us = now;
        publish_now(sim, world);
    }
}

void step_job_end(struct sim *sim, struct world *world) {
    uint32_t done = world->job.done;
    uint32_t client = world->job.client->id;
    struct wire_request *request = take(world);
    if (done > 0) {
        /* The event tells what was done, not what was asked for. */
        struct wire_world_step *params = (struct wire_world_step *)request->params;
        params->ticks = done;
        params->has_ticks = WIRE_PRESENT;
        event_command(sim, world, client, request);
        world->dirty = true;
    }
    wire_request_destroy(request);
}
