/* One particle and one collider.
 *
 * Both ends of a particle's way x→p are looked at from the collider, so its motion is
 * part of the way. The first contact on that way gives a tangent plane behind which the
 * whole (convex) shape lies; p is put in front of it, then friction acts along it. A
 * particle that starts inside keeps the plane of the face it is nearest to, so nothing
 * is pushed through a thin shape, however fast. */
#include "contact/contact_pair.h"

#include "contact/contact_mesh.h"

#include "contact/rigid.h"
#include "solve/attach.h"

/* Turns beyond this (rad) within a substep are swept in several straight pieces. */
#define TURN_PIECE 0.1
#define PIECES_MAX 64

int contact_pieces(const struct pbd_collider *collider) {
    if (collider->substep_turn <= TURN_PIECE) return 1;
    return collider->substep_turn < TURN_PIECE * PIECES_MAX ? 1 + (int)(collider->substep_turn / TURN_PIECE)
                                                            : PIECES_MAX;
}

struct vec3 contact_piece_end(const struct pbd_collider *collider, struct vec3 x, struct vec3 p, int piece,
                              int pieces) {
    double time = (double)piece / (double)pieces;
    struct exact_pose pose = collider_pose_at(collider, time);
    return pose_to_local(&pose, vec3_add_scaled(x, vec3_sub(p, x), time));
}

struct contact *contact_find(const struct cloth_contacts *contacts, uint32_t particle, uint32_t place) {
    for (uint32_t at = contacts->first[particle]; at != 0; at = contacts->list[at - 1].next)
        if (contacts->list[at - 1].place == place) return &contacts->list[at - 1];
    return NULL;
}

struct contact *contact_new(struct cloth_contacts *contacts, uint32_t particle, uint32_t place) {
    contacts->touched[particle] = true;
    if (contacts->count == contacts->capacity) return NULL;
    struct contact *contact = &contacts->list[contacts->count++];
    *contact = (struct contact){.particle = particle, .place = place, .next = contacts->first[particle]};
    contacts->first[particle] = contacts->count;
    return contact;
}

struct vec3 contact_surface_shift(const struct pbd_collider *collider, struct vec3 local) {
    return vec3_sub(pose_to_world(&collider->substep_end, local),
                    pose_to_world(&collider->substep_start, local));
}

double contact_approach(const struct contact_pass *pass, const struct pbd_collider *collider, uint32_t i,
                        struct vec3 local, struct vec3 normal) {
    const struct cloth_state *s = &pass->cloth->state;
    struct vec3 n = pose_direction_to_world(&collider->substep_end, normal);
    struct vec3 v = vec3_make((double)s->vx[i], (double)s->vy[i], (double)s->vz[i]);
    if (rigid_moves(collider)) {
        struct vec3 at = pose_to_world(&collider->substep_end, local);
        struct vec3 surface = rigid_velocity_at(collider, at, pass->h);
        return vec3_dot(pass->cloth->frozen ? surface : vec3_sub(surface, v), n);
    }
    return vec3_dot(contact_surface_shift(collider, local), n) / pass->h - vec3_dot(v, n);
}

/* The plane of the first contact on the way from→to, piece by piece where the collider
 * turns much. x and p are the same way in the world. */
static bool first_contact(const struct pbd_collider *collider, struct vec3 from, struct vec3 to,
                          struct vec3 x, struct vec3 p, double margin, struct vec3 *point,
                          struct vec3 *normal) {
    int pieces = contact_pieces(collider);
    struct vec3 begin = from;
    for (int k = 1; k <= pieces; ++k) {
        struct vec3 end = k < pieces ? contact_piece_end(collider, x, p, k, pieces) : to;
        if (collide_shape_sweep(&collider->shape, begin, end, margin, point, normal)) return true;
        begin = end;
    }
    return false;
}

/* The slip in the units of the contact's sums. */
static struct vec3 share_of_slip(const struct two_way *sides, struct vec3 local, struct vec3 slip) {
    double size = vec3_length(slip);
    if (!(size > 0.0)) return slip;
    return vec3_scale(slip, two_way_share(sides, local, vec3_scale(slip, 1.0 / size)));
}

/* Values go on in double rather than through the floats that are stored: gcc 12 leaves out
 * the rounding of (double)(float)x where it makes vectors, and not where it does not. */
struct vec3 contact_friction(struct contact *contact, const struct two_way *sides,
                             const struct friction_pair *pair, struct vec3 normal, struct vec3 from,
                             struct vec3 to, double pressed) {
    double penetration = contact->pushed - contact->recovered + pressed;
    if (!(penetration > 0.0)) return to;
    struct vec3 applied = vec3_from(contact->friction);
    struct vec3 way = vec3_sub(to, from);
    struct vec3 slip = vec3_add_scaled(way, normal, -vec3_dot(way, normal));
    if (sides->pushes) slip = share_of_slip(sides, to, slip);
    struct vec3 f = friction_correction(pair, penetration, slip, applied);
    contact->friction[0] = (float)f.x;
    contact->friction[1] = (float)f.y;
    contact->friction[2] = (float)f.z;
    two_way_rub(sides, &to, vec3_sub(f, applied));
    return to;
}

/* Pushes the particle away from the body, or the body from it where it is held. */
static double push_apart(const struct contact_pass *pass, uint32_t i, struct vec3 x, struct two_way *sides,
                         struct vec3 *target, struct vec3 normal, double inwards) {
    if (!sides->pushes || !(sides->w > 0.0)) return two_way_push(sides, target, normal, inwards);
    struct vec3 out = pose_direction_to_world(&sides->collider->substep_end, normal);
    struct vec3 p = pose_to_world(&sides->collider->substep_end, *target);
    double climbs, own = inwards, pushed = 0.0;
    bool held = two_way_is_held(pass->world, pass->cloth, i, x, p, out, pass->h, &climbs);
    if (held && climbs < inwards) own = climbs;
    if (own > 0.0) pushed = two_way_push(sides, target, normal, own);
    if (!held) return pushed;
    sides->w = 0.0; /* unit stays, so that the contact's sums stay in one unit */
    if (!(own < inwards)) return pushed;
    double pressed = two_way_push(sides, target, normal, inwards - own);
    pass->contacts->pressed[i] += (float)pressed;
    return pushed + pressed;
}

double contact_collide(const struct contact_pass *pass, uint32_t i, uint32_t place,
                       const struct friction_pair *pair, struct vec3 x, struct vec3 *p) {
    struct pbd_collider *collider = &pass->world->colliders[place];
    if (attach_holds(pass->cloth, i, collider->id)) return INFINITY;
    struct two_way sides = two_way_of(collider, two_way_weight(pass->cloth, i));
    bool round = collider->shape.type == PBD_SPHERE || collider->shape.type == PBD_CAPSULE;
    if (sides.pushes ? pass->flat_only && round : !(sides.w > 0.0)) return INFINITY;
    if (collider->shape.type == PBD_MESH) return contact_collide_mesh(pass, i, place, pair, x, p);
    struct vec3 from = pose_to_local(&collider->substep_start, x);
    struct vec3 to = pose_to_local(&collider->substep_end, *p);
    struct vec3 point, normal;
    double distance = collide_shape_distance(&collider->shape, from, &normal);
    double arm = collider->tick_turn > 0.0 ? vec3_length(from) : 0.0;
    double clear = broad_phase_clearance(collider, distance, arm, pass->thickness);
    double depth = pass->thickness - distance;
    double margin = pass->thickness - (depth > pass->recovery ? depth - pass->recovery : 0.0);
    struct contact *contact = contact_find(pass->contacts, i, place);
    if (pass->world->has_bodies && depth > 0.0) {
        if (contact == NULL) {
            struct vec3 out = pose_direction_to_world(&collider->substep_start, normal);
            double climbs, w = sides.w;
            if (sides.pushes && two_way_is_held(pass->world, pass->cloth, i, x, *p, out, pass->h, &climbs))
                w = 0.0;
            depth -= sides.pushes ? two_way_raise(pass->world, pass->cloth, i, w, collider, out, depth,
                                                  pass->thickness, pass->h, &x, p)
                                  : two_way_free(pass->cloth, i, out, depth, pass->recovery, &x, p);
            from = pose_to_local(&collider->substep_start, x);
            to = pose_to_local(&collider->substep_end, *p);
        }
        distance = pass->thickness - depth;
        margin = depth > 0.0 ? distance : pass->thickness;
    }
    double pressed = sides.pushes ? 0.0 : (double)pass->contacts->pressed[i];
    /* Held contacts first settle their friction, which may lead into a curved shape. */
    struct vec3 target = to;
    bool hit = first_contact(collider, from, to, x, *p, margin, &point, &normal);
    double inwards = hit ? -vec3_dot(normal, vec3_sub(to, point)) : 0.0;
    if (hit && inwards > 0.0) {
        if (contact == NULL) {
            contact = contact_new(pass->contacts, i, place);
            if (contact != NULL) {
                contact->approach = (float)contact_approach(pass, collider, i, point, normal);
                contact->share = two_way_share(&sides, to, normal);
                contact->recovered = margin > distance ? margin - distance : 0.0;
            }
        }
        double pushed = push_apart(pass, i, x, &sides, &target, normal, inwards);
        if (contact != NULL) {
            contact->held = sides.pushes && !(sides.w > 0.0);
            contact->pushed += pushed;
            contact->normal[0] = (float)normal.x;
            contact->normal[1] = (float)normal.y;
            contact->normal[2] = (float)normal.z;
            target = contact_friction(contact, &sides, pair, normal, from, target, pressed);
            double left = -vec3_dot(normal, vec3_sub(target, point));
            if (left > 0.0) (void)two_way_push(&sides, &target, normal, left);
        }
    } else if (contact != NULL) {
        if (contact->held) sides.w = 0.0;
        target = contact_friction(contact, &sides, pair, vec3_from(contact->normal), from, to, pressed);
        struct vec3 world = pose_to_world(&collider->substep_end, target);
        if (first_contact(collider, from, target, x, world, margin, &point, &normal)) {
            inwards = -vec3_dot(normal, vec3_sub(target, point));
            if (inwards > 0.0) {
                contact->pushed += two_way_push(&sides, &target, normal, inwards);
            }
        }
    } else {
        return clear;
    }
    *p = pose_to_world(&collider->substep_end, target);
    return clear;
}
