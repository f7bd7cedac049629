/* Gathering the planes of triangles that a way meets, and ending the way in front of them. */
#include "contact/collide_mesh.h"

/* Each triangle is met once, so more rounds than planes are not needed. */
#define ROUNDS (PLANES_MAX + 2)

double collide_mesh_skin(const pbd_collision_mesh *mesh) {
    double square = 0.0;
    for (int k = 0; k < 3; ++k) {
        double side = (double)mesh->view.max[k] - (double)mesh->view.min[k];
        square += side * side;
    }
    return 0x1p-20 * __builtin_sqrt(square) + 0x1p-36 * mesh->bound;
}

/* ---- a triangle's plane ---- */

/* From the mesh to a point near it; where they coincide the surface's own normal. */
static struct vec3 direction_from(const pbd_collision_mesh *mesh, const struct mesh_closest *at,
                                  struct vec3 point) {
    struct vec3 apart = vec3_sub(point, at->point);
    if (at->region == MESH_FACE) {
        struct vec3 normal = mesh->triangles[at->triangle].normal;
        return vec3_dot(normal, apart) < 0.0 ? vec3_scale(normal, -1.0) : normal;
    }
    if (!(at->distance > 0.0)) return collision_mesh_normal_at(mesh, at);
    return vec3_scale(apart, 1.0 / at->distance);
}

/* The corner of a triangle that is not on the edge. */
static struct vec3 opposite_of(const pbd_collision_mesh *mesh, uint32_t triangle,
                               const struct mesh_edge *edge) {
    const uint32_t *point = mesh->triangles[triangle].point;
    uint32_t k = 0;
    while (point[k] == edge->point[0] || point[k] == edge->point[1])
        ++k;
    return mesh->points[point[k]];
}

/* Whether the triangle beyond an edge is nearer to where `direction` leads from a point of it. */
static bool nearer_beyond(const pbd_collision_mesh *mesh, uint32_t triangle, uint32_t edge_index,
                          struct vec3 direction) {
    const struct mesh_edge *edge = &mesh->edges[edge_index];
    uint32_t other = edge->triangle[edge->triangle[0] == triangle];
    if (other == MESH_NONE || other == triangle) return false;
    struct vec3 a = mesh->points[edge->point[0]];
    struct vec3 along = vec3_sub(mesh->points[edge->point[1]], a);
    struct vec3 into = vec3_sub(opposite_of(mesh, other, edge), a);
    into = vec3_add_scaled(into, along, -vec3_dot(into, along) / vec3_dot(along, along));
    return vec3_dot(into, direction) > 1e-12 * vec3_length(into);
}

/* Whether any of those is that the touched feature belongs to. */
static bool has_nearer_neighbour(const pbd_collision_mesh *mesh, const struct mesh_closest *at,
                                 struct vec3 direction) {
    const uint32_t *edge = mesh->triangles[at->triangle].edge;
    if (at->region == MESH_FACE) return false;
    if (nearer_beyond(mesh, at->triangle, edge[at->corner], direction)) return true;
    return at->region == MESH_POINT &&
           nearer_beyond(mesh, at->triangle, edge[(at->corner + 2) % 3], direction);
}

/* ---- meeting triangles ---- */

struct meeting {
    double time; /* 0…1 on the way; above 1: none */
    struct mesh_closest at;
    struct vec3 normal;
    double height; /* normal·(end − from) must be at least this */
};

/* One that the straight way, or any piece, need not look at again. */
static bool has_plane(const struct mesh_way *way, uint32_t triangle, bool bent) {
    for (int k = 0; k < way->count; ++k)
        if (way->planes[k].triangle == triangle && (bent || !way->planes[k].bent)) return true;
    return false;
}

/* The triangle's plane as seen from a place of the way. */
static void set_plane(const struct mesh_way *way, struct meeting *meeting, struct vec3 at, double margin) {
    meeting->normal = direction_from(way->mesh, &meeting->at, at);
    meeting->height = margin + vec3_dot(meeting->normal, vec3_sub(meeting->at.point, way->from));
}

static struct mesh_candidate candidate_of(const pbd_collision_mesh *mesh, uint32_t triangle,
                                          struct vec3 from) {
    struct mesh_candidate candidate = {.at = collision_mesh_closest_on(mesh, triangle, from)};
    candidate.normal = direction_from(mesh, &candidate.at, from);
    return candidate;
}

/* What a start at this distance must keep. */
static double margin_at(const struct mesh_way *way, double start) {
    double eased = start + way->recovery;
    return start < way->margin && eased < way->margin ? eased : way->margin;
}

/* Where begin→end first comes within the margin of a triangle, by Newton's method from
 * the left on a convex function, as collide_shape_sweep does; before `latest` only. */
static bool reach(const struct mesh_way *way, const struct mesh_candidate *candidate, struct vec3 begin,
                  struct vec3 end, double margin, double latest, struct meeting *meeting, struct vec3 *at) {
    struct vec3 course = vec3_sub(end, begin), normal = candidate->normal;
    double time = 0.0, gap = candidate->at.distance - margin;
    *at = begin;
    meeting->at = candidate->at;
    for (int i = 0; i < 24 && gap > 1e-12 * way->scale; ++i) {
        double slope = vec3_dot(normal, course);
        if (!(slope < 0.0)) return false;
        time -= gap / slope;
        if (!(time <= 1.0 && time <= latest)) return false;
        *at = vec3_add_scaled(begin, course, time);
        meeting->at = collision_mesh_closest_on(way->mesh, candidate->at.triangle, *at);
        normal = direction_from(way->mesh, &meeting->at, *at);
        gap = meeting->at.distance - margin;
    }
    meeting->time = time;
    return true;
}

/* What a triangle has against begin→end. */
static struct meeting meet(const struct mesh_way *way, const struct mesh_candidate *candidate,
                           struct vec3 begin, struct vec3 end, double latest) {
    const struct meeting none = {.time = 2.0};
    struct meeting meeting;
    struct vec3 at;
    double start = candidate->at.distance, margin = margin_at(way, start), slack = 1e-10 * way->scale;
    if (start + vec3_dot(candidate->normal, vec3_sub(end, begin)) >= margin - slack) return none;
    if (!reach(way, candidate, begin, end, margin, latest, &meeting, &at)) return none;
    set_plane(way, &meeting, at, margin);
    if (has_nearer_neighbour(way->mesh, &meeting.at, meeting.normal)) {
        /* Which holds this one too; should it not, half the distance will. */
        margin = 0.5 * (start < way->margin ? start : way->margin);
        if (!reach(way, candidate, begin, end, margin, latest, &meeting, &at)) return none;
        set_plane(way, &meeting, at, margin);
    }
    bool behind = vec3_dot(meeting.normal, vec3_sub(end, way->from)) < meeting.height - slack;
    return behind ? meeting : none;
}

static struct bvh_range range_about(struct vec3 a, struct vec3 b, double slack) {
    struct bvh_range range;
    const double p[3] = {a.x, a.y, a.z}, q[3] = {b.x, b.y, b.z};
    for (int k = 0; k < 3; ++k) {
        range.low[k] = (p[k] < q[k] ? p[k] : q[k]) - slack;
        range.high[k] = (p[k] > q[k] ? p[k] : q[k]) + slack;
    }
    return range;
}

static bool holds(const struct bvh_range *outer, const struct bvh_range *inner) {
    for (int k = 0; k < 3; ++k)
        if (inner->low[k] < outer->low[k] || inner->high[k] > outer->high[k]) return false;
    return true;
}

/* Notes what is near the start, and the nearest of it; of equally near ones the lowest. */
static void list_candidates(struct mesh_way *way, const struct bvh_range *range) {
    struct bvh_walk walk;
    uint32_t first, count;
    way->range = *range;
    way->candidate_count = 0;
    bvh_walk_begin(&walk, &way->mesh->bvh, range);
    while (bvh_walk_next(&walk, &first, &count)) {
        for (uint32_t t = first; t < first + count; ++t) {
            struct mesh_candidate candidate = candidate_of(way->mesh, t, way->from);
            const struct mesh_closest *at = &candidate.at;
            bool nearest = at->distance < way->closest.distance ||
                           (at->distance == way->closest.distance && t < way->closest.triangle);
            if (nearest) way->closest = *at;
            if (way->candidate_count < MESH_CANDIDATES) way->candidates[way->candidate_count] = candidate;
            if (way->candidate_count <= MESH_CANDIDATES) ++way->candidate_count;
        }
    }
}

static void consider(const struct mesh_way *way, const struct mesh_candidate *candidate, struct vec3 begin,
                     struct vec3 end, bool bent, struct meeting *first) {
    uint32_t triangle = candidate->at.triangle;
    if (has_plane(way, triangle, bent)) return;
    struct meeting meeting = meet(way, candidate, begin, end, first->time);
    bool sooner = meeting.time < first->time ||
                  (meeting.time == first->time && meeting.time <= 1.0 && triangle < first->at.triangle);
    if (sooner) *first = meeting;
}

/* The first triangle on the way that has no plane yet; of equal ones the lowest. */
static struct meeting first_meeting(struct mesh_way *way, struct vec3 begin, struct vec3 end, bool bent) {
    struct meeting first = {.time = 2.0, .at = {.triangle = MESH_NONE}};
    struct bvh_range range = range_about(begin, end, way->margin);
    if (!bent && way->candidate_count <= MESH_CANDIDATES && holds(&way->range, &range)) {
        for (uint32_t i = 0; i < way->candidate_count; ++i)
            consider(way, &way->candidates[i], begin, end, bent, &first);
        return first;
    }
    struct bvh_walk walk;
    uint32_t leaf, count;
    bvh_walk_begin(&walk, &way->mesh->bvh, &range);
    while (bvh_walk_next(&walk, &leaf, &count))
        for (uint32_t t = leaf; t < leaf + count; ++t) {
            struct mesh_candidate candidate = candidate_of(way->mesh, t, begin);
            consider(way, &candidate, begin, end, bent, &first);
        }
    return first;
}

/* ---- the way ---- */

/* False when there is no room. */
static bool add_plane(struct mesh_way *way, const struct meeting *meeting) {
    if (way->count == PLANES_MAX) return false;
    /* Seen along the normal the start is at height 0. */
    double recovered = meeting->height > 0.0 ? meeting->height : 0.0;
    way->planes[way->count] = (struct mesh_plane){.triangle = meeting->at.triangle,
                                                  .point = meeting->at.point,
                                                  .normal = meeting->normal,
                                                  .recovered = recovered};
    way->fronts[way->count++] = (struct plane){meeting->normal, meeting->height};
    return true;
}

/* From inside of a closed mesh the nearest point of its surface is the way out. */
static void add_way_out(struct mesh_way *way, struct vec3 from, const struct mesh_closest *closest,
                        double keeps) {
    struct meeting out = {.at = *closest};
    out.normal = vec3_scale(direction_from(way->mesh, closest, from), -1.0);
    if (closest->region != MESH_FACE && !(closest->distance > 1e-9 * way->scale))
        out.normal = collision_mesh_normal_at(way->mesh, closest);
    out.height = keeps + vec3_dot(out.normal, vec3_sub(closest->point, way->from));
    add_plane(way, &out);
}

static double depth_kept(const struct mesh_way *way) {
    double keeps = way->distance + way->recovery;
    return keeps < way->margin ? keeps : way->margin;
}

static double signed_distance(const pbd_collision_mesh *mesh, struct vec3 from,
                              const struct mesh_closest *closest) {
    if (closest->triangle == MESH_NONE || !mesh->view.closed) return closest->distance;
    struct vec3 normal = collision_mesh_normal_at(mesh, closest);
    bool inside = vec3_dot(normal, vec3_sub(from, closest->point)) < 0.0;
    return inside ? -closest->distance : closest->distance;
}

double collide_mesh_distance(const pbd_collision_mesh *mesh, struct vec3 from, double limit,
                             struct mesh_closest *closest) {
    *closest = collision_mesh_closest(mesh, from, limit);
    return signed_distance(mesh, from, closest);
}

void collide_mesh_begin(struct mesh_way *way, const pbd_collision_mesh *mesh, struct vec3 from,
                        struct vec3 to, double margin, double recovery, bool maybe_inside) {
    double length = vec3_length(vec3_sub(to, from)), limit = 1.25 * margin + length;
    way->mesh = mesh;
    way->from = from;
    way->margin = margin;
    way->recovery = recovery;
    way->scale = margin + length;
    way->closest = (struct mesh_closest){.triangle = MESH_NONE, .point = from, .distance = limit};
    way->count = 0;
    way->bent_length = 0.0;
    struct bvh_range range = range_about(from, to, limit);
    list_candidates(way, &range);
    way->distance = signed_distance(mesh, from, &way->closest);
    if (way->closest.triangle == MESH_NONE && maybe_inside && mesh->view.closed)
        way->distance = collide_mesh_distance(mesh, from, INFINITY, &way->closest);
    if (way->distance < 0.0) add_way_out(way, from, &way->closest, depth_kept(way));
}

void collide_mesh_pass(struct mesh_way *way, struct vec3 begin, struct vec3 end) {
    if (way->distance < 0.0) return;
    way->bent_length += vec3_length(vec3_sub(end, begin));
    struct meeting meeting = first_meeting(way, begin, end, true);
    if (meeting.time > 1.0 || !add_plane(way, &meeting)) return;
    way->planes[way->count - 1].bent = true;
}

/* The nearest point in front of the planes; where there is none, planes are lowered to
 * the start, which then is such a point. */
static struct vec3 nearest_in_front(struct mesh_way *way, struct vec3 to) {
    struct vec3 wanted = vec3_sub(to, way->from), end = {0.0, 0.0, 0.0};
    double push[PLANES_MAX] = {0.0}, tolerance = 1e-10 * way->scale;
    if (!plane_set_nearest(way->fronts, way->count, wanted, tolerance, &end, push)) {
        for (int k = 0; k < way->count; ++k)
            if (way->fronts[k].height > 0.0) way->fronts[k].height = 0.0;
        if (!plane_set_nearest(way->fronts, way->count, wanted, tolerance, &end, push))
            end = vec3_make(0.0, 0.0, 0.0);
    }
    for (int k = 0; k < way->count; ++k)
        way->planes[k].push = push[k];
    return vec3_add(way->from, end);
}

/* A way out of a solid must not lead deeper into it elsewhere. */
static struct vec3 resolve_inside(struct mesh_way *way, struct vec3 to) {
    double keeps = depth_kept(way);
    struct vec3 end = nearest_in_front(way, to);
    for (int round = 0; round < 3; ++round) {
        struct mesh_closest closest;
        double reach = way->scale + __builtin_fabs(way->distance) + vec3_length(vec3_sub(end, way->from));
        double distance = collide_mesh_distance(way->mesh, end, 2.0 * reach, &closest);
        if (distance >= 0.0 || distance >= keeps - 1e-9 * way->scale || way->count == PLANES_MAX) break;
        add_way_out(way, end, &closest, keeps);
        end = nearest_in_front(way, to);
    }
    return end;
}

/* Planes of a bent way need not have the start in front of them, so they may meet far off.
 * Then the straight way alone decides. */
static bool drop_bent(struct mesh_way *way) {
    int kept = 0;
    for (int k = 0; k < way->count; ++k) {
        if (way->planes[k].bent) continue;
        way->planes[kept] = way->planes[k];
        way->fronts[kept++] = way->fronts[k];
    }
    bool dropped = kept < way->count;
    way->count = kept;
    return dropped;
}

struct vec3 collide_mesh_resolve(struct mesh_way *way, struct vec3 to) {
    if (way->distance < 0.0) return resolve_inside(way, to);
    for (int round = 0; round < ROUNDS; ++round) {
        struct vec3 end = nearest_in_front(way, to);
        double pushed = vec3_length(vec3_sub(end, to));
        if (way->bent_length > 0.0 && pushed > way->bent_length + way->scale && drop_bent(way)) continue;
        struct meeting meeting = first_meeting(way, way->from, end, false);
        if (meeting.time > 1.0) return end;
        if (add_plane(way, &meeting)) continue;
        /* No room for more: up to this triangle the way is free. */
        return vec3_add_scaled(way->from, vec3_sub(end, way->from), meeting.time);
    }
    return way->from;
}
