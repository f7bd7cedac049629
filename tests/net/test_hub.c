/* net/hub: what each member gets, skips and asks for. Time is a number here. */
#include "check.h"
#include <net/hub.h>

struct log {
    uint32_t wanted, woken, skipped[HUB_SKIP_CAUSES];
    bool refuse;
};

static bool want_key(void *context, uint32_t tier) {
    struct log *log = context;
    (void)tier;
    if (log->refuse) return false;
    ++log->wanted;
    return true;
}

static void wake(void *context, struct hub_client *client) {
    (void)client;
    ++((struct log *)context)->woken;
}

static void skipped(void *context, struct hub_client *client, enum hub_skip cause) {
    (void)client;
    ++((struct log *)context)->skipped[cause];
}

static struct log log_;
static struct hub *hub;
static uint64_t now;

static void start(void) {
    log_ = (struct log){0};
    now = 1000;
    const struct hub_callbacks callbacks = {&log_, want_key, wake, skipped};
    hub = hub_create(&callbacks);
}

/* A frame whose one byte is its name. */
static struct buffer *frame_of(char name) {
    return name ? buffer_copy(&name, 1) : NULL;
}

static void publish(uint32_t tier, uint32_t tick, uint32_t base, char delta, char key) {
    hub_publish(hub, tier, tick, base, frame_of(delta), frame_of(key), now);
}

/* Sends the next frame of client: its name, or 0. */
static char send_next(struct hub_client *client) {
    struct hub_frame frame;
    if (!hub_next(hub, client, now, &frame)) return 0;
    char name = (char)frame.buffer->data[0];
    hub_sent(hub, client, &frame, now);
    return name;
}

static void a_new_member_gets_a_key_first_and_then_deltas(void) {
    struct hub_client a = {.id = 1};
    start();
    CHECK(hub_join(hub, &a, 7, false));
    publish(7, 10, 9, 'd', 0);
    CHECK_INT(send_next(&a), 0);
    CHECK_INT(log_.wanted, 1);
    now += 16;
    publish(7, 11, 10, 'd', 'K');
    CHECK_INT(send_next(&a), 'K');
    now += 16;
    publish(7, 12, 11, 'e', 'L');
    CHECK_INT(send_next(&a), 'e');
    CHECK_INT(send_next(&a), 0);
    CHECK_INT(log_.wanted, 1);
    hub_leave_all(hub, &a);
    hub_destroy(hub);
}

static void a_quiet_tier_is_asked_for_a_key_when_the_socket_is_ready(void) {
    struct hub_client a = {.id = 1};
    start();
    CHECK(hub_join(hub, &a, 7, false));
    CHECK_INT(log_.woken, 1);
    CHECK_INT(send_next(&a), 0);
    CHECK_INT(send_next(&a), 0);
    CHECK_INT(log_.wanted, 1); /* once until a key comes */
    publish(7, 5, 5, 0, 'K');
    CHECK_INT(send_next(&a), 'K');
    hub_leave_all(hub, &a);
    hub_destroy(hub);
}

static void a_key_that_cannot_be_asked_is_asked_again(void) {
    struct hub_client a = {.id = 1};
    start();
    log_.refuse = true;
    CHECK(hub_join(hub, &a, 7, false));
    CHECK_INT(send_next(&a), 0);
    log_.refuse = false;
    CHECK_INT(send_next(&a), 0);
    CHECK_INT(log_.wanted, 1);
    hub_leave_all(hub, &a);
    hub_destroy(hub);
}

static void a_blocked_member_skips_and_then_needs_a_key(void) {
    struct hub_client a = {.id = 1}, b = {.id = 2};
    start();
    CHECK(hub_join(hub, &a, 7, false) && hub_join(hub, &b, 7, false));
    publish(7, 1, 1, 0, 'K');
    CHECK_INT(send_next(&a), 'K');
    CHECK_INT(send_next(&b), 'K');
    a.blocked = true;
    for (uint32_t tick = 2; tick < 6; ++tick) {
        now += 16;
        publish(7, tick, tick - 1, (char)('0' + tick), 0);
        CHECK_INT(send_next(&b), '0' + (char)tick); /* the other one misses nothing */
    }
    CHECK_INT(log_.skipped[HUB_SKIP_NOT_WRITABLE], 4);
    CHECK_INT(log_.wanted, 0); /* nobody makes keys for a socket that takes none */
    a.blocked = false;
    CHECK_INT(send_next(&a), 0);
    CHECK_INT(log_.wanted, 1);
    now += 16;
    publish(7, 6, 5, 'd', 'K');
    CHECK_INT(send_next(&a), 'K');
    CHECK_INT(send_next(&b), 'd'); /* in step: it gets the delta although there is a key */
    hub_leave_all(hub, &a);
    hub_leave_all(hub, &b);
    hub_destroy(hub);
}

static void a_frame_that_waited_a_tick_is_dropped(void) {
    struct hub_client a = {.id = 1};
    start();
    CHECK(hub_join(hub, &a, 7, false));
    publish(7, 1, 1, 0, 'K');
    now += HUB_BURST_MS + 1;
    publish(7, 2, 1, 'd', 0);
    CHECK_INT(log_.skipped[HUB_SKIP_NOT_WRITABLE], 2);
    CHECK_INT(send_next(&a), 0);
    CHECK_INT(log_.wanted, 1);
    hub_leave_all(hub, &a);
    hub_destroy(hub);
}

static void a_burst_of_catching_up_is_no_skip(void) {
    struct hub_client a = {.id = 1};
    start();
    CHECK(hub_join(hub, &a, 7, false));
    publish(7, 1, 1, 0, 'K');
    publish(7, 2, 1, 'b', 0);
    publish(7, 3, 2, 'c', 0);
    publish(7, 4, 3, 'd', 0);
    CHECK_INT(send_next(&a), 'K');
    CHECK_INT(send_next(&a), 'b');
    CHECK_INT(send_next(&a), 'c');
    CHECK_INT(send_next(&a), 'd');
    CHECK_INT(log_.skipped[HUB_SKIP_NOT_WRITABLE] + log_.skipped[HUB_SKIP_NO_KEY], 0);
    /* The slot holds four; the fifth cannot follow. */
    for (uint32_t tick = 5; tick < 10; ++tick)
        publish(7, tick, tick - 1, 'x', 0);
    CHECK_INT(send_next(&a), 0);
    CHECK_INT(log_.wanted, 1);
    hub_leave_all(hub, &a);
    hub_destroy(hub);
}

static void a_delta_on_another_base_is_not_sent(void) {
    struct hub_client a = {.id = 1};
    start();
    CHECK(hub_join(hub, &a, 7, false));
    publish(7, 100, 100, 0, 'K');
    CHECK_INT(send_next(&a), 'K');
    now += 16;
    publish(7, 102, 101, 'd', 0);
    CHECK_INT(send_next(&a), 0);
    CHECK_INT(log_.skipped[HUB_SKIP_NO_KEY], 1);
    /* A reset: tick 0 comes as a key, later deltas build on it. */
    now += 16;
    publish(7, 0, 0, 0, 'R');
    CHECK_INT(send_next(&a), 'R');
    now += 16;
    publish(7, 1, 0, 'd', 0);
    CHECK_INT(send_next(&a), 'd');
    hub_leave_all(hub, &a);
    hub_destroy(hub);
}

static void a_key_replaces_what_waits(void) {
    struct hub_client a = {.id = 1};
    start();
    CHECK(hub_join(hub, &a, 7, false));
    publish(7, 1, 1, 0, 'K');
    publish(7, 1, 1, 0, 'L'); /* a command on a paused world: a key of the same tick */
    CHECK_INT(send_next(&a), 'L');
    CHECK_INT(send_next(&a), 0);
    hub_leave_all(hub, &a);
    hub_destroy(hub);
}

static void a_client_that_does_not_acknowledge_is_skipped(void) {
    struct hub_client a = {.id = 1};
    start();
    CHECK(hub_join(hub, &a, 7, true));
    publish(7, 1, 1, 0, 'K');
    CHECK_INT(send_next(&a), 'K');
    now += 200;
    publish(7, 2, 1, 'd', 0);
    CHECK_INT(send_next(&a), 'd'); /* 200 ms are within the 250 */
    now += 51;
    publish(7, 3, 2, 'e', 0);
    CHECK_INT(send_next(&a), 0);
    CHECK_INT(log_.skipped[HUB_SKIP_UNACKED], 1);
    CHECK_INT(log_.wanted, 0);
    uint32_t woken = log_.woken;
    hub_ack(hub, &a, 99, now); /* never sent: says nothing */
    CHECK_INT(log_.woken, woken);
    hub_ack(hub, &a, 1, now);
    CHECK_INT(log_.woken, woken + 1);
    CHECK_INT(send_next(&a), 0);
    CHECK_INT(log_.wanted, 1);
    hub_leave_all(hub, &a);
    hub_destroy(hub);
}

/* A slower rate is no pardon: what was not acknowledged before still is not. */
static void a_move_to_another_tier_keeps_what_is_unacknowledged(void) {
    struct hub_client a = {.id = 1};
    start();
    hub_join(hub, &a, 7, true);
    publish(7, 1, 0, 0, 'K');
    CHECK_INT(send_next(&a), 'K');
    now += HUB_UNACKED_MS + 1;
    CHECK(hub_move(hub, &a, 7, 8));
    publish(8, 2, 0, 0, 'L');
    CHECK_INT(send_next(&a), 0);
    CHECK_INT(log_.skipped[HUB_SKIP_UNACKED], 1);
    hub_ack(hub, &a, 1, now);
    publish(8, 3, 0, 0, 'M');
    CHECK_INT(send_next(&a), 'M');
    publish(7, 4, 0, 0, 'N'); /* which it has left */
    CHECK_INT(send_next(&a), 0);
    hub_leave_all(hub, &a);
    hub_destroy(hub);
}

static void an_acknowledgement_covers_the_frames_before_it(void) {
    struct hub_client a = {.id = 1};
    start();
    CHECK(hub_join(hub, &a, 7, true));
    publish(7, 1, 1, 0, 'K');
    CHECK_INT(send_next(&a), 'K');
    for (uint32_t tick = 2; tick < 500; ++tick) {
        now += 100;
        publish(7, tick, tick - 1, 'd', 0);
        CHECK_INT(send_next(&a), 'd');
        if (tick % 2 == 0) hub_ack(hub, &a, tick, now);
    }
    CHECK_INT(log_.skipped[HUB_SKIP_UNACKED], 0);
    hub_leave_all(hub, &a);
    hub_destroy(hub);
}

static void two_worlds_of_one_client_take_turns(void) {
    struct hub_client a = {.id = 1};
    start();
    CHECK(hub_join(hub, &a, 7, false) && hub_join(hub, &a, 8, false));
    publish(7, 1, 1, 0, 'A');
    publish(7, 2, 1, 'B', 0);
    publish(8, 1, 1, 0, 'X');
    publish(8, 2, 1, 'Y', 0);
    char order[5] = {0};
    for (int i = 0; i < 4; ++i)
        order[i] = send_next(&a);
    CHECK(strcmp(order, "XAYB") == 0 || strcmp(order, "AXBY") == 0);
    hub_leave_all(hub, &a);
    hub_destroy(hub);
}

static void joining_again_asks_for_a_key_and_leaving_ends_it(void) {
    struct hub_client a = {.id = 1};
    start();
    CHECK(hub_join(hub, &a, 7, false));
    publish(7, 1, 1, 0, 'K');
    CHECK_INT(send_next(&a), 'K');
    CHECK(hub_join(hub, &a, 7, false));
    now += 16;
    publish(7, 2, 1, 'd', 'L');
    CHECK_INT(send_next(&a), 'L');
    hub_leave(hub, &a, 7);
    publish(7, 3, 2, 'd', 'M');
    CHECK_INT(send_next(&a), 0);
    hub_leave(hub, &a, 7);
    CHECK(hub_join(hub, &a, 9, false));
    publish(9, 1, 1, 0, 'K');
    hub_tier_end(hub, 9);
    hub_tier_end(hub, 9);
    CHECK_INT(send_next(&a), 0);
    CHECK(a.members == NULL);
    hub_destroy(hub);
}

RUN_TESTS(TEST(a_new_member_gets_a_key_first_and_then_deltas),
          TEST(a_quiet_tier_is_asked_for_a_key_when_the_socket_is_ready),
          TEST(a_key_that_cannot_be_asked_is_asked_again), TEST(a_blocked_member_skips_and_then_needs_a_key),
          TEST(a_frame_that_waited_a_tick_is_dropped), TEST(a_burst_of_catching_up_is_no_skip),
          TEST(a_delta_on_another_base_is_not_sent), TEST(a_key_replaces_what_waits),
          TEST(a_client_that_does_not_acknowledge_is_skipped),
          TEST(a_move_to_another_tier_keeps_what_is_unacknowledged),
          TEST(an_acknowledgement_covers_the_frames_before_it), TEST(two_worlds_of_one_client_take_turns),
          TEST(joining_again_asks_for_a_key_and_leaving_ends_it))
