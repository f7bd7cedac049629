/* The grid: vertices row by row, two triangles a cell. */
#include "scene/mesh_grid.h"

#include <assert.h>
#include <stdlib.h>

static void place_vertices(uint32_t nx, uint32_t ny, double width, double height, float *out) {
    for (uint32_t j = 0; j < ny; ++j)
        for (uint32_t i = 0; i < nx; ++i) {
            *out++ = (float)(width * ((double)i / (nx - 1) - 0.5));
            *out++ = 0.0f;
            *out++ = (float)(height * ((double)j / (ny - 1) - 0.5));
        }
}

/*   a─b   i →
 *   │╲│   j ↓   wound so that the normals are +y
 *   c─d */
static uint32_t *cut_cell(uint32_t a, uint32_t nx, bool backward, uint32_t *out) {
    uint32_t b = a + 1, c = a + nx, d = c + 1;
    const uint32_t forward_cut[6] = {a, c, d, a, d, b}, backward_cut[6] = {a, c, b, b, c, d};
    for (int k = 0; k < 6; ++k)
        *out++ = backward ? backward_cut[k] : forward_cut[k];
    return out;
}

int mesh_grid_create(uint32_t nx, uint32_t ny, double width, double height, bool alternate,
                     struct mesh_data *mesh) {
    assert(nx >= 2 && ny >= 2);
    size_t vertices = (size_t)nx * ny, faces = 2 * (size_t)(nx - 1) * (ny - 1);
    if (vertices > UINT32_MAX / 8) return PBD_OUT_OF_MEMORY;
    struct mesh_data made = {.vertex_count = (uint32_t)vertices,
                             .face_count = (uint32_t)faces,
                             .corner_count = 3 * faces,
                             .cols = nx};
    made.positions = malloc(3 * vertices * sizeof *made.positions);
    made.face_vertices = malloc(3 * faces * sizeof *made.face_vertices);
    if (made.positions == NULL || made.face_vertices == NULL) {
        mesh_data_free(&made);
        return PBD_OUT_OF_MEMORY;
    }
    place_vertices(nx, ny, width, height, made.positions);
    uint32_t *out = made.face_vertices;
    for (uint32_t j = 0; j + 1 < ny; ++j)
        for (uint32_t i = 0; i + 1 < nx; ++i)
            out = cut_cell(j * nx + i, nx, alternate && (i + j) % 2 != 0, out);
    *mesh = made;
    return PBD_OK;
}
