/* Attachments: particles that a collider holds at a fixed place of its frame.
 *
 * Held by a static or kinematic collider a particle has w = 0 and goes where the
 * collider's exact pose takes it; held by a dynamic one it keeps its mass and both sides
 * are drawn together by C = |p − a| = 0, k = 1 (Müller et al. 2020, §3.3.3). A pin wins:
 * the pinned vertex stays where its pin says; when the pin goes, the attachment holds the
 * vertex where it then is. */
#ifndef PBD_SOLVE_ATTACH_H
#define PBD_SOLVE_ATTACH_H

#include "world/world_internal.h"

/* u and v of particles that static and kinematic colliders hold: where they are at the
 * end of the substep of length h. After collider_begin_substep, before pins_predict. */
void attach_predict(const pbd_world *world, struct pbd_cloth *cloth, float h);
/* One projection of those that dynamic colliders hold. */
void attach_project(pbd_world *world, struct pbd_cloth *cloth);

/* Whether the particle is attached to the collider, and so has no contact with it. */
bool attach_holds(const struct pbd_cloth *cloth, uint32_t particle, pbd_collider_id collider);

/* What is left when the particle's pin goes: its inverse mass, which is 0 where a static
 * or kinematic collider takes it over. */
float attach_unpinned(const pbd_world *world, struct pbd_cloth *cloth, uint32_t particle);
/* After a teleport of the cloth: held where its particles now are. */
void attach_follow_cloth(const pbd_world *world, struct pbd_cloth *cloth);
/* After a jump of the collider: what it holds comes along, at rest. */
void attach_follow_collider(pbd_world *world, const struct pbd_collider *collider);
/* Before the collider goes: it lets go of everything. */
void attach_drop_collider(pbd_world *world, pbd_collider_id collider);

#endif
