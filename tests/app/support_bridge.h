/* A whole server in a thread, for the tests of the bridge. */
#ifndef TESTS_APP_SUPPORT_BRIDGE_H
#define TESTS_APP_SUPPORT_BRIDGE_H

#include "net/support_socket.h"
#include <app/bridge.h>
#include <pthread.h>

struct test_bridge {
    struct bridge_config config;
    struct bridge *bridge;
    uv_loop_t loop;
    uv_async_t stop;
    pthread_t thread;
    char message[512];
};

/* An empty world on a free loopback port; change config before bridge_start. */
void test_bridge_init(struct test_bridge *test);
bool test_bridge_start(struct test_bridge *test);
/* Drains as SIGTERM does, without waiting. */
void test_bridge_drain(struct test_bridge *test);
/* Drains if that has not begun, and joins. */
void test_bridge_stop(struct test_bridge *test);

/* Reads until a text that contains needle; NULL when none came within 5 s or the socket
 * ended. The text is valid until the next call. */
const char *test_read_until(struct test_socket *socket, const char *needle);

#endif
