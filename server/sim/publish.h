/* Frames of a world to its tiers. */
#ifndef SIM_PUBLISH_H
#define SIM_PUBLISH_H

#include <sim/simulation.h>

/* After a step of the solver that ran from before_us to after_us: times, counters, events. */
void world_stepped(struct sim *sim, struct world *world, uint64_t before_us, uint64_t after_us);

/* The tick that was just run: to every tier whose divisor it meets, or that needs a key. */
void publish_tick(struct sim *sim, struct world *world);
/* Of a world.step: every tier, whatever its divisor. */
void publish_now(struct sim *sim, struct world *world);
/* Once a round: what changed in a world that stands still goes out as a key of the same
 * tick; members that need a key there get one. */
void publish_changes(struct sim *sim, struct world *world);

#endif
