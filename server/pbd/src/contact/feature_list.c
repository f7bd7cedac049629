/* The pair list: who may meet whom.
 *
 * A pass over the particles notes for each on which sides it is beyond a collider's reach;
 * a triangle or edge whose particles share such a side is out, which is most of them.
 *
 * Spheres and capsules: a triangle with edges ≤ L whose vertices are kept at R = radius +
 * thickness dips no deeper below R than R − √(R² − L²/3) (Jung: it lies in a ball of radius
 * L/√3), an edge R − √(R² − L²/4). Where that is no more than half of the thickness, the
 * vertices hold it and it is not listed. */
#include "contact/feature_list.h"

#include <stdlib.h>
#include <string.h>

#include "math/elementary.h"
#include "solve/attach.h"

/* Of the mean rest edge: what the slack is at least. */
#define SLACK_MIN 0.125
/* What edges may gain, squared, while a list lasts. */
#define STRETCH 1.1
/* The same of the longest edge of all within a tick, on top. */
#define WHOLE_STRETCH 1.5

bool feature_grow(void **array, uint32_t *capacity, uint32_t count, size_t size) {
    if (count < *capacity) return true;
    uint32_t room = *capacity < 64 ? 64 : *capacity < UINT32_MAX / 2 ? 2 * *capacity : UINT32_MAX;
    void *larger = realloc(*array, (size_t)room * size);
    if (larger == NULL || count >= room) {
        if (larger != NULL) *array = larger;
        return false;
    }
    *array = larger;
    *capacity = room;
    return true;
}

/* The side of a feature is told by the distance, so there has to be one. */
double feature_distance_kept(const struct pbd_cloth *cloth) {
    double thickness = (double)cloth->settings.thickness, trace = 0x1p-13 * (double)cloth->fabric->mean_edge;
    return thickness > trace ? thickness : trace;
}

void feature_part(const struct pbd_cloth *cloth, enum feature_kind kind, uint32_t part,
                  uint32_t particles[3]) {
    const pbd_fabric *fabric = cloth->fabric;
    if (kind == FEATURE_SEGMENT) {
        particles[0] = fabric->stretch.a[part];
        particles[1] = fabric->stretch.b[part];
        particles[2] = particles[1];
        return;
    }
    const uint32_t *vertices = fabric->view.triangles + 3 * (size_t)part;
    for (int k = 0; k < 3; ++k)
        particles[k] = fabric->view.vertex_particle[vertices[k]];
}

/* ---- how far things moved ---- */

/* A bound of how far any point of the collider is moved by the change of its pose. */
static double pose_shift(const struct exact_pose *from, const struct exact_pose *to, double bound) {
    double turn = 0.0;
    for (int k = 0; k < 3; ++k) {
        struct vec3 change = vec3_sub(to->axis[k], from->axis[k]);
        turn += vec3_dot(change, change);
    }
    double shift = vec3_length(vec3_sub(to->position, from->position));
    return turn > 0.0 ? shift + bound * __builtin_sqrt(turn) : shift;
}

static double bound_of(const struct pbd_collider *collider) {
    const pbd_collision_mesh *mesh = feature_mesh(collider);
    return collider->shape.type == PBD_MESH ? mesh->bound : collider->shape.bound;
}

static double largest_lane(struct lanes lanes) {
    for (uint32_t k = 1; k < CONTACT_BLOCK; ++k)
        lanes.at[0] = math_maxf(lanes.at[k], lanes.at[0]);
    return (double)lanes.at[0];
}

/* How far a particle is from where it was when the list was made, at most, at the
 * substep's start and now. */
static double longest_way(const struct pbd_cloth *cloth, const struct cloth_features *features) {
    const struct cloth_state *s = &cloth->state;
    const struct cloth_scratch *t = &cloth->scratch;
    struct lanes longest = {{0.0f}};
    for (uint32_t i = 0; i < cloth->fabric->padded_count; i += CONTACT_BLOCK)
        for (uint32_t k = 0; k < CONTACT_BLOCK; ++k) {
            float x = s->x[i + k] - features->x[i + k], y = s->y[i + k] - features->y[i + k],
                  z = s->z[i + k] - features->z[i + k];
            float ax = x + s->ex[i + k], ay = y + s->ey[i + k], az = z + s->ez[i + k];
            float bx = x + t->ux[i + k], by = y + t->uy[i + k], bz = z + t->uz[i + k];
            float a = ax * ax + ay * ay + az * az, b = bx * bx + by * by + bz * bz;
            longest.at[k] = math_maxf(math_maxf(a, b), longest.at[k]);
        }
    return __builtin_sqrt(largest_lane(longest)) * (1.0 + 0x1p-18);
}

/* ---- making the list ---- */

/* No other shape but a mesh has more. */
#define BOX_FEATURES 20

struct making {
    const pbd_world *world;
    struct pbd_cloth *cloth;
    struct cloth_features *features;
    const struct pbd_collider *collider;
    const pbd_collision_mesh *mesh;
    struct feature_group *group;
    double kept, reach;               /* m: thickness; what of the way to a feature's surface still counts */
    struct vec3 low, high;            /* of the shape, local, without the reach */
    struct feature own[BOX_FEATURES]; /* of a shape that is no mesh: points, then segments */
};

enum { BELOW_X = 1, ABOVE_X = 2, BELOW_Y = 4, ABOVE_Y = 8, BELOW_Z = 16, ABOVE_Z = 32, BEYOND = 63 };
enum { WITHIN_X = 64, WITHIN_Y = 128, WITHIN_Z = 256 };

static struct vec3 local_place(const struct making *m, uint32_t i) {
    const struct cloth_features *f = m->features;
    return pose_to_local(&m->group->pose, vec3_make((double)f->x[i], (double)f->y[i], (double)f->z[i]));
}

/* Strictly between two opposite faces of a box and beyond the reach of both, as far as
 * this axis goes. */
static unsigned within(double at, double low, double high, double reach, unsigned flag) {
    return at > low + reach && at < high - reach ? flag : 0u;
}

static void note_sides(const struct making *m) {
    double reach = m->reach;
    bool box = m->collider->shape.type == PBD_BOX;
    struct vec3 low = m->low, high = m->high;
    for (uint32_t i = 0; i < m->cloth->fabric->particle_count; ++i) {
        struct vec3 p = local_place(m, i);
        unsigned code = (p.x < low.x - reach ? BELOW_X : 0u) | (p.x > high.x + reach ? ABOVE_X : 0u) |
                        (p.y < low.y - reach ? BELOW_Y : 0u) | (p.y > high.y + reach ? ABOVE_Y : 0u) |
                        (p.z < low.z - reach ? BELOW_Z : 0u) | (p.z > high.z + reach ? ABOVE_Z : 0u);
        if (code == 0 && box)
            code = within(p.x, low.x, high.x, reach, WITHIN_X) | within(p.y, low.y, high.y, reach, WITHIN_Y) |
                   within(p.z, low.z, high.z, reach, WITHIN_Z);
        m->features->code[i] = (uint16_t)code;
    }
}

/* Between a box' faces on two axes there is none of its edges and corners. */
static bool out_of_reach(unsigned shared) {
    unsigned between = shared >> 6;
    return (shared & BEYOND) != 0 || (between & (between - 1u)) != 0;
}

/* Whether nothing could come of a contact: nothing moves, or the collider holds a corner. */
static bool is_left_out(const struct making *m, const uint32_t *particles, int corners) {
    bool moves = m->collider->body.inverse_mass > 0.0;
    for (int k = 0; k < corners; ++k) {
        if (m->cloth->state.w[particles[k]] > 0.0f) moves = true;
        if (attach_holds(m->cloth, particles[k], m->collider->id)) return true;
    }
    return !moves;
}

/* The bound above, R = radius + thickness, `longest` the square of L. */
static bool held_by_vertices(const struct making *m, double longest, int corners) {
    const struct collide_shape *shape = &m->collider->shape;
    if (shape->type != PBD_SPHERE && shape->type != PBD_CAPSULE) return false;
    double thickness = (double)m->cloth->settings.thickness;
    double circle = STRETCH * longest / (corners == 3 ? 3.0 : 4.0);
    return circle <= (shape->radius + thickness) * thickness - 0.25 * thickness * thickness;
}

static double longest_edge(const struct vec3 *part, int corners) {
    double longest = 0.0;
    for (int k = 0; k < corners; ++k) {
        struct vec3 edge = vec3_sub(part[k + 1 < corners ? k + 1 : 0], part[k]);
        double square = vec3_dot(edge, edge);
        longest = square > longest ? square : longest;
    }
    return longest;
}

static void add_if_near(struct making *m, const struct feature *feature, uint32_t part_index,
                        const struct vec3 *part, int corners) {
    struct feature_gap gap = feature_gap_of(feature->a, feature->b, part, corners);
    if (gap.distance > feature->radius + m->reach) return;
    struct cloth_features *f = m->features;
    void *pairs = f->pairs;
    bool room = feature_grow(&pairs, &f->pair_capacity, f->pair_count, sizeof *f->pairs);
    f->pairs = pairs;
    if (!room) return;
    double clear = (gap.distance - feature->radius - m->kept) * (1.0 - 0x1p-18);
    /* What begins on the wrong side is near at any distance. */
    struct vec3 place = feature_place(part, gap.weight, corners);
    if (gap.across && feature_is_crossed(feature, gap.normal, place)) clear = -1.0;
    f->pairs[f->pair_count++] =
        (struct feature_pair){.part = part_index, .feature = feature->index, .clear = (float)clear};
}

/* The part's box, with the reach. */
static struct bvh_range range_of(const struct making *m, const struct vec3 *part, int corners) {
    struct bvh_range range;
    for (int axis = 0; axis < 3; ++axis) {
        double low = INFINITY, high = -INFINITY;
        for (int k = 0; k < corners; ++k) {
            double at = axis == 0 ? part[k].x : axis == 1 ? part[k].y : part[k].z;
            low = at < low ? at : low;
            high = at > high ? at : high;
        }
        range.low[axis] = low - m->reach;
        range.high[axis] = high + m->reach;
    }
    return range;
}

/* Features of shapes that are no mesh run along axes, so a < b on each. */
static bool in_range(const struct bvh_range *range, const struct feature *feature) {
    double r = feature->radius;
    return feature->a.x - r <= range->high[0] && feature->b.x + r >= range->low[0] &&
           feature->a.y - r <= range->high[1] && feature->b.y + r >= range->low[1] &&
           feature->a.z - r <= range->high[2] && feature->b.z + r >= range->low[2];
}

/* The numbers of a mesh's features in a range, in features->found. */
static uint32_t find_in_mesh(struct making *m, enum feature_kind kind, const struct bvh_range *range) {
    struct cloth_features *f = m->features;
    for (;;) {
        uint32_t count = kind == FEATURE_POINT
                             ? collision_mesh_find_points(m->mesh, range, f->found, f->found_capacity)
                             : collision_mesh_find_edges(m->mesh, range, f->found, f->found_capacity);
        if (count <= f->found_capacity) return count;
        void *found = f->found;
        bool room = feature_grow(&found, &f->found_capacity, f->found_capacity, sizeof *f->found);
        f->found = found;
        if (!room) return f->found_capacity;
    }
}

static void list_part(struct making *m, enum feature_kind kind, uint32_t part_index) {
    uint32_t particles[3];
    int corners = kind == FEATURE_POINT ? 3 : 2;
    feature_part(m->cloth, kind, part_index, particles);
    if (is_left_out(m, particles, corners)) return;
    struct vec3 part[3];
    for (int k = 0; k < corners; ++k)
        part[k] = local_place(m, particles[k]);
    if (held_by_vertices(m, longest_edge(part, corners), corners)) return;
    struct bvh_range range = range_of(m, part, corners);
    const struct collide_shape *shape = &m->collider->shape;
    bool mesh = shape->type == PBD_MESH;
    uint32_t count = mesh ? find_in_mesh(m, kind, &range) : feature_count(shape, NULL, kind);
    const struct feature *own =
        m->own + (mesh || kind == FEATURE_POINT ? 0 : feature_count(shape, NULL, FEATURE_POINT));
    for (uint32_t k = 0; k < count; ++k) {
        if (mesh) {
            struct feature feature = feature_make(shape, m->mesh, kind, m->features->found[k]);
            if (feature_sticks_out(&feature)) add_if_near(m, &feature, part_index, part, corners);
        } else if (in_range(&range, &own[k])) {
            add_if_near(m, &own[k], part_index, part, corners);
        }
    }
}

/* A mesh's are too many, and made when met. */
static void make_own(struct making *m) {
    const struct collide_shape *shape = &m->collider->shape;
    if (shape->type == PBD_MESH) return;
    uint32_t points = feature_count(shape, NULL, FEATURE_POINT);
    uint32_t segments = feature_count(shape, NULL, FEATURE_SEGMENT);
    for (uint32_t k = 0; k < points; ++k)
        m->own[k] = feature_make(shape, NULL, FEATURE_POINT, k);
    for (uint32_t k = 0; k < segments; ++k)
        m->own[points + k] = feature_make(shape, NULL, FEATURE_SEGMENT, k);
}

static void set_box(struct making *m) {
    const struct collide_shape *shape = &m->collider->shape;
    if (shape->type == PBD_MESH) {
        m->low = vec3_from(m->mesh->view.min);
        m->high = vec3_from(m->mesh->view.max);
        return;
    }
    m->high = shape->half;
    if (shape->type != PBD_BOX)
        m->high = vec3_make(shape->radius, shape->radius + shape->half_height, shape->radius);
    m->low = vec3_scale(m->high, -1.0);
}

static void list_group(struct making *m) {
    const pbd_fabric *fabric = m->cloth->fabric;
    const uint32_t *corner = fabric->view.triangles, *particle = fabric->view.vertex_particle;
    const uint32_t *a = fabric->stretch.a, *b = fabric->stretch.b;
    const uint16_t *code = m->features->code;
    set_box(m);
    make_own(m);
    note_sides(m);
    for (uint32_t k = 0; k < fabric->view.triangle_count; ++k, corner += 3) {
        unsigned shared =
            (unsigned)code[particle[corner[0]]] & code[particle[corner[1]]] & code[particle[corner[2]]];
        if (!out_of_reach(shared)) list_part(m, FEATURE_POINT, k);
    }
    m->group->first_segment = m->features->pair_count;
    for (uint32_t k = 0; k < fabric->stretch.count; ++k)
        if (!out_of_reach((unsigned)code[a[k]] & code[b[k]])) list_part(m, FEATURE_SEGMENT, k);
}

/* What the whole cloth is and does when a list is made. */
struct whole {
    struct vec3 low, high;
    double speed, gone; /* m/s; m in this substep so far */
    double edge;        /* m², of the longest edge */
};

static double longest_of_all(const pbd_fabric *fabric, const struct cloth_features *f) {
    float longest = 0.0f;
    for (uint32_t k = 0; k < fabric->stretch.count; ++k) {
        uint32_t a = fabric->stretch.a[k], b = fabric->stretch.b[k];
        float x = f->x[a] - f->x[b], y = f->y[a] - f->y[b], z = f->z[a] - f->z[b];
        longest = math_maxf(x * x + y * y + z * z, longest);
    }
    return (double)longest;
}

static struct whole whole_of(struct pbd_cloth *cloth, struct cloth_features *features) {
    const struct cloth_state *s = &cloth->state;
    const struct cloth_scratch *t = &cloth->scratch;
    uint32_t padded = cloth->fabric->padded_count, count = cloth->fabric->particle_count;
    memcpy(features->x, s->x, padded * sizeof(float));
    memcpy(features->y, s->y, padded * sizeof(float));
    memcpy(features->z, s->z, padded * sizeof(float));
    const float *axes[3] = {s->x, s->y, s->z};
    double low[3], high[3];
    for (int k = 0; k < 3; ++k) {
        float least = axes[k][0], most = least;
        for (uint32_t i = 1; i < count; ++i) {
            least = math_minf(axes[k][i], least);
            most = math_maxf(axes[k][i], most);
        }
        low[k] = (double)least;
        high[k] = (double)most;
    }
    float speed = 0.0f, gone = 0.0f;
    for (uint32_t i = 0; i < count; ++i) {
        float x = t->ux[i] - s->ex[i], y = t->uy[i] - s->ey[i], z = t->uz[i] - s->ez[i];
        gone = math_maxf(x * x + y * y + z * z, gone);
        speed = math_maxf(s->vx[i] * s->vx[i] + s->vy[i] * s->vy[i] + s->vz[i] * s->vz[i], speed);
    }
    return (struct whole){.low = {low[0], low[1], low[2]},
                          .high = {high[0], high[1], high[2]},
                          .speed = __builtin_sqrt((double)speed),
                          .edge = longest_of_all(cloth->fabric, features),
                          .gone = __builtin_sqrt((double)gone)};
}

static double overhang(double at, double low, double high) {
    return at < low ? low - at : at > high ? at - high : 0.0;
}

static void make_group(struct making *m, const struct whole *whole, double h) {
    const pbd_world *world = m->world;
    const struct pbd_cloth_settings *c = &m->cloth->settings;
    const struct pbd_collider *collider = m->collider;
    struct feature_group *group = m->group;
    group->friction = friction_combine(c->friction, c->static_friction, collider->def.friction,
                                       collider->def.static_friction);
    group->pose = collider->substep_start;
    group->first = group->first_segment = m->features->pair_count;
    double bound = bound_of(collider), dt = (double)world->settings.solver.dt;
    double gravity = vec3_length(vec3_from(world->settings.gravity));
    double shift = pose_shift(&collider->substep_start, &collider->substep_end, bound);
    double substep = (whole->speed + gravity * h) * h + shift;
    double tick = (whole->speed + gravity * dt) * dt + collider->tick_shift + collider->tick_turn * bound;
    double slack = 1.5 * tick < 4.0 * substep ? 1.5 * tick : 4.0 * substep;
    double least = SLACK_MIN * (double)m->cloth->fabric->mean_edge, now = 1.5 * (whole->gone + shift);
    slack = slack > least ? slack : least;
    slack = slack > now ? slack : now;
    struct vec3 at = group->pose.position;
    struct vec3 apart = {overhang(at.x, whole->low.x, whole->high.x),
                         overhang(at.y, whole->low.y, whole->high.y),
                         overhang(at.z, whole->low.z, whole->high.z)};
    double gap = (vec3_length(apart) - bound - m->kept) * (1.0 - 0x1p-18);
    m->reach = m->kept + slack;
    group->slack = gap > slack ? gap : slack;
    if (held_by_vertices(m, WHOLE_STRETCH * whole->edge, 3))
        group->slack = INFINITY;
    else if (!(gap > slack))
        list_group(m);
    group->end = m->features->pair_count;
}

/* Contacts of this substep find their pairs in the new list. */
static void link_contacts(struct cloth_features *f) {
    for (uint32_t c = 0; c < f->contact_count; ++c) {
        const struct feature_contact *contact = &f->contacts[c];
        for (uint32_t g = 0; g < f->group_count; ++g) {
            const struct feature_group *group = &f->groups[g];
            if (group->place != contact->place) continue;
            bool point = contact->corners == 3;
            uint32_t low = point ? group->first : group->first_segment;
            uint32_t end = point ? group->first_segment : group->end, high = end;
            while (low < high) {
                uint32_t middle = low + (high - low) / 2;
                if (f->pairs[middle].part < contact->part)
                    low = middle + 1;
                else
                    high = middle;
            }
            for (; low < end && f->pairs[low].part == contact->part; ++low)
                if (f->pairs[low].feature == contact->feature) f->pairs[low].contact = c + 1;
        }
    }
}

static void make_list(const pbd_world *world, struct pbd_cloth *cloth, double h) {
    struct cloth_features *f = cloth->contacts->features;
    struct whole whole = whole_of(cloth, f);
    f->pair_count = f->group_count = 0;
    for (uint32_t i = 0; i < world->collider_count && f->group_count < f->group_capacity; ++i) {
        uint32_t place = world->collider_order[i];
        const struct pbd_collider *collider = &world->colliders[place];
        if (collider->shape.type == PBD_PLANE) continue;
        struct feature_group *group = &f->groups[f->group_count++];
        group->place = place;
        struct making making = {.world = world,
                                .cloth = cloth,
                                .features = f,
                                .collider = collider,
                                .mesh = feature_mesh(collider),
                                .group = group,
                                .kept = feature_distance_kept(cloth)};
        make_group(&making, &whole, h);
    }
    link_contacts(f);
    f->made = true;
}

double feature_substep_shift(const struct pbd_collider *collider) {
    return pose_shift(&collider->substep_start, &collider->substep_end, bound_of(collider));
}

double feature_group_shift(const pbd_world *world, const struct feature_group *group) {
    const struct pbd_collider *collider = &world->colliders[group->place];
    return pose_shift(&group->pose, &collider->substep_start, bound_of(collider)) +
           feature_substep_shift(collider);
}

void feature_list_refresh(const pbd_world *world, struct pbd_cloth *cloth, double h) {
    struct cloth_features *f = cloth->contacts->features;
    bool due = !f->made;
    double way = -1.0; /* measured when first needed */
    for (uint32_t g = 0; g < f->group_count && !due; ++g) {
        if (f->groups[g].slack == INFINITY) continue;
        if (way < 0.0) way = longest_way(cloth, f);
        due = way + feature_group_shift(world, &f->groups[g]) > f->groups[g].slack;
    }
    if (due) make_list(world, cloth, h);
}
