/* A particle's contacts with a mesh: the planes that its way must stay in front of, and
 * friction along each.
 *
 * A contact is told from another of the same pair by its normal, not by its triangle, so
 * that sums go on where a particle slides from one triangle to the next. */
#include "contact/contact_mesh.h"

#include "contact/collide_mesh.h"

/* Planes whose normals are nearer than this (cosine) are one contact. */
#define SAME_CONTACT 0.9

static double larger(double a, double b) {
    return a > b ? a : b;
}

static bool differ(struct vec3 a, struct vec3 b) {
    return a.x != b.x || a.y != b.y || a.z != b.z;
}

/* Of the pair's contacts the one whose normal is nearest; NULL when none is the same. */
static struct contact *contact_along(const struct cloth_contacts *contacts, uint32_t i, uint32_t place,
                                     struct vec3 normal) {
    struct contact *best = NULL;
    double nearest = SAME_CONTACT;
    for (uint32_t at = contacts->first[i]; at != 0; at = contacts->list[at - 1].next) {
        struct contact *contact = &contacts->list[at - 1];
        if (contact->place != place) continue;
        double cosine = vec3_dot(vec3_from(contact->normal), normal);
        if (!(cosine > nearest)) continue;
        best = contact;
        nearest = cosine;
    }
    return best;
}

/* Adds what the planes pushed to the contacts' sums. */
static void note_pushes(const struct contact_pass *pass, uint32_t i, uint32_t place,
                        const struct mesh_way *way) {
    const struct pbd_collider *collider = &pass->world->colliders[place];
    for (int k = 0; k < way->count; ++k) {
        const struct mesh_plane *plane = &way->planes[k];
        if (!(plane->push > 0.0)) continue;
        struct contact *contact = contact_along(pass->contacts, i, place, plane->normal);
        if (contact == NULL) {
            contact = contact_new(pass->contacts, i, place);
            if (contact != NULL) {
                contact->approach = (float)contact_approach(pass, collider, i, plane->point, plane->normal);
                contact->share = 1.0;
            } else {
                contact = contact_find(pass->contacts, i, place); /* full: they share one */
            }
        }
        if (contact == NULL) continue;
        contact->pushed += plane->push;
        contact->recovered = larger(contact->recovered, plane->recovered);
        contact->normal[0] = (float)plane->normal.x;
        contact->normal[1] = (float)plane->normal.y;
        contact->normal[2] = (float)plane->normal.z;
    }
}

double contact_collide_mesh(const struct contact_pass *pass, uint32_t i, uint32_t place,
                            const struct friction_pair *pair, struct vec3 x, struct vec3 *p) {
    struct pbd_collider *collider = &pass->world->colliders[place];
    const pbd_collision_mesh *mesh = collider->shape.mesh;
    struct vec3 from = pose_to_local(&collider->substep_start, x);
    struct vec3 to = pose_to_local(&collider->substep_end, *p);
    double length = vec3_length(vec3_sub(to, from));
    if (!(length < INFINITY)) return INFINITY; /* world/diagnose.c stops such a cloth */
    /* The rounding of a long way must not change sides either. */
    double margin = larger(pass->thickness, collide_mesh_skin(mesh) + 0x1p-22 * vec3_length(vec3_sub(*p, x)));
    struct mesh_way way;
    collide_mesh_begin(&way, mesh, from, to, margin, pass->recovery, !(pass->contacts->clearance[i] > 0.0f));
    double arm = collider->tick_turn > 0.0 ? vec3_length(from) : 0.0;
    double clear = broad_phase_clearance(collider, way.distance, arm, margin);
    bool held = contact_find(pass->contacts, i, place) != NULL;
    if (!held && contact_pieces(collider) == 1 && way.distance - length > margin) return clear;
    int pieces = contact_pieces(collider);
    struct vec3 begin = from;
    for (int k = 1; k <= pieces && pieces > 1; ++k) {
        struct vec3 end = k < pieces ? contact_piece_end(collider, x, *p, k, pieces) : to;
        collide_mesh_pass(&way, begin, end);
        begin = end;
    }
    struct vec3 target = collide_mesh_resolve(&way, to);
    note_pushes(pass, i, place, &way);
    if (!held && !differ(target, to)) return clear;

    struct two_way sides = two_way_of(collider, two_way_weight(pass->cloth, i));
    struct vec3 rubbed = target;
    const struct cloth_contacts *contacts = pass->contacts;
    for (uint32_t at = contacts->first[i]; at != 0; at = contacts->list[at - 1].next) {
        struct contact *contact = &contacts->list[at - 1];
        if (contact->place != place) continue;
        rubbed = contact_friction(contact, &sides, pair, vec3_from(contact->normal), from, rubbed,
                                  (double)pass->contacts->pressed[i]);
    }
    /* Friction may lead into another part of the mesh. */
    if (differ(rubbed, target)) {
        target = collide_mesh_resolve(&way, rubbed);
        note_pushes(pass, i, place, &way);
    }
    *p = pose_to_world(&collider->substep_end, target);
    return clear;
}
