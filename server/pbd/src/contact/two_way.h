/* Sharing a correction between a particle and a collider by their inverse masses.
 *
 * A contact's sums (pushes, friction) are kept in the particle's share: metres that the
 * particle moved, λ·w. A particle that nothing moves (pinned, or of a cloth that stands
 * still) has no share, so for it they are λ itself (kg·m). Coulomb's law compares sums of
 * one contact, so it holds in either. Against what cannot be pushed the particle's share
 * is the whole, bit for bit. */
#ifndef PBD_CONTACT_TWO_WAY_H
#define PBD_CONTACT_TWO_WAY_H

#include "contact/contact_internal.h"

struct two_way {
    struct pbd_collider *collider;
    double w;    /* of the particle, 1/kg */
    double unit; /* of the sums over λ: w, or 1 where w = 0 */
    bool pushes; /* the collider moves */
};

/* The particle's inverse mass as contacts see it: 0 where its cloth stands still. */
double two_way_weight(const struct pbd_cloth *cloth, uint32_t particle);
/* Whether a particle that a body pushes along a unit direction lies on something that nothing
 * pushes: then it is as heavy as that, for the body would squeeze it through before its own
 * mass could stop it; but only as far as the body comes to it. *climbs, m: how far it comes
 * to the body itself, seen from what it lies on, where it weighs what it weighs. x, p: its
 * start and its place now. */
bool two_way_is_held(const pbd_world *world, const struct pbd_cloth *cloth, uint32_t particle, struct vec3 x,
                     struct vec3 p, struct vec3 direction, double h, double *climbs);
struct two_way two_way_of(struct pbd_collider *collider, double w);
/* What of a correction along a unit direction (collider's frame at substep_end) at a local
 * point goes into the sums. */
double two_way_share(const struct two_way *pair, struct vec3 local, struct vec3 direction);
/* Moves the particle, seen from the collider at *local, by amount (m) along direction, each
 * side its share. Returns the sum's gain. */
double two_way_push(const struct two_way *pair, struct vec3 *local, struct vec3 direction, double amount);
/* Applies `change` of the friction sum (collider's frame) to both. */
void two_way_rub(const struct two_way *pair, struct vec3 *local, struct vec3 change);

/* ---- depth against bodies ----
 *
 * Pushes against a body undo no depth that was there at the substep's start: the body moves
 * after the particles that touch it, so every substep begins with some, and pushes that had
 * to undo it would throw what they should carry. Depth is undone before, by shifting where
 * the substep starts together with where it leads, which leaves no velocity: at most
 * max_depenetration, the particle first; where it is deep (caught between the body and
 * something else), both sides by halves. */

/* Shifts both sides apart along a unit world direction (from the collider to the particle).
 * w: of the particle, 0 where it is held. depth: m, at the start. x, p: the particle's, shifted along. kept:
 * m, what is deep. Returns what of the depth is undone. */
double two_way_raise(const pbd_world *world, struct pbd_cloth *cloth, uint32_t particle, double w,
                     struct pbd_collider *collider, struct vec3 direction, double depth, double kept,
                     double h, struct vec3 *x, struct vec3 *p);

/* The same of a particle in something that nothing pushes, in a world with bodies: what throws
 * a particle out of the floor would throw the body above it. Undoes `depth` up to `most` (m). */
double two_way_free(struct pbd_cloth *cloth, uint32_t particle, struct vec3 direction, double depth,
                    double most, struct vec3 *x, struct vec3 *p);

#endif
