/* Grabs: points that draw a particle, each by three XPBD constraints C = p − target of one
 * compliance α, one an axis (X16 18): Δλ = −(C + α̃λ)/(w + α̃), so at rest it pulls with
 * |C|/α whatever the direction. The same in the methods `pbd` and `xpbd`; inactive in `jacobi`.
 *
 * A target moves linearly over the substeps. A move that comes within 0.2 s of the one
 * before takes as long as it was waited for, others one tick: a hand that is sampled
 * ten times a second is followed without jerks, a tenth of a second behind. */
#ifndef PBD_SOLVE_GRAB_H
#define PBD_SOLVE_GRAB_H

#include "world/world_internal.h"

/* Where every grab draws in substep `index` of `count`; λ = 0. */
void grabs_begin_substep(pbd_world *world, int index, int count);
/* One projection of all grabs in the order of adding. */
void grabs_project(pbd_world *world, float h);
void grabs_end_tick(pbd_world *world);

/* Whether any grab holds the cloth. */
bool grabs_hold(const pbd_world *world, pbd_cloth_id cloth);
/* Before the cloth goes. */
void grabs_drop_cloth(pbd_world *world, pbd_cloth_id cloth);

#endif
