/* What a cloth knows of its contacts. All of it is scratch but `fresh`. */
#ifndef PBD_CONTACT_INTERNAL_H
#define PBD_CONTACT_INTERNAL_H

#include "contact/contact.h"
#include "contact/friction.h"

/* Particles are tested in blocks of this many; FABRIC_PAD is a multiple. */
#define CONTACT_BLOCK 16u

/* Lanes are independent and their count is fixed, so compilers make vectors of them. */
struct lanes {
    float at[CONTACT_BLOCK];
};

/* One particle touching one collider within a substep. Vectors are in the collider's
 * frame at the substep's end. */
struct contact {
    uint32_t particle, place; /* of the collider: its slot */
    uint32_t next;            /* of the same particle: index + 1, 0 = none */
    bool held;                /* two_way_is_held */
    float approach;           /* m/s, towards the surface before the first push */
    double share;             /* two_way_share of the first push */
    double pushed;            /* sum of the pushes along the normal; units: contact/two_way.h */
    double recovered;         /* how much of that only undoes an overlap at the start */
    float friction[3];        /* correction so far */
    float normal[3];          /* of the last push */
};

struct cloth_contacts {
    bool fresh; /* appeared or jumped: overlaps are still to be reported */
    uint32_t collider_capacity;
    /* Colliders that this cloth may meet in this tick, in world order. */
    uint32_t *near;
    struct friction_pair *near_friction;
    uint32_t near_count;
    double far_clearance; /* m, what a particle may travel before it could meet another one */
    /* The next four are NULL until there is a collider. */
    /* Per particle, m: what it may travel from the substep's start before it could touch
     * anything; ≤ 0: look. Infinite where w = 0 (unless there are bodies) and in the padding. */
    float *clearance;
    uint32_t *first; /* per particle: index + 1 of its first contact, 0 = none */
    bool *touched;   /* per particle, within this tick */
    /* Per particle, m: what bodies press it with on to what it lies on (two_way_is_held) in
     * this substep, in the units of a contact's sums: the friction there knows it. */
    float *pressed;
    struct contact *list;
    uint32_t count, capacity;
    struct cloth_features *features; /* contact/features.h */
};

/* broad_phase.c: fills near, far_clearance and clearance for the rest of this tick, from
 * this substep's start on; emits initial_overlap for fresh pairs if asked to. */
void broad_phase(pbd_world *world, struct pbd_cloth *cloth, bool report);
/* What a particle may travel within the tick, given its distance (m) from the shape now
 * and from the collider's origin. */
double broad_phase_clearance(const struct pbd_collider *collider, double distance, double arm,
                             double thickness);

static inline struct vec3 particle_base(const struct cloth_state *s, uint32_t i) {
    return vec3_make((double)s->x[i], (double)s->y[i], (double)s->z[i]);
}
static inline struct vec3 particle_residual(const struct cloth_state *s, uint32_t i) {
    return vec3_make((double)s->ex[i], (double)s->ey[i], (double)s->ez[i]);
}

#endif
