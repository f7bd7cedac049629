/* Points of contact of a sphere, capsule or box with a mesh, in the mesh's frame.
 *
 * A point of the body (centre, end of a segment, corner) goes by the nearest point of the
 * mesh. An edge of the mesh counts where the body's segment or edge passes over it, a
 * vertex where it is in or near a box; both only where they stand out, so that flat seams
 * between triangles are no bumps. The side of an open mesh is that of the body's centre at
 * the substep's start. */
#include "contact/collision_mesh.h"
#include "contact/rigid_contact.h"

/* One body against one mesh. */
struct query {
    const pbd_collision_mesh *mesh;
    const struct rigid_solid *body, *solid; /* solid: of the mesh */
    struct exact_pose pose;                 /* of the body, in the mesh's frame */
    struct vec3 origin;                     /* where its centre came from */
    double margin, thin;
    struct rigid_hits *hits;
};

/* normal and point on the body are local; gap along the normal. */
static void add(const struct query *q, struct vec3 on_body, struct vec3 normal, double gap) {
    if (gap > q->margin) return;
    struct vec3 a = pose_to_world(q->solid->pose, on_body);
    struct vec3 n = pose_direction_to_world(q->solid->pose, normal);
    rigid_hits_add(q->hits,
                   &(struct rigid_hit){.a = a, .b = vec3_add_scaled(a, n, -gap), .normal = n, .gap = gap});
}

/* +1 where the mesh is looked at from the side of its winding. */
static double side_of(const struct query *q, struct vec3 at, struct vec3 normal) {
    if (q->mesh->view.closed) return 1.0;
    return vec3_dot(normal, vec3_sub(q->origin, at)) >= 0.0 ? 1.0 : -1.0;
}

static bool edge_is_border(const pbd_collision_mesh *mesh, uint32_t edge) {
    return mesh->edges[edge].triangle[1] == MESH_NONE;
}

static bool is_border(const pbd_collision_mesh *mesh, const struct mesh_closest *c) {
    const struct mesh_triangle *t = &mesh->triangles[c->triangle];
    if (c->region == MESH_EDGE) return edge_is_border(mesh, t->edge[c->corner]);
    if (c->region == MESH_FACE) return false;
    uint32_t p = t->point[c->corner];
    for (uint32_t k = mesh->point_edge_start[p]; k < mesh->point_edge_start[p + 1]; ++k)
        if (edge_is_border(mesh, mesh->point_edges[k])) return true;
    return false;
}

/* ---- points of the body ---- */

static bool inside_box(const struct query *q, struct vec3 p, double by) {
    const float *low = q->mesh->view.min, *high = q->mesh->view.max;
    return p.x >= (double)low[0] - by && p.x <= (double)high[0] + by && p.y >= (double)low[1] - by &&
           p.y <= (double)high[1] + by && p.z >= (double)low[2] - by && p.z <= (double)high[2] + by;
}

/* A ball of radius r (0: a corner) against what is nearest to its centre. */
static bool nearest_hit(const struct query *q, struct vec3 centre, double r) {
    double limit = r + q->margin + q->thin;
    if (!inside_box(q, centre, limit)) return false;
    /* Within a solid the way out may be long. */
    if (q->mesh->view.closed) limit = INFINITY;
    struct mesh_closest c = collision_mesh_closest(q->mesh, centre, limit);
    if (c.triangle == MESH_NONE) return false;
    struct vec3 normal = collision_mesh_normal_at(q->mesh, &c);
    normal = vec3_scale(normal, side_of(q, c.point, normal));
    struct vec3 d = vec3_sub(centre, c.point);
    bool behind = vec3_dot(d, normal) < 0.0;
    /* Beyond an open mesh's border nothing is behind it. */
    if (behind && !q->mesh->view.closed && is_border(q->mesh, &c)) return false;
    if (c.region != MESH_FACE && c.distance > 1e-9 * (r + q->thin))
        normal = vec3_scale(d, (behind ? -1.0 : 1.0) / c.distance);
    double distance = behind ? -c.distance : c.distance;
    add(q, vec3_add_scaled(centre, normal, -r), normal, distance - r);
    return behind;
}

/* ---- what stands out of the mesh ---- */

/* Whether the way from an edge's point goes between its triangles' normals, outside. */
static bool edge_stands_out(const struct query *q, uint32_t edge, struct vec3 at, struct vec3 way,
                            double side) {
    const struct mesh_edge *e = &q->mesh->edges[edge];
    double slack = 1e-6 * vec3_length(way);
    for (int k = 0; k < 2; ++k) {
        if (e->triangle[k] == MESH_NONE) continue;
        const struct mesh_triangle *t = &q->mesh->triangles[e->triangle[k]];
        struct vec3 middle = {0.0, 0.0, 0.0};
        for (int i = 0; i < 3; ++i)
            middle = vec3_add_scaled(middle, q->mesh->points[t->point[i]], 1.0 / 3.0);
        struct vec3 along = vec3_sub(q->mesh->points[e->point[1]], q->mesh->points[e->point[0]]);
        /* Across the edge, in the triangle's plane, into the triangle. */
        struct vec3 into = vec3_cross(t->normal, along);
        if (vec3_dot(into, vec3_sub(middle, at)) < 0.0) into = vec3_scale(into, -1.0);
        double length = vec3_length(into);
        if (vec3_dot(way, into) > slack * length) return false;
        if (e->triangle[1] != MESH_NONE && side * vec3_dot(way, t->normal) < -slack) return false;
    }
    return true;
}

/* The two nearest points of the segments p + s·u and r + t·v, s, t in 0…1; false where it
 * is not inside of both. */
static bool segments_cross(struct vec3 p, struct vec3 u, struct vec3 r, struct vec3 v, double *s, double *t) {
    struct vec3 d = vec3_sub(r, p);
    double uu = vec3_dot(u, u), vv = vec3_dot(v, v), uv = vec3_dot(u, v);
    double det = uu * vv - uv * uv;
    if (!(det > 1e-8 * uu * vv)) return false;
    *s = (vec3_dot(u, d) * vv - uv * vec3_dot(v, d)) / det;
    *t = (uv * vec3_dot(u, d) - vec3_dot(v, d) * uu) / det;
    return *s > 0.0 && *s < 1.0 && *t > 0.0 && *t < 1.0;
}

/* A capsule's segment over an edge. */
static void edge_hit_capsule(const struct query *q, uint32_t edge, struct vec3 from, struct vec3 to,
                             double r) {
    const struct mesh_edge *e = &q->mesh->edges[edge];
    struct vec3 a = q->mesh->points[e->point[0]], b = q->mesh->points[e->point[1]];
    double s, t;
    if (!segments_cross(from, vec3_sub(to, from), a, vec3_sub(b, a), &s, &t)) return;
    struct vec3 on_axis = vec3_add_scaled(from, vec3_sub(to, from), s);
    struct vec3 on_edge = vec3_add_scaled(a, vec3_sub(b, a), t), way = vec3_sub(on_axis, on_edge);
    double distance = vec3_length(way);
    if (!(distance > 0.0) || distance > r + q->margin) return;
    if (!edge_stands_out(q, edge, on_edge, way,
                         side_of(q, on_edge, collision_mesh_edge_normal(q->mesh, edge))))
        return;
    struct vec3 normal = vec3_scale(way, 1.0 / distance);
    add(q, vec3_add_scaled(on_axis, normal, -r), normal, distance - r);
}

/* An edge of the box over one of the mesh. */
static void edge_hit_box(const struct query *q, uint32_t edge, struct vec3 p, struct vec3 u) {
    const struct mesh_edge *e = &q->mesh->edges[edge];
    struct vec3 a = q->mesh->points[e->point[0]], b = q->mesh->points[e->point[1]], v = vec3_sub(b, a);
    double s, t;
    if (!segments_cross(p, u, a, v, &s, &t)) return;
    struct vec3 normal = vec3_cross(u, v);
    normal = vec3_scale(normal, 1.0 / vec3_length(normal));
    struct vec3 on_box = vec3_add_scaled(p, u, s), on_edge = vec3_add_scaled(a, v, t);
    struct vec3 centre = vec3_sub(q->pose.position, on_edge);
    if (vec3_dot(normal, centre) < 0.0) normal = vec3_scale(normal, -1.0);
    double gap = vec3_dot(normal, vec3_sub(on_box, on_edge));
    if (gap > q->margin || gap < -q->thin) return;
    /* The box must lie behind its edge, and the mesh behind its own. */
    struct vec3 half = q->body->shape->half, arm = vec3_sub(q->pose.position, on_box);
    double reach = half.x * __builtin_fabs(vec3_dot(q->pose.axis[0], normal)) +
                   half.y * __builtin_fabs(vec3_dot(q->pose.axis[1], normal)) +
                   half.z * __builtin_fabs(vec3_dot(q->pose.axis[2], normal));
    if (vec3_dot(arm, normal) < reach * (1.0 - 1e-6)) return;
    if (!edge_stands_out(q, edge, on_edge, normal,
                         side_of(q, on_edge, collision_mesh_edge_normal(q->mesh, edge))))
        return;
    add(q, on_box, normal, gap);
}

/* A vertex of the mesh in or near the box. */
static void point_hit_box(const struct query *q, uint32_t point) {
    struct vec3 at = q->mesh->points[point], outward = q->mesh->point_normals[point], normal;
    double gap = collide_shape_distance(q->body->shape, pose_to_local(&q->pose, at), &normal);
    if (gap > q->margin || gap < -q->thin) return;
    normal = vec3_scale(pose_direction_to_world(&q->pose, normal), -1.0);
    /* Pushed the way the surface looks, or what sinks in beside an edge would be torn sideways. */
    if (vec3_dot(normal, outward) * side_of(q, at, outward) < 0.5) return;
    add(q, vec3_add_scaled(at, normal, gap), normal, gap);
}

/* ---- bodies ---- */

/* All edges (and vertices) of the mesh in a box around the body. */
struct visit {
    struct vec3 from[12], way[12]; /* the body's edges or segment */
    int edges;
    double radius;
};

static void visit_mesh(const struct query *q, const struct visit *visit, struct vec3 half) {
    struct vec3 c = q->pose.position;
    double by = q->margin;
    struct bvh_range range = {{c.x - half.x - by, c.y - half.y - by, c.z - half.z - by},
                              {c.x + half.x + by, c.y + half.y + by, c.z + half.z + by}};
    struct bvh_walk walk;
    uint32_t first, count;
    bool box = q->body->shape->type == PBD_BOX;
    bvh_walk_begin(&walk, &q->mesh->bvh, &range);
    while (bvh_walk_next(&walk, &first, &count))
        for (uint32_t t = first; t < first + count; ++t) {
            const struct mesh_triangle *triangle = &q->mesh->triangles[t];
            for (uint32_t k = 0; k < 3; ++k) {
                if (box && (triangle->owns & 1u << k) != 0) point_hit_box(q, triangle->point[k]);
                if ((triangle->owns & 8u << k) == 0) continue;
                for (int i = 0; i < visit->edges; ++i) {
                    if (box)
                        edge_hit_box(q, triangle->edge[k], visit->from[i], visit->way[i]);
                    else
                        edge_hit_capsule(q, triangle->edge[k], visit->from[i],
                                         vec3_add(visit->from[i], visit->way[i]), visit->radius);
                }
            }
        }
}

/* Triangles beside the nearest one whose own plane the ball touches: a groove has two. */
static void other_faces(const struct query *q, struct vec3 centre, double r) {
    double by = r + q->margin;
    struct bvh_range range = {{centre.x - by, centre.y - by, centre.z - by},
                              {centre.x + by, centre.y + by, centre.z + by}};
    struct mesh_closest nearest = collision_mesh_closest(q->mesh, centre, by);
    struct bvh_walk walk;
    uint32_t first, count;
    bvh_walk_begin(&walk, &q->mesh->bvh, &range);
    while (bvh_walk_next(&walk, &first, &count))
        for (uint32_t t = first; t < first + count; ++t) {
            struct mesh_closest c = collision_mesh_closest_on(q->mesh, t, centre);
            if (t == nearest.triangle || c.region != MESH_FACE || c.distance > by) continue;
            struct vec3 normal = q->mesh->triangles[t].normal;
            normal = vec3_scale(normal, side_of(q, c.point, normal));
            if (vec3_dot(normal, vec3_sub(centre, c.point)) > 0.0)
                add(q, vec3_add_scaled(centre, normal, -r), normal, c.distance - r);
        }
}

static void ball(const struct query *q, struct vec3 centre, double r) {
    if (!nearest_hit(q, centre, r)) other_faces(q, centre, r);
}

static void capsule(const struct query *q) {
    double r = q->body->shape->radius, h = q->body->shape->half_height;
    struct vec3 from = vec3_add_scaled(q->pose.position, q->pose.axis[1], -h);
    struct vec3 way = vec3_scale(q->pose.axis[1], 2.0 * h);
    ball(q, from, r);
    ball(q, vec3_add(from, way), r);
    struct visit visit = {.from = {from}, .way = {way}, .edges = 1, .radius = r};
    struct vec3 a = q->pose.axis[1];
    visit_mesh(
        q, &visit,
        vec3_make(__builtin_fabs(a.x) * h + r, __builtin_fabs(a.y) * h + r, __builtin_fabs(a.z) * h + r));
}

static double pick(struct vec3 v, int k) {
    return k == 0 ? v.x : k == 1 ? v.y : v.z;
}

static void box(const struct query *q) {
    struct vec3 half = q->body->shape->half;
    struct visit visit = {.edges = 0};
    for (int k = 0; k < 8; ++k) {
        struct vec3 corner = {(k & 1) != 0 ? half.x : -half.x, (k & 2) != 0 ? half.y : -half.y,
                              (k & 4) != 0 ? half.z : -half.z};
        (void)nearest_hit(q, pose_to_world(&q->pose, corner), 0.0);
        for (int axis = 0; axis < 3; ++axis) {
            if ((k & 1 << axis) != 0) continue;
            visit.from[visit.edges] = pose_to_world(&q->pose, corner);
            visit.way[visit.edges++] = vec3_scale(q->pose.axis[axis], 2.0 * pick(half, axis));
        }
    }
    const struct vec3 *a = q->pose.axis;
    struct vec3 reach = {
        __builtin_fabs(a[0].x) * half.x + __builtin_fabs(a[1].x) * half.y + __builtin_fabs(a[2].x) * half.z,
        __builtin_fabs(a[0].y) * half.x + __builtin_fabs(a[1].y) * half.y + __builtin_fabs(a[2].y) * half.z,
        __builtin_fabs(a[0].z) * half.x + __builtin_fabs(a[1].z) * half.y + __builtin_fabs(a[2].z) * half.z};
    visit_mesh(q, &visit, reach);
}

static double thin_of(const struct collide_shape *shape) {
    if (shape->type != PBD_BOX) return shape->radius;
    double least = shape->half.x < shape->half.y ? shape->half.x : shape->half.y;
    return least < shape->half.z ? least : shape->half.z;
}

void rigid_manifold_mesh(const struct rigid_solid *a, const struct rigid_solid *b, struct vec3 origin_a,
                         double margin, struct rigid_hits *hits) {
    struct query q = {.mesh = b->shape->mesh,
                      .body = a,
                      .solid = b,
                      .origin = pose_to_local(b->pose, origin_a),
                      .margin = margin,
                      .thin = thin_of(a->shape),
                      .hits = hits};
    q.pose.position = pose_to_local(b->pose, a->pose->position);
    for (int k = 0; k < 3; ++k)
        q.pose.axis[k] = pose_to_local(b->pose, vec3_add(b->pose->position, a->pose->axis[k]));
    if (a->shape->type == PBD_SPHERE)
        ball(&q, q.pose.position, a->shape->radius);
    else if (a->shape->type == PBD_CAPSULE)
        capsule(&q);
    else
        box(&q);
}
