/* Coulomb friction on positions (physics.md §6). */
#ifndef PBD_CONTACT_FRICTION_H
#define PBD_CONTACT_FRICTION_H

#include "contact/pose.h"

struct friction_pair {
    double still, sliding; /* static and kinetic coefficients */
};

/* sqrt(cloth·collider) for each; a static one is PBD_SAME_AS_KINETIC or never below its
 * kinetic one. */
struct friction_pair friction_combine(float cloth, float cloth_static, float collider, float collider_static);

/* The friction correction that a contact should have in all, m: given the slip of the
 * surfaces in this substep so far (tangential, with `applied` in it) and the summed
 * penetration. The caller applies the result − applied. */
struct vec3 friction_correction(const struct friction_pair *pair, double penetration, struct vec3 slip,
                                struct vec3 applied);

#endif
