/* Contacts of a cloth's particles with colliders, one particle at a time.
 *
 * Both ends of a particle's way x→p are looked at from the collider, so its motion is
 * part of the way. The first contact on that way gives a tangent plane behind which the
 * whole (convex) shape lies; p is put in front of it, then friction acts along it. A
 * particle that starts inside keeps the plane of the face it is nearest to, so nothing
 * is pushed through a thin shape, however fast. */
#include "contact/contact_internal.h"

#include <stdlib.h>
#include <string.h>

#include "math/elementary.h"

/* Turns beyond this (rad) within a substep are swept in several straight pieces. */
#define TURN_PIECE 0.1
#define PIECES_MAX 64

/* ---- memory ---- */

/* A particle in a wedge touches two; a third contact at once is rare enough to share. */
#define CONTACTS_PER_PARTICLE 2u

int contact_create(struct pbd_cloth *cloth) {
    cloth->contacts = calloc(1, sizeof *cloth->contacts);
    if (cloth->contacts == NULL) return PBD_OUT_OF_MEMORY;
    cloth->contacts->fresh = true;
    return PBD_OK;
}

void contact_destroy(struct pbd_cloth *cloth) {
    struct cloth_contacts *contacts = cloth->contacts;
    if (contacts == NULL) return;
    free(contacts->near);
    free(contacts->near_friction);
    free(contacts->clearance);
    free(contacts->first);
    free(contacts->touched);
    free(contacts->list);
    free(contacts);
    cloth->contacts = NULL;
}

/* What is needed per particle, from the first collider on. */
static int reserve_particles(struct cloth_contacts *contacts, uint32_t padded_count) {
    if (contacts->touched != NULL) return PBD_OK;
    if (contacts->clearance == NULL) contacts->clearance = aligned_floats(padded_count);
    if (contacts->first == NULL) contacts->first = calloc(padded_count, sizeof *contacts->first);
    if (contacts->clearance == NULL || contacts->first == NULL) return PBD_OUT_OF_MEMORY;
    contacts->touched = calloc(padded_count, sizeof *contacts->touched);
    return contacts->touched != NULL ? PBD_OK : PBD_OUT_OF_MEMORY;
}

int contact_reserve_colliders(struct pbd_cloth *cloth, uint32_t collider_count) {
    struct cloth_contacts *contacts = cloth->contacts;
    if (collider_count <= contacts->collider_capacity) return PBD_OK;
    if (reserve_particles(contacts, cloth->fabric->padded_count) < 0) return PBD_OUT_OF_MEMORY;
    uint32_t room = collider_count + collider_count / 2;
    uint32_t *near = realloc(contacts->near, room * sizeof *near);
    if (near == NULL) return PBD_OUT_OF_MEMORY;
    contacts->near = near;
    struct friction_pair *near_friction = realloc(contacts->near_friction, room * sizeof *near_friction);
    if (near_friction == NULL) return PBD_OUT_OF_MEMORY;
    contacts->near_friction = near_friction;
    uint32_t capacity = cloth->fabric->particle_count * math_minu(room, CONTACTS_PER_PARTICLE);
    if (capacity > contacts->capacity) {
        struct contact *list = realloc(contacts->list, capacity * sizeof *list);
        if (list == NULL) return PBD_OUT_OF_MEMORY;
        contacts->list = list;
        contacts->capacity = capacity;
    }
    contacts->collider_capacity = room;
    return PBD_OK;
}

void contact_forget(struct pbd_cloth *cloth) {
    cloth->contacts->fresh = true;
}

size_t contact_state_size(const struct pbd_cloth *cloth) {
    return sizeof cloth->contacts->fresh;
}

void contact_state_save(const struct pbd_cloth *cloth, void *out) {
    memcpy(out, &cloth->contacts->fresh, sizeof cloth->contacts->fresh);
}

void contact_state_load(struct pbd_cloth *cloth, const void *in) {
    memcpy(&cloth->contacts->fresh, in, sizeof cloth->contacts->fresh);
}

/* ---- one particle, one collider ---- */

/* What stays the same for a cloth within one projection. */
struct pass {
    const pbd_world *world;
    struct pbd_cloth *cloth;
    struct cloth_contacts *contacts;
    double h, thickness, recovery; /* s, m, m: depth that one substep may undo */
};

static struct contact *find_contact(const struct cloth_contacts *contacts, uint32_t particle,
                                    uint32_t place) {
    for (uint32_t at = contacts->first[particle]; at != 0; at = contacts->list[at - 1].next)
        if (contacts->list[at - 1].place == place) return &contacts->list[at - 1];
    return NULL;
}

/* NULL when the list is full: then the particle is held, but slides freely. */
static struct contact *new_contact(struct cloth_contacts *contacts, uint32_t particle, uint32_t place) {
    contacts->touched[particle] = true;
    if (contacts->count == contacts->capacity) return NULL;
    struct contact *contact = &contacts->list[contacts->count++];
    *contact = (struct contact){.particle = particle, .place = place, .next = contacts->first[particle]};
    contacts->first[particle] = contacts->count;
    return contact;
}

/* How the collider's surface moves at a local point in this substep, m. */
static struct vec3 surface_shift(const struct pbd_collider *collider, struct vec3 local) {
    return vec3_sub(pose_to_world(&collider->substep_end, local),
                    pose_to_world(&collider->substep_start, local));
}

static double approach_speed(const struct pass *pass, const struct pbd_collider *collider, uint32_t i,
                             struct vec3 local, struct vec3 normal) {
    const struct cloth_state *s = &pass->cloth->state;
    struct vec3 n = pose_direction_to_world(&collider->substep_end, normal);
    struct vec3 v = vec3_make((double)s->vx[i], (double)s->vy[i], (double)s->vz[i]);
    return vec3_dot(surface_shift(collider, local), n) / pass->h - vec3_dot(v, n);
}

/* The plane of the first contact on the way from→to, piece by piece where the collider
 * turns much. x and p are the same way in the world. */
static bool first_contact(const struct pbd_collider *collider, struct vec3 from, struct vec3 to,
                          struct vec3 x, struct vec3 p, double margin, struct vec3 *point,
                          struct vec3 *normal) {
    if (collider->substep_turn <= TURN_PIECE)
        return collide_shape_sweep(&collider->shape, from, to, margin, point, normal);
    int pieces = collider->substep_turn < TURN_PIECE * PIECES_MAX
                     ? 1 + (int)(collider->substep_turn / TURN_PIECE)
                     : PIECES_MAX;
    struct vec3 way = vec3_sub(p, x), begin = from;
    for (int k = 1; k <= pieces; ++k) {
        double time = (double)k / (double)pieces;
        struct vec3 end = to;
        if (k < pieces) {
            struct exact_pose pose = collider_pose_at(collider, time);
            end = pose_to_local(&pose, vec3_add_scaled(x, way, time));
        }
        if (collide_shape_sweep(&collider->shape, begin, end, margin, point, normal)) return true;
        begin = end;
    }
    return false;
}

/* Brings the contact's friction up to date; to is p seen from the collider. Values go on
 * in double rather than through the floats that are stored: gcc 12 leaves out the rounding
 * of (double)(float)x where it makes vectors, and not where it does not. */
static struct vec3 apply_friction(struct contact *contact, const struct friction_pair *pair,
                                  struct vec3 normal, struct vec3 from, struct vec3 to) {
    double penetration = contact->pushed - contact->recovered;
    if (!(penetration > 0.0)) return to;
    struct vec3 applied = vec3_from(contact->friction);
    struct vec3 way = vec3_sub(to, from);
    struct vec3 slip = vec3_add_scaled(way, normal, -vec3_dot(way, normal));
    struct vec3 f = friction_correction(pair, penetration, slip, applied);
    contact->friction[0] = (float)f.x;
    contact->friction[1] = (float)f.y;
    contact->friction[2] = (float)f.z;
    return vec3_add(to, vec3_sub(f, applied));
}

/* Takes *p out of one collider. Returns what the particle may travel from x before it
 * could meet it in this tick. */
static double collide(const struct pass *pass, uint32_t i, uint32_t place, const struct friction_pair *pair,
                      struct vec3 x, struct vec3 *p) {
    const struct pbd_collider *collider = &pass->world->colliders[place];
    struct vec3 from = pose_to_local(&collider->substep_start, x);
    struct vec3 to = pose_to_local(&collider->substep_end, *p);
    struct vec3 point, normal;
    double distance = collide_shape_distance(&collider->shape, from, &normal);
    double arm = collider->tick_turn > 0.0 ? vec3_length(from) : 0.0;
    double clear = broad_phase_clearance(collider, distance, arm, pass->thickness);
    double depth = pass->thickness - distance;
    double margin = pass->thickness - (depth > pass->recovery ? depth - pass->recovery : 0.0);
    struct contact *contact = find_contact(pass->contacts, i, place);
    /* Held contacts first settle their friction, which may lead into a curved shape. */
    struct vec3 target = to;
    bool hit = first_contact(collider, from, to, x, *p, margin, &point, &normal);
    double inwards = hit ? -vec3_dot(normal, vec3_sub(to, point)) : 0.0;
    if (hit && inwards > 0.0) {
        if (contact == NULL) {
            contact = new_contact(pass->contacts, i, place);
            if (contact != NULL) {
                contact->approach = (float)approach_speed(pass, collider, i, point, normal);
                contact->recovered = margin > distance ? margin - distance : 0.0;
            }
        }
        target = vec3_add_scaled(to, normal, inwards);
        if (contact != NULL) {
            contact->pushed += inwards;
            contact->normal[0] = (float)normal.x;
            contact->normal[1] = (float)normal.y;
            contact->normal[2] = (float)normal.z;
            target = apply_friction(contact, pair, normal, from, target);
            double left = -vec3_dot(normal, vec3_sub(target, point));
            if (left > 0.0) target = vec3_add_scaled(target, normal, left);
        }
    } else if (contact != NULL) {
        target = apply_friction(contact, pair, vec3_from(contact->normal), from, to);
        struct vec3 world = pose_to_world(&collider->substep_end, target);
        if (first_contact(collider, from, target, x, world, margin, &point, &normal)) {
            inwards = -vec3_dot(normal, vec3_sub(target, point));
            if (inwards > 0.0) {
                contact->pushed += inwards;
                target = vec3_add_scaled(target, normal, inwards);
            }
        }
    } else {
        return clear;
    }
    *p = pose_to_world(&collider->substep_end, target);
    return clear;
}

/* ---- one cloth ---- */

static void resolve_particle(const struct pass *pass, uint32_t i, double travel) {
    struct pbd_cloth *cloth = pass->cloth;
    struct cloth_contacts *contacts = pass->contacts;
    struct cloth_scratch *t = &cloth->scratch;
    struct vec3 base = particle_base(&cloth->state, i);
    struct vec3 x = vec3_add(base, particle_residual(&cloth->state, i));
    struct vec3 p = vec3_add(base, vec3_make((double)t->ux[i], (double)t->uy[i], (double)t->uz[i]));
    double clear = contacts->far_clearance;
    if (travel < contacts->far_clearance) {
        for (uint32_t k = 0; k < contacts->near_count; ++k) {
            double one = collide(pass, i, contacts->near[k], &contacts->near_friction[k], x, &p);
            clear = one < clear ? one : clear;
        }
    } else {
        const struct pbd_cloth_settings *c = &cloth->settings;
        for (uint32_t k = 0; k < pass->world->collider_count; ++k) {
            uint32_t place = pass->world->collider_order[k];
            const struct pbd_collider_def *d = &pass->world->colliders[place].def;
            struct friction_pair pair =
                friction_combine(c->friction, c->static_friction, d->friction, d->static_friction);
            double one = collide(pass, i, place, &pair, x, &p);
            clear = one < clear ? one : clear;
        }
    }
    contacts->clearance[i] = (float)clear;
    struct vec3 u = vec3_sub(p, base);
    t->ux[i] = (float)u.x;
    t->uy[i] = (float)u.y;
    t->uz[i] = (float)u.z;
}

void contact_begin_tick(pbd_world *world, struct pbd_cloth *cloth) {
    struct cloth_contacts *contacts = cloth->contacts;
    if (contacts->touched != NULL)
        memset(contacts->touched, 0, cloth->fabric->padded_count * sizeof *contacts->touched);
    if (world->collider_count > 0) broad_phase(world, cloth);
    contacts->fresh = false;
}

void contact_begin_substep(pbd_world *world, struct pbd_cloth *cloth, float h) {
    (void)world;
    (void)h;
    struct cloth_contacts *contacts = cloth->contacts;
    for (uint32_t i = 0; i < contacts->count; ++i)
        contacts->first[contacts->list[i].particle] = 0;
    contacts->count = 0;
}

/* Lanes are independent and their count is fixed, so compilers make vectors of them. */
struct lanes {
    float at[CONTACT_BLOCK];
};

/* Squares of what a block's particles travelled since the substep's start. */
static struct lanes travels_squared(const struct pbd_cloth *cloth, uint32_t first) {
    const struct cloth_state *s = &cloth->state;
    const struct cloth_scratch *t = &cloth->scratch;
    const float *ux = t->ux + first, *uy = t->uy + first, *uz = t->uz + first;
    const float *ex = s->ex + first, *ey = s->ey + first, *ez = s->ez + first;
    struct lanes square;
    for (uint32_t k = 0; k < CONTACT_BLOCK; ++k) {
        float x = ux[k] - ex[k], y = uy[k] - ey[k], z = uz[k] - ez[k];
        square.at[k] = x * x + y * y + z * z;
    }
    return square;
}

/* Squares of the clearances with their signs: c·|c|. */
static struct lanes limits_squared(const float *clearance) {
    struct lanes limit;
    for (uint32_t k = 0; k < CONTACT_BLOCK; ++k)
        limit.at[k] = clearance[k] * math_absf(clearance[k]);
    return limit;
}

void contact_project(pbd_world *world, struct pbd_cloth *cloth, float h) {
    if (world->collider_count == 0) return;
    struct cloth_contacts *contacts = cloth->contacts;
    struct pass pass = {.world = world,
                        .cloth = cloth,
                        .contacts = contacts,
                        .h = (double)h,
                        .thickness = (double)cloth->settings.thickness,
                        .recovery = (double)world->settings.max_depenetration * (double)h};
    for (uint32_t first = 0; first < cloth->fabric->padded_count; first += CONTACT_BLOCK) {
        struct lanes travel = travels_squared(cloth, first),
                     limit = limits_squared(contacts->clearance + first);
        int due = 0;
        for (uint32_t k = 0; k < CONTACT_BLOCK; ++k)
            due |= travel.at[k] >= limit.at[k];
        if (due == 0) continue;
        for (uint32_t k = 0; k < CONTACT_BLOCK; ++k)
            if (travel.at[k] >= limit.at[k])
                resolve_particle(&pass, first + k, __builtin_sqrt((double)travel.at[k]));
    }
}

/* What the substep travelled is taken from the clearances. */
static void spend_clearance(struct pbd_cloth *cloth, double h) {
    struct cloth_contacts *contacts = cloth->contacts;
    float step = (float)(h * (1.0 + 0x1p-20));
    struct lanes longest = {{0.0f}};
    for (uint32_t first = 0; first < cloth->fabric->padded_count; first += CONTACT_BLOCK) {
        const float *vx = cloth->state.vx + first, *vy = cloth->state.vy + first,
                    *vz = cloth->state.vz + first;
        float *clearance = contacts->clearance + first;
        for (uint32_t k = 0; k < CONTACT_BLOCK; ++k) {
            float travel = math_sqrtf(vx[k] * vx[k] + vy[k] * vy[k] + vz[k] * vz[k]) * step;
            clearance[k] -= travel;
            longest.at[k] = math_maxf(travel, longest.at[k]);
        }
    }
    for (uint32_t k = 1; k < CONTACT_BLOCK; ++k)
        longest.at[0] = math_maxf(longest.at[k], longest.at[0]);
    contacts->far_clearance -= (double)longest.at[0];
}

/* Restitution, and the end of velocities that only undid an overlap. */
static void settle_velocity(const pbd_world *world, struct pbd_cloth *cloth, const struct contact *contact,
                            double h) {
    const struct pbd_collider *collider = &world->colliders[contact->place];
    struct cloth_state *s = &cloth->state;
    uint32_t i = contact->particle;
    struct vec3 x = vec3_add(particle_base(s, i), particle_residual(s, i));
    struct vec3 local = pose_to_local(&collider->substep_end, x);
    struct vec3 n = pose_direction_to_world(&collider->substep_end, vec3_from(contact->normal));
    struct vec3 v = vec3_make((double)s->vx[i], (double)s->vy[i], (double)s->vz[i]);
    double speed = vec3_dot(v, n) - vec3_dot(surface_shift(collider, local), n) / h;
    double settled = speed;
    double undone = contact->pushed < contact->recovered ? contact->pushed : contact->recovered;
    if (speed > 0.0 && undone > 0.0) {
        settled = speed - undone / h;
        if (settled < 0.0) settled = 0.0;
    }
    double restitution = (double)math_maxf(cloth->settings.restitution, collider->def.restitution);
    double gravity = vec3_length(vec3_from(world->settings.gravity));
    if (restitution > 0.0 && (double)contact->approach > 2.0 * gravity * h) {
        double bounce = restitution * (double)contact->approach;
        if (settled < bounce) settled = bounce;
    }
    if (settled == speed) return;
    v = vec3_add_scaled(v, n, settled - speed);
    s->vx[i] = (float)v.x;
    s->vy[i] = (float)v.y;
    s->vz[i] = (float)v.z;
}

void contact_velocities(pbd_world *world, struct pbd_cloth *cloth, float h) {
    if (world->collider_count == 0) return;
    const struct cloth_contacts *contacts = cloth->contacts;
    spend_clearance(cloth, (double)h);
    for (uint32_t k = 0; k < contacts->count; ++k)
        settle_velocity(world, cloth, &contacts->list[k], (double)h);
}

void contact_end_tick(pbd_world *world, struct pbd_cloth *cloth) {
    const struct cloth_contacts *contacts = cloth->contacts;
    if (world->collider_count == 0) return;
    for (uint32_t i = 0; i < cloth->fabric->particle_count; ++i)
        if (contacts->touched[i]) ++world->contact_count;
}
