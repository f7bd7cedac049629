/* The sim thread's end of the queue to the net thread. */
#include "sim/outbox.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

void sim_output_free(struct sim_output *output) {
    if (!output) return;
    buffer_unref(output->buffer);
    buffer_unref(output->delta);
    buffer_unref(output->key);
    free(output);
}

bool outbox_open(struct outbox *outbox, size_t capacity, void (*wake)(void *context), void *context) {
    *outbox = (struct outbox){.queue = queue_create(capacity), .wake = wake, .wake_context = context};
    return outbox->queue != NULL;
}

void outbox_close(struct outbox *outbox) {
    if (outbox->queue) {
        struct sim_output *output;
        while ((output = queue_pop(outbox->queue)) != NULL)
            sim_output_free(output);
        queue_destroy(outbox->queue);
    }
    while (outbox->overflow_first) {
        struct sim_output *next = outbox->overflow_first->next;
        sim_output_free(outbox->overflow_first);
        outbox->overflow_first = next;
    }
    *outbox = (struct outbox){0};
}

/* Takes the output whatever happens. */
static void push_control(struct outbox *outbox, struct sim_output *output) {
    if (!outbox->overflow_first && queue_push(outbox->queue, output)) {
        outbox->pushed = true;
        return;
    }
    output->next = NULL;
    if (outbox->overflow_last) {
        outbox->overflow_last->next = output;
    } else {
        outbox->overflow_first = output;
    }
    outbox->overflow_last = output;
    outbox->overflow_count += 1;
}

static struct sim_output *output_create(enum sim_output_kind kind, uint32_t client, uint32_t tier) {
    struct sim_output *output = calloc(1, sizeof *output);
    if (!output) return NULL;
    output->kind = kind;
    output->client = client;
    output->tier = tier;
    return output;
}

static bool push_buffer(struct outbox *outbox, enum sim_output_kind kind, uint32_t client,
                        struct buffer *buffer) {
    assert(buffer);
    struct sim_output *output = output_create(kind, client, 0);
    if (!output) {
        buffer_unref(buffer);
        return false;
    }
    output->buffer = buffer;
    push_control(outbox, output);
    return true;
}

bool outbox_text(struct outbox *outbox, uint32_t client, struct buffer *buffer) {
    return push_buffer(outbox, SIM_TEXT, client, buffer);
}

bool outbox_binary(struct outbox *outbox, uint32_t client, struct buffer *buffer) {
    return push_buffer(outbox, SIM_BINARY, client, buffer);
}

static bool push_plain(struct outbox *outbox, enum sim_output_kind kind, uint32_t client, uint32_t tier,
                       bool ack) {
    struct sim_output *output = output_create(kind, client, tier);
    if (!output) return false;
    output->ack = ack;
    push_control(outbox, output);
    return true;
}

bool outbox_join(struct outbox *outbox, uint32_t client, uint32_t tier, bool ack) {
    return push_plain(outbox, SIM_JOIN, client, tier, ack);
}

bool outbox_move(struct outbox *outbox, uint32_t client, uint32_t from, uint32_t tier) {
    struct sim_output *output = output_create(SIM_MOVE, client, tier);
    if (!output) return false;
    output->from = from;
    push_control(outbox, output);
    return true;
}

bool outbox_leave(struct outbox *outbox, uint32_t client, uint32_t tier) {
    return push_plain(outbox, SIM_LEAVE, client, tier, false);
}

bool outbox_tier_end(struct outbox *outbox, uint32_t tier) {
    return push_plain(outbox, SIM_TIER_END, 0, tier, false);
}

bool outbox_close_client(struct outbox *outbox, uint32_t client, uint16_t code, const char *reason) {
    struct sim_output *output = output_create(SIM_CLOSE, client, 0);
    if (!output) return false;
    output->close_code = code;
    snprintf(output->name, sizeof output->name, "%s", reason);
    push_control(outbox, output);
    return true;
}

bool outbox_world_state(struct outbox *outbox, const char *world, bool exists, bool paused) {
    struct sim_output *output = output_create(SIM_WORLD_STATE, 0, 0);
    if (!output) return false;
    output->exists = exists;
    output->paused = paused;
    snprintf(output->name, sizeof output->name, "%s", world);
    push_control(outbox, output);
    return true;
}

bool outbox_frame(struct outbox *outbox, uint32_t tier, uint32_t tick, uint32_t base_tick,
                  struct buffer *delta, struct buffer *key) {
    assert(delta || key);
    struct sim_output *output = outbox->overflow_first ? NULL : output_create(SIM_FRAME, 0, tier);
    if (!output) {
        buffer_unref(delta);
        buffer_unref(key);
        return false;
    }
    output->tick = tick;
    output->base_tick = base_tick;
    output->delta = delta;
    output->key = key;
    if (!queue_push(outbox->queue, output)) {
        sim_output_free(output);
        return false;
    }
    outbox->pushed = true;
    return true;
}

void outbox_flush(struct outbox *outbox) {
    while (outbox->overflow_first) {
        /* The consumer may free it as soon as it is in the queue. */
        struct sim_output *next = outbox->overflow_first->next;
        if (!queue_push(outbox->queue, outbox->overflow_first)) break;
        outbox->overflow_first = next;
        if (!next) outbox->overflow_last = NULL;
        outbox->overflow_count -= 1;
        outbox->pushed = true;
    }
    if (!outbox->pushed) return;
    outbox->pushed = false;
    if (outbox->wake) outbox->wake(outbox->wake_context);
}
