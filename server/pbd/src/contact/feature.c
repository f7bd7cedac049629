/* Corners, edges, centres and axes of the shapes; which normals they can have. */
#include "contact/feature.h"

/* A mesh's edge or point whose surroundings rise by less than this is flat. */
#define FLAT 1e-5

/* ---- of each shape ---- */

static double sign_of(uint32_t bit) {
    return bit != 0 ? 1.0 : -1.0;
}

/* Corner k: bit i of k is set where it is at +half on axis i. */
static void make_corner(struct feature *feature, struct vec3 half, uint32_t k) {
    double x = sign_of(k & 1u), y = sign_of(k & 2u), z = sign_of(k & 4u);
    feature->a = feature->b = vec3_make(x * half.x, y * half.y, z * half.z);
    feature->cone[0] = vec3_make(x, 0.0, 0.0);
    feature->cone[1] = vec3_make(0.0, y, 0.0);
    feature->cone[2] = vec3_make(0.0, 0.0, z);
    feature->cone_count = 3;
}

/* Edge 4·i + k runs along axis i; the bits of k tell its side on the next two. */
static void make_box_edge(struct feature *feature, struct vec3 half, uint32_t index) {
    double size[3] = {half.x, half.y, half.z}, a[3], b[3], face[2][3] = {{0.0}};
    uint32_t i = index / 4u, j = (i + 1u) % 3u, k = (i + 2u) % 3u;
    a[i] = -size[i];
    b[i] = size[i];
    face[0][j] = sign_of(index & 1u);
    face[1][k] = sign_of(index & 2u);
    a[j] = b[j] = face[0][j] * size[j];
    a[k] = b[k] = face[1][k] * size[k];
    feature->a = vec3_make(a[0], a[1], a[2]);
    feature->b = vec3_make(b[0], b[1], b[2]);
    for (int n = 0; n < 2; ++n)
        feature->cone[n] = vec3_make(face[n][0], face[n][1], face[n][2]);
    feature->cone_count = 2;
}

/* Into the triangle at right angles to its edge, reversed; 0 without a triangle. */
static bool away_from_face(const pbd_collision_mesh *mesh, uint32_t edge, uint32_t triangle,
                           struct vec3 *away) {
    if (triangle == MESH_NONE) return false;
    const struct mesh_edge *e = &mesh->edges[edge];
    struct vec3 along = vec3_sub(mesh->points[e->point[1]], mesh->points[e->point[0]]);
    const struct mesh_triangle *t = &mesh->triangles[triangle];
    struct vec3 across = vec3_cross(t->normal, along);
    double length = vec3_length(across);
    if (!(length > 0.0)) return false;
    for (int k = 0; k < 3; ++k) {
        if (t->point[k] == e->point[0] || t->point[k] == e->point[1]) continue;
        double side = vec3_dot(across, vec3_sub(mesh->points[t->point[k]], mesh->points[e->point[0]]));
        *away = vec3_scale(across, side > 0.0 ? -1.0 / length : 1.0 / length);
        return true;
    }
    return false;
}

static void make_mesh_edge(struct feature *feature, const pbd_collision_mesh *mesh, uint32_t index) {
    const struct mesh_edge *edge = &mesh->edges[index];
    feature->a = mesh->points[edge->point[0]];
    feature->b = mesh->points[edge->point[1]];
    for (int k = 0; k < 2; ++k) {
        struct vec3 away;
        if (away_from_face(mesh, index, edge->triangle[k], &away))
            feature->cone[feature->cone_count++] = away;
    }
    if (mesh->view.closed) feature->cone[feature->cone_count++] = collision_mesh_edge_normal(mesh, index);
}

static void make_mesh_point(struct feature *feature, const pbd_collision_mesh *mesh, uint32_t index) {
    feature->a = feature->b = mesh->points[index];
    if (mesh->view.closed) feature->cone[feature->cone_count++] = mesh->point_normals[index];
}

uint32_t feature_count(const struct collide_shape *shape, const pbd_collision_mesh *mesh,
                       enum feature_kind kind) {
    switch (shape->type) {
    case PBD_PLANE:
        break;
    case PBD_SPHERE:
        return 1;
    case PBD_CAPSULE:
        return kind == FEATURE_POINT ? 2 : 1;
    case PBD_BOX:
        return kind == FEATURE_POINT ? 8 : 12;
    case PBD_MESH:
        return kind == FEATURE_POINT ? mesh->point_count : mesh->edge_count;
    }
    return 0;
}

struct feature feature_make(const struct collide_shape *shape, const pbd_collision_mesh *mesh,
                            enum feature_kind kind, uint32_t index) {
    struct feature feature = {.kind = kind, .index = index, .shape = shape};
    switch (shape->type) {
    case PBD_PLANE:
    case PBD_SPHERE:
        feature.radius = shape->radius;
        break;
    case PBD_CAPSULE:
        feature.radius = shape->radius;
        feature.a.y = kind == FEATURE_POINT && index == 1 ? shape->half_height : -shape->half_height;
        feature.b.y = kind == FEATURE_POINT ? feature.a.y : shape->half_height;
        break;
    case PBD_BOX:
        if (kind == FEATURE_POINT)
            make_corner(&feature, shape->half, index);
        else
            make_box_edge(&feature, shape->half, index);
        break;
    case PBD_MESH:
        feature.mesh = mesh;
        if (kind == FEATURE_POINT)
            make_mesh_point(&feature, mesh, index);
        else
            make_mesh_edge(&feature, mesh, index);
        break;
    }
    return feature;
}

struct feature feature_outline(const struct collide_shape *shape, const pbd_collision_mesh *mesh,
                               enum feature_kind kind, uint32_t index) {
    if (shape->type != PBD_MESH) return feature_make(shape, mesh, kind, index);
    struct feature feature = {.kind = kind, .index = index, .shape = shape, .mesh = mesh};
    uint32_t first = kind == FEATURE_POINT ? index : mesh->edges[index].point[0];
    uint32_t last = kind == FEATURE_POINT ? index : mesh->edges[index].point[1];
    feature.a = mesh->points[first];
    feature.b = mesh->points[last];
    return feature;
}

/* ---- of the edges that end in a mesh's point ---- */

/* The largest component of a direction along any of them. */
static double rise_at_point(const pbd_collision_mesh *mesh, uint32_t point, struct vec3 direction) {
    double highest = -1.0;
    for (uint32_t k = mesh->point_edge_start[point]; k < mesh->point_edge_start[point + 1]; ++k) {
        const struct mesh_edge *edge = &mesh->edges[mesh->point_edges[k]];
        uint32_t other = edge->point[0] == point ? edge->point[1] : edge->point[0];
        struct vec3 way = vec3_sub(mesh->points[other], mesh->points[point]);
        double length = vec3_length(way);
        double rise = length > 0.0 ? vec3_dot(way, direction) / length : 0.0;
        highest = rise > highest ? rise : highest;
    }
    return highest;
}

static bool flat_point(const pbd_collision_mesh *mesh, uint32_t point) {
    struct vec3 normal = mesh->point_normals[point];
    if (!(vec3_length(normal) > 0.5)) return false;
    if (rise_at_point(mesh, point, normal) > FLAT) return false;
    if (rise_at_point(mesh, point, vec3_scale(normal, -1.0)) > FLAT) return false;
    /* On a border it sticks out in the plane. */
    for (uint32_t k = mesh->point_edge_start[point]; k < mesh->point_edge_start[point + 1]; ++k)
        if (mesh->edges[mesh->point_edges[k]].triangle[1] == MESH_NONE) return false;
    return true;
}

/* What of the second triangle is not on the edge. */
static struct vec3 opposite_point(const pbd_collision_mesh *mesh, const struct mesh_edge *edge) {
    const struct mesh_triangle *t = &mesh->triangles[edge->triangle[1]];
    uint32_t point = t->point[0];
    for (int k = 0; k < 3; ++k)
        if (t->point[k] != edge->point[0] && t->point[k] != edge->point[1]) point = t->point[k];
    return mesh->points[point];
}

bool feature_sticks_out(const pbd_collision_mesh *mesh, enum feature_kind kind, uint32_t index) {
    if (kind == FEATURE_POINT) return !flat_point(mesh, index);
    const struct mesh_edge *edge = &mesh->edges[index];
    if (edge->triangle[1] == MESH_NONE) return true;
    struct vec3 n = mesh->triangles[edge->triangle[0]].normal;
    if (vec3_dot(n, mesh->triangles[edge->triangle[1]].normal) >= 1.0 - 0.5 * FLAT * FLAT) return false;
    if (!mesh->view.closed) return true;
    return vec3_dot(n, vec3_sub(opposite_point(mesh, edge), mesh->points[edge->point[0]])) <= 0.0;
}

bool feature_allows(const struct feature *feature, struct vec3 normal) {
    for (int k = 0; k < feature->cone_count; ++k)
        if (vec3_dot(normal, feature->cone[k]) < -FEATURE_CONE_SLACK) return false;
    if (feature->mesh == NULL || feature->kind != FEATURE_POINT) return true;
    return rise_at_point(feature->mesh, feature->index, normal) <= FEATURE_CONE_SLACK;
}

/* ---- inside ---- */

static bool inside_mesh(const struct feature *feature, struct vec3 place) {
    double limit =
        2.0 * vec3_length(vec3_sub(place, feature->a)) + vec3_length(vec3_sub(feature->b, feature->a));
    struct mesh_closest closest = collision_mesh_closest(feature->mesh, place, limit);
    if (closest.triangle == MESH_NONE) return false;
    struct vec3 normal = collision_mesh_normal_at(feature->mesh, &closest);
    return vec3_dot(normal, vec3_sub(place, closest.point)) < 0.0;
}

bool feature_is_crossed(const struct feature *feature, struct vec3 normal, struct vec3 place) {
    if (feature->mesh != NULL ? !feature->mesh->view.closed : feature->shape->type != PBD_BOX) return false;
    if (feature_allows(feature, normal) || !feature_allows(feature, vec3_scale(normal, -1.0))) return false;
    if (feature->mesh != NULL) return inside_mesh(feature, place);
    /* In the half of the box that is nearer to the feature. */
    for (int k = 0; k < feature->cone_count; ++k)
        if (vec3_dot(place, feature->cone[k]) < 0.0) return false;
    return true;
}
