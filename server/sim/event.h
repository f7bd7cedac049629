/* `event`: what happened in a world, to all its members, in order.
 *
 * Every applied ★ command and everything the solver reports is one event with the next
 * seq of its world; the command's is its seq in the command log, too. `collider.move` and `cloth.drag` faster
 * than 2 Hz by one client are coalesced: the first goes out at once, then the newest twice a second, and the
 * last one for certain. A held move always goes before the next event of another kind, and with a seq of its
 * own. */
#ifndef SIM_EVENT_H
#define SIM_EVENT_H

#include <sim/simulation.h>

/* A command that was applied and is still to be told. */
struct applied {
    const struct wire_request *request; /* the caller's */
    uint32_t tick;                      /* the boundary at which it took effect */
    uint32_t grab;                      /* of cloth.grab: the number it gave */
    char *params; /* for the log; NULL: there was no memory, or it holds no such command */
};

/* Right after its handler, while the world is as the command left it. */
void applied_take(struct applied *applied, const struct world *world, const struct wire_request *request);
void applied_free(struct applied *applied);
/* Logs and tells it; ends it. */
void event_applied(struct sim *sim, struct world *world, uint32_t client, struct applied *applied);
/* Both at once. */
void event_command(struct sim *sim, struct world *world, uint32_t client, const struct wire_request *request);
/* A grab that ends because its client leaves: as if it had commanded cloth.release, so that
 * what happened in the world is told by commands alone. */
void event_release(struct sim *sim, struct world *world, uint32_t client, uint32_t grab);
/* The thickness of a cloth was clamped between its layers. */
void event_thickness(struct sim *sim, struct world *world, const struct object *cloth, float got, float max);
/* What the last step of the solver reported. */
void event_solver(struct sim *sim, struct world *world);
/* Sends held moves that are due. Returns when the next one is. */
uint64_t event_flush_due(struct sim *sim, struct world *world);
/* A client is leaving: its held moves go out now. */
void event_forget_client(struct sim *sim, struct world *world, uint32_t client);

#endif
