/* The loop's thread. */
#include "support_bridge.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void test_bridge_init(struct test_bridge *test) {
    *test = (struct test_bridge){0};
    test->config = (struct bridge_config){
        .sim = {.scene_dir = SOURCE_DIR "/server/scenes", .version = "0.0.0", .build = "test"},
        .net = {.bind = "127.0.0.1",
                .max_clients = 8,
                .lane_max_messages = 256,
                .lane_max_bytes = 1024 * 1024,
                .send_buffer_bytes = 64 * 1024},
    };
}

static void on_stopped(void *context) {
    uv_stop(context);
}

static void on_stop(uv_async_t *stop) {
    struct test_bridge *test = stop->data;
    bridge_drain(test->bridge, on_stopped, &test->loop);
}

static void *run(void *argument) {
    struct test_bridge *test = argument;
    uv_run(&test->loop, UV_RUN_DEFAULT);
    bridge_destroy(test->bridge);
    uv_close((uv_handle_t *)&test->stop, NULL);
    uv_run(&test->loop, UV_RUN_DEFAULT);
    if (uv_loop_close(&test->loop) != 0) {
        printf("the loop is not empty after bridge_destroy\n");
        abort();
    }
    return NULL;
}

bool test_bridge_start(struct test_bridge *test) {
    uv_loop_init(&test->loop);
    test->bridge = bridge_create(&test->loop, &test->config, test->message, sizeof test->message);
    if (!test->bridge) {
        if (uv_loop_close(&test->loop) != 0) abort();
        return false;
    }
    uv_async_init(&test->loop, &test->stop, on_stop);
    test->stop.data = test;
    pthread_create(&test->thread, NULL, run, test);
    return true;
}

void test_bridge_drain(struct test_bridge *test) {
    uv_async_send(&test->stop);
}

void test_bridge_stop(struct test_bridge *test) {
    uv_async_send(&test->stop);
    pthread_join(test->thread, NULL);
}

const char *test_read_until(struct test_socket *socket, const char *needle) {
    static char text[1 << 20];
    size_t used = 0;
    bool in_text = false;
    for (;;) {
        struct test_message message = socket_read(socket, 5);
        if (message.opcode < 0 || message.opcode == 8) return NULL;
        if (message.opcode == 1) used = 0;
        if (message.opcode == 1 || message.opcode == 2) in_text = message.opcode == 1;
        if (!in_text || message.opcode > 1) continue;
        if (used + message.length >= sizeof text) return NULL;
        memcpy(text + used, message.bytes, message.length);
        used += message.length;
        text[used] = '\0';
        if (message.final && strstr(text, needle)) return text;
    }
}
