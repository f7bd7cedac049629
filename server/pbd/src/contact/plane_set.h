/* The point in front of several planes that is nearest to a given one: where a particle
 * goes that several surfaces push at once. */
#ifndef PBD_CONTACT_PLANE_SET_H
#define PBD_CONTACT_PLANE_SET_H

#include <stdbool.h>

#include "contact/pose.h"

#define PLANES_MAX 8

/* normal (unit)·q ≥ height is in front. */
struct plane {
    struct vec3 normal;
    double height;
};

/* Returns whether there is such a point within `tolerance` (m); then *nearest =
 * to + Σ push[k]·normal[k], push ≥ 0 and at most three of them not 0. count ≤ PLANES_MAX. */
bool plane_set_nearest(const struct plane *planes, int count, struct vec3 to, double tolerance,
                       struct vec3 *nearest, double *push);

#endif
