/* Stiffness and compliance per projection; see the header. */
#include "solve/strength.h"

#include <float.h>

#include "math/elementary.h"

float share_of(float k, int count) {
    if (count == 1) return k;
    return (float)(1.0 - math_pow(1.0 - (double)k, 1.0 / count));
}

struct strength strength_of(const struct pbd_solver_settings *solver, float stiffness, float compliance,
                            float h) {
    if (solver->method == PBD_METHOD_PBD)
        return (struct strength){.on = stiffness > 0.0f,
                                 .stiffness = share_of(stiffness, solver->iterations)};
    if (solver->method == PBD_METHOD_XPBD) {
        /* A compliance so large that it overflows is no constraint at all. */
        float alpha = compliance / (h * h);
        return (struct strength){.on = alpha <= FLT_MAX, .stiffness = 1.0f, .alpha = alpha};
    }
    return (struct strength){.on = false};
}
