/* Lift and drag of a cloth's triangles in the wind (physics.md §7).
 *
 * With N = e1×e2 (twice the area along the normal), u the wind relative to the triangle
 * and c = |n̂·û|: A_eff = |N·u|/(2|u|), so that
 *
 *   k = ½ρ|u|·A_eff = ½ρ·|N·u|/2
 *   F = k·(C_d·u + C_l·(|u|·n̂ − c·u)) / (1 + h·k·(C_d + C_l)/m)
 *
 * since (û×n̂)×û = n̂ − c·û. n̂ is turned so that n̂·û ≥ 0. */
#include "solve/kernel_isa.h"

struct force {
    float x, y, z;
};

/* A third of the triangle's force. */
KERNEL_INLINE struct force third_of_force(const float e1[3], const float e2[3], const float u[3],
                                          float inverse_mass, const struct aero_pass *pass) {
    float nx = e1[1] * e2[2] - e1[2] * e2[1];
    float ny = e1[2] * e2[0] - e1[0] * e2[2];
    float nz = e1[0] * e2[1] - e1[1] * e2[0];
    float along = nx * u[0] + ny * u[1] + nz * u[2];
    float size = __builtin_sqrtf(nx * nx + ny * ny + nz * nz);
    float speed = __builtin_sqrtf(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    float both = size * speed, faced = __builtin_fabsf(along);
    bool live = both > 0.0f && inverse_mass > 0.0f;
    float inverse = 1.0f / (live ? both : 1.0f);
    float cosine = faced * inverse;
    float k = 0.5f * pass->half_density * faced;
    float limit = 1.0f + pass->h * k * (pass->drag + pass->lift) * inverse_mass;
    float third = k / (3.0f * limit);
    float with = third * (pass->drag - pass->lift * cosine);
    float across = third * pass->lift * (speed * speed * inverse);
    across = along < 0.0f ? -across : across;
    float x = with * u[0] + across * nx, y = with * u[1] + across * ny, z = with * u[2] + across * nz;
    return (struct force){live ? x : 0.0f, live ? y : 0.0f, live ? z : 0.0f};
}

/* Positions, residuals and velocities of `count` ≤ TRIANGLE_LANES triangles' corners, corner
 * k of triangle i at entry 16·k + i, and the forces that are found. */
struct group {
    const float *x[3][3], *e[3][3], *v[3][3]; /* [corner][axis] */
    const float *inverse_mass;
};

/* From corner 0 to another. */
KERNEL_INLINE float edge_of(const struct group *g, int corner, int axis, uint32_t i) {
    return (g->x[corner][axis][i] - g->x[0][axis][i]) + (g->e[corner][axis][i] - g->e[0][axis][i]);
}

KERNEL_INLINE float speed_of(const struct group *g, int axis, uint32_t i) {
    return (g->v[0][axis][i] + g->v[1][axis][i] + g->v[2][axis][i]) * (1.0f / 3.0f);
}

KERNEL_INLINE void find_forces(const struct aero_pass *pass, const struct group *g, uint32_t count,
                               float *restrict fx, float *restrict fy, float *restrict fz) {
    const float wx = pass->wind[0], wy = pass->wind[1], wz = pass->wind[2];
    const struct aero_pass local = *pass;
    INDEPENDENT
    for (uint32_t i = 0; i < count; ++i) {
        float e1[3] = {edge_of(g, 1, 0, i), edge_of(g, 1, 1, i), edge_of(g, 1, 2, i)};
        float e2[3] = {edge_of(g, 2, 0, i), edge_of(g, 2, 1, i), edge_of(g, 2, 2, i)};
        float u[3] = {wx - speed_of(g, 0, i), wy - speed_of(g, 1, i), wz - speed_of(g, 2, i)};
        struct force f = third_of_force(e1, e2, u, g->inverse_mass[i], &local);
        fx[i] = f.x;
        fy[i] = f.y;
        fz[i] = f.z;
    }
}

/* Triangles first … first+count−1 of a run, whose first particles are p[]. */
KERNEL_INLINE void add_group(const struct aero_pass *pass, uint32_t first, const uint32_t p[3],
                             uint32_t count) {
    float f[3][TRIANGLE_LANES];
    struct group g = {.inverse_mass = pass->inverse_mass + first};
    for (int c = 0; c < 3; ++c)
        for (int k = 0; k < 3; ++k) {
            g.x[c][k] = pass->x[k] + p[c];
            g.e[c][k] = pass->e[k] + p[c];
            g.v[c][k] = pass->v[k] + p[c];
        }
    find_forces(pass, &g, count, f[0], f[1], f[2]);
    for (int c = 0; c < 3; ++c)
        for (int k = 0; k < 3; ++k) {
            float *restrict to = pass->f[k] + p[c];
            const float *restrict from = f[k];
            INDEPENDENT_SHORT
            for (uint32_t i = 0; i < count; ++i)
                to[i] += from[i];
        }
}

KERNEL_INLINE void add_singles(const struct aero_pass *pass, const struct triangle_set *set, uint32_t first,
                               uint32_t count) {
    float all[9][3][TRIANGLE_LANES], f[3][TRIANGLE_LANES];
    const uint32_t *corners[3] = {set->a + first, set->b + first, set->c + first};
    struct group g = {.inverse_mass = pass->inverse_mass + first};
    for (int c = 0; c < 3; ++c)
        for (int k = 0; k < 3; ++k) {
            float *x = all[3 * c][k], *e = all[3 * c + 1][k], *v = all[3 * c + 2][k];
            for (uint32_t i = 0; i < count; ++i) {
                uint32_t p = corners[c][i];
                x[i] = pass->x[k][p];
                e[i] = pass->e[k][p];
                v[i] = pass->v[k][p];
            }
            g.x[c][k] = x;
            g.e[c][k] = e;
            g.v[c][k] = v;
        }
    find_forces(pass, &g, count, f[0], f[1], f[2]);
    for (int c = 0; c < 3; ++c)
        for (uint32_t i = 0; i < count; ++i)
            for (int k = 0; k < 3; ++k)
                pass->f[k][corners[c][i]] += f[k][i];
}

void KERNEL(aero_forces)(const struct aero_pass *pass, const struct triangle_set *set) {
#define RUN(first, p, count) add_group(pass, first, p, count)
#define SINGLES(first, count) add_singles(pass, set, first, count)
    IN_TRIANGLE_GROUPS(set, RUN, SINGLES);
#undef RUN
#undef SINGLES
}

void KERNEL(aero_kick)(const struct cloth_state *s, const float *fx, const float *fy, const float *fz,
                       uint32_t n, float h) {
    const float *restrict w = s->w;
    const float *f[3] = {fx, fy, fz};
    float *v[3] = {s->vx, s->vy, s->vz};
    for (int k = 0; k < 3; ++k) {
        const float *restrict force = f[k];
        float *restrict speed = v[k];
        INDEPENDENT
        for (uint32_t i = 0; i < n; ++i) {
            float kicked = speed[i] + h * w[i] * force[i];
            speed[i] = w[i] > 0.0f ? kicked : speed[i];
        }
    }
}
