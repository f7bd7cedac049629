/* A path through all particles on which neighbours in the mesh are near. */
#ifndef PBD_BUILD_LEVEL_ORDER_H
#define PBD_BUILD_LEVEL_ORDER_H

#include "build/build.h"

/* base[p] = place of particle p. PBD_OK or PBD_OUT_OF_MEMORY. */
int order_by_levels(const struct mesh_build *build, uint32_t *base);

#endif
