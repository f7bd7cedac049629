/* Levels are walked along their edges, one after the other, every particle once. */
#include "check.h"
#include "build/level_order.h"
#include "support_mesh.h"

#include <stdlib.h>

/* The path over a graph given by edges with a < b, sorted. */
static void order_of(uint32_t (*edges)[2], uint32_t edge_count, uint32_t particle_count, uint32_t *base) {
    uint32_t *a = calloc(edge_count + 1, sizeof *a), *b = calloc(edge_count + 1, sizeof *b);
    for (uint32_t e = 0; e < edge_count; ++e) {
        a[e] = edges[e][0];
        b[e] = edges[e][1];
    }
    struct mesh_build build = {
        .particle_count = particle_count, .edge_count = edge_count, .edge_a = a, .edge_b = b};
    CHECK_INT(order_by_levels(&build, base), PBD_OK);
    uint32_t sum = 0, expected = 0;
    for (uint32_t p = 0; p < particle_count; ++p) {
        CHECK(base[p] < particle_count);
        sum += base[p] * base[p];
        expected += p * p;
    }
    CHECK_INT(sum, expected);
    free(a);
    free(b);
}

static void rope_is_walked_from_end_to_end(void) {
    /* 3–0–4–1–2: ends 3 and 2. */
    const uint32_t rope[] = {3, 0, 4, 1, 2};
    uint32_t edges[][2] = {{0, 3}, {0, 4}, {1, 2}, {1, 4}}, base[5];
    order_of(edges, 4, 5, base);
    bool forward = base[3] == 0;
    for (uint32_t i = 0; i < 5; ++i)
        CHECK_INT(base[rope[i]], forward ? i : 4 - i);
}

static void components_follow_each_other_and_loners_are_placed(void) {
    uint32_t edges[][2] = {{0, 5}, {2, 4}}, base[6];
    order_of(edges, 2, 6, base);
    CHECK(base[0] + base[5] == 1);
    CHECK_INT(base[1], 2);
    CHECK(base[2] + base[4] == 7);
    CHECK_INT(base[3], 5);
}

/* Edges of a triangulated grid whose vertices are numbered through `place`. */
static uint32_t grid_edges(uint32_t nx, uint32_t ny, uint32_t (*edges)[2]) {
    uint32_t count = 0;
    for (uint32_t v = 0; v < nx * ny; ++v) {
        bool right = v % nx + 1 < nx, up = v / nx + 1 < ny;
        if (right) edges[count][0] = v, edges[count++][1] = v + 1;
        if (up) edges[count][0] = v, edges[count++][1] = v + nx;
        if (right && up) edges[count][0] = v, edges[count++][1] = v + nx + 1;
    }
    return count;
}

static void grid_levels_are_walked_without_jumps(void) {
    enum { NX = 30, NY = 20 };
    static uint32_t edges[3 * NX * NY][2], base[NX * NY], at[NX * NY];
    order_of(edges, grid_edges(NX, NY, edges), NX * NY, base);
    for (uint32_t v = 0; v < NX * NY; ++v)
        at[base[v]] = v;
    uint32_t jumps = 0;
    for (uint32_t i = 1; i < NX * NY; ++i) {
        uint32_t low = at[i - 1] < at[i] ? at[i - 1] : at[i], high = at[i - 1] ^ at[i] ^ low;
        jumps += !(high == low + 1 || high == low + NX || high == low + NX + 1);
    }
    /* Nowhere but from level to level: at most as many as there are levels (30 + 20 − 1 at most). */
    CHECK(jumps <= NX + NY - 1);
}

/* A ring around hubs 0 and 1, which also share an edge: the level of one hub's
 * neighbours holds the ring and the other hub, beside every step of the walk. */
static void hub_beside_the_walk_takes_linear_time(void) {
    enum { RING = 50000, LAST = RING + 1 };
    uint32_t(*edges)[2] = calloc(3 * RING + 1, sizeof *edges), *base = calloc(RING + 2, sizeof *base),
    count = 0;
    for (uint32_t hub = 0; hub < 2; ++hub)
        for (uint32_t v = hub + 1; v <= LAST; ++v)
            edges[count][0] = hub, edges[count++][1] = v;
    for (uint32_t v = 2; v < LAST; ++v) {
        edges[count][0] = v, edges[count++][1] = v + 1;
        if (v == 2) edges[count][0] = v, edges[count++][1] = LAST; /* closes the ring */
    }
    order_of(edges, count, RING + 2, base);
    free(edges);
    free(base);
}

RUN_TESTS(TEST(rope_is_walked_from_end_to_end), TEST(components_follow_each_other_and_loners_are_placed),
          TEST(grid_levels_are_walked_without_jumps), TEST(hub_beside_the_walk_takes_linear_time))
