/* app/bridge: from start to end, with the simulation behind it. */
#include "check.h"
#include "support_bridge.h"

static struct test_bridge server;
static struct test_socket client;

static void start(void) {
    test_bridge_init(&server);
    if (!test_bridge_start(&server)) printf("%s\n", server.message);
}

static void join(struct test_socket *socket) {
    CHECK(socket_open(socket, bridge_port(server.bridge), 0));
    CHECK_INT(socket_upgrade(socket, "Sec-WebSocket-Protocol: clothd.v1\r\n"), 101);
    CHECK(test_read_until(socket, "\"method\":\"hello\"") != NULL);
}

static void a_command_is_answered_and_told_to_the_others(void) {
    struct test_socket other;
    start();
    join(&client);
    join(&other);
    socket_send_text(&other, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"stream.subscribe\",\"params\":{}}");
    CHECK(test_read_until(&other, "\"id\":1,\"result\"") != NULL);
    socket_send_text(&client,
                     "{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"method\":\"collider.add\",\"params\":{\"collider\":"
                     "\"ball\",\"shape\":{\"type\":\"sphere\",\"radius\":0.5}}}");
    const char *reply = test_read_until(&client, "\"id\":\"x\"");
    CHECK(reply && strstr(reply, "\"result\":{") && strstr(reply, "\"tick\":"));
    CHECK(test_read_until(&other, "\"collider.add\"") != NULL);
    socket_close(&client);
    socket_close(&other);
    test_bridge_stop(&server);
}

static void frames_of_a_scene_arrive(void) {
    test_bridge_init(&server);
    server.config.sim.scene = "games103";
    if (!test_bridge_start(&server)) printf("%s\n", server.message);
    join(&client);
    socket_send_text(&client, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"stream.subscribe\",\"params\":{}}");
    int binaries = 0, texts = 0;
    for (int i = 0; i < 200 && binaries < 20; ++i) {
        struct test_message message = socket_read(&client, 5);
        if (message.opcode < 0) break;
        binaries += message.opcode == 2;
        texts += message.opcode == 1;
        if (message.opcode == 2) CHECK(message.length >= 48);
    }
    CHECK_INT(binaries, 20);
    CHECK(texts >= 2);
    socket_close(&client);
    test_bridge_stop(&server);
}

static void a_scene_that_is_not_there_is_a_sentence(void) {
    test_bridge_init(&server);
    server.config.sim.scene = "no-such-scene";
    CHECK(!test_bridge_start(&server));
    CHECK(strstr(server.message, "no-such-scene") && !strchr(server.message, '\n'));
}

static void draining_says_so_and_closes_with_1001(void) {
    struct test_socket health;
    start();
    join(&client);
    CHECK(socket_open(&health, bridge_port(server.bridge), 0));
    CHECK_INT(socket_request(&health, "GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n"), 200);
    uint16_t port = bridge_port(server.bridge);
    test_bridge_drain(&server);
    const char *event = test_read_until(&client, "going_away");
    CHECK(event && strstr(event, "\"retry_ms\":"));
    CHECK_INT(socket_request(&health, "GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n"), 503);
    struct test_socket late;
    CHECK(socket_open(&late, port, 0));
    CHECK_INT(socket_upgrade(&late, ""), 503);
    struct test_message message;
    do
        message = socket_read(&client, 5);
    while (message.opcode == 1 || message.opcode == 2);
    CHECK_INT(message.opcode, 8);
    CHECK_INT(message.code, 1001);
    test_bridge_stop(&server);
    socket_close(&client);
    socket_close(&health);
    socket_close(&late);
}

static void plain_pages_are_answered(void) {
    start();
    CHECK(socket_open(&client, bridge_port(server.bridge), 0));
    CHECK_INT(socket_request(&client, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"), 200);
    CHECK(strstr(client.body, "\"alive\":true") != NULL);
    CHECK_INT(socket_request(&client, "GET /version HTTP/1.1\r\nHost: localhost\r\n\r\n"), 200);
    CHECK(strstr(client.body, "\"name\":\"clothd\"") && strstr(client.body, "\"protocol\":1"));
    CHECK_INT(socket_request(&client, "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n"), 200);
    CHECK(strstr(client.body, "clothd_ticks_total") != NULL);
    socket_close(&client);
    test_bridge_stop(&server);
}

RUN_TESTS(TEST(a_command_is_answered_and_told_to_the_others), TEST(frames_of_a_scene_arrive),
          TEST(a_scene_that_is_not_there_is_a_sentence), TEST(draining_says_so_and_closes_with_1001),
          TEST(plain_pages_are_answered))
