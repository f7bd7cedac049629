/* Which bodies can meet which colliders within a tick: boxes around all of their motion,
 * each against each. A hundred bodies are 10⁴ tests a tick. */
#include "contact/rigid_contact.h"

#include <stdlib.h>
#include <string.h>

#include "contact/contact.h"
#include "contact/collision_mesh.h"

/* ---- memory ---- */

void rigid_contacts_destroy(pbd_world *world) {
    struct rigid_contacts *contacts = world->rigid;
    if (contacts == NULL) return;
    free(contacts->bounds);
    free(contacts->pairs);
    free(contacts->points);
    free(contacts->memory);
    free(contacts);
    world->rigid = NULL;
}

/* Room for `need` entries, grown by halves. False when out of memory; then it is as it was. */
static bool reserve(void **memory, uint32_t *capacity, size_t need, size_t size) {
    if (need <= *capacity) return true;
    size_t room = need + need / 2;
    if (room > UINT32_MAX) return false;
    void *grown = realloc(*memory, room * size);
    if (grown == NULL) return false;
    *memory = grown;
    *capacity = (uint32_t)room;
    return true;
}

/* ---- memory of what points bore ---- */

uint64_t rigid_pair_name(const pbd_world *world, uint32_t a, uint32_t b) {
    return (uint64_t)world->colliders[a].order << 32 | world->colliders[b].order;
}

const struct rigid_memory *rigid_contacts_memory(const pbd_world *world, uint32_t *count) {
    *count = world->rigid != NULL ? world->rigid->memory_count : 0;
    return *count > 0 ? world->rigid->memory : NULL;
}

int rigid_contacts_set_memory(pbd_world *world, const struct rigid_memory *memory, uint32_t count) {
    if (count == 0 && world->rigid == NULL) return PBD_OK;
    if (world->rigid == NULL) world->rigid = calloc(1, sizeof *world->rigid);
    struct rigid_contacts *contacts = world->rigid;
    if (contacts == NULL) return PBD_OUT_OF_MEMORY;
    void *room = contacts->memory;
    bool reserved = reserve(&room, &contacts->memory_capacity, count, sizeof *memory);
    contacts->memory = room;
    if (!reserved) return PBD_OUT_OF_MEMORY;
    if (count > 0) memcpy(contacts->memory, memory, count * sizeof *memory);
    contacts->memory_count = count;
    return PBD_OK;
}

/* ---- bounds ---- */

static struct rigid_bounds bounds_of(const struct pbd_collider *collider) {
    const struct collide_shape *shape = &collider->shape;
    const struct exact_pose *pose = &collider->substep_start;
    struct vec3 local = vec3_make(0.0, 0.0, 0.0), half = shape->half;
    if (shape->type == PBD_SPHERE || shape->type == PBD_CAPSULE)
        half = vec3_make(shape->radius, shape->radius + shape->half_height, shape->radius);
    if (shape->type == PBD_MESH) {
        struct pbd_collision_mesh_view view = pbd_collision_mesh_get_view(collider->def.shape.mesh);
        struct vec3 low = vec3_from(view.min), high = vec3_from(view.max);
        local = vec3_scale(vec3_add(low, high), 0.5);
        half = vec3_scale(vec3_sub(high, low), 0.5);
    }
    struct vec3 a = pose->axis[0], b = pose->axis[1], c = pose->axis[2];
    double grown = collider->tick_shift + collider->tick_turn * (vec3_length(local) + vec3_length(half));
    return (struct rigid_bounds){.centre = pose_to_world(pose, local),
                                 .half = {__builtin_fabs(a.x) * half.x + __builtin_fabs(b.x) * half.y +
                                              __builtin_fabs(c.x) * half.z + grown,
                                          __builtin_fabs(a.y) * half.x + __builtin_fabs(b.y) * half.y +
                                              __builtin_fabs(c.y) * half.z + grown,
                                          __builtin_fabs(a.z) * half.x + __builtin_fabs(b.z) * half.y +
                                              __builtin_fabs(c.z) * half.z + grown}};
}

static bool boxes_meet(const struct rigid_bounds *a, const struct rigid_bounds *b) {
    struct vec3 d = vec3_sub(a->centre, b->centre);
    return __builtin_fabs(d.x) <= a->half.x + b->half.x && __builtin_fabs(d.y) <= a->half.y + b->half.y &&
           __builtin_fabs(d.z) <= a->half.z + b->half.z;
}

static bool meets_plane(const struct rigid_bounds *box, const struct pbd_collider *plane) {
    const struct exact_pose *pose = &plane->substep_start;
    struct vec3 n = pose_direction_to_world(pose, plane->shape.normal);
    struct vec3 apart = vec3_sub(box->centre, pose->position);
    double reach = __builtin_fabs(n.x) * box->half.x + __builtin_fabs(n.y) * box->half.y +
                   __builtin_fabs(n.z) * box->half.z;
    double arm = vec3_length(apart) + vec3_length(box->half);
    return vec3_dot(n, apart) - plane->shape.offset - reach <=
           plane->tick_shift + plane->tick_turn * (arm + __builtin_fabs(plane->shape.offset));
}

/* ---- pairs ---- */

static const struct pbd_collider *in_order(const pbd_world *world, uint32_t i) {
    return &world->colliders[world->collider_order[i]];
}

static bool can_meet(const pbd_world *world, const struct rigid_contacts *contacts, uint32_t i, uint32_t j) {
    const struct pbd_collider *b = in_order(world, j);
    if (b->shape.type == PBD_PLANE) return meets_plane(&contacts->bounds[i], b);
    return boxes_meet(&contacts->bounds[i], &contacts->bounds[j]);
}

static void add_pair(pbd_world *world, uint32_t i, uint32_t j) {
    struct rigid_contacts *contacts = world->rigid;
    void *pairs = contacts->pairs;
    bool room =
        reserve(&pairs, &contacts->pair_capacity, (size_t)contacts->pair_count + 1, sizeof *contacts->pairs);
    contacts->pairs = pairs;
    if (!room) return;
    contacts->pairs[contacts->pair_count++] =
        (struct rigid_pair){.a = world->collider_order[i], .b = world->collider_order[j]};
}

/* In world order, each pair once, the one that moves first. */
static void find_pairs(pbd_world *world) {
    struct rigid_contacts *contacts = world->rigid;
    contacts->pair_count = 0;
    for (uint32_t i = 0; i < world->collider_count; ++i) {
        const struct pbd_collider *a = in_order(world, i);
        if (!rigid_moves(a)) continue;
        for (uint32_t j = 0; j < world->collider_count; ++j) {
            if (j == i || (j < i && rigid_moves(in_order(world, j)))) continue;
            if (can_meet(world, contacts, i, j)) add_pair(world, i, j);
        }
    }
}

/* False when there is nothing to do or no memory to do it with. */
static bool prepare(pbd_world *world) {
    if (!world->has_bodies) {
        if (world->rigid != NULL) world->rigid->memory_count = 0;
        return false;
    }
    if (world->rigid == NULL) world->rigid = calloc(1, sizeof *world->rigid);
    struct rigid_contacts *contacts = world->rigid;
    if (contacts == NULL) return false;
    contacts->pair_count = contacts->point_count = 0;
    void *bounds = contacts->bounds;
    bool room = reserve(&bounds, &contacts->bounds_capacity, world->collider_count, sizeof *contacts->bounds);
    contacts->bounds = bounds;
    return room;
}

/* How many points two colliders may have, the one of a fast body's core included. */
static uint32_t points_of(const struct pbd_collider *a, const struct pbd_collider *b) {
    if (b->shape.type == PBD_MESH) return RIGID_POINTS_MAX;
    if (a->shape.type == PBD_SPHERE || b->shape.type == PBD_SPHERE) return 2;
    return a->shape.type == PBD_CAPSULE || b->shape.type == PBD_CAPSULE ? 4 : 9;
}

static void measure(pbd_world *world) {
    struct rigid_contacts *contacts = world->rigid;
    for (uint32_t i = 0; i < world->collider_count; ++i)
        if (in_order(world, i)->shape.type != PBD_PLANE) contacts->bounds[i] = bounds_of(in_order(world, i));
    find_pairs(world);
    size_t need = 0;
    for (uint32_t i = 0; i < contacts->pair_count; ++i)
        need += points_of(&world->colliders[contacts->pairs[i].a], &world->colliders[contacts->pairs[i].b]);
    void *points = contacts->points;
    (void)reserve(&points, &contacts->point_capacity, need, sizeof *contacts->points);
    contacts->points = points;
    void *memory = contacts->memory;
    (void)reserve(&memory, &contacts->memory_capacity, need, sizeof *contacts->memory);
    contacts->memory = memory;
}

/* ---- initial overlaps ---- */

static double largest_coordinate(struct vec3 p) {
    double x = __builtin_fabs(p.x), y = __builtin_fabs(p.y), z = __builtin_fabs(p.z);
    double most = x > y ? x : y;
    return most > z ? most : z;
}

static void report_overlap(pbd_world *world, const struct rigid_pair *pair) {
    const struct pbd_collider *a = &world->colliders[pair->a], *b = &world->colliders[pair->b];
    struct rigid_solid solid_a = {&a->shape, &a->substep_start}, solid_b = {&b->shape, &b->substep_start};
    struct rigid_hits hits;
    rigid_manifold(&solid_a, &solid_b, a->substep_start.position, 0.0, &hits);
    /* What rounding the start positions leaves is none. */
    double deepest = 0x1p-20 * (largest_coordinate(a->substep_start.position) + a->shape.bound);
    uint32_t count = 0;
    for (uint32_t i = 0; i < hits.count; ++i) {
        if (-hits.hit[i].gap <= 0x1p-20 * (largest_coordinate(a->substep_start.position) + a->shape.bound))
            continue;
        ++count;
        if (-hits.hit[i].gap > deepest) deepest = -hits.hit[i].gap;
    }
    if (count == 0 || world->event_count >= OVERLAP_EVENTS_MAX) return;
    bool a_first = a->order < b->order;
    world_emit(world, &(struct pbd_event){.type = PBD_EVENT_INITIAL_OVERLAP,
                                          .collider = a_first ? a->id : b->id,
                                          .other_collider = a_first ? b->id : a->id,
                                          .count = count,
                                          .depth = (float)deepest});
}

void rigid_contacts_begin_tick(pbd_world *world) {
    if (!prepare(world)) return;
    measure(world);
    const struct rigid_contacts *contacts = world->rigid;
    for (uint32_t i = 0; i < contacts->pair_count; ++i) {
        const struct rigid_pair *pair = &contacts->pairs[i];
        if (world->colliders[pair->a].fresh || world->colliders[pair->b].fresh) report_overlap(world, pair);
    }
}

void rigid_contacts_measure_again(pbd_world *world) {
    if (world->rigid != NULL && world->rigid->bounds_capacity >= world->collider_count) measure(world);
}
