/* Control is never lost and never overtaken; frames give way. */
#include "check.h"
#include <sim/outbox.h>

static uint32_t wakes;

static void on_wake(void *context) {
    (void)context;
    ++wakes;
}

static struct buffer *text(uint32_t number) {
    return buffer_copy(&number, sizeof number);
}

static struct outbox opened(size_t capacity) {
    struct outbox outbox;
    CHECK(outbox_open(&outbox, capacity, on_wake, NULL));
    wakes = 0;
    return outbox;
}

static void one_wake_serves_a_batch(void) {
    struct outbox outbox = opened(16);
    outbox_flush(&outbox);
    CHECK_INT(wakes, 0);
    outbox_text(&outbox, 1, text(1));
    outbox_join(&outbox, 1, 7, true);
    outbox_flush(&outbox);
    CHECK_INT(wakes, 1);
    outbox_flush(&outbox);
    CHECK_INT(wakes, 1);
    outbox_close(&outbox);
}

static void control_overflows_in_order_and_comes_through_later(void) {
    struct outbox outbox = opened(4);
    for (uint32_t i = 0; i < 50; ++i)
        CHECK(outbox_text(&outbox, i, text(i)));
    CHECK_INT(outbox.overflow_count, 46);
    uint32_t got = 0;
    while (got < 50) {
        struct sim_output *output = queue_pop(outbox.queue);
        if (!output) {
            outbox_flush(&outbox);
            continue;
        }
        CHECK_INT(output->client, got);
        ++got;
        sim_output_free(output);
    }
    CHECK_INT(outbox.overflow_count, 0);
    CHECK(outbox.overflow_first == NULL && outbox.overflow_last == NULL);
    outbox_close(&outbox);
}

static void a_frame_is_dropped_when_the_queue_is_full(void) {
    struct outbox outbox = opened(2);
    CHECK(outbox_frame(&outbox, 1, 10, 9, text(1), NULL));
    CHECK(outbox_frame(&outbox, 1, 11, 10, text(2), text(3)));
    CHECK(!outbox_frame(&outbox, 1, 12, 11, text(4), NULL));
    outbox_close(&outbox);
}

static void a_frame_does_not_overtake_control_that_is_held_back(void) {
    struct outbox outbox = opened(2);
    for (uint32_t i = 0; i < 3; ++i)
        outbox_text(&outbox, 1, text(i));
    sim_output_free(queue_pop(outbox.queue)); /* room again, but one text still waits */
    CHECK(!outbox_frame(&outbox, 1, 1, 0, text(9), NULL));
    outbox_flush(&outbox);
    sim_output_free(queue_pop(outbox.queue));
    CHECK(outbox_frame(&outbox, 1, 1, 0, text(9), NULL));
    outbox_close(&outbox);
}

static void outputs_carry_their_members(void) {
    struct outbox outbox = opened(16);
    outbox_join(&outbox, 5, 6, true);
    outbox_move(&outbox, 5, 6, 9);
    outbox_leave(&outbox, 5, 6);
    outbox_tier_end(&outbox, 6);
    outbox_close_client(&outbox, 5, 1011, "why");
    outbox_world_state(&outbox, "main", true, false);
    static const enum sim_output_kind kinds[] = {SIM_JOIN,     SIM_MOVE,  SIM_LEAVE,
                                                 SIM_TIER_END, SIM_CLOSE, SIM_WORLD_STATE};
    for (size_t i = 0; i < 6; ++i) {
        struct sim_output *output = queue_pop(outbox.queue);
        CHECK_INT(output->kind, kinds[i]);
        if (output->kind == SIM_MOVE) CHECK(output->client == 5 && output->from == 6 && output->tier == 9);
        if (output->kind == SIM_JOIN) CHECK(output->client == 5 && output->tier == 6 && output->ack);
        if (output->kind == SIM_CLOSE) CHECK_INT(output->close_code, 1011);
        if (output->kind == SIM_CLOSE) CHECK_STRING(output->name, "why");
        if (output->kind == SIM_WORLD_STATE) CHECK(output->exists && !output->paused);
        sim_output_free(output);
    }
    outbox_close(&outbox);
}

RUN_TESTS(TEST(one_wake_serves_a_batch), TEST(control_overflows_in_order_and_comes_through_later),
          TEST(a_frame_is_dropped_when_the_queue_is_full),
          TEST(a_frame_does_not_overtake_control_that_is_held_back), TEST(outputs_carry_their_members))
