/* What pushing a collider costs and does: the one door through which every contact and
 * attachment reaches a dynamic body (Müller et al., Detailed Rigid Body Simulation with
 * Extended Position Based Dynamics, 2020: generalised inverse masses, eq. 2–9).
 *
 * Within a substep collider->substep_end is the predicted pose p; pushes change it at
 * once (Gauss–Seidel). Static and kinematic colliders have inverse mass 0 and ignore
 * pushes, so callers need no branch. */
#ifndef PBD_CONTACT_RIGID_H
#define PBD_CONTACT_RIGID_H

#include "world/world_internal.h"

/* 1/kg: w = 1/m + (r×n)ᵀ I⁻¹ (r×n) at a world point along the unit world direction n; 0
 * unless the collider is dynamic (and awake in this tick). */
double rigid_inverse_mass(const struct pbd_collider *collider, struct vec3 point, struct vec3 direction);
/* Positional impulse (kg·m) at a world point: x += push/m, q += ½(I⁻¹(r×push))q, in substep_end. */
void rigid_push(struct pbd_collider *collider, struct vec3 point, struct vec3 push);

#endif
