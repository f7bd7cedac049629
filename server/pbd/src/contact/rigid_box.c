/* Points of contact of two boxes: separating axes (Gottschalk, Lin and Manocha, OBBTree,
 * 1996), then the face of one clipped by the face of the other (Sutherland and Hodgman,
 * 1974), or the two nearest points of a pair of edges. */
#include "contact/rigid_contact.h"

/* The axis of least overlap. */
struct best_axis {
    struct vec3 normal; /* from b to a */
    double gap;
    int face_a, face_b; /* axis of the box whose face it is, or −1 */
    int edge_a, edge_b; /* axes of the two edges, or −1 */
};

static double half_of(const struct collide_shape *box, int k) {
    return k == 0 ? box->half.x : k == 1 ? box->half.y : box->half.z;
}

/* How far the box reaches from its centre along a direction. */
static double reach(const struct rigid_solid *box, struct vec3 direction) {
    const struct vec3 *axis = box->pose->axis;
    struct vec3 half = box->shape->half;
    return half.x * __builtin_fabs(vec3_dot(axis[0], direction)) +
           half.y * __builtin_fabs(vec3_dot(axis[1], direction)) +
           half.z * __builtin_fabs(vec3_dot(axis[2], direction));
}

/* An edge pair must be better by this part of the boxes' size, or flat contacts would
 * flicker between faces and edges. */
#define FACE_PREFERRED 1e-3
/* Edges this parallel (sine) have no axis of their own. */
#define PARALLEL 1e-4

static double gap_along(const struct rigid_solid *a, const struct rigid_solid *b, struct vec3 apart,
                        struct vec3 *axis) {
    double along = vec3_dot(apart, *axis);
    if (along < 0.0) {
        *axis = vec3_scale(*axis, -1.0);
        along = -along;
    }
    return along - reach(a, *axis) - reach(b, *axis);
}

static void try_faces(const struct rigid_solid *a, const struct rigid_solid *b, struct vec3 apart,
                      double preference, struct best_axis *best) {
    for (int k = 0; k < 6; ++k) {
        struct vec3 axis = k < 3 ? a->pose->axis[k] : b->pose->axis[k - 3];
        double gap = gap_along(a, b, apart, &axis);
        /* The first box's faces are kept unless the other's are clearly better. */
        if (gap > best->gap + (k >= 3 ? preference : 0.0))
            *best = (struct best_axis){axis, gap, k < 3 ? k : -1, k < 3 ? -1 : k - 3, -1, -1};
    }
}

static void try_edges(const struct rigid_solid *a, const struct rigid_solid *b, struct vec3 apart,
                      double preference, struct best_axis *best) {
    double bar = best->gap + preference;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            struct vec3 axis = vec3_cross(a->pose->axis[i], b->pose->axis[j]);
            double length = vec3_length(axis);
            if (length < PARALLEL) continue;
            axis = vec3_scale(axis, 1.0 / length);
            double gap = gap_along(a, b, apart, &axis);
            if (gap > bar) {
                bar = gap;
                *best = (struct best_axis){axis, gap, -1, -1, i, j};
            }
        }
}

static double size_of(const struct collide_shape *box) {
    double least = box->half.x < box->half.y ? box->half.x : box->half.y;
    return least < box->half.z ? least : box->half.z;
}

static struct best_axis find_axis(const struct rigid_solid *a, const struct rigid_solid *b, double part) {
    double size_a = size_of(a->shape), size_b = size_of(b->shape);
    double preference = part * (size_a < size_b ? size_a : size_b);
    struct vec3 apart = vec3_sub(a->pose->position, b->pose->position);
    struct best_axis best = {.gap = -INFINITY};
    try_faces(a, b, apart, preference, &best);
    try_edges(a, b, apart, preference, &best);
    return best;
}

double rigid_gap_boxes(const struct rigid_solid *a, const struct rigid_solid *b, struct vec3 *normal) {
    struct best_axis best = find_axis(a, b, 0.0);
    *normal = best.normal;
    return best.gap;
}

/* ---- faces ---- */

#define POLYGON_MAX 8

struct polygon {
    struct vec3 at[POLYGON_MAX];
    int count;
};

/* Keeps what lies where direction·(x − origin) ≤ limit. A convex polygon gains at most one
 * corner a cut: 4 + 4. */
static void clip(struct polygon *polygon, struct vec3 origin, struct vec3 direction, double limit) {
    struct polygon kept = {.count = 0};
    for (int i = 0; i < polygon->count; ++i) {
        struct vec3 p = polygon->at[i], q = polygon->at[(i + 1) % polygon->count];
        double u = vec3_dot(direction, vec3_sub(p, origin)) - limit;
        double v = vec3_dot(direction, vec3_sub(q, origin)) - limit;
        if (u <= 0.0 && kept.count < POLYGON_MAX) kept.at[kept.count++] = p;
        if ((u <= 0.0) != (v <= 0.0) && kept.count < POLYGON_MAX)
            kept.at[kept.count++] = vec3_add_scaled(p, vec3_sub(q, p), u / (u - v));
    }
    *polygon = kept;
}

/* The face of a box that looks most against a direction. */
static struct polygon opposing_face(const struct rigid_solid *box, struct vec3 direction) {
    const struct vec3 *axis = box->pose->axis;
    int k = 0;
    double most = -1.0;
    for (int i = 0; i < 3; ++i) {
        double along = __builtin_fabs(vec3_dot(axis[i], direction));
        if (along > most) {
            most = along;
            k = i;
        }
    }
    int i = (k + 1) % 3, j = (k + 2) % 3;
    double side = vec3_dot(axis[k], direction) > 0.0 ? -1.0 : 1.0;
    struct vec3 centre = vec3_add_scaled(box->pose->position, axis[k], side * half_of(box->shape, k));
    struct vec3 u = vec3_scale(axis[i], half_of(box->shape, i)),
                v = vec3_scale(axis[j], half_of(box->shape, j));
    struct polygon face = {.count = 4};
    face.at[0] = vec3_add(vec3_add(centre, u), v);
    face.at[1] = vec3_add(vec3_sub(centre, u), v);
    face.at[2] = vec3_sub(vec3_sub(centre, u), v);
    face.at[3] = vec3_sub(vec3_add(centre, u), v);
    return face;
}

/* The other box's nearest face over this one's face k; outward: from this box. */
static void face_points(const struct rigid_solid *box, const struct rigid_solid *other, int k,
                        struct vec3 outward, bool box_is_a, double margin, struct rigid_hits *hits) {
    struct polygon face = opposing_face(other, outward);
    for (int i = 1; i <= 2; ++i) {
        int side = (k + i) % 3;
        struct vec3 axis = box->pose->axis[side];
        double half = half_of(box->shape, side);
        clip(&face, box->pose->position, axis, half);
        clip(&face, box->pose->position, vec3_scale(axis, -1.0), half);
    }
    for (int i = 0; i < face.count; ++i) {
        double gap = vec3_dot(outward, vec3_sub(face.at[i], box->pose->position)) - half_of(box->shape, k);
        if (gap > margin) continue;
        struct vec3 on_box = vec3_add_scaled(face.at[i], outward, -gap);
        struct rigid_hit hit = {.gap = gap};
        hit.a = box_is_a ? on_box : face.at[i];
        hit.b = box_is_a ? face.at[i] : on_box;
        hit.normal = box_is_a ? vec3_scale(outward, -1.0) : outward;
        rigid_hits_add(hits, &hit);
    }
}

/* ---- edges ---- */

/* The middle of the edge along axis k that reaches furthest in a direction. */
static struct vec3 furthest_edge(const struct rigid_solid *box, int k, struct vec3 direction) {
    struct vec3 at = box->pose->position;
    for (int i = 1; i <= 2; ++i) {
        int side = (k + i) % 3;
        struct vec3 axis = box->pose->axis[side];
        double half = half_of(box->shape, side);
        at = vec3_add_scaled(at, axis, vec3_dot(axis, direction) > 0.0 ? half : -half);
    }
    return at;
}

static void edge_point(const struct rigid_solid *a, const struct rigid_solid *b, const struct best_axis *best,
                       double margin, struct rigid_hits *hits) {
    struct vec3 p = furthest_edge(a, best->edge_a, vec3_scale(best->normal, -1.0));
    struct vec3 q = furthest_edge(b, best->edge_b, best->normal);
    struct vec3 u = a->pose->axis[best->edge_a], v = b->pose->axis[best->edge_b], d = vec3_sub(q, p);
    double uv = vec3_dot(u, v), scale = 1.0 / (1.0 - uv * uv);
    double s = (vec3_dot(u, d) - uv * vec3_dot(v, d)) * scale;
    double t = (uv * vec3_dot(u, d) - vec3_dot(v, d)) * scale;
    struct vec3 on_a = vec3_add_scaled(p, u, s), on_b = vec3_add_scaled(q, v, t);
    double gap = vec3_dot(best->normal, vec3_sub(on_a, on_b));
    if (gap > margin) return;
    rigid_hits_add(hits, &(struct rigid_hit){.a = on_a, .b = on_b, .normal = best->normal, .gap = gap});
}

void rigid_manifold_boxes(const struct rigid_solid *a, const struct rigid_solid *b, double margin,
                          struct rigid_hits *hits) {
    struct best_axis best = find_axis(a, b, FACE_PREFERRED);
    if (best.gap > margin) return;
    if (best.face_a >= 0)
        face_points(a, b, best.face_a, vec3_scale(best.normal, -1.0), true, margin, hits);
    else if (best.face_b >= 0)
        face_points(b, a, best.face_b, best.normal, false, margin, hits);
    else
        edge_point(a, b, &best, margin, hits);
}
