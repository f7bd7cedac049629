/* The net's thread: a loop, one async for calls from the test. */
#include "support_server.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

double test_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void on_open(void *context, const struct net_client_info *info, bool version_refused) {
    struct test_server *server = context;
    char text[80];
    int length = snprintf(text, sizeof text, "{\"hello\":%u,\"refused\":%s}", info->client,
                          version_refused ? "true" : "false");
    net_send_text(server->net, info->client, buffer_copy(text, (size_t)length));
    if (version_refused) net_close(server->net, info->client, 4406, "version");
    atomic_store(&server->last_client, info->client);
    atomic_store(&server->last_role, (int)info->role);
    atomic_fetch_add(&server->opened, 1);
}

static void on_text(void *context, uint32_t client, char *text, size_t length) {
    struct test_server *server = context;
    net_send_text(server->net, client, buffer_copy(text, length));
}

static void on_overload(void *context, uint32_t client) {
    struct test_server *server = context;
    (void)client;
    atomic_fetch_add(&server->overloads, 1);
}

static void on_close(void *context, uint32_t client) {
    struct test_server *server = context;
    (void)client;
    atomic_fetch_add(&server->closed, 1);
}

static bool on_want_key(void *context, uint32_t tier) {
    struct test_server *server = context;
    (void)tier;
    atomic_fetch_add(&server->keys_wanted, 1);
    return true;
}

static struct net_http_reply on_http(void *context, const char *path) {
    (void)context;
    if (strcmp(path, "/healthz") == 0 || strcmp(path, "/metrics") == 0 || strcmp(path, "/version") == 0) {
        return (struct net_http_reply){200, "application/json", buffer_copy("{\"fine\":true}\n", 14)};
    }
    return (struct net_http_reply){0};
}

static void on_sent(void *context, uint32_t client, size_t bytes, bool frame) {
    (void)context;
    (void)client;
    (void)bytes;
    (void)frame;
}

static void on_skipped(void *context, uint32_t client) {
    struct test_server *server = context;
    (void)client;
    atomic_fetch_add(&server->skipped, 1);
}

void server_init(struct test_server *server) {
    *server = (struct test_server){0};
    server->config = (struct net_config){
        .bind = "127.0.0.1",
        .max_clients = 8,
        .max_message_bytes = 16 * 1024 * 1024,
        .lane_max_messages = 256,
        .lane_max_bytes = 1024 * 1024,
        .send_buffer_bytes = 64 * 1024,
        .callbacks = {.context = server,
                      .open = on_open,
                      .text = on_text,
                      .overload = on_overload,
                      .close = on_close,
                      .want_key = on_want_key,
                      .http = on_http,
                      .sent = on_sent,
                      .skipped = on_skipped},
    };
}

static void on_wake(uv_async_t *wake) {
    struct test_server *server = wake->data;
    pthread_mutex_lock(&server->lock);
    if (server->call) {
        server->call(server, server->argument);
        server->call = NULL;
        pthread_cond_signal(&server->done);
    }
    bool stopping = server->stopping;
    pthread_mutex_unlock(&server->lock);
    if (stopping) uv_stop(&server->loop);
}

static void *run(void *argument) {
    struct test_server *server = argument;
    uv_loop_init(&server->loop);
    uv_async_init(&server->loop, &server->wake, on_wake);
    server->wake.data = server;
    struct net *net = net_create(&server->loop, &server->config, server->message, sizeof server->message);
    pthread_mutex_lock(&server->lock);
    server->net = net;
    server->started = true;
    pthread_cond_signal(&server->done);
    pthread_mutex_unlock(&server->lock);
    if (net) uv_run(&server->loop, UV_RUN_DEFAULT);
    net_destroy(net);
    uv_close((uv_handle_t *)&server->wake, NULL);
    uv_run(&server->loop, UV_RUN_DEFAULT);
    if (uv_loop_close(&server->loop) != 0) {
        printf("the loop is not empty after net_destroy\n");
        abort();
    }
    return NULL;
}

bool server_start(struct test_server *server) {
    pthread_mutex_init(&server->lock, NULL);
    pthread_cond_init(&server->done, NULL);
    pthread_create(&server->thread, NULL, run, server);
    pthread_mutex_lock(&server->lock);
    while (!server->started)
        pthread_cond_wait(&server->done, &server->lock);
    bool fine = server->net != NULL;
    pthread_mutex_unlock(&server->lock);
    if (!fine) pthread_join(server->thread, NULL);
    return fine;
}

void server_stop(struct test_server *server) {
    pthread_mutex_lock(&server->lock);
    server->stopping = true;
    pthread_mutex_unlock(&server->lock);
    uv_async_send(&server->wake);
    pthread_join(server->thread, NULL);
    pthread_mutex_destroy(&server->lock);
    pthread_cond_destroy(&server->done);
}

void server_call(struct test_server *server, void (*call)(struct test_server *server, void *argument),
                 void *argument) {
    pthread_mutex_lock(&server->lock);
    server->call = call;
    server->argument = argument;
    uv_async_send(&server->wake);
    while (server->call)
        pthread_cond_wait(&server->done, &server->lock);
    pthread_mutex_unlock(&server->lock);
}

uint16_t server_port(const struct test_server *server) {
    return net_port(server->net);
}

bool server_wait(const _Atomic uint32_t *counter, uint32_t value) {
    for (int i = 0; i < 1000; ++i) {
        if (atomic_load(counter) >= value) return true;
        usleep(10000);
    }
    return false;
}

struct action {
    uint32_t client, tier, tick, base_tick;
    const void *bytes;
    size_t length;
    bool flag;
    uint16_t code;
    struct net_metrics metrics;
};

static void do_publish(struct test_server *server, void *argument) {
    const struct action *action = argument;
    struct buffer *frame = buffer_create(action->length);
    if (!frame) abort();
    frame->length = action->length;
    memset(frame->data, 0, frame->length);
    /* What a test looks at: the tick and whether it is a key. */
    memcpy(frame->data, &action->tick, 4);
    frame->data[4] = action->tick == action->base_tick;
    bool key = action->tick == action->base_tick;
    net_publish(server->net, action->tier, action->tick, action->base_tick, key ? NULL : frame,
                key ? frame : NULL);
}

void server_publish(struct test_server *server, uint32_t tier, uint32_t tick, uint32_t base_tick,
                    size_t length) {
    struct action action = {.tier = tier, .tick = tick, .base_tick = base_tick, .length = length};
    server_call(server, do_publish, &action);
}

static void do_join(struct test_server *server, void *argument) {
    const struct action *action = argument;
    net_join(server->net, action->client, action->tier, action->flag);
}

void server_join(struct test_server *server, uint32_t client, uint32_t tier, bool ack) {
    struct action action = {.client = client, .tier = tier, .flag = ack};
    server_call(server, do_join, &action);
}

static void do_ack(struct test_server *server, void *argument) {
    const struct action *action = argument;
    net_ack(server->net, action->client, action->tick);
}

void server_ack(struct test_server *server, uint32_t client, uint32_t tick) {
    struct action action = {.client = client, .tick = tick};
    server_call(server, do_ack, &action);
}

static void do_send(struct test_server *server, void *argument) {
    const struct action *action = argument;
    struct buffer *buffer = buffer_copy(action->bytes, action->length);
    if (action->flag) {
        net_send_binary(server->net, action->client, buffer);
    } else {
        net_send_text(server->net, action->client, buffer);
    }
}

void server_send(struct test_server *server, uint32_t client, const void *bytes, size_t length, bool binary) {
    struct action action = {.client = client, .bytes = bytes, .length = length, .flag = binary};
    server_call(server, do_send, &action);
}

static void do_close(struct test_server *server, void *argument) {
    const struct action *action = argument;
    net_close(server->net, action->client, action->code, action->bytes);
}

void server_close(struct test_server *server, uint32_t client, uint16_t code, const char *reason) {
    struct action action = {.client = client, .code = code, .bytes = reason};
    server_call(server, do_close, &action);
}

static void do_metrics(struct test_server *server, void *argument) {
    struct action *action = argument;
    net_get_metrics(server->net, &action->metrics);
}

struct net_metrics server_metrics(struct test_server *server) {
    struct action action = {0};
    server_call(server, do_metrics, &action);
    return action.metrics;
}
