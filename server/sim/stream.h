/* Subscriptions: which member gets which tier, and how often.
 *
 * The rate rule: more than half of a second's frames skipped → the rate divisor doubles;
 * five seconds without a skip → it halves, down to what the client asked for. Either way
 * `status` says so. */
#ifndef SIM_STREAM_H
#define SIM_STREAM_H

#include <sim/simulation.h>

struct stream_wish {
    enum frame_codec codec;
    int step_exp;  /* or TIER_STEP_AUTO */
    double max_hz; /* 0 = every tick */
    bool ack;
    const char *cloths; /* as struct tier_kind */
};

/* The client's only stream of the world from now on; frames come after stream_begin.
 * NULL when out of memory: then an earlier stream goes on as it was. */
struct member *stream_subscribe(struct sim *sim, struct world *world, struct client *client,
                                const struct stream_wish *wish);
/* Announces everything and joins the tier: to be called once the reply is on its way. */
void stream_begin(struct sim *sim, struct world *world, struct member *member);
/* false: there was no stream. */
bool stream_unsubscribe(struct sim *sim, struct world *world, struct client *client);
/* The same for a client whose connection is gone: the net side has forgotten it. */
void stream_forget(struct sim *sim, struct world *world, struct client *client);
/* The member lost its place: it gets a key. */
void stream_key(struct sim *sim, struct world *world, struct member *member);
/* Some member of the tier did. */
void stream_want_key(struct sim *sim, uint32_t tier);
/* Applies the rate rule where a window is over. Returns when the next one is. */
uint64_t stream_adapt(struct sim *sim, struct world *world);

#endif
