/* Stretch constraints of a cloth: one sweep per iteration. */
#ifndef PBD_SOLVE_STRETCH_H
#define PBD_SOLVE_STRETCH_H

#include "solve/kernels.h"

/* At a tick's start: the forces of this tick are summed from 0. */
void stretch_begin_tick(struct pbd_cloth *cloth);
/* Iteration 0 starts with λ = 0. Methods pbd and xpbd. */
void stretch_project(const pbd_world *world, struct pbd_cloth *cloth, float h, int iteration);
/* Tension = −λ/h², mean over the substeps; NaN unless xpbd. */
void stretch_end_tick(const pbd_world *world, struct pbd_cloth *cloth, float h, int substeps);

#endif
