/* Particle loops of a substep: prediction, the moments and the change of P07's damping,
 * and the commit that keeps positions exact (physics.md §1).
 *
 * The commit's two-sum: X' = fl(X + u) and e' = (X + u) − X' without any error, so that
 * what rounding takes from a position is not lost but waits for the next substep. */
#include "solve/kernel_isa.h"

#include <float.h>

#define TINY_SPEED 1e-20f
#define LANES 16u
#define BLOCK 256u

KERNEL_INLINE float without_tiny(float v) {
    return __builtin_fabsf(v) < TINY_SPEED ? 0.0f : v;
}

KERNEL_INLINE void kick_one(float *v, bool free, float factor, float kick) {
    float slowed = factor * *v;
    float kicked = slowed + kick;
    *v = free ? kicked : slowed;
}

void KERNEL(integrate_predict)(const struct cloth_state *s, const struct cloth_scratch *t, uint32_t n,
                               struct kick kick, float h) {
    const float *restrict w = s->w;
    const float *e[3] = {s->ex, s->ey, s->ez};
    float *v[3] = {s->vx, s->vy, s->vz}, *u[3] = {t->ux, t->uy, t->uz};
    const float g[3] = {kick.x, kick.y, kick.z};
    for (int axis = 0; axis < 3; ++axis) {
        const float *restrict from = e[axis];
        float *restrict speed = v[axis], *restrict to = u[axis];
        const float add = g[axis], factor = kick.factor;
        INDEPENDENT
        for (uint32_t i = 0; i < n; ++i) {
            bool free = w[i] > 0.0f;
            float now = speed[i];
            kick_one(&now, free, factor, add);
            float moved = from[i] + h * now;
            speed[i] = now;
            to[i] = free ? moved : from[i];
        }
    }
}

/* One row of 16 particles into 16 partial sums per moment. */
KERNEL_INLINE void add_row(float partial[MOMENT_COUNT][LANES], const float *const position[3],
                           const float *const velocity[3], const float *w, const float *mass,
                           const struct moments *m) {
    const float *restrict px = position[0], *restrict py = position[1], *restrict pz = position[2];
    const float *restrict qx = velocity[0], *restrict qy = velocity[1], *restrict qz = velocity[2];
    const float cx = m->reference[0], cy = m->reference[1], cz = m->reference[2];
    const float dx = m->reference_velocity[0], dy = m->reference_velocity[1], dz = m->reference_velocity[2];
    INDEPENDENT
    for (uint32_t i = 0; i < LANES; ++i) {
        bool free = w[i] > 0.0f;
        float k = free ? mass[i] : 0.0f;
        float x = px[i] - cx, y = py[i] - cy, z = pz[i] - cz;
        float vx = qx[i] - dx, vy = qy[i] - dy, vz = qz[i] - dz;
        x = free ? x : 0.0f;
        y = free ? y : 0.0f;
        z = free ? z : 0.0f;
        vx = free ? vx : 0.0f;
        vy = free ? vy : 0.0f;
        vz = free ? vz : 0.0f;
        float kx = k * x, ky = k * y, kz = k * z;
        partial[MOMENT_MASS][i] += k;
        partial[MOMENT_X][i] += kx;
        partial[MOMENT_Y][i] += ky;
        partial[MOMENT_Z][i] += kz;
        partial[MOMENT_VX][i] += k * vx;
        partial[MOMENT_VY][i] += k * vy;
        partial[MOMENT_VZ][i] += k * vz;
        partial[MOMENT_LX][i] += ky * vz - kz * vy;
        partial[MOMENT_LY][i] += kz * vx - kx * vz;
        partial[MOMENT_LZ][i] += kx * vy - ky * vx;
        partial[MOMENT_XX][i] += kx * x;
        partial[MOMENT_YY][i] += ky * y;
        partial[MOMENT_ZZ][i] += kz * z;
        partial[MOMENT_XY][i] += kx * y;
        partial[MOMENT_YZ][i] += ky * z;
        partial[MOMENT_ZX][i] += kz * x;
    }
}

KERNEL_INLINE float combine(float partial[LANES]) {
    for (uint32_t half = LANES / 2; half > 0; half /= 2)
        for (uint32_t i = 0; i < half; ++i)
            partial[i] += partial[i + half];
    return partial[0];
}

void KERNEL(integrate_moments)(const struct cloth_state *s, const float *mass, uint32_t n, struct kick kick,
                               struct moments *m) {
    float *v[3] = {s->vx, s->vy, s->vz};
    const float g[3] = {kick.x, kick.y, kick.z};
    for (int k = 0; k < MOMENT_COUNT; ++k)
        m->sum[k] = 0.0;
    for (uint32_t block = 0; block < n; block += BLOCK) {
        uint32_t end = n - block < BLOCK ? n : block + BLOCK;
        for (int axis = 0; axis < 3; ++axis) {
            float *restrict speed = v[axis];
            const float *restrict w = s->w;
            const float add = g[axis], factor = kick.factor;
            INDEPENDENT
            for (uint32_t i = block; i < end; ++i)
                kick_one(&speed[i], w[i] > 0.0f, factor, add);
        }
        float partial[MOMENT_COUNT][LANES] = {{0}};
        for (uint32_t i = block; i < end; i += LANES) {
            const float *position[3] = {s->x + i, s->y + i, s->z + i};
            const float *velocity[3] = {s->vx + i, s->vy + i, s->vz + i};
            add_row(partial, position, velocity, s->w + i, mass + i, m);
        }
        for (int k = 0; k < MOMENT_COUNT; ++k)
            m->sum[k] += (double)combine(partial[k]);
    }
}

void KERNEL(integrate_damp)(const struct cloth_state *s, const struct cloth_scratch *t, uint32_t n,
                            const struct rigid_motion *rigid, float h) {
    const float *restrict x = s->x, *restrict y = s->y, *restrict z = s->z, *restrict w = s->w;
    const float *restrict ex = s->ex, *restrict ey = s->ey, *restrict ez = s->ez;
    float *restrict vx = s->vx, *restrict vy = s->vy, *restrict vz = s->vz;
    float *restrict ux = t->ux, *restrict uy = t->uy, *restrict uz = t->uz;
    const float cx = rigid->center[0], cy = rigid->center[1], cz = rigid->center[2];
    const float lx = rigid->velocity[0], ly = rigid->velocity[1], lz = rigid->velocity[2];
    const float ox = rigid->spin[0], oy = rigid->spin[1], oz = rigid->spin[2], k = rigid->k;
    INDEPENDENT
    for (uint32_t i = 0; i < n; ++i) {
        bool free = w[i] > 0.0f;
        float rx = x[i] - cx, ry = y[i] - cy, rz = z[i] - cz;
        float nx = vx[i] + k * (lx + (oy * rz - oz * ry) - vx[i]);
        float ny = vy[i] + k * (ly + (oz * rx - ox * rz) - vy[i]);
        float nz = vz[i] + k * (lz + (ox * ry - oy * rx) - vz[i]);
        float px = ex[i] + h * nx, py = ey[i] + h * ny, pz = ez[i] + h * nz;
        vx[i] = free ? nx : vx[i];
        vy[i] = free ? ny : vy[i];
        vz[i] = free ? nz : vz[i];
        ux[i] = free ? px : ex[i];
        uy[i] = free ? py : ey[i];
        uz[i] = free ? pz : ez[i];
    }
}

void KERNEL(integrate_commit)(const struct cloth_state *s, const struct cloth_scratch *t, uint32_t n,
                              float inverse_h) {
    float *base[3] = {s->x, s->y, s->z}, *rest[3] = {s->ex, s->ey, s->ez}, *v[3] = {s->vx, s->vy, s->vz};
    const float *u[3] = {t->ux, t->uy, t->uz};
    for (int axis = 0; axis < 3; ++axis) {
        float *restrict x = base[axis], *restrict e = rest[axis], *restrict speed = v[axis];
        const float *restrict moved = u[axis];
        INDEPENDENT
        for (uint32_t i = 0; i < n; ++i) {
            speed[i] = without_tiny((moved[i] - e[i]) * inverse_h);
            float sum = x[i] + moved[i];
            float part = sum - x[i];
            e[i] = (x[i] - (sum - part)) + (moved[i] - part);
            x[i] = sum;
        }
    }
}

struct extent KERNEL(integrate_extent)(const struct cloth_state *s, uint32_t n) {
    float coordinate[LANES] = {0}, speed[LANES] = {0};
    uint32_t wrong[LANES] = {0};
    for (uint32_t block = 0; block < n; block += LANES) {
        const float *restrict x = s->x + block, *restrict y = s->y + block, *restrict z = s->z + block;
        const float *restrict vx = s->vx + block, *restrict vy = s->vy + block, *restrict vz = s->vz + block;
        const float *restrict w = s->w + block;
        INDEPENDENT
        for (uint32_t i = 0; i < LANES; ++i) {
            float ax = __builtin_fabsf(x[i]), ay = __builtin_fabsf(y[i]), az = __builtin_fabsf(z[i]);
            float largest = ax > ay ? ax : ay;
            largest = largest > az ? largest : az;
            float square = vx[i] * vx[i] + vy[i] * vy[i] + vz[i] * vz[i];
            square = w[i] > 0.0f ? square : 0.0f;
            coordinate[i] = largest > coordinate[i] ? largest : coordinate[i];
            speed[i] = square > speed[i] ? square : speed[i];
            /* x − x is 0 for every finite x and no number for others. */
            float zero = (x[i] - x[i]) + (y[i] - y[i]) + (z[i] - z[i]) + (vx[i] - vx[i]) + (vy[i] - vy[i]) +
                         (vz[i] - vz[i]);
            wrong[i] |= zero == 0.0f ? 0u : 1u;
        }
    }
    struct extent extent = {.finite = true};
    for (uint32_t i = 0; i < LANES; ++i) {
        extent.coordinate = coordinate[i] > extent.coordinate ? coordinate[i] : extent.coordinate;
        extent.speed_square = speed[i] > extent.speed_square ? speed[i] : extent.speed_square;
        extent.finite = extent.finite && wrong[i] == 0;
    }
    return extent;
}
