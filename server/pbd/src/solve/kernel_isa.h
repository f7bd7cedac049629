/* What a kernel source needs to be built once per instruction-set level: names with
 * the level's suffix, and the promise that a loop's iterations are independent. */
#ifndef PBD_SOLVE_KERNEL_ISA_H
#define PBD_SOLVE_KERNEL_ISA_H

#include "solve/kernels.h"

#ifndef KERNEL_LEVEL
#define KERNEL_LEVEL base
#endif

#define KERNEL_JOIN(name, level) name##_##level
#define KERNEL_EXPAND(name, level) KERNEL_JOIN(name, level)
#define KERNEL(name) KERNEL_EXPAND(name, KERNEL_LEVEL)

/* No iteration reads what another one of the following loop writes. */
#ifdef __clang__
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define INDEPENDENT _Pragma("GCC ivdep")
#endif

/* The same of a loop of few and known iterations, which gcc would otherwise write out one
 * by one before it looks for vectors. */
#ifdef __clang__
#define INDEPENDENT_SHORT INDEPENDENT
#else
#define INDEPENDENT_SHORT _Pragma("GCC ivdep") _Pragma("GCC unroll 1")
#endif

#define KERNEL_INLINE static inline __attribute__((always_inline))

#define WIDE_LANES 16u

/* How a run of `count` constraints is executed by LANES(at, lanes, active): constraints
 * at+i for i < lanes, of which those with i < active really are there. Where stores can
 * be masked, the rest of a run that fills no vector takes one masked vector; elsewhere
 * the compiler's own scalar rest is faster. */
#ifdef __AVX512F__
#define IN_LANES(count, LANES)                                                                               \
    do {                                                                                                     \
        uint32_t done = 0;                                                                                   \
        for (; done + WIDE_LANES <= (count); done += WIDE_LANES)                                             \
            LANES(done, WIDE_LANES, WIDE_LANES);                                                             \
        if (done < (count)) LANES(done, WIDE_LANES, (count)-done);                                           \
    } while (0)
#else
#define IN_LANES(count, LANES) LANES(0, count, UINT32_MAX)
#endif

/* All triangles of a set, TRIANGLE_LANES or what is left at a time: RUN(first, p, count) for
 * particles p[corner]+i, then SINGLES(first, count). */
#define IN_TRIANGLE_GROUPS(set, RUN, SINGLES)                                                                \
    do {                                                                                                     \
        for (uint32_t r = 0; r < (set)->run_count; ++r) {                                                    \
            struct triangle_run run = (set)->runs[r];                                                        \
            uint32_t done = 0;                                                                               \
            for (; done + TRIANGLE_LANES <= run.count; done += TRIANGLE_LANES) {                             \
                const uint32_t p[3] = {run.a + done, run.b + done, run.c + done};                            \
                RUN(run.first + done, p, TRIANGLE_LANES);                                                    \
            }                                                                                                \
            const uint32_t p[3] = {run.a + done, run.b + done, run.c + done};                                \
            if (done < run.count) RUN(run.first + done, p, run.count - done);                                \
        }                                                                                                    \
        uint32_t t = (set)->first_single;                                                                    \
        for (; t + TRIANGLE_LANES <= (set)->count; t += TRIANGLE_LANES)                                      \
            SINGLES(t, TRIANGLE_LANES);                                                                      \
        if (t < (set)->count) SINGLES(t, (set)->count - t);                                                  \
    } while (0)

/* Scattered particles side by side: end e of constraint i is entry 16·e + i. */
struct gathered {
    float x[4 * WIDE_LANES], y[4 * WIDE_LANES], z[4 * WIDE_LANES], w[4 * WIDE_LANES];
    float ux[4 * WIDE_LANES], uy[4 * WIDE_LANES], uz[4 * WIDE_LANES];
};

KERNEL_INLINE void gather(struct gathered *all, uint32_t end_count, const uint32_t *const ends[],
                          const float *x, const float *y, const float *z, const float *w, const float *ux,
                          const float *uy, const float *uz) {
    for (uint32_t e = 0; e < end_count; ++e)
        for (uint32_t i = 0; i < WIDE_LANES; ++i) {
            uint32_t from = ends[e][i], to = e * WIDE_LANES + i;
            all->x[to] = x[from];
            all->y[to] = y[from];
            all->z[to] = z[from];
            all->w[to] = w[from];
            all->ux[to] = ux[from];
            all->uy[to] = uy[from];
            all->uz[to] = uz[from];
        }
}

KERNEL_INLINE void scatter(const struct gathered *all, uint32_t end_count, const uint32_t *const ends[],
                           float *ux, float *uy, float *uz) {
    for (uint32_t e = 0; e < end_count; ++e)
        for (uint32_t i = 0; i < WIDE_LANES; ++i) {
            uint32_t to = ends[e][i], from = e * WIDE_LANES + i;
            ux[to] = all->ux[from];
            uy[to] = all->uy[from];
            uz[to] = all->uz[from];
        }
}

#define KERNEL_DECLARE(name, result, parameters) result KERNEL(name) parameters;
KERNEL_LIST(KERNEL_DECLARE)
#undef KERNEL_DECLARE

#endif
