/* What the simulation says goes to lanes and tiers; and the order of starting and ending. */
#include <app/bridge_internal.h>
#include <wire/reply.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    OUTPUTS_PER_WAKE = 256, /* then the sockets get a turn */
    DRAIN_MS = 150,         /* readiness says no for at least 100 ms before the close */
    STOP_MS = 3000,         /* for the running tick to end */
    STOP_POLL_MS = 10,
    CLOSE_MS = 50, /* for the last replies to leave before the Close frames */
    RATE_LOOPBACK = 2000,
    RATE_ELSEWHERE = 100,
    MAX_WORLDS = 256,
    MAX_VERTICES_PER_WORLD = 500000,
    MAX_VERTICES = 2000000,
    MAX_GRABS = 256,
    MAX_SNAPSHOTS = 64,
    MAX_SNAPSHOT_BYTES = 512 << 20,
    MAX_LOG_BYTES = 32 << 20,
    MAX_MESSAGE_BYTES = 16 * 1024 * 1024,
    MAX_JSON_DEPTH = 16,
    HANDSHAKE_S = 5
};

static uint32_t or_usual(uint32_t asked, uint32_t usual) {
    return asked ? asked : usual;
}

static bool is_reply(const struct buffer *text) {
    /* reply_begin and reply_error start so; a notification has no id. */
    static const char start[] = "{\"jsonrpc\":\"2.0\",\"id\":";
    return text->length >= sizeof start - 1 && memcmp(text->data, start, sizeof start - 1) == 0;
}

static void deliver(struct bridge *bridge, struct sim_output *output) {
    struct net *net = bridge->net;
    switch (output->kind) {
    case SIM_TEXT: {
        struct session *session = session_find(&bridge->sessions, output->client);
        if (session && is_reply(output->buffer) && session->unanswered > 0) {
            --session->unanswered;
            requests_update_hold(bridge, session);
        }
        net_send_text(net, output->client, output->buffer);
        output->buffer = NULL;
        break;
    }
    case SIM_BINARY:
        net_send_binary(net, output->client, output->buffer);
        output->buffer = NULL;
        break;
    case SIM_JOIN:
        net_join(net, output->client, output->tier, output->ack);
        break;
    case SIM_LEAVE:
        net_leave(net, output->client, output->tier);
        break;
    case SIM_MOVE:
        net_move(net, output->client, output->from, output->tier);
        break;
    case SIM_FRAME:
        net_publish(net, output->tier, output->tick, output->base_tick, output->delta, output->key);
        output->delta = output->key = NULL;
        break;
    case SIM_TIER_END:
        net_tier_end(net, output->tier);
        break;
    case SIM_CLOSE:
        net_close(net, output->client, output->close_code, output->name);
        break;
    case SIM_WORLD_STATE:
        world_states_set(&bridge->worlds, output->name, output->exists, output->paused);
        break;
    }
}

static void on_wake(uv_async_t *wake) {
    struct bridge *bridge = wake->data;
    if (!bridge->net || !bridge->sim) return;
    for (int i = 0; i < OUTPUTS_PER_WAKE; ++i) {
        struct sim_output *output = sim_pop(bridge->sim);
        if (!output) return;
        deliver(bridge, output);
        sim_output_free(output);
    }
    uv_async_send(wake);
}

/* Called on the sim thread. */
static void wake_net(void *context) {
    struct bridge *bridge = context;
    uv_async_send(&bridge->wake);
}

static void on_closed(uv_handle_t *handle) {
    struct bridge *bridge = handle->data;
    --bridge->open_handles;
}

struct bridge *bridge_create(uv_loop_t *loop, const struct bridge_config *config, char *message,
                             size_t message_size) {
    struct bridge *bridge = calloc(1, sizeof *bridge);
    if (!bridge) {
        snprintf(message, message_size, "out of memory");
        return NULL;
    }
    bool loopback = net_is_loopback(config->net.bind);
    uint32_t rate = config->command_rate ? config->command_rate : loopback ? RATE_LOOPBACK : RATE_ELSEWHERE;
    bridge->loop = loop;
    bridge->version = config->sim.version;
    bridge->build = config->sim.build;
    rate_init(&bridge->rates, rate);
    bridge->wake.data = bridge->retry_timer.data = bridge->drain_timer.data = bridge;
    uv_async_init(loop, &bridge->wake, on_wake);
    requests_init(bridge);
    uv_timer_init(loop, &bridge->drain_timer);
    bridge->open_handles = 3;

    struct net_config net = config->net;
    net.max_message_bytes = or_usual((uint32_t)net.max_message_bytes, MAX_MESSAGE_BYTES);
    net.handshake_s = or_usual(net.handshake_s, HANDSHAKE_S);
    net.callbacks = requests_callbacks(bridge);
    /* The port first: a taken one must not cost the loading of a scene. */
    bridge->net = net_create(loop, &net, message, message_size);
    if (!bridge->net) goto failed;
    const struct sim_limits *asked = &config->sim.limits;
    bridge->limits = (struct sim_limits){
        .max_clients = net_capacity(bridge->net),
        .max_worlds = or_usual(asked->max_worlds, MAX_WORLDS),
        .max_vertices_per_world = or_usual(asked->max_vertices_per_world, MAX_VERTICES_PER_WORLD),
        .max_vertices = or_usual(asked->max_vertices, MAX_VERTICES),
        .max_grabs = or_usual(asked->max_grabs, MAX_GRABS),
        .max_snapshots = or_usual(asked->max_snapshots, MAX_SNAPSHOTS),
        .max_snapshot_bytes = or_usual(asked->max_snapshot_bytes, MAX_SNAPSHOT_BYTES),
        .max_log_bytes = or_usual(asked->max_log_bytes, MAX_LOG_BYTES),
        .max_message_bytes = (uint32_t)net.max_message_bytes,
        .max_json_depth = or_usual(asked->max_json_depth, MAX_JSON_DEPTH),
        .command_rate = rate,
        .handshake_s = net.handshake_s};
    struct sim_config sim = config->sim;
    sim.limits = bridge->limits;
    sim.wake = wake_net;
    sim.wake_context = bridge;
    bridge->sim = sim_create(&sim, message, message_size);
    if (!bridge->sim) goto failed;
    if (sim_start(bridge->sim) != 0) {
        snprintf(message, message_size, "the simulation's thread cannot be started");
        goto failed;
    }
    bridge->running = true;
    return bridge;
failed:
    bridge_destroy(bridge);
    return NULL;
}

uint16_t bridge_port(const struct bridge *bridge) {
    return net_port(bridge->net);
}

static void stop_sim(struct bridge *bridge) {
    if (!bridge->running) return;
    bridge->running = false;
    sim_stop(bridge->sim);
    /* What it still had to say; nothing new comes. */
    for (struct sim_output *output; (output = sim_pop(bridge->sim));) {
        deliver(bridge, output);
        sim_output_free(output);
    }
}

static void on_drained(uv_timer_t *timer) {
    struct bridge *bridge = timer->data;
    bridge->stopped(bridge->stopped_context);
}

static void on_drain(uv_timer_t *timer) {
    struct bridge *bridge = timer->data;
    if (sim_ask_stop(bridge->sim)) {
        stop_sim(bridge);
    } else if (bridge->stop_waited_ms < STOP_MS) {
        bridge->stop_waited_ms += STOP_POLL_MS;
        uv_timer_start(timer, on_drain, STOP_POLL_MS, 0);
        return;
    } else {
        bridge->stuck = true;
    }
    net_close_all(bridge->net, 1001, "going away");
    uv_timer_start(timer, on_drained, CLOSE_MS, 0);
}

void bridge_drain(struct bridge *bridge, void (*stopped)(void *context), void *context) {
    if (bridge->draining) return;
    bridge->draining = true;
    bridge->stopped = stopped;
    bridge->stopped_context = context;
    net_drain(bridge->net);
    for (int i = 0; i < SESSION_BUCKETS; ++i) {
        for (const struct session *session = bridge->sessions.buckets[i]; session; session = session->next) {
            struct json json;
            json_init(&json);
            notification_begin(&json, "event");
            json_key(&json, "event");
            json_string(&json, "going_away");
            json_key(&json, "retry_ms");
            json_integer(&json, 1000);
            notification_end(&json);
            requests_send_json(bridge, session->client, &json);
        }
    }
    uv_timer_start(&bridge->drain_timer, on_drain, DRAIN_MS, 0);
}

bool bridge_is_stuck(const struct bridge *bridge) {
    return bridge->stuck;
}

void bridge_close_sockets(struct bridge *bridge) {
    net_destroy(bridge->net);
    bridge->net = NULL;
}

void bridge_destroy(struct bridge *bridge) {
    if (!bridge) return;
    if (bridge->running) stop_sim(bridge);
    net_destroy(bridge->net);
    bridge->net = NULL;
    uv_handle_t *handles[] = {(uv_handle_t *)&bridge->wake, (uv_handle_t *)&bridge->retry_timer,
                              (uv_handle_t *)&bridge->drain_timer};
    for (size_t i = 0; i < sizeof handles / sizeof handles[0]; ++i)
        uv_close(handles[i], on_closed);
    while (bridge->open_handles > 0)
        uv_run(bridge->loop, UV_RUN_NOWAIT);
    while (bridge->deferred_first) {
        struct deferred *first = bridge->deferred_first;
        bridge->deferred_first = first->next;
        sim_input_free(first->input);
        free(first);
    }
    sim_destroy(bridge->sim);
    rate_free(&bridge->rates);
    world_states_free(&bridge->worlds);
    free(bridge);
}

const struct net *bridge_net(const struct bridge *bridge) {
    return bridge->net;
}

const struct sim *bridge_sim(const struct bridge *bridge) {
    return bridge->sim;
}

const struct bridge_metrics *bridge_get_metrics(const struct bridge *bridge) {
    return &bridge->metrics;
}
