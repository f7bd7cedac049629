/* Questions to a collision mesh: nearest points, normals there, features in a box. */
#include "contact/collision_mesh.h"

#include <stddef.h>

struct vec3 collision_mesh_edge_normal(const pbd_collision_mesh *mesh, uint32_t edge) {
    const struct mesh_edge *e = &mesh->edges[edge];
    struct vec3 sum = {0.0, 0.0, 0.0};
    for (int k = 0; k < 2; ++k)
        if (e->triangle[k] != MESH_NONE) sum = vec3_add(sum, mesh->triangles[e->triangle[k]].normal);
    double length = vec3_length(sum);
    return length > 1e-9 ? vec3_scale(sum, 1.0 / length) : vec3_make(0.0, 0.0, 0.0);
}

static struct bvh_box box_of(const pbd_collision_mesh *mesh, const uint32_t *points, int count) {
    struct bvh_box box;
    for (int i = 0; i < count; ++i) {
        struct vec3 p = mesh->points[points[i]];
        float at[3] = {(float)p.x, (float)p.y, (float)p.z}; /* exact: they were floats */
        for (int k = 0; k < 3; ++k) {
            if (i == 0 || at[k] < box.low[k]) box.low[k] = at[k];
            if (i == 0 || at[k] > box.high[k]) box.high[k] = at[k];
        }
    }
    return box;
}

struct bvh_box collision_mesh_triangle_box(const pbd_collision_mesh *mesh, uint32_t triangle) {
    return box_of(mesh, mesh->triangles[triangle].point, 3);
}

static bool meets(const struct bvh_box *box, const struct bvh_range *range) {
    for (int k = 0; k < 3; ++k)
        if ((double)box->low[k] > range->high[k] || (double)box->high[k] < range->low[k]) return false;
    return true;
}

/* Features of one kind, told by what to look at of each triangle. */
static uint32_t find(const pbd_collision_mesh *mesh, const struct bvh_range *range, enum mesh_region kind,
                     uint32_t *out, uint32_t capacity) {
    struct bvh_walk walk;
    uint32_t first, count, found = 0;
    bvh_walk_begin(&walk, &mesh->bvh, range);
    while (bvh_walk_next(&walk, &first, &count)) {
        for (uint32_t t = first; t < first + count; ++t) {
            const struct mesh_triangle *triangle = &mesh->triangles[t];
            for (uint32_t k = 0; k < (kind == MESH_FACE ? 1u : 3u); ++k) {
                if (kind == MESH_POINT && !(triangle->owns & 1u << k)) continue;
                if (kind == MESH_EDGE && !(triangle->owns & 8u << k)) continue;
                struct bvh_box box = kind == MESH_FACE ? box_of(mesh, triangle->point, 3)
                                     : kind == MESH_POINT
                                         ? box_of(mesh, &triangle->point[k], 1)
                                         : box_of(mesh, mesh->edges[triangle->edge[k]].point, 2);
                if (!meets(&box, range)) continue;
                if (found < capacity)
                    out[found] = kind == MESH_FACE    ? t
                                 : kind == MESH_POINT ? triangle->point[k]
                                                      : triangle->edge[k];
                ++found;
            }
        }
    }
    return found;
}

uint32_t collision_mesh_find_triangles(const pbd_collision_mesh *mesh, const struct bvh_range *range,
                                       uint32_t *out, uint32_t capacity) {
    return find(mesh, range, MESH_FACE, out, capacity);
}

uint32_t collision_mesh_find_edges(const pbd_collision_mesh *mesh, const struct bvh_range *range,
                                   uint32_t *out, uint32_t capacity) {
    return find(mesh, range, MESH_EDGE, out, capacity);
}

uint32_t collision_mesh_find_points(const pbd_collision_mesh *mesh, const struct bvh_range *range,
                                    uint32_t *out, uint32_t capacity) {
    return find(mesh, range, MESH_POINT, out, capacity);
}

static struct mesh_closest at_point(const pbd_collision_mesh *mesh, uint32_t t, uint32_t corner,
                                    struct vec3 from) {
    struct vec3 p = mesh->points[mesh->triangles[t].point[corner]];
    return (struct mesh_closest){t, p, vec3_length(vec3_sub(from, p)), MESH_POINT, corner};
}

/* share: how far along edge[k], from point[k]. */
static struct mesh_closest at_edge(const pbd_collision_mesh *mesh, uint32_t t, uint32_t k, double share,
                                   struct vec3 from) {
    const struct mesh_triangle *triangle = &mesh->triangles[t];
    struct vec3 a = mesh->points[triangle->point[k]], b = mesh->points[triangle->point[(k + 1) % 3]];
    struct vec3 p = vec3_add_scaled(a, vec3_sub(b, a), share);
    return (struct mesh_closest){t, p, vec3_length(vec3_sub(from, p)), MESH_EDGE, k};
}

/* Ericson, Real-Time Collision Detection (2005), 5.1.5: by the regions of a triangle. */
struct mesh_closest collision_mesh_closest_on(const pbd_collision_mesh *mesh, uint32_t t, struct vec3 from) {
    const struct mesh_triangle *triangle = &mesh->triangles[t];
    struct vec3 a = mesh->points[triangle->point[0]], b = mesh->points[triangle->point[1]],
                c = mesh->points[triangle->point[2]];
    struct vec3 ab = vec3_sub(b, a), ac = vec3_sub(c, a), ap = vec3_sub(from, a);
    double d1 = vec3_dot(ab, ap), d2 = vec3_dot(ac, ap);
    if (d1 <= 0.0 && d2 <= 0.0) return at_point(mesh, t, 0, from);
    struct vec3 bp = vec3_sub(from, b);
    double d3 = vec3_dot(ab, bp), d4 = vec3_dot(ac, bp);
    if (d3 >= 0.0 && d4 <= d3) return at_point(mesh, t, 1, from);
    struct vec3 cp = vec3_sub(from, c);
    double d5 = vec3_dot(ab, cp), d6 = vec3_dot(ac, cp);
    if (d6 >= 0.0 && d5 <= d6) return at_point(mesh, t, 2, from);
    if (d1 * d4 - d3 * d2 <= 0.0 && d1 >= 0.0 && d3 <= 0.0) return at_edge(mesh, t, 0, d1 / (d1 - d3), from);
    if (d3 * d6 - d5 * d4 <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0)
        return at_edge(mesh, t, 1, (d4 - d3) / ((d4 - d3) + (d5 - d6)), from);
    if (d5 * d2 - d1 * d6 <= 0.0 && d2 >= 0.0 && d6 <= 0.0)
        return at_edge(mesh, t, 2, 1.0 - d2 / (d2 - d6), from);
    double height = vec3_dot(triangle->normal, ap);
    return (struct mesh_closest){t, vec3_add_scaled(from, triangle->normal, -height), __builtin_fabs(height),
                                 MESH_FACE, 0};
}

static double outside(double at, float low, float high) {
    return at < (double)low ? (double)low - at : at > (double)high ? at - (double)high : 0.0;
}

static double box_distance_squared(const struct bvh_box *box, struct vec3 from) {
    double x = outside(from.x, box->low[0], box->high[0]), y = outside(from.y, box->low[1], box->high[1]),
           z = outside(from.z, box->low[2], box->high[2]);
    return x * x + y * y + z * z;
}

struct mesh_closest collision_mesh_closest(const pbd_collision_mesh *mesh, struct vec3 from, double limit) {
    const struct bvh *bvh = &mesh->bvh;
    struct mesh_closest best = {.triangle = MESH_NONE, .point = from, .distance = limit};
    /* A box's distance is rounded; the slack keeps triangles as near as the best one. */
    double reach = limit * limit * (1.0 + 0x1p-40);
    struct {
        uint32_t node;
        double squared;
    } stack[BVH_DEPTH];
    int depth = 0;
    stack[depth].node = 0;
    stack[depth++].squared = box_distance_squared(&bvh->nodes[0].box, from);
    while (depth > 0) {
        uint32_t at = stack[--depth].node;
        if (stack[depth].squared > reach) continue;
        const struct bvh_node *node = &bvh->nodes[at];
        for (uint32_t t = node->right; t < node->right + node->count; ++t) {
            struct mesh_closest one = collision_mesh_closest_on(mesh, t, from);
            bool nearer =
                one.distance < best.distance || (one.distance == best.distance && t < best.triangle);
            if (!nearer) continue;
            best = one;
            reach = one.distance * one.distance * (1.0 + 0x1p-40);
        }
        if (node->count > 0) continue;
        double left = box_distance_squared(&bvh->nodes[at + 1].box, from),
               right = box_distance_squared(&bvh->nodes[node->right].box, from);
        bool left_first = left <= right; /* so pushed last */
        stack[depth].node = left_first ? node->right : at + 1;
        stack[depth++].squared = left_first ? right : left;
        stack[depth].node = left_first ? at + 1 : node->right;
        stack[depth++].squared = left_first ? left : right;
    }
    return best;
}

struct vec3 collision_mesh_normal_at(const pbd_collision_mesh *mesh, const struct mesh_closest *closest) {
    const struct mesh_triangle *triangle = &mesh->triangles[closest->triangle];
    if (closest->region == MESH_EDGE)
        return collision_mesh_edge_normal(mesh, triangle->edge[closest->corner]);
    if (closest->region == MESH_POINT) return mesh->point_normals[triangle->point[closest->corner]];
    return triangle->normal;
}
