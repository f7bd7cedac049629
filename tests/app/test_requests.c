/* app/requests: what a session may say, how often, and what it hears of mistakes. */
#include "check.h"
#include "support_bridge.h"
#include <stdlib.h>

static struct test_bridge server;
static struct test_socket client;

static void start(uint32_t rate) {
    test_bridge_init(&server);
    server.config.command_rate = rate;
    if (!test_bridge_start(&server)) printf("%s\n", server.message);
    CHECK(socket_open(&client, bridge_port(server.bridge), 0));
    CHECK_INT(socket_upgrade(&client, "Sec-WebSocket-Protocol: clothd.v1\r\n"), 101);
    const char *hello = test_read_until(&client, "\"method\":\"hello\"");
    CHECK(hello && strstr(hello, "\"role\":\"control\""));
}

static void stop(void) {
    socket_close(&client);
    test_bridge_stop(&server);
}

static void a_mistake_is_answered_and_the_session_stays(void) {
    static const char *const rows[][2] = {
        {"{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"nothing\"}", "-32601"},
        {"{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"world.step\",\"params\":{\"ticks\":0}}", "-32602"},
        {"{\"jsonrpc\":\"2.0\",\"id\":5", "-32700"},
        {"[]", "-32600"},
    };
    start(0);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        socket_send_text(&client, rows[i][0]);
        const char *reply = test_read_until(&client, "\"error\"");
        if (!reply || !strstr(reply, rows[i][1]))
            printf("%s: %s\n", rows[i][0], reply ? reply : "(no reply)");
        CHECK(reply && strstr(reply, rows[i][1]));
    }
    socket_send_text(&client, "{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"server.ping\"}");
    CHECK(test_read_until(&client, "\"id\":6,\"result\"") != NULL);
    stop();
}

static void too_many_commands_are_rate_limited_by_id(void) {
    enum { RATE = 50 };
    start(RATE);
    char text[128];
    int fine = 0, limited = 0;
    for (int i = 0; i < 3 * RATE; ++i) {
        snprintf(text, sizeof text, "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"server.ping\"}", i);
        socket_send_text(&client, text);
    }
    for (int i = 0; i < 3 * RATE; ++i) {
        const char *reply = test_read_until(&client, "\"id\":");
        if (!reply) break;
        fine += strstr(reply, "\"result\"") != NULL;
        limited += strstr(reply, "-32007") != NULL;
    }
    /* Twice the rate at once, and what a slow machine refills meanwhile (under a second). */
    CHECK_INT(fine + limited, 3 * RATE);
    CHECK(fine >= 2 * RATE && limited > 0);
    stop();
}

static void a_paused_world_on_loopback_is_not_limited(void) {
    start(10);
    socket_send_text(&client, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"world.pause\"}");
    CHECK(test_read_until(&client, "\"id\":1,\"result\"") != NULL);
    int fine = 0;
    for (int i = 0; i < 200; ++i) {
        socket_send_text(&client,
                         "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"world.step\",\"params\":{\"ticks\":1}}");
        const char *reply = test_read_until(&client, "\"id\":2");
        fine += reply && strstr(reply, "\"state_hash\"");
    }
    CHECK_INT(fine, 200);
    stop();
}

static void pipelined_requests_are_all_answered_in_order(void) {
    enum { COUNT = 1500 };
    start(1000000);
    char text[128];
    for (int i = 0; i < COUNT; ++i) {
        snprintf(text, sizeof text, "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"world.list\"}", i);
        socket_send_text(&client, text);
    }
    int in_order = 0;
    for (int i = 0; i < COUNT; ++i) {
        snprintf(text, sizeof text, "\"id\":%d,\"result\"", i);
        const char *reply = test_read_until(&client, "\"id\":");
        if (!reply) break;
        in_order += strstr(reply, text) != NULL;
    }
    CHECK_INT(in_order, COUNT);
    stop();
}

static void an_unknown_version_hears_why(void) {
    struct test_socket other;
    start(0);
    CHECK(socket_open(&other, bridge_port(server.bridge), 0));
    CHECK_INT(socket_upgrade(&other, "Sec-WebSocket-Protocol: clothd.v2\r\n"), 101);
    const char *hello = test_read_until(&other, "\"method\":\"hello\"");
    CHECK(hello && strstr(hello, "\"error\":{") && strstr(hello, "clothd.v1"));
    struct test_message message = socket_read(&other, 5);
    CHECK_INT(message.opcode, 8);
    CHECK_INT(message.code, 4406);
    socket_close(&other);
    stop();
}

static void a_viewer_may_look_but_not_change(void) {
    static const struct net_token tokens[] = {{NET_ROLE_VIEW, "look"}};
    test_bridge_init(&server);
    server.config.net.tokens = tokens;
    server.config.net.token_count = 1;
    if (!test_bridge_start(&server)) printf("%s\n", server.message);
    CHECK(socket_open(&client, bridge_port(server.bridge), 0));
    CHECK_INT(socket_upgrade(&client, "Authorization: Bearer look\r\n"), 101);
    const char *hello = test_read_until(&client, "\"method\":\"hello\"");
    CHECK(hello && strstr(hello, "\"role\":\"view\""));
    socket_send_text(&client, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"world.pause\"}");
    const char *reply = test_read_until(&client, "\"id\":1");
    CHECK(reply && strstr(reply, "-32006"));
    socket_send_text(&client, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"world.list\"}");
    CHECK(test_read_until(&client, "\"id\":2,\"result\"") != NULL);
    stop();
}

static void an_acknowledgement_with_an_id_is_answered(void) {
    start(0);
    socket_send_text(&client, "{\"jsonrpc\":\"2.0\",\"method\":\"stream.ack\",\"params\":{\"tick\":3}}");
    socket_send_text(&client,
                     "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"stream.ack\",\"params\":{\"tick\":4}}");
    const char *reply = test_read_until(&client, "\"id\":9");
    CHECK(reply && strstr(reply, "\"tick\":4"));
    stop();
}

RUN_TESTS(TEST(a_mistake_is_answered_and_the_session_stays), TEST(too_many_commands_are_rate_limited_by_id),
          TEST(a_paused_world_on_loopback_is_not_limited), TEST(pipelined_requests_are_all_answered_in_order),
          TEST(an_unknown_version_hears_why), TEST(a_viewer_may_look_but_not_change),
          TEST(an_acknowledgement_with_an_id_is_answered))
