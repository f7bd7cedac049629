/* The recipe of a mesh collider: triangles made ready to be collided with.
 *
 * Immutable after it was made, counted, shared by colliders, worlds and snapshots,
 * usable from any thread. Memory is proportional to the triangles (about 170 bytes each);
 * nothing but max_vertices limits their number.
 *
 * A closed mesh (every edge has two triangles, orientable) is solid: what is inside is
 * pushed out. Its winding is made consistent, and outward when the enclosed volume comes
 * out negative, so a closed shell is never a container: leave a face out for that. Any
 * other mesh is a surface without thickness that collides from both sides. */
#ifndef PBD_COLLISION_MESH_H
#define PBD_COLLISION_MESH_H

#include <pbd/mesh.h>

struct pbd_collision_mesh_def {
    const float *positions; /* 3 per vertex, m, the collider's local frame */
    uint32_t vertex_count;
    const uint32_t *face_sizes;    /* corners per face, or NULL: all triangles */
    const uint32_t *face_vertices; /* all faces' corners, one after the other */
    uint32_t face_count;
    float weld; /* × bounding-box diagonal (1e-6): vertices closer than that share edges; 0 = off */
    uint32_t max_vertices; /* limit (500 000) */
};
struct pbd_collision_mesh_def pbd_default_collision_mesh_def(void);

/* Builds the recipe. Returns PBD_OK, PBD_OUT_OF_MEMORY or PBD_MESH_REFUSED (then *refusal,
 * which may be NULL, says why in the user's indices and *mesh is untouched): no vertices,
 * no triangles with area (no_faces), non-finite, index out of range, a face of fewer than
 * three corners, over a limit. Degenerate and duplicate triangles are left out and
 * counted; edges of more than two triangles are accepted (the mesh is then not closed).
 * Any thread. The caller owns one reference to *mesh. */
int pbd_collision_mesh_create(const struct pbd_collision_mesh_def *def, pbd_collision_mesh **mesh,
                              struct pbd_mesh_refusal *refusal);

pbd_collision_mesh *pbd_collision_mesh_ref(pbd_collision_mesh *mesh);
/* NULL is allowed. */
void pbd_collision_mesh_unref(pbd_collision_mesh *mesh);

/* Valid as long as a reference is held. */
struct pbd_collision_mesh_view {
    uint32_t vertex_count; /* as given */
    uint32_t triangle_count;
    const float *positions;    /* 3 per vertex, as given, m */
    const uint32_t *triangles; /* 3 vertex indices each, in the order given, without those left out */
    float min[3], max[3];      /* bounding box, m */
    bool closed;
    uint32_t welded, degenerate, duplicate, flipped; /* vertices, triangles */
};
struct pbd_collision_mesh_view pbd_collision_mesh_get_view(const pbd_collision_mesh *mesh);

#endif
