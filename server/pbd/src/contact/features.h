/* Contact of colliders' features (contact/feature.h) with a cloth's triangles and edges:
 * what sticks into the cloth between its vertices (physics.md §6).
 *
 * world/step.c calls, per cloth:  feature_begin_tick, and per substep
 *   feature_begin_substep   after collider_begin_substep
 *   feature_project         after stretch, bend and self-contact, before contact_project
 *   feature_velocities      after contact_velocities
 *
 * Everything is scratch of one tick: which side of a feature the cloth is on is read
 * from where both are at the substep's start. */
#ifndef PBD_CONTACT_FEATURES_H
#define PBD_CONTACT_FEATURES_H

#include "world/world_internal.h"

struct cloth_features;

/* Memory for a cloth among so many colliders; *features is NULL at first, and as long as
 * there are none. PBD_OUT_OF_MEMORY: nothing changed. */
int feature_reserve(struct cloth_features **features, const pbd_fabric *fabric, uint32_t collider_count);
void feature_destroy(struct cloth_features *features);

void feature_begin_tick(struct pbd_cloth *cloth);
void feature_begin_substep(struct pbd_cloth *cloth);
void feature_project(pbd_world *world, struct pbd_cloth *cloth, float h);
void feature_velocities(pbd_world *world, struct pbd_cloth *cloth, float h);

#endif
