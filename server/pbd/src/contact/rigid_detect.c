/* The points of contact of a substep.
 *
 * Slow pairs are looked at where they are predicted to be. A pair that moves further in
 * the substep than half of what is thin about it could pass through, or out on the wrong
 * side, so it is looked at where it first touches: conservative advancement (Mirtich,
 * Impulse-based Dynamic Simulation, 1996), against meshes in steps. */
#include "contact/contact.h"
#include "contact/rigid_contact.h"

/* What two colliders do in this substep, relative to each other. */
struct encounter {
    const struct pbd_collider *a, *b;
    struct vec3 way; /* of a's centre seen from b's, m */
    double turn;     /* m, how far a surface goes by turning */
    double size;     /* m, what is thin about them */
};

static double thin(const struct collide_shape *shape) {
    if (shape->type == PBD_SPHERE || shape->type == PBD_CAPSULE) return shape->radius;
    if (shape->type != PBD_BOX) return INFINITY;
    double least = shape->half.x < shape->half.y ? shape->half.x : shape->half.y;
    return least < shape->half.z ? least : shape->half.z;
}

static double turning(const struct pbd_collider *collider, double reach) {
    double arm = collider->shape.bound < reach ? collider->shape.bound : reach;
    return collider->substep_turn > 0.0 ? collider->substep_turn * arm : 0.0;
}

static struct encounter encounter_of(const struct pbd_collider *a, const struct pbd_collider *b) {
    struct vec3 way_a = vec3_sub(a->substep_end.position, a->substep_start.position);
    struct vec3 way_b = vec3_sub(b->substep_end.position, b->substep_start.position);
    struct vec3 apart = vec3_sub(a->substep_end.position, b->substep_end.position);
    double reach = vec3_length(apart) + a->shape.bound + vec3_length(way_a) + vec3_length(way_b);
    double size_a = thin(&a->shape), size_b = thin(&b->shape);
    return (struct encounter){.a = a,
                              .b = b,
                              .way = vec3_sub(way_a, way_b),
                              .turn = turning(a, a->shape.bound) + turning(b, reach),
                              .size = size_a < size_b ? size_a : size_b};
}

/* A sphere's turning moves no surface. */
static double speedy(const struct encounter *e) {
    double turn = e->a->shape.type == PBD_SPHERE ? e->turn - turning(e->a, e->a->shape.bound) : e->turn;
    return vec3_length(e->way) + turn;
}

/* Where a's centre came from, as b's pose of then sees it. */
static struct vec3 origin_of(const struct encounter *e, const struct exact_pose *pose_b) {
    return pose_to_world(pose_b, pose_to_local(&e->b->substep_start, e->a->substep_start.position));
}

static double gap_at(const struct encounter *e, double time, struct vec3 *normal) {
    struct exact_pose pose_a = collider_pose_at(e->a, time), pose_b = collider_pose_at(e->b, time);
    struct rigid_solid a = {&e->a->shape, &pose_a}, b = {&e->b->shape, &pose_b};
    return rigid_gap(&a, &b, normal);
}

/* When they first touch, 0…1; beyond 1 when they do not. */
static double first_touch(const struct encounter *e) {
    double time = 0.0, close = 1e-4 * e->size;
    for (int i = 0; i < 64; ++i) {
        struct vec3 normal;
        double gap = gap_at(e, time, &normal);
        if (gap <= close) break;
        double closing = e->turn - vec3_dot(normal, e->way);
        if (!(closing > 0.0)) return 2.0;
        time += gap / closing;
        if (time > 1.0) return 2.0;
    }
    return time;
}

#define MESH_STEPS_MAX 256

/* The same against a mesh: the first of equal steps, none longer than half of the body's
 * thin size, where they overlap. */
static double first_touch_mesh(const struct encounter *e) {
    double count = speedy(e) / (0.5 * thin(&e->a->shape));
    int steps = count < MESH_STEPS_MAX ? 1 + (int)count : MESH_STEPS_MAX;
    for (int k = 0; k <= steps; ++k) {
        double time = (double)k / (double)steps;
        struct exact_pose pose_a = collider_pose_at(e->a, time), pose_b = collider_pose_at(e->b, time);
        struct rigid_solid a = {&e->a->shape, &pose_a}, b = {&e->b->shape, &pose_b};
        struct rigid_hits hits;
        rigid_manifold(&a, &b, origin_of(e, &pose_b), 0.0, &hits);
        if (hits.count > 0) return time;
    }
    return 2.0;
}

/* ---- points ---- */

/* A turning ball's lowest point does not turn with it. */
static struct vec3 local_at(const struct pbd_collider *collider, const struct exact_pose *then,
                            struct vec3 world) {
    if (collider->shape.type != PBD_SPHERE) return pose_to_local(then, world);
    struct vec3 offset = vec3_sub(world, then->position);
    return pose_to_local(&collider->substep_end, vec3_add(collider->substep_end.position, offset));
}

/* m/s of a's surface seen from b's. */
static struct vec3 relative_velocity(const struct encounter *e, struct vec3 at, double h) {
    return vec3_sub(rigid_velocity_at(e->a, at, h), rigid_velocity_at(e->b, at, h));
}

/* Points of successive substeps that are this part of the thin size apart are one. */
#define SAME 0.1

/* What the point bore that this one was a substep ago. `at`: of the pair's in memory. */
static void begin_with(struct rigid_point *point, const struct rigid_contacts *contacts, uint32_t at,
                       double size) {
    double nearest = SAME * size;
    const struct rigid_memory *same = NULL;
    uint64_t pair = at < contacts->memory_count ? contacts->memory[at].pair : 0;
    for (uint32_t i = at; i < contacts->memory_count && contacts->memory[i].pair == pair; ++i) {
        const struct rigid_memory *old = &contacts->memory[i];
        double a = vec3_length(vec3_sub(old->at_a, point->at_a));
        double b = vec3_length(vec3_sub(old->at_b, point->at_b));
        double apart = a < b ? a : b;
        if (!(apart < nearest) || !(vec3_dot(old->normal, point->normal) > 0.99)) continue;
        nearest = apart;
        same = old;
    }
    if (same == NULL) return;
    point->pushed = same->pushed;
    point->rubbed[0] = same->rubbed[0];
    point->rubbed[1] = same->rubbed[1];
}

static void add_point(pbd_world *world, const struct rigid_pair *pair, const struct encounter *e,
                      const struct exact_pose *pose_a, const struct exact_pose *pose_b,
                      const struct rigid_hit *hit, uint32_t memory, double h) {
    struct rigid_contacts *contacts = world->rigid;
    if (contacts->point_count == contacts->point_capacity) return;
    const struct pbd_collider_def *a = &e->a->def, *b = &e->b->def;
    struct rigid_point *point = &contacts->points[contacts->point_count++];
    *point = (struct rigid_point){
        .a = pair->a,
        .b = pair->b,
        .friction = friction_combine(a->friction, a->static_friction, b->friction, b->static_friction),
        .at_a = local_at(e->a, pose_a, hit->a),
        .at_b = local_at(e->b, pose_b, hit->b),
        .normal = hit->normal,
        .size = e->size,
        .restitution = (double)(a->restitution > b->restitution ? a->restitution : b->restitution)};
    struct vec3 on_a = pose_to_world(&e->a->substep_end, point->at_a);
    struct vec3 on_b = pose_to_world(&e->b->substep_end, point->at_b);
    struct vec3 middle = vec3_scale(vec3_add(on_a, on_b), 0.5);
    point->approach = -vec3_dot(point->normal, relative_velocity(e, middle, h));
    /* Where they were before anything moved them in this substep. */
    struct vec3 so_far =
        vec3_sub(rigid_velocity_so_far(e->a, middle, h), rigid_velocity_so_far(e->b, middle, h));
    double gap = vec3_dot(point->normal, vec3_sub(vec3_sub(on_a, on_b), vec3_scale(so_far, h)));
    point->depth = gap < 0.0 ? -gap : 0.0;
    point->rise = rigid_rise(world, point->depth, h);
    begin_with(point, contacts, memory, e->size);
}

/* What hits at a corner gets a spin that turns it about within the substep, farther than a
 * solve that is linear can see. The ball within it stays in front of the plane it hit. */
static void add_core(const struct encounter *e, const struct exact_pose *pose_a, struct rigid_hits *hits) {
    if (hits->count == 0 || hits->count == RIGID_POINTS_MAX || e->a->shape.type == PBD_SPHERE) return;
    struct rigid_hit *deepest = &hits->hit[0];
    for (uint32_t i = 1; i < hits->count; ++i)
        if (hits->hit[i].gap < deepest->gap) deepest = &hits->hit[i];
    struct rigid_hit core = *deepest;
    core.a = vec3_add_scaled(pose_a->position, core.normal, -thin(&e->a->shape));
    core.gap = vec3_dot(core.normal, vec3_sub(core.a, deepest->b));
    core.b = vec3_add_scaled(core.a, core.normal, -core.gap);
    rigid_hits_add(hits, &core);
}

/* Points that are this part of the thin size away may still be pushed together. */
#define NEARBY 0.05

static void detect_pair(pbd_world *world, const struct rigid_pair *pair, uint32_t memory, double h) {
    const struct pbd_collider *a = &world->colliders[pair->a], *b = &world->colliders[pair->b];
    struct encounter e = encounter_of(a, b);
    double time = 1.0, margin = NEARBY * e.size;
    if (speedy(&e) > 0.5 * e.size) {
        time = b->shape.type == PBD_MESH ? first_touch_mesh(&e) : first_touch(&e);
        if (time > 1.0) return;
    }
    struct exact_pose pose_a = collider_pose_at(a, time), pose_b = collider_pose_at(b, time);
    struct rigid_solid solid_a = {&a->shape, &pose_a}, solid_b = {&b->shape, &pose_b};
    struct rigid_hits hits;
    rigid_manifold(&solid_a, &solid_b, origin_of(&e, &pose_b), margin, &hits);
    if (time < 1.0) add_core(&e, &pose_a, &hits);
    for (uint32_t i = 0; i < hits.count; ++i)
        add_point(world, pair, &e, &pose_a, &pose_b, &hits.hit[i], memory, h);
}

void rigid_detect(pbd_world *world, double h) {
    struct rigid_contacts *contacts = world->rigid;
    uint32_t at = 0;
    contacts->point_count = 0;
    /* Pairs and memory ascend alike. */
    for (uint32_t i = 0; i < contacts->pair_count; ++i) {
        const struct rigid_pair *pair = &contacts->pairs[i];
        uint64_t name = rigid_pair_name(world, pair->a, pair->b);
        while (at < contacts->memory_count && contacts->memory[at].pair < name)
            ++at;
        bool known = at < contacts->memory_count && contacts->memory[at].pair == name;
        detect_pair(world, pair, known ? at : contacts->memory_count, h);
    }
}
