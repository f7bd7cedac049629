/* The triangles of a cloth by particle, and the distance that its layers keep. */
#include "contact/surface.h"

#include "contact/self_internal.h"

#include <stdlib.h>

#include "math/elementary.h"

/* "Just below": layers as thick as an edge is long would push a triangle's own corners
 * apart as soon as it is folded. */
#define BELOW_SHORTEST 0.99f
/* No higher than this part of the longest side: no area (as build/triangulate.c). */
#define FLAT 1e-6

static bool has_area(const pbd_fabric *fabric, const uint32_t vertices[3]) {
    const float *p[3];
    double square[3], side[3][3], longest = 0.0;
    for (int k = 0; k < 3; ++k)
        p[k] = fabric->view.rest_positions + 3 * (size_t)vertices[k];
    for (int k = 0; k < 3; ++k) {
        square[k] = 0.0;
        for (int axis = 0; axis < 3; ++axis) {
            side[k][axis] = (double)p[(k + 1) % 3][axis] - (double)p[k][axis];
            square[k] += side[k][axis] * side[k][axis];
        }
        longest = square[k] > longest ? square[k] : longest;
    }
    double x = side[0][1] * side[1][2] - side[0][2] * side[1][1];
    double y = side[0][2] * side[1][0] - side[0][0] * side[1][2];
    double z = side[0][0] * side[1][1] - side[0][1] * side[1][0];
    return math_sqrt(x * x + y * y + z * z) > FLAT * longest;
}

int surface_require(struct pbd_cloth *cloth) {
    if (cloth->surface != NULL) return PBD_OK;
    const pbd_fabric *fabric = cloth->fabric;
    const struct pbd_fabric_view *view = &fabric->view;
    struct cloth_surface *surface = calloc(1, sizeof *surface);
    if (surface == NULL) return PBD_OUT_OF_MEMORY;
    surface->triangles = malloc(3 * (size_t)view->triangle_count * sizeof *surface->triangles + 1);
    if (surface->triangles == NULL) {
        free(surface);
        return PBD_OUT_OF_MEMORY;
    }
    uint32_t count = 0;
    for (uint32_t t = 0; t < view->triangle_count; ++t) {
        const uint32_t *vertices = view->triangles + 3 * (size_t)t;
        if (!has_area(fabric, vertices)) continue;
        for (int k = 0; k < 3; ++k)
            surface->triangles[3 * (size_t)count + (size_t)k] = view->vertex_particle[vertices[k]];
        ++count;
    }
    surface->triangle_count = count;
    surface->shortest_edge = surface_shortest_edge(fabric);
    cloth->surface = surface;
    return PBD_OK;
}

int surface_require_nodes(struct pbd_cloth *cloth) {
    if (surface_require(cloth) < 0) return PBD_OUT_OF_MEMORY;
    struct cloth_surface *surface = cloth->surface;
    if (surface->nodes == NULL) {
        size_t bytes = (size_t)cloth->fabric->padded_count * sizeof *surface->nodes;
        surface->nodes = aligned_alloc(64, (bytes + 63) / 64 * 64);
    }
    return surface->nodes != NULL ? PBD_OK : PBD_OUT_OF_MEMORY;
}

void surface_destroy(struct pbd_cloth *cloth) {
    if (cloth->surface == NULL) return;
    free(cloth->surface->triangles);
    free(cloth->surface->nodes);
    self_release_scratch(cloth->surface->self);
    free(cloth->surface);
    cloth->surface = NULL;
}

float surface_shortest_edge(const pbd_fabric *fabric) {
    float shortest = INFINITY;
    for (uint32_t e = 0; e < fabric->stretch.count; ++e)
        if (fabric->stretch.rest[e] > 0.0f) shortest = math_minf(fabric->stretch.rest[e], shortest);
    return shortest;
}

float surface_thickness(const struct pbd_cloth *cloth) {
    float shortest =
        cloth->surface != NULL ? cloth->surface->shortest_edge : surface_shortest_edge(cloth->fabric);
    return math_minf(cloth->settings.thickness, BELOW_SHORTEST * shortest);
}

float pbd_cloth_self_thickness(const pbd_world *world, pbd_cloth_id id, float *shortest_edge) {
    const struct pbd_cloth *cloth = world_cloth(world, id);
    if (cloth == NULL) return 0.0f;
    if (shortest_edge != NULL) *shortest_edge = surface_shortest_edge(cloth->fabric);
    return surface_thickness(cloth);
}
