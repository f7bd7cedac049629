/* Warp and weft: in cloth that has rows (a grid) stretch may have another compliance across
 * the rows than along them.
 *
 * An edge between two vertices of a row is warp, one within a column weft, every other one (a
 * diagonal) has the mean of both compliances. Method xpbd alone. */
#ifndef PBD_SOLVE_WEAVE_H
#define PBD_SOLVE_WEAVE_H

#include "world/world_internal.h"

/* Before settings are taken over: what they need. PBD_NO_ROWS, PBD_OUT_OF_MEMORY. */
int weave_prepare(struct pbd_cloth *cloth, const struct pbd_cloth_settings *settings);
void weave_destroy(struct pbd_cloth *cloth);

/* compliance/h² of every stretch constraint in execution order, valid until the next call;
 * NULL where all have the same. */
const float *weave_alphas(const pbd_world *world, struct pbd_cloth *cloth, float h);

#endif
