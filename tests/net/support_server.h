/* A net on its own thread that answers like a tiny application, for the tests of net. */
#ifndef TESTS_NET_SUPPORT_SERVER_H
#define TESTS_NET_SUPPORT_SERVER_H

#include <net/net.h>
#include <pthread.h>
#include <stdatomic.h>
#include <uv.h>

struct test_server {
    struct net_config config;
    struct net *net;
    uv_loop_t loop;
    uv_async_t wake;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t done;
    void (*call)(struct test_server *server, void *argument);
    void *argument;
    bool stopping, started;
    char message[256];
    _Atomic uint32_t opened, closed, last_client, keys_wanted, skipped, overloads;
    _Atomic int last_role;
};

/* A loopback server on a free port; change config before server_start. It greets with
 * {"hello":ID,"refused":false}, echoes texts, closes a refused version with 4406. */
void server_init(struct test_server *server);
bool server_start(struct test_server *server);
/* Destroys the net and joins the thread; the loop must be empty then (checked). */
void server_stop(struct test_server *server);
/* Runs call on the net thread and waits for it. */
void server_call(struct test_server *server, void (*call)(struct test_server *server, void *argument),
                 void *argument);
uint16_t server_port(const struct test_server *server);
/* Waits up to 10 s until *counter reaches value. */
bool server_wait(const _Atomic uint32_t *counter, uint32_t value);

/* Publishes a frame of length bytes; base_tick == tick makes it a key. */
void server_publish(struct test_server *server, uint32_t tier, uint32_t tick, uint32_t base_tick,
                    size_t length);
void server_join(struct test_server *server, uint32_t client, uint32_t tier, bool ack);
void server_ack(struct test_server *server, uint32_t client, uint32_t tick);
void server_send(struct test_server *server, uint32_t client, const void *bytes, size_t length, bool binary);
void server_close(struct test_server *server, uint32_t client, uint16_t code, const char *reason);
struct net_metrics server_metrics(struct test_server *server);

double test_seconds(void);

#endif
