/* Pressure: closed surfaces keep `pressure` times the volume that they have at rest.
 *
 * One equality constraint of stiffness 1 for each closed part of a cloth (P07 §4.4),
 * C = Σ (p1×p2)·p3 − pressure·V0, in the methods pbd and xpbd. V0 is signed, so that a part
 * wound inward is held as well. Positions are taken relative to the cloth's middle: far from
 * the origin a float32 sum would be wrong altogether.
 *
 * Under tension, which pressure keeps up for good, what projections leave of angular momentum
 * at O(h) adds up: a ball would begin to turn by itself. So here it is taken out. */
#ifndef PBD_SOLVE_PRESSURE_H
#define PBD_SOLVE_PRESSURE_H

#include "world/world_internal.h"

/* Before settings are taken over: what pressure needs where they have some.
 * PBD_PRESSURE_REFUSED, PBD_OUT_OF_MEMORY. */
int pressure_prepare(struct pbd_cloth *cloth, const struct pbd_cloth_settings *settings);
void pressure_destroy(struct pbd_cloth *cloth);

/* Finds the cloth's middle. */
void pressure_begin_tick(const pbd_world *world, struct pbd_cloth *cloth);
/* Before an iteration's first projection of the cloth. */
void pressure_begin_iteration(const pbd_world *world, struct pbd_cloth *cloth);
/* One projection. Then, of a cloth that nothing holds, takes out the turning that the
 * iteration's inner constraints have given it. */
void pressure_project(const pbd_world *world, struct pbd_cloth *cloth);

/* Constraints that act with the present settings. */
uint32_t pressure_count(const pbd_world *world, const struct pbd_cloth *cloth);

#endif
