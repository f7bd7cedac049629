/* The triangles of a cloth as the kernels of wind and pressure read them.
 *
 * Each starts with its lowest particle; they are sorted so that many fall into *runs*:
 * triangle k of a run has the particles a0+k, b0+k, c0+k. Unlike constraints of a run,
 * triangles share particles, so what they add to them is added in a fixed order: TRIANGLE_LANES
 * triangles at a time, first at all their a, then at all b, then at all c; a run, and the
 * singles behind all runs, start a group anew. */
#ifndef PBD_SOLVE_TRIANGLE_SET_H
#define PBD_SOLVE_TRIANGLE_SET_H

#include <stdint.h>

#define TRIANGLE_LANES 16u

struct pbd_cloth;

struct triangle_run {
    uint32_t first, count;
    uint32_t a, b, c; /* particles of triangle first */
};

struct triangle_set {
    uint32_t count, run_count;
    uint32_t first_single; /* all triangles from here on */
    struct triangle_run *runs;
    uint32_t *a, *b, *c;
    /* 1/kg: of three times the least that a corner has of its mass for this triangle, which is
     * the triangle's mass where density is the same all over; 0 where a corner has none. */
    float *inverse_mass;
};

/* Makes cloth->triangles unless they are there; zero-area ones at rest are left out.
 * PBD_OUT_OF_MEMORY: still without. */
int triangle_set_require(struct pbd_cloth *cloth);
void triangle_set_destroy(struct pbd_cloth *cloth);

#endif
