/* The particle order: chosen so that constraints fall into runs.
 *
 * Two steps. A *base* path on which neighbours are near: the user's own vertex order
 * where that is regular (a grid's rows), else breadth-first levels from an end of each
 * component (Cuthill–McKee), which also keeps gathers in cache. Then the path is dealt
 * out to M *planes* like cards:
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

#include <stdlib.h>

enum { MAX_PLANES = 16 };
/* Below this estimated share of constraints in runs the user's order is not worth keeping. */
static const double REGULAR = 0.5;

struct graph {
    uint32_t *first; /* per particle, and one more */
    uint32_t *neighbour;
};

static bool make_graph(const struct mesh_build *build, struct graph *graph) {
    uint32_t n = build->particle_count;
    graph->first = build_array((size_t)n + 2, sizeof(uint32_t));
    graph->neighbour = build_array(2 * (size_t)build->edge_count, sizeof(uint32_t));
    if (!graph->first || !graph->neighbour) return false;
    uint32_t *end = graph->first + 1; /* shifted by one while filling */
    for (uint32_t e = 0; e < build->edge_count; ++e) {
        ++end[build->edge_a[e] + 1];
        ++end[build->edge_b[e] + 1];
    }
    for (uint32_t p = 0; p < n; ++p)
        end[p + 1] += end[p];
    /* Edges are sorted by (a, b): lower neighbours come in ascending, then higher ones. */
    for (uint32_t e = 0; e < build->edge_count; ++e)
        graph->neighbour[end[build->edge_b[e]]++] = build->edge_a[e];
    for (uint32_t e = 0; e < build->edge_count; ++e)
        graph->neighbour[end[build->edge_a[e]]++] = build->edge_b[e];
    return true;
}

/* Visits the component of start level by level; seen becomes `mark`. Returns its size. */
static uint32_t visit_levels(const struct graph *graph, uint32_t start, uint32_t *queue, unsigned char *seen,
                             unsigned char mark) {
    uint32_t count = 0;
    queue[count++] = start;
    seen[start] = mark;
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t p = queue[i];
        for (uint32_t k = graph->first[p]; k < graph->first[p + 1]; ++k) {
            uint32_t q = graph->neighbour[k];
            if (seen[q] == mark) continue;
            seen[q] = mark;
            queue[count++] = q;
        }
    }
    return count;
}

/* base[p] by levels from a particle at one end of each component: the last one reached
 * from the last one reached from the lowest. */
static bool order_by_levels(const struct mesh_build *build, uint32_t *base) {
    uint32_t n = build->particle_count, next = 0;
    struct graph graph = {0};
    uint32_t *queue = build_array(n, sizeof *queue);
    unsigned char *seen = build_array(n, 1);
    bool done = queue && seen && make_graph(build, &graph);
    for (uint32_t p = 0; done && p < n; ++p) {
        if (seen[p]) continue;
        uint32_t start = p, count = 0;
        for (unsigned char mark = 1; mark <= 3; ++mark) {
            count = visit_levels(&graph, start, queue, seen, mark);
            start = queue[count - 1];
        }
        for (uint32_t i = 0; i < count; ++i)
            base[queue[i]] = next++;
    }
    free(graph.first);
    free(graph.neighbour);
    free(queue);
    free(seen);
    return done;
}

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
    uint32_t n = build->particle_count, planes = 1, level_planes = 1;
    struct layout_cost cost = {0}, level_cost = {0};
    build->base = build_array(n, sizeof(uint32_t));
    build->position = build_array(n, sizeof(uint32_t));
    if (!build->base || !build->position) return PBD_OUT_OF_MEMORY;
    for (uint32_t p = 0; p < n; ++p)
        build->base[p] = p;
    int result = choose_planes(build, build->base, &planes, &cost);
    if (result == PBD_OK && cost.run_fraction < REGULAR) {
        if (!order_by_levels(build, build->base)) return PBD_OUT_OF_MEMORY;
        result = choose_planes(build, build->base, &level_planes, &level_cost);
        planes = level_planes;
    }
    if (result == PBD_OK) deal_out(build->base, n, planes, build->position);
    return result;
}
