/* The particle order: chosen so that constraints fall into runs.
 *
 * Two steps. A *base* path on which neighbours are near: the user's own vertex order
 * where that is regular (a grid's rows), else level by level (level_order.c). Then the
 * path is dealt out to M *planes* like cards:
 *
 *   base         0 1 2 3 4 5 6 7 8 …
 *   M = 3        0 3 6 … | 1 4 7 … | 2 5 8 …
 *
 * Edges that repeat along the path, (p, p+d), (p+1, p+1+d), …, then fall into runs from
 * plane p mod M to plane (p+d) mod M. Where d is no multiple of M the two streams are
 * different planes, so a run may be as long as a plane and cross the ends of rows. A
 * grid of row length n has d = 1, n, n+1 and hinges of the offsets {0, 1, n+1, −n},
 * {0, n, n+1, −1}, {0, 1, n, n+1}; which M keeps them apart depends on n, so
 * layout_cost.c counts and the cheapest is taken. */
#include "build/layout_cost.h"
#include "build/level_order.h"

#include <stdlib.h>

enum { MAX_PLANES = 16 };
/* Below this estimated share of constraints in runs the user's order is not worth keeping. */
static const double REGULAR = 0.5;

/* Cheapest number of planes for a base path. */
static int choose_planes(const struct mesh_build *build, const uint32_t *base, uint32_t *planes,
                         struct layout_cost *best) {
    struct layout_sample sample;
    int result = layout_sample_create(build, base, &sample);
    if (result != PBD_OK) return result;
    for (uint32_t m = 1; m <= MAX_PLANES; ++m) {
        struct layout_cost cost = layout_cost_of(&sample, m);
        if (m > 1 && !(cost.cost < best->cost)) continue;
        *best = cost;
        *planes = m;
    }
    layout_sample_destroy(&sample);
    return PBD_OK;
}

static void deal_out(const uint32_t *base, uint32_t count, uint32_t planes, uint32_t *position) {
    uint32_t first[MAX_PLANES], next = 0;
    for (uint32_t r = 0; r < planes; ++r) {
        first[r] = next;
        next += (count + planes - 1 - r) / planes;
    }
    for (uint32_t p = 0; p < count; ++p)
        position[p] = first[base[p] % planes] + base[p] / planes;
}

int choose_order(struct mesh_build *build) {
    uint32_t n = build->particle_count, planes = 1;
    struct layout_cost cost = {0};
    build->base = build_array(n, sizeof(uint32_t));
    build->position = build_array(n, sizeof(uint32_t));
    if (!build->base || !build->position) return PBD_OUT_OF_MEMORY;
    for (uint32_t p = 0; p < n; ++p)
        build->base[p] = p;
    int result = choose_planes(build, build->base, &planes, &cost);
    if (result == PBD_OK && cost.run_fraction < REGULAR) {
        result = order_by_levels(build, build->base);
        if (result == PBD_OK) result = choose_planes(build, build->base, &planes, &cost);
    }
    if (result == PBD_OK) deal_out(build->base, n, planes, build->position);
    return result;
}
