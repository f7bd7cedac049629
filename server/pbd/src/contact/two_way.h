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
struct two_way two_way_of(struct pbd_collider *collider, double w);
/* What of a depth (m) that a push undoes counts as an overlap that was there before, and
 * gives neither velocity nor friction. recovery: what one substep may undo. Bodies move after
 * the particles that touch them, so a small depth against one is but yesterday's rest of a
 * contact; counted as an overlap it would take the contact's friction. */
double two_way_recovered(const struct pbd_collider *collider, double undone, double recovery);
/* What of a correction along a unit direction (collider's frame at substep_end) at a local
 * point goes into the sums. */
double two_way_share(const struct two_way *pair, struct vec3 local, struct vec3 direction);
/* Moves the particle, seen from the collider at *local, by amount (m) along direction, each
 * side its share. Returns the sum's gain. */
double two_way_push(const struct two_way *pair, struct vec3 *local, struct vec3 direction, double amount);
/* Applies `change` of the friction sum (collider's frame) to both. */
void two_way_rub(const struct two_way *pair, struct vec3 *local, struct vec3 change);

#endif
