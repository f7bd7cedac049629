/* One particle and one collider: what contact.c asks for, particle by particle, and the
 * parts that every kind of shape shares. */
#ifndef PBD_CONTACT_PAIR_H
#define PBD_CONTACT_PAIR_H

#include "contact/contact_internal.h"
#include "contact/two_way.h"

/* What stays the same for a cloth within one projection. */
struct contact_pass {
    pbd_world *world;
    struct pbd_cloth *cloth;
    struct cloth_contacts *contacts;
    double h, thickness, recovery; /* s, m, m: depth that one substep may undo */
    bool flat_only;                /* not round bodies (contact_project_flat) */
};

/* Takes *p out of the collider in slot `place`. x: where the particle i started the
 * substep; both in the world, exact. Returns what it may travel from x before it could
 * meet the collider in this tick. */
double contact_collide(const struct contact_pass *pass, uint32_t i, uint32_t place,
                       const struct friction_pair *pair, struct vec3 x, struct vec3 *p);

/* In how many straight pieces a way is looked at: more than one where the collider turns much. */
int contact_pieces(const struct pbd_collider *collider);
/* Where piece k = 1 … pieces − 1 of the way x→p ends, as the collider sees it then. */
struct vec3 contact_piece_end(const struct pbd_collider *collider, struct vec3 x, struct vec3 p, int piece,
                              int pieces);

/* The particle's contact with the collider in this substep, or NULL. */
struct contact *contact_find(const struct cloth_contacts *contacts, uint32_t particle, uint32_t place);
/* NULL when the list is full: then the particle is held, but slides freely. */
struct contact *contact_new(struct cloth_contacts *contacts, uint32_t particle, uint32_t place);
/* How the collider's surface moves at a local point in this substep, m; of static and
 * kinematic ones. */
struct vec3 contact_surface_shift(const struct pbd_collider *collider, struct vec3 local);
/* m/s at which the particle came, as predicted, towards the surface at a local point. */
double contact_approach(const struct contact_pass *pass, const struct pbd_collider *collider, uint32_t i,
                        struct vec3 local, struct vec3 normal);
/* Brings the contact's friction up to date and returns `to` with it; from, to and normal
 * are local. pressed: what bodies add to the contact's own pushes. */
struct vec3 contact_friction(struct contact *contact, const struct two_way *sides,
                             const struct friction_pair *pair, struct vec3 normal, struct vec3 from,
                             struct vec3 to, double pressed);

#endif
