/* Contact between features of cloth: with its own folds and with other cloths
 * (physics.md §5, Self-contact). Independent of contact with colliders.
 *
 * world/step.c calls, for all cloths at once:
 *
 *   self_begin_tick      which cloths can meet
 *   per substep:
 *     self_begin_substep
 *     self_project         in every iteration, after stretch, bend, attachments and grabs
 *     self_velocities      after all commits: velocities that only undid an overlap end
 *   self_end_tick        what must be remembered
 *
 * Cloths that are asleep or frozen do not move (w = 0); others still rest on them. */
#ifndef PBD_CONTACT_SELF_CONTACT_H
#define PBD_CONTACT_SELF_CONTACT_H

#include "world/world_internal.h"

/* Emits initial_overlap for cloths whose self_fresh is set, and clears it. */
void self_begin_tick(pbd_world *world);
/* Substep `index` of `count`. */
void self_begin_substep(pbd_world *world, int index, int count);
void self_project(pbd_world *world, float h);
void self_velocities(pbd_world *world, float h);
void self_end_tick(pbd_world *world);
/* In a tick without self-contact (method jacobi): nothing is remembered. */
void self_skip_tick(pbd_world *world);

void self_destroy(pbd_world *world);

/* Lists left out since the world began: no memory, or too many comparisons in a tick. */
uint64_t self_dropped(const pbd_world *world);

/* Cloths of two names that touched in the last tick: false when there is no further couple.
 * Starts at *cursor = 0. */
bool self_next_touch(const pbd_world *world, uint32_t *cursor, pbd_cloth_id *a, pbd_cloth_id *b);

/* Snapshot support: the sides of pairs that were driven through each other. Restoring
 * into a world whose cloths are already there; PBD_OUT_OF_MEMORY: nothing is remembered. */
size_t self_state_size(const pbd_world *world);
void self_state_save(const pbd_world *world, void *out);
int self_state_load(pbd_world *world, const void *in, size_t size);

#endif
