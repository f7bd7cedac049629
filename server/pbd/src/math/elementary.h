/* Own elementary functions: libm's differ between libcs, and positions must not
 * (physics.md §9). Basic operations and square roots only, in a fixed order, so the
 * same argument gives the same bits wherever IEEE 754 holds and -ffp-contract=off.
 *
 * Errors are the largest seen against 40-digit values (tests/pbd/test_elementary.c
 * holds them): ulp of the result unless stated. Double versions:
 *
 *   math_exp(x)      1 ulp; below −745.2 it is 0, above 709.79 infinity
 *   math_log(x)      1 ulp; x = 0 gives −infinity, x < 0 NaN
 *   math_pow(x, y)   relative 2⁻⁵²·(2 + |y·ln x|), for x ≥ 0; x < 0 gives NaN
 *   math_sin, cos    2⁻⁵² absolute for |x| ≤ 1e6; larger or non-finite arguments give NaN
 *   math_atan2(y,x)  2 ulp; atan2(0,0) = 0, −0 counts as 0; NaN for infinities
 *   math_asin, acos  3 ulp of π/2 absolute; outside [−1,1] NaN
 *
 * The f versions are the double ones rounded to float: 0.5 ulp but for ties.
 * math_atan2f is its own, branch-free, for kernels: 3 ulp. */
#ifndef PBD_MATH_ELEMENTARY_H
#define PBD_MATH_ELEMENTARY_H

#include <stdint.h>

double math_exp(double x);
double math_log(double x);
double math_pow(double x, double y);
double math_sin(double x);
double math_cos(double x);
double math_atan2(double y, double x);
double math_asin(double x);
double math_acos(double x);

float math_expf(float x);
float math_logf(float x);
float math_powf(float x, float y);
float math_sinf(float x);
float math_cosf(float x);
float math_asinf(float x);
float math_acosf(float x);

/* Correctly rounded everywhere: one instruction. */
static inline float math_sqrtf(float x) {
    return __builtin_sqrtf(x);
}

static inline double math_sqrt(double x) {
    return __builtin_sqrt(x);
}

static inline float math_absf(float x) {
    return __builtin_fabsf(x);
}

/* The second operand where either is NaN, and for equal ones. */
static inline float math_minf(float a, float b) {
    return a < b ? a : b;
}

static inline float math_maxf(float a, float b) {
    return a > b ? a : b;
}

/* low ≤ high. NaN gives low. */
static inline float math_clampf(float x, float low, float high) {
    return math_minf(math_maxf(x, low), high);
}

static inline uint32_t math_minu(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

static inline uint32_t math_maxu(uint32_t a, uint32_t b) {
    return a > b ? a : b;
}

/* The angle of (x, y) in [−π, π], without branches or calls. atan2f(±0, x > 0) = ±0
 * exactly, (0, 0) = 0; NaN for infinities. Folded to t in [0, tan π/8], then
 * atan t = t + t³·P(t²), |P's error| ≤ 2.7e-9 of atan t (Chebyshev fit). */
static inline float math_atan2f(float y, float x) {
    float ax = math_absf(x), ay = math_absf(y);
    float small = ax < ay ? ax : ay, large = ax < ay ? ay : ax;
    int upper = small > 0.41421357f * large; /* beyond π/8: measure from π/4 */
    float num = upper ? small - large : small;
    float den = upper ? small + large : large;
    den = large > 0.0f ? den : 1.0f;
    float t = num / den, s = t * t;
    float p = -0.06451718509197235f;
    p = p * s + 0.10743668675422668f;
    p = p * s - 0.14263950288295746f;
    p = p * s + 0.19999539852142334f;
    p = p * s - 0.3333333134651184f;
    float angle = t + t * (s * p);
    angle = upper ? 0.78539819f + angle : angle;
    angle = ax < ay ? 1.5707964f - angle : angle;
    angle = x < 0.0f ? 3.1415927f - angle : angle;
    return __builtin_copysignf(angle, y);
}

#endif
