/* The pair list: who may meet whom.
 *
 * A pass over the particles notes for each on which sides it is beyond a collider's reach;
 * a triangle or edge whose particles share such a side is out, which is most of them.
 */
#include "contact/feature_pairs.h"

#include <stdlib.h>
#include <string.h>

#include "math/elementary.h"

/* Of the mean rest edge: what the slack of a particle and of a collider is at least. */
#define SLACK_MIN 0.0625
/* A list is made for this many substeps at the speeds of now, no more than a tick. */
#define LASTS_SUBSTEPS 6.0
#define LASTS_TICKS 1.5
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

/* Whether a particle has left its slack, at the substep's start or now. */
static bool particles_outran(const struct pbd_cloth *cloth, const struct cloth_features *features) {
    const struct cloth_state *s = &cloth->state;
    const struct cloth_scratch *t = &cloth->scratch;
    int due = 0;
    for (uint32_t i = 0; i < cloth->fabric->padded_count; i += CONTACT_BLOCK)
        for (uint32_t k = 0; k < CONTACT_BLOCK; ++k) {
            float x = s->x[i + k] - features->x[i + k], y = s->y[i + k] - features->y[i + k],
                  z = s->z[i + k] - features->z[i + k];
            float ax = x + s->ex[i + k], ay = y + s->ey[i + k], az = z + s->ez[i + k];
            float bx = x + t->ux[i + k], by = y + t->uy[i + k], bz = z + t->uz[i + k];
            float a = ax * ax + ay * ay + az * az, b = bx * bx + by * by + bz * bz;
            float slack = features->slack[i + k] * (1.0f - 0x1p-16f);
            due |= math_maxf(a, b) > slack * slack;
        }
    return due != 0;
}

/* ---- making the list ---- */

enum { BELOW_X = 1, ABOVE_X = 2, BELOW_Y = 4, ABOVE_Y = 8, BELOW_Z = 16, ABOVE_Z = 32, BEYOND = 63 };
enum { WITHIN_X = 64, WITHIN_Y = 128, WITHIN_Z = 256 };

/* Strictly between two opposite faces of a box and beyond the reach of both, as far as
 * this axis goes. */
static unsigned within(double at, double low, double high, double reach, unsigned flag) {
    return at > low + reach && at < high - reach ? flag : 0u;
}

static void note_sides(const struct feature_making *m) {
    bool box = m->collider->shape.type == PBD_BOX;
    struct vec3 low = m->low, high = m->high;
    for (uint32_t i = 0; i < m->cloth->fabric->particle_count; ++i) {
        struct vec3 p = feature_local_place(m, i);
        double reach = m->reach + (double)m->features->slack[i];
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

static void set_box(struct feature_making *m) {
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

static void list_group(struct feature_making *m) {
    const pbd_fabric *fabric = m->cloth->fabric;
    const uint32_t *corner = fabric->view.triangles, *particle = fabric->view.vertex_particle;
    const uint32_t *a = fabric->stretch.a, *b = fabric->stretch.b;
    const uint16_t *code = m->features->code;
    set_box(m);
    feature_pairs_begin(m);
    note_sides(m);
    for (uint32_t k = 0; k < fabric->view.triangle_count; ++k, corner += 3) {
        unsigned shared =
            (unsigned)code[particle[corner[0]]] & code[particle[corner[1]]] & code[particle[corner[2]]];
        if (!out_of_reach(shared)) feature_pairs_add(m, FEATURE_POINT, k);
    }
    m->group->first_segment = m->features->pair_count;
    for (uint32_t k = 0; k < fabric->stretch.count; ++k)
        if (!out_of_reach((unsigned)code[a[k]] & code[b[k]])) feature_pairs_add(m, FEATURE_SEGMENT, k);
}

/* What the whole cloth is and does when a list is made. */
struct whole {
    struct vec3 low, high;
    double slack; /* m, the largest */
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

/* Of each particle, for as long as the list should last, and what it has gone already. */
static double set_slack(const pbd_world *world, const struct pbd_cloth *cloth, struct cloth_features *f,
                        double h) {
    const struct cloth_state *s = &cloth->state;
    const struct cloth_scratch *t = &cloth->scratch;
    double dt = (double)world->settings.solver.dt;
    float lasts = (float)(LASTS_SUBSTEPS * h < LASTS_TICKS * dt ? LASTS_SUBSTEPS * h : LASTS_TICKS * dt);
    float least = (float)(SLACK_MIN * (double)cloth->fabric->mean_edge);
    struct lanes longest = {{0.0f}};
    for (uint32_t i = 0; i < cloth->fabric->padded_count; i += CONTACT_BLOCK)
        for (uint32_t k = 0; k < CONTACT_BLOCK; ++k) {
            float x = t->ux[i + k] - s->ex[i + k], y = t->uy[i + k] - s->ey[i + k],
                  z = t->uz[i + k] - s->ez[i + k];
            float vx = s->vx[i + k], vy = s->vy[i + k], vz = s->vz[i + k];
            float gone = 1.5f * math_sqrtf(x * x + y * y + z * z);
            float goes = lasts * math_sqrtf(vx * vx + vy * vy + vz * vz);
            f->slack[i + k] = math_maxf(math_maxf(gone, goes), least);
            longest.at[k] = math_maxf(f->slack[i + k], longest.at[k]);
        }
    for (uint32_t k = 1; k < CONTACT_BLOCK; ++k)
        longest.at[0] = math_maxf(longest.at[k], longest.at[0]);
    return (double)longest.at[0];
}

static struct whole whole_of(const pbd_world *world, const struct pbd_cloth *cloth,
                             struct cloth_features *features, double h) {
    const struct cloth_state *s = &cloth->state;
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
    return (struct whole){.low = {low[0], low[1], low[2]},
                          .high = {high[0], high[1], high[2]},
                          .slack = set_slack(world, cloth, features, h)};
}

static double overhang(double at, double low, double high) {
    return at < low ? low - at : at > high ? at - high : 0.0;
}

static void make_group(struct feature_making *m, const struct whole *whole) {
    const struct pbd_cloth_settings *c = &m->cloth->settings;
    const struct pbd_collider *collider = m->collider;
    struct feature_group *group = m->group;
    group->friction = friction_combine(c->friction, c->static_friction, collider->def.friction,
                                       collider->def.static_friction);
    group->pose = collider->substep_start;
    group->first = group->first_segment = m->features->pair_count;
    double bound = bound_of(collider);
    double substep = pose_shift(&collider->substep_start, &collider->substep_end, bound);
    double tick = collider->tick_shift + collider->tick_turn * bound;
    double slack =
        LASTS_TICKS * tick < LASTS_SUBSTEPS * substep ? LASTS_TICKS * tick : LASTS_SUBSTEPS * substep;
    double least = 0.0, now = 1.5 * substep;
    if (tick > 0.0 || substep > 0.0 || collider->body.inverse_mass > 0.0)
        least = SLACK_MIN * (double)m->cloth->fabric->mean_edge;
    slack = slack > least ? slack : least;
    slack = slack > now ? slack : now;
    struct vec3 at = group->pose.position;
    struct vec3 apart = {overhang(at.x, whole->low.x, whole->high.x),
                         overhang(at.y, whole->low.y, whole->high.y),
                         overhang(at.z, whole->low.z, whole->high.z)};
    double gap = (vec3_length(apart) - bound - m->kept) * (1.0 - 0x1p-18) - whole->slack;
    m->reach = m->kept + slack;
    group->slack = gap > slack ? gap : slack;
    if (!(gap > slack)) {
        if (feature_held_by_vertices(m, WHOLE_STRETCH * longest_of_all(m->cloth->fabric, m->features), 3))
            group->slack = INFINITY;
        else
            list_group(m);
    }
    group->end = m->features->pair_count;
}

/* Contacts of this substep find their pairs in the new list. */
static void link_contacts(struct cloth_features *f) {
    for (uint32_t c = 0; c < f->contact_count; ++c) {
        struct feature_contact *contact = &f->contacts[c];
        contact->pair = UINT32_MAX;
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
            for (; low < end && f->pairs[low].part == contact->part; ++low) {
                if (f->pairs[low].feature != contact->feature) continue;
                f->pairs[low].contact = c + 1;
                contact->pair = low;
            }
        }
    }
}

static void make_list(const pbd_world *world, struct pbd_cloth *cloth, double h) {
    struct cloth_features *f = cloth->contacts->features;
    struct whole whole = whole_of(world, cloth, f, h);
    f->pair_count = f->group_count = 0;
    for (uint32_t i = 0; i < world->collider_count && f->group_count < f->group_capacity; ++i) {
        uint32_t place = world->collider_order[i];
        const struct pbd_collider *collider = &world->colliders[place];
        if (collider->shape.type == PBD_PLANE) continue;
        struct feature_group *group = &f->groups[f->group_count++];
        group->place = place;
        struct feature_making making = {.world = world,
                                        .cloth = cloth,
                                        .features = f,
                                        .collider = collider,
                                        .mesh = feature_mesh(collider),
                                        .group = group,
                                        .kept = feature_distance_kept(cloth)};
        make_group(&making, &whole);
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
    bool due = !f->made, looked = false;
    for (uint32_t g = 0; g < f->group_count && !due; ++g) {
        if (f->groups[g].slack == INFINITY) continue;
        due = feature_group_shift(world, &f->groups[g]) > f->groups[g].slack ||
              (!looked && particles_outran(cloth, f));
        looked = true;
    }
    if (due) make_list(world, cloth, h);
}
