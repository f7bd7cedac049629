/* net/admit: Host × Origin × subprotocol × token over real handshakes. */
#include "check.h"
#include "support_server.h"
#include "support_socket.h"

static struct test_server server;
static struct test_socket client;
static const struct net_token tokens[] = {{NET_ROLE_VIEW, "look-only"}, {NET_ROLE_CONTROL, "steer"}};
static const char *const hosts[] = {"cloth.example"};
static const char *const origins[] = {"https://site.example"};

static void start(bool with_tokens) {
    client.fd = -1;
    server_init(&server);
    server.config.allow_hosts = hosts;
    server.config.allow_host_count = 1;
    server.config.allow_origins = origins;
    server.config.allow_origin_count = 1;
    server.config.max_clients = 4;
    if (with_tokens) {
        server.config.tokens = tokens;
        server.config.token_count = 2;
    }
    CHECK(server_start(&server));
}

static void stop(void) {
    socket_close(&client);
    server_stop(&server);
}

/* A handshake with exactly these header lines beside the WebSocket's own. */
static int shake(const char *headers) {
    char text[2048];
    socket_close(&client);
    if (!socket_open(&client, server_port(&server), 0)) return -1;
    snprintf(text, sizeof text,
             "GET /ws HTTP/1.1\r\nUpgrade: websocket\r\nConnection: keep-alive, Upgrade\r\n"
             "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n%s\r\n",
             headers);
    return socket_request(&client, text);
}

static void the_matrix_of_host_origin_and_subprotocol_holds(void) {
    static const struct {
        const char *line;
        int status;
    } host_rows[] = {{"Host: 127.0.0.1\r\n", 101},
                     {"Host: localhost:99\r\n", 101},
                     {"Host: cloth.example\r\n", 101},
                     {"Host: evil.example\r\n", 403},
                     {"", 400},
                     {"Host: 127.0.0.1\r\nHost: 127.0.0.1\r\n", 400}},
      origin_rows[] = {{"", 101},
                       {"Origin: https://site.example\r\n", 101},
                       {"Origin: http://evil.example\r\n", 403},
                       {"Origin: null\r\n", 403},
                       {"Origin: \r\n", 403},
                       {"Origin: https://site.example\r\nOrigin: http://evil.example\r\n", 403}},
      protocol_rows[] = {{"", 101},
                         {"Sec-WebSocket-Protocol: clothd.v1\r\n", 101},
                         {"Sec-WebSocket-Protocol: clothd.v9, clothd.v1\r\n", 101},
                         {"Sec-WebSocket-Protocol: clothd.v9\r\n", 101},
                         {"Sec-WebSocket-Protocol: chat, superchat\r\n", 400}};
    start(false);
    for (size_t h = 0; h < 6; ++h) {
        for (size_t o = 0; o < 6; ++o) {
            for (size_t p = 0; p < 5; ++p) {
                char headers[512];
                snprintf(headers, sizeof headers, "%s%s%s", host_rows[h].line, origin_rows[o].line,
                         protocol_rows[p].line);
                int want = host_rows[h].status;
                if (want == 101) want = origin_rows[o].status;
                if (want == 101) want = protocol_rows[p].status;
                int got = shake(headers);
                if (got != want) printf("%d instead of %d for\n%s", got, want, headers);
                CHECK_INT(got, want);
                if (got == 403)
                    CHECK(
                        strstr(client.body, host_rows[h].status == 403 ? "--allow-host" : "--allow-origin"));
                /* Else a busy machine's sessions would pile up to the cap. */
                socket_close(&client);
                CHECK(server_wait(&server.closed, atomic_load(&server.opened)));
            }
        }
    }
    stop();
}

static void same_origin_counts_the_port(void) {
    start(false);
    CHECK_INT(shake("Host: localhost:8080\r\nOrigin: http://localhost:8080\r\n"), 101);
    CHECK_INT(shake("Host: localhost:8080\r\nOrigin: http://localhost:8081\r\n"), 403);
    CHECK_INT(shake("Host: localhost:8080\r\nOrigin: https://localhost:8080\r\n"), 403);
    stop();
}

static void an_unknown_version_is_echoed_greeted_and_closed(void) {
    start(false);
    CHECK_INT(shake("Host: localhost\r\nSec-WebSocket-Protocol: clothd.v7, clothd.v8\r\n"), 101);
    CHECK(strstr(client.head, "Sec-WebSocket-Protocol: clothd.v7\r\n") != NULL);
    struct test_message message = socket_read(&client, 5);
    CHECK_INT(message.opcode, 1);
    CHECK(strstr((const char *)message.bytes, "\"refused\":true") != NULL);
    message = socket_read(&client, 5);
    CHECK_INT(message.opcode, 8);
    CHECK_INT(message.code, 4406);
    /* The next client is not affected, and clothd.v1 wins. */
    CHECK_INT(shake("Host: localhost\r\nSec-WebSocket-Protocol: clothd.v7, clothd.v1\r\n"), 101);
    CHECK(strstr(client.head, "Sec-WebSocket-Protocol: clothd.v1\r\n") != NULL);
    CHECK(strstr((const char *)socket_read(&client, 5).bytes, "\"refused\":false") != NULL);
    CHECK_INT(shake("Host: localhost\r\n"), 101);
    CHECK(strstr(client.head, "Sec-WebSocket-Protocol") == NULL);
    stop();
}

static void tokens_give_roles(void) {
    start(true);
    CHECK_INT(shake("Host: localhost\r\n"), 401);
    CHECK(strstr(client.head, "WWW-Authenticate: Bearer") && strstr(client.body, "--token-file"));
    CHECK_INT(shake("Host: localhost\r\nAuthorization: Bearer wrong\r\n"), 401);
    CHECK_INT(shake("Host: localhost\r\nAuthorization: Bearer steer\r\n"), 101);
    CHECK(server_wait(&server.opened, 1));
    CHECK_INT(atomic_load(&server.last_role), NET_ROLE_CONTROL);
    CHECK_INT(shake("Host: localhost\r\nAuthorization: Bearer look-only\r\n"), 101);
    CHECK(server_wait(&server.opened, 2));
    CHECK_INT(atomic_load(&server.last_role), NET_ROLE_VIEW);
    /* c3RlZXI is "steer". */
    CHECK_INT(shake("Host: localhost\r\nSec-WebSocket-Protocol: clothd.v1, clothd.bearer.c3RlZXI\r\n"), 101);
    CHECK(strstr(client.head, "Sec-WebSocket-Protocol: clothd.v1\r\n") != NULL);
    CHECK(strstr(client.head, "bearer") == NULL);
    CHECK(server_wait(&server.opened, 3));
    CHECK_INT(atomic_load(&server.last_role), NET_ROLE_CONTROL);
    CHECK_INT(shake("Host: localhost\r\nSec-WebSocket-Protocol: clothd.v1, clothd.bearer.c3RlZX\r\n"), 401);
    /* A token in the query string is none. */
    socket_close(&client);
    CHECK(socket_open(&client, server_port(&server), 0));
    CHECK_INT(socket_request(&client,
                             "GET /ws?token=steer HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
                             "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                             "Sec-WebSocket-Version: 13\r\n\r\n"),
              401);
    stop();
}

static void plain_requests_follow_the_same_rules(void) {
    static const struct {
        const char *path, *headers;
        int status;
    } rows[] = {
        {"/healthz", "Host: evil.example\r\nOrigin: http://evil.example\r\n", 200},
        {"/healthz", "Host: localhost\r\n", 200},
        {"/", "Host: evil.example\r\n", 403},
        {"/", "Host: localhost\r\nOrigin: http://evil.example\r\n", 403},
        {"/", "Host: localhost\r\n", 200},
        {"/metrics", "Host: localhost\r\n", 401},
        {"/version", "Host: localhost\r\n", 401},
        {"/metrics", "Host: localhost\r\nAuthorization: Bearer look-only\r\n", 200},
        {"/version", "Host: localhost\r\nAuthorization: Bearer steer\r\n", 200},
    };
    start(true);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        char text[512];
        socket_close(&client);
        CHECK(socket_open(&client, server_port(&server), 0));
        snprintf(text, sizeof text, "GET %s HTTP/1.1\r\n%s\r\n", rows[i].path, rows[i].headers);
        int got = socket_request(&client, text);
        if (got != rows[i].status) printf("row %zu\n", i);
        CHECK_INT(got, rows[i].status);
    }
    stop();
}

static void a_handshake_with_a_fault_says_which(void) {
    static const struct {
        const char *text;
        int status;
    } rows[] = {
        {"GET /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
         "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 8\r\n\r\n",
         426},
        {"GET /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
         "Sec-WebSocket-Version: 13\r\n\r\n",
         400},
        {"GET /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
         "Sec-WebSocket-Key: short\r\nSec-WebSocket-Version: 13\r\n\r\n",
         400},
        {"GET /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
         "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n",
         400},
        {"POST /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
         "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n",
         400},
        {"GET /other HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
         "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n",
         404},
    };
    start(false);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        socket_close(&client);
        CHECK(socket_open(&client, server_port(&server), 0));
        CHECK_INT(socket_request(&client, rows[i].text), rows[i].status);
        CHECK(strlen(client.body) > 10);
    }
    CHECK_INT(atomic_load(&server.opened), 0);
    stop();
}

static void do_drain(struct test_server *self, void *argument) {
    (void)argument;
    net_drain(self->net);
}

static void a_full_or_draining_server_says_when_to_come_back(void) {
    static struct test_socket sessions[4];
    start(false);
    for (int i = 0; i < 4; ++i)
        CHECK(socket_join(&sessions[i], server_port(&server), 0) > 0);
    CHECK_INT(shake("Host: localhost\r\n"), 503);
    CHECK(strstr(client.head, "Retry-After: ") && strstr(client.body, "--max-clients"));
    socket_close(&client);
    CHECK(socket_open(&client, server_port(&server), 0));
    CHECK_INT(socket_request(&client, "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"), 200);
    socket_close(&sessions[0]);
    CHECK(server_wait(&server.closed, 1));
    CHECK_INT(shake("Host: localhost\r\n"), 101);
    server_call(&server, do_drain, NULL);
    socket_close(&sessions[1]);
    CHECK(server_wait(&server.closed, 2));
    CHECK_INT(shake("Host: localhost\r\n"), 503);
    CHECK(strstr(client.body, "shutting down") != NULL);
    for (int i = 2; i < 4; ++i)
        socket_close(&sessions[i]);
    stop();
}

RUN_TESTS(TEST(the_matrix_of_host_origin_and_subprotocol_holds), TEST(same_origin_counts_the_port),
          TEST(an_unknown_version_is_echoed_greeted_and_closed), TEST(tokens_give_roles),
          TEST(plain_requests_follow_the_same_rules), TEST(a_handshake_with_a_fault_says_which),
          TEST(a_full_or_draining_server_says_when_to_come_back))
