/* The gate as a whole: dirty and clean meshes give the same recipe, at every size. */
#include "check.h"
#include "support_mesh.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <stdlib.h>

static void dirty_mesh_gives_the_clean_recipe_bit_for_bit(void) {
    struct mesh clean_mesh = mesh_grid(21, 21, 1, 1, false), dirty_mesh = mesh_grid(21, 21, 1, 1, false);
    for (uint32_t t = 0; t < clean_mesh.triangle_count; ++t) { /* the whole sheet again, from behind */
        const uint32_t *corner = clean_mesh.triangles + 3 * t;
        mesh_add_triangle(&dirty_mesh, corner[2], corner[1], corner[0]);
    }
    mesh_add_triangle(&dirty_mesh, 5, 5, 6);    /* repeats an index */
    mesh_add_triangle(&dirty_mesh, 42, 43, 44); /* collinear */
    mesh_add_triangle(&dirty_mesh, 0, 21, 22);  /* a duplicate */
    struct pbd_mesh_def clean_def = mesh_def(&clean_mesh), dirty_def = mesh_def(&dirty_mesh);
    pbd_fabric *clean = mesh_import(&clean_def), *dirty = mesh_import(&dirty_def);
    CHECK_INT(pbd_fabric_report(dirty)->duplicate, 801);
    CHECK_INT(pbd_fabric_report(dirty)->degenerate, 2);
    CHECK_INT(pbd_fabric_report(dirty)->flipped, 0);
    CHECK_INT(pbd_fabric_report(dirty)->warning_count, 2);
    CHECK_INT(pbd_fabric_report(clean)->warning_count, 0);
    CHECK(fabrics_equal(clean, dirty));
    pbd_fabric_unref(clean);
    pbd_fabric_unref(dirty);
    mesh_free(&clean_mesh);
    mesh_free(&dirty_mesh);
}

static void face_order_does_not_matter_to_the_layout(void) {
    struct mesh mesh = mesh_grid(30, 22, 1, 1, false), reversed = mesh_grid(30, 22, 1, 1, false);
    uint32_t count = mesh.triangle_count;
    for (uint32_t t = 0; t < count; ++t)
        memcpy(reversed.triangles + 3 * t, mesh.triangles + 3 * (count - 1 - t), 3 * sizeof(uint32_t));
    struct pbd_mesh_def def = mesh_def(&mesh), reversed_def = mesh_def(&reversed);
    pbd_fabric *a = mesh_import(&def), *b = mesh_import(&reversed_def);
    CHECK(memcmp(a->view.vertex_particle, b->view.vertex_particle, 660 * sizeof(uint32_t)) == 0);
    CHECK(memcmp(a->stretch.a, b->stretch.a, a->stretch.count * sizeof(uint32_t)) == 0);
    CHECK(memcmp(a->bend.p[3], b->bend.p[3], a->bend.count * sizeof(uint32_t)) == 0);
    pbd_fabric_unref(a);
    pbd_fabric_unref(b);
    mesh_free(&mesh);
    mesh_free(&reversed);
}

static void same_mesh_gives_the_same_recipe(void) {
    struct mesh grid = mesh_grid(40, 31, 1, 1, true), mesh = mesh_shuffled(&grid, 3);
    struct pbd_mesh_def def = mesh_def(&mesh);
    pbd_fabric *a = mesh_import(&def), *b = mesh_import(&def);
    CHECK(fabrics_equal(a, b));
    pbd_fabric_unref(a);
    pbd_fabric_unref(b);
    mesh_free(&grid);
    mesh_free(&mesh);
}

#if defined(__x86_64__)
/* Libraries built with -ffast-math switch denormals off, and hosts may round otherwise:
 * a cloth so small that its areas' squares are denormal must not notice. */
static void callers_rounding_leaves_the_recipe_alone(void) {
    pbd_fabric *made[3];
    const unsigned int modes[3] = {0x1f80, 0x9fc0 /* FTZ, DAZ */, 0x5f80 /* upwards */};
    for (int i = 0; i < 3; ++i) {
        struct mesh mesh = mesh_grid(9, 7, 1e-9f, 1e-9f, false);
        for (uint32_t v = 0; v < mesh.vertex_count; ++v)
            mesh.positions[3 * v + 1] = 1e-11f * (float)(v * 7 % 5);
        struct pbd_mesh_def def = mesh_def(&mesh);
        unsigned int before = _mm_getcsr();
        _mm_setcsr(modes[i]);
        made[i] = mesh_import(&def);
        CHECK_INT(_mm_getcsr() & 0xffc0, modes[i] & 0xffc0);
        _mm_setcsr(before);
        mesh_free(&mesh);
    }
    CHECK(fabrics_equal(made[0], made[1]));
    CHECK(fabrics_equal(made[0], made[2]));
    for (int i = 0; i < 3; ++i)
        pbd_fabric_unref(made[i]);
}
#else
static void callers_rounding_leaves_the_recipe_alone(void) {
    pbd_fabric *a = mesh_into_fabric(mesh_grid(9, 7, 1e-9f, 1e-9f, false));
    pbd_fabric *b = mesh_into_fabric(mesh_grid(9, 7, 1e-9f, 1e-9f, false));
    CHECK(fabrics_equal(a, b));
    pbd_fabric_unref(a);
    pbd_fabric_unref(b);
}
#endif

static void every_size_imports_alike(void) {
    const float sizes[] = {2e-4f, 1.0f, 2e6f};
    for (int alternate = 0; alternate < 2; ++alternate) {
        for (int i = 0; i < 3; ++i) {
            struct mesh mesh = mesh_grid(61, 61, sizes[i], sizes[i], alternate);
            mesh_add_triangle(&mesh, 7, 8, 9);
            mesh_add_triangle(&mesh, 7, 8, 8);
            struct pbd_mesh_def def = mesh_def(&mesh);
            pbd_fabric *fabric = mesh_import(&def);
            const struct pbd_mesh_report *report = pbd_fabric_report(fabric);
            CHECK_INT(report->vertices, 3721);
            CHECK_INT(report->particles, 3721);
            CHECK_INT(report->welded, 0);
            CHECK_INT(report->degenerate, 2);
            CHECK_INT(report->edges, 10920);
            CHECK_INT(report->bends, 10680);
            CHECK_INT(report->isolated, 0);
            CHECK_INT(report->massless, 0);
            double mass = 0.2 * (double)sizes[i] * (double)sizes[i];
            CHECK_NEAR(report->mass, mass, 1e-6 * mass);
            pbd_fabric_unref(fabric);
            mesh_free(&mesh);
        }
    }
}

static void seam_of_a_tube_is_welded_and_bends(void) {
    pbd_fabric *seamed = mesh_into_fabric(mesh_tube(24, 12, true));
    pbd_fabric *closed = mesh_into_fabric(mesh_tube(24, 12, false));
    CHECK_INT(pbd_fabric_report(seamed)->welded, 13);
    CHECK_INT(pbd_fabric_report(closed)->welded, 0);
    CHECK_INT(pbd_fabric_report(seamed)->vertices, 25 * 13);
    CHECK_INT(pbd_fabric_report(seamed)->particles, 24 * 13);
    CHECK_INT(pbd_fabric_report(seamed)->boundary_edges, 48);
    CHECK_INT(pbd_fabric_report(seamed)->bends, pbd_fabric_report(closed)->bends);
    CHECK(memcmp(seamed->stretch.a, closed->stretch.a, seamed->stretch.count * sizeof(uint32_t)) == 0);
    pbd_fabric_unref(seamed);
    pbd_fabric_unref(closed);
}

static void rest_pose_may_differ_from_the_start(void) {
    struct mesh mesh = mesh_grid(5, 5, 1, 1, false), start = mesh_grid(5, 5, 3, 0.5f, false);
    struct pbd_mesh_def def = mesh_def(&mesh);
    pbd_fabric *plain = mesh_import(&def);
    def.rest_positions = mesh.positions;
    def.positions = start.positions;
    pbd_fabric *stretched = mesh_import(&def);
    CHECK(fabrics_equal(plain, stretched));
    pbd_fabric_unref(plain);
    pbd_fabric_unref(stretched);
    mesh_free(&mesh);
    mesh_free(&start);
}

static void mesh_of_one_point_has_no_size_but_loads(void) {
    const float positions[9] = {1, 2, 3, 1, 2, 3, 1, 2, 3};
    const uint32_t triangle[] = {0, 1, 2};
    struct pbd_mesh_def def = pbd_default_mesh_def();
    def.positions = positions;
    def.vertex_count = 3;
    def.face_vertices = triangle;
    def.face_count = 1;
    for (int i = 0; i < 2; ++i) {
        def.weld = i ? 1e-6f : 0.0f;
        pbd_fabric *fabric = mesh_import(&def);
        CHECK_INT(pbd_fabric_report(fabric)->degenerate, 1);
        CHECK_INT(pbd_fabric_report(fabric)->particles, i ? 1 : 3);
        CHECK(fabric->view.rest_diagonal > 0.0f);
        pbd_fabric_unref(fabric);
    }
}

static void refusal_leaves_outputs_alone(void) {
    struct mesh mesh = mesh_grid(3, 3, 1, 1, false);
    struct pbd_mesh_def def = mesh_def(&mesh);
    pbd_fabric *fabric = NULL;
    struct pbd_mesh_refusal refusal = {.vertex = 77};
    CHECK_INT(pbd_mesh_import(&def, &fabric, &refusal), PBD_OK);
    CHECK_INT(refusal.vertex, 77);
    pbd_fabric *kept = fabric;
    mesh.triangles[4] = 9;
    CHECK_INT(pbd_mesh_import(&def, &fabric, &refusal), PBD_MESH_REFUSED);
    CHECK(fabric == kept);
    CHECK_INT(refusal.cause, PBD_MESH_INDEX_RANGE);
    CHECK_INT(pbd_mesh_import(&def, &fabric, NULL), PBD_MESH_REFUSED);
    pbd_fabric_unref(fabric);
    mesh_free(&mesh);
}

static void big_shuffled_mesh_takes_no_square_time(void) {
    struct mesh grid = mesh_grid(250, 200, 2, 2, false), mesh = mesh_shuffled(&grid, 6);
    struct pbd_mesh_def def = mesh_def(&mesh);
    pbd_fabric *fabric = mesh_import(&def);
    CHECK_INT(pbd_fabric_report(fabric)->particles, 50000);
    CHECK_INT(pbd_fabric_report(fabric)->edges, 249 * 200 + 250 * 199 + 249 * 199);
    pbd_fabric_unref(fabric);
    mesh_free(&grid);
    mesh_free(&mesh);
}

static void causes_have_the_names_of_the_protocol(void) {
    CHECK_STRING(pbd_mesh_cause_name(PBD_MESH_NON_MANIFOLD_EDGE), "non_manifold_edge");
    CHECK_STRING(pbd_mesh_cause_name(PBD_MESH_NO_VERTICES), "no_vertices");
    CHECK_STRING(pbd_mesh_cause_name(PBD_MESH_UNREADABLE), "unreadable");
    for (int a = PBD_MESH_NO_CAUSE; a <= PBD_MESH_BAD_VERTEX; ++a)
        for (int b = PBD_MESH_NO_CAUSE; b < a; ++b)
            CHECK(strcmp(pbd_mesh_cause_name((enum pbd_mesh_cause)a),
                         pbd_mesh_cause_name((enum pbd_mesh_cause)b)) != 0);
}

RUN_TESTS(TEST(dirty_mesh_gives_the_clean_recipe_bit_for_bit), TEST(face_order_does_not_matter_to_the_layout),
          TEST(same_mesh_gives_the_same_recipe), TEST(callers_rounding_leaves_the_recipe_alone),
          TEST(every_size_imports_alike), TEST(seam_of_a_tube_is_welded_and_bends),
          TEST(rest_pose_may_differ_from_the_start), TEST(mesh_of_one_point_has_no_size_but_loads),
          TEST(refusal_leaves_outputs_alone), TEST(big_shuffled_mesh_takes_no_square_time),
          TEST(causes_have_the_names_of_the_protocol))
