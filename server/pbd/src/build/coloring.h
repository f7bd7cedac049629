/* Constraints to colours and runs: the execution order of a constraint set. */
#ifndef PBD_BUILD_COLORING_H
#define PBD_BUILD_COLORING_H

#include "build/fabric.h"

struct coloring_run {
    uint32_t first, count;
    uint32_t p[4]; /* particles of constraint first */
};

struct coloring {
    uint32_t *order; /* per place in the execution order: the constraint given */
    uint32_t color_count, run_count;
    struct fabric_color *colors;
    struct coloring_run *runs;
};

/* particles[k][i], k < arity (2 or 4): the particles of constraint i, all different.
 * PBD_OK or PBD_OUT_OF_MEMORY; the result is freed by coloring_destroy. */
int coloring_create(const uint32_t *const particles[4], uint32_t arity, uint32_t count,
                    uint32_t particle_count, struct coloring *coloring);
void coloring_destroy(struct coloring *coloring);

#endif
