/* What the sim thread has to say: control that is never dropped, frames that may be.
 *
 * Pushing never waits. When the queue to the net thread is full, control messages go
 * to an overflow list in order and frames are refused until the list is empty again
 * (a frame must not overtake the `mesh` or the join it depends on). */
#ifndef SIM_OUTBOX_H
#define SIM_OUTBOX_H

#include <base/queue.h>
#include <sim/sim.h>

struct outbox {
    struct queue *queue;
    struct sim_output *overflow_first, *overflow_last;
    size_t overflow_count;
    bool pushed; /* since the last wake */
    void (*wake)(void *context);
    void *wake_context;
};

/* false when out of memory. wake may be NULL. */
bool outbox_open(struct outbox *outbox, size_t capacity, void (*wake)(void *context), void *context);
/* Frees everything that was not popped. */
void outbox_close(struct outbox *outbox);

/* Each returns false, and drops the buffers, when out of memory. References move. */
bool outbox_text(struct outbox *outbox, uint32_t client, struct buffer *buffer);
bool outbox_binary(struct outbox *outbox, uint32_t client, struct buffer *buffer);
bool outbox_move(struct outbox *outbox, uint32_t client, uint32_t from, uint32_t tier);
bool outbox_join(struct outbox *outbox, uint32_t client, uint32_t tier, bool ack);
bool outbox_leave(struct outbox *outbox, uint32_t client, uint32_t tier);
bool outbox_tier_end(struct outbox *outbox, uint32_t tier);
bool outbox_close_client(struct outbox *outbox, uint32_t client, uint16_t code, const char *reason);
bool outbox_world_state(struct outbox *outbox, const char *world, bool exists, bool paused);

/* delta or key may be NULL, not both. false: dropped, because the queue or memory is full. */
bool outbox_frame(struct outbox *outbox, uint32_t tier, uint32_t tick, uint32_t base_tick,
                  struct buffer *delta, struct buffer *key);

/* Moves overflow into the queue as far as it goes and wakes the net thread if anything
 * was pushed since the last call. */
void outbox_flush(struct outbox *outbox);

#endif
