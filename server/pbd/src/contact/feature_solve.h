/* One feature and one part of a cloth: the contact between them. */
#ifndef PBD_CONTACT_FEATURE_SOLVE_H
#define PBD_CONTACT_FEATURE_SOLVE_H

#include "contact/feature_list.h"

/* What stays the same for a cloth within one projection. */
struct feature_pass {
    pbd_world *world;
    struct pbd_cloth *cloth;
    struct cloth_features *features;
    double h, kept, recovery; /* s; m; m: depth that one substep may undo */
    /* Of the collider that is looked at, m: bounds of its way since the list was made, and
     * in this substep. */
    double shift, substep_shift;
    unsigned round;
};

/* Takes the part out of the feature, with friction. Returns the push, m. */
double feature_solve(const struct feature_pass *pass, const struct feature_group *group,
                     enum feature_kind kind, struct feature_pair *pair);
/* Restitution, and the end of velocities that only undid an overlap. */
void feature_settle(pbd_world *world, struct pbd_cloth *cloth, const struct feature_contact *contact,
                    double h);

#endif
