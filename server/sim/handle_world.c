/* world.*: creating, loading, running and describing worlds. */
#include "sim/dispatch.h"

#include <stdio.h>
#include <string.h>

#include "sim/batch.h"
#include "sim/clone.h"
#include "sim/describe.h"
#include "sim/describe_spec.h"
#include "sim/load.h"
#include "sim/state_message.h"
#include "sim/step_job.h"

int handle_world_list(struct call *call, const struct wire_none *params) {
    (void)params;
    json_key(&call->result, "worlds");
    describe_worlds(&call->result, call->sim);
    return HANDLED;
}

static uint32_t live_worlds(const struct sim *sim) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < sim->world_count; ++i)
        count += !sim->worlds[i]->gone;
    return count;
}

/* A clone's content; its vertices count as those of any new world. */
static int clone(struct call *call, const struct wire_world_create *params, const struct world *source,
                 struct content *content) {
    const struct content_room room = sim_room(call->sim, NULL, true);
    bool now = params->at == WIRE_clone_at_now;
    if (clone_content(content, &source->content, now, &call->error) != 0) return -1;
    uint64_t got = room.all_vertices + content_vertices(content);
    if (content_vertices(content) == 0 || got <= room.max_vertices) return 0;
    content_free(content);
    WIRE_FAIL(&call->error, limit_exceeded, "like",
              "With a clone of world \"%s\" there would be %llu vertices; max_vertices is %u.", source->name,
              (unsigned long long)got, room.max_vertices);
    wire_error_data(&call->error, "\"limit\":\"max_vertices\",\"max\":%u,\"got\":%llu", room.max_vertices,
                    (unsigned long long)got);
    return -1;
}

static int build(struct call *call, const struct wire_world_create *params, const struct world *source,
                 struct content *content) {
    struct content_room room = sim_room(call->sim, NULL, true);
    if (source) return clone(call, params, source, content);
    if (params->has_scene == WIRE_PRESENT) {
        return load_named(call->sim, params->scene, &room, content, &call->error);
    }
    const struct wire_scene *spec = params->has_spec == WIRE_PRESENT ? &params->spec : NULL;
    return load_spec(call->sim, spec, &room, content, &call->error);
}

/* *source: the world to be like, NULL if none. */
static int find_source(struct call *call, const struct wire_world_create *params, struct world **source) {
    *source = NULL;
    if (params->has_like == WIRE_PRESENT) {
        *source = sim_find_world(call->sim, params->like);
        if (*source) return HANDLED;
        WIRE_FAIL(&call->error, not_found, "like",
                  "world \"%s\" does not exist; a clone is like one that does.", params->like);
        return REFUSED;
    }
    if (params->has_at != WIRE_PRESENT) return HANDLED;
    WIRE_FAIL(&call->error, missing, "like", "world.create lacks like; at is of clones alone.");
    return REFUSED;
}

/* What a clone of now has in common with its source beside the content. */
static bool take_history(struct world *world, const struct world *source) {
    command_log_free(&world->log);
    world->event_seq = source->event_seq;
    return command_log_copy(&world->log, &source->log) && grab_table_copy(&world->grabs, &source->grabs);
}

int handle_world_create(struct call *call, const struct wire_world_create *params) {
    struct sim *sim = call->sim;
    if (call->world) {
        WIRE_FAIL(&call->error, already_exists, "world", "world \"%s\" exists already; choose another name.",
                  params->world);
        return REFUSED;
    }
    uint32_t worlds = live_worlds(sim);
    if (worlds >= sim->config.limits.max_worlds) {
        WIRE_FAIL(&call->error, limit_exceeded, "world", "There are %u worlds; max_worlds is %u.", worlds,
                  sim->config.limits.max_worlds);
        wire_error_data(&call->error, "\"limit\":\"max_worlds\",\"max\":%u,\"got\":%u",
                        sim->config.limits.max_worlds, worlds + 1);
        return REFUSED;
    }
    struct world *source;
    struct content content;
    if (find_source(call, params, &source) != HANDLED || build(call, params, source, &content) != 0) {
        return REFUSED;
    }
    call->world = sim_add_world(sim, params->world, &content, !params->paused);
    if (!call->world) return call_out_of_memory(call);
    if (source && params->at == WIRE_clone_at_now && !take_history(call->world, source)) {
        sim_remove_world(sim, call->world);
        call->world = NULL;
        return call_out_of_memory(call);
    }
    /* Without memory for it the creator misses the events, but the world is there. */
    world_member_add(call->world, call->client);
    json_key(&call->result, "world");
    json_string(&call->result, call->world->name);
    return HANDLED;
}

static void remove_world(struct call *call) {
    sim_remove_world(call->sim, call->world);
}

int handle_world_destroy(struct call *call, const struct wire_world *params) {
    (void)params;
    if (strcmp(call->world->name, "main") == 0) {
        WIRE_FAIL(&call->error, conflict, "world",
                  "world \"main\" cannot be destroyed, since commands without `world` mean it; "
                  "world.load replaces what is in it.");
        return REFUSED;
    }
    call->after = remove_world; /* its members must hear the event first */
    return HANDLED;
}

int handle_world_load(struct call *call, const struct wire_world_load *params) {
    struct content content;
    struct content_room room = sim_room(call->sim, call->world, true);
    int built = params->has_scene == WIRE_PRESENT
                    ? load_named(call->sim, params->scene, &room, &content, &call->error)
                    : load_spec(call->sim, &params->spec, &room, &content, &call->error);
    if (built != 0) return REFUSED;
    if (!world_replace_content(call->world, &content, sim_now(call->sim))) {
        content_free(&content);
        return call_out_of_memory(call);
    }
    json_key(&call->result, "epoch");
    json_integer(&call->result, call->world->epoch);
    return HANDLED;
}

int handle_world_reset(struct call *call, const struct wire_world *params) {
    (void)params;
    if (!world_reset_content(call->world, sim_now(call->sim), &call->error)) return REFUSED;
    json_key(&call->result, "epoch");
    json_integer(&call->result, call->world->epoch);
    return HANDLED;
}

int handle_world_describe(struct call *call, const struct wire_world_describe *params) {
    describe_world(&call->result, call->world);
    if (params->full) {
        json_key(&call->result, "spec");
        json_begin_object(&call->result);
        describe_spec(&call->result, &call->world->content);
        json_end_object(&call->result);
    }
    return HANDLED;
}

int handle_world_pause(struct call *call, const struct wire_world *params) {
    (void)params;
    struct world *world = call->world;
    if (world->clock.running) sim_set_running(call->sim, world, false);
    /* Tiers that leave ticks out show the one at which the world stopped, too. */
    for (uint32_t i = 0; i < world->tier_count; ++i) {
        struct tier *tier = world->tiers[i];
        if (tier->published && tier->last_tick != world_tick(world)) tier->want_key = true;
    }
    return HANDLED;
}

int handle_world_resume(struct call *call, const struct wire_world *params) {
    (void)params;
    if (!call->world->clock.running) sim_set_running(call->sim, call->world, true);
    return HANDLED;
}

int handle_world_step(struct call *call, const struct wire_world_step *params) {
    if (call->world->clock.running) {
        WIRE_FAIL(&call->error, conflict, "world", "world \"%s\" is running; world.step needs a paused one.",
                  call->world->name);
        return REFUSED;
    }
    if (params->has_state == WIRE_PRESENT &&
        !state_message_check(call->world, &params->state, "state", &call->error)) {
        return REFUSED;
    }
    char *results = NULL;
    if (params->has_commands == WIRE_PRESENT) {
        struct batch batch;
        if (batch_apply(&batch, call->sim, call->world, call->client, params->commands,
                        params->commands_count, false, "commands", &call->error) != 0) {
            return REFUSED;
        }
        batch_commit(&batch, call->sim);
        results = batch.results.failed ? NULL : batch.results.text;
    }
    call->later = true;
    step_job_begin(call->sim, call->world, call->client, call->request, (uint32_t)params->ticks, results);
    return HANDLED;
}

int handle_world_set(struct call *call, const struct wire_world_set *params) {
    struct content *content = &call->world->content;
    const struct wire_world_settings *members = &params->world_settings;
    struct pbd_world_settings settings = pbd_world_get_settings(content->pbd);
    json_key(&call->result, "previous");
    describe_world_settings(&call->result, &settings, content->time_scale, members);
    scene_world_settings_apply(&settings, members);
    pbd_world_set_settings(content->pbd, &settings);
    if (members->has_time_scale == WIRE_PRESENT) content->time_scale = members->time_scale;
    clock_set_rate(&call->world->clock, (double)settings.solver.dt, content->time_scale, sim_now(call->sim));
    return HANDLED;
}

int handle_world_stats(struct call *call, const struct wire_world *params) {
    (void)params;
    struct stats_report report = describe_take_stats(call->world, sim_now(call->sim));
    describe_stats(&call->result, &report);
    return HANDLED;
}
