/* What pushing a collider costs and does: the one door through which every contact and
 * attachment reaches a dynamic body (Müller et al., Detailed Rigid Body Simulation with
 * Extended Position Based Dynamics, 2020: generalised inverse masses, eq. 2–9).
 *
 * Within a substep collider->substep_end is the predicted pose p; pushes change it at
 * once (Gauss–Seidel). Static and kinematic colliders, and bodies that sleep or are
 * frozen, have inverse mass 0 and ignore pushes, so callers need no branch. */
#ifndef PBD_CONTACT_RIGID_H
#define PBD_CONTACT_RIGID_H

#include "world/world_internal.h"

/* Dynamic, awake and not frozen: what pushes can move. */
static inline bool rigid_moves(const struct pbd_collider *collider) {
    const struct rigid_body *body = &collider->body;
    return body->inverse_mass > 0.0 && !body->frozen && !body->asleep;
}

/* 1/kg: w = 1/m + (r×n)ᵀ I⁻¹ (r×n) at a world point along the unit world direction n; 0
 * unless the collider moves. */
double rigid_inverse_mass(const struct pbd_collider *collider, struct vec3 point, struct vec3 direction);
/* Positional impulse (kg·m) at a world point: x += push/m, q += ½(I⁻¹(r×push))q, in substep_end. */
void rigid_push(struct pbd_collider *collider, struct vec3 point, struct vec3 push);
/* How the surface moves at a world point, m/s. Of a moving body: from its velocities, which
 * until rigid_commit are those that predicted the pose; of others: (end − start)/h. */
struct vec3 rigid_velocity_at(const struct pbd_collider *collider, struct vec3 point, double h);
/* The same with what the pushes of this substep have added so far. */
struct vec3 rigid_velocity_so_far(const struct pbd_collider *collider, struct vec3 point, double h);
/* Impulse (N·s) at a world point: v += impulse/m, ω += I⁻¹(r×impulse); after rigid_commit. */
void rigid_kick(struct pbd_collider *collider, struct vec3 point, struct vec3 impulse);
/* I⁻¹·moment, world frame, at substep_end; 0 unless the collider moves. */
struct vec3 rigid_spin_of(const struct pbd_collider *collider, struct vec3 moment);

/* Moves by shift (m) and turns by a small rotation vector: the pose alone. */
void rigid_shift(struct pbd_collider *collider, struct vec3 shift, struct vec3 turn);
/* Moves the whole substep, start and all, which gives no velocity; not beyond `limit` (m) in
 * sum. Returns how far. */
double rigid_lift(struct pbd_collider *collider, struct vec3 shift, double limit);
/* How much of a depth at the start a substep of h undoes, m. */
double rigid_rise(const pbd_world *world, double depth, double h);
/* Accounts for a shift and turn as pushes, which become velocity; before rigid_shift. */
void rigid_account(struct pbd_collider *collider, struct vec3 shift, struct vec3 turn);

/* ---- called by collider.c ---- */

/* Mass and inertia of the solid shape from def; none unless it is dynamic (a plane and a
 * mesh have no mass). */
void rigid_set_mass(struct pbd_collider *collider);
/* At the pose of def with these velocities. */
void rigid_place(struct pbd_collider *collider, const float velocity[3], const float spin[3]);
void rigid_begin_tick(const pbd_world *world, struct pbd_collider *collider);
/* Drag, gravity, free rotation: the predicted pose. */
void rigid_begin_substep(const pbd_world *world, struct pbd_collider *collider, double h);
/* Velocities from what the pushes did. */
void rigid_commit(struct pbd_collider *collider, double h);
/* Freezes what is not finite, clamps the speed, both with their event; float32 state from now. */
void rigid_end_tick(pbd_world *world, struct pbd_collider *collider);
/* The pose at a time 0…1 between the substep's start and substep_end. */
struct exact_pose rigid_pose_at(const struct pbd_collider *collider, double time);
/* Whether its way in this tick exceeds tick_shift or tick_turn, on which clearances rely;
 * then they are enlarged and the count of the way starts anew at the substep's start. */
bool rigid_outran(struct pbd_collider *collider);

#endif
