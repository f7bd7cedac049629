/* hello, presence, status and stats. */
#include "sim/notify.h"

#include <wire/reply.h>

#include "sim/describe.h"

static struct buffer *take_text(struct json *json) {
    struct buffer *buffer = json->failed ? NULL : buffer_copy(json->text, json->length);
    json_free(json);
    return buffer;
}

void notify_send(struct sim *sim, uint32_t client, struct json *json) {
    struct buffer *buffer = take_text(json);
    if (!buffer || !outbox_text(&sim->outbox, client, buffer)) {
        outbox_close_client(&sim->outbox, client, 1011, "the server is out of memory");
    }
}

void notify_members(struct sim *sim, const struct world *world, struct json *json) {
    struct buffer *buffer = take_text(json);
    for (uint32_t i = 0; i < world->member_count; ++i) {
        uint32_t client = world->members[i].client->id;
        if (!buffer || !outbox_text(&sim->outbox, client, buffer_ref(buffer))) {
            outbox_close_client(&sim->outbox, client, 1011, "the server is out of memory");
        }
    }
    buffer_unref(buffer);
}

static const char *role_name(enum sim_role role) {
    return role == SIM_ROLE_CONTROL ? "control" : "view";
}

static void member_uint(struct json *json, const char *key, uint64_t value) {
    json_key(json, key);
    json_integer(json, (int64_t)value);
}

static void put_limits(struct json *json, const struct sim_limits *limits) {
    json_begin_object(json);
    member_uint(json, "max_clients", limits->max_clients);
    member_uint(json, "max_worlds", limits->max_worlds);
    member_uint(json, "max_vertices_per_world", limits->max_vertices_per_world);
    member_uint(json, "max_vertices", limits->max_vertices);
    member_uint(json, "max_grabs", limits->max_grabs);
    member_uint(json, "max_snapshots", limits->max_snapshots);
    member_uint(json, "max_snapshot_bytes", limits->max_snapshot_bytes);
    member_uint(json, "max_log_bytes", limits->max_log_bytes);
    member_uint(json, "max_message_bytes", limits->max_message_bytes);
    member_uint(json, "max_json_depth", limits->max_json_depth);
    member_uint(json, "command_rate", limits->command_rate);
    member_uint(json, "handshake_s", limits->handshake_s);
    json_end_object(json);
}

static void put_strings(struct json *json, const char *key, const char *const *values) {
    json_key(json, key);
    json_begin_array(json);
    for (; *values; ++values)
        json_string(json, *values);
    json_end_array(json);
}

/* The enums of the table, so that a value added there is announced by itself. */
static void put_capabilities(struct json *json) {
#define VALUE(tag, value) #value,
#define VALUES(tag, list) static const char *const tag##_values[] = {list NULL};
#include <wire/table_empty.inc>
#include "../../protocol/commands.def"
#include <wire/table_undef.inc>
    (void)diagonal_values;
    (void)clone_at_values;
    json_begin_object(json);
    put_strings(json, "codecs", codec_values);
    put_strings(json, "methods", method_values);
    put_strings(json, "bend_models", bend_model_values);
    put_strings(json, "shapes", shape_type_values);
    put_strings(json, "motions", motion_values);
    json_end_object(json);
}

void notify_server_members(struct json *json, const struct sim *sim) {
    json_key(json, "version");
    json_string(json, sim->config.version);
    json_key(json, "build");
    json_string(json, sim->config.build);
    json_key(json, "protocol");
    json_integer(json, 1);
    json_key(json, "limits");
    put_limits(json, &sim->config.limits);
    json_key(json, "capabilities");
    put_capabilities(json);
    json_key(json, "worlds");
    describe_worlds(json, sim);
}

void notify_hello(struct sim *sim, const struct client *client, const char *session) {
    struct json json;
    json_init(&json);
    notification_begin(&json, "hello");
    json_key(&json, "server");
    json_string(&json, "clothd");
    json_key(&json, "session");
    json_string(&json, session);
    json_key(&json, "client");
    json_integer(&json, client->id);
    json_key(&json, "role");
    json_string(&json, role_name(client->role));
    notify_server_members(&json, sim);
    notification_end(&json);
    notify_send(sim, client->id, &json);
}

void notify_presence(struct sim *sim, const struct client *client, bool gone) {
    for (uint32_t i = 0; i < sim->clients.count; ++i) {
        const struct client *other = sim->clients.items[i];
        if (gone && other == client) continue;
        struct json json;
        json_init(&json);
        notification_begin(&json, "presence");
        json_key(&json, "client");
        json_integer(&json, client->id);
        json_key(&json, "name");
        json_string(&json, client->name);
        json_key(&json, "color");
        json_string(&json, client->color);
        json_key(&json, "role");
        json_string(&json, role_name(client->role));
        json_key(&json, "gone");
        json_bool(&json, gone);
        notification_end(&json);
        notify_send(sim, other->id, &json);
    }
}

void notify_status(struct sim *sim, const struct world *world, uint32_t client, const char *level,
                   const char *code, const char *text) {
    struct json json;
    json_init(&json);
    notification_begin(&json, "status");
    json_key(&json, "world");
    json_string(&json, world->name);
    json_key(&json, "level");
    json_string(&json, level);
    json_key(&json, "code");
    json_string(&json, code);
    json_key(&json, "text");
    json_string(&json, text);
    notification_end(&json);
    notify_send(sim, client, &json);
}

static void put_delivery(struct json *json, const struct delivery_counters *counters) {
    uint64_t sent = 0, skipped = 0, bytes = 0;
    if (counters) {
        sent = atomic_load_explicit(&counters->frames_sent, memory_order_relaxed);
        skipped = atomic_load_explicit(&counters->frames_skipped, memory_order_relaxed);
        bytes = atomic_load_explicit(&counters->bytes_sent, memory_order_relaxed);
    }
    member_uint(json, "frames_sent", sent);
    member_uint(json, "frames_skipped", skipped);
    member_uint(json, "bytes_sent", bytes);
}

uint64_t notify_stats(struct sim *sim, struct world *world) {
    enum { PERIOD_US = 1000000 };
    if (world_subscriber_count(world) == 0) {
        world->stats_due_us = 0;
        return CLOCK_NEVER;
    }
    uint64_t now = sim_now(sim);
    if (world->stats_due_us == 0) world->stats_due_us = now + PERIOD_US;
    if (now < world->stats_due_us) return world->stats_due_us;
    world->stats_due_us = now + PERIOD_US;

    struct stats_report report = describe_take_stats(world, now);
    for (uint32_t i = 0; i < world->member_count; ++i) {
        const struct member *member = &world->members[i];
        if (!member->subscription) continue;
        struct json json;
        json_init(&json);
        notification_begin(&json, "stats");
        json_key(&json, "world");
        json_string(&json, world->name);
        json_key(&json, "tick");
        json_integer(&json, world_tick(world));
        describe_stats(&json, &report);
        put_delivery(&json, member->client->counters);
        notification_end(&json);
        notify_send(sim, member->client->id, &json);
    }
    return world->stats_due_us;
}
