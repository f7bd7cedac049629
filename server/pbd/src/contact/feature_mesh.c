/* Which features of a mesh a triangle or an edge of a cloth can meet.
 *
 * A mesh finer than the cloth has very many, and needs none of them where it is smooth:
 * where all faces near a part have normals within an angle φ of their mean, and there is no
 * border, it is a height field of slope tan φ, so a part with edges ≤ L that its vertices
 * keep above it dips below the thickness by no more than L/√3·tan φ, and by about half of
 * that where the surface has no crease, but bends evenly. Where this is no more than the
 * thickness, the vertices hold it. */
#include "contact/feature_pairs.h"

/* Between two faces, of 1 − cos φ: a third of φ or less is no crease. */
#define CREASE (1.0 / 9.0)
/* cos φ of what may be left out although it is only within the reach. */
#define SMOOTH 0.87
/* Of the mean rest edge: how far a part slides before the list is looked at as outdated. */
#define SLIDE 0.0625

/* The triangles of all leaves in range, in features->found. */
static uint32_t find_triangles(struct feature_making *m, const struct bvh_range *range) {
    struct cloth_features *f = m->features;
    struct bvh_walk walk;
    uint32_t first, count, found = 0;
    bvh_walk_begin(&walk, &m->mesh->bvh, range);
    while (bvh_walk_next(&walk, &first, &count)) {
        while (found + count > f->found_capacity) {
            void *larger = f->found;
            bool room = feature_grow(&larger, &f->found_capacity, f->found_capacity, sizeof *f->found);
            f->found = larger;
            if (!room) return found;
        }
        for (uint32_t k = 0; k < count; ++k)
            f->found[found++] = first + k;
    }
    return found;
}

static bool points_in_range(const pbd_collision_mesh *mesh, const uint32_t *points, int count,
                            const struct bvh_range *range, double less) {
    for (int axis = 0; axis < 3; ++axis) {
        double low = INFINITY, high = -INFINITY;
        for (int k = 0; k < count; ++k) {
            const struct vec3 *p = &mesh->points[points[k]];
            double at = axis == 0 ? p->x : axis == 1 ? p->y : p->z;
            low = at < low ? at : low;
            high = at > high ? at : high;
        }
        if (low > range->high[axis] - less || high < range->low[axis] + less) return false;
    }
    return true;
}

/* The cosine between a face and the one it has most of a crease with; −2 at a border. */
static double crease_of(const pbd_collision_mesh *mesh, const struct mesh_triangle *triangle) {
    double least = 1.0;
    for (int k = 0; k < 3; ++k) {
        const struct mesh_edge *edge = &mesh->edges[triangle->edge[k]];
        if (edge->triangle[1] == MESH_NONE) return -2.0;
        double along =
            vec3_dot(mesh->triangles[edge->triangle[0]].normal, mesh->triangles[edge->triangle[1]].normal);
        least = along < least ? along : least;
    }
    return least;
}

/* The bound above. What is beyond the part itself may only bend moderately. */
static bool held_by_vertices(const struct feature_making *m, const struct feature_target *part,
                             uint32_t count) {
    const pbd_collision_mesh *mesh = m->mesh;
    const uint32_t *found = m->features->found;
    struct vec3 sum = {0.0, 0.0, 0.0};
    for (uint32_t k = 0; k < count; ++k)
        sum = vec3_add(sum, mesh->triangles[found[k]].normal);
    double length = vec3_length(sum), least = 1.0, crease = 1.0;
    if (!(length > 0.0)) return false;
    sum = vec3_scale(sum, 1.0 / length);
    double slide = m->kept + SLIDE * (double)m->cloth->fabric->mean_edge;
    double less = part->reach > slide ? part->reach - slide : 0.0;
    for (uint32_t k = 0; k < count; ++k) {
        const struct mesh_triangle *triangle = &mesh->triangles[found[k]];
        double along = vec3_dot(triangle->normal, sum);
        if (along < SMOOTH) return false;
        if (along >= least || !points_in_range(mesh, triangle->point, 3, &part->range, less)) continue;
        least = along;
    }
    double dip = FEATURE_STRETCH * part->longest / 3.0 * (1.0 - least * least);
    double thickness = (double)m->cloth->settings.thickness, most = thickness * thickness * least * least;
    if (dip > 4.0 * most) return false;
    for (uint32_t k = 0; k < count; ++k) {
        double along = crease_of(mesh, &mesh->triangles[found[k]]);
        if (along < -1.5) return false;
        crease = along < crease ? along : crease;
    }
    return dip <= most || 1.0 - crease <= CREASE * (1.0 - least);
}

static void add_if_near(struct feature_making *m, const struct feature_target *part, uint32_t index,
                        const uint32_t *points) {
    const pbd_collision_mesh *mesh = m->mesh;
    int ends = part->kind == FEATURE_POINT ? 1 : 2;
    if (!points_in_range(mesh, points, ends, &part->range, 0.0)) return;
    struct feature_gap gap =
        feature_gap_of(mesh->points[points[0]], mesh->points[points[ends - 1]], part->corner, part->corners);
    if (gap.distance > part->reach) return;
    if (!feature_sticks_out(mesh, part->kind, index)) return;
    /* Only a solid can be crossed; what is to tell is much work. */
    struct feature feature = mesh->view.closed && gap.across
                                 ? feature_make(&m->collider->shape, mesh, part->kind, index)
                                 : feature_outline(&m->collider->shape, mesh, part->kind, index);
    feature_pair_add(m, &feature, &gap, part);
}

void feature_pairs_add_mesh(struct feature_making *m, const struct feature_target *part) {
    const pbd_collision_mesh *mesh = m->mesh;
    uint32_t count = find_triangles(m, &part->range);
    if (count == 0 || held_by_vertices(m, part, count)) return;
    for (uint32_t k = 0; k < count; ++k) {
        const struct mesh_triangle *triangle = &mesh->triangles[m->features->found[k]];
        for (uint32_t n = 0; n < 3; ++n) {
            uint32_t edge = triangle->edge[n];
            if (part->kind == FEATURE_POINT && (triangle->owns & 1u << n) != 0)
                add_if_near(m, part, triangle->point[n], &triangle->point[n]);
            if (part->kind == FEATURE_SEGMENT && (triangle->owns & 8u << n) != 0)
                add_if_near(m, part, edge, mesh->edges[edge].point);
        }
    }
}
