/* From a cloth's parameters to what one projection multiplies with. */
#ifndef PBD_SOLVE_STRENGTH_H
#define PBD_SOLVE_STRENGTH_H

#include <pbd/types.h>

struct strength {
    bool on;
    float stiffness; /* factor of C: k' in pbd, 1 in xpbd */
    float alpha;     /* compliance/h²; 0 in pbd */
};

/* pbd: k' = 1 − (1−k)^(1/iterations), so that the error after all iterations of a
 * substep is (1−k) (P07 §3.3). xpbd: α̃ = α/h² (X16 eq. 18). Off in jacobi. h in s. */
struct strength strength_of(const struct pbd_solver_settings *solver, float stiffness, float compliance,
                            float h);

/* 1 − (1−k)^(1/count): what each of count steps takes when all take k; k itself for 1. */
float share_of(float k, int count);

#endif
