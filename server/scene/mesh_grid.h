/* A rectangular sheet. */
#ifndef SCENE_MESH_GRID_H
#define SCENE_MESH_GRID_H

#include "scene/mesh_data.h"

/* In the xz plane, centred, facing +y; vertex j·nx+i at (w(i/(nx−1)−½), 0, h(j/(ny−1)−½)).
 * nx, ny ≥ 2. Every cell is cut from (i,j) to (i+1,j+1); `alternate`: cells with odd
 * i+j the other way. PBD_OUT_OF_MEMORY. */
int mesh_grid_create(uint32_t nx, uint32_t ny, double width, double height, bool alternate,
                     struct mesh_data *mesh);

#endif
