/* First step of an import: is every number and index usable at all? Nothing is
 * repaired here; what is refused is named by the user's indices. */
#include "build/build.h"

#include <string.h>
#include "math/elementary.h"

static const double MAX_COORDINATE = 1e6;              /* m */
static const uint64_t MAX_CORNERS = UINT64_C(1) << 29; /* keeps 3 × edges within 32 bits */

static bool is_finite(float x) {
    return math_absf(x) <= 3.4028235e38f;
}

static int check_counts(struct mesh_build *build) {
    const struct pbd_mesh_def *def = build->def;
    if (def->vertex_count == 0) return refuse(build, PBD_MESH_NO_VERTICES, "the mesh has no vertices");
    if (def->vertex_count > def->max_vertices)
        return refuse(build, PBD_MESH_LIMIT, "the mesh has %u vertices; at most %u are allowed",
                      def->vertex_count, def->max_vertices);
    if (def->face_count == 0 && def->edge_count == 0)
        return refuse(build, PBD_MESH_NO_FACES, "the mesh has neither faces nor edges");
    build->corner_count = (uint64_t)def->face_count * 3;
    if (def->face_sizes) {
        build->corner_count = 0;
        for (uint32_t f = 0; f < def->face_count; ++f)
            build->corner_count += def->face_sizes[f];
    }
    if (build->corner_count + def->edge_count > MAX_CORNERS)
        return refuse(
            build, PBD_MESH_LIMIT, "the faces and edges have %llu corners; at most %llu are allowed",
            (unsigned long long)(build->corner_count + def->edge_count), (unsigned long long)MAX_CORNERS);
    return PBD_OK;
}

static int check_positions(struct mesh_build *build, const float *positions, const char *name) {
    for (uint32_t v = 0; v < build->def->vertex_count; ++v) {
        for (uint32_t k = 0; k < 3; ++k) {
            float c = positions[3 * (size_t)v + k];
            build->refusal.vertex = v;
            if (!is_finite(c))
                return refuse(build, PBD_MESH_NON_FINITE,
                              "%s %u has a coordinate %c that is not a finite number", name, v, "xyz"[k]);
            if (!((double)math_absf(c) <= MAX_COORDINATE))
                return refuse(build, PBD_MESH_LIMIT,
                              "%s %u has %c = %g m; at most 1e6 m either way is allowed", name, v, "xyz"[k],
                              (double)c);
        }
    }
    build->refusal.vertex = 0;
    return PBD_OK;
}

static int check_faces(struct mesh_build *build) {
    const struct pbd_mesh_def *def = build->def;
    const uint32_t *corners = def->face_vertices;
    uint32_t bad = 0, bad_corner = 0;
    for (uint32_t f = 0; f < def->face_count; ++f) {
        uint32_t size = def->face_sizes ? def->face_sizes[f] : 3;
        for (uint32_t k = 0; k < size; ++k) {
            if (corners[k] < def->vertex_count) continue;
            if (build->refusal.total == 0) {
                bad = f;
                bad_corner = corners[k];
            }
            refuse_face(build, corners, size);
            break;
        }
        corners += size;
    }
    if (build->refusal.total > 0)
        return refuse(
            build, PBD_MESH_INDEX_RANGE,
            "face %u uses vertex %u; the mesh has %u vertices, so 0 to %u are allowed (%u such faces)", bad,
            bad_corner, def->vertex_count, def->vertex_count - 1, build->refusal.total);
    if (!def->face_sizes) return PBD_OK;
    corners = def->face_vertices;
    for (uint32_t f = 0; f < def->face_count; ++f) {
        if (def->face_sizes[f] < 3) {
            if (build->refusal.total == 0) bad = f;
            refuse_face(build, corners, def->face_sizes[f]);
        }
        corners += def->face_sizes[f];
    }
    if (build->refusal.total > 0)
        return refuse(build, PBD_MESH_BAD_FACE,
                      "face %u has %u corners; at least 3 are needed (%u such faces)", bad,
                      def->face_sizes[bad], build->refusal.total);
    return PBD_OK;
}

static int check_edges(struct mesh_build *build) {
    const struct pbd_mesh_def *def = build->def;
    uint32_t bad = 0;
    for (uint32_t e = 0; e < def->edge_count; ++e) {
        const uint32_t *edge = def->edges + 2 * (size_t)e;
        if (edge[0] < def->vertex_count && edge[1] < def->vertex_count) continue;
        if (build->refusal.total == 0) bad = e;
        refuse_edge(build, edge[0], edge[1]);
    }
    if (build->refusal.total > 0)
        return refuse(
            build, PBD_MESH_INDEX_RANGE,
            "edge %u joins vertices %u and %u; the mesh has %u vertices, so 0 to %u are allowed (%u such "
            "edges)",
            bad, build->refusal.edges[0][0], build->refusal.edges[0][1], def->vertex_count,
            def->vertex_count - 1, build->refusal.total);
    return PBD_OK;
}

static int check_masses(struct mesh_build *build) {
    const struct pbd_mesh_def *def = build->def;
    if (!def->masses && !(def->density > 0.0f && is_finite(def->density)))
        return refuse(build, PBD_MESH_BAD_MASS, "density is %g kg/m2; a finite number > 0 is needed",
                      (double)def->density);
    for (uint32_t v = 0; def->masses && v < def->vertex_count; ++v) {
        if (def->masses[v] > 0.0f && is_finite(def->masses[v])) continue;
        build->refusal.vertex = v;
        return refuse(build, PBD_MESH_BAD_MASS,
                      "the mass of vertex %u is %g kg; a finite number > 0 is needed", v,
                      (double)def->masses[v]);
    }
    return PBD_OK;
}

static void measure(struct mesh_build *build) {
    double largest = 0.0, square = 0.0;
    for (int k = 0; k < 3; ++k)
        build->rest_min[k] = build->rest_max[k] = (double)build->rest[k];
    for (size_t i = 0; i < 3 * (size_t)build->def->vertex_count; ++i) {
        double c = (double)build->rest[i];
        if (c < build->rest_min[i % 3]) build->rest_min[i % 3] = c;
        if (c > build->rest_max[i % 3]) build->rest_max[i % 3] = c;
    }
    for (int k = 0; k < 3; ++k) {
        double side = build->rest_max[k] - build->rest_min[k];
        square += side * side;
        if (-build->rest_min[k] > largest) largest = -build->rest_min[k];
        if (build->rest_max[k] > largest) largest = build->rest_max[k];
    }
    build->diagonal = math_sqrt(square);
    build->rounding = largest * 0x1p-24;
}

int check_mesh(struct mesh_build *build) {
    const struct pbd_mesh_def *def = build->def;
    build->rest = def->rest_positions ? def->rest_positions : def->positions;
    int result = check_counts(build);
    if (result == PBD_OK) result = check_positions(build, def->positions, "vertex");
    if (result == PBD_OK && build->rest != def->positions)
        result = check_positions(build, build->rest, "the rest position of vertex");
    if (result == PBD_OK) result = check_faces(build);
    if (result == PBD_OK) result = check_edges(build);
    if (result == PBD_OK) result = check_masses(build);
    if (result == PBD_OK) measure(build);
    return result;
}
