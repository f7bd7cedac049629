/* world.save, world.restore: states to come back to. */
#include "sim/dispatch.h"

#include <inttypes.h>
#include <stdio.h>

#include "sim/event.h"

static void put_hash(struct json *json, uint64_t hash) {
    char text[17];
    snprintf(text, sizeof text, "%016" PRIx64, hash);
    json_key(json, "state_hash");
    json_string(json, text);
}

/* Of all worlds but for the snapshot that goes; world itself may be none of them. */
static size_t other_bytes(const struct sim *sim, const struct world *world, const struct saved *replaced) {
    size_t bytes = saved_bytes(&world->saved);
    for (uint32_t i = 0; i < sim->world_count; ++i) {
        if (!sim->worlds[i]->gone && sim->worlds[i] != world) bytes += saved_bytes(&sim->worlds[i]->saved);
    }
    return bytes - (replaced ? replaced->bytes : 0);
}

static int check_limits(struct call *call, const struct saved *saved, const struct saved *replaced) {
    const struct sim_limits *limits = &call->sim->config.limits;
    uint32_t count = call->world->saved.count;
    if (!replaced && count >= limits->max_snapshots) {
        WIRE_FAIL(&call->error, limit_exceeded, "snapshot",
                  "world \"%s\" has %u snapshots; max_snapshots is %u; one of the same name is replaced.",
                  call->world->name, count, limits->max_snapshots);
        wire_error_data(&call->error, "\"limit\":\"max_snapshots\",\"max\":%u,\"got\":%u",
                        limits->max_snapshots, count + 1);
        return REFUSED;
    }
    size_t bytes = other_bytes(call->sim, call->world, replaced) + saved->bytes;
    if (bytes > limits->max_snapshot_bytes) {
        WIRE_FAIL(&call->error, limit_exceeded, "snapshot",
                  "With it the snapshots of all worlds would have %zu bytes; max_snapshot_bytes is %u.",
                  bytes, limits->max_snapshot_bytes);
        wire_error_data(&call->error, "\"limit\":\"max_snapshot_bytes\",\"max\":%u,\"got\":%zu",
                        limits->max_snapshot_bytes, bytes);
        return REFUSED;
    }
    return HANDLED;
}

int handle_world_save(struct call *call, const struct wire_world_saved *params) {
    struct world *world = call->world;
    struct saved saved, *replaced = saved_find(&world->saved, params->snapshot);
    grab_prune(&world->grabs, world->content.pbd);
    if (!saved_take(&saved, params->snapshot, &world->content, &world->grabs)) {
        return call_out_of_memory(call);
    }
    bool replaces = replaced != NULL;
    size_t bytes = saved.bytes;
    uint64_t hash = saved.hash;
    int handled = check_limits(call, &saved, replaced);
    if (handled == HANDLED && !saved_put(&world->saved, &saved)) handled = call_out_of_memory(call);
    saved_free(&saved);
    if (handled != HANDLED) return REFUSED;
    put_hash(&call->result, hash);
    json_key(&call->result, "bytes");
    json_integer(&call->result, (int64_t)bytes);
    json_key(&call->result, "replaced");
    json_bool(&call->result, replaces);
    return HANDLED;
}

/* Hands of clients that have left since came back: they hold nothing. */
static void release_orphans(struct call *call) {
    struct world *world = call->world;
    for (uint32_t i = 0; i < world->grabs.count;) {
        struct grab grab = world->grabs.items[i];
        if (sim_client_find(&call->sim->clients, grab.client)) {
            ++i;
            continue;
        }
        pbd_grab_release(world->content.pbd, grab.id);
        grab_remove(&world->grabs, &world->grabs.items[i]);
        event_release(call->sim, world, grab.client, grab.number);
    }
}

int handle_world_restore(struct call *call, const struct wire_world_saved *params) {
    struct world *world = call->world;
    const struct saved *saved = saved_find(&world->saved, params->snapshot);
    if (!saved) {
        WIRE_FAIL(&call->error, not_found, "snapshot", "snapshot \"%s\" does not exist in world \"%s\".",
                  params->snapshot, world->name);
        return REFUSED;
    }
    if (!world_restore_content(world, saved, sim_now(call->sim), &call->error)) return REFUSED;
    put_hash(&call->result, pbd_world_state_hash(world->content.pbd));
    json_key(&call->result, "epoch");
    json_integer(&call->result, world->epoch);
    call->after = release_orphans;
    return HANDLED;
}
