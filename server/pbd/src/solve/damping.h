/* Prediction of a substep: forces, P07's damping, p = x + h·v (physics.md §3, [5]–[7]). */
#ifndef PBD_SOLVE_DAMPING_H
#define PBD_SOLVE_DAMPING_H

#include "solve/kernels.h"

/* The rigid motion nearest to the free particles' velocities, from their moments
 * (P07 §3.5: x_cm, v_cm, L, I, ω = I⁻¹L; a pseudo-inverse where I is singular: a line
 * or a point has no spin about itself). k as given. */
struct rigid_motion damping_rigid_motion(const struct moments *moments, float k);

/* v from gravity, drag and damping, then u. */
void damping_predict(const pbd_world *world, struct pbd_cloth *cloth, float h);

#endif
