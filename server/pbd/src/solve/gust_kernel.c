/* Gusts: noise on a lattice of whole numbers, smooth between them.
 *
 * At each lattice point a hash of its three numbers and the seed gives a vector of
 * components in [−1, 1]; in between they are blended with t²(3−2t), which has a
 * continuous slope. Whole-number and single IEEE operations alone: the same everywhere. */
#include "solve/kernel_isa.h"

#include <string.h>

/* Cells are whole numbers of 32 bits; so far away, where float32 knows no fractions anyway,
 * all is as in the first cell. */
#define FARTHEST 1e9f

/* Every bit of the result depends on every bit of the three (the finaliser of MurmurHash3). */
KERNEL_INLINE uint32_t hash_of(uint32_t x, uint32_t y, uint32_t z, uint32_t seed) {
    uint32_t h = seed ^ x * 0x8da6b343u ^ y * 0xd8163841u ^ z * 0xcb1ab31fu;
    h ^= h >> 16;
    h *= 0x85ebca6bu;
    h ^= h >> 13;
    h *= 0xc2b2ae35u;
    h ^= h >> 16;
    return h;
}

/* Ten of the bits as a number in [−1, 1]. */
KERNEL_INLINE float component_of(uint32_t hash, int which) {
    return (float)(int32_t)(hash >> (10 * which) & 1023u) * (2.0f / 1023.0f) - 1.0f;
}

KERNEL_INLINE float blend(float a, float b, float t) {
    return a + t * (b - a);
}

/* The hashes at the corners of a cell, x fastest. */
struct corner_hashes {
    uint32_t a, b, c, d, e, f, g, h;
};

/* One component of the noise within the cell. */
KERNEL_INLINE float noise_in(struct corner_hashes at, float tx, float ty, float tz, int which) {
    float low = blend(blend(component_of(at.a, which), component_of(at.b, which), tx),
                      blend(component_of(at.c, which), component_of(at.d, which), tx), ty);
    float high = blend(blend(component_of(at.e, which), component_of(at.f, which), tx),
                       blend(component_of(at.g, which), component_of(at.h, which), tx), ty);
    return blend(low, high, tz);
}

/* The lattice point below a coordinate, and the blending weight of the one above. */
KERNEL_INLINE int32_t cell_of(float x, float inverse_size, float fraction, float *weight) {
    float at = x * inverse_size + fraction;
    /* 0 beyond, by its bits: gcc 12 makes a branch of a select here, and then no vectors. */
    uint32_t bits;
    memcpy(&bits, &at, sizeof bits);
    bits &= 0u - (uint32_t)(__builtin_fabsf(at) < FARTHEST);
    memcpy(&at, &bits, sizeof at);
    int32_t cell = (int32_t)at;
    cell -= (int32_t)((float)cell > at);
    float t = at - (float)cell;
    *weight = t * t * (3.0f - 2.0f * t);
    return cell;
}

void KERNEL(gust_add)(const struct gust_pass *pass, uint32_t n) {
    const float *restrict x = pass->x[0], *restrict y = pass->x[1], *restrict z = pass->x[2];
    float *restrict gx = pass->gust[0], *restrict gy = pass->gust[1], *restrict gz = pass->gust[2];
    const struct gust_pass p = *pass;
    INDEPENDENT
    for (uint32_t i = 0; i < n; ++i) {
        float tx, ty, tz;
        uint32_t cx = p.cell[0] + (uint32_t)cell_of(x[i], p.inverse_size, p.fraction[0], &tx);
        uint32_t cy = p.cell[1] + (uint32_t)cell_of(y[i], p.inverse_size, p.fraction[1], &ty);
        uint32_t cz = p.cell[2] + (uint32_t)cell_of(z[i], p.inverse_size, p.fraction[2], &tz);
        struct corner_hashes hash = {
            hash_of(cx, cy, cz, p.seed),         hash_of(cx + 1, cy, cz, p.seed),
            hash_of(cx, cy + 1, cz, p.seed),     hash_of(cx + 1, cy + 1, cz, p.seed),
            hash_of(cx, cy, cz + 1, p.seed),     hash_of(cx + 1, cy, cz + 1, p.seed),
            hash_of(cx, cy + 1, cz + 1, p.seed), hash_of(cx + 1, cy + 1, cz + 1, p.seed)};
        gx[i] += p.strength * noise_in(hash, tx, ty, tz, 0);
        gy[i] += p.strength * noise_in(hash, tx, ty, tz, 1);
        gz[i] += p.strength * noise_in(hash, tx, ty, tz, 2);
    }
}

void KERNEL(gust_subtract)(const float *v, const float *gust, float *relative, uint32_t n) {
    const float *restrict from = v, *restrict less = gust;
    float *restrict to = relative;
    INDEPENDENT
    for (uint32_t i = 0; i < n; ++i)
        to[i] = from[i] - less[i];
}
