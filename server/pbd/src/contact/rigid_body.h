/* A dynamic collider's mass, state and scratch, a member of struct pbd_collider.
 *
 * All in double: v = (x' − x)/h of a body 10 m from the origin would be lost in float32
 * (physics.md §1), and doubles are never rounded on the way. def.position and the other
 * float32 numbers of a collider are what leaves the solver. */
#ifndef PBD_CONTACT_RIGID_BODY_H
#define PBD_CONTACT_RIGID_BODY_H

#include <stdbool.h>

#include "contact/pose.h"

struct rigid_state {
    struct vec3 position; /* of the centre of mass, the shape's origin, m */
    struct quaternion rotation;
    struct vec3 velocity; /* m/s */
    struct vec3 spin;     /* angular velocity, world frame, rad/s */
};

struct rigid_body {
    double inverse_mass;         /* 1/kg; 0 unless dynamic */
    struct vec3 inverse_inertia; /* 1/(kg·m²) about the local axes, which are principal */
    /* State. Within a substep position and rotation are the predicted pose p as pushes
     * have changed it (substep_end is the same), velocity and spin what predicted it. */
    struct rigid_state now;
    bool frozen; /* diverged: stays at its last finite state */
    bool asleep; /* counts as infinitely heavy until something wakes it */
    /* Scratch of a substep. */
    struct rigid_state start; /* at its start */
    struct vec3 momentum;     /* angular, world frame, kg·m²/s */
    struct vec3 pushed;       /* sum of positional impulses, kg·m */
    struct vec3 turned;       /* sum of their moments about the centre, kg·m² */
    struct vec3 lifted;       /* sum of shifts that undo depth, m */
    struct vec3 shift, turn;  /* within one solve of body contacts, m and rad */
    /* Scratch of a tick. */
    struct rigid_state backup;      /* at its start: where a diverged body stops */
    double spent_shift, spent_turn; /* m, rad: its way in the substeps that are over */
};

#endif
