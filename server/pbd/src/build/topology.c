/* Unique edges with their uses, the manifold check, and hinges.
 *
 * P07 requires a manifold: at most two triangles an edge. Only triangles with area
 * count; the user's own edges add stretch and nothing else. Every list is sorted by
 * particle numbers, so it does not depend on the order of faces. */
#include "build/build.h"

#include <stdlib.h>
#include "build/sort.h"
#include "math/elementary.h"

static uint64_t edge_key(uint32_t a, uint32_t b) {
    return (uint64_t)math_minu(a, b) << 32 | math_maxu(a, b);
}

/* All uses: triangle corners ascending, then the user's edges. */
static size_t list_uses(const struct mesh_build *build, uint64_t *keys, uint32_t *uses) {
    size_t count = 0;
    for (uint32_t t = 0; t < build->triangle_count; ++t) {
        if (!build->sound[t]) continue;
        const uint32_t *p = build->triangle_particles + 3 * (size_t)t;
        for (uint32_t k = 0; k < 3; ++k) {
            keys[count] = edge_key(p[k], p[(k + 1) % 3]);
            uses[count++] = 3 * t + k;
        }
    }
    for (uint32_t e = 0; e < build->def->edge_count; ++e) {
        const uint32_t *edge = build->def->edges + 2 * (size_t)e;
        uint32_t a = build->vertex_particle[edge[0]], b = build->vertex_particle[edge[1]];
        if (a == b) continue; /* nothing to hold */
        keys[count] = edge_key(a, b);
        uses[count++] = NO_CORNER;
    }
    return count;
}

int find_edges(struct mesh_build *build) {
    size_t most = 3 * (size_t)build->triangle_count + build->def->edge_count;
    uint64_t *keys = malloc((most + 1) * sizeof *keys);
    build->use = build_array(most, sizeof(uint32_t));
    build->edge_a = build_array(most, sizeof(uint32_t));
    build->edge_b = build_array(most, sizeof(uint32_t));
    build->edge_use = build_array(most + 1, sizeof(uint32_t));
    int result = PBD_OUT_OF_MEMORY;
    if (keys && build->use && build->edge_a && build->edge_b && build->edge_use) {
        build->use_count = (uint32_t)list_uses(build, keys, build->use);
        result = sort_by_key(keys, build->use, build->use_count);
    }
    if (result == PBD_OK) {
        uint32_t count = 0;
        for (uint32_t i = 0; i < build->use_count; ++i) {
            if (i > 0 && keys[i] == keys[i - 1]) continue;
            build->edge_a[count] = (uint32_t)(keys[i] >> 32);
            build->edge_b[count] = (uint32_t)keys[i];
            build->edge_use[count++] = i;
        }
        build->edge_use[count] = build->use_count;
        build->report.edges = build->edge_count = count;
    }
    free(keys);
    return result;
}

/* Triangles at an edge: the user's uses are sorted behind them. */
static uint32_t triangles_at(const struct mesh_build *build, uint32_t edge) {
    uint32_t count = 0;
    for (uint32_t i = build->edge_use[edge]; i < build->edge_use[edge + 1]; ++i)
        count += build->use[i] != NO_CORNER;
    return count;
}

static void list_faces_at(struct mesh_build *build, uint32_t edge) {
    for (uint32_t i = build->edge_use[edge]; i < build->edge_use[edge + 1]; ++i) {
        if (build->use[i] == NO_CORNER) continue;
        uint32_t face = build->triangle_face[build->use[i] / 3];
        const uint32_t *corners = build->def->face_vertices;
        if (!build->def->face_sizes) corners += 3 * (size_t)face;
        for (uint32_t f = 0; build->def->face_sizes && f < face; ++f)
            corners += build->def->face_sizes[f];
        refuse_face(build, corners, 3);
        if (build->refusal.face_count == 16) return;
    }
}

int check_manifold(struct mesh_build *build) {
    uint32_t boundary = 0, inner = 0, crowded = 0, first = 0;
    for (uint32_t e = 0; e < build->edge_count; ++e) {
        uint32_t triangles = triangles_at(build, e);
        boundary += triangles == 1;
        inner += triangles == 2;
        if (triangles > 2 && crowded++ == 0) first = e;
    }
    build->report.boundary_edges = boundary;
    build->report.closed = boundary == 0 && crowded == 0 && inner > 0;
    if (crowded == 0) return PBD_OK;
    uint32_t a = build->particle_vertex[build->edge_a[first]],
             b = build->particle_vertex[build->edge_b[first]];
    if (build->def->allow_nonmanifold) {
        warn(build, "%u edges have more than two faces (first: %u-%u): they stretch but do not bend", crowded,
             a, b);
        return PBD_OK;
    }
    for (uint32_t e = first; e < build->edge_count && build->refusal.edge_count < 16; ++e) {
        if (triangles_at(build, e) <= 2) continue;
        if (build->refusal.face_count < 16) list_faces_at(build, e);
        refuse_edge(build, build->particle_vertex[build->edge_a[e]],
                    build->particle_vertex[build->edge_b[e]]);
    }
    build->refusal.total = crowded;
    return refuse(
        build, PBD_MESH_NON_MANIFOLD_EDGE,
        "the edge between vertices %u and %u has %u faces; at most 2 are allowed unless allow_nonmanifold is "
        "true (%u such edges)",
        a, b, triangles_at(build, first), crowded);
}

/* The third particle of a corner's triangle. By value, since winding.c may have moved corners. */
static uint32_t opposite(const struct mesh_build *build, uint32_t edge, uint32_t corner) {
    const uint32_t *p = build->triangle_particles + 3 * (size_t)(corner / 3);
    return p[0] ^ p[1] ^ p[2] ^ build->edge_a[edge] ^ build->edge_b[edge];
}

int find_hinges(struct mesh_build *build) {
    build->hinge_edge = build_array(build->edge_count, sizeof(uint32_t));
    build->wing[0] = build_array(build->edge_count, sizeof(uint32_t));
    build->wing[1] = build_array(build->edge_count, sizeof(uint32_t));
    if (!build->hinge_edge || !build->wing[0] || !build->wing[1]) return PBD_OUT_OF_MEMORY;
    uint32_t count = 0;
    for (uint32_t e = 0; e < build->edge_count; ++e) {
        if (triangles_at(build, e) != 2) continue;
        const uint32_t *use = build->use + build->edge_use[e];
        uint32_t c = opposite(build, e, use[0]), d = opposite(build, e, use[1]);
        build->hinge_edge[count] = e;
        build->wing[0][count] = math_minu(c, d);
        build->wing[1][count++] = math_maxu(c, d);
    }
    build->report.bends = build->hinge_count = count;
    return PBD_OK;
}
