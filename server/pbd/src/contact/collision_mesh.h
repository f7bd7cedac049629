/* A collision mesh from inside: its features, their neighbours and normals, and queries.
 *
 * *Points* are the welded vertices, *edges* the unique ones, *triangles* those with area,
 * in the order of the tree's leaves. All in the mesh's own frame, in double. */
#ifndef PBD_CONTACT_COLLISION_MESH_H
#define PBD_CONTACT_COLLISION_MESH_H

#include <pbd/collision_mesh.h>

#include <stdatomic.h>

#include "contact/bvh.h"
#include "contact/pose.h"

#define MESH_NONE UINT32_MAX

struct mesh_triangle {
    uint32_t point[3];
    uint32_t edge[3]; /* edge[k] joins point[k] and point[(k + 1) % 3] */
    /* Each point and edge is owned by the first triangle that has it: bit k: point[k],
     * bit 3 + k: edge[k]. Walks over triangles so meet each of them once. */
    uint32_t owns;
    struct vec3 normal; /* unit; by the winding: outward where the mesh is closed */
};

struct mesh_edge {
    uint32_t point[2];    /* ascending */
    uint32_t triangle[2]; /* its first two; MESH_NONE where there is none */
};

struct pbd_collision_mesh {
    atomic_uint refs;
    struct pbd_collision_mesh_view view;
    float *positions;   /* view.positions */
    uint32_t *vertices; /* view.triangles */
    uint32_t point_count, edge_count, triangle_count;
    struct vec3 *points;
    /* Angle-weighted pseudo-normals (Bærentzen and Aanæs 2005), unit, or 0 where the
     * triangles' normals cancel. They tell inside from outside where the mesh is closed. */
    struct vec3 *point_normals;
    struct mesh_edge *edges;
    uint32_t *point_edge_start; /* per point and one more: where its edges begin in */
    uint32_t *point_edges;
    struct mesh_triangle *triangles;
    struct bvh bvh; /* over triangles; its items are 0, 1, 2 …: leaves are runs of triangles */
    double bound;   /* m, of the point that is farthest from the local origin */
};

/* The unit sum of the normals of its triangles, or 0 where they cancel. */
struct vec3 collision_mesh_edge_normal(const pbd_collision_mesh *mesh, uint32_t edge);
struct bvh_box collision_mesh_triangle_box(const pbd_collision_mesh *mesh, uint32_t triangle);

/* Features whose box meets the range, in a fixed order, each once. Returns how many there
 * are; writes at most capacity. out may be NULL when capacity is 0. */
uint32_t collision_mesh_find_triangles(const pbd_collision_mesh *mesh, const struct bvh_range *range,
                                       uint32_t *out, uint32_t capacity);
uint32_t collision_mesh_find_edges(const pbd_collision_mesh *mesh, const struct bvh_range *range,
                                   uint32_t *out, uint32_t capacity);
uint32_t collision_mesh_find_points(const pbd_collision_mesh *mesh, const struct bvh_range *range,
                                    uint32_t *out, uint32_t capacity);

/* Which part of a triangle a point of it belongs to. */
enum mesh_region { MESH_FACE, MESH_EDGE, MESH_POINT };

struct mesh_closest {
    uint32_t triangle; /* MESH_NONE: none within the limit */
    struct vec3 point; /* on it */
    double distance;   /* m, ≥ 0; where there is none: the limit */
    enum mesh_region region;
    uint32_t corner; /* k of edge[k] or point[k] */
};

/* The point of one triangle that is nearest to `from`. */
struct mesh_closest collision_mesh_closest_on(const pbd_collision_mesh *mesh, uint32_t triangle,
                                              struct vec3 from);
/* The nearest of all triangles, if nearer than limit (m); of equally near ones the lowest. */
struct mesh_closest collision_mesh_closest(const pbd_collision_mesh *mesh, struct vec3 from, double limit);
/* The pseudo-normal at a closest point. */
struct vec3 collision_mesh_normal_at(const pbd_collision_mesh *mesh, const struct mesh_closest *closest);

#endif
