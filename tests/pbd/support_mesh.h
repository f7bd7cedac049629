/* Meshes for the tests of the import gate, as a user would send them. */
#ifndef TESTS_PBD_SUPPORT_MESH_H
#define TESTS_PBD_SUPPORT_MESH_H

#include "build/fabric.h"

struct mesh {
    float *positions;
    uint32_t vertex_count, triangle_count, cols;
    uint32_t *triangles; /* room for as many again as the maker put in, and 64 */
};

/* xz plane, centred; alternate: the diagonals form a checkerboard. */
struct mesh mesh_grid(uint32_t nx, uint32_t ny, float width, float height, bool alternate);
/* The same surface with vertices in a pseudo-random order and no rows. */
struct mesh mesh_shuffled(const struct mesh *mesh, uint32_t seed);
/* A tube of `around` × `along` quads; seam: the first column's vertices are repeated at the end of each row.
 */
struct mesh mesh_tube(uint32_t around, uint32_t along, bool seam);
/* A strip of `length` × `width` vertices whose ends are joined with half a turn. */
struct mesh mesh_moebius(uint32_t length, uint32_t width);
void mesh_add_triangle(struct mesh *mesh, uint32_t a, uint32_t b, uint32_t c);
void mesh_free(struct mesh *mesh);

struct pbd_mesh_def mesh_def(const struct mesh *mesh);
/* Imports or prints the refusal and ends the test program. */
pbd_fabric *mesh_import(const struct pbd_mesh_def *def);
/* Imports the mesh and frees it. */
pbd_fabric *mesh_into_fabric(struct mesh mesh);
/* Imports and expects the refusal. */
struct pbd_mesh_refusal mesh_refusal(const struct pbd_mesh_def *def);

/* Whether everything that the solver reads is the same, bit for bit. */
bool fabrics_equal(const pbd_fabric *a, const pbd_fabric *b);

#endif
