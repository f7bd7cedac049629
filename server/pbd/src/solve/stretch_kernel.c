/* Distance constraints: C = |p1 − p2| − l0 (P07 eq. 10–11, X16 eq. 18).
 *
 *   Δλ = −(C + α̃λ)/(w1 + w2 + α̃)     Δp1 = w1·Δλ·d/|d|,  d = p1 − p2
 *
 * One division serves both: s = (k·C + α̃λ)/((w1 + w2 + α̃)·|d|), so Δp1 = −w1·s·d and
 * Δλ = −s·|d|. On current CPUs square root and division are what such a kernel costs.
 * A zero length has no direction: nothing is projected.
 *
 * What few cloths want (a factor on C < 0, a compliance for each constraint) is in
 * instances of their own, so that the others do not pay for it. */
#include "solve/kernel_isa.h"

struct projection {
    float sa, sb;     /* w·s of either end */
    float dx, dy, dz; /* p1 − p2 */
    float change;     /* −Δλ */
};

/* What a sweep has beside the plain constraints: constant where the instances are made. */
struct flavour {
    bool fresh;       /* λ begins as 0 */
    bool with_lambda; /* it is kept */
    bool with_sum;
    bool squeezed; /* pass.compression counts */
    bool woven;    /* pass.alphas counts */
};

/* d from the two differences of base and displacement; wanted without α̃λ. */
KERNEL_INLINE struct projection project(float dx, float dy, float dz, float wa, float wb, float rest,
                                        float stiffness, float alpha, float lambda, bool squeezed,
                                        float compression) {
    float length = __builtin_sqrtf(dx * dx + dy * dy + dz * dz);
    float error = length - rest;
    if (squeezed) error = error < 0.0f ? compression * error : error;
    float wanted = stiffness * error + alpha * lambda;
    float divisor = (wa + wb + alpha) * length;
    bool live = divisor > 0.0f;
    float s = wanted / (live ? divisor : 1.0f);
    s = live ? s : 0.0f;
    float sa = wa * s, sb = wb * s;
    sa = wa > 0.0f ? sa : 0.0f;
    sb = wb > 0.0f ? sb : 0.0f;
    return (struct projection){sa, sb, dx, dy, dz, s * length};
}

/* Constraints first+i join particles a+i and b+i, i < lanes and i < active. */
KERNEL_INLINE void project_lanes(const struct stretch_pass *pass, uint32_t first, uint32_t a, uint32_t b,
                                 uint32_t lanes, uint32_t active, struct flavour f) {
    const float *restrict xa = pass->x + a, *restrict xb = pass->x + b;
    const float *restrict ya = pass->y + a, *restrict yb = pass->y + b;
    const float *restrict za = pass->z + a, *restrict zb = pass->z + b;
    const float *restrict wa = pass->w + a, *restrict wb = pass->w + b;
    float *restrict uxa = pass->ux + a, *restrict uxb = pass->ux + b;
    float *restrict uya = pass->uy + a, *restrict uyb = pass->uy + b;
    float *restrict uza = pass->uz + a, *restrict uzb = pass->uz + b;
    const float *restrict rest = pass->rest + first;
    float *restrict lambda = f.with_lambda ? pass->lambda + first : NULL;
    float *restrict sum = f.with_sum ? pass->sum + first : NULL;
    const float *restrict alphas = f.woven ? pass->alphas + first : NULL;
    const float stiffness = pass->stiffness, alpha = pass->alpha, compression = pass->compression;
    INDEPENDENT
    for (uint32_t i = 0; i < lanes; ++i) {
        if (i >= active) continue;
        float old = f.fresh ? 0.0f : lambda[i];
        struct projection p =
            project((xa[i] - xb[i]) + (uxa[i] - uxb[i]), (ya[i] - yb[i]) + (uya[i] - uyb[i]),
                    (za[i] - zb[i]) + (uza[i] - uzb[i]), wa[i], wb[i], rest[i], stiffness,
                    f.woven ? alphas[i] : alpha, old, f.squeezed, compression);
        uxa[i] -= p.sa * p.dx;
        uya[i] -= p.sa * p.dy;
        uza[i] -= p.sa * p.dz;
        uxb[i] += p.sb * p.dx;
        uyb[i] += p.sb * p.dy;
        uzb[i] += p.sb * p.dz;
        if (f.with_lambda) lambda[i] = old - p.change;
        if (f.with_sum) sum[i] -= p.change;
    }
}

KERNEL_INLINE void project_run(const struct stretch_pass *pass, uint32_t first, uint32_t count, uint32_t a,
                               uint32_t b, struct flavour f) {
#define LANES(at, lanes, active) project_lanes(pass, first + (at), a + (at), b + (at), lanes, active, f)
    IN_LANES(count, LANES);
#undef LANES
}

KERNEL_INLINE void project_single(const struct stretch_pass *pass, uint32_t i, uint32_t j, uint32_t k,
                                  struct flavour f) {
    const float *x = pass->x, *y = pass->y, *z = pass->z, *w = pass->w;
    float *ux = pass->ux, *uy = pass->uy, *uz = pass->uz;
    float old = f.fresh ? 0.0f : pass->lambda[i];
    struct projection p =
        project((x[j] - x[k]) + (ux[j] - ux[k]), (y[j] - y[k]) + (uy[j] - uy[k]),
                (z[j] - z[k]) + (uz[j] - uz[k]), w[j], w[k], pass->rest[i], pass->stiffness,
                f.woven ? pass->alphas[i] : pass->alpha, old, f.squeezed, pass->compression);
    ux[j] -= p.sa * p.dx;
    uy[j] -= p.sa * p.dy;
    uz[j] -= p.sa * p.dz;
    ux[k] += p.sb * p.dx;
    uy[k] += p.sb * p.dy;
    uz[k] += p.sb * p.dz;
    if (f.with_lambda) pass->lambda[i] = old - p.change;
    if (f.with_sum) pass->sum[i] -= p.change;
}

/* Constraints first … first+count−1 join particles a[i] and b[i]: 16 at a time are
 * fetched side by side, projected as a run and put back. */
KERNEL_INLINE void project_singles(const struct stretch_pass *pass, uint32_t first, uint32_t count,
                                   const uint32_t *a, const uint32_t *b, struct flavour f) {
    uint32_t done = 0;
    for (; done + WIDE_LANES <= count; done += WIDE_LANES) {
        struct gathered all;
        const uint32_t *ends[2] = {a + first + done, b + first + done};
        gather(&all, 2, ends, pass->x, pass->y, pass->z, pass->w, pass->ux, pass->uy, pass->uz);
        struct stretch_pass near = *pass;
        near.x = all.x;
        near.y = all.y;
        near.z = all.z;
        near.w = all.w;
        near.ux = all.ux;
        near.uy = all.uy;
        near.uz = all.uz;
        near.rest += first + done;
        if (f.with_lambda) near.lambda += first + done;
        if (f.with_sum) near.sum += first + done;
        if (f.woven) near.alphas += first + done;
        project_lanes(&near, 0, 0, WIDE_LANES, WIDE_LANES, WIDE_LANES, f);
        scatter(&all, 2, ends, pass->ux, pass->uy, pass->uz);
    }
    for (uint32_t i = first + done; i < first + count; ++i)
        project_single(pass, i, a[i], b[i], f);
}

KERNEL_INLINE void sweep(const struct stretch_pass *pass, const struct stretch_set *set, struct flavour f) {
    for (uint32_t c = 0; c < set->color_count; ++c) {
        struct fabric_color color = set->colors[c];
        for (uint32_t r = color.first_run; r < color.first_run + color.run_count; ++r) {
            struct stretch_run run = set->runs[r];
            project_run(pass, run.first, run.count, run.a, run.b, f);
        }
        project_singles(pass, color.first_single, color.single_count, set->a, set->b, f);
    }
}

/* Between the opposite vertices of hinges. */
KERNEL_INLINE void sweep_hinges(const struct stretch_pass *pass, const struct bend_set *set,
                                struct flavour f) {
    for (uint32_t c = 0; c < set->color_count; ++c) {
        struct fabric_color color = set->colors[c];
        for (uint32_t r = color.first_run; r < color.first_run + color.run_count; ++r) {
            struct bend_run run = set->runs[r];
            project_run(pass, run.first, run.count, run.p[2], run.p[3], f);
        }
        project_singles(pass, color.first_single, color.single_count, set->p[2], set->p[3], f);
    }
}

/* The instance that the pass asks for. */
KERNEL_INLINE void sweep_as(const struct stretch_pass *pass, const struct stretch_set *set, bool fresh,
                            bool with_lambda) {
    if (pass->alphas != NULL)
        sweep(pass, set, (struct flavour){fresh, with_lambda, true, true, true});
    else if (pass->compression < 1.0f)
        sweep(pass, set, (struct flavour){fresh, with_lambda, true, true, false});
    else
        sweep(pass, set, (struct flavour){fresh, with_lambda, true, false, false});
}

void KERNEL(stretch_first)(const struct stretch_pass *pass, const struct stretch_set *set) {
    if (pass->lambda != NULL)
        sweep_as(pass, set, true, true);
    else
        sweep_as(pass, set, true, false);
}

void KERNEL(stretch_next)(const struct stretch_pass *pass, const struct stretch_set *set) {
    sweep_as(pass, set, false, true);
}

void KERNEL(stretch_hinges_first)(const struct stretch_pass *pass, const struct bend_set *set) {
    if (pass->lambda != NULL)
        sweep_hinges(pass, set, (struct flavour){true, true, false, false, false});
    else
        sweep_hinges(pass, set, (struct flavour){true, false, false, false, false});
}

void KERNEL(stretch_hinges_next)(const struct stretch_pass *pass, const struct bend_set *set) {
    sweep_hinges(pass, set, (struct flavour){false, true, false, false, false});
}
