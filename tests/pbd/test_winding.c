/* One winding per component, chosen by its majority; one-sided surfaces as given. */
#include "check.h"
#include "support_mesh.h"

static void turn(struct mesh *mesh, uint32_t t) {
    uint32_t *corner = mesh->triangles + 3 * t, kept = corner[1];
    corner[1] = corner[2];
    corner[2] = kept;
}

/* Triangles of the fabric that differ from the mesh's. */
static uint32_t differing(const pbd_fabric *fabric, const struct mesh *mesh) {
    uint32_t count = 0;
    for (uint32_t t = 0; t < mesh->triangle_count; ++t)
        count += memcmp(fabric->view.triangles + 3 * t, mesh->triangles + 3 * t, 12) != 0;
    return count;
}

static void majority_of_a_component_wins(void) {
    struct mesh clean = mesh_grid(9, 9, 1, 1, false), mesh = mesh_grid(9, 9, 1, 1, false);
    const uint32_t odd[] = {0, 17, 18, 50, 127};
    for (int i = 0; i < 5; ++i)
        turn(&mesh, odd[i]);
    struct pbd_mesh_def def = mesh_def(&mesh);
    pbd_fabric *fabric = mesh_import(&def);
    CHECK_INT(pbd_fabric_report(fabric)->flipped, 5);
    CHECK(pbd_fabric_report(fabric)->orientable);
    CHECK_INT(differing(fabric, &clean), 0);
    pbd_fabric_unref(fabric);
    mesh_free(&clean);
    mesh_free(&mesh);
}

static void majority_may_be_the_turned_ones(void) {
    struct mesh mesh = mesh_grid(9, 9, 1, 1, false);
    for (uint32_t t = 0; t < mesh.triangle_count; ++t)
        if (t % 4 != 0) turn(&mesh, t);
    struct pbd_mesh_def def = mesh_def(&mesh);
    pbd_fabric *fabric = mesh_import(&def);
    CHECK_INT(pbd_fabric_report(fabric)->flipped, 32);
    CHECK_INT(differing(fabric, &mesh), 32);
    pbd_fabric_unref(fabric);
    mesh_free(&mesh);
}

static void components_are_decided_apart(void) {
    /* Two triangles' pairs far apart, of which the second winds the other way throughout: nothing to turn. */
    const float positions[] = {0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1, 5, 0, 0, 6, 0, 0, 6, 0, 1, 5, 0, 1};
    const uint32_t triangles[] = {0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7};
    struct pbd_mesh_def def = pbd_default_mesh_def();
    def.positions = positions;
    def.vertex_count = 8;
    def.face_vertices = triangles;
    def.face_count = 4;
    pbd_fabric *fabric = mesh_import(&def);
    CHECK_INT(pbd_fabric_report(fabric)->flipped, 0);
    CHECK_INT(pbd_fabric_report(fabric)->components, 2);
    pbd_fabric_unref(fabric);
}

static void moebius_strip_loads_as_it_is(void) {
    struct mesh mesh = mesh_moebius(40, 3);
    struct pbd_mesh_def def = mesh_def(&mesh);
    pbd_fabric *fabric = mesh_import(&def);
    const struct pbd_mesh_report *report = pbd_fabric_report(fabric);
    CHECK(!report->orientable && !report->closed);
    CHECK_INT(report->flipped, 0);
    CHECK_INT(differing(fabric, &mesh), 0);
    CHECK_INT(report->triangles, 160);
    CHECK_INT(report->boundary_edges, 80); /* one border, twice around */
    CHECK_INT(report->bends, report->edges - report->boundary_edges);
    CHECK_INT(report->warning_count, 1);
    pbd_fabric_unref(fabric);
    mesh_free(&mesh);
}

static void turning_changes_nothing_that_is_simulated(void) {
    struct mesh mesh = mesh_grid(9, 9, 1, 1, true);
    for (uint32_t v = 0; v < mesh.vertex_count; ++v)
        mesh.positions[3 * v + 1] = 0.02f * (float)(v * v % 7);
    struct pbd_mesh_def def = mesh_def(&mesh);
    pbd_fabric *clean = mesh_import(&def);
    turn(&mesh, 3);
    turn(&mesh, 70);
    pbd_fabric *turned = mesh_import(&def);
    CHECK_INT(pbd_fabric_report(turned)->flipped, 2);
    CHECK(fabrics_equal(clean, turned));
    pbd_fabric_unref(clean);
    pbd_fabric_unref(turned);
    mesh_free(&mesh);
}

RUN_TESTS(TEST(majority_of_a_component_wins), TEST(majority_may_be_the_turned_ones),
          TEST(components_are_decided_apart), TEST(moebius_strip_loads_as_it_is),
          TEST(turning_changes_nothing_that_is_simulated))
