/* Wind: lift and drag of every triangle (physics.md §7), and the gusts in it.
 *
 * The gusts are a field in space that the wind carries along (Taylor's frozen turbulence):
 * two layers of noise (solve/gust_kernel.c), of gust_size carried at the wind's speed and of
 * half that size and strength carried at half the speed, so that what drifts with the wind
 * feels gusts, too. Each component's rms is turbulence·|velocity|. They are taken once a
 * tick, at the particles, as of the tick's middle. They depend on where, on how far the wind
 * has come since the world's start and on the seed, not on what else the world holds. */
#ifndef PBD_SOLVE_AERO_H
#define PBD_SOLVE_AERO_H

#include "world/world_internal.h"

/* Whether wind acts on the cloth with the present settings; never in jacobi. */
bool aero_acts(const pbd_world *world, const struct pbd_cloth *cloth);
/* m/s: the fastest that the air moves, gusts included; 0 where none acts on the cloth. */
double aero_speed(const pbd_world *world, const struct pbd_cloth *cloth);

/* The tick's gusts for a cloth on which wind acts. The first time it takes memory; without
 * it the air stands still for that cloth. */
void aero_begin_tick(const pbd_world *world, struct pbd_cloth *cloth);
/* v of free particles gains what the wind gives in a substep of length h. Overwrites u. */
void aero_kick(const pbd_world *world, struct pbd_cloth *cloth, float h);
/* Carries the gusts on by a tick. */
void aero_end_tick(pbd_world *world);

void aero_destroy(struct pbd_cloth *cloth);

#endif
