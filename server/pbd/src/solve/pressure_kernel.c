/* Volume of closed surfaces: C = Σ (p1×p2)·p3 − pressure·V0 (P07 §4.4, eq. 15–16).
 *
 *   ∇_p1 of a triangle = p2×p3, and round. The sum is of degree 3: Σ_i p_i·∇_i = 3 times itself,
 *   so that one pass over the triangles gives the gradient and, over particles, the value. */
#include "solve/kernel_isa.h"

#define BLOCK 256u

/* Positions of a group's corners; corner k of triangle i at [k][axis][i]. */
struct group {
    const float *x[3][3], *u[3][3];
};

KERNEL_INLINE float place_of(const struct group *g, const struct pressure_pass *pass, int corner, int axis,
                             uint32_t i) {
    return (g->x[corner][axis][i] - pass->centre[axis]) + g->u[corner][axis][i];
}

struct vector {
    float x, y, z;
};

KERNEL_INLINE struct vector cross(struct vector a, struct vector b) {
    return (struct vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/* of[corner][axis][i]: what triangle i adds to the corner's gradient. */
KERNEL_INLINE void find_gradients(const struct pressure_pass *pass, const struct group *g, uint32_t count,
                                  float of[3][3][TRIANGLE_LANES]) {
    const struct pressure_pass local = *pass;
    INDEPENDENT
    for (uint32_t i = 0; i < count; ++i) {
        struct vector a = {place_of(g, &local, 0, 0, i), place_of(g, &local, 0, 1, i),
                           place_of(g, &local, 0, 2, i)};
        struct vector b = {place_of(g, &local, 1, 0, i), place_of(g, &local, 1, 1, i),
                           place_of(g, &local, 1, 2, i)};
        struct vector c = {place_of(g, &local, 2, 0, i), place_of(g, &local, 2, 1, i),
                           place_of(g, &local, 2, 2, i)};
        struct vector at_a = cross(b, c), at_b = cross(c, a), at_c = cross(a, b);
        of[0][0][i] = at_a.x;
        of[0][1][i] = at_a.y;
        of[0][2][i] = at_a.z;
        of[1][0][i] = at_b.x;
        of[1][1][i] = at_b.y;
        of[1][2][i] = at_b.z;
        of[2][0][i] = at_c.x;
        of[2][1][i] = at_c.y;
        of[2][2][i] = at_c.z;
    }
}

KERNEL_INLINE void add_group(const struct pressure_pass *pass, const uint32_t p[3], uint32_t count) {
    float of[3][3][TRIANGLE_LANES];
    struct group g;
    for (int c = 0; c < 3; ++c)
        for (int k = 0; k < 3; ++k) {
            g.x[c][k] = pass->x[k] + p[c];
            g.u[c][k] = pass->u[k] + p[c];
        }
    find_gradients(pass, &g, count, of);
    for (int c = 0; c < 3; ++c)
        for (int k = 0; k < 3; ++k) {
            float *restrict to = pass->g[k] + p[c];
            const float *restrict from = of[c][k];
            INDEPENDENT_SHORT
            for (uint32_t i = 0; i < count; ++i)
                to[i] += from[i];
        }
}

KERNEL_INLINE void add_singles(const struct pressure_pass *pass, const struct triangle_set *set,
                               uint32_t first, uint32_t count) {
    float x[3][3][TRIANGLE_LANES], u[3][3][TRIANGLE_LANES], of[3][3][TRIANGLE_LANES];
    const uint32_t *corners[3] = {set->a + first, set->b + first, set->c + first};
    struct group g;
    for (int c = 0; c < 3; ++c)
        for (int k = 0; k < 3; ++k) {
            for (uint32_t i = 0; i < count; ++i) {
                x[c][k][i] = pass->x[k][corners[c][i]];
                u[c][k][i] = pass->u[k][corners[c][i]];
            }
            g.x[c][k] = x[c][k];
            g.u[c][k] = u[c][k];
        }
    find_gradients(pass, &g, count, of);
    for (int c = 0; c < 3; ++c)
        for (uint32_t i = 0; i < count; ++i)
            for (int k = 0; k < 3; ++k)
                pass->g[k][corners[c][i]] += of[c][k][i];
}

void KERNEL(pressure_gradient)(const struct pressure_pass *pass, const struct triangle_set *set) {
#define RUN(first, p, count) add_group(pass, p, count)
#define SINGLES(first, count) add_singles(pass, set, first, count)
    IN_TRIANGLE_GROUPS(set, RUN, SINGLES);
#undef RUN
#undef SINGLES
}

KERNEL_INLINE float combine(float partial[WIDE_LANES]) {
    for (uint32_t half = WIDE_LANES / 2; half > 0; half /= 2)
        for (uint32_t i = 0; i < half; ++i)
            partial[i] += partial[i + half];
    return partial[0];
}

/* What particle p adds to lane i. Where w = 0 the position still counts, the weight not. */
KERNEL_INLINE void add_particle(const struct pressure_pass *pass, uint32_t p, float *moment, float *weight) {
    float gx = pass->g[0][p], gy = pass->g[1][p], gz = pass->g[2][p], w = pass->w[p];
    float x = (pass->x[0][p] - pass->centre[0]) + pass->u[0][p];
    float y = (pass->x[1][p] - pass->centre[1]) + pass->u[1][p];
    float z = (pass->x[2][p] - pass->centre[2]) + pass->u[2][p];
    /* Padding has g = 0, but lies where it lies. */
    float along = x * gx + y * gy + z * gz, square = gx * gx + gy * gy + gz * gz;
    *moment += square > 0.0f ? along : 0.0f;
    *weight += w > 0.0f ? w * square : 0.0f;
}

struct pressure_sums KERNEL(pressure_sum)(const struct pressure_pass *pass, const uint32_t *particles,
                                          uint32_t count) {
    struct pressure_sums sums = {0.0, 0.0};
    for (uint32_t block = 0; block < count; block += BLOCK) {
        uint32_t end = count - block < BLOCK ? count : block + BLOCK;
        float moment[WIDE_LANES] = {0}, weight[WIDE_LANES] = {0};
        uint32_t row = block;
        for (; row + WIDE_LANES <= end; row += WIDE_LANES) {
            for (uint32_t i = 0; i < WIDE_LANES; ++i)
                add_particle(pass, particles != NULL ? particles[row + i] : row + i, &moment[i], &weight[i]);
        }
        for (uint32_t i = 0; row + i < end; ++i)
            add_particle(pass, particles != NULL ? particles[row + i] : row + i, &moment[i], &weight[i]);
        sums.moment += (double)combine(moment);
        sums.weight += (double)combine(weight);
    }
    return sums;
}

void KERNEL(pressure_apply)(const struct pressure_pass *pass, const uint32_t *particles, uint32_t count,
                            float s) {
    const float *restrict w = pass->w;
    for (int k = 0; k < 3; ++k) {
        float *restrict u = pass->u[k];
        const float *restrict g = pass->g[k];
        for (uint32_t i = 0; i < count; ++i) {
            uint32_t p = particles != NULL ? particles[i] : i;
            float moved = u[p] - s * w[p] * g[p];
            u[p] = w[p] > 0.0f ? moved : u[p];
        }
    }
}

void KERNEL(pressure_unspin)(const struct pressure_pass *pass, uint32_t n, const struct rigid_motion *rigid) {
    const float *restrict x = pass->x[0], *restrict y = pass->x[1], *restrict z = pass->x[2];
    const float *restrict w = pass->w;
    float *restrict ux = pass->u[0], *restrict uy = pass->u[1], *restrict uz = pass->u[2];
    const float cx = rigid->center[0], cy = rigid->center[1], cz = rigid->center[2];
    const float sx = rigid->spin[0], sy = rigid->spin[1], sz = rigid->spin[2];
    INDEPENDENT
    for (uint32_t i = 0; i < n; ++i) {
        float dx = x[i] - cx, dy = y[i] - cy, dz = z[i] - cz;
        bool free = w[i] > 0.0f;
        float px = ux[i] - (sy * dz - sz * dy);
        float py = uy[i] - (sz * dx - sx * dz);
        float pz = uz[i] - (sx * dy - sy * dx);
        ux[i] = free ? px : ux[i];
        uy[i] = free ? py : uy[i];
        uz[i] = free ? pz : uz[i];
    }
}
