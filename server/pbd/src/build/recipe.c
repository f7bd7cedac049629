/* From a fabric back to the mesh it was made of, so that what was removed can be added
 * again. Kept is only what the kernels' arrays do not show: given masses, triangles that
 * were turned over or left out, and which edges are no side of a triangle. */
#include "build/build.h"

#include <stdlib.h>
#include <string.h>

static uint32_t *copy_of(const void *from, size_t count) {
    uint32_t *copy = malloc(count * sizeof *copy + 1);
    if (copy && count > 0) memcpy(copy, from, count * sizeof *copy);
    return copy;
}

static bool is_extra(const struct mesh_build *build, uint32_t edge) {
    return build->use[build->edge_use[edge]] == NO_CORNER; /* triangles' uses come first */
}

static int keep_extra_edges(const struct mesh_build *build, struct fabric_given *given) {
    for (uint32_t e = 0; e < build->edge_count; ++e)
        given->extra_count += is_extra(build, e);
    if (given->extra_count == 0 || given->extra_count == build->edge_count) return PBD_OK;
    given->extra = malloc(given->extra_count * sizeof *given->extra);
    if (!given->extra) return PBD_OUT_OF_MEMORY;
    for (uint32_t e = 0, i = 0; e < build->edge_count; ++e)
        if (is_extra(build, e)) given->extra[i++] = e;
    return PBD_OK;
}

static int keep_turned(const struct mesh_build *build, struct fabric_given *given) {
    if (build->report.flipped == 0) return PBD_OK;
    given->turned = build_array(build->triangle_count / 32 + 1, sizeof *given->turned);
    if (!given->turned) return PBD_OUT_OF_MEMORY;
    for (uint32_t t = 0; t < build->triangle_count; ++t)
        given->turned[t / 32] |= (uint32_t)build->turned[t] << t % 32;
    return PBD_OK;
}

int keep_given(const struct mesh_build *build, struct pbd_fabric *fabric) {
    const struct pbd_mesh_def *def = build->def;
    struct fabric_given *given = &fabric->given;
    given->density = def->density;
    given->weld = def->weld;
    given->allow_nonmanifold = def->allow_nonmanifold;
    if (def->masses) {
        given->masses = malloc(def->vertex_count * sizeof *given->masses);
        if (!given->masses) return PBD_OUT_OF_MEMORY;
        memcpy(given->masses, def->masses, def->vertex_count * sizeof *given->masses);
    }
    if (build->left_out_count > 0) {
        given->left_out = copy_of(build->left_out, 3 * (size_t)build->left_out_count);
        given->left_out_count = build->left_out_count;
        if (!given->left_out) return PBD_OUT_OF_MEMORY;
    }
    int result = keep_turned(build, given);
    return result == PBD_OK ? keep_extra_edges(build, given) : result;
}

void free_given(struct fabric_given *given) {
    free(given->masses);
    free(given->turned);
    free(given->left_out);
    free(given->extra);
}

static uint32_t *given_triangles(const pbd_fabric *fabric) {
    const struct fabric_given *given = &fabric->given;
    size_t kept = fabric->view.triangle_count;
    uint32_t *corners = malloc(3 * (kept + given->left_out_count) * sizeof *corners + 1);
    if (!corners) return NULL;
    if (kept > 0) memcpy(corners, fabric->view.triangles, 3 * kept * sizeof *corners);
    for (size_t t = 0; given->turned && t < kept; ++t) {
        if (!(given->turned[t / 32] >> t % 32 & 1)) continue;
        uint32_t corner = corners[3 * t + 1];
        corners[3 * t + 1] = corners[3 * t + 2];
        corners[3 * t + 2] = corner;
    }
    if (given->left_out)
        memcpy(corners + 3 * kept, given->left_out, 3 * (size_t)given->left_out_count * sizeof *corners);
    return corners;
}

static uint32_t *given_edges(const pbd_fabric *fabric) {
    const struct fabric_given *given = &fabric->given;
    uint32_t *pairs = malloc(2 * sizeof *pairs * ((size_t)fabric->view.edge_count + 1));
    if (pairs) pairs[0] = pairs[1] = 0;
    if (!pairs || given->extra_count == 0) return pairs;
    pbd_fabric_edges(fabric, pairs, NULL, NULL);
    for (uint32_t i = 0; given->extra && i < given->extra_count; ++i) {
        pairs[2 * (size_t)i] = pairs[2 * (size_t)given->extra[i]]; /* extra[i] ≥ i */
        pairs[2 * (size_t)i + 1] = pairs[2 * (size_t)given->extra[i] + 1];
    }
    return pairs;
}

int pbd_fabric_recipe(const pbd_fabric *fabric, struct pbd_mesh_recipe *recipe) {
    const struct pbd_fabric_view *view = &fabric->view;
    const struct fabric_given *given = &fabric->given;
    struct pbd_mesh_recipe made = {.triangles = given_triangles(fabric), .edges = given_edges(fabric)};
    if (!made.triangles || !made.edges) {
        pbd_mesh_recipe_free(&made);
        return PBD_OUT_OF_MEMORY;
    }
    /* A mesh whose edges all joined a vertex with itself has nothing, but must not seem empty. */
    uint32_t face_count = view->triangle_count + given->left_out_count;
    uint32_t edge_count = face_count + given->extra_count > 0 ? given->extra_count : 1;
    made.def = (struct pbd_mesh_def){.positions = view->rest_positions,
                                     .rest_positions = view->rest_positions,
                                     .vertex_count = view->vertex_count,
                                     .face_vertices = made.triangles,
                                     .face_count = face_count,
                                     .edges = made.edges,
                                     .edge_count = edge_count,
                                     .masses = given->masses,
                                     .density = given->density,
                                     .weld = given->weld,
                                     .allow_nonmanifold = given->allow_nonmanifold,
                                     .cols = view->cols,
                                     .max_vertices = view->vertex_count};
    *recipe = made;
    return PBD_OK;
}

void pbd_mesh_recipe_free(struct pbd_mesh_recipe *recipe) {
    free(recipe->triangles);
    free(recipe->edges);
    *recipe = (struct pbd_mesh_recipe){0};
}
