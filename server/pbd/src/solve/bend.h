/* Bending constraints of a cloth: one sweep per iteration, dihedral or distance. */
#ifndef PBD_SOLVE_BEND_H
#define PBD_SOLVE_BEND_H

#include "solve/kernels.h"

/* Iteration 0 starts with λ = 0. Methods pbd and xpbd. */
void bend_project(const pbd_world *world, struct pbd_cloth *cloth, float h, int iteration);
/* Whether any bending constraint acts with the present settings. */
bool bend_is_on(const pbd_world *world, const struct pbd_cloth *cloth);

#endif
