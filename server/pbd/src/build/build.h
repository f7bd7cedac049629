/* What the steps of an import share. One step a file, called in order by
 * mesh_import.c; every step reads what the earlier ones left here and adds its own.
 *
 * Until the particle order is chosen, a particle is numbered by its lowest vertex:
 * the k-th vertex that is the lowest of its particle is particle k. */
#ifndef PBD_BUILD_BUILD_H
#define PBD_BUILD_BUILD_H

#include "build/fabric.h"

/* One use of an edge by a triangle (corner = 3·triangle + k joins the triangle's
 * particles k and k+1) or, with corner NO_CORNER, by the user's edge list. */
#define NO_CORNER UINT32_MAX

struct mesh_build {
    const struct pbd_mesh_def *def;
    const float *rest; /* def's rest_positions or positions */
    struct pbd_mesh_refusal refusal;
    struct pbd_mesh_report report;

    /* mesh_check.c */
    double rest_min[3], rest_max[3];
    double diagonal; /* of the rest pose; 0 when all coincide */
    double rounding; /* how far a rest coordinate may be off: half an ulp of the largest */
    uint64_t corner_count;

    /* weld.c */
    uint32_t particle_count;
    uint32_t *vertex_particle; /* per vertex */
    uint32_t *particle_vertex; /* per particle: its lowest vertex */

    /* triangulate.c; winding.c may swap corners 1 and 2 of a triangle */
    uint32_t triangle_count;
    uint32_t *triangle_vertices;  /* 3 per triangle */
    uint32_t *triangle_particles; /* 3 per triangle */
    uint32_t *triangle_face;
    unsigned char *sound; /* 0: no area; drawn only */
    uint32_t left_out_count;
    uint32_t *left_out; /* 3 vertices per triangle that repeats a particle or another triangle */

    /* winding.c, per triangle: 1 where it swapped corners */
    unsigned char *turned;

    /* topology.c: unique edges sorted by (a, b), a < b */
    uint32_t edge_count, use_count;
    uint32_t *edge_a, *edge_b;
    uint32_t *edge_use; /* per edge, and one more: the first of its uses */
    uint32_t *use;      /* corners as they were before winding.c, edge by edge, ascending */
    uint32_t hinge_count;
    uint32_t *hinge_edge;
    uint32_t *wing[2]; /* per hinge: opposite particles, wing[0] < wing[1] */

    /* mass.c: kg per particle, 0 = isolated */
    double *mass;

    /* ordering.c, per particle */
    uint32_t *base;     /* its place on a path on which neighbours are near */
    uint32_t *position; /* its final index */
};

/* Zeroed array of count (+1) elements, or NULL. */
void *build_array(size_t count, size_t size);
void build_free(struct mesh_build *build);

/* Each returns PBD_OK, PBD_OUT_OF_MEMORY or PBD_MESH_REFUSED (build->refusal set). */
int check_mesh(struct mesh_build *build);
int weld_vertices(struct mesh_build *build);
int triangulate_faces(struct mesh_build *build);
int find_edges(struct mesh_build *build);
int check_manifold(struct mesh_build *build);
int make_winding_consistent(struct mesh_build *build);
int find_hinges(struct mesh_build *build);
int compute_masses(struct mesh_build *build);
int choose_order(struct mesh_build *build);
int assemble_fabric(const struct mesh_build *build, pbd_fabric **fabric);
/* For assemble_fabric: keeps in fabric->given what pbd_fabric_recipe tells. */
int keep_given(const struct mesh_build *build, struct pbd_fabric *fabric);
void free_given(struct fabric_given *given);

/* Sets cause and message; returns PBD_MESH_REFUSED. */
__attribute__((format(printf, 3, 4))) int refuse(struct mesh_build *build, enum pbd_mesh_cause cause,
                                                 const char *format, ...);
/* Counts an offending face or edge, and lists it while there is room. */
void refuse_face(struct mesh_build *build, const uint32_t *corners, uint32_t corner_count);
void refuse_edge(struct mesh_build *build, uint32_t a, uint32_t b);
__attribute__((format(printf, 2, 3))) void warn(struct mesh_build *build, const char *format, ...);

/* The rest position of a particle: that of its lowest vertex. */
static inline const float *particle_rest(const struct mesh_build *build, uint32_t particle) {
    return build->rest + 3 * (size_t)build->particle_vertex[particle];
}

#endif
