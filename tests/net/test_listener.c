/* net/listener: handshakes, keep-alive, limits of sockets and the clean end, over real sockets. */
#include "check.h"
#include "support_server.h"
#include "support_socket.h"
#include <stdlib.h>
#include <unistd.h>

static void a_text_comes_back_and_the_end_leaks_nothing(void) {
    struct test_server server;
    struct test_socket socket;
    server_init(&server);
    CHECK(server_start(&server));
    CHECK(socket_join(&socket, server_port(&server), 0) > 0);
    socket_send_text(&socket, "{\"a\":1}");
    struct test_message message = socket_read(&socket, 5);
    CHECK_INT(message.opcode, 1);
    CHECK(message.length == 7 && memcmp(message.bytes, "{\"a\":1}", 7) == 0);
    server_stop(&server); /* aborts when the loop is not empty; ASan sees a leak */
    message = socket_read(&socket, 5);
    CHECK_INT(message.opcode, 8);
    CHECK_INT(message.code, 1001);
    socket_close(&socket);
}

static void the_answer_names_the_subprotocol_and_no_extension(void) {
    struct test_server server;
    struct test_socket socket;
    server_init(&server);
    CHECK(server_start(&server));
    CHECK(socket_open(&socket, server_port(&server), 0));
    CHECK_INT(socket_upgrade(&socket, "Sec-WebSocket-Protocol: clothd.v1\r\nSec-WebSocket-Extensions: "
                                      "permessage-deflate; client_max_window_bits\r\n"),
              101);
    CHECK(strstr(socket.head, "Sec-WebSocket-Protocol: clothd.v1\r\n") != NULL);
    CHECK(strstr(socket.head, "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n") != NULL);
    CHECK(strstr(socket.head, "Extensions") == NULL);
    socket_close(&socket);
    server_stop(&server);
}

static void a_taken_port_is_one_sentence(void) {
    struct test_server first, second;
    server_init(&first);
    CHECK(server_start(&first));
    server_init(&second);
    second.config.port = server_port(&first);
    CHECK(!server_start(&second));
    CHECK(strstr(second.message, "taken") != NULL && strstr(second.message, "--port") != NULL);
    server_stop(&first);
}

static void two_requests_use_one_connection(void) {
    struct test_server server;
    struct test_socket socket;
    server_init(&server);
    CHECK(server_start(&server));
    CHECK(socket_open(&socket, server_port(&server), 0));
    const char *request = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
    CHECK_INT(socket_request(&socket, request), 200);
    CHECK_INT(socket_request(&socket, request), 200);
    CHECK_STRING(socket.body, "{\"fine\":true}\n");
    socket_close(&socket);
    server_stop(&server);
}

static void connect_and_http2_never_reach_a_session(void) {
    static const char *const requests[] = {
        "CONNECT 127.0.0.1:80 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
        ("GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\n"
         "HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n\r\n"),
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: foo\r\nConnection: Upgrade\r\n\r\n",
    };
    struct test_server server;
    server_init(&server);
    CHECK(server_start(&server));
    for (size_t i = 0; i < sizeof requests / sizeof requests[0]; ++i) {
        struct test_socket socket;
        CHECK(socket_open(&socket, server_port(&server), 0));
        int status = socket_request(&socket, requests[i]);
        CHECK(status != 101 && status != 200);
        socket_close(&socket);
    }
    CHECK_INT(atomic_load(&server.opened), 0);
    struct test_socket after;
    CHECK(socket_join(&after, server_port(&server), 0) > 0);
    socket_close(&after);
    server_stop(&server);
}

static void a_handshake_must_come_within_five_seconds(void) {
    struct test_server server;
    struct test_socket silent, slow;
    server_init(&server);
    CHECK(server_start(&server));
    CHECK(socket_open(&silent, server_port(&server), 0));
    CHECK(socket_open(&slow, server_port(&server), 0));
    double start = test_seconds();
    struct test_message message = {.opcode = -2};
    /* One byte now and then is not progress towards a request. */
    const char *text = "GET /ws HTTP/1.1";
    for (int i = 0; i < 16 && message.opcode == -2; ++i) {
        socket_write(&slow, text + i, 1);
        message = socket_read(&slow, 0.5);
    }
    CHECK_INT(message.opcode, -1);
    CHECK_INT(socket_read(&silent, 3).opcode, -1);
    /* 5 s, whole seconds of the library's timer, and what a busy machine adds. */
    CHECK_NEAR(test_seconds() - start, 5.5, 1.5);
    socket_close(&silent);
    socket_close(&slow);
    server_stop(&server);
}

static void more_sockets_than_room_are_closed_at_once(void) {
    struct test_server server;
    static struct test_socket sockets[80];
    server_init(&server);
    server.config.max_clients = 4;
    CHECK(server_start(&server));
    /* 4 sessions and 64 more sockets fit. */
    for (int i = 0; i < 80; ++i)
        CHECK(socket_open(&sockets[i], server_port(&server), 0));
    int ended = 0;
    for (int i = 0; i < 80; ++i)
        ended += socket_read(&sockets[i], i < 68 ? 0.001 : 2).opcode == -1;
    CHECK_INT(ended, 12);
    CHECK_INT(server_metrics(&server).refused_sockets, 12);
    for (int i = 0; i < 80; ++i)
        socket_close(&sockets[i]);
    /* And there is room again. */
    struct test_socket after;
    uint32_t client = 0;
    for (int i = 0; i < 100 && !client; ++i) {
        usleep(20000);
        client = socket_join(&after, server_port(&server), 0);
        if (!client) socket_close(&after);
    }
    CHECK(client > 0);
    socket_close(&after);
    server_stop(&server);
}

static void a_request_head_of_20_kilobytes_is_refused(void) {
    struct test_server server;
    struct test_socket socket;
    char padding[20001];
    memset(padding, 'x', sizeof padding - 1);
    padding[sizeof padding - 1] = '\0';
    char *text = malloc(sizeof padding + 200);
    sprintf(text, "GET / HTTP/1.1\r\nHost: localhost\r\nCookie: %s\r\n\r\n", padding);
    server_init(&server);
    CHECK(server_start(&server));
    CHECK(socket_open(&socket, server_port(&server), 0));
    CHECK(socket_request(&socket, text) != 200);
    free(text);
    socket_close(&socket);
    CHECK(socket_join(&socket, server_port(&server), 0) > 0);
    socket_close(&socket);
    server_stop(&server);
}

RUN_TESTS(TEST(a_text_comes_back_and_the_end_leaks_nothing),
          TEST(the_answer_names_the_subprotocol_and_no_extension), TEST(a_taken_port_is_one_sentence),
          TEST(two_requests_use_one_connection), TEST(connect_and_http2_never_reach_a_session),
          TEST(a_handshake_must_come_within_five_seconds), TEST(more_sockets_than_room_are_closed_at_once),
          TEST(a_request_head_of_20_kilobytes_is_refused))
