/* Events of a world and the coalescing of drags. */
#include "sim/event.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wire/reply.h>

#include "sim/describe.h"
#include "sim/notify.h"

enum { DRAG_PERIOD_US = 500000, NO_CLIENT = 0 };

static uint64_t next_seq(struct world *world) {
    return ++world->event_seq;
}

static void begin(struct json *json, const struct world *world, uint64_t seq, uint32_t tick) {
    json_init(json);
    notification_begin(json, "event");
    json_key(json, "world");
    json_string(json, world->name);
    json_key(json, "seq");
    json_integer(json, (int64_t)seq);
    json_key(json, "tick");
    json_integer(json, tick);
}

static void end(struct sim *sim, struct world *world, struct json *json) {
    notification_end(json);
    notify_members(sim, world, json);
}

/* A command as an event tells it. */
struct told {
    uint64_t seq;
    uint32_t client, tick;
    enum wire_command command;
    const char *params;
    uint32_t grab; /* the number that a cloth.grab gave */
};

static void send_command(struct sim *sim, struct world *world, const struct told *told) {
    struct json json;
    begin(&json, world, told->seq, told->tick);
    json_key(&json, "client");
    json_integer(&json, told->client);
    json_key(&json, "method");
    json_string(&json, wire_command_get_info(told->command)->method);
    json_key(&json, "params");
    if (told->params) {
        json_raw(&json, told->params, strlen(told->params));
    } else {
        json.failed = true;
    }
    if (told->command == WIRE_cloth_grab) {
        json_key(&json, "grab");
        json_integer(&json, told->grab);
    }
    end(sim, world, &json);
}

/* ---- drags ---- */

static void send_held(struct sim *sim, struct world *world, struct drag *drag, uint64_t now) {
    const struct told told = {next_seq(world), drag->client, drag->tick, drag->command, drag->params, 0};
    send_command(sim, world, &told);
    free(drag->params);
    drag->params = NULL;
    drag->due_us = now + DRAG_PERIOD_US;
}

static void send_all_held(struct sim *sim, struct world *world) {
    uint64_t now = sim_now(sim);
    for (struct drag *drag = world->drags; drag; drag = drag->next) {
        if (drag->params) send_held(sim, world, drag, now);
    }
}

/* Drops drags that are over. */
static void forget_idle(struct world *world, uint64_t now) {
    struct drag **link = &world->drags;
    while (*link) {
        struct drag *drag = *link;
        if (drag->params || now < drag->due_us) {
            link = &drag->next;
            continue;
        }
        *link = drag->next;
        free(drag);
    }
}

static bool is_drag(enum wire_command command) {
    return command == WIRE_collider_move || command == WIRE_cloth_drag;
}

/* What is dragged: the collider's index or the grab's number; false: it is not there. */
static bool dragged(const struct world *world, const struct wire_request *request, uint32_t *what) {
    if (request->command == WIRE_cloth_drag) {
        const struct wire_cloth_drag *params = request->params;
        *what = (uint32_t)params->grab;
        return true;
    }
    const struct wire_collider_move *move = request->params;
    const struct object *object = object_find(&world->content.objects, OBJECT_COLLIDER, move->collider);
    if (object) *what = object->index;
    return object != NULL;
}

/* true: the move is held (params taken); false: it goes out at once. */
static bool hold(struct sim *sim, struct world *world, uint32_t client, const struct wire_request *request,
                 char *params) {
    uint64_t now = sim_now(sim);
    uint32_t what;
    forget_idle(world, now);
    if (!dragged(world, request, &what)) return false;
    struct drag *drag = world->drags;
    while (drag && (drag->client != client || drag->command != request->command || drag->what != what))
        drag = drag->next;
    if (drag) {
        free(drag->params);
        drag->params = params;
        drag->tick = world_tick(world);
        return true;
    }
    drag = calloc(1, sizeof *drag);
    if (!drag) return false;
    *drag = (struct drag){.next = world->drags,
                          .client = client,
                          .command = request->command,
                          .what = what,
                          .due_us = now + DRAG_PERIOD_US};
    world->drags = drag;
    return false;
}

uint64_t event_flush_due(struct sim *sim, struct world *world) {
    uint64_t now = sim_now(sim), next = CLOCK_NEVER;
    for (struct drag *drag = world->drags; drag; drag = drag->next) {
        if (!drag->params) continue;
        if (now >= drag->due_us) {
            send_held(sim, world, drag, now);
        } else if (drag->due_us < next) {
            next = drag->due_us;
        }
    }
    return next;
}

void event_forget_client(struct sim *sim, struct world *world, uint32_t client) {
    struct drag **link = &world->drags;
    while (*link) {
        struct drag *drag = *link;
        if (drag->client != client) {
            link = &drag->next;
            continue;
        }
        if (drag->params) send_held(sim, world, drag, 0);
        *link = drag->next;
        free(drag);
    }
}

/* ---- events ---- */

void applied_take(struct applied *applied, const struct world *world, const struct wire_request *request) {
    *applied = (struct applied){.request = request, .tick = world_tick(world), .grab = world->grabs.last};
    if (command_log_holds(request->command) && !world->log.ended) {
        applied->params = command_log_params(&world->content, request);
    }
}

void applied_free(struct applied *applied) {
    free(applied->params);
    *applied = (struct applied){0};
}

/* A log that ends is told once: from here on a replay is shorter than what happened. */
static void add_to_log(struct sim *sim, struct world *world, const struct log_command *command) {
    if (command_log_add(&world->log, command)) return;
    for (uint32_t i = 0; i < world->member_count; ++i) {
        notify_status(
            sim, world, world->members[i].client->id, "warning", "log_ended",
            "The command log has reached max_log_bytes and ends here; world.log tells what came before.");
    }
}

void event_applied(struct sim *sim, struct world *world, uint32_t client, struct applied *applied) {
    const struct wire_request *request = applied->request;
    /* What is sent before it has a lower seq. */
    if (!is_drag(request->command)) send_all_held(sim, world);
    uint64_t seq = next_seq(world);
    if (command_log_holds(request->command)) {
        const char *method = wire_command_get_info(request->command)->method;
        const struct log_command command = {seq, applied->tick, client, method, applied->params};
        add_to_log(sim, world, &command);
    }
    struct json params;
    json_init(&params);
    describe_params(&params, request);
    char *text = params.failed ? NULL : params.text;
    bool held = is_drag(request->command) && text && hold(sim, world, client, request, text);
    if (!held) {
        const struct told told = {seq, client, applied->tick, request->command, text, applied->grab};
        send_command(sim, world, &told);
        json_free(&params);
    }
    applied_free(applied);
}

void event_command(struct sim *sim, struct world *world, uint32_t client,
                   const struct wire_request *request) {
    struct applied applied;
    applied_take(&applied, world, request);
    event_applied(sim, world, client, &applied);
}

void event_release(struct sim *sim, struct world *world, uint32_t client, uint32_t grab) {
    char params[32];
    snprintf(params, sizeof params, "{\"grab\":%u}", grab);
    send_all_held(sim, world);
    const struct told told = {next_seq(world), client, world_tick(world), WIRE_cloth_release, params, 0};
    const struct log_command command = {told.seq, told.tick, client, "cloth.release", params};
    add_to_log(sim, world, &command);
    send_command(sim, world, &told);
}

/* Nothing where id is 0. */
static void put_object(struct json *json, const char *key, const struct world *world, enum object_kind kind,
                       uint32_t id) {
    if (id == 0) return;
    const struct object *object = object_find_id(&world->content.objects, kind, id);
    json_key(json, key);
    json_string(json, object ? object->name : NULL);
}

/* Whom it concerns: a cloth, a body, or a cloth and what it touches. */
static void put_concerned(struct json *json, const struct world *world, const struct pbd_event *event) {
    put_object(json, "cloth", world, OBJECT_CLOTH, event->cloth);
    put_object(json, "collider", world, OBJECT_COLLIDER, event->collider);
    put_object(json, "other", world, OBJECT_CLOTH, event->other);
    put_object(json, "other", world, OBJECT_COLLIDER, event->other_collider);
}

static void put_name(struct json *json, const char *name) {
    json_key(json, "event");
    json_string(json, name);
}

/* At most once a second of simulated time per object: it may bite in every tick. */
static bool is_repeated_clamp(struct world *world, const struct pbd_event *event) {
    const struct object_table *objects = &world->content.objects;
    struct object *object = event->cloth ? object_find_id(objects, OBJECT_CLOTH, event->cloth)
                                         : object_find_id(objects, OBJECT_COLLIDER, event->collider);
    if (!object) return false;
    uint64_t tick = world_tick(world),
             every = (uint64_t)lroundf(1.0f / pbd_world_get_settings(world->content.pbd).solver.dt);
    /* A tick before the last one: the world was reset meanwhile. */
    if (object->clamped_tick > 0 && tick + 1 >= object->clamped_tick &&
        tick + 1 - object->clamped_tick < every) {
        return true;
    }
    object->clamped_tick = tick + 1;
    return false;
}

static void put_clamp(struct json *json, const char *what, float got, float max) {
    json_key(json, "what");
    json_string(json, what);
    describe_number(json, "got", got);
    describe_number(json, "max", max);
}

static void send_solver_event(struct sim *sim, struct world *world, const struct pbd_event *event) {
    if (event->type == PBD_EVENT_CLAMPED && is_repeated_clamp(world, event)) return;
    struct json json;
    begin(&json, world, next_seq(world), world_tick(world));
    json_key(&json, "client");
    json_null(&json);
    switch (event->type) {
    case PBD_EVENT_DIVERGED:
        put_name(&json, "diverged");
        put_concerned(&json, world, event);
        if (!event->cloth) break;
        json_key(&json, "vertex");
        json_integer(&json, event->vertex);
        break;
    case PBD_EVENT_INITIAL_OVERLAP:
        put_name(&json, "initial_overlap");
        put_concerned(&json, world, event);
        json_key(&json, "count");
        json_integer(&json, event->count);
        describe_number(&json, "depth", event->depth);
        break;
    case PBD_EVENT_CLAMPED:
        put_name(&json, "clamped");
        put_concerned(&json, world, event);
        put_clamp(&json, "max_speed", event->got, event->max);
        break;
    case PBD_EVENT_PRECISION:
        put_name(&json, "precision");
        put_concerned(&json, world, event);
        describe_number(&json, "got", event->got);
        describe_number(&json, "min", event->max);
        break;
    case PBD_EVENT_SLEPT:
    case PBD_EVENT_WOKE:
        put_name(&json, event->type == PBD_EVENT_SLEPT ? "slept" : "woke");
        put_concerned(&json, world, event);
        break;
    }
    end(sim, world, &json);
}

void event_thickness(struct sim *sim, struct world *world, const struct object *cloth, float got, float max) {
    struct json json;
    send_all_held(sim, world);
    begin(&json, world, next_seq(world), world_tick(world));
    json_key(&json, "client");
    json_null(&json);
    put_name(&json, "clamped");
    put_object(&json, "cloth", world, OBJECT_CLOTH, cloth->id);
    put_clamp(&json, "thickness", got, max);
    end(sim, world, &json);
}

void event_solver(struct sim *sim, struct world *world) {
    const struct pbd_event *events;
    uint32_t count = pbd_world_events(world->content.pbd, &events);
    if (count == 0) return;
    send_all_held(sim, world);
    for (uint32_t i = 0; i < count; ++i)
        send_solver_event(sim, world, &events[i]);
}
