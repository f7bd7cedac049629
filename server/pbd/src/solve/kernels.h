/* The hot loops, built once per instruction-set level from the same sources, and the
 * table through which a world calls them.
 *
 * Every kernel gives the same bits at every level and in scalar code: it contains only
 * single IEEE operations per lane, exact square roots and divisions, compare-selects,
 * and sums in the order physics.md §9 fixes. Lanes that must not take part (w = 0) are
 * blended. `n` is a padded particle count, a multiple of FABRIC_PAD; padding has w = 0. */
#ifndef PBD_SOLVE_KERNELS_H
#define PBD_SOLVE_KERNELS_H

#include "solve/triangle_set.h"
#include "world/world_internal.h"

/* One Gauss–Seidel sweep over distance constraints. The `first` kernels take λ as 0 and
 * write it unless it is NULL; the `next` ones read and write it. sum gains every Δλ of
 * stretch constraints. */
struct stretch_pass {
    const float *x, *y, *z, *w;
    float *ux, *uy, *uz;
    const float *rest;
    float *lambda, *sum;
    float stiffness; /* factor of C: k' in pbd, 1 in xpbd */
    float alpha;     /* compliance/h², N⁻¹m·s⁻²; 0 in pbd */
    /* stretch constraints alone: */
    float compression;   /* further factor of C < 0; 1 = none */
    const float *alphas; /* one for each constraint in place of alpha, or NULL */
};

/* The same over hinges (C = θ − θ0, at most π/4 per projection). */
struct bend_pass {
    const float *x, *y, *z, *w;
    float *ux, *uy, *uz;
    const float *rest_angle;
    float *lambda;
    float stiffness, alpha;
};

/* One pass of G103's averaging: sums of corrections per particle. */
struct jacobi_pass {
    const float *x, *y, *z;
    const float *ux, *uy, *uz;
    float *sx, *sy, *sz;
    const float *rest;
};

/* First and second moments of the free particles about (reference, reference_velocity),
 * for P07's damping. */
enum moment {
    MOMENT_MASS,
    MOMENT_X,
    MOMENT_Y,
    MOMENT_Z, /* Σ m r */
    MOMENT_VX,
    MOMENT_VY,
    MOMENT_VZ, /* Σ m u, u = v − reference_velocity */
    MOMENT_LX,
    MOMENT_LY,
    MOMENT_LZ, /* Σ m r×u */
    MOMENT_XX,
    MOMENT_YY,
    MOMENT_ZZ, /* Σ m r rᵀ */
    MOMENT_XY,
    MOMENT_YZ,
    MOMENT_ZX,
    MOMENT_COUNT
};

struct moments {
    float reference[3], reference_velocity[3];
    double sum[MOMENT_COUNT];
};

/* v += k·(v_cm + ω×(x − x_cm) − v) for free particles. */
struct rigid_motion {
    float center[3], velocity[3], spin[3];
    float k;
};

/* v = factor·v, then + kick where w > 0 (gravity · h). */
struct kick {
    float factor, x, y, z;
};

/* Lift and drag of triangles in the wind: f gains a third of each one's force. */
struct aero_pass {
    const float *x[3], *e[3];
    const float *v[3];         /* relative to the gusts where there are any, m/s */
    const float *inverse_mass; /* per triangle, 1/kg; 0: it takes no force */
    float *f[3];               /* per particle, N */
    float wind[3];             /* m/s */
    float half_density;        /* of the air / 2, kg/m³ */
    float drag, lift;          /* coefficients */
    float h;                   /* s, of the substep */
};

/* Gradient of Σ (p1×p2)·p3 over triangles, p = (x − centre) + u. */
struct pressure_pass {
    const float *x[3];
    float *u[3];
    const float *w;
    float *g[3]; /* per particle, m² */
    float centre[3];
};

/* Σ p·g, which is three times the sum itself, and Σ w|g|². */
struct pressure_sums {
    double moment, weight;
};

/* Distances of at most `length` from other particles; infinity: none. */
struct tether_pass {
    const float *x[3];
    float *u[3];
    const uint32_t *anchors; /* per particle, or NULL: */
    uint32_t anchor;         /* the same for all */
    const float *length;     /* per particle, m */
};

/* One layer of gusts, where the particles are. */
struct gust_pass {
    const float *x[3];
    float *gust[3];     /* gains strength · noise((x + shift)/size), m/s */
    float inverse_size; /* 1/m */
    float fraction[3];  /* shift/size = cell + fraction, 0 ≤ fraction ≤ 1 */
    uint32_t cell[3];   /* modulo 2³² */
    uint32_t seed;
    float strength; /* m/s */
};

struct extent {
    float coordinate;   /* largest |coordinate| */
    float speed_square; /* largest |v|² of free particles, may be infinity */
    bool finite;        /* all of X and v */
};

/* name, return type, parameters */
#define KERNEL_LIST(X)                                                                                       \
    /* u = e + h·v where w > 0, else e; v as kick says */                                                   \
    X(integrate_predict, void,                                                                               \
      (const struct cloth_state *s, const struct cloth_scratch *t, uint32_t n, struct kick kick, float h))   \
    /* v as kick says, and the moments of the result */                                                      \
    X(integrate_moments, void,                                                                               \
      (const struct cloth_state *s, const float *mass, uint32_t n, struct kick kick, struct moments *m))     \
    /* damps, then u = e + h·v */                                                                           \
    X(integrate_damp, void,                                                                                  \
      (const struct cloth_state *s, const struct cloth_scratch *t, uint32_t n,                               \
       const struct rigid_motion *rigid, float h))                                                           \
    /* v = (u − e)/h, X' = fl(X + u), e' the exact rest; |v| components below 1e-20 become 0 */            \
    X(integrate_commit, void,                                                                                \
      (const struct cloth_state *s, const struct cloth_scratch *t, uint32_t n, float inverse_h))             \
    X(integrate_extent, struct extent, (const struct cloth_state *s, uint32_t n))                            \
    /* wind: forces of all triangles; v += h·w·f where w > 0; gusts at n particles; v − gust */          \
    X(aero_forces, void, (const struct aero_pass *pass, const struct triangle_set *set))                     \
    X(aero_kick, void,                                                                                       \
      (const struct cloth_state *s, const float *fx, const float *fy, const float *fz, uint32_t n, float h)) \
    /* pressure: g gains every triangle's; sums over `count` particles, those of the list or, where          \
     * it is NULL, the first ones (then count is padded); u −= s·w·g of the same */                      \
    X(pressure_gradient, void, (const struct pressure_pass *pass, const struct triangle_set *set))           \
    X(pressure_sum, struct pressure_sums,                                                                    \
      (const struct pressure_pass *pass, const uint32_t *particles, uint32_t count))                         \
    X(pressure_apply, void,                                                                                  \
      (const struct pressure_pass *pass, const uint32_t *particles, uint32_t count, float s))                \
    /* u −= spin×(x − center) where w > 0 */                                                            \
    X(pressure_unspin, void,                                                                                 \
      (const struct pressure_pass *pass, uint32_t n, const struct rigid_motion *rigid))                      \
    X(tether_project, void, (const struct tether_pass *pass, uint32_t n))                                    \
    X(gust_add, void, (const struct gust_pass *pass, uint32_t n))                                            \
    X(gust_subtract, void, (const float *v, const float *gust, float *relative, uint32_t n))                 \
    /* stretch constraints; distances between opposite vertices of hinges; dihedral angles */                \
    X(stretch_first, void, (const struct stretch_pass *pass, const struct stretch_set *set))                 \
    X(stretch_next, void, (const struct stretch_pass *pass, const struct stretch_set *set))                  \
    X(stretch_hinges_first, void, (const struct stretch_pass *pass, const struct bend_set *set))             \
    X(stretch_hinges_next, void, (const struct stretch_pass *pass, const struct bend_set *set))              \
    X(bend_first, void, (const struct bend_pass *pass, const struct bend_set *set))                          \
    X(bend_next, void, (const struct bend_pass *pass, const struct bend_set *set))                           \
    /* v += dt·g; v *= factor; u = e + dt·v, where w > 0 */                                                \
    X(jacobi_predict, void,                                                                                  \
      (const struct cloth_state *s, const struct cloth_scratch *t, uint32_t n, struct kick kick, float dt))  \
    X(jacobi_gather, void, (const struct jacobi_pass *pass, const struct stretch_set *set))                  \
    /* u += scale·sum, v += scale·sum/dt, sum = 0 */                                                       \
    X(jacobi_apply, void,                                                                                    \
      (const struct cloth_state *s, const struct cloth_scratch *t, uint32_t n, float inverse_dt))            \
    /* X' and e' as integrate_commit; v stays but for tiny ones */                                           \
    X(jacobi_commit, void, (const struct cloth_state *s, const struct cloth_scratch *t, uint32_t n))

#define KERNEL_MEMBER(name, result, parameters) result(*name) parameters;
struct kernels {
    const char *level; /* "base", "avx2", "avx512" */
    KERNEL_LIST(KERNEL_MEMBER)
};
#undef KERNEL_MEMBER

/* Of the best level that this build and this CPU have. */
const struct kernels *kernels_best(void);
/* Levels in ascending order, NULL at and beyond the first one that is not supported. */
const struct kernels *kernels_level(uint32_t index);

#endif
