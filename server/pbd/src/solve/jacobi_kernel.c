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

KERNEL_INLINE void gather_run(const struct jacobi_pass *pass, struct stretch_run run) {
    const float *restrict xa = pass->x + run.a, *restrict xb = pass->x + run.b;
    const float *restrict ya = pass->y + run.a, *restrict yb = pass->y + run.b;
    const float *restrict za = pass->z + run.a, *restrict zb = pass->z + run.b;
    const float *restrict uxa = pass->ux + run.a, *restrict uxb = pass->ux + run.b;
    const float *restrict uya = pass->uy + run.a, *restrict uyb = pass->uy + run.b;
    const float *restrict uza = pass->uz + run.a, *restrict uzb = pass->uz + run.b;
    float *restrict sxa = pass->sx + run.a, *restrict sxb = pass->sx + run.b;
    float *restrict sya = pass->sy + run.a, *restrict syb = pass->sy + run.b;
    float *restrict sza = pass->sz + run.a, *restrict szb = pass->sz + run.b;
    const float *restrict rest = pass->rest + run.first;
    INDEPENDENT
    for (uint32_t i = 0; i < run.count; ++i) {
        float dx = (xa[i] - xb[i]) + (uxa[i] - uxb[i]);
        float dy = (ya[i] - yb[i]) + (uya[i] - uyb[i]);
        float dz = (za[i] - zb[i]) + (uza[i] - uzb[i]);
        float length = __builtin_sqrtf(dx * dx + dy * dy + dz * dz);
        bool live = length > 0.0f;
        float c = 0.5f * (rest[i] - length) / (live ? length : 1.0f);
        c = live ? c : 0.0f;
        sxa[i] += c * dx;
        sya[i] += c * dy;
        sza[i] += c * dz;
        sxb[i] -= c * dx;
        syb[i] -= c * dy;
        szb[i] -= c * dz;
    }
}

void KERNEL(jacobi_gather)(const struct jacobi_pass *pass, const struct stretch_set *set) {
    for (uint32_t c = 0; c < set->color_count; ++c) {
        struct fabric_color color = set->colors[c];
        for (uint32_t r = color.first_run; r < color.first_run + color.run_count; ++r)
            gather_run(pass, set->runs[r]);
        /* A single is a run of one. */
        for (uint32_t i = color.first_single; i < color.first_single + color.single_count; ++i)
            gather_run(pass, (struct stretch_run){.first = i, .count = 1, .a = set->a[i], .b = set->b[i]});
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
