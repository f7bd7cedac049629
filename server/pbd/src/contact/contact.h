/* Contact between a cloth's particles and the world's colliders.
 *
 * world/step.c calls, per tick and cloth:
 *
 *   collider_begin_tick (once for all cloths), contact_begin_tick
 *   per substep:  collider_begin_substep (once for all cloths: poses at its start and end)
 *                 contact_begin_substep  after prediction: contacts from the path x→p   [8]
 *                 contact_project        last projection of every iteration             [10]
 *                 contact_velocities     restitution, depenetration velocity removed    [16]
 *   contact_end_tick, collider_end_tick (once for all cloths)
 *
 * x is X + e (state), p is X + u (scratch): both relative to the same base X. */
#ifndef PBD_CONTACT_H
#define PBD_CONTACT_H

#include "world/world_internal.h"

/* Creates and frees cloth->contacts, still without memory for any collider. PBD_OUT_OF_MEMORY. */
int contact_create(struct pbd_cloth *cloth);
void contact_destroy(struct pbd_cloth *cloth);
/* Grows per-collider memory of a cloth to collider_count colliders; called when a
 * collider or a cloth is added, before any step. PBD_OUT_OF_MEMORY. */
int contact_reserve_colliders(struct pbd_cloth *cloth, uint32_t collider_count);
/* After a teleport of the cloth: overlaps count as seen for the first time again. */
void contact_forget(struct pbd_cloth *cloth);

/* How far every collider goes within the tick, from substep_start; before contact_begin_tick of any cloth. */
void collider_begin_tick(pbd_world *world);
/* Poses at the start and end of substep `index` of `count`; at the tick's end `to` is
 * reached bit for bit. */
void collider_begin_substep(pbd_world *world, int index, int count);
/* Dynamic ones: velocities from the pushes of substep 0…count−1; before the cloths' contact_velocities. */
void collider_commit(pbd_world *world, int count);
/* Whether a dynamic one went further in this tick than its tick_shift and tick_turn, on
 * which clearances rely; they are then larger, and clearances must be measured anew. */
bool collider_bounds_broken(pbd_world *world);
/* The pose at a time 0…1 within the substep. */
struct exact_pose collider_pose_at(const struct pbd_collider *collider, double time);
/* Advances done/total, sets velocities from the tick's motion. */
void collider_end_tick(pbd_world *world);

/* contact_begin_tick, _begin_substep, _project, _velocities and _end_tick of a cloth that
 * is frozen let bodies meet it as an obstacle; without bodies they may be left out.
 *
 * Broad phase: which colliders this cloth can meet within the tick. Emits
 * initial_overlap; world->events has been cleared before. */
void contact_begin_tick(pbd_world *world, struct pbd_cloth *cloth);
/* After collider_bounds_broken: clearances anew, from this substep's start. */
void contact_measure_again(pbd_world *world, struct pbd_cloth *cloth);
/* Until contact_velocities, state.v is the velocity that predicted p (p = x + h·v). */
void contact_begin_substep(pbd_world *world, struct pbd_cloth *cloth, float h);
/* In worlds with bodies, before features: what a cloth lies on, which is told before a body
 * presses it there, and boxes, whose flat sides its vertices meet more evenly than their
 * edges do. Round bodies meet its triangles first. */
void contact_project_flat(pbd_world *world, struct pbd_cloth *cloth, float h);
void contact_project(pbd_world *world, struct pbd_cloth *cloth, float h);
/* state.v is (p − x)/h and state.x the new position; h as before. */
void contact_velocities(pbd_world *world, struct pbd_cloth *cloth, float h);
/* Adds to world->contact_count, which the step has zeroed. */
void contact_end_tick(pbd_world *world, struct pbd_cloth *cloth);

/* G103's collision, once per tick after the passes, no friction, no thickness: p (X + u)
 * and state.v change as physics.md §4 says for `jacobi`. Needs only collider_begin_tick
 * and collider_begin_substep(world, 0, 1). */
void contact_jacobi(pbd_world *world, struct pbd_cloth *cloth, float dt);

/* Snapshot support: whether overlaps are still to be reported is state. */
size_t contact_state_size(const struct pbd_cloth *cloth);
void contact_state_save(const struct pbd_cloth *cloth, void *out);
void contact_state_load(struct pbd_cloth *cloth, const void *in);

#endif
