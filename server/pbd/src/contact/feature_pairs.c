/* Which features a triangle or an edge can meet.
 *
 * Spheres and capsules: a triangle with edges ≤ L whose vertices are kept at R = radius +
 * thickness dips no deeper below R than R − √(R² − L²/3) (Jung: it lies in a ball of radius
 * L/√3), an edge R − √(R² − L²/4). Where that is no more than half of the thickness, the
 * vertices hold it and it is not listed.
 */
#include "contact/feature_pairs.h"

#include "solve/attach.h"

/* A mesh's are too many, and made when met. */
void feature_pairs_begin(struct feature_making *m) {
    const struct collide_shape *shape = &m->collider->shape;
    if (shape->type == PBD_MESH) return;
    uint32_t points = feature_count(shape, NULL, FEATURE_POINT);
    uint32_t segments = feature_count(shape, NULL, FEATURE_SEGMENT);
    for (uint32_t k = 0; k < points; ++k)
        m->own[k] = feature_make(shape, NULL, FEATURE_POINT, k);
    for (uint32_t k = 0; k < segments; ++k)
        m->own[points + k] = feature_make(shape, NULL, FEATURE_SEGMENT, k);
}

/* Whether nothing could come of a contact: nothing moves, or the collider holds a corner. */
static bool is_left_out(const struct feature_making *m, const uint32_t *particles, int corners) {
    bool moves = m->collider->body.inverse_mass > 0.0;
    for (int k = 0; k < corners; ++k) {
        if (m->cloth->state.w[particles[k]] > 0.0f) moves = true;
        if (attach_holds(m->cloth, particles[k], m->collider->id)) return true;
    }
    return !moves;
}

/* The bound above, R = radius + thickness, `longest` the square of L. */
bool feature_held_by_vertices(const struct feature_making *m, double longest, int corners) {
    const struct collide_shape *shape = &m->collider->shape;
    if (shape->type != PBD_SPHERE && shape->type != PBD_CAPSULE) return false;
    double thickness = (double)m->cloth->settings.thickness;
    double circle = FEATURE_STRETCH * longest / (corners == 3 ? 3.0 : 4.0);
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

void feature_pair_add(struct feature_making *m, const struct feature *feature, const struct feature_gap *gap,
                      const struct feature_target *part) {
    struct cloth_features *f = m->features;
    void *pairs = f->pairs;
    bool room = feature_grow(&pairs, &f->pair_capacity, f->pair_count, sizeof *f->pairs);
    f->pairs = pairs;
    if (!room) return;
    double clear = (gap->distance - feature->radius - m->kept) * (1.0 - 0x1p-18);
    /* What begins on the wrong side is near at any distance. */
    struct vec3 place = feature_place(part->corner, gap->weight, part->corners);
    if (gap->across && feature_is_crossed(feature, gap->normal, place)) clear = -1.0;
    f->pairs[f->pair_count++] =
        (struct feature_pair){.part = part->index, .feature = feature->index, .clear = (float)clear};
}

/* The part's box, with the reach. */
static struct bvh_range range_of(const struct feature_target *part) {
    struct bvh_range range;
    for (int axis = 0; axis < 3; ++axis) {
        double low = INFINITY, high = -INFINITY;
        for (int k = 0; k < part->corners; ++k) {
            const struct vec3 *p = &part->corner[k];
            double at = axis == 0 ? p->x : axis == 1 ? p->y : p->z;
            low = at < low ? at : low;
            high = at > high ? at : high;
        }
        range.low[axis] = low - part->reach;
        range.high[axis] = high + part->reach;
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

/* By what the vertex contacts know: no point of the part is further than L/√3 from all of
 * its particles. */
static bool is_clear(const struct feature_making *m, const uint32_t *particles,
                     const struct feature_target *part) {
    double clear = INFINITY;
    for (int k = 0; k < part->corners; ++k) {
        double one = (double)m->cloth->contacts->clearance[particles[k]];
        if (!(m->cloth->state.w[particles[k]] > 0.0f) || !(one > part->reach)) return false;
        clear = one < clear ? one : clear;
    }
    clear -= part->reach;
    return clear * clear > part->longest / 3.0;
}

void feature_pairs_add(struct feature_making *m, enum feature_kind kind, uint32_t part_index) {
    struct feature_target part = {.kind = kind, .index = part_index};
    uint32_t particles[3];
    part.corners = kind == FEATURE_POINT ? 3 : 2;
    feature_part(m->cloth, kind, part_index, particles);
    if (is_left_out(m, particles, part.corners)) return;
    double slack = 0.0;
    for (int k = 0; k < part.corners; ++k) {
        double one = (double)m->features->slack[particles[k]];
        slack = one > slack ? one : slack;
        part.corner[k] = feature_local_place(m, particles[k]);
    }
    part.reach = m->reach + slack;
    part.longest = longest_edge(part.corner, part.corners);
    if (is_clear(m, particles, &part)) return;
    part.range = range_of(&part);
    const struct collide_shape *shape = &m->collider->shape;
    if (shape->type == PBD_MESH) {
        feature_pairs_add_mesh(m, &part);
        return;
    }
    if (feature_held_by_vertices(m, part.longest, part.corners)) return;
    uint32_t count = feature_count(shape, NULL, kind);
    const struct feature *own =
        m->own + (kind == FEATURE_POINT ? 0 : feature_count(shape, NULL, FEATURE_POINT));
    for (uint32_t k = 0; k < count; ++k) {
        if (!in_range(&part.range, &own[k])) continue;
        struct feature_gap gap = feature_gap_of(own[k].a, own[k].b, part.corner, part.corners);
        if (gap.distance <= own[k].radius + part.reach) feature_pair_add(m, &own[k], &gap, &part);
    }
}
