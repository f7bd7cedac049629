/* A cloth's triangles by particle, and the distance that its layers keep. */
#include "check.h"
#include "sheet.h"

#include "contact/surface.h"

static void triangles_name_particles_and_leave_out_flat_ones(void) {
    /* Vertices 4 and 1 are one particle; the third triangle is a line. */
    const float positions[] = {0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0, 0, 2, 0, 0};
    const uint32_t triangles[] = {0, 2, 1, 0, 3, 2, 0, 4, 5};
    struct pbd_cloth cloth = {.fabric = fabric_from(positions, 6, triangles, 3, NULL, 0, NULL, 1)};
    CHECK_INT(surface_require_nodes(&cloth), PBD_OK);
    const struct pbd_fabric_view *view = &cloth.fabric->view;
    CHECK_INT(cloth.surface->triangle_count, 2);
    for (uint32_t t = 0; t < 2; ++t)
        for (uint32_t k = 0; k < 3; ++k)
            CHECK_INT(cloth.surface->triangles[3 * t + k], view->vertex_particle[view->triangles[3 * t + k]]);
    struct cloth_surface *first = cloth.surface;
    CHECK_INT(surface_require_nodes(&cloth), PBD_OK);
    CHECK(cloth.surface == first);
    surface_destroy(&cloth);
    CHECK(cloth.surface == NULL);
    surface_destroy(&cloth);
    pbd_fabric_unref(cloth.fabric);
}

static void thickness_stays_below_the_shortest_edge(void) {
    struct pbd_world_settings settings = pbd_default_world_settings();
    pbd_world *world = pbd_world_create(&settings);
    struct sheet sheet = sheet_create(5, 5, 1, 2);
    struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
    pbd_cloth_id id = cloth_from(world, sheet_fabric(&sheet, 0.2f), sheet.positions, &cloth, NULL, 0);
    float shortest = 0.0f;
    CHECK_NEAR(pbd_cloth_self_thickness(world, id, &shortest), 0.005, 1e-9);
    CHECK_NEAR(shortest, 0.25, 1e-6);
    cloth.thickness = 0.3f;
    CHECK_INT(pbd_cloth_set_settings(world, id, &cloth), PBD_OK);
    float kept = pbd_cloth_self_thickness(world, id, NULL);
    CHECK(kept < shortest && kept > 0.95f * shortest);
    CHECK_INT(pbd_cloth_remove(world, id), PBD_OK);
    CHECK(pbd_cloth_self_thickness(world, id, NULL) == 0.0f);
    sheet_destroy(&sheet);
    pbd_world_destroy(world);
}

static void without_edges_the_thickness_is_its_own(void) {
    const float positions[] = {0, 0, 0, 1, 0, 0};
    const uint32_t edge[] = {0, 1};
    struct pbd_cloth cloth = {.fabric = fabric_from(positions, 2, NULL, 0, edge, 1, NULL, 1),
                              .settings = {.thickness = 0.1f}};
    CHECK_NEAR(surface_thickness(&cloth), 0.1, 1e-7);
    CHECK_INT(surface_require(&cloth), PBD_OK);
    CHECK_INT(cloth.surface->triangle_count, 0);
    surface_destroy(&cloth);
    pbd_fabric_unref(cloth.fabric);
}

RUN_TESTS(TEST(triangles_name_particles_and_leave_out_flat_ones),
          TEST(thickness_stays_below_the_shortest_edge), TEST(without_edges_the_thickness_is_its_own))
