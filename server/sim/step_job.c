/* Slices of world.step. */
#include "sim/step_job.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <wire/reply.h>

#include "sim/dispatch.h"
#include "sim/event.h"
#include "sim/publish.h"
#include "sim/schedule.h"

/* Viewers of a long step see about this many frames; more would slow it down. */
enum { FRAME_PERIOD_US = 16000 };

void step_job_begin(struct sim *sim, struct world *world, struct client *client, struct wire_request *request,
                    uint32_t ticks) {
    assert(!world->job.client && !world->clock.running && ticks > 0);
    world->job = (struct step_job){
        .client = client, .request = request, .remaining = ticks, .published_us = sim_now(sim)};
    client->stepping = true;
}

/* Clears the job; the request is the caller's. */
static struct wire_request *take(struct world *world) {
    struct wire_request *request = world->job.request;
    world->job.client->stepping = false;
    world->job = (struct step_job){0};
    world->rate_ticks = 0;
    world->tick_rate = 0.0;
    return request;
}

static void finish(struct sim *sim, struct world *world) {
    struct client *client = world->job.client;
    struct wire_request *request = take(world);
    char hash[17];
    struct json result;
    snprintf(hash, sizeof hash, "%016" PRIx64, pbd_world_state_hash(world->content.pbd));
    json_init(&result);
    reply_begin(&result, request->id_json);
    json_key(&result, "state_hash");
    json_string(&result, hash);
    dispatch_answer(sim, client, world, request, &result);
    wire_request_destroy(request);
}

void step_job_slice(struct sim *sim, struct world *world) {
    uint64_t start = sim_now(sim), now = start;
    struct step_job *job = &world->job;
    while (job->remaining > 0 && now < start + SIM_SLICE_US) {
        uint64_t before = now;
        pbd_world_step(world->content.pbd);
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
