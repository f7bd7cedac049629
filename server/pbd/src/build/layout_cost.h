/* What a particle order would cost the kernels, estimated before any colouring. */
#ifndef PBD_BUILD_LAYOUT_COST_H
#define PBD_BUILD_LAYOUT_COST_H

#include "build/build.h"

/* The constraints among the first particles of a base path, in its numbers. */
struct layout_sample {
    uint32_t particle_count, edge_count;
    uint32_t *first;   /* per particle, and one more: its edges to higher ones */
    uint32_t *high;    /* per edge: the higher particle */
    uint32_t *low;     /* per edge: the lower one */
    uint32_t *wing[2]; /* per edge: opposite particles, wing[0] < wing[1]; UINT32_MAX: no hinge */
    uint32_t *length;  /* scratch: constraints so far in the chain that ends here */
    unsigned char *ended;
};

struct layout_cost {
    double cost;         /* in vector steps, of the sample */
    double run_fraction; /* of stretch constraints, before colouring */
};

/* base: per particle its place on the path. PBD_OK or PBD_OUT_OF_MEMORY. */
int layout_sample_create(const struct mesh_build *build, const uint32_t *base, struct layout_sample *sample);
void layout_sample_destroy(struct layout_sample *sample);

/* With the path dealt out to `planes` planes. */
struct layout_cost layout_cost_of(struct layout_sample *sample, uint32_t planes);

#endif
