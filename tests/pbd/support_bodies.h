/* Bodies for tests of what is inside of rigid contact. */
#ifndef TESTS_SUPPORT_BODIES_H
#define TESTS_SUPPORT_BODIES_H

#include "contact/rigid_contact.h"

/* A dynamic collider of its own, in no world: mass 2 kg, turned by `angle` about `axis`,
 * within a substep that has not moved it yet. */
struct pbd_collider support_body(const struct pbd_shape *shape, struct vec3 position, struct vec3 axis,
                                 double angle);
struct pbd_shape support_ball(double radius);
struct pbd_shape support_box(double x, double y, double z);
struct pbd_shape support_capsule(double radius, double half_height);

#endif
