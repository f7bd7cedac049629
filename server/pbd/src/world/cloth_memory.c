/* The memory of one cloth: two blocks, cut into arrays.
 *
 * Arrays of one length lie 5 cache lines further apart than that length. Without the
 * gap all streams of a kernel would share their low 12 address bits wherever the
 * length is a multiple of 4 KiB (a 128×128 sheet), fall into one cache set and evict
 * each other. */
#include "world/world_internal.h"

#include <stdlib.h>
#include <string.h>

#define LINE_FLOATS 16u
#define GAP_LINES 5u

float *aligned_floats(size_t count) {
    if (count > SIZE_MAX / sizeof(float) - LINE_FLOATS) return NULL;
    size_t padded = (count + LINE_FLOATS - 1) / LINE_FLOATS * LINE_FLOATS;
    if (padded == 0) padded = LINE_FLOATS;
    float *block = aligned_alloc(64, padded * sizeof(float));
    if (block != NULL) memset(block, 0, padded * sizeof(float));
    return block;
}

/* Array lengths so that the next array starts on another cache set. */
static size_t stride_of(size_t count) {
    size_t lines = (count + LINE_FLOATS - 1) / LINE_FLOATS;
    return (lines + GAP_LINES) * LINE_FLOATS;
}

/* Cuts a block of equally long arrays. */
static void cut(float *block, size_t stride, float **arrays[], size_t count) {
    for (size_t i = 0; i < count; ++i)
        *arrays[i] = block + i * stride;
}

int cloth_memory_create(struct pbd_cloth *cloth) {
    const pbd_fabric *fabric = cloth->fabric;
    struct cloth_state *s = &cloth->state;
    struct cloth_scratch *t = &cloth->scratch;
    float **state[] = {&s->x,  &s->y,  &s->z, &s->ex, &s->ey, &s->ez, &s->vx,
                       &s->vy, &s->vz, &s->w, &s->qx, &s->qy, &s->qz};
    float **particle[] = {&t->ux,        &t->uy,        &t->uz,        &t->backup[0], &t->backup[1],
                          &t->backup[2], &t->backup[3], &t->backup[4], &t->backup[5]};
    /* Of the two methods' own arrays only one kind is in use in any tick, and each is
     * filled anew before it is read: they share their place. */
    float **jacobi[] = {&t->sx, &t->sy, &t->sz, &t->scale};
    float **lambda[] = {&t->stretch_lambda};
    float **bend[] = {&t->bend_lambda};
    float **sum[] = {&t->stretch_lambda_sum};
    size_t state_count = sizeof state / sizeof state[0],
           particle_count = sizeof particle / sizeof particle[0];
    size_t particles = stride_of(fabric->padded_count);
    size_t stretches = stride_of(fabric->stretch.count), bends = stride_of(fabric->bend.count);
    float *state_block = aligned_floats(state_count * particles);
    size_t shared = stretches + bends > 4 * particles ? stretches + bends : 4 * particles;
    float *scratch_block = aligned_floats(particle_count * particles + stretches + shared);
    if (state_block == NULL || scratch_block == NULL) {
        free(state_block);
        free(scratch_block);
        return PBD_OUT_OF_MEMORY;
    }
    cut(state_block, particles, state, state_count);
    cut(scratch_block, particles, particle, particle_count);
    float *rest = scratch_block + particle_count * particles;
    cut(rest, stretches, sum, 1);
    cut(rest + stretches, particles, jacobi, 4);
    cut(rest + stretches, stretches, lambda, 1);
    cut(rest + 2 * stretches, bends, bend, 1);
    cloth->state_block = state_block;
    cloth->scratch_block = scratch_block;
    cloth->state_floats = state_count * particles;
    return PBD_OK;
}

void cloth_memory_destroy(struct pbd_cloth *cloth) {
    free(cloth->state_block);
    free(cloth->scratch_block);
    cloth->state_block = cloth->scratch_block = NULL;
}
