/* The oracle: every kernel once more as a serial walk over the constraint list, one
 * particle or constraint at a time, in plain scalar code. The kernels must give the
 * same bits. It shares nothing with them but the operations and their order, which
 * the kernel sources state, and hinge_angle. */
#ifndef CLOTHD_TESTS_ORACLE_H
#define CLOTHD_TESTS_ORACLE_H

#include <math.h>
#include <string.h>

#include "build/hinge.h"
#include "solve/kernels.h"

static inline void oracle_distance(const float *x[3], const float *w, float *u[3], uint32_t a, uint32_t b,
                                   float rest, float stiffness, float alpha, float compression,
                                   float *lambda) {
    float d[3];
    for (int k = 0; k < 3; ++k)
        d[k] = (x[k][a] - x[k][b]) + (u[k][a] - u[k][b]);
    float length = sqrtf(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    float divisor = (w[a] + w[b] + alpha) * length;
    float s = 0.0f;
    float error = length - rest;
    if (error < 0.0f) error = compression * error;
    if (divisor > 0.0f) s = (stiffness * error + alpha * *lambda) / divisor;
    float sa = w[a] > 0.0f ? w[a] * s : 0.0f, sb = w[b] > 0.0f ? w[b] * s : 0.0f;
    for (int k = 0; k < 3; ++k) {
        u[k][a] -= sa * d[k];
        u[k][b] += sb * d[k];
    }
    *lambda -= s * length;
}

static inline void oracle_cross(const float a[3], const float b[3], float out[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static inline float oracle_dot(const float a[3], const float b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void oracle_hinge(const float *x[3], const float *w, float *u[3], const uint32_t p[4],
                                float rest, float stiffness, float alpha, float *lambda) {
    float from_0[4][3] = {{0}}, n1[3], n2[3], g[4][3];
    for (int i = 1; i < 4; ++i)
        for (int k = 0; k < 3; ++k)
            from_0[i][k] = (x[k][p[i]] - x[k][p[0]]) + (u[k][p[i]] - u[k][p[0]]);
    const float *e = from_0[1], *a = from_0[2], *b = from_0[3];
    oracle_cross(e, a, n1);
    oracle_cross(b, e, n2);
    float q1 = oracle_dot(n1, n1), q2 = oracle_dot(n2, n2), ee = oracle_dot(e, e);
    if (!(q1 > 1e-10f * ee * ee) || !(q2 > 1e-10f * ee * ee)) return;
    float edge = sqrtf(ee), f2 = -edge / q1, f3 = -edge / q2, per_square = 1.0f / ee;
    float t2 = oracle_dot(a, e) * per_square, t3 = oracle_dot(b, e) * per_square;
    float r2 = 1.0f - t2, r3 = 1.0f - t3;
    for (int k = 0; k < 3; ++k) {
        g[2][k] = f2 * n1[k];
        g[3][k] = f3 * n2[k];
        g[0][k] = -(r2 * g[2][k] + r3 * g[3][k]);
        g[1][k] = -(t2 * g[2][k] + t3 * g[3][k]);
    }
    float softness = w[p[0]] * oracle_dot(g[0], g[0]) + w[p[1]] * oracle_dot(g[1], g[1]) +
                     w[p[2]] * oracle_dot(g[2], g[2]) + w[p[3]] * oracle_dot(g[3], g[3]);
    if (!(softness > 0.0f)) return;
    float wanted = stiffness * (hinge_angle(e[0], e[1], e[2], a[0], a[1], a[2], b[0], b[1], b[2]) - rest) +
                   alpha * *lambda;
    float turn_max = 0.78539816f, s;
    if (fabsf(wanted) * softness > turn_max * (softness + alpha))
        s = copysignf(turn_max, wanted) / softness;
    else
        s = wanted / (softness + alpha);
    for (int i = 0; i < 4; ++i) {
        if (!(w[p[i]] > 0.0f)) continue;
        float f = w[p[i]] * s;
        for (int k = 0; k < 3; ++k)
            u[k][p[i]] -= f * g[i][k];
    }
    *lambda -= s;
}

static inline float oracle_without_tiny(float v) {
    return fabsf(v) < 1e-20f ? 0.0f : v;
}

static inline void oracle_commit(float *x, float *e, float *v, float u, float inverse_h) {
    *v = oracle_without_tiny((u - *e) * inverse_h);
    float sum = *x + u, part = sum - *x;
    *e = (*x - (sum - part)) + (u - part);
    *x = sum;
}

/* Equal bits, or both no number (whose payload is nobody's business). */
static inline int oracle_same(float a, float b) {
    return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0;
}

#endif
