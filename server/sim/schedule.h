/* Which request is executed when. See simulation.h for the rules. */
#ifndef SIM_SCHEDULE_H
#define SIM_SCHEDULE_H

#include <sim/simulation.h>

/* A request has come: executed at once when nothing keeps it, queued otherwise, refused
 * as `busy` when the queue is full. Takes the request. */
void schedule_request(struct sim *sim, struct client *client, struct wire_request *request);
/* The world is at its tick boundary: the commands that wait for it, in arrival order. */
void schedule_boundary(struct sim *sim, struct world *world);
/* Something that kept requests waiting is over. */
void schedule_ready(struct sim *sim);

#endif
