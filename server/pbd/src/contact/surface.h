/* What contact between features needs of a cloth beyond its fabric: the triangles that
 * have an area, by particle. Its edges are fabric->stretch.a and .b.
 *
 * Made when it is first needed, so that a cloth that meets nothing pays nothing. */
#ifndef PBD_CONTACT_SURFACE_H
#define PBD_CONTACT_SURFACE_H

#include "world/world_internal.h"

/* A particle as projections between features see it: X + u in double, so that nothing is
 * lost far from the origin, and its inverse mass. Four of them are four cache lines. */
struct surface_node {
    double x, y, z, w;
};

struct self_scratch;

struct cloth_surface {
    uint32_t triangle_count;
    uint32_t *triangles;        /* 3 particles each; zero-area ones at rest are left out */
    float shortest_edge;        /* m, at rest */
    struct surface_node *nodes; /* per particle, scratch; NULL until surface_require_nodes */
    struct self_scratch *self;  /* contact/self_internal.h; NULL until cloth may touch cloth */
};

/* Makes cloth->surface unless it is there. PBD_OUT_OF_MEMORY: still without. */
int surface_require(struct pbd_cloth *cloth);
/* The same, with nodes. */
int surface_require_nodes(struct pbd_cloth *cloth);
void surface_destroy(struct pbd_cloth *cloth);

/* Edges without any length at rest do not count. Infinity when there is none. */
float surface_shortest_edge(const pbd_fabric *fabric);
/* What contact between cloths keeps: thickness, or just below the shortest rest edge. */
float surface_thickness(const struct pbd_cloth *cloth);

#endif
