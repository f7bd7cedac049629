/* The table of handlers, made from commands.def, and what surrounds every one of them. */
#include "sim/dispatch.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "sim/event.h"
#include "sim/notify.h"

#define COMMAND(tag, method, mutates, struct_tag, help)                                                      \
    static int call_##tag(struct call *call) {                                                               \
        return handle_##tag(call, call->request->params);                                                    \
    }
#include <wire/table_empty.inc>
#include "../../protocol/commands.def"
#include <wire/table_undef.inc>

static int (*const handlers[WIRE_COMMAND_COUNT])(struct call *call) = {
#define COMMAND(tag, method, mutates, struct_tag, help) [WIRE_##tag] = call_##tag,
#include <wire/table_empty.inc>
#include "../../protocol/commands.def"
#include <wire/table_undef.inc>
};

int call_out_of_memory(struct call *call) {
    WIRE_FAIL(&call->error, out_of_memory, "", "The server had no memory for this request.");
    return REFUSED;
}

int call_no_such(struct call *call, const char *what, const char *name) {
    WIRE_FAIL(&call->error, not_found, what, "%s \"%s\" does not exist.", what, name);
    return REFUSED;
}

size_t call_longest_undo(const struct call *call, enum wire_command undo) {
    size_t most = wire_command_max_bytes(undo), limit = call->sim->config.limits.max_message_bytes;
    if (limit < most) most = limit;
    return most - most / 8;
}

static struct object *call_object(struct call *call, enum object_kind kind, const char *what,
                                  const char *name) {
    struct object *object = object_find(&call->world->content.objects, kind, name);
    if (!object) {
        WIRE_FAIL(&call->error, not_found, what, "%s \"%s\" does not exist in world \"%s\".", what, name,
                  call->world->name);
    }
    return object;
}

struct object *call_cloth(struct call *call, const char *name) {
    return call_object(call, OBJECT_CLOTH, "cloth", name);
}

struct object *call_collider(struct call *call, const char *name) {
    return call_object(call, OBJECT_COLLIDER, "collider", name);
}

/* "tick" of a result: of the addressed world, else of main. */
static uint32_t result_tick(const struct sim *sim, const struct world *world) {
    if (!world) world = sim_find_world(sim, "main");
    return world ? world_tick(world) : 0;
}

static void count(struct sim *sim, enum wire_command command, bool failed) {
    atomic_fetch_add_explicit(&sim->meter.commands[command][failed], 1, memory_order_relaxed);
}

static void send_error(struct sim *sim, struct client *client, const struct wire_request *request,
                       struct wire_error *error) {
    if (request->wants_reply) {
        struct json json;
        strncpy(error->id_json, request->id_json, sizeof error->id_json - 1);
        error->answer = true;
        json_init(&json);
        reply_error(&json, error);
        notify_send(sim, client->id, &json);
    }
    free(error->data_json);
    error->data_json = NULL;
}

static void send_result(struct sim *sim, struct client *client, const struct wire_request *request,
                        struct json *result, uint32_t tick) {
    if (!request->wants_reply) {
        json_free(result);
        return;
    }
    json_key(result, "tick");
    json_integer(result, tick);
    reply_end(result);
    if (!result->failed) {
        notify_send(sim, client->id, result);
        return;
    }
    json_free(result);
    struct wire_error error = {0};
    WIRE_FAIL(&error, out_of_memory, "",
              "The command was executed; its reply needed more memory than there was.");
    send_error(sim, client, request, &error);
}

void dispatch_answer(struct sim *sim, struct client *client, struct world *world,
                     const struct wire_request *request, struct json *result) {
    if (world) event_command(sim, world, client->id, request);
    send_result(sim, client, request, result, result_tick(sim, world));
    count(sim, request->command, false);
}

void dispatch_count(struct sim *sim, enum wire_command command, bool failed) {
    count(sim, command, failed);
}

int dispatch_apply(struct call *call) {
    int handled = handlers[call->request->command](call);
    assert(!call->later);
    return handled;
}

void dispatch_execute(struct sim *sim, struct client *client, struct wire_request *request) {
    struct call call = {.sim = sim, .client = client, .request = request};
    const struct wire_command_info *info = wire_command_get_info(request->command);
    int handled;
    json_init(&call.result);
    reply_begin(&call.result, request->id_json);
    if (request->world) call.world = sim_find_world(sim, request->world);
    if (request->world && !call.world && request->command != WIRE_world_create) {
        handled = call_no_such(&call, "world", request->world);
    } else if (info->mutates && call.world && !world_member_add(call.world, client)) {
        handled = call_out_of_memory(&call);
    } else {
        handled = handlers[request->command](&call);
    }
    if (handled == HANDLED && call.later) {
        json_free(&call.result);
        return;
    }
    if (handled == HANDLED) {
        if (info->mutates && call.world) event_command(sim, call.world, client->id, request);
        send_result(sim, client, request, &call.result, result_tick(sim, call.world));
        if (call.after) call.after(&call);
    } else {
        json_free(&call.result);
        send_error(sim, client, request, &call.error);
    }
    count(sim, request->command, handled != HANDLED);
    wire_request_destroy(request);
}

void dispatch_refuse_busy(struct sim *sim, struct client *client, struct wire_request *request) {
    struct wire_error error = {0};
    WIRE_FAIL(&error, busy, "", "%u of your requests wait already; send this one again later.",
              client->pending_count);
    send_error(sim, client, request, &error);
    count(sim, request->command, true);
    wire_request_destroy(request);
}
