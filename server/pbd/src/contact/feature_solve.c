/* A contact's side is that of the first meeting on the way of this substep. Its plane goes
 * through the feature where the part now is nearest or, when it is no longer beside the
 * part's inside, where they met. The part's place is put in front of the plane, each
 * particle by its share:
 *
 *   C = n̂·(Σ bᵢpᵢ − q) − (thickness + radius) ≥ 0,   λ = −C/(Σ wᵢbᵢ² + w_collider),
 *   Δpᵢ = λ·wᵢ·bᵢ·n̂,   and the collider by −λ·n̂.
 *
 * Until the substep ends, the plane follows the part. */
#include "contact/feature_solve.h"

#include "contact/rigid.h"
#include "contact/two_way.h"
#include "math/elementary.h"

#include <string.h>

/* Turns beyond this (rad) within a substep are swept in several straight pieces. */
#define TURN_PIECE 0.1
#define PIECES_MAX 64
/* Of the distance kept: looking closer for a contact ends here. */
#define TOUCHING 0x1p-8

static double larger_of(double a, double b) {
    return a > b ? a : b;
}

static double smaller_of(double a, double b) {
    return a < b ? a : b;
}

/* The part within one call. */
struct part {
    uint32_t particles[3];
    int corners;
    double w[3];            /* 1/kg */
    struct vec3 x[3], p[3]; /* at the substep's start and now, world, exact */
};

/* Loads and stores are calls of their own: what was stored as float32 is read back as that. */
static __attribute__((noinline)) void load_part(const struct pbd_cloth *cloth, enum feature_kind kind,
                                                uint32_t index, struct part *part) {
    const struct cloth_scratch *t = &cloth->scratch;
    feature_part(cloth, kind, index, part->particles);
    part->corners = kind == FEATURE_POINT ? 3 : 2;
    for (int k = 0; k < part->corners; ++k) {
        uint32_t i = part->particles[k];
        struct vec3 base = particle_base(&cloth->state, i);
        part->w[k] = two_way_weight(cloth, i);
        part->x[k] = vec3_add(base, particle_residual(&cloth->state, i));
        part->p[k] = vec3_add(base, vec3_make((double)t->ux[i], (double)t->uy[i], (double)t->uz[i]));
    }
}

static __attribute__((noinline)) void store_part(struct pbd_cloth *cloth, const struct part *part) {
    struct cloth_scratch *t = &cloth->scratch;
    for (int k = 0; k < part->corners; ++k) {
        uint32_t i = part->particles[k];
        if (!(part->w[k] > 0.0)) continue;
        struct vec3 u = vec3_sub(part->p[k], particle_base(&cloth->state, i));
        t->ux[i] = (float)u.x;
        t->uy[i] = (float)u.y;
        t->uz[i] = (float)u.z;
    }
}

/* ---- finding the contact ---- */

static bool meet_on_the_way(const struct pbd_collider *collider, const struct feature *feature,
                            const struct part *part, struct feature_way *way, double margin, double keep,
                            struct feature_gap *gap) {
    if (collider->substep_turn <= TURN_PIECE) return feature_first_contact(feature, way, &margin, keep, gap);
    int pieces = collider->substep_turn < TURN_PIECE * PIECES_MAX
                     ? 1 + (int)(collider->substep_turn / TURN_PIECE)
                     : PIECES_MAX;
    for (int n = 1; n <= pieces; ++n) {
        double time = (double)n / (double)pieces;
        struct exact_pose pose = collider_pose_at(collider, time);
        for (int k = 0; k < part->corners; ++k) {
            struct vec3 on_way = vec3_add_scaled(part->x[k], vec3_sub(part->p[k], part->x[k]), time);
            way->to[k] = n < pieces ? pose_to_local(&pose, on_way) : way->end[k];
        }
        if (n > 1) *gap = feature_gap_of(feature->a, feature->b, way->from, way->corners);
        if (feature_first_contact(feature, way, &margin, keep, gap)) return true;
        for (int k = 0; k < part->corners; ++k)
            way->from[k] = way->to[k];
    }
    return false;
}

static double longest_step(const struct feature_way *way) {
    double longest = 0.0;
    for (int k = 0; k < way->corners; ++k) {
        struct vec3 step = vec3_sub(way->end[k], way->from[k]);
        double square = vec3_dot(step, step);
        longest = square > longest ? square : longest;
    }
    return __builtin_sqrt(longest);
}

/* What one substep may undo of an overlap at its start, m. Besides what was there when both
 * met, that is what the projections of the last substep left; it grows with the way. */
static double recoverable(const struct feature_pass *pass, const struct part *part) {
    double longest = 0.0;
    for (int k = 0; k < part->corners; ++k) {
        struct vec3 step = vec3_sub(part->p[k], part->x[k]);
        longest = larger_of(longest, vec3_dot(step, step));
    }
    return larger_of(pass->recovery, pass->substep_shift + __builtin_sqrt(longest));
}

/* The part's way in this substep, seen from the collider, and the gap at its start. */
static struct feature_way way_of_part(const struct pbd_collider *collider, const struct feature *feature,
                                      const struct part *part, struct feature_gap *gap) {
    struct feature_way way = {.corners = part->corners};
    for (int k = 0; k < part->corners; ++k) {
        way.from[k] = pose_to_local(&collider->substep_start, part->x[k]);
        way.to[k] = way.end[k] = pose_to_local(&collider->substep_end, part->p[k]);
    }
    *gap = feature_gap_of(feature->a, feature->b, way.from, way.corners);
    return way;
}

/* Whether the two are too far apart for this substep. On an arc the ends do not tell. */
static bool out_of_reach(const struct feature_pass *pass, const struct pbd_collider *collider,
                         const struct feature *feature, const struct feature_way *way,
                         const struct feature_gap *gap) {
    if (collider->substep_turn > TURN_PIECE) return false;
    return gap->distance > pass->kept + feature->radius + longest_step(way);
}

/* m from the feature at the start; *crossed: on the wrong side, then it is negative. */
static double distance_at_start(const struct feature *feature, const struct feature_way *way,
                                const struct feature_gap *gap, bool *crossed) {
    struct vec3 place = feature_place(way->from, gap->weight, way->corners);
    *crossed = gap->across && feature_is_crossed(feature, gap->normal, place);
    return *crossed ? -gap->distance : gap->distance;
}

/* What lies on something counts as heavy, as far as the body comes to it (two_way.h). Returns
 * how far the place itself comes to the body. */
static double hold_what_lies(const struct feature_pass *pass, struct part *part, const double *weight,
                             struct vec3 direction) {
    double own = 0.0, climbs;
    for (int k = 0; k < part->corners; ++k) {
        if (!(part->w[k] > 0.0)) continue;
        if (!two_way_is_held(pass->world, pass->cloth, part->particles[k], part->x[k], part->p[k], direction,
                             pass->h, &climbs))
            continue;
        part->w[k] = 0.0;
        own += weight[k] * climbs;
    }
    return own;
}

/* Undoes depth against a body (two_way.h), by every particle of the part alike. */
static void raise_part(const struct feature_pass *pass, struct pbd_collider *collider,
                       const struct feature *feature, struct part *part, struct feature_way *way,
                       struct feature_gap *gap) {
    bool crossed;
    double depth = pass->kept + feature->radius - distance_at_start(feature, way, gap, &crossed);
    if (!(depth > 0.0)) return;
    struct part light = *part;
    struct vec3 out = pose_direction_to_world(&collider->substep_start, gap->normal);
    if (crossed) out = vec3_scale(out, -1.0);
    (void)hold_what_lies(pass, part, gap->weight, out);
    for (int k = 0; k < part->corners; ++k) {
        (void)two_way_raise(pass->world, pass->cloth, part->particles[k], part->w[k], collider, out, depth,
                            pass->kept, pass->h, &part->x[k], &part->p[k]);
        part->w[k] = light.w[k];
    }
    *way = way_of_part(collider, feature, part, gap);
}

/* Fills contact's gap, keep and recovered (here in m); gap: at the start of the way. */
static bool find_contact(const struct feature_pass *pass, const struct pbd_collider *collider,
                         const struct feature *feature, const struct part *part, struct feature_way *way,
                         const struct feature_gap *gap, struct feature_contact *contact) {
    double margin = pass->kept + feature->radius;
    bool crossed;
    double before = distance_at_start(feature, way, gap, &crossed), depth = margin - before;
    double recovery = rigid_moves(collider) ? 0.0 : recoverable(pass, part);
    contact->keep = margin - (depth > recovery ? depth - recovery : 0.0);
    contact->recovered = contact->keep > before ? contact->keep - before : 0.0;
    contact->gap = *gap;
    if (crossed) {
        contact->gap.normal = vec3_scale(gap->normal, -1.0);
        return feature_height(&contact->gap, way->end, way->corners) < contact->keep;
    }
    way->touching = TOUCHING * margin;
    return meet_on_the_way(collider, feature, part, way, margin, contact->keep, &contact->gap);
}

/* ---- pushing ---- */

/* Both sides of a contact. Pushes act at one place, the part's, so that angular momentum is
 * kept as well. */
struct sides {
    struct pbd_collider *collider;
    struct vec3 at; /* world */
    const double *weight;
};

/* 1/kg along a unit direction. */
static double inverse_mass(const struct sides *sides, const struct part *part, struct vec3 direction) {
    double sum = rigid_inverse_mass(sides->collider, sides->at, direction);
    for (int k = 0; k < part->corners; ++k)
        sum += part->w[k] * sides->weight[k] * sides->weight[k];
    return sum;
}

static void push(const struct sides *sides, struct part *part, struct vec3 impulse) {
    for (int k = 0; k < part->corners; ++k)
        part->p[k] = vec3_add_scaled(part->p[k], impulse, part->w[k] * sides->weight[k]);
    rigid_push(sides->collider, sides->at, vec3_scale(impulse, -1.0));
}

/* The size of a push that gains `want` m. A particle with a small weight beside pinned ones
 * would have to go far for it: none goes further than twice the gain. */
static double push_size(const struct sides *sides, const struct part *part, struct vec3 n, double want) {
    double inverse = inverse_mass(sides, part, n), most = 0.0;
    if (!(inverse > 0.0)) return 0.0;
    for (int k = 0; k < part->corners; ++k)
        most = larger_of(part->w[k] * sides->weight[k], most);
    double size = want / inverse;
    return size * most > 2.0 * want ? 2.0 * want / most : size;
}

/* How far a place of the part is from where the contact wants it, along n: < 0 too near. */
static double room(const struct feature_contact *contact, const struct exact_pose *pose, struct vec3 place) {
    struct vec3 off = vec3_sub(pose_to_local(pose, place), contact->gap.at);
    return vec3_dot(contact->gap.normal, off) - contact->keep;
}

/* Coulomb's law on the sums of a substep's pushes, so that each side's mass drops out. */
static void rub(struct feature_contact *contact, const struct friction_pair *friction,
                struct pbd_collider *collider, struct part *part) {
    double pressed = contact->pushed - contact->recovered;
    if (!(pressed > 0.0)) return;
    struct vec3 from =
        pose_to_local(&collider->substep_start, feature_place(part->x, contact->gap.weight, part->corners));
    struct vec3 place = feature_place(part->p, contact->gap.weight, part->corners);
    struct vec3 slip = vec3_sub(pose_to_local(&collider->substep_end, place), from);
    struct vec3 n = contact->gap.normal;
    slip = vec3_add_scaled(slip, n, -vec3_dot(slip, n));
    double size = vec3_length(slip);
    struct sides sides = {collider, place, contact->gap.weight};
    if (size > 0.0) {
        struct vec3 along = pose_direction_to_world(&collider->substep_end, vec3_scale(slip, 1.0 / size));
        double inverse = inverse_mass(&sides, part, along);
        if (!(inverse > 0.0)) return;
        slip = vec3_scale(slip, 1.0 / inverse);
    }
    struct vec3 f = friction_correction(friction, pressed, slip, contact->friction);
    struct vec3 change = vec3_sub(f, contact->friction);
    contact->friction = f;
    push(&sides, part, pose_direction_to_world(&collider->substep_end, change));
}

/* m/s at which the part came, as predicted, towards the collider. */
static double approach(const struct feature_pass *pass, const struct sides *sides, const struct part *part,
                       struct vec3 n) {
    const struct cloth_state *s = &pass->cloth->state;
    double speed = vec3_dot(rigid_velocity_at(sides->collider, sides->at, pass->h), n);
    for (int k = 0; k < part->corners && !pass->cloth->frozen; ++k) {
        uint32_t i = part->particles[k];
        struct vec3 v = {(double)s->vx[i], (double)s->vy[i], (double)s->vz[i]};
        speed -= sides->weight[k] * vec3_dot(v, n);
    }
    return speed;
}

/* The stats count vertices, so the nearest one touches. */
static void count_touching(const struct feature_pass *pass, const struct feature_contact *contact,
                           const struct part *part) {
    int nearest = 0;
    for (int k = 1; k < part->corners; ++k)
        if (contact->gap.weight[k] > contact->gap.weight[nearest]) nearest = k;
    pass->cloth->contacts->touched[part->particles[nearest]] = true;
}

/* A place in the list for a contact that begins; `spare` when there is none: then the part
 * is held, but slides freely from one projection to the next. */
static struct feature_contact *keep_contact(const struct feature_pass *pass, struct feature_pair *pair,
                                            struct feature_contact *spare) {
    struct cloth_features *f = pass->features;
    void *contacts = f->contacts;
    bool free_place = feature_grow(&contacts, &f->contact_capacity, f->contact_count, sizeof *f->contacts);
    f->contacts = contacts;
    if (!free_place) return spare;
    spare->pair = (uint32_t)(pair - f->pairs);
    f->contacts[f->contact_count] = *spare;
    pair->contact = ++f->contact_count;
    return &f->contacts[f->contact_count - 1];
}

/* Two normals of one contact that agree less than this (cosine) tell nothing of each other. */
#define SAME_SIDE 0.3

/* Turns the plane to where the part now is, if the feature is still beside its inside: so
 * both sides are pushed along one line, and angular momentum is kept. */
static bool aim(struct feature_contact *contact, const struct feature *feature, const struct vec3 *now,
                int corners) {
    struct feature_gap gap = feature_gap_of(feature->a, feature->b, now, corners);
    double side = vec3_dot(gap.normal, contact->gap.normal);
    if (side < 0.0) gap.normal = vec3_scale(gap.normal, -1.0);
    if (!gap.across || __builtin_fabs(side) < SAME_SIDE || !feature_allows(feature, gap.normal)) return false;
    contact->gap = gap;
    return true;
}

/* After pushes: where the feature has left the part's inside, it may have met it in another
 * place before. */
static void follow(const struct feature_pass *pass, struct feature_contact *contact,
                   const struct feature *feature, const struct pbd_collider *collider,
                   const struct part *part) {
    struct feature_gap gap;
    struct feature_way way = way_of_part(collider, feature, part, &gap);
    if (aim(contact, feature, way.end, way.corners)) return;
    struct feature_contact again = *contact;
    if (find_contact(pass, collider, feature, part, &way, &gap, &again)) contact->gap = again.gap;
}

/* How far the pair's particles are from where they were when the list was made. */
static double way_since_list(const struct feature_pass *pass, const struct part *part) {
    const struct cloth_features *f = pass->features;
    double longest = 0.0;
    for (int k = 0; k < part->corners; ++k) {
        uint32_t i = part->particles[k];
        struct vec3 before = {(double)f->x[i], (double)f->y[i], (double)f->z[i]};
        struct vec3 start = vec3_sub(part->x[k], before), now = vec3_sub(part->p[k], before);
        longest = larger_of(longest, larger_of(vec3_dot(start, start), vec3_dot(now, now)));
    }
    return __builtin_sqrt(longest);
}

/* Returns λ, kg·m. What is held stays so for the friction that follows. */
static double push_apart(const struct feature_pass *pass, struct feature_contact *contact,
                         const struct sides *sides, struct part *part, struct vec3 n, double want) {
    double sum = 0.0;
    contact->held = 0;
    if (rigid_moves(sides->collider)) {
        struct part light = *part;
        double own = smaller_of(hold_what_lies(pass, part, sides->weight, n), want);
        for (int k = 0; k < part->corners; ++k)
            if (light.w[k] > 0.0 && !(part->w[k] > 0.0)) contact->held |= 1u << k;
        if (own > 0.0 && contact->held != 0) {
            sum = push_size(sides, &light, n, own);
            push(sides, &light, vec3_scale(n, sum));
            memcpy(part->p, light.p, sizeof part->p);
            want -= own;
        }
    }
    double size = want > 0.0 ? push_size(sides, part, n, want) : 0.0;
    push(sides, part, vec3_scale(n, size));
    for (int k = 0; k < part->corners; ++k)
        if ((contact->held & 1u << k) != 0)
            pass->cloth->contacts->pressed[part->particles[k]] +=
                (float)(size * sides->weight[k] * two_way_weight(pass->cloth, part->particles[k]));
    return sum + size;
}

double feature_solve(const struct feature_pass *pass, const struct feature_group *group,
                     enum feature_kind kind, struct feature_pair *pair) {
    struct pbd_collider *collider = &pass->world->colliders[group->place];
    struct feature_contact begun = {.place = group->place, .part = pair->part, .feature = pair->feature};
    struct feature_contact *contact = &begun;
    struct part part;
    load_part(pass->cloth, kind, pair->part, &part);
    const pbd_collision_mesh *mesh = feature_mesh(collider);
    if (pair->contact != 0) {
        struct feature feature = feature_make(&collider->shape, mesh, kind, pair->feature);
        contact = &pass->features->contacts[pair->contact - 1];
        follow(pass, contact, &feature, collider, &part);
    } else {
        if (way_since_list(pass, &part) + pass->shift < (double)pair->clear) return 0.0;
        struct feature feature = feature_outline(&collider->shape, mesh, kind, pair->feature);
        struct feature_gap gap;
        struct feature_way way = way_of_part(collider, &feature, &part, &gap);
        /* What began on the wrong side may be far inside. */
        if (pair->clear >= 0.0f && out_of_reach(pass, collider, &feature, &way, &gap)) return 0.0;
        feature = feature_make(&collider->shape, mesh, kind, pair->feature);
        if (rigid_moves(collider)) raise_part(pass, collider, &feature, &part, &way, &gap);
        if (!find_contact(pass, collider, &feature, &part, &way, &gap, contact)) return 0.0;
        (void)aim(contact, &feature, way.end, way.corners);
    }
    struct sides sides = {collider, feature_place(part.p, contact->gap.weight, part.corners),
                          contact->gap.weight};
    double want = -room(contact, &collider->substep_end, sides.at);
    struct vec3 n = pose_direction_to_world(&collider->substep_end, contact->gap.normal);
    if (pair->contact == 0) {
        double inverse = inverse_mass(&sides, &part, n);
        if (!(inverse > 0.0) || !(want > 0.0)) return 0.0;
        contact->corners = part.corners;
        for (int k = 0; k < part.corners; ++k)
            contact->particles[k] = part.particles[k];
        contact->mass = 1.0 / inverse;
        contact->recovered *= contact->mass;
        contact->approach = approach(pass, &sides, &part, n);
        count_touching(pass, contact, &part);
        contact = keep_contact(pass, pair, contact);
        sides.weight = contact->gap.weight;
    }
    if (want > 0.0) {
        contact->pushed += push_apart(pass, contact, &sides, &part, n, want);
        for (int k = 0; k < part.corners; ++k)
            pass->features->pushed[part.particles[k]] = (uint8_t)(pass->round + 1);
    }
    rub(contact, &group->friction, collider, &part);
    for (int k = 0; k < part.corners; ++k)
        if ((contact->held & 1u << k) != 0) part.w[k] = two_way_weight(pass->cloth, part.particles[k]);
    store_part(pass->cloth, &part);
    return want > 0.0 ? want : 0.0;
}

/* ---- velocities ---- */

static double settled_weight(const struct pbd_cloth *cloth, const struct feature_contact *contact, int k) {
    return (contact->held & 1u << k) != 0 ? 0.0 : two_way_weight(cloth, contact->particles[k]);
}

void feature_settle(pbd_world *world, struct pbd_cloth *cloth, const struct feature_contact *contact,
                    double h) {
    struct pbd_collider *collider = &world->colliders[contact->place];
    struct cloth_state *s = &cloth->state;
    struct vec3 x[3];
    for (int k = 0; k < contact->corners; ++k) {
        uint32_t i = contact->particles[k];
        x[k] = vec3_add(particle_base(s, i), particle_residual(s, i));
    }
    struct vec3 at = feature_place(x, contact->gap.weight, contact->corners);
    struct vec3 n = pose_direction_to_world(&collider->substep_end, contact->gap.normal);
    double speed = -vec3_dot(rigid_velocity_at(collider, at, h), n);
    double inverse = rigid_inverse_mass(collider, at, n);
    for (int k = 0; k < contact->corners; ++k) {
        uint32_t i = contact->particles[k];
        double weight = contact->gap.weight[k];
        struct vec3 v = {(double)s->vx[i], (double)s->vy[i], (double)s->vz[i]};
        if (!cloth->frozen) speed += weight * vec3_dot(v, n);
        inverse += settled_weight(cloth, contact, k) * weight * weight;
    }
    if (!(inverse > 0.0)) return;
    double settled = speed;
    double undone = smaller_of(contact->pushed, contact->recovered) / contact->mass;
    if (speed > 0.0 && undone > 0.0) settled = larger_of(speed - undone / h, 0.0);
    double restitution = (double)math_maxf(cloth->settings.restitution, collider->def.restitution);
    double gravity = vec3_length(vec3_from(world->settings.gravity));
    if (restitution > 0.0 && contact->approach > 2.0 * gravity * h)
        settled = larger_of(settled, restitution * contact->approach);
    if (settled == speed) return;
    double size = (settled - speed) / inverse;
    rigid_kick(collider, at, vec3_scale(n, -size));
    for (int k = 0; k < contact->corners; ++k) {
        uint32_t i = contact->particles[k];
        double gain = size * settled_weight(cloth, contact, k) * contact->gap.weight[k];
        if (!(gain != 0.0)) continue;
        s->vx[i] = (float)((double)s->vx[i] + n.x * gain);
        s->vy[i] = (float)((double)s->vy[i] + n.y * gain);
        s->vz[i] = (float)((double)s->vz[i] + n.z * gain);
    }
}
