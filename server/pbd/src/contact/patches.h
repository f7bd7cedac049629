/* A cloth's surface in patches: compact, connected pieces of some thirty triangles (or a
 * piece of rope), the unit in which contact between cloths thinks.
 *
 * Particles of one patch move much alike, so how far two patches can have come closer is
 * known without looking at their features; and a patch whose triangles all look one way
 * cannot touch itself or the patch it hangs together with.
 *
 * Every edge and every particle that has an edge is owned by one patch; a patch also names
 * all particles that its features end in. Lists are ascending and follow from the fabric. */
#ifndef PBD_CONTACT_PATCHES_H
#define PBD_CONTACT_PATCHES_H

#include <stdbool.h>

#include "build/fabric.h"

#define PATCH_TRIANGLES_MAX 48u
#define PATCH_EDGES_MAX (3u * PATCH_TRIANGLES_MAX)
#define PATCH_VERTICES_MAX (3u * PATCH_TRIANGLES_MAX)

/* Items of patch p: at[first[p]] … at[first[p+1]−1], or as many groups. */
struct patch_list {
    uint32_t *first, *at;
};

struct cloth_patches {
    uint32_t count;
    struct patch_list corners;    /* all particles of its features */
    struct patch_list vertices;   /* owned */
    struct patch_list edges;      /* owned; two particles each */
    struct patch_list triangles;  /* three particles each */
    unsigned char *borders;       /* per triangle there: bit k: the side across from corner k is a border */
    struct patch_list neighbours; /* patches that share a particle with it */
    bool *by_edge;                /* per entry of neighbours: they share two or more */
    float *altitude;              /* m, least of its triangles at rest; 0: has none */
};

/* triangles: 3 particles each. PBD_OUT_OF_MEMORY. */
int patches_create(const pbd_fabric *fabric, const uint32_t *triangles, uint32_t triangle_count,
                   struct cloth_patches *patches);
void patches_destroy(struct cloth_patches *patches);

static inline uint32_t patch_size(const struct patch_list *list, uint32_t patch) {
    return list->first[patch + 1] - list->first[patch];
}
/* 0: a and b have no particle in common, 1: one, 2: more. */
int patches_joint(const struct cloth_patches *patches, uint32_t a, uint32_t b);

#endif
