/* G103's averaging (physics.md §4, method jacobi) in displacements.
 *
 * An end's target is the edge's midpoint ± L/2 along it. Taken relative to where the
 * end is, that is c = ½(L/|d| − 1)·d, so the homework's
 *   x_new = (ω·x + Σ targets)/(ω + n)   becomes   x_new = x + Σ c/(ω + n),
 * which is the same number without the large terms. */
#include "solve/kernel_isa.h"

#define TINY_SPEED 1e-20f

void KERNEL(jacobi_predict)(const struct cloth_state *s, const struct cloth_scratch *t, uint32_t n,
                            struct kick kick, float dt) {
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
            float now = (speed[i] + add) * factor;
            float moved = from[i] + dt * now;
            speed[i] = free ? now : speed[i];
            to[i] = free ? moved : from[i];
        }
    }
}

struct correction {
    float x, y, z;
};

/* Of end a; that of end b is its opposite. */
KERNEL_INLINE struct correction correct(float dx, float dy, float dz, float rest) {
    float length = __builtin_sqrtf(dx * dx + dy * dy + dz * dz);
    bool live = length > 0.0f;
    float c = 0.5f * (rest - length) / (live ? length : 1.0f);
    c = live ? c : 0.0f;
    return (struct correction){c * dx, c * dy, c * dz};
}

KERNEL_INLINE void gather_lanes(const struct jacobi_pass *pass, uint32_t first, uint32_t a, uint32_t b,
                                uint32_t lanes, uint32_t active) {
    const float *restrict xa = pass->x + a, *restrict xb = pass->x + b;
    const float *restrict ya = pass->y + a, *restrict yb = pass->y + b;
    const float *restrict za = pass->z + a, *restrict zb = pass->z + b;
    const float *restrict uxa = pass->ux + a, *restrict uxb = pass->ux + b;
    const float *restrict uya = pass->uy + a, *restrict uyb = pass->uy + b;
    const float *restrict uza = pass->uz + a, *restrict uzb = pass->uz + b;
    float *restrict sxa = pass->sx + a, *restrict sxb = pass->sx + b;
    float *restrict sya = pass->sy + a, *restrict syb = pass->sy + b;
    float *restrict sza = pass->sz + a, *restrict szb = pass->sz + b;
    const float *restrict rest = pass->rest + first;
    INDEPENDENT
    for (uint32_t i = 0; i < lanes; ++i) {
        if (i >= active) continue;
        struct correction c =
            correct((xa[i] - xb[i]) + (uxa[i] - uxb[i]), (ya[i] - yb[i]) + (uya[i] - uyb[i]),
                    (za[i] - zb[i]) + (uza[i] - uzb[i]), rest[i]);
        sxa[i] = sxa[i] + c.x;
        sya[i] = sya[i] + c.y;
        sza[i] = sza[i] + c.z;
        sxb[i] = sxb[i] - c.x;
        syb[i] = syb[i] - c.y;
        szb[i] = szb[i] - c.z;
    }
}

KERNEL_INLINE void gather_run(const struct jacobi_pass *pass, struct stretch_run run) {
#define LANES(at, lanes, active)                                                                             \
    gather_lanes(pass, run.first + (at), run.a + (at), run.b + (at), lanes, active)
    IN_LANES(run.count, LANES);
#undef LANES
}

void KERNEL(jacobi_gather)(const struct jacobi_pass *pass, const struct stretch_set *set) {
    for (uint32_t c = 0; c < set->color_count; ++c) {
        struct fabric_color color = set->colors[c];
        for (uint32_t r = color.first_run; r < color.first_run + color.run_count; ++r)
            gather_run(pass, set->runs[r]);
        for (uint32_t i = color.first_single; i < color.first_single + color.single_count; ++i)
            gather_lanes(pass, i, set->a[i], set->b[i], 1, 1);
    }
}

void KERNEL(jacobi_apply)(const struct cloth_state *s, const struct cloth_scratch *t, uint32_t n,
                          float inverse_dt) {
    float *v[3] = {s->vx, s->vy, s->vz}, *u[3] = {t->ux, t->uy, t->uz}, *sums[3] = {t->sx, t->sy, t->sz};
    const float *restrict w = s->w, *restrict scale = t->scale;
    for (int axis = 0; axis < 3; ++axis) {
        float *restrict speed = v[axis], *restrict to = u[axis], *restrict sum = sums[axis];
        INDEPENDENT
        for (uint32_t i = 0; i < n; ++i) {
            float step = scale[i] * sum[i];
            step = w[i] > 0.0f ? step : 0.0f;
            to[i] += step;
            speed[i] += step * inverse_dt;
            sum[i] = 0.0f;
        }
    }
}

void KERNEL(jacobi_commit)(const struct cloth_state *s, const struct cloth_scratch *t, uint32_t n) {
    float *base[3] = {s->x, s->y, s->z}, *rest[3] = {s->ex, s->ey, s->ez}, *v[3] = {s->vx, s->vy, s->vz};
    const float *u[3] = {t->ux, t->uy, t->uz};
    for (int axis = 0; axis < 3; ++axis) {
        float *restrict x = base[axis], *restrict e = rest[axis], *restrict speed = v[axis];
        const float *restrict moved = u[axis];
        INDEPENDENT
        for (uint32_t i = 0; i < n; ++i) {
            speed[i] = __builtin_fabsf(speed[i]) < TINY_SPEED ? 0.0f : speed[i];
            float sum = x[i] + moved[i];
            float part = sum - x[i];
            e[i] = (x[i] - (sum - part)) + (moved[i] - part);
            x[i] = sum;
        }
    }
}
