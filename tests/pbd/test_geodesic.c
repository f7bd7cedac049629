/* Distances within cloth at rest: never too short, not much too long, always the same. */
#include "check.h"
#include "sheet.h"

#include "build/geodesic.h"

static double apart(const struct pbd_fabric_view *view, uint32_t p, uint32_t q) {
    const float *a = view->rest_positions + 3 * view->particle_vertex[p];
    const float *b = view->rest_positions + 3 * view->particle_vertex[q];
    return hypot(hypot((double)a[0] - b[0], (double)a[1] - b[1]), (double)a[2] - b[2]);
}

/* From every ninth particle of a 21×21 grid to all others. */
static void distances_on_a_flat_grid_are_nearly_straight(void) {
    struct sheet sheet = sheet_create(21, 21, 1, 1);
    pbd_fabric *fabric = sheet_fabric(&sheet, 0.2f);
    struct pbd_fabric_view view = pbd_fabric_get_view(fabric);
    struct geodesic g;
    CHECK_INT(geodesic_create(fabric, &g), PBD_OK);
    double longest = 0, shortest = 9, sum = 0;
    int count = 0;
    for (uint32_t q = 0; q < 441; q += 9) {
        geodesic_search(&g, &q, 1, NULL);
        CHECK_INT(g.found_count, 441);
        for (uint32_t p = 0; p < 441; ++p) {
            if (p == q) continue;
            double ratio = g.distance[p] / apart(&view, p, q);
            longest = fmax(longest, ratio);
            shortest = fmin(shortest, ratio);
            sum += ratio;
            ++count;
        }
    }
    printf("     distance/straight: %.6f to %.4f, mean %.4f\n", shortest, longest, sum / count);
    /* Sums of float32 lengths: some 20 of 6e-8 each. */
    CHECK(shortest > 1 - 2e-6);
    CHECK(longest < 1.083);
    CHECK(sum / count < 1.035);
    geodesic_destroy(&g);
    pbd_fabric_unref(fabric);
    sheet_destroy(&sheet);
}

/* What makes distances shortest ways: no way shortens any, and one leads to each. */
static void every_distance_is_a_shortest_way(void) {
    struct sheet sheet = sheet_create(9, 7, 1, 1);
    struct random random = {3};
    for (uint32_t k = 0; k < 3 * sheet.vertex_count; ++k)
        sheet.positions[k] += (float)random_between(&random, -0.05, 0.05);
    pbd_fabric *fabric = sheet_fabric(&sheet, 0.2f);
    struct geodesic g;
    CHECK_INT(geodesic_create(fabric, &g), PBD_OK);
    const uint32_t set[3] = {5, 17, 40};
    geodesic_search(&g, set, 3, NULL);
    int shorter = 0, reached = 0;
    for (uint32_t p = 0; p < g.particle_count; ++p) {
        bool led_to = p == 5 || p == 17 || p == 40;
        for (uint32_t w = g.first[p]; w < g.first[p + 1]; ++w) {
            double over = g.distance[g.ways[w].to] + (double)g.ways[w].length;
            shorter += over < g.distance[p];
            led_to = led_to || (over == g.distance[p] && g.nearest[g.ways[w].to] == g.nearest[p]);
        }
        reached += led_to;
    }
    CHECK_INT(shorter, 0);
    CHECK_INT(reached, 63);
    for (uint32_t i = 1; i < g.found_count; ++i)
        CHECK(g.distance[g.found[i - 1]] <= g.distance[g.found[i]]);
    geodesic_destroy(&g);
    pbd_fabric_unref(fabric);
    sheet_destroy(&sheet);
}

/* Round the corner of a box the way is unfolded, not cut through the inside. */
static void distances_follow_the_surface(void) {
    const float at[12] = {0, 0, 0, 1, 0, 0, 0.5f, 0, 1, 0.5f, -1, 0};
    const uint32_t triangles[6] = {0, 1, 2, 1, 0, 3};
    pbd_fabric *fabric = fabric_from(at, 4, triangles, 2, NULL, 0, NULL, 0);
    struct geodesic g;
    CHECK_INT(geodesic_create(fabric, &g), PBD_OK);
    uint32_t from = fabric->view.vertex_particle[2], to = fabric->view.vertex_particle[3];
    geodesic_search(&g, &from, 1, NULL);
    /* Wings of height 1 both, at a right angle: 2, not √2. */
    CHECK_NEAR(g.distance[to], 2, 1e-6);
    geodesic_destroy(&g);
    pbd_fabric_unref(fabric);
}

/* Wings that lean away from their edge: the line between them misses it. */
static void a_line_beside_the_edge_is_no_way(void) {
    const float at[12] = {0, 0, 0, 1, 0, 0, 3, 0, 1, 3, 0, -1};
    const uint32_t triangles[6] = {0, 1, 2, 1, 0, 3};
    pbd_fabric *fabric = fabric_from(at, 4, triangles, 2, NULL, 0, NULL, 0);
    struct geodesic g;
    CHECK_INT(geodesic_create(fabric, &g), PBD_OK);
    uint32_t from = fabric->view.vertex_particle[2], to = fabric->view.vertex_particle[3];
    geodesic_search(&g, &from, 1, NULL);
    CHECK_NEAR(g.distance[to], 2 * sqrt(5), 1e-6);
    geodesic_destroy(&g);
    pbd_fabric_unref(fabric);
}

static void parts_that_nothing_joins_are_not_found(void) {
    const float at[12] = {0, 0, 0, 1, 0, 0, 5, 0, 0, 6, 0, 0};
    const uint32_t edges[4] = {0, 1, 2, 3};
    pbd_fabric *fabric = fabric_from(at, 4, NULL, 0, edges, 2, NULL, 0);
    struct geodesic g;
    CHECK_INT(geodesic_create(fabric, &g), PBD_OK);
    uint32_t from = fabric->view.vertex_particle[0];
    geodesic_search(&g, &from, 1, NULL);
    CHECK_INT(g.found_count, 2);
    CHECK_NEAR(g.distance[fabric->view.vertex_particle[1]], 1, 0);
    CHECK(isinf(g.distance[fabric->view.vertex_particle[3]]));
    /* A second search begins anew. */
    from = fabric->view.vertex_particle[3];
    geodesic_search(&g, &from, 1, NULL);
    CHECK(isinf(g.distance[fabric->view.vertex_particle[1]]));
    CHECK_NEAR(g.distance[fabric->view.vertex_particle[2]], 1, 0);
    geodesic_destroy(&g);
    pbd_fabric_unref(fabric);
}

static void a_limit_ends_the_search(void) {
    struct sheet sheet = sheet_create(11, 11, 1, 1);
    pbd_fabric *fabric = sheet_fabric(&sheet, 0.2f);
    struct geodesic g;
    CHECK_INT(geodesic_create(fabric, &g), PBD_OK);
    double limit[121];
    for (int p = 0; p < 121; ++p)
        limit[p] = 0.35;
    uint32_t from = fabric->view.vertex_particle[60];
    geodesic_search(&g, &from, 1, limit);
    CHECK(g.found_count > 20 && g.found_count < 45);
    for (uint32_t i = 0; i < g.found_count; ++i)
        CHECK(g.distance[g.found[i]] < 0.35);
    geodesic_destroy(&g);
    pbd_fabric_unref(fabric);
    sheet_destroy(&sheet);
}

RUN_TESTS(TEST(distances_on_a_flat_grid_are_nearly_straight), TEST(every_distance_is_a_shortest_way),
          TEST(distances_follow_the_surface), TEST(a_line_beside_the_edge_is_no_way),
          TEST(parts_that_nothing_joins_are_not_found), TEST(a_limit_ends_the_search))
