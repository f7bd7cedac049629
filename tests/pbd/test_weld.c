/* Coincident vertices become one particle: at any size, in chains, and in linear time. */
#include "check.h"
#include "support_mesh.h"

#include <stdlib.h>

/* A square of the given size whose two triangles repeat the diagonal's ends, `gap` apart. */
static pbd_fabric *split_square(float size, float gap, float weld) {
    const float positions[] = {0,   0, 0, size, 0, 0,          size, 0, size,
                               gap, 0, 0, size, 0, size - gap, 0,    0, size};
    const uint32_t triangles[] = {0, 2, 1, 3, 5, 4};
    struct pbd_mesh_def def = pbd_default_mesh_def();
    def.positions = positions;
    def.vertex_count = 6;
    def.face_vertices = triangles;
    def.face_count = 2;
    def.weld = weld;
    return mesh_import(&def);
}

static void seam_is_welded_at_any_size(void) {
    const float sizes[] = {1e-5f, 2e-4f, 1.0f, 9e5f};
    for (int i = 0; i < 4; ++i) {
        pbd_fabric *fabric = split_square(sizes[i], 0.9e-6f * sizes[i], 1e-6f);
        const struct pbd_mesh_report *report = pbd_fabric_report(fabric);
        CHECK_INT(report->welded, 2);
        CHECK_INT(report->particles, 4);
        CHECK_INT(report->bends, 1);
        const uint32_t *particle = fabric->view.vertex_particle;
        CHECK(particle[3] == particle[0] && particle[4] == particle[2]);
        CHECK_INT(fabric->view.particle_vertex[particle[3]], 0);
        CHECK_INT(fabric->view.particle_vertex[particle[4]], 2);
        pbd_fabric_unref(fabric);
    }
}

static void vertices_beyond_the_tolerance_stay_apart(void) {
    /* The diagonal is √2: 1e-6 of it is 1.414e-6. */
    pbd_fabric *fabric = split_square(1.0f, 1.6e-6f, 1e-6f);
    CHECK_INT(pbd_fabric_report(fabric)->welded, 0);
    CHECK_INT(pbd_fabric_report(fabric)->components, 2);
    pbd_fabric_unref(fabric);
}

static void weld_of_zero_joins_nothing(void) {
    pbd_fabric *fabric = split_square(1.0f, 0.0f, 0.0f);
    CHECK_INT(pbd_fabric_report(fabric)->welded, 0);
    CHECK_INT(pbd_fabric_report(fabric)->bends, 0);
    pbd_fabric_unref(fabric);
}

static void chains_of_near_vertices_become_one(void) {
    float positions[3 * 12] = {0};
    for (int i = 0; i < 10; ++i)
        positions[3 * i] = 0.008f * (float)i; /* each within 0.01 of the next */
    positions[3 * 10] = 1.0f;
    positions[3 * 11 + 2] = 1.0f;
    const uint32_t triangles[] = {9, 10, 11};
    struct pbd_mesh_def def = pbd_default_mesh_def();
    def.positions = positions;
    def.vertex_count = 12;
    def.face_vertices = triangles;
    def.face_count = 1;
    def.weld = 0.0071f; /* × √2: 0.01 */
    pbd_fabric *fabric = mesh_import(&def);
    CHECK_INT(pbd_fabric_report(fabric)->particles, 3);
    CHECK_INT(pbd_fabric_report(fabric)->welded, 9);
    CHECK_INT(fabric->view.particle_vertex[fabric->view.vertex_particle[9]], 0);
    pbd_fabric_unref(fabric);
}

static void pairs_are_found_across_cell_borders(void) {
    /* 400 pairs, 0.8 of the tolerance apart in all directions, at places that fall anywhere within a cell. */
    enum { PAIRS = 400 };
    static float positions[3 * (2 * PAIRS + 1)];
    static uint32_t edges[2 * PAIRS];
    uint32_t state = 3;
    for (uint32_t i = 0; i < PAIRS; ++i) {
        for (uint32_t k = 0; k < 3; ++k) {
            state = state * 1664525u + 1013904223u;
            float c = (float)(state >> 8) * 0x1p-24f + (k == 0 ? (float)i : 0.0f);
            positions[3 * i + k] = c;
            positions[3 * (PAIRS + i) + k] = c + (i % 3 == k ? 0.8e-3f : 0.0f) * (i % 2 ? 1.0f : -1.0f);
        }
        edges[2 * i] = i;
        edges[2 * i + 1] = (i + 1) % PAIRS;
    }
    positions[3 * 2 * PAIRS] = 999.0f; /* makes the diagonal 1000 or a little more */
    struct pbd_mesh_def def = pbd_default_mesh_def();
    def.positions = positions;
    def.vertex_count = 2 * PAIRS + 1;
    def.edges = edges;
    def.edge_count = PAIRS;
    pbd_fabric *fabric = mesh_import(&def);
    CHECK_INT(pbd_fabric_report(fabric)->welded, PAIRS);
    pbd_fabric_unref(fabric);
}

static void welded_at_rest_but_apart_at_the_start_is_refused(void) {
    const float rest[] = {0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, -1};
    float start[18];
    for (int i = 0; i < 18; ++i)
        start[i] = rest[i] + 100.0f; /* moved as a whole: fine */
    const uint32_t triangles[] = {0, 1, 2, 3, 4, 5};
    struct pbd_mesh_def def = pbd_default_mesh_def();
    def.positions = start;
    def.rest_positions = rest;
    def.vertex_count = 6;
    def.face_vertices = triangles;
    def.face_count = 2;
    pbd_fabric *fabric = mesh_import(&def);
    CHECK_INT(pbd_fabric_report(fabric)->welded, 2);
    pbd_fabric_unref(fabric);
    start[3 * 4 + 1] += 0.01f;
    struct pbd_mesh_refusal refusal = mesh_refusal(&def);
    CHECK_INT(refusal.cause, PBD_MESH_WELD_APART);
    CHECK_INT(refusal.vertex, 4);
    CHECK_INT(refusal.total, 1);
    CHECK(strstr(refusal.message, "vertices 1 and 4") != NULL);
    def.weld = 0.0f;
    fabric = mesh_import(&def);
    pbd_fabric_unref(fabric);
}

static void many_coincident_and_crowded_vertices_cost_no_square(void) {
    /* 30 000 vertices in one point and 30 000 within a few tolerances: compared pair by
     * pair that would be 10⁹ distances and minutes; the test's time limit is the check. */
    enum { COUNT = 60000 };
    float *positions = calloc(3 * COUNT, sizeof *positions);
    uint32_t edges[] = {0, COUNT - 1}, state = 1;
    for (uint32_t i = 3 * COUNT / 2; i < 3 * COUNT; ++i) {
        state = state * 1664525u + 1013904223u;
        positions[i] = (float)(state >> 8) * 0x1p-24f * 1e-5f;
    }
    positions[3 * (COUNT - 1)] = 1.0f;
    struct pbd_mesh_def def = pbd_default_mesh_def();
    def.positions = positions;
    def.vertex_count = COUNT;
    def.edges = edges;
    def.edge_count = 1;
    pbd_fabric *fabric = mesh_import(&def);
    CHECK(pbd_fabric_report(fabric)->welded > COUNT / 2);
    pbd_fabric_unref(fabric);
    free(positions);
}

RUN_TESTS(TEST(seam_is_welded_at_any_size), TEST(vertices_beyond_the_tolerance_stay_apart),
          TEST(weld_of_zero_joins_nothing), TEST(chains_of_near_vertices_become_one),
          TEST(pairs_are_found_across_cell_borders), TEST(welded_at_rest_but_apart_at_the_start_is_refused),
          TEST(many_coincident_and_crowded_vertices_cost_no_square))
