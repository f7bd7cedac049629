/* Masses from areas or as given; who has none; components. */
#include "check.h"
#include "support_mesh.h"

static float mass_of(const pbd_fabric *fabric, uint32_t vertex) {
    return fabric->mass[fabric->view.vertex_particle[vertex]];
}

static void each_particle_gets_a_third_of_its_triangles(void) {
    pbd_fabric *fabric = mesh_into_fabric(mesh_grid(11, 11, 2, 2, false));
    /* Cells of 0.2 m: a triangle weighs 0.2 kg/m² · 0.02 m² = 0.004 kg. Corners 0 and 120 have two. */
    CHECK_NEAR(pbd_fabric_report(fabric)->mass, 0.8, 1e-7);
    CHECK_NEAR(mass_of(fabric, 0), 2 * 0.004 / 3, 1e-9);
    CHECK_NEAR(mass_of(fabric, 10), 0.004 / 3, 1e-9);
    CHECK_NEAR(mass_of(fabric, 60), 6 * 0.004 / 3, 1e-9);
    for (uint32_t p = 0; p < fabric->padded_count; ++p)
        CHECK(fabric->inverse_mass[p] == (p < 121 ? 1.0f / fabric->mass[p] : 0.0f));
    pbd_fabric_unref(fabric);
}

static void given_masses_replace_density_and_add_up_when_welded(void) {
    const float positions[] = {0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, -1};
    const float masses[] = {1, 2, 3, 4, 5, 6};
    const uint32_t triangles[] = {0, 2, 1, 3, 4, 5};
    struct pbd_mesh_def def = pbd_default_mesh_def();
    def.positions = positions;
    def.vertex_count = 6;
    def.face_vertices = triangles;
    def.face_count = 2;
    def.masses = masses;
    pbd_fabric *fabric = mesh_import(&def);
    CHECK(mass_of(fabric, 0) == 5.0f && mass_of(fabric, 3) == 5.0f);
    CHECK(mass_of(fabric, 1) == 7.0f && mass_of(fabric, 2) == 3.0f && mass_of(fabric, 5) == 6.0f);
    CHECK_NEAR(pbd_fabric_report(fabric)->mass, 21.0, 1e-12);
    pbd_fabric_unref(fabric);
}

static void isolated_vertices_have_no_mass_and_are_reported(void) {
    const float positions[] = {0, 0, 0, 9, 9, 9, 1, 0, 0, 0, 0, 1, 7, 7, 7};
    const float masses[] = {1, 1, 1, 1, 1};
    const uint32_t triangles[] = {0, 2, 3};
    struct pbd_mesh_def def = pbd_default_mesh_def();
    def.positions = positions;
    def.vertex_count = 5;
    def.face_vertices = triangles;
    def.face_count = 1;
    for (int given = 0; given < 2; ++given) {
        def.masses = given ? masses : NULL;
        pbd_fabric *fabric = mesh_import(&def);
        const struct pbd_mesh_report *report = pbd_fabric_report(fabric);
        CHECK_INT(report->isolated, 2);
        CHECK_INT(report->particles, 5);
        CHECK_INT(report->components, 1);
        CHECK_INT(report->massless, 0);
        CHECK(mass_of(fabric, 1) == 0.0f && fabric->inverse_mass[fabric->view.vertex_particle[4]] == 0.0f);
        CHECK_NEAR(report->mass, given ? 3.0 : 0.1, 1e-7);
        CHECK_INT(report->warning_count, 1);
        CHECK(strstr(report->warnings[0], "2 vertices") && strstr(report->warnings[0], "first: 1"));
        pbd_fabric_unref(fabric);
    }
}

static void particle_on_an_edge_alone_gets_the_mean_mass(void) {
    const float positions[] = {0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -1, 0};
    const uint32_t triangles[] = {0, 2, 1}, edges[] = {0, 3};
    struct pbd_mesh_def def = pbd_default_mesh_def();
    def.positions = positions;
    def.vertex_count = 4;
    def.face_vertices = triangles;
    def.face_count = 1;
    def.edges = edges;
    def.edge_count = 1;
    pbd_fabric *fabric = mesh_import(&def);
    CHECK_INT(pbd_fabric_report(fabric)->massless, 1);
    CHECK_INT(pbd_fabric_report(fabric)->isolated, 0);
    CHECK(mass_of(fabric, 3) == mass_of(fabric, 0));
    CHECK_NEAR(pbd_fabric_report(fabric)->mass, 0.1 * 4 / 3, 1e-7);
    pbd_fabric_unref(fabric);
}

static void rope_weighs_like_cloth_of_its_edge_length(void) {
    float positions[30] = {0};
    uint32_t edges[18];
    for (uint32_t i = 0; i < 10; ++i) {
        positions[3 * i] = 0.5f * (float)i;
        if (i < 9) edges[2 * i] = i, edges[2 * i + 1] = i + 1;
    }
    struct pbd_mesh_def def = pbd_default_mesh_def();
    def.positions = positions;
    def.vertex_count = 10;
    def.edges = edges;
    def.edge_count = 9;
    pbd_fabric *fabric = mesh_import(&def);
    const struct pbd_mesh_report *report = pbd_fabric_report(fabric);
    CHECK_INT(report->massless, 10);
    CHECK_INT(report->edges, 9);
    CHECK_INT(report->triangles, 0);
    CHECK_INT(report->components, 1);
    CHECK(!report->closed && report->orientable);
    CHECK_NEAR(mass_of(fabric, 4), 0.2 * 0.25, 1e-8);
    pbd_fabric_unref(fabric);
}

static void components_are_counted_over_edges(void) {
    const float positions[] = {0, 0, 0, 1, 0, 0, 0, 0, 1, 5, 0, 0, 6, 0, 0, 5, 0, 1, 9, 0, 0, 9, 1, 0};
    const uint32_t triangles[] = {0, 2, 1, 3, 5, 4}, edges[] = {6, 7, 2, 3};
    struct pbd_mesh_def def = pbd_default_mesh_def();
    def.positions = positions;
    def.vertex_count = 8;
    def.face_vertices = triangles;
    def.face_count = 2;
    def.edges = edges;
    for (uint32_t joined = 0; joined < 2; ++joined) {
        def.edge_count = 1 + joined;
        pbd_fabric *fabric = mesh_import(&def);
        CHECK_INT(pbd_fabric_report(fabric)->components, 3 - joined);
        pbd_fabric_unref(fabric);
    }
}

static void masses_that_have_no_inverse_are_refused(void) {
    const float positions[] = {0, 0, 0, 1e-19f, 0, 0, 0, 0, 1e-19f};
    const uint32_t triangles[] = {0, 2, 1};
    struct pbd_mesh_def def = pbd_default_mesh_def();
    def.positions = positions;
    def.vertex_count = 3;
    def.face_vertices = triangles;
    def.face_count = 1;
    CHECK_INT(mesh_refusal(&def).cause, PBD_MESH_BAD_MASS);
}

RUN_TESTS(TEST(each_particle_gets_a_third_of_its_triangles),
          TEST(given_masses_replace_density_and_add_up_when_welded),
          TEST(isolated_vertices_have_no_mass_and_are_reported),
          TEST(particle_on_an_edge_alone_gets_the_mean_mass), TEST(rope_weighs_like_cloth_of_its_edge_length),
          TEST(components_are_counted_over_edges), TEST(masses_that_have_no_inverse_are_refused))
