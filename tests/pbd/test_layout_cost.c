/* The estimate counts the runs that a colouring then finds. */
#include "check.h"
#include "build/layout_cost.h"
#include "support_mesh.h"

#include <stdlib.h>

/* A path of edges (i, i+step) for i < count, as far as the estimate reads a build. */
struct path {
    struct mesh_build build;
    uint32_t a[2000], b[2000], base[2000];
};

static struct path *path_create(uint32_t count, uint32_t step) {
    struct path *path = calloc(1, sizeof *path);
    if (!path) abort();
    for (uint32_t i = 0; i < count; ++i) {
        path->a[i] = i;
        path->b[i] = i + step;
    }
    for (uint32_t i = 0; i < 2000; ++i)
        path->base[i] = i;
    path->build = (struct mesh_build){
        .particle_count = count + step, .edge_count = count, .edge_a = path->a, .edge_b = path->b};
    return path;
}

static struct layout_cost cost_of(struct path *path, uint32_t planes) {
    struct layout_sample sample;
    CHECK_INT(layout_sample_create(&path->build, path->base, &sample), PBD_OK);
    struct layout_cost cost = layout_cost_of(&sample, planes);
    layout_sample_destroy(&sample);
    return cost;
}

static void chain_of_neighbours_needs_two_planes(void) {
    struct path *path = path_create(1000, 1);
    /* One plane: streams one apart, nothing but singles. Two: two runs of 500. */
    struct layout_cost one = cost_of(path, 1), two = cost_of(path, 2);
    CHECK(one.run_fraction == 0.0 && two.run_fraction == 1.0);
    CHECK(two.cost < 0.3 * one.cost);
    free(path);
}

static void step_that_is_a_multiple_of_the_planes_is_cut_short(void) {
    struct path *path = path_create(1000, 20);
    struct layout_cost same_plane = cost_of(path, 2), other_plane = cost_of(path, 3),
                       short_pieces = cost_of(path, 4);
    CHECK(same_plane.run_fraction == 1.0 && other_plane.run_fraction == 1.0); /* pieces of 10, and of 333 */
    CHECK(short_pieces.run_fraction == 0.0);                                  /* pieces of 5 */
    CHECK(other_plane.cost < same_plane.cost && same_plane.cost < short_pieces.cost);
    free(path);
}

static void estimate_is_what_the_fabric_gets(void) {
    const uint32_t sizes[][2] = {{21, 21}, {64, 64}, {65, 40}, {100, 30}};
    for (int i = 0; i < 4; ++i) {
        pbd_fabric *fabric = mesh_into_fabric(mesh_grid(sizes[i][0], sizes[i][1], 1, 1, false));
        /* Read back the edges in the user's order, and the best of all plane counts. */
        struct mesh_build build = {.particle_count = fabric->particle_count,
                                   .edge_count = fabric->stretch.count};
        uint32_t *a = calloc(build.edge_count, sizeof *a), *b = calloc(build.edge_count, sizeof *b);
        uint32_t *base = calloc(build.particle_count, sizeof *base);
        uint32_t *pairs = calloc(2 * (size_t)build.edge_count, sizeof *pairs);
        pbd_fabric_edges(fabric, pairs, NULL, NULL);
        for (uint32_t e = 0; e < build.edge_count; ++e) {
            a[e] = pairs[2 * e];
            b[e] = pairs[2 * e + 1];
        }
        free(pairs);
        for (uint32_t p = 0; p < build.particle_count; ++p)
            base[p] = p;
        build.edge_a = a;
        build.edge_b = b;
        struct layout_sample sample;
        CHECK_INT(layout_sample_create(&build, base, &sample), PBD_OK);
        double best = 0.0;
        for (uint32_t planes = 1; planes <= 16; ++planes) {
            double fraction = layout_cost_of(&sample, planes).run_fraction;
            if (fraction > best) best = fraction;
        }
        /* Colouring may break up a few runs. */
        CHECK_NEAR(fabric->view.run_fraction, best, 0.1);
        layout_sample_destroy(&sample);
        free(a);
        free(b);
        free(base);
        pbd_fabric_unref(fabric);
    }
}

RUN_TESTS(TEST(chain_of_neighbours_needs_two_planes),
          TEST(step_that_is_a_multiple_of_the_planes_is_cut_short), TEST(estimate_is_what_the_fabric_gets))
