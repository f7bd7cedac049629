/* One round of the tick layer. */
#include "sim/simulation.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "sim/dispatch.h"
#include "sim/event.h"
#include "sim/notify.h"
#include "sim/publish.h"
#include "sim/replay.h"
#include "sim/replay_job.h"
#include "sim/schedule.h"
#include "sim/step_job.h"
#include "sim/stream.h"

uint64_t sim_now(const struct sim *sim) {
    return sim->now_us(sim->now_context);
}

struct world *sim_find_world(const struct sim *sim, const char *name) {
    for (uint32_t i = 0; i < sim->world_count; ++i) {
        if (!sim->worlds[i]->gone && strcmp(sim->worlds[i]->name, name) == 0) return sim->worlds[i];
    }
    return NULL;
}

static bool index_is_taken(const struct sim *sim, uint16_t index) {
    for (uint32_t i = 0; i < sim->world_count; ++i) {
        if (sim->worlds[i]->index == index) return true;
    }
    return false;
}

struct world *sim_add_world(struct sim *sim, const char *name, struct content *content, bool running) {
    if (sim->world_count == sim->world_capacity) {
        uint32_t capacity = sim->world_capacity ? 2 * sim->world_capacity : 4;
        struct world **worlds = realloc(sim->worlds, capacity * sizeof *worlds);
        if (!worlds) {
            content_free(content);
            return NULL;
        }
        sim->worlds = worlds;
        sim->world_capacity = capacity;
    }
    /* Fewer worlds than indices, so one is free; the oldest is used again last. */
    while (index_is_taken(sim, sim->next_world_index))
        sim->next_world_index += 1;
    struct world *world =
        world_open(name, sim->next_world_index, content, sim->config.limits.max_log_bytes, sim_now(sim));
    if (!world) return NULL;
    sim->next_world_index += 1;
    sim->worlds[sim->world_count++] = world;
    atomic_store_explicit(&sim->meter.worlds, sim->world_count, memory_order_relaxed);
    sim_set_running(sim, world, running);
    return world;
}

void sim_remove_world(struct sim *sim, struct world *world) {
    assert(!world->job.client);
    while (world->member_count > 0) {
        struct client *client = world->members[0].client;
        stream_unsubscribe(sim, world, client);
        world_member_remove(world, client);
    }
    world->gone = true;
    clock_stop(&world->clock);
    outbox_world_state(&sim->outbox, world->name, false, false);
}

void sim_set_running(struct sim *sim, struct world *world, bool running) {
    uint64_t now = sim_now(sim);
    if (running) {
        clock_start(&world->clock, now);
    } else {
        clock_stop(&world->clock);
    }
    world->rate_from_us = now;
    world->rate_ticks = 0;
    world->tick_rate = 0.0;
    outbox_world_state(&sim->outbox, world->name, true, !running);
}

struct content_room sim_room(const struct sim *sim, const struct world *world, bool fresh) {
    struct content_room room = {.max_vertices_per_world = sim->config.limits.max_vertices_per_world,
                                .max_vertices = sim->config.limits.max_vertices};
    for (uint32_t i = 0; i < sim->world_count; ++i) {
        if (sim->worlds[i]->gone || (fresh && sim->worlds[i] == world)) continue;
        uint64_t vertices = content_vertices(&sim->worlds[i]->content);
        room.all_vertices += vertices;
        if (sim->worlds[i] == world) room.world_vertices = vertices;
    }
    if (sim->replay_job.replay) room.all_vertices += replay_vertices(sim->replay_job.replay);
    if (world && !fresh && room.world_vertices == 0) room.world_vertices = content_vertices(&world->content);
    return room;
}

static void client_open(struct sim *sim, struct sim_input *input) {
    struct client *client =
        sim_client_add(&sim->clients, input->client, input->open.role, input->open.counters);
    if (!client) {
        outbox_close_client(&sim->outbox, input->client, 1011, "the server is out of memory");
        return;
    }
    input->open.counters = NULL;
    struct world *first = sim->main_waits ? sim_find_world(sim, "main") : NULL;
    if (first) sim_set_running(sim, first, true);
    sim->main_waits = false;
    notify_hello(sim, client, input->open.session);
}

/* A hand that is gone holds nothing. */
static void release_grabs(struct sim *sim, struct world *world, uint32_t client) {
    struct grab *grab;
    while ((grab = grab_of_client(&world->grabs, world->content.pbd, client)) != NULL) {
        uint32_t number = grab->number;
        pbd_grab_release(world->content.pbd, grab->id);
        grab_remove(&world->grabs, grab);
        event_release(sim, world, client, number);
    }
}

static void client_close(struct sim *sim, uint32_t id) {
    struct client *client = sim_client_find(&sim->clients, id);
    if (!client) return;
    for (uint32_t i = 0; i < sim->world_count; ++i) {
        struct world *world = sim->worlds[i];
        if (world->job.client == client) step_job_end(sim, world);
        event_forget_client(sim, world, client->id);
        release_grabs(sim, world, client->id);
        stream_forget(sim, world, client);
        world_member_remove(world, client);
    }
    if (sim->replay_job.client == client) replay_job_end(sim);
    if (client->presented) notify_presence(sim, client, true);
    sim->pending_total -= sim_client_remove(&sim->clients, client);
    schedule_ready(sim); /* its world.step may have kept others waiting */
}

static void take_input(struct sim *sim, struct sim_input *input) {
    switch (input->kind) {
    case SIM_CLIENT_OPEN:
        client_open(sim, input);
        break;
    case SIM_CLIENT_CLOSE:
        client_close(sim, input->client);
        break;
    case SIM_REQUEST: {
        struct client *client = sim_client_find(&sim->clients, input->client);
        if (client) {
            schedule_request(sim, client, input->request);
            input->request = NULL;
        }
        break;
    }
    case SIM_WANT_KEY:
        stream_want_key(sim, input->tier);
        break;
    }
    sim_input_free(input);
}

/* false: the time for it is up and something may be left. While too much control waits
 * for the net thread, requests stay in the inbox, which then tells clients `busy`. */
static bool drain_inbox(struct sim *sim) {
    uint64_t end = sim_now(sim) + SIM_DRAIN_US;
    while (sim->outbox.overflow_count < SIM_OVERFLOW_STOP) {
        struct sim_input *input = queue_pop(sim->inbox);
        if (!input) return true;
        take_input(sim, input);
        if (sim_now(sim) >= end) return false;
    }
    return true;
}

static void tick(struct sim *sim, struct world *world) {
    uint64_t before = sim_now(sim);
    world_advance(world);
    uint64_t after = sim_now(sim);
    clock_advance(&world->clock);
    world_stepped(sim, world, before, after);
    publish_tick(sim, world);
}

/* One turn of a world. Returns when it wants the next. */
static uint64_t turn(struct sim *sim, struct world *world) {
    if (world->job.client) {
        step_job_slice(sim, world);
        return 0;
    }
    uint64_t now = sim_now(sim);
    uint64_t late_before = world->clock.late_ticks;
    if (clock_due(&world->clock, now) > 0) {
        schedule_boundary(sim, world);
        /* A command may have destroyed, paused or slowed it. */
        if (!world->gone && clock_due(&world->clock, now) > 0) tick(sim, world);
    }
    atomic_fetch_add_explicit(&sim->meter.late_ticks, world->clock.late_ticks - late_before,
                              memory_order_relaxed);
    return world->job.client ? 0 : clock_deadline(&world->clock);
}

static void reap_worlds(struct sim *sim) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < sim->world_count; ++i) {
        if (sim->worlds[i]->gone) {
            world_close(sim->worlds[i]);
        } else {
            sim->worlds[kept++] = sim->worlds[i];
        }
    }
    sim->world_count = kept;
    atomic_store_explicit(&sim->meter.worlds, kept, memory_order_relaxed);
}

static uint64_t earlier(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

uint64_t simulation_run(struct sim *sim) {
    outbox_flush(&sim->outbox);
    bool drained = drain_inbox(sim);
    uint64_t next = drained ? CLOCK_NEVER : 0;
    /* Worlds that commands create meanwhile get their first turn in the same round. */
    for (uint32_t i = 0; i < sim->world_count; ++i) {
        if (!sim->worlds[i]->gone) next = earlier(next, turn(sim, sim->worlds[i]));
    }
    if (sim->replay_job.client) {
        replay_job_slice(sim);
        next = 0;
    }
    for (uint32_t i = 0; i < sim->world_count; ++i) {
        struct world *world = sim->worlds[i];
        if (world->gone) continue;
        publish_changes(sim, world);
        next = earlier(next, event_flush_due(sim, world));
        next = earlier(next, notify_stats(sim, world));
        next = earlier(next, stream_adapt(sim, world));
    }
    reap_worlds(sim);
    outbox_flush(&sim->outbox);
    /* The net thread takes what is held back without telling us: look again soon. */
    if (sim->outbox.overflow_first) next = earlier(next, sim_now(sim) + 1000);
    return next;
}
