/* A mesh as a reader found it, before the import gate: the user's vertices in the
 * user's order, faces of any size. */
#ifndef SCENE_MESH_DATA_H
#define SCENE_MESH_DATA_H

#include <pbd/mesh.h>

struct mesh_data {
    float *positions; /* 3 per vertex */
    uint32_t vertex_count;
    uint32_t *face_sizes;    /* corners per face, or NULL: all triangles */
    uint32_t *face_vertices; /* all corners, one face after the other */
    uint32_t face_count;
    size_t corner_count;
    uint32_t cols; /* a grid's row length, 0 = none */
};

void mesh_data_free(struct mesh_data *mesh);

/* Sets *refusal: cause, line (0 = none) and one sentence. Bytes of the message that are
 * not printable ASCII become '?', since files may hold anything. */
__attribute__((format(printf, 4, 5))) void mesh_refuse(struct pbd_mesh_refusal *refusal,
                                                       enum pbd_mesh_cause cause, uint32_t line,
                                                       const char *format, ...);

#endif
