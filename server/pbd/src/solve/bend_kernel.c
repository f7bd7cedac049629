/* Dihedral bending: C = θ − θ0 with the signed angle of build/hinge.h, which is P07's
 * φ − φ0 where that is regular and is quiet where flat (physics.md §5).
 *
 *   g2 = −|e|·n1/|n1|²   g3 = −|e|·n2/|n2|²        t2, t3: feet of p2, p3 on the edge,
 *   g0 = −(1−t2)g2 − (1−t3)g3,  g1 = −t2·g2 − t3·g3   as fractions from p0 to p1
 *
 * Their sum is 0 and so is their moment: momentum is kept. A projection turns the hinge
 * by at most π/4. A wing is skipped when its height is below 1e-5 of the edge. */
#include "solve/kernel_isa.h"

#include "build/hinge.h"

#define TURN_MAX 0.78539816f
/* (height/edge)² */
#define FLAT_WING 1e-10f

struct vector {
    float x, y, z;
};

struct projection {
    struct vector move[4]; /* to be subtracted */
    float s;               /* −Δλ */
};

KERNEL_INLINE struct vector cross(struct vector a, struct vector b) {
    return (struct vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

KERNEL_INLINE float dot(struct vector a, struct vector b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/* −(p·a + q·b) */
KERNEL_INLINE struct vector minus_sum(float p, struct vector a, float q, struct vector b) {
    return (struct vector){-(p * a.x + q * b.x), -(p * a.y + q * b.y), -(p * a.z + q * b.z)};
}

/* A skipped wing's gradients may be infinite, and s·∞ is no number: blended twice. */
KERNEL_INLINE struct vector moved(float w, float s, struct vector g, bool live) {
    float f = w * s;
    f = w > 0.0f ? f : 0.0f;
    float x = f * g.x, y = f * g.y, z = f * g.z;
    return (struct vector){live ? x : 0.0f, live ? y : 0.0f, live ? z : 0.0f};
}

KERNEL_INLINE struct projection project(struct vector e, struct vector a, struct vector b, const float w[4],
                                        float rest, float stiffness, float alpha, float lambda) {
    struct vector n1 = cross(e, a), n2 = cross(b, e);
    float q1 = dot(n1, n1), q2 = dot(n2, n2), ee = dot(e, e);
    float flat = FLAT_WING * ee * ee;
    bool live = (q1 > flat) & (q2 > flat);
    float edge = __builtin_sqrtf(ee);
    float f2 = -edge / (live ? q1 : 1.0f), f3 = -edge / (live ? q2 : 1.0f);
    float per_square = 1.0f / (live ? ee : 1.0f);
    float t2 = dot(a, e) * per_square, t3 = dot(b, e) * per_square;
    struct vector g2 = {f2 * n1.x, f2 * n1.y, f2 * n1.z}, g3 = {f3 * n2.x, f3 * n2.y, f3 * n2.z};
    struct vector g0 = minus_sum(1.0f - t2, g2, 1.0f - t3, g3), g1 = minus_sum(t2, g2, t3, g3);
    float softness = w[0] * dot(g0, g0) + w[1] * dot(g1, g1) + w[2] * dot(g2, g2) + w[3] * dot(g3, g3);
    float angle = hinge_angle(e.x, e.y, e.z, a.x, a.y, a.z, b.x, b.y, b.z);
    float wanted = stiffness * (angle - rest) + alpha * lambda;
    float divisor = softness + alpha;
    /* It would turn by |wanted|·softness/divisor; beyond π/4 the turn itself is given. */
    bool beyond = __builtin_fabsf(wanted) * softness > TURN_MAX * divisor;
    float limited = __builtin_copysignf(TURN_MAX, wanted);
    float numerator = beyond ? limited : wanted;
    divisor = beyond ? softness : divisor;
    live = live & (softness > 0.0f);
    float s = numerator / (live ? divisor : 1.0f);
    s = live ? s : 0.0f;
    return (struct projection){{moved(w[0], s, g0, live), moved(w[1], s, g1, live), moved(w[2], s, g2, live),
                                moved(w[3], s, g3, live)},
                               s};
}

/* Constraints first+i join particles p0+i … p3+i, i < lanes and i < active. */
KERNEL_INLINE void project_lanes(const struct bend_pass *pass, uint32_t first, uint32_t p0, uint32_t p1,
                                 uint32_t p2, uint32_t p3, uint32_t lanes, uint32_t active, bool fresh,
                                 bool with_lambda) {
#define ARRAYS(k)                                                                                            \
    const float *restrict x##k = pass->x + p##k, *restrict y##k = pass->y + p##k;                            \
    const float *restrict z##k = pass->z + p##k, *restrict w##k = pass->w + p##k;                            \
    float *restrict ux##k = pass->ux + p##k, *restrict uy##k = pass->uy + p##k;                              \
    float *restrict uz##k = pass->uz + p##k;
#define FROM_0(k)                                                                                            \
    {(x##k[i] - x0[i]) + (ux##k[i] - ux0[i]), (y##k[i] - y0[i]) + (uy##k[i] - uy0[i]),                       \
     (z##k[i] - z0[i]) + (uz##k[i] - uz0[i])}
#define MOVE(k) ux##k[i] -= p.move[k].x, uy##k[i] -= p.move[k].y, uz##k[i] -= p.move[k].z
    ARRAYS(0)
    ARRAYS(1)
    ARRAYS(2)
    ARRAYS(3)
    const float *restrict rest = pass->rest_angle + first;
    float *restrict lambda = with_lambda ? pass->lambda + first : NULL;
    const float stiffness = pass->stiffness, alpha = pass->alpha;
    INDEPENDENT
    for (uint32_t i = 0; i < lanes; ++i) {
        if (i >= active) continue;
        struct vector e = FROM_0(1), a = FROM_0(2), b = FROM_0(3);
        const float w[4] = {w0[i], w1[i], w2[i], w3[i]};
        float old = fresh ? 0.0f : lambda[i];
        struct projection p = project(e, a, b, w, rest[i], stiffness, alpha, old);
        MOVE(0);
        MOVE(1);
        MOVE(2);
        MOVE(3);
        if (with_lambda) lambda[i] = old - p.s;
    }
#undef ARRAYS
#undef FROM_0
#undef MOVE
}

KERNEL_INLINE void project_run(const struct bend_pass *pass, struct bend_run run, bool fresh,
                               bool with_lambda) {
#define LANES(at, lanes, active)                                                                             \
    project_lanes(pass, run.first + (at), run.p[0] + (at), run.p[1] + (at), run.p[2] + (at),                 \
                  run.p[3] + (at), lanes, active, fresh, with_lambda)
    IN_LANES(run.count, LANES);
#undef LANES
}

KERNEL_INLINE struct vector between(const struct bend_pass *pass, uint32_t from, uint32_t to) {
    return (struct vector){(pass->x[to] - pass->x[from]) + (pass->ux[to] - pass->ux[from]),
                           (pass->y[to] - pass->y[from]) + (pass->uy[to] - pass->uy[from]),
                           (pass->z[to] - pass->z[from]) + (pass->uz[to] - pass->uz[from])};
}

KERNEL_INLINE void project_single(const struct bend_pass *pass, const struct bend_set *set, uint32_t i,
                                  bool fresh, bool with_lambda) {
    const uint32_t at[4] = {set->p[0][i], set->p[1][i], set->p[2][i], set->p[3][i]};
    const float w[4] = {pass->w[at[0]], pass->w[at[1]], pass->w[at[2]], pass->w[at[3]]};
    float old = fresh ? 0.0f : pass->lambda[i];
    struct projection p =
        project(between(pass, at[0], at[1]), between(pass, at[0], at[2]), between(pass, at[0], at[3]), w,
                pass->rest_angle[i], pass->stiffness, pass->alpha, old);
    for (int k = 0; k < 4; ++k) {
        pass->ux[at[k]] -= p.move[k].x;
        pass->uy[at[k]] -= p.move[k].y;
        pass->uz[at[k]] -= p.move[k].z;
    }
    if (with_lambda) pass->lambda[i] = old - p.s;
}

/* 16 at a time are fetched side by side, projected as a run and put back. */
KERNEL_INLINE void project_singles(const struct bend_pass *pass, const struct bend_set *set, uint32_t first,
                                   uint32_t count, bool fresh, bool with_lambda) {
    uint32_t done = 0;
    for (; done + WIDE_LANES <= count; done += WIDE_LANES) {
        uint32_t at = first + done;
        struct gathered all;
        const uint32_t *ends[4] = {set->p[0] + at, set->p[1] + at, set->p[2] + at, set->p[3] + at};
        gather(&all, 4, ends, pass->x, pass->y, pass->z, pass->w, pass->ux, pass->uy, pass->uz);
        struct bend_pass near = {.x = all.x,
                                 .y = all.y,
                                 .z = all.z,
                                 .w = all.w,
                                 .ux = all.ux,
                                 .uy = all.uy,
                                 .uz = all.uz,
                                 .rest_angle = pass->rest_angle + at,
                                 .lambda = with_lambda ? pass->lambda + at : NULL,
                                 .stiffness = pass->stiffness,
                                 .alpha = pass->alpha};
        project_lanes(&near, 0, 0, WIDE_LANES, 2 * WIDE_LANES, 3 * WIDE_LANES, WIDE_LANES, WIDE_LANES, fresh,
                      with_lambda);
        scatter(&all, 4, ends, pass->ux, pass->uy, pass->uz);
    }
    for (uint32_t i = first + done; i < first + count; ++i)
        project_single(pass, set, i, fresh, with_lambda);
}

KERNEL_INLINE void sweep(const struct bend_pass *pass, const struct bend_set *set, bool fresh,
                         bool with_lambda) {
    for (uint32_t c = 0; c < set->color_count; ++c) {
        struct fabric_color color = set->colors[c];
        for (uint32_t r = color.first_run; r < color.first_run + color.run_count; ++r)
            project_run(pass, set->runs[r], fresh, with_lambda);
        project_singles(pass, set, color.first_single, color.single_count, fresh, with_lambda);
    }
}

void KERNEL(bend_first)(const struct bend_pass *pass, const struct bend_set *set) {
    if (pass->lambda != NULL)
        sweep(pass, set, true, true);
    else
        sweep(pass, set, true, false);
}

void KERNEL(bend_next)(const struct bend_pass *pass, const struct bend_set *set) {
    sweep(pass, set, false, true);
}
