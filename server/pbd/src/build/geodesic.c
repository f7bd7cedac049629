/* The ways of a cloth and Dijkstra's search over them. */
#include "build/geodesic.h"

#include <math.h>
#include <stdlib.h>

#include "contact/pose.h"
#include "math/elementary.h"

#define NOWHERE UINT32_MAX

/* ---- ways ---- */

static struct vec3 rest_of(const pbd_fabric *fabric, uint32_t particle) {
    return vec3_from(fabric->view.rest_positions + 3 * (size_t)fabric->view.particle_vertex[particle]);
}

/* Across hinge h, or 0 where the straight line misses the edge. */
static double unfolded(const pbd_fabric *fabric, uint32_t h) {
    const struct bend_set *set = &fabric->bend;
    struct vec3 origin = rest_of(fabric, set->p[0][h]);
    struct vec3 edge = vec3_sub(rest_of(fabric, set->p[1][h]), origin);
    double length = vec3_length(edge), along[2], away[2];
    if (!(length > 0.0)) return 0.0;
    for (int k = 0; k < 2; ++k) {
        struct vec3 wing = vec3_sub(rest_of(fabric, set->p[2 + k][h]), origin);
        along[k] = vec3_dot(wing, edge) / length;
        away[k] = vec3_length(vec3_cross(wing, edge)) / length;
    }
    double apart = away[0] + away[1];
    if (!(apart > 0.0)) return 0.0;
    double crossing = along[0] + (along[1] - along[0]) * away[0] / apart;
    if (crossing < 0.0 || crossing > length) return 0.0;
    double step = along[1] - along[0];
    return math_sqrt(step * step + apart * apart);
}

/* Calls of put_way in two rounds: the first counts, the second fills. */
struct layer {
    struct geodesic *geodesic;
    uint32_t *next; /* NULL in the first round */
};

static void put_way(struct layer *layer, uint32_t a, uint32_t b, double length) {
    struct geodesic *g = layer->geodesic;
    const uint32_t ends[2] = {a, b};
    for (int k = 0; k < 2; ++k) {
        if (layer->next == NULL)
            ++g->first[ends[k] + 1];
        else
            g->ways[layer->next[ends[k]]++] = (struct geodesic_way){ends[1 - k], (float)length};
    }
}

static void put_all(struct layer *layer, const pbd_fabric *fabric) {
    const struct stretch_set *stretch = &fabric->stretch;
    for (uint32_t i = 0; i < stretch->count; ++i)
        put_way(layer, stretch->a[i], stretch->b[i], (double)stretch->rest[i]);
    for (uint32_t h = 0; h < fabric->bend.count; ++h) {
        double length = unfolded(fabric, h);
        if (length > 0.0) put_way(layer, fabric->bend.p[2][h], fabric->bend.p[3][h], length);
    }
}

static bool fill_ways(struct geodesic *g, const pbd_fabric *fabric) {
    struct layer layer = {.geodesic = g};
    put_all(&layer, fabric);
    for (uint32_t p = 0; p < g->particle_count; ++p)
        g->first[p + 1] += g->first[p];
    g->ways = malloc(((size_t)g->first[g->particle_count] + 1) * sizeof *g->ways);
    if (g->ways == NULL) return false;
    layer.next = g->heap; /* not in use yet */
    for (uint32_t p = 0; p < g->particle_count; ++p)
        layer.next[p] = g->first[p];
    put_all(&layer, fabric);
    return true;
}

int geodesic_create(const pbd_fabric *fabric, struct geodesic *geodesic) {
    size_t n = (size_t)fabric->particle_count + 1;
    struct geodesic made = {.particle_count = fabric->particle_count,
                            .first = calloc(n + 1, sizeof *made.first),
                            .distance = malloc(n * sizeof *made.distance),
                            .nearest = malloc(n * sizeof *made.nearest),
                            .found = malloc(n * sizeof *made.found),
                            .heap = malloc(n * sizeof *made.heap),
                            .place = malloc(n * sizeof *made.place)};
    if (made.first == NULL || made.distance == NULL || made.nearest == NULL || made.found == NULL ||
        made.heap == NULL || made.place == NULL || !fill_ways(&made, fabric)) {
        geodesic_destroy(&made);
        *geodesic = (struct geodesic){0};
        return PBD_OUT_OF_MEMORY;
    }
    for (uint32_t p = 0; p < made.particle_count; ++p) {
        made.distance[p] = HUGE_VAL;
        made.place[p] = NOWHERE;
    }
    *geodesic = made;
    return PBD_OK;
}

void geodesic_destroy(struct geodesic *geodesic) {
    free(geodesic->first);
    free(geodesic->ways);
    free(geodesic->distance);
    free(geodesic->nearest);
    free(geodesic->found);
    free(geodesic->heap);
    free(geodesic->place);
    *geodesic = (struct geodesic){0};
}

/* ---- the search ---- */

/* The order of the heap: nearer first, of equal ones the lower particle. */
static bool comes_before(const struct geodesic *g, uint32_t p, uint32_t q) {
    if (g->distance[p] != g->distance[q]) return g->distance[p] < g->distance[q];
    return p < q;
}

static void put_at(struct geodesic *g, uint32_t at, uint32_t p) {
    g->heap[at] = p;
    g->place[p] = at;
}

static void rise(struct geodesic *g, uint32_t at, uint32_t p) {
    while (at > 0 && comes_before(g, p, g->heap[(at - 1) / 2])) {
        put_at(g, at, g->heap[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
    put_at(g, at, p);
}

static void sink(struct geodesic *g, uint32_t at, uint32_t p) {
    for (;;) {
        uint32_t child = 2 * at + 1;
        if (child >= g->heap_count) break;
        if (child + 1 < g->heap_count && comes_before(g, g->heap[child + 1], g->heap[child])) ++child;
        if (!comes_before(g, g->heap[child], p)) break;
        put_at(g, at, g->heap[child]);
        at = child;
    }
    put_at(g, at, p);
}

static uint32_t take_nearest(struct geodesic *g) {
    uint32_t top = g->heap[0], last = g->heap[--g->heap_count];
    if (g->heap_count > 0) sink(g, 0, last);
    g->place[top] = NOWHERE;
    return top;
}

/* p can be reached over distance from `nearest`. */
static void reach(struct geodesic *g, uint32_t p, double distance, uint32_t nearest, const double *limit) {
    if (!(distance < g->distance[p]) || (limit != NULL && !(distance < limit[p]))) return;
    g->distance[p] = distance;
    g->nearest[p] = nearest;
    rise(g, g->place[p] == NOWHERE ? g->heap_count++ : g->place[p], p);
}

void geodesic_search(struct geodesic *g, const uint32_t *set, uint32_t count, const double *limit) {
    for (uint32_t i = 0; i < g->found_count; ++i)
        g->distance[g->found[i]] = HUGE_VAL;
    g->found_count = 0;
    g->heap_count = 0;
    for (uint32_t i = 0; i < count; ++i)
        reach(g, set[i], 0.0, set[i], limit);
    while (g->heap_count > 0) {
        uint32_t p = take_nearest(g);
        g->found[g->found_count++] = p;
        for (uint32_t w = g->first[p]; w < g->first[p + 1]; ++w)
            reach(g, g->ways[w].to, g->distance[p] + (double)g->ways[w].length, g->nearest[p], limit);
    }
}
