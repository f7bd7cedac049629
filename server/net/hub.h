/* Tiers and their members: who gets which frame, who skips, who needs a key.
 *
 * A tier's frames reach every member by reference. Per member there is one slot: what
 * waits there when the next frame comes and the socket has not taken it, is dropped, and
 * the next thing that member gets is a key:
 *
 *   publish ──▶ slot ──▶ (socket writable) ──▶ sent
 *                │ still there at the next tick, or the library holds a frame,
 *                │ or nothing acknowledged for 250 ms
 *                └──▶ skipped; writable again ──▶ want_key ──▶ key ──▶ deltas
 *
 * A burst (a few ticks within HUB_BURST_MS, as when the clock catches up) may wait in
 * one slot together, so that a burst is not a skip. */
#ifndef NET_HUB_H
#define NET_HUB_H

#include <stdbool.h>
#include <stdint.h>
#include <base/buffer.h>

enum { HUB_BURST = 4, HUB_BURST_MS = 8, HUB_FLIGHT = 64, HUB_UNACKED_MS = 250 };

struct hub_member;

/* Part of a client; the client owns it. */
struct hub_client {
    uint32_t id;
    bool blocked;               /* the library still holds bytes of an earlier write */
    struct hub_member *members; /* by world that it watches */
    struct hub_member *turn;    /* whose frame goes next */
};

enum hub_skip { HUB_SKIP_NOT_WRITABLE, HUB_SKIP_UNACKED, HUB_SKIP_NO_KEY, HUB_SKIP_CAUSES };

struct hub_callbacks {
    void *context;
    /* A member of tier needs a key. False: could not be asked, ask again. */
    bool (*want_key)(void *context, uint32_t tier);
    /* There is something to write for client. */
    void (*wake)(void *context, struct hub_client *client);
    void (*skipped)(void *context, struct hub_client *client, enum hub_skip cause);
};

struct hub_frame {
    struct buffer *buffer; /* the hub's reference until hub_sent */
    struct hub_member *member;
};

struct hub;

struct hub *hub_create(const struct hub_callbacks *callbacks);
void hub_destroy(struct hub *hub);

/* The client is a member and needs a key first; again: it needs a key again. False: out of memory. */
bool hub_join(struct hub *hub, struct hub_client *client, uint32_t tier, bool ack);
/* The same for a client that leaves another tier of the same world: its unacknowledged
 * frames stay so. */
bool hub_move(struct hub *hub, struct hub_client *client, uint32_t from, uint32_t tier);
void hub_leave(struct hub *hub, struct hub_client *client, uint32_t tier);
void hub_leave_all(struct hub *hub, struct hub_client *client);
void hub_tier_end(struct hub *hub, uint32_t tier);

/* References move; delta or key may be NULL. */
void hub_publish(struct hub *hub, uint32_t tier, uint32_t tick, uint32_t base_tick, struct buffer *delta,
                 struct buffer *key, uint64_t now_ms);
/* The client drew this tick. */
void hub_ack(struct hub *hub, struct hub_client *client, uint32_t tick, uint64_t now_ms);

/* The socket takes something: the next frame, or false. Asks for keys where they are missing. */
bool hub_next(struct hub *hub, struct hub_client *client, uint64_t now_ms, struct hub_frame *frame);
/* That frame is handed over. */
void hub_sent(struct hub *hub, struct hub_client *client, const struct hub_frame *frame, uint64_t now_ms);
/* Whether hub_next would give a frame. */
bool hub_has_frame(const struct hub_client *client);

#endif
