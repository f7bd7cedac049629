/* Coulomb friction on positions: the bound is on the sum over a substep, since clamped
 * single corrections would add up to more than Coulomb allows. */
#include "contact/friction.h"

static double static_of(float kinetic, float still) {
    return (double)(still > kinetic ? still : kinetic);
}

struct friction_pair friction_combine(float cloth, float cloth_static, float collider,
                                      float collider_static) {
    return (struct friction_pair){
        .still = __builtin_sqrt(static_of(cloth, cloth_static) * static_of(collider, collider_static)),
        .sliding = __builtin_sqrt((double)cloth * (double)collider)};
}

struct vec3 friction_correction(const struct friction_pair *pair, double penetration, struct vec3 slip,
                                struct vec3 applied) {
    struct vec3 want = vec3_sub(applied, slip);
    double size = vec3_length(want);
    if (size <= pair->still * penetration) return want;
    return vec3_scale(want, pair->sliding * penetration / size);
}
