/* The particle order makes runs of regular meshes and keeps neighbours near in others. */
#include "check.h"
#include "support_mesh.h"

#include <stdlib.h>

static double run_fraction(struct mesh mesh) {
    pbd_fabric *fabric = mesh_into_fabric(mesh);
    double fraction = fabric->view.run_fraction;
    pbd_fabric_unref(fabric);
    return fraction;
}

static void grids_lie_in_runs(void) {
    CHECK(run_fraction(mesh_grid(64, 64, 2, 2, false)) >= 0.9);
    CHECK(run_fraction(mesh_grid(64, 64, 2, 2, true)) >= 0.9);
    for (uint32_t n = 40; n <= 70; n += 3)
        CHECK(run_fraction(mesh_grid(n, n / 2, 2, 2, n % 3 == 0)) >= 0.9);
}

static void small_grids_lie_in_runs_that_cross_row_ends(void) {
    pbd_fabric *fabric = mesh_into_fabric(mesh_grid(21, 21, 5, 5, false));
    CHECK(fabric->view.run_fraction >= 0.9);
    /* Without crossing, no run were longer than a row. */
    uint32_t longest = 0;
    for (uint32_t r = 0; r < fabric->stretch.run_count; ++r)
        if (fabric->stretch.runs[r].count > longest) longest = fabric->stretch.runs[r].count;
    CHECK(longest > 21);
    pbd_fabric_unref(fabric);
}

static void hinges_of_grids_lie_in_runs(void) {
    pbd_fabric *fabric = mesh_into_fabric(mesh_grid(64, 64, 2, 2, false));
    uint32_t singles = 0;
    for (uint32_t c = 0; c < fabric->bend.color_count; ++c)
        singles += fabric->bend.colors[c].single_count;
    CHECK(singles <= fabric->bend.count / 10);
    pbd_fabric_unref(fabric);
}

static void regular_files_without_rows_get_runs_too(void) {
    struct mesh mesh = mesh_grid(50, 40, 2, 2, false);
    mesh.cols = 0;
    CHECK(run_fraction(mesh) >= 0.9);
    CHECK(run_fraction(mesh_tube(48, 30, false)) >= 0.9);
    CHECK(run_fraction(mesh_tube(48, 30, true)) >= 0.9);
}

static void positions_are_a_permutation(void) {
    struct mesh grid = mesh_grid(40, 30, 2, 2, false);
    struct mesh meshes[] = {mesh_shuffled(&grid, 4), mesh_grid(41, 7, 1, 1, true), mesh_tube(13, 9, true)};
    mesh_free(&grid);
    for (int m = 0; m < 3; ++m) {
        pbd_fabric *fabric = mesh_into_fabric(meshes[m]);
        uint32_t n = fabric->particle_count, wrong = 0;
        for (uint32_t p = 0; p < n; ++p)
            wrong += fabric->view.vertex_particle[fabric->view.particle_vertex[p]] != p;
        for (uint32_t v = 0; v < fabric->view.vertex_count; ++v)
            wrong += fabric->view.vertex_particle[v] >= n ||
                     fabric->view.particle_vertex[fabric->view.vertex_particle[v]] > v;
        CHECK_INT(wrong, 0);
        pbd_fabric_unref(fabric);
    }
}

/* Mean distance between vertices that follow each other in the payload, in mean edges. */
static double payload_step(const pbd_fabric *fabric) {
    const uint32_t *order = fabric->view.payload_order;
    double sum = 0.0;
    for (uint32_t i = 1; i < fabric->view.vertex_count; ++i) {
        const float *p = fabric->view.rest_positions + 3 * (order ? order[i - 1] : i - 1);
        const float *q = fabric->view.rest_positions + 3 * (order ? order[i] : i);
        sum += hypot(hypot((double)(q[0] - p[0]), (double)(q[1] - p[1])), (double)(q[2] - p[2]));
    }
    return sum / (fabric->view.vertex_count - 1) / (double)fabric->mean_edge;
}

static void payload_of_a_shuffled_mesh_follows_neighbours(void) {
    struct mesh grid = mesh_grid(40, 40, 2, 2, false), shuffled = mesh_shuffled(&grid, 8);
    struct pbd_mesh_def def = mesh_def(&shuffled);
    pbd_fabric *fabric = mesh_import(&def);
    CHECK(fabric->view.payload_order != NULL);
    /* In the given order neighbours are half the sheet apart, about 18 edges; along levels 2 to 3. */
    CHECK(payload_step(fabric) < 4.0);
    unsigned char *seen = calloc(1600, 1);
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < 1600; ++i)
        wrong += seen[fabric->view.payload_order[i]]++ != 0;
    CHECK_INT(wrong, 0);
    free(seen);
    pbd_fabric_unref(fabric);
    mesh_free(&grid);
    mesh_free(&shuffled);
}

static void payload_of_rows_and_of_regular_files_is_the_users_order(void) {
    struct mesh mesh = mesh_grid(30, 20, 1, 1, false);
    for (uint32_t cols = 30; cols <= 30; cols -= 30) {
        mesh.cols = cols;
        struct pbd_mesh_def def = mesh_def(&mesh);
        pbd_fabric *fabric = mesh_import(&def);
        CHECK(fabric->view.payload_order == NULL);
        CHECK_INT(fabric->view.cols, cols);
        pbd_fabric_unref(fabric);
    }
    mesh_free(&mesh);
}

static void welded_vertices_stand_side_by_side_in_the_payload(void) {
    pbd_fabric *fabric = mesh_into_fabric(mesh_tube(20, 10, true));
    const struct pbd_fabric_view *view = &fabric->view;
    CHECK_INT(pbd_fabric_report(fabric)->welded, 11);
    uint32_t together = 0;
    for (uint32_t i = 1; i < view->vertex_count; ++i)
        together += view->vertex_particle[view->payload_order[i]] ==
                    view->vertex_particle[view->payload_order[i - 1]];
    CHECK_INT(together, 11);
    pbd_fabric_unref(fabric);
}

RUN_TESTS(TEST(grids_lie_in_runs), TEST(small_grids_lie_in_runs_that_cross_row_ends),
          TEST(hinges_of_grids_lie_in_runs), TEST(regular_files_without_rows_get_runs_too),
          TEST(positions_are_a_permutation), TEST(payload_of_a_shuffled_mesh_follows_neighbours),
          TEST(payload_of_rows_and_of_regular_files_is_the_users_order),
          TEST(welded_vertices_stand_side_by_side_in_the_payload))
