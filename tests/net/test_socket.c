/* net/socket: what is asked of the kernel holds. */
#include "check.h"
#include <net/socket.h>
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

/* A listening socket, one that connected to it, and the accepted end. */
struct pair {
    int listener, client, server;
};

static bool open_pair(struct pair *pair) {
    char message[256];
    uint16_t port = 0;
    pair->listener = socket_listen("127.0.0.1", &port, message, sizeof message);
    pair->client = socket(AF_INET, SOCK_STREAM, 0);
    const int small = 4096;
    setsockopt(pair->client, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
    const struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (connect(pair->client, (const struct sockaddr *)&address, sizeof address) != 0) return false;
    pair->server = accept4(pair->listener, NULL, NULL, SOCK_NONBLOCK);
    return pair->server >= 0;
}

static void close_pair(const struct pair *pair) {
    close(pair->listener);
    close(pair->client);
    close(pair->server);
}

static int option(int fd, int level, int name) {
    int value = -1;
    socklen_t length = sizeof value;
    getsockopt(fd, level, name, &value, &length);
    return value;
}

static void an_accepted_socket_is_tuned(void) {
    struct pair pair;
    CHECK(open_pair(&pair));
    socket_tune(pair.server, 65536);
    CHECK_INT(option(pair.server, IPPROTO_TCP, TCP_NODELAY), 1);
    CHECK_INT(option(pair.server, IPPROTO_TCP, TCP_NOTSENT_LOWAT), 16384);
    CHECK_INT(option(pair.server, SOL_SOCKET, SO_SNDBUF), 2 * 65536); /* the kernel doubles it */
    close_pair(&pair);
}

static void progress_shows_in_acknowledged_bytes(void) {
    struct pair pair;
    char bytes[8192] = {0};
    CHECK(open_pair(&pair));
    socket_tune(pair.server, 65536);
    while (send(pair.server, bytes, sizeof bytes, MSG_NOSIGNAL) > 0) {}
    usleep(50000);
    uint64_t stalled = socket_acked_bytes(pair.server);
    CHECK(socket_waiting_bytes(pair.server) > 0);
    usleep(50000);
    CHECK_INT(socket_acked_bytes(pair.server), stalled);
    /* The peer reads all that it has: the window opens and more is acknowledged. */
    size_t read = 0;
    for (ssize_t got; (got = recv(pair.client, bytes, sizeof bytes, MSG_DONTWAIT)) > 0;)
        read += (size_t)got;
    CHECK(read > 0);
    usleep(300000);
    CHECK(socket_acked_bytes(pair.server) > stalled);
    close_pair(&pair);
}

static void a_reset_reaches_a_peer_that_does_not_read(void) {
    struct pair pair;
    char bytes[8192] = {0};
    CHECK(open_pair(&pair));
    while (send(pair.server, bytes, sizeof bytes, MSG_NOSIGNAL) > 0) {}
    socket_abort(pair.server);
    close(pair.server);
    ssize_t got;
    while ((got = recv(pair.client, bytes, sizeof bytes, 0)) > 0) {}
    CHECK_INT(got, -1); /* an error, not the orderly end */
    close(pair.client);
    close(pair.listener);
}

static void a_peer_that_left_is_seen_without_reading(void) {
    struct pair pair;
    CHECK(open_pair(&pair));
    CHECK(!socket_peer_has_left(pair.server));
    CHECK_INT(send(pair.client, "x", 1, 0), 1); /* unread bytes stand before the end */
    shutdown(pair.client, SHUT_WR);
    usleep(50000);
    CHECK(socket_peer_has_left(pair.server));
    close_pair(&pair);
    CHECK(open_pair(&pair));
    const struct linger reset = {.l_onoff = 1, .l_linger = 0};
    setsockopt(pair.client, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
    close(pair.client);
    usleep(50000);
    CHECK(socket_peer_has_left(pair.server));
    close(pair.server);
    close(pair.listener);
}

static void a_port_or_address_that_does_not_work_is_a_sentence(void) {
    char message[256];
    uint16_t port = 0;
    CHECK_INT(socket_listen("localhost", &port, message, sizeof message), -1);
    CHECK(strstr(message, "localhost") && strstr(message, "IP address"));
    int fd = socket_listen("127.0.0.1", &port, message, sizeof message);
    CHECK(fd >= 0 && port > 0);
    uint16_t again = port;
    CHECK_INT(socket_listen("127.0.0.1", &again, message, sizeof message), -1);
    CHECK(strstr(message, "taken") != NULL);
    close(fd);
    CHECK_INT(socket_listen("203.0.113.1", &again, message, sizeof message), -1);
    CHECK(strstr(message, "203.0.113.1") != NULL);
}

static void the_descriptor_limit_follows_the_wish(void) {
    struct rlimit before, after;
    getrlimit(RLIMIT_NOFILE, &before);
    uint32_t got = socket_set_descriptor_limit(200);
    getrlimit(RLIMIT_NOFILE, &after);
    CHECK_INT(got, 200);
    CHECK_INT(after.rlim_cur, 200);
    CHECK_INT(after.rlim_max, before.rlim_max);
    socket_set_descriptor_limit((uint32_t)before.rlim_cur);
    uint32_t open = socket_open_descriptors();
    int fd = dup(0);
    CHECK_INT(socket_open_descriptors(), open + 1);
    close(fd);
}

RUN_TESTS(TEST(an_accepted_socket_is_tuned), TEST(progress_shows_in_acknowledged_bytes),
          TEST(a_reset_reaches_a_peer_that_does_not_read), TEST(a_peer_that_left_is_seen_without_reading),
          TEST(a_port_or_address_that_does_not_work_is_a_sentence),
          TEST(the_descriptor_limit_follows_the_wish))
