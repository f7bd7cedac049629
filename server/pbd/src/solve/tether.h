/* Tethers: no particle is farther from a held one than the cloth between them is long (Kim,
 * Chentanez, Müller 2012, Long Range Attachments).
 *
 * C = d − |p − q| ≥ 0, k = 1, q a particle that a pin or a static or kinematic collider holds
 * and d the distance at rest within the cloth (build/geodesic.h). Only p moves. Held particles
 * that edges join form a group; up to TETHER_GROUPS groups, p has a tether to the nearest
 * particle of each, with more to the nearest two groups: to one alone cloth would part
 * where the nearest group changes. Grabs and dynamic colliders hold nothing. In the methods
 * pbd and xpbd. */
#ifndef PBD_SOLVE_TETHER_H
#define PBD_SOLVE_TETHER_H

#include "world/world_internal.h"

#define TETHER_GROUPS 4u

/* Before settings are taken over: what tethers need. PBD_OUT_OF_MEMORY. */
int tether_prepare(struct pbd_cloth *cloth, const struct pbd_cloth_settings *settings);
void tether_destroy(struct pbd_cloth *cloth);

/* Measures anew where other particles are held than before. */
void tether_begin_tick(const pbd_world *world, struct pbd_cloth *cloth);
void tether_project(const pbd_world *world, struct pbd_cloth *cloth);

/* Tethers that act with the present settings, as of the last tick. */
uint32_t tether_count(const pbd_world *world, const struct pbd_cloth *cloth);

#endif
