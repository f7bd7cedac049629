/* Method jacobi: GAMES103's homework 2, one tick (physics.md §4). */
#ifndef PBD_SOLVE_JACOBI_H
#define PBD_SOLVE_JACOBI_H

#include "solve/kernels.h"

/* v += g·dt, v *= velocity_factor, x += v·dt for free particles. */
void jacobi_predict(const pbd_world *world, struct pbd_cloth *cloth);
/* All passes over the edges. */
void jacobi_project(const pbd_world *world, struct pbd_cloth *cloth);

#endif
