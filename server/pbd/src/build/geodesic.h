/* Distances within a cloth at rest, from a set of its particles.
 *
 * Ways are the edges and, across each inner edge, the straight line between the opposite
 * corners where both triangles are laid flat, if it runs through them. Edges alone would
 * measure up to 1.41 times too long on a grid; with these it is at most 1.08, in the mean 1.03,
 * and never too short. */
#ifndef PBD_BUILD_GEODESIC_H
#define PBD_BUILD_GEODESIC_H

#include "build/fabric.h"

struct geodesic_way {
    uint32_t to;
    float length; /* m */
};

struct geodesic {
    uint32_t particle_count;
    uint32_t *first; /* per particle, and one more: its ways */
    struct geodesic_way *ways;
    /* of the last search */
    double *distance;  /* per particle, m; infinity where it has not come to */
    uint32_t *nearest; /* the one of the set that it is measured from */
    uint32_t *found;   /* those that it has come to, nearest first */
    uint32_t found_count;
    /* scratch: a heap of particles, and where each is in it */
    uint32_t *heap, *place;
    uint32_t heap_count;
};

/* PBD_OUT_OF_MEMORY: *geodesic holds nothing. */
int geodesic_create(const pbd_fabric *fabric, struct geodesic *geodesic);
void geodesic_destroy(struct geodesic *geodesic);

/* Distances from the nearest of the particles in the set (Dijkstra); equal ones from the one
 * that the search reaches first, always the same. Particles and ways beyond at which the
 * distance is not below limit, m (per particle, or NULL), are left out. */
void geodesic_search(struct geodesic *geodesic, const uint32_t *set, uint32_t count, const double *limit);

#endif
