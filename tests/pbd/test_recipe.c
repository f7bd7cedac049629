/* What a fabric is told to be made of makes the same fabric and the same report again. */
#include "check.h"
#include "support_mesh.h"

#include <string.h>

static void check_report(const struct pbd_mesh_report *a, const struct pbd_mesh_report *b) {
    CHECK_INT(b->vertices, a->vertices);
    CHECK_INT(b->particles, a->particles);
    CHECK_INT(b->triangles, a->triangles);
    CHECK_INT(b->edges, a->edges);
    CHECK_INT(b->bends, a->bends);
    CHECK_INT(b->boundary_edges, a->boundary_edges);
    CHECK_INT(b->components, a->components);
    CHECK_INT(b->closed, a->closed);
    CHECK_INT(b->orientable, a->orientable);
    CHECK(b->mass == a->mass);
    CHECK_INT(b->welded, a->welded);
    CHECK_INT(b->degenerate, a->degenerate);
    CHECK_INT(b->duplicate, a->duplicate);
    CHECK_INT(b->flipped, a->flipped);
    CHECK_INT(b->isolated, a->isolated);
    CHECK_INT(b->massless, a->massless);
    CHECK_INT(b->warning_count, a->warning_count);
    for (uint32_t i = 0; i < a->warning_count; ++i)
        CHECK(strcmp(b->warnings[i], a->warnings[i]) == 0);
}

/* Twice: the second recipe is of a fabric that was itself made from a recipe. */
static void check_returns(const struct pbd_mesh_def *def) {
    pbd_fabric *given = mesh_import(def), *from = pbd_fabric_ref(given);
    for (int round = 0; round < 2; ++round) {
        struct pbd_mesh_recipe recipe;
        CHECK_INT(pbd_fabric_recipe(from, &recipe), PBD_OK);
        pbd_fabric *made = mesh_import(&recipe.def);
        pbd_mesh_recipe_free(&recipe);
        CHECK(fabrics_equal(given, made));
        CHECK_INT(made->view.cols, given->view.cols);
        CHECK((made->view.payload_order == NULL) == (given->view.payload_order == NULL));
        check_report(pbd_fabric_report(given), pbd_fabric_report(made));
        pbd_fabric_unref(from);
        from = made;
    }
    pbd_fabric_unref(from);
    pbd_fabric_unref(given);
}

static void grid_with_its_rows_returns(void) {
    struct mesh mesh = mesh_grid(7, 5, 1.3f, 0.7f, true);
    struct pbd_mesh_def def = mesh_def(&mesh);
    def.density = 0.35f;
    check_returns(&def);
    mesh_free(&mesh);
}

static void seams_and_the_weld_return(void) {
    struct mesh mesh = mesh_tube(8, 5, true);
    struct pbd_mesh_def def = mesh_def(&mesh);
    check_returns(&def);
    def.weld = 0;
    check_returns(&def);
    mesh_free(&mesh);
}

static void masses_of_welded_vertices_return(void) {
    struct mesh mesh = mesh_tube(8, 5, true);
    float masses[54];
    CHECK_INT(mesh.vertex_count, sizeof masses / sizeof masses[0]);
    for (uint32_t v = 0; v < mesh.vertex_count; ++v)
        masses[v] = 0.001f + 0.1f / (float)(3 + v); /* sums of welded ones round */
    struct pbd_mesh_def def = mesh_def(&mesh);
    def.masses = masses;
    check_returns(&def);
    mesh_free(&mesh);
}

static void edges_beside_the_triangles_return_alone(void) {
    struct mesh mesh = mesh_grid(5, 4, 1, 1, false);
    const uint32_t edges[] = {0, 1, 0, 19, 19, 0, 4, 15, 2, 2}; /* a side, twice the same, and nothing */
    struct pbd_mesh_def def = mesh_def(&mesh);
    def.edges = edges;
    def.edge_count = 5;
    check_returns(&def);
    pbd_fabric *fabric = mesh_import(&def);
    struct pbd_mesh_recipe recipe;
    CHECK_INT(pbd_fabric_recipe(fabric, &recipe), PBD_OK);
    CHECK_INT(recipe.def.edge_count, 2);
    CHECK_INT(recipe.edges[0], 0);
    CHECK_INT(recipe.edges[1], 19);
    pbd_mesh_recipe_free(&recipe);
    pbd_fabric_unref(fabric);
    mesh_free(&mesh);
}

static void ropes_return(void) {
    const float positions[] = {0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0};
    const uint32_t edges[] = {2, 1, 0, 1, 2, 3};
    struct pbd_mesh_def def = pbd_default_mesh_def();
    def.positions = positions;
    def.vertex_count = 4;
    def.edges = edges;
    def.edge_count = 3;
    check_returns(&def);
    def.edges = (const uint32_t[]){1, 1};
    def.edge_count = 1;
    check_returns(&def); /* no constraint at all */
}

static void edges_of_three_faces_return(void) {
    struct mesh mesh = mesh_grid(3, 3, 1, 1, false);
    mesh_add_triangle(&mesh, 0, 4, 2);
    struct pbd_mesh_def def = mesh_def(&mesh);
    def.cols = 0;
    def.allow_nonmanifold = true;
    check_returns(&def);
    mesh_free(&mesh);
}

static void repairs_are_counted_again(void) {
    struct mesh mesh = mesh_tube(8, 5, true);
    uint32_t *triangles = mesh.triangles;
    for (uint32_t t = 0; t < mesh.triangle_count; t += 3) {
        uint32_t corner = triangles[3 * t + 1];
        triangles[3 * t + 1] = triangles[3 * t + 2];
        triangles[3 * t + 2] = corner;
    }
    mesh_add_triangle(&mesh, triangles[2], triangles[0], triangles[1]); /* a duplicate */
    mesh_add_triangle(&mesh, 3, 3, 4);
    mesh_add_triangle(&mesh, 0, 8, 1); /* 0 and 8 are one particle */
    mesh_add_triangle(&mesh, 5, 5, 5);
    struct pbd_mesh_def def = mesh_def(&mesh);
    pbd_fabric *fabric = mesh_import(&def);
    const struct pbd_mesh_report *report = pbd_fabric_report(fabric);
    CHECK_INT(report->duplicate, 1);
    CHECK_INT(report->degenerate, 3);
    CHECK(report->flipped > 10);
    pbd_fabric_unref(fabric);
    check_returns(&def);
    mesh_free(&mesh);
}

static void polygons_return_as_triangles(void) {
    /* A quad, a polygon with a repeated corner, one that touches itself, and one without area. */
    const float positions[] = {0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1, 2, 0, 0, 2, 0, 1, 3, 0, 0, 3, 0, 1};
    const uint32_t sizes[] = {4, 5, 6, 4};
    const uint32_t corners[] = {0, 1, 2, 3, 1, 4, 4, 5, 2, 4, 6, 7, 4, 7, 5, 0, 1, 0, 1};
    struct pbd_mesh_def def = pbd_default_mesh_def();
    def.positions = positions;
    def.vertex_count = 8;
    def.face_sizes = sizes;
    def.face_vertices = corners;
    def.face_count = 4;
    def.allow_nonmanifold = true;
    pbd_fabric *fabric = mesh_import(&def);
    CHECK(pbd_fabric_report(fabric)->degenerate > 2);
    pbd_fabric_unref(fabric);
    check_returns(&def);
}

static void surface_of_one_side_returns(void) {
    struct mesh mesh = mesh_moebius(12, 3);
    struct pbd_mesh_def def = mesh_def(&mesh);
    check_returns(&def);
    mesh_free(&mesh);
}

RUN_TESTS(TEST(grid_with_its_rows_returns), TEST(seams_and_the_weld_return),
          TEST(masses_of_welded_vertices_return), TEST(edges_beside_the_triangles_return_alone),
          TEST(ropes_return), TEST(edges_of_three_faces_return), TEST(repairs_are_counted_again),
          TEST(polygons_return_as_triangles), TEST(surface_of_one_side_returns))
