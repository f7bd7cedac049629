/* net/lane: order, bounds and fragments. */
#include "check.h"
#include <net/lane.h>

static struct buffer *text_of(const char *text) {
    return buffer_copy(text, strlen(text));
}

static void messages_leave_in_their_order(void) {
    struct lane lane;
    struct lane_piece piece;
    lane_init(&lane, 10, 1000);
    CHECK(!lane_next(&lane, &piece) && lane_is_empty(&lane));
    CHECK(lane_push(&lane, text_of("one"), false));
    CHECK(lane_push(&lane, text_of("two"), true));
    CHECK(lane_push(&lane, text_of("three"), false));
    const char *const want[] = {"one", "two", "three"};
    for (int i = 0; i < 3; ++i) {
        CHECK(lane_next(&lane, &piece));
        CHECK(piece.first && piece.final && piece.offset == 0);
        CHECK_INT(piece.binary, i == 1);
        CHECK(piece.length == strlen(want[i]) && memcmp(piece.buffer->data, want[i], piece.length) == 0);
        lane_advance(&lane, &piece);
    }
    CHECK(lane_is_empty(&lane));
    CHECK_INT(lane.text_bytes + lane.binary_bytes + lane.text_count + lane.binary_count, 0);
}

static void a_long_message_leaves_in_fragments(void) {
    struct lane lane;
    struct lane_piece piece;
    lane_init(&lane, 10, 1000);
    struct buffer *buffer = buffer_create(2 * LANE_FRAGMENT_BYTES + 5);
    buffer->length = buffer->capacity;
    CHECK(lane_push(&lane, buffer, true));
    CHECK(lane_next(&lane, &piece));
    CHECK(piece.first && !piece.final && piece.length == LANE_FRAGMENT_BYTES);
    lane_advance(&lane, &piece);
    CHECK(lane_next(&lane, &piece));
    CHECK(!piece.first && !piece.final && piece.offset == LANE_FRAGMENT_BYTES);
    lane_advance(&lane, &piece);
    CHECK(lane_next(&lane, &piece));
    CHECK(!piece.first && piece.final && piece.length == 5);
    lane_advance(&lane, &piece);
    CHECK(lane_is_empty(&lane));
}

static void an_empty_message_is_one_empty_piece(void) {
    struct lane lane;
    struct lane_piece piece;
    lane_init(&lane, 10, 1000);
    CHECK(lane_push(&lane, buffer_create(0), false));
    CHECK(lane_next(&lane, &piece));
    CHECK(piece.first && piece.final && piece.length == 0);
    lane_advance(&lane, &piece);
    CHECK(lane_is_empty(&lane));
}

static void the_bound_counts_texts_only(void) {
    struct lane lane;
    lane_init(&lane, 4, 1000);
    for (int i = 0; i < 20; ++i)
        CHECK(lane_push(&lane, text_of("xxxx"), true));
    CHECK(!lane_is_over(&lane, 1, 1) && !lane_is_above(&lane, 3, 4));
    for (int i = 0; i < 3; ++i)
        CHECK(lane_push(&lane, text_of("xxxx"), false));
    CHECK(lane_is_above(&lane, 3, 4) && !lane_is_over(&lane, 1, 1));
    CHECK(lane_push(&lane, text_of("xxxx"), false));
    CHECK(!lane_is_over(&lane, 1, 1));
    CHECK(lane_push(&lane, text_of("xxxx"), false));
    CHECK(lane_is_over(&lane, 1, 1));
    lane_clear(&lane);
    CHECK(lane_is_empty(&lane) && !lane_is_above(&lane, 1, 4));
}

static void one_reply_alone_may_be_longer_than_the_bound(void) {
    struct lane lane;
    lane_init(&lane, 4, 1000);
    struct buffer *buffer = buffer_create(5000);
    buffer->length = 5000;
    CHECK(lane_push(&lane, buffer, false));
    CHECK(!lane_is_over(&lane, 1, 1));
    CHECK(lane_push(&lane, text_of("more"), false));
    CHECK(!lane_is_over(&lane, 1, 1)); /* the long one is leaving */
    buffer = buffer_create(1000);
    buffer->length = 1000;
    CHECK(lane_push(&lane, buffer, false));
    CHECK(lane_is_over(&lane, 1, 1) && !lane_is_over(&lane, 2, 2));
    lane_clear(&lane);
}

static void the_long_reply_may_wait_behind_a_short_text(void) {
    struct lane lane;
    lane_init(&lane, 4, 1000);
    CHECK(lane_push(&lane, text_of("its event"), false));
    struct buffer *buffer = buffer_create(5000);
    buffer->length = 5000;
    CHECK(lane_push(&lane, buffer, false));
    CHECK(!lane_is_over(&lane, 1, 1));
    buffer = buffer_create(1000);
    buffer->length = 1000;
    CHECK(lane_push(&lane, buffer, false));
    CHECK(lane_is_over(&lane, 1, 1) && !lane_is_over(&lane, 1, 2));
    lane_clear(&lane);
}

RUN_TESTS(TEST(messages_leave_in_their_order), TEST(a_long_message_leaves_in_fragments),
          TEST(an_empty_message_is_one_empty_piece), TEST(the_bound_counts_texts_only),
          TEST(one_reply_alone_may_be_longer_than_the_bound),
          TEST(the_long_reply_may_wait_behind_a_short_text))
