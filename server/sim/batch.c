/* Applying commands without a word until all of them are done. */
#include "sim/batch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/dispatch.h"

static int out_of_memory(struct wire_error *error) {
    WIRE_FAIL(error, out_of_memory, "", "The server had no memory for this request.");
    return -1;
}

static bool is_allowed(enum wire_command command) {
    const char *method = wire_command_get_info(command)->method;
    return command == WIRE_world_set || command == WIRE_world_reset || command == WIRE_world_restore ||
           strncmp(method, "cloth.", 6) == 0 || strncmp(method, "collider.", 9) == 0;
}

static int check(const struct wire_step_command *command, const struct world *world,
                 struct wire_error *error) {
    if (!is_allowed(command->method)) {
        WIRE_FAIL(error, out_of_range, "method",
                  "method is \"%s\"; allowed within a step are cloth.*, collider.*, world.set, world.reset "
                  "and world.restore.",
                  wire_command_get_info(command->method)->method);
        return -1;
    }
    const char *named = wire_params_world(command->method, command->params);
    if (!named || strcmp(named, world->name) == 0) return 0;
    WIRE_FAIL(error, out_of_range, "params.world",
              "params.world is \"%s\"; allowed is the step's world, \"%s\", or none.", named, world->name);
    return -1;
}

/* ---- going back ---- */

static bool guard(struct batch *batch) {
    const struct world *world = batch->world;
    batch->epoch = world->epoch;
    batch->gone_count = world->gone_count;
    batch->announce_all = world->announce_all;
    batch->dirty = world->dirty;
    batch->clock = world->clock;
    if (!content_state_take(&batch->before, &world->content)) return false;
    if (!grab_table_copy(&batch->grabs, &world->grabs)) return false;
    batch->guarded = true;
    return true;
}

/* false: there was no memory for it, and the world stays as it is. */
static bool go_back(struct batch *batch) {
    struct world *world = batch->world;
    struct wire_error error = {0};
    if (!batch->guarded) return batch->count == 0; /* the only command changed nothing */
    if (content_return(&world->content, &batch->before, &error) != 0) return false;
    grab_table_free(&world->grabs);
    world->grabs = batch->grabs;
    batch->grabs = (struct grab_table){0};
    world->epoch = batch->epoch;
    world->gone_count = batch->gone_count;
    world->announce_all = batch->announce_all;
    world->dirty = batch->dirty;
    world->clock = batch->clock;
    return true;
}

static void end(struct batch *batch) {
    for (uint32_t i = 0; i < batch->count; ++i)
        applied_free(&batch->entries[i].applied);
    free(batch->entries);
    batch->entries = NULL;
    content_state_free(&batch->before);
    grab_table_free(&batch->grabs);
}

/* ---- forward ---- */

static int apply(struct batch *batch, struct sim *sim, const struct wire_step_command *command,
                 struct wire_error *error) {
    struct batch_entry *entry = &batch->entries[batch->count];
    *entry = (struct batch_entry){.request = {.command = command->method,
                                              .id_json = "null",
                                              .world = batch->world->name,
                                              .params = command->params}};
    struct call call = {.sim = sim,
                        .client = batch->client,
                        .world = batch->world,
                        .request = &entry->request,
                        .result = batch->results};
    json_begin_object(&call.result);
    int handled = dispatch_apply(&call);
    dispatch_count(sim, command->method, handled != HANDLED);
    json_key(&call.result, "tick");
    json_integer(&call.result, world_tick(batch->world));
    json_end_object(&call.result);
    batch->results = call.result;
    if (handled != HANDLED) {
        *error = call.error;
        wire_error_prefix(error, "params.");
        return -1;
    }
    entry->after = call.after;
    batch->count += 1;
    applied_take(&entry->applied, batch->world, &entry->request);
    return 0;
}

static int apply_all(struct batch *batch, struct sim *sim, const struct wire_step_command *commands,
                     uint32_t count, const char *path, struct wire_error *error) {
    for (uint32_t i = 0; i < count; ++i) {
        if (check(&commands[i], batch->world, error) == 0 && apply(batch, sim, &commands[i], error) == 0) {
            continue;
        }
        char at[64];
        snprintf(at, sizeof at, "%s[%u].", path, i);
        wire_error_prefix(error, at);
        return -1;
    }
    return 0;
}

int batch_apply(struct batch *batch, struct sim *sim, struct world *world, struct client *client,
                const struct wire_step_command *commands, uint32_t count, bool may_be_undone,
                const char *path, struct wire_error *error) {
    *batch = (struct batch){.world = world, .client = client};
    json_init(&batch->results);
    json_begin_array(&batch->results);
    batch->entries = calloc(count + 1u, sizeof *batch->entries);
    bool ready = batch->entries && ((count < 2 && !(may_be_undone && count > 0)) || guard(batch));
    int result = ready ? apply_all(batch, sim, commands, count, path, error) : out_of_memory(error);
    json_end_array(&batch->results);
    if (result == 0) return 0;
    if (ready && !go_back(batch)) {
        WIRE_FAIL(error, out_of_memory, path,
                  "A command failed, and the server had no memory to take back those before it.");
    }
    end(batch);
    json_free(&batch->results);
    return -1;
}

void batch_commit(struct batch *batch, struct sim *sim) {
    for (uint32_t i = 0; i < batch->count; ++i)
        event_applied(sim, batch->world, batch->client->id, &batch->entries[i].applied);
    for (uint32_t i = 0; i < batch->count; ++i) {
        struct call call = {.sim = sim,
                            .client = batch->client,
                            .world = batch->world,
                            .request = &batch->entries[i].request};
        if (batch->entries[i].after) batch->entries[i].after(&call);
    }
    end(batch);
}

void batch_undo(struct batch *batch) {
    go_back(batch);
    end(batch);
    json_free(&batch->results);
}
