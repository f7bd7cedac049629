/* Polygons become triangles with area wherever that is possible; bad triangles go. */
#include "check.h"
#include "support_mesh.h"

#include <stdlib.h>

static pbd_fabric *polygon(const float *positions, uint32_t count) {
    uint32_t corners[64];
    for (uint32_t i = 0; i < count; ++i)
        corners[i] = i;
    struct pbd_mesh_def def = pbd_default_mesh_def();
    def.positions = positions;
    def.vertex_count = count;
    def.face_sizes = &count;
    def.face_vertices = corners;
    def.face_count = 1;
    return mesh_import(&def);
}

static void check_triangle(const pbd_fabric *fabric, uint32_t t, uint32_t a, uint32_t b, uint32_t c) {
    const uint32_t *corner = fabric->view.triangles + 3 * t;
    CHECK_INT(corner[0], a);
    CHECK_INT(corner[1], b);
    CHECK_INT(corner[2], c);
}

static void quad_is_a_fan_from_its_first_corner(void) {
    const float positions[] = {0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1};
    pbd_fabric *fabric = polygon(positions, 4);
    CHECK_INT(pbd_fabric_report(fabric)->triangles, 2);
    check_triangle(fabric, 0, 0, 1, 2);
    check_triangle(fabric, 1, 0, 2, 3);
    pbd_fabric_unref(fabric);
}

static void fan_starts_where_it_gives_no_zero_area(void) {
    /* Corner 1 lies on the side 0–2: a fan from 0 would begin with a triangle without area. */
    const float positions[] = {0, 0, 0, 1, 0, 0, 2, 0, 0, 0, 0, 1};
    pbd_fabric *fabric = polygon(positions, 4);
    CHECK_INT(pbd_fabric_report(fabric)->degenerate, 0);
    check_triangle(fabric, 0, 1, 2, 3);
    check_triangle(fabric, 1, 1, 3, 0);
    pbd_fabric_unref(fabric);
}

static void polygon_without_a_clean_fan_is_cut_otherwise(void) {
    /* A triangle with two more corners on each side: every fan has a collinear piece. */
    float positions[27];
    const float corner[4][3] = {{0, 0, 0}, {3, 0, 0}, {0, 0, 3}, {0, 0, 0}};
    for (int i = 0; i < 9; ++i)
        for (int k = 0; k < 3; ++k)
            positions[3 * i + k] =
                (corner[i / 3][k] * (float)(3 - i % 3) + corner[i / 3 + 1][k] * (float)(i % 3)) / 3;
    pbd_fabric *fabric = polygon(positions, 9);
    const struct pbd_mesh_report *report = pbd_fabric_report(fabric);
    CHECK_INT(report->triangles, 7);
    CHECK_INT(report->degenerate, 0);
    CHECK_NEAR(report->mass, 0.2 * 4.5, 1e-6); /* density · area: nothing overlaps, nothing is missing */
    CHECK_INT(report->edges, 15);
    pbd_fabric_unref(fabric);
}

static void repeated_corners_of_a_polygon_collapse(void) {
    /* A quad at a cone's tip: two corners are one point. */
    const float positions[] = {0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1};
    pbd_fabric *fabric = polygon(positions, 4);
    const struct pbd_mesh_report *report = pbd_fabric_report(fabric);
    CHECK_INT(report->welded, 1);
    CHECK_INT(report->triangles, 1);
    CHECK_INT(report->degenerate, 1);
    pbd_fabric_unref(fabric);
}

static void repeated_indices_are_dropped_and_collinear_triangles_only_drawn(void) {
    struct mesh mesh = mesh_grid(5, 5, 1, 1, false);
    mesh_add_triangle(&mesh, 3, 3, 4);
    mesh_add_triangle(&mesh, 7, 8, 7);
    mesh_add_triangle(&mesh, 10, 11, 12); /* one row: collinear */
    struct pbd_mesh_def def = mesh_def(&mesh);
    pbd_fabric *fabric = mesh_import(&def);
    const struct pbd_mesh_report *report = pbd_fabric_report(fabric);
    CHECK_INT(report->degenerate, 3);
    CHECK_INT(report->triangles, 33);
    CHECK_INT(report->edges, 56); /* 4·5 + 4·5 + 16: the side 10–12 is no edge */
    check_triangle(fabric, 32, 10, 11, 12);
    pbd_fabric_unref(fabric);
    mesh_free(&mesh);
}

static void slanted_collinear_triangles_have_no_area_at_any_size(void) {
    /* Rounded to float32 the middle is off the line by up to half an ulp. */
    const float scales[] = {1e-5f, 1.0f, 3e5f};
    for (int i = 0; i < 3; ++i) {
        float s = scales[i];
        const float positions[] = {
            0, 0, 0, s * 0.337f, s * 0.711f, s * 0.123f, s * 3 * 0.337f, s * 3 * 0.711f, s * 3 * 0.123f,
            s, 0, 0};
        const uint32_t triangles[] = {0, 1, 2, 0, 2, 3};
        struct pbd_mesh_def def = pbd_default_mesh_def();
        def.positions = positions;
        def.vertex_count = 4;
        def.face_vertices = triangles;
        def.face_count = 2;
        pbd_fabric *fabric = mesh_import(&def);
        CHECK_INT(pbd_fabric_report(fabric)->degenerate, 1);
        CHECK_INT(pbd_fabric_report(fabric)->isolated, 1);
        pbd_fabric_unref(fabric);
    }
}

static void thin_but_sound_triangles_keep_their_area(void) {
    const float positions[] = {0, 0, 0, 1, 0, 0, 0.5f, 0, 1e-5f, 0.5f, 0, -1};
    const uint32_t triangles[] = {0, 2, 1, 0, 1, 3};
    struct pbd_mesh_def def = pbd_default_mesh_def();
    def.positions = positions;
    def.vertex_count = 4;
    def.face_vertices = triangles;
    def.face_count = 2;
    pbd_fabric *fabric = mesh_import(&def);
    CHECK_INT(pbd_fabric_report(fabric)->degenerate, 0);
    CHECK_INT(pbd_fabric_report(fabric)->bends, 1);
    pbd_fabric_unref(fabric);
}

static void copies_are_dropped_whatever_their_winding_and_start(void) {
    struct mesh mesh = mesh_grid(5, 5, 1, 1, false);
    uint32_t a = mesh.triangles[0], b = mesh.triangles[1], c = mesh.triangles[2];
    mesh_add_triangle(&mesh, a, b, c);
    mesh_add_triangle(&mesh, b, c, a);
    mesh_add_triangle(&mesh, c, b, a);
    struct pbd_mesh_def def = mesh_def(&mesh);
    pbd_fabric *fabric = mesh_import(&def);
    CHECK_INT(pbd_fabric_report(fabric)->duplicate, 3);
    CHECK_INT(pbd_fabric_report(fabric)->triangles, 32);
    CHECK_INT(pbd_fabric_report(fabric)->flipped, 0);
    pbd_fabric_unref(fabric);
    mesh_free(&mesh);
}

static void huge_polygon_takes_linear_time(void) {
    enum { COUNT = 60000 };
    float *positions = calloc(3 * COUNT, sizeof *positions);
    uint32_t *corners = calloc(COUNT, sizeof *corners), size = COUNT;
    for (uint32_t i = 0; i < COUNT; ++i) {
        corners[i] = i;
        float u = (float)(i % (COUNT / 4)) / (COUNT / 4); /* along the four sides of a square */
        uint32_t side = i / (COUNT / 4);
        positions[3 * i] = side == 0 ? u : side == 1 ? 1.0f : side == 2 ? 1.0f - u : 0.0f;
        positions[3 * i + 2] = side == 0 ? 0.0f : side == 1 ? u : side == 2 ? 1.0f : 1.0f - u;
    }
    struct pbd_mesh_def def = pbd_default_mesh_def();
    def.positions = positions;
    def.vertex_count = COUNT;
    def.face_sizes = &size;
    def.face_vertices = corners;
    def.face_count = 1;
    def.weld = 0.0f;
    pbd_fabric *fabric = mesh_import(&def);
    CHECK_INT(pbd_fabric_report(fabric)->triangles, COUNT - 2);
    pbd_fabric_unref(fabric);
    free(positions);
    free(corners);
}

RUN_TESTS(TEST(quad_is_a_fan_from_its_first_corner), TEST(fan_starts_where_it_gives_no_zero_area),
          TEST(polygon_without_a_clean_fan_is_cut_otherwise), TEST(repeated_corners_of_a_polygon_collapse),
          TEST(repeated_indices_are_dropped_and_collinear_triangles_only_drawn),
          TEST(slanted_collinear_triangles_have_no_area_at_any_size),
          TEST(thin_but_sound_triangles_keep_their_area),
          TEST(copies_are_dropped_whatever_their_winding_and_start), TEST(huge_polygon_takes_linear_time))
