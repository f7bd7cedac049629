/* Non-penetration and friction of bodies on positions, then restitution on velocities.
 *
 * Like contacts of particles (contact_pair.c), but a body at rest has several points that
 * depend on each other, so the points are swept until they agree. Within a solve poses are
 * linear in small shifts and turns (as in Müller et al. 2020, but applied once, at its
 * end), which makes a sweep cheap. Sums of λ are clamped, never single corrections.
 * Depth that was there before the substep is undone apart, without giving velocity: sums
 * that had to undo it too would overshoot from substep to substep.
 * Friction opposes the slip h·(relative velocity): a body that friction holds has no
 * velocity left to creep with. */
#include "contact/rigid_contact.h"

#include "math/elementary.h"

#define SWEEPS_MAX 30
#define VELOCITY_SWEEPS 8
#define RAISE_SWEEPS 8

/* Sweeps end when no correction is larger than this part of a substep's fall. */
#define AGREED 1e-6

static struct pbd_collider *side_a(const pbd_world *world, const struct rigid_point *point) {
    return &world->colliders[point->a];
}

static struct pbd_collider *side_b(const pbd_world *world, const struct rigid_point *point) {
    return &world->colliders[point->b];
}

/* Two unit vectors across a unit normal. */
static void tangents_of(struct vec3 n, struct vec3 tangent[2]) {
    struct vec3 least = __builtin_fabs(n.x) < 0.6 ? vec3_make(1.0, 0.0, 0.0) : vec3_make(0.0, 1.0, 0.0);
    struct vec3 t = vec3_cross(n, least);
    tangent[0] = vec3_scale(t, 1.0 / vec3_length(t));
    tangent[1] = vec3_cross(n, tangent[0]);
}

static struct vec3 direction_of(const struct rigid_point *point, int k) {
    return k == 0 ? point->normal : point->tangent[k - 1];
}

static void set_directions(struct rigid_point *point, const struct pbd_collider *a,
                           const struct pbd_collider *b) {
    for (int k = 0; k < 3; ++k) {
        struct vec3 d = direction_of(point, k);
        struct vec3 moment_a = vec3_cross(point->arm_a, d), moment_b = vec3_cross(point->arm_b, d);
        point->turn_a[k] = rigid_spin_of(a, moment_a);
        point->turn_b[k] = rigid_spin_of(b, moment_b);
        point->inverse[k] = vec3_dot(moment_a, point->turn_a[k]) + vec3_dot(moment_b, point->turn_b[k]);
        if (rigid_moves(a)) point->inverse[k] += a->body.inverse_mass;
        if (rigid_moves(b)) point->inverse[k] += b->body.inverse_mass;
    }
}

/* Two bodies this fast (of their thin size in a substep) keep the arms of where they are. */
#define SLOW 0.25

/* Arms end in one place for both, the middle between the surfaces. x' = x + h·v' makes
 * x'×v' the same as x×v', so a push of two bodies keeps their angular momentum when its
 * arms are those of the substep's start. */
static void set_arms(struct rigid_point *point, const struct pbd_collider *a, const struct pbd_collider *b,
                     struct vec3 on_a, struct vec3 on_b) {
    struct vec3 middle = vec3_scale(vec3_add(on_a, on_b), 0.5);
    point->arm_a = vec3_sub(middle, a->substep_end.position);
    point->arm_b = vec3_sub(middle, b->substep_end.position);
    if (!rigid_moves(a) || !rigid_moves(b)) return;
    struct vec3 way_a = vec3_sub(a->substep_end.position, a->substep_start.position);
    struct vec3 way_b = vec3_sub(b->substep_end.position, b->substep_start.position);
    struct vec3 half = vec3_scale(vec3_sub(way_b, way_a), 0.5);
    if (vec3_length(half) > SLOW * point->size) return;
    point->arm_a = vec3_sub(point->arm_a, half);
    point->arm_b = vec3_add(point->arm_b, half);
}

static void linearise(const pbd_world *world, struct rigid_point *point, double h) {
    const struct pbd_collider *a = side_a(world, point), *b = side_b(world, point);
    struct vec3 on_a = pose_to_world(&a->substep_end, point->at_a);
    struct vec3 on_b = pose_to_world(&b->substep_end, point->at_b);
    struct vec3 middle = vec3_scale(vec3_add(on_a, on_b), 0.5);
    struct vec3 slip =
        vec3_scale(vec3_sub(rigid_velocity_so_far(a, middle, h), rigid_velocity_so_far(b, middle, h)), h);
    tangents_of(point->normal, point->tangent);
    set_arms(point, a, b, on_a, on_b);
    point->gap = vec3_dot(point->normal, vec3_sub(on_a, on_b));
    point->slip[0] = vec3_dot(point->tangent[0], slip);
    point->slip[1] = vec3_dot(point->tangent[1], slip);
    set_directions(point, a, b);
}

/* How far the sides moved apart along direction k in this solve. */
static double moved(const struct rigid_point *point, const struct rigid_body *a, const struct rigid_body *b,
                    int k) {
    struct vec3 d = direction_of(point, k);
    struct vec3 way = vec3_add(a->shift, vec3_cross(a->turn, point->arm_a));
    way = vec3_sub(way, vec3_add(b->shift, vec3_cross(b->turn, point->arm_b)));
    return vec3_dot(d, way);
}

static void apply(const struct rigid_point *point, struct pbd_collider *a, struct pbd_collider *b, int k,
                  double lambda) {
    struct vec3 d = direction_of(point, k);
    if (rigid_moves(a)) {
        a->body.shift = vec3_add_scaled(a->body.shift, d, lambda * a->body.inverse_mass);
        a->body.turn = vec3_add_scaled(a->body.turn, point->turn_a[k], lambda);
    }
    if (rigid_moves(b)) {
        b->body.shift = vec3_add_scaled(b->body.shift, d, -lambda * b->body.inverse_mass);
        b->body.turn = vec3_add_scaled(b->body.turn, point->turn_b[k], -lambda);
    }
}

static double push_apart(struct rigid_point *point, struct pbd_collider *a, struct pbd_collider *b) {
    double gap = point->gap + moved(point, &a->body, &b->body, 0);
    double sum = point->pushed - (gap + point->depth) / point->inverse[0];
    if (sum < 0.0) sum = 0.0;
    double change = sum - point->pushed;
    if (change == 0.0) return 0.0;
    point->pushed = sum;
    apply(point, a, b, 0, change);
    return __builtin_fabs(change) * point->inverse[0];
}

static double rub(struct rigid_point *point, struct pbd_collider *a, struct pbd_collider *b) {
    double pressed = point->pushed;
    double want[2], size = 0.0;
    for (int k = 0; k < 2; ++k) {
        double slip = point->slip[k] + moved(point, &a->body, &b->body, k + 1);
        want[k] = point->rubbed[k] - slip / point->inverse[k + 1];
        size += want[k] * want[k];
    }
    size = math_sqrt(size);
    double scale = size <= point->friction.still * pressed ? 1.0 : point->friction.sliding * pressed / size;
    double largest = 0.0;
    for (int k = 0; k < 2; ++k) {
        double change = want[k] * scale - point->rubbed[k];
        if (change == 0.0) continue;
        point->rubbed[k] += change;
        apply(point, a, b, k + 1, change);
        double way = __builtin_fabs(change) * point->inverse[k + 1];
        largest = way > largest ? way : largest;
    }
    return largest;
}

static double sweep(pbd_world *world, bool backwards) {
    struct rigid_contacts *contacts = world->rigid;
    double largest = 0.0;
    for (uint32_t i = 0; i < contacts->point_count; ++i) {
        struct rigid_point *point = &contacts->points[backwards ? contacts->point_count - 1 - i : i];
        struct pbd_collider *a = side_a(world, point), *b = side_b(world, point);
        double way = push_apart(point, a, b);
        largest = way > largest ? way : largest;
        if (!(point->pushed > 0.0) && point->rubbed[0] == 0.0 && point->rubbed[1] == 0.0) continue;
        way = rub(point, a, b);
        largest = way > largest ? way : largest;
    }
    return largest;
}

static void begin_solve(pbd_world *world) {
    for (uint32_t i = 0; i < world->collider_count; ++i) {
        struct rigid_body *body = &world->colliders[world->collider_order[i]].body;
        body->shift = body->turn = vec3_make(0.0, 0.0, 0.0);
    }
}

/* The solve's shifts and turns become the poses, and velocities if they are to. */
static void finish_solve(pbd_world *world, bool velocities) {
    struct rigid_contacts *contacts = world->rigid;
    for (uint32_t i = 0; i < contacts->point_count; ++i) {
        struct rigid_point *point = &contacts->points[i];
        point->gap += moved(point, &side_a(world, point)->body, &side_b(world, point)->body, 0);
    }
    for (uint32_t i = 0; i < world->collider_count; ++i) {
        struct pbd_collider *collider = &world->colliders[world->collider_order[i]];
        if (velocities) rigid_account(collider, collider->body.shift, collider->body.turn);
        rigid_shift(collider, collider->body.shift, collider->body.turn);
    }
}

/* Undoes depth on positions alone, so that it leaves no velocity behind. */
static void raise(pbd_world *world) {
    struct rigid_contacts *contacts = world->rigid;
    bool any = false;
    for (uint32_t i = 0; i < contacts->point_count; ++i)
        any = any || contacts->points[i].rise > 0.0;
    if (!any) return;
    begin_solve(world);
    for (int k = 0; k < RAISE_SWEEPS; ++k)
        for (uint32_t i = 0; i < contacts->point_count; ++i) {
            struct rigid_point *point = &contacts->points[i];
            struct pbd_collider *a = side_a(world, point), *b = side_b(world, point);
            double gap = point->gap + moved(point, &a->body, &b->body, 0);
            double sum = point->raised - (gap + point->depth - point->rise) / point->inverse[0];
            if (sum < 0.0) sum = 0.0;
            apply(point, a, b, 0, sum - point->raised);
            point->raised = sum;
        }
    finish_solve(world, false);
}

/* The first projection applies the λ that the points begin with. */
static void apply_known(pbd_world *world) {
    struct rigid_contacts *contacts = world->rigid;
    for (uint32_t i = 0; i < contacts->point_count; ++i) {
        struct rigid_point *point = &contacts->points[i];
        const double lambda[3] = {point->pushed, point->rubbed[0], point->rubbed[1]};
        for (int k = 0; k < 3; ++k)
            if (lambda[k] != 0.0) apply(point, side_a(world, point), side_b(world, point), k, lambda[k]);
    }
}

void rigid_contacts_project(pbd_world *world, double h, int iteration) {
    struct rigid_contacts *contacts = world->rigid;
    if (!world->has_bodies || contacts == NULL) return;
    if (iteration == 0) rigid_detect(world, h);
    if (contacts->point_count == 0) return;
    begin_solve(world);
    for (uint32_t i = 0; i < contacts->point_count; ++i)
        linearise(world, &contacts->points[i], h);
    double agreed = AGREED * vec3_length(vec3_from(world->settings.gravity)) * h * h;
    if (iteration == 0) apply_known(world);
    for (int k = 0; k < SWEEPS_MAX; ++k)
        if (sweep(world, (k & 1) != 0) <= agreed) break;
    finish_solve(world, true);
    if (iteration == 0) raise(world);
}

/* ---- velocities ---- */

struct meeting {
    struct pbd_collider *a, *b;
    struct vec3 at;
    double inverse, speed; /* 1/kg; m/s apart */
};

static struct meeting meeting_of(const pbd_world *world, const struct rigid_point *point, double h) {
    struct meeting m = {.a = side_a(world, point), .b = side_b(world, point)};
    struct vec3 on_a = pose_to_world(&m.a->substep_end, point->at_a);
    struct vec3 on_b = pose_to_world(&m.b->substep_end, point->at_b);
    m.at = vec3_scale(vec3_add(on_a, on_b), 0.5);
    m.inverse = rigid_inverse_mass(m.a, m.at, point->normal) + rigid_inverse_mass(m.b, m.at, point->normal);
    m.speed =
        vec3_dot(point->normal, vec3_sub(rigid_velocity_at(m.a, m.at, h), rigid_velocity_at(m.b, m.at, h)));
    return m;
}

static void kick(const struct meeting *m, const struct rigid_point *point, double impulse) {
    rigid_kick(m->a, m->at, vec3_scale(point->normal, impulse));
    rigid_kick(m->b, m->at, vec3_scale(point->normal, -impulse));
}

static bool bounces(const struct rigid_point *point, double least) {
    return point->pushed > 0.0 && point->restitution > 0.0 && point->approach > least;
}

/* Impulses only push, in sum: the points of a face share a bounce. */
static void bounce(const pbd_world *world, struct rigid_point *point, double h) {
    struct meeting m = meeting_of(world, point, h);
    double sum = point->kicked + (point->restitution * point->approach - m.speed) / m.inverse;
    if (sum < 0.0) sum = 0.0;
    kick(&m, point, sum - point->kicked);
    point->kicked = sum;
}

static void remember(pbd_world *world) {
    struct rigid_contacts *contacts = world->rigid;
    contacts->memory_count = 0;
    for (uint32_t i = 0; i < contacts->point_count; ++i) {
        const struct rigid_point *point = &contacts->points[i];
        if (!(point->pushed > 0.0) || contacts->memory_count == contacts->memory_capacity) continue;
        contacts->memory[contacts->memory_count++] =
            (struct rigid_memory){.pair = rigid_pair_name(world, point->a, point->b),
                                  .at_a = point->at_a,
                                  .at_b = point->at_b,
                                  .normal = point->normal,
                                  .pushed = point->pushed,
                                  .rubbed = {point->rubbed[0], point->rubbed[1]}};
    }
}

void rigid_contacts_velocities(pbd_world *world, double h) {
    struct rigid_contacts *contacts = world->rigid;
    if (!world->has_bodies || contacts == NULL) return;
    double least = 2.0 * vec3_length(vec3_from(world->settings.gravity)) * h;
    bool any = false;
    for (uint32_t i = 0; i < contacts->point_count; ++i)
        any = any || bounces(&contacts->points[i], least);
    for (int k = 0; any && k < VELOCITY_SWEEPS; ++k)
        for (uint32_t i = 0; i < contacts->point_count; ++i)
            if (bounces(&contacts->points[i], least)) bounce(world, &contacts->points[i], h);
    remember(world);
}
