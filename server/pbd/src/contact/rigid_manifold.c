/* Points of contact of spheres, capsules, boxes and planes.
 *
 * A sphere is its centre and a capsule its segment, inflated; the other shape's signed
 * distance is convex, so along a segment it has one minimum. What lies flat touches at
 * both ends, so the ends count too. A box against a plane: its corners. */
#include "contact/rigid_contact.h"

void rigid_hits_add(struct rigid_hits *hits, const struct rigid_hit *hit) {
    if (hits->count < RIGID_POINTS_MAX) {
        hits->hit[hits->count++] = *hit;
        return;
    }
    uint32_t shallow = 0;
    for (uint32_t i = 1; i < hits->count; ++i)
        if (hits->hit[i].gap > hits->hit[shallow].gap) shallow = i;
    if (hit->gap < hits->hit[shallow].gap) hits->hit[shallow] = *hit;
}

/* The slope of the distance along the way rises, so its root is found by halving. */
double rigid_nearest_on_segment(const struct collide_shape *shape, struct vec3 from, struct vec3 to) {
    struct vec3 way = vec3_sub(to, from), normal;
    (void)collide_shape_distance(shape, from, &normal);
    if (vec3_dot(normal, way) >= 0.0) return 0.0;
    (void)collide_shape_distance(shape, to, &normal);
    if (vec3_dot(normal, way) <= 0.0) return 1.0;
    double low = 0.0, high = 1.0;
    for (int i = 0; i < 40; ++i) {
        double middle = 0.5 * (low + high);
        (void)collide_shape_distance(shape, vec3_add_scaled(from, way, middle), &normal);
        double slope = vec3_dot(normal, way);
        if (slope == 0.0) return middle;
        if (slope < 0.0)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

/* A ball of radius r around a point of b's frame, as part of a. */
static struct rigid_hit ball_hit(const struct rigid_solid *b, struct vec3 local, double r) {
    struct vec3 normal;
    double distance = collide_shape_distance(b->shape, local, &normal);
    struct vec3 centre = pose_to_world(b->pose, local);
    normal = pose_direction_to_world(b->pose, normal);
    return (struct rigid_hit){.a = vec3_add_scaled(centre, normal, -r),
                              .b = vec3_add_scaled(centre, normal, -distance),
                              .normal = normal,
                              .gap = distance - r};
}

static void add_within(struct rigid_hits *hits, const struct rigid_hit *hit, double margin) {
    if (hit->gap <= margin) rigid_hits_add(hits, hit);
}

/* The ends of a capsule's segment in b's frame. */
static void segment_of(const struct rigid_solid *a, const struct rigid_solid *b, struct vec3 end[2]) {
    for (int k = 0; k < 2; ++k) {
        double y = k == 0 ? -a->shape->half_height : a->shape->half_height;
        end[k] = pose_to_local(b->pose, pose_to_world(a->pose, vec3_make(0.0, y, 0.0)));
    }
}

static void capsule_points(const struct rigid_solid *a, const struct rigid_solid *b, double margin,
                           struct rigid_hits *hits) {
    struct vec3 end[2];
    segment_of(a, b, end);
    for (int k = 0; k < 2; ++k) {
        struct rigid_hit hit = ball_hit(b, end[k], a->shape->radius);
        add_within(hits, &hit, margin);
    }
    double at = rigid_nearest_on_segment(b->shape, end[0], end[1]);
    if (!(at > 0.0 && at < 1.0)) return;
    struct vec3 middle = vec3_add_scaled(end[0], vec3_sub(end[1], end[0]), at);
    struct rigid_hit hit = ball_hit(b, middle, a->shape->radius);
    add_within(hits, &hit, margin);
}

static struct vec3 corner_of(const struct collide_shape *box, int k) {
    return vec3_make((k & 1) != 0 ? box->half.x : -box->half.x, (k & 2) != 0 ? box->half.y : -box->half.y,
                     (k & 4) != 0 ? box->half.z : -box->half.z);
}

static void corner_points(const struct rigid_solid *a, const struct rigid_solid *b, double margin,
                          struct rigid_hits *hits) {
    for (int k = 0; k < 8; ++k) {
        struct vec3 corner = pose_to_world(a->pose, corner_of(a->shape, k));
        struct rigid_hit hit = ball_hit(b, pose_to_local(b->pose, corner), 0.0);
        add_within(hits, &hit, margin);
    }
}

/* Whether a's features are to be held against b's distance, not the other way round. */
static bool leads(enum pbd_shape_type a, enum pbd_shape_type b) {
    if (b == PBD_PLANE || b == PBD_MESH) return true;
    if (a == PBD_SPHERE) return true;
    if (b == PBD_SPHERE) return false;
    return a == PBD_CAPSULE || b == PBD_BOX;
}

static void mirror(struct rigid_hits *hits) {
    for (uint32_t i = 0; i < hits->count; ++i) {
        struct rigid_hit *hit = &hits->hit[i];
        struct vec3 swap = hit->a;
        hit->a = hit->b;
        hit->b = swap;
        hit->normal = vec3_scale(hit->normal, -1.0);
    }
}

void rigid_manifold(const struct rigid_solid *a, const struct rigid_solid *b, struct vec3 origin_a,
                    double margin, struct rigid_hits *hits) {
    hits->count = 0;
    if (!leads(a->shape->type, b->shape->type)) {
        rigid_manifold(b, a, b->pose->position, margin, hits);
        mirror(hits);
        return;
    }
    if (b->shape->type == PBD_MESH) {
        rigid_manifold_mesh(a, b, origin_a, margin, hits);
    } else if (a->shape->type == PBD_SPHERE) {
        struct rigid_hit hit = ball_hit(b, pose_to_local(b->pose, a->pose->position), a->shape->radius);
        add_within(hits, &hit, margin);
    } else if (a->shape->type == PBD_CAPSULE) {
        capsule_points(a, b, margin, hits);
    } else if (b->shape->type == PBD_BOX) {
        rigid_manifold_boxes(a, b, margin, hits);
    } else {
        corner_points(a, b, margin, hits);
    }
}

double rigid_gap(const struct rigid_solid *a, const struct rigid_solid *b, struct vec3 *normal) {
    if (!leads(a->shape->type, b->shape->type)) {
        double gap = rigid_gap(b, a, normal);
        *normal = vec3_scale(*normal, -1.0);
        return gap;
    }
    if (a->shape->type == PBD_BOX && b->shape->type == PBD_BOX) return rigid_gap_boxes(a, b, normal);
    struct rigid_hit nearest;
    if (a->shape->type == PBD_SPHERE) {
        nearest = ball_hit(b, pose_to_local(b->pose, a->pose->position), a->shape->radius);
    } else if (a->shape->type == PBD_CAPSULE) {
        struct vec3 end[2];
        segment_of(a, b, end);
        double at = rigid_nearest_on_segment(b->shape, end[0], end[1]);
        nearest = ball_hit(b, vec3_add_scaled(end[0], vec3_sub(end[1], end[0]), at), a->shape->radius);
    } else {
        nearest.gap = INFINITY;
        nearest.normal = vec3_make(0.0, 1.0, 0.0);
        for (int k = 0; k < 8; ++k) {
            struct vec3 corner = pose_to_world(a->pose, corner_of(a->shape, k));
            struct rigid_hit hit = ball_hit(b, pose_to_local(b->pose, corner), 0.0);
            if (hit.gap < nearest.gap) nearest = hit;
        }
    }
    *normal = nearest.normal;
    return nearest.gap;
}
