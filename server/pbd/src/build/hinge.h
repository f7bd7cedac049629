/* The signed bending angle of a hinge: one formula for the import (rest angle) and
 * for the solver, so that a hinge at rest has a difference of exactly 0.
 *
 *            p2                 e = p1 − p0,  a = p2 − p0,  b = p3 − p0
 *           /  \                n1 = e × a,   n2 = b × e    (both up when flat)
 *         p0 —— p1              sin ~ (n1 × n2)·e/|e| = −|e| (b·n1)
 *           \  /                cos ~  n1·n2
 *            p3                 θ = atan2(−|e| (b·n1), n1·n2)
 *
 * θ = 0 when flat, θ > 0 when p3 lies below the triangle p0 p1 p2 (n1 up), and the
 * paper's fold is φ = π + θ. θ is unchanged by p0 ↔ p1 together with p2 ↔ p3; it
 * depends on positions alone, never on the windings. */
#ifndef PBD_BUILD_HINGE_H
#define PBD_BUILD_HINGE_H

#include "math/elementary.h"

/* Components of e, a, b. In (−π, π], 0 where a wing has no area. */
static inline float hinge_angle(float ex, float ey, float ez, float ax, float ay, float az, float bx,
                                float by, float bz) {
    float n1x = ey * az - ez * ay, n1y = ez * ax - ex * az, n1z = ex * ay - ey * ax;
    float n2x = by * ez - bz * ey, n2y = bz * ex - bx * ez, n2z = bx * ey - by * ex;
    float length = math_sqrtf(ex * ex + ey * ey + ez * ez);
    float sine = -length * (bx * n1x + by * n1y + bz * n1z);
    float cosine = n1x * n2x + n1y * n2y + n1z * n2z;
    return math_atan2f(sine, cosine);
}

#endif
