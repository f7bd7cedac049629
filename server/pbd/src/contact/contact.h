/* Contact between a cloth's particles and the world's colliders.
 *
 * world/step.c calls, per tick and cloth:
 *
 *   contact_begin_tick
 *   per substep:  collider_begin_substep (once for all cloths: poses at its start and end)
 *                 contact_begin_substep  after prediction: contacts from the path x→p   [8]
 *                 contact_project        last projection of every iteration             [10]
 *                 contact_velocities     restitution, depenetration velocity removed    [16]
 *   contact_end_tick
 *
 * x is X + e (state), p is X + u (scratch): both relative to the same base X. */
#ifndef PBD_CONTACT_H
#define PBD_CONTACT_H

#include "world/world_internal.h"

/* Creates and frees cloth->contacts (all memory a step will need). PBD_OUT_OF_MEMORY. */
int contact_create(struct pbd_cloth *cloth);
void contact_destroy(struct pbd_cloth *cloth);
/* Grows per-collider memory of a cloth; called when a collider is added, before any step. */
int contact_reserve_colliders(struct pbd_cloth *cloth, uint32_t collider_count);

/* Broad phase: which colliders this cloth can meet within the tick. */
void contact_begin_tick(pbd_world *world, struct pbd_cloth *cloth);

/* Poses at the start and end of substep `index` of `count`, h seconds long; at the
 * tick's end `to` is reached bit for bit. */
void collider_begin_substep(pbd_world *world, int index, int count);
/* Advances done/total, sets velocities from the tick's motion. */
void collider_end_tick(pbd_world *world);

void contact_begin_substep(pbd_world *world, struct pbd_cloth *cloth, float h);
void contact_project(pbd_world *world, struct pbd_cloth *cloth, float h);
void contact_velocities(pbd_world *world, struct pbd_cloth *cloth, float h);
/* Events (initial overlap on first sight) and world->contact_count. */
void contact_end_tick(pbd_world *world, struct pbd_cloth *cloth);

/* G103's collision, once per tick after the passes, no friction: positions and
 * velocities as physics.md §4 says for `jacobi`. */
void contact_jacobi(pbd_world *world, struct pbd_cloth *cloth, float dt);

/* Snapshot support: overlap memory (which particles were inside at first sight) is state. */
size_t contact_state_size(const struct pbd_cloth *cloth);
void contact_state_save(const struct pbd_cloth *cloth, void *out);
void contact_state_load(struct pbd_cloth *cloth, const void *in);

#endif
