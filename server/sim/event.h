/* `event`: what happened in a world, to all its members, in order.
 *
 * Every applied ★ command and everything the solver reports is one event with the next
 * seq of its world. `collider.move` faster than 2 Hz by one client is coalesced: the first
 * goes out at once, then the newest twice a second, and the last one for certain. A held
 * move always goes before the next event of another kind. */
#ifndef SIM_EVENT_H
#define SIM_EVENT_H

#include <sim/simulation.h>

/* An applied command. */
void event_command(struct sim *sim, struct world *world, uint32_t client, const struct wire_request *request);
/* What the last step of the solver reported. */
void event_solver(struct sim *sim, struct world *world);
/* Sends held moves that are due. Returns when the next one is. */
uint64_t event_flush_due(struct sim *sim, struct world *world);
/* A client is leaving: its held moves go out now. */
void event_forget_client(struct sim *sim, struct world *world, uint32_t client);

#endif
