/* Sleep: a body (cloth or dynamic collider) that has come to rest costs nothing until
 * something could move it (physics.md §8).
 *
 * Each particle has a ball of radius 1e-4 × the body's diagonal (16 ulp of its largest
 * coordinate if larger) around where it was when its body last left one; those of a
 * collider have g·h·(1/16 s) if that is more, h a substep. A body whose particles stayed in
 * their balls for 1 s is quiet. It sleeps when everything that touches it, directly or
 * through others, is static, asleep or quiet too, and nothing draws it: no grab, no wind, no pin
 * or attachment on its way, no moving collider. Sleeping bodies touch no waking ones: whatever
 * comes near wakes the whole island before it can touch.
 *
 * Inactive in the method `jacobi`, which is the homework's loop and no more. */
#ifndef PBD_WORLD_SLEEP_H
#define PBD_WORLD_SLEEP_H

#include "world/world_internal.h"

/* Room for the islands of one step. PBD_OUT_OF_MEMORY. */
int sleep_reserve(pbd_world *world, uint32_t cloth_count, uint32_t collider_count);

/* A body starts its second of quiet anew, and wakes if it was asleep. What touches it
 * wakes in the next step. */
void sleep_wake_cloth(struct pbd_cloth *cloth);
void sleep_wake_collider(struct pbd_collider *collider);
void sleep_wake_all(pbd_world *world);
/* Wakes what is near enough to touch, and the collider itself: before it goes or changes
 * and after. */
void sleep_wake_near_cloth(pbd_world *world, struct pbd_cloth *cloth);
void sleep_wake_near_collider(pbd_world *world, struct pbd_collider *collider);

/* Wakes the islands that something has come near to. After collider_begin_tick. */
void sleep_begin_tick(pbd_world *world);
/* Counts quiet ticks, lets islands fall asleep, tells of both. After collider_end_tick. */
void sleep_end_tick(pbd_world *world);

#endif
