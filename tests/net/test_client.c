/* net/client: messages in, lanes and frames out, and the end of those that do not read. */
#include "check.h"
#include "support_server.h"
#include "support_socket.h"
#include <stdlib.h>
#include <unistd.h>

static struct test_server server;
static struct test_socket client;

static uint32_t start(int receive_buffer) {
    server_init(&server);
    CHECK(server_start(&server));
    return socket_join(&client, server_port(&server), receive_buffer);
}

static void stop(void) {
    socket_close(&client);
    server_stop(&server);
}

static void fragments_become_one_message(void) {
    CHECK(start(0) > 0);
    socket_send_frame(&client, 0x01, "{\"a\"", 4);
    socket_send_frame(&client, 0x89, "hi", 2); /* a ping between them */
    socket_send_frame(&client, 0x00, ":", 1);
    socket_send_frame(&client, 0x80, "1}", 2);
    bool pong = false, text = false;
    for (int i = 0; i < 2; ++i) {
        struct test_message message = socket_read(&client, 5);
        if (message.opcode == 10) pong = message.length == 2 && memcmp(message.bytes, "hi", 2) == 0;
        if (message.opcode == 1) text = message.length == 7 && memcmp(message.bytes, "{\"a\":1}", 7) == 0;
    }
    CHECK(pong && text);
    stop();
}

static void a_message_of_a_megabyte_goes_both_ways(void) {
    enum { LENGTH = 1000000 };
    char *bytes = malloc(LENGTH);
    memset(bytes, 'x', LENGTH);
    CHECK(start(0) > 0);
    socket_send_frame(&client, 0x81, bytes, LENGTH);
    size_t got = 0;
    for (bool final = false; !final;) {
        struct test_message message = socket_read(&client, 5);
        CHECK(message.opcode == (got ? 0 : 1));
        if (message.opcode < 0) break;
        got += message.length;
        final = message.final;
    }
    CHECK_INT(got, LENGTH);
    free(bytes);
    stop();
}

static void binary_is_refused_with_1003(void) {
    CHECK(start(0) > 0);
    socket_send_frame(&client, 0x82, "abc", 3);
    struct test_message message = socket_read(&client, 5);
    CHECK_INT(message.opcode, 8);
    CHECK_INT(message.code, 1003);
    CHECK(message.length == 16 && memcmp(message.bytes + 2, "send JSON text", 14) == 0);
    stop();
}

static void a_length_over_the_cap_is_refused_at_once_with_1009(void) {
    /* The header announces 2^62 bytes; one of them comes. */
    static const unsigned char head[] = {0x81, 0xff, 0x40, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 'x'};
    CHECK(start(0) > 0);
    socket_write(&client, head, sizeof head);
    struct test_message message = socket_read(&client, 5);
    CHECK_INT(message.opcode, 8);
    CHECK_INT(message.code, 1009);
    stop();
}

static void fragments_over_the_cap_are_refused_with_1009(void) {
    server_init(&server);
    server.config.max_message_bytes = 100000;
    CHECK(server_start(&server));
    CHECK(socket_join(&client, server_port(&server), 0) > 0);
    char bytes[1000] = {0};
    memset(bytes, 'x', sizeof bytes);
    socket_send_frame(&client, 0x01, bytes, sizeof bytes);
    for (int i = 0; i < 200; ++i)
        socket_send_frame(&client, 0x00, bytes, sizeof bytes);
    struct test_message message = socket_read(&client, 5);
    CHECK_INT(message.opcode, 8);
    CHECK_INT(message.code, 1009);
    stop();
}

/* The decoder behind it answers them with the byte's place. */
static void bytes_that_are_not_utf8_come_through_and_the_session_stays(void) {
    CHECK(start(0) > 0);
    socket_send_frame(&client, 0x81, "\xff\xfe", 2);
    struct test_message message = socket_read(&client, 5);
    CHECK(message.opcode == 1 && message.length == 2 && memcmp(message.bytes, "\xff\xfe", 2) == 0);
    socket_send_text(&client, "still here");
    message = socket_read(&client, 5);
    CHECK(message.opcode == 1 && message.length == 10);
    stop();
}

static void texts_and_binaries_keep_their_order(void) {
    uint32_t id = start(0);
    char large[3 * 256 * 1024] = {0};
    server_send(&server, id, "one", 3, false);
    server_send(&server, id, large, sizeof large, true);
    server_send(&server, id, "two", 3, false);
    struct test_message message = socket_read(&client, 5);
    CHECK(message.opcode == 1 && memcmp(message.bytes, "one", 3) == 0);
    for (int i = 0; i < 3; ++i) {
        message = socket_read(&client, 5);
        CHECK_INT(message.opcode, i == 0 ? 2 : 0);
        CHECK_INT(message.final, i == 2);
        CHECK_INT(message.length, 256 * 1024);
    }
    message = socket_read(&client, 5);
    CHECK(message.opcode == 1 && memcmp(message.bytes, "two", 3) == 0);
    stop();
}

static void a_close_comes_after_what_is_queued(void) {
    uint32_t id = start(0);
    server_send(&server, id, "last words", 10, false);
    server_close(&server, id, 4401, "token revoked");
    CHECK_INT(socket_read(&client, 5).opcode, 1);
    struct test_message message = socket_read(&client, 5);
    CHECK_INT(message.code, 4401);
    CHECK(memcmp(message.bytes + 2, "token revoked", 13) == 0);
    stop();
}

static void two_thousand_requests_without_reading_are_all_answered(void) {
    enum { COUNT = 2000 };
    CHECK(start(4096) > 0);
    char text[64];
    memset(text, 'x', sizeof text);
    for (int i = 0; i < COUNT; ++i) {
        int length = snprintf(text, sizeof text, "%d", i);
        socket_send_frame(&client, 0x81, text, (size_t)length);
        /* Long answers' lane fills up; reading stops, nothing is lost. */
    }
    int in_order = 0;
    for (int i = 0; i < COUNT; ++i) {
        struct test_message message = socket_read(&client, 5);
        if (message.opcode != 1) break;
        in_order += (int)message.length == snprintf(text, sizeof text, "%d", i) &&
                    memcmp(message.bytes, text, message.length) == 0;
    }
    CHECK_INT(in_order, COUNT);
    stop();
}

/* The tick and key flag of a frame. */
static uint32_t tick_of(const struct test_message *message) {
    uint32_t tick;
    memcpy(&tick, message->bytes, 4);
    return tick;
}

static void frames_reach_a_healthy_client_beside_a_stalled_one(void) {
    enum { TICKS = 60, LENGTH = 100 * 1000 };
    server_init(&server);
    server.config.stall_ms = 60000; /* on a busy machine this takes longer than 10 s */
    CHECK(server_start(&server));
    uint32_t id = socket_join(&client, server_port(&server), 0);
    struct test_socket stalled;
    uint32_t other = socket_join(&stalled, server_port(&server), 4096);
    server_join(&server, id, 7, false);
    server_join(&server, other, 7, false);
    uint32_t got = 0;
    /* Each frame is awaited before the next one leaves: how busy the machine is does not matter. */
    for (uint32_t tick = 1; tick <= TICKS; ++tick) {
        server_publish(&server, 7, tick, tick == 1 ? 1 : tick - 1, LENGTH);
        struct test_message message = socket_read(&client, 5);
        if (message.opcode == 2 && tick_of(&message) == tick) ++got;
        usleep(10000); /* a tick is longer than the burst window */
    }
    CHECK_INT(got, TICKS);
    /* 2 × 64 KiB of send buffer and 4 KiB of receive buffer hold three frames at most. */
    CHECK(server_metrics(&server).skipped_not_writable >= TICKS - 5);
    /* It reads again: whole frames in order, then nothing but a key. */
    uint32_t last = 0;
    for (;;) {
        struct test_message message = socket_read(&stalled, 0.3);
        if (message.opcode != 2) break;
        CHECK_INT(message.length, LENGTH);
        CHECK_INT(tick_of(&message), last + 1);
        last = tick_of(&message);
    }
    CHECK(server_wait(&server.keys_wanted, 1));
    server_publish(&server, 7, TICKS + 1, TICKS, LENGTH);
    server_publish(&server, 7, TICKS + 2, TICKS + 2, LENGTH);
    /* On a busy machine the last of the whole frames may still be on its way. */
    struct test_message message = socket_read(&stalled, 5);
    while (message.opcode == 2 && tick_of(&message) == last + 1 && last < TICKS) {
        ++last;
        message = socket_read(&stalled, 5);
    }
    CHECK(message.opcode == 2 && tick_of(&message) == TICKS + 2 && message.bytes[4] == 1);
    socket_close(&stalled);
    stop();
}

static void a_client_that_stops_reading_is_gone_in_time(void) {
    enum { LENGTH = 100 * 1000 };
    server_init(&server);
    server.config.stall_ms = 1500; /* instead of 10 s, to test in time */
    CHECK(server_start(&server));
    uint32_t id = socket_join(&client, server_port(&server), 4096);
    server_join(&server, id, 7, false);
    double begin = test_seconds();
    for (uint32_t tick = 1; tick < 8; ++tick) {
        server_publish(&server, 7, tick, tick == 1 ? 1 : tick - 1, LENGTH);
        usleep(10000);
    }
    bool gone = server_wait(&server.closed, 1);
    double took = test_seconds() - begin;
    CHECK(gone);
    /* Looked at every 500 ms. */
    CHECK_NEAR(took, 1.75, 0.75);
    CHECK_INT(server_metrics(&server).closed_slow, 1);
    struct test_message message;
    do
        message = socket_read(&client, 1);
    while (message.opcode == 2);
    CHECK_INT(message.opcode, -1);
    stop();
}

static void a_stalled_lane_over_its_bound_ends_the_session(void) {
    uint32_t id = start(4096);
    char text[4000];
    memset(text, 'x', sizeof text);
    /* 1 MiB and what the kernel takes (132 KiB) is 300 texts of 4000 bytes. */
    for (int i = 0; i < 400; ++i)
        server_send(&server, id, text, sizeof text, false);
    CHECK_INT(atomic_load(&server.closed), 0); /* it may be about to read */
    for (int i = 0; i < 300 && atomic_load(&server.closed) == 0; ++i) {
        server_send(&server, id, text, sizeof text, false);
        usleep(10000);
    }
    CHECK(server_wait(&server.closed, 1));
    CHECK_INT(server_metrics(&server).closed_slow, 1);
    stop();
}

RUN_TESTS(TEST(fragments_become_one_message), TEST(a_message_of_a_megabyte_goes_both_ways),
          TEST(binary_is_refused_with_1003), TEST(a_length_over_the_cap_is_refused_at_once_with_1009),
          TEST(fragments_over_the_cap_are_refused_with_1009),
          TEST(bytes_that_are_not_utf8_come_through_and_the_session_stays),
          TEST(texts_and_binaries_keep_their_order), TEST(a_close_comes_after_what_is_queued),
          TEST(two_thousand_requests_without_reading_are_all_answered),
          TEST(frames_reach_a_healthy_client_beside_a_stalled_one),
          TEST(a_client_that_stops_reading_is_gone_in_time),
          TEST(a_stalled_lane_over_its_bound_ends_the_session))
