/* Adding, removing, teleporting and reading cloths. */
#include "check.h"
#include "sheet.h"

static pbd_world *quiet_world(void) {
    struct pbd_world_settings settings = quiet_settings();
    return pbd_world_create(&settings);
}

static pbd_cloth_id add_sheet(pbd_world *world, struct sheet *sheet) {
    struct pbd_cloth_settings settings = pbd_default_cloth_settings();
    return cloth_from(world, sheet_fabric(sheet, 0.2f), sheet->positions, &settings, NULL, 0);
}

static void vertices_are_where_they_were_put(void) {
    pbd_world *world = quiet_world();
    struct sheet sheet = sheet_create(5, 4, 2, 1);
    pbd_cloth_id id = add_sheet(world, &sheet);
    for (uint32_t v = 0; v < sheet.vertex_count; ++v) {
        struct point p = vertex_position(world, id, v);
        CHECK(p.x == (double)sheet.positions[3 * v] && p.z == (double)sheet.positions[3 * v + 2] &&
              p.y == 0.0);
    }
    struct pbd_cloth_view view;
    CHECK_INT(pbd_cloth_get_view(world, id, &view), PBD_OK);
    CHECK_INT(view.vertex_count, 20);
    CHECK_INT(view.particle_count, 20);
    CHECK(!view.frozen);
    sheet_destroy(&sheet);
    pbd_world_destroy(world);
}

static void pin_out_of_range_adds_nothing(void) {
    pbd_world *world = quiet_world();
    struct sheet sheet = sheet_create(3, 3, 1, 1);
    pbd_fabric *fabric = sheet_fabric(&sheet, 0.2f);
    const uint32_t pins[] = {0, 9};
    struct pbd_cloth_def def = {.fabric = fabric, .positions = sheet.positions, .pins = pins, .pin_count = 2};
    def.settings = pbd_default_cloth_settings();
    pbd_cloth_id id = 77;
    CHECK_INT(pbd_cloth_add(world, &def, &id), PBD_INDEX_RANGE);
    CHECK_INT(id, 77);
    CHECK_INT(pbd_world_get_stats(world).constraints, 0);
    pbd_fabric_unref(fabric);
    sheet_destroy(&sheet);
    pbd_world_destroy(world);
}

static void removed_cloth_is_stale_everywhere(void) {
    pbd_world *world = quiet_world();
    struct sheet sheet = sheet_create(3, 3, 1, 1);
    pbd_cloth_id id = add_sheet(world, &sheet);
    CHECK(pbd_cloth_fabric(world, id) != NULL);
    CHECK_INT(pbd_cloth_remove(world, id), PBD_OK);
    struct pbd_cloth_view view;
    struct pbd_cloth_settings settings = pbd_default_cloth_settings();
    CHECK_INT(pbd_cloth_remove(world, id), PBD_STALE_ID);
    CHECK_INT(pbd_cloth_get_view(world, id, &view), PBD_STALE_ID);
    CHECK_INT(pbd_cloth_get_settings(world, id, &settings), PBD_STALE_ID);
    CHECK_INT(pbd_cloth_set_settings(world, id, &settings), PBD_STALE_ID);
    CHECK_INT(pbd_cloth_set_state(world, id, NULL, NULL), PBD_STALE_ID);
    CHECK_INT(pbd_cloth_edges(world, id, NULL, NULL), PBD_STALE_ID);
    CHECK(pbd_cloth_fabric(world, id) == NULL);
    step_ticks(world, 2);
    sheet_destroy(&sheet);
    pbd_world_destroy(world);
}

static void settings_read_back_as_set(void) {
    pbd_world *world = quiet_world();
    struct sheet sheet = sheet_create(3, 3, 1, 1);
    pbd_cloth_id id = add_sheet(world, &sheet);
    struct pbd_cloth_settings settings = pbd_default_cloth_settings(), got;
    settings.bend_model = PBD_BEND_DISTANCE;
    settings.friction = 0.7f;
    CHECK_INT(pbd_cloth_set_settings(world, id, &settings), PBD_OK);
    CHECK_INT(pbd_cloth_get_settings(world, id, &got), PBD_OK);
    CHECK(got.bend_model == PBD_BEND_DISTANCE && got.friction == 0.7f);
    sheet_destroy(&sheet);
    pbd_world_destroy(world);
}

static void set_state_puts_positions_and_velocities(void) {
    pbd_world *world = quiet_world();
    struct sheet sheet = sheet_create(3, 3, 1, 1);
    pbd_cloth_id id = add_sheet(world, &sheet);
    step_ticks(world, 3);
    float positions[27], velocities[27];
    for (int i = 0; i < 27; ++i) {
        positions[i] = 10.0f + (float)i;
        velocities[i] = -0.5f * (float)i;
    }
    CHECK_INT(pbd_cloth_set_state(world, id, positions, NULL), PBD_OK);
    CHECK(vertex_position(world, id, 4).y == 23.0 && vertex_velocity(world, id, 4).y == 0.0);
    CHECK_INT(pbd_cloth_set_state(world, id, NULL, velocities), PBD_OK);
    CHECK(vertex_position(world, id, 4).y == 23.0 && vertex_velocity(world, id, 4).y == -6.5);
    sheet_destroy(&sheet);
    pbd_world_destroy(world);
}

static void of_welded_vertices_the_lowest_counts(void) {
    /* Two triangles with their shared edge given twice: vertices 3, 5 repeat 1, 2. */
    float positions[] = {0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0, 1};
    const uint32_t triangles[] = {0, 1, 2, 3, 4, 5};
    pbd_world *world = quiet_world();
    struct pbd_cloth_settings settings = pbd_default_cloth_settings();
    pbd_cloth_id id = cloth_from(world, fabric_from(positions, 6, triangles, 2, NULL, 0, NULL, 0.2f),
                                 positions, &settings, NULL, 0);
    positions[3] = 1.5f; /* vertex 1 */
    positions[9] = 9.0f; /* vertex 3, its copy */
    CHECK_INT(pbd_cloth_set_state(world, id, positions, NULL), PBD_OK);
    CHECK(vertex_position(world, id, 1).x == 1.5 && vertex_position(world, id, 3).x == 1.5);
    pbd_world_destroy(world);
}

static void edges_give_lengths_in_the_fabrics_order(void) {
    pbd_world *world = quiet_world();
    struct sheet sheet = sheet_create(4, 3, 3, 2);
    pbd_cloth_id id = add_sheet(world, &sheet);
    struct pbd_fabric_view view = pbd_fabric_get_view(pbd_cloth_fabric(world, id));
    float length[64], force[64];
    uint32_t pairs[128];
    CHECK(view.edge_count <= 64);
    pbd_fabric_edges(pbd_cloth_fabric(world, id), pairs, NULL, NULL);
    CHECK_INT(pbd_cloth_edges(world, id, length, force), PBD_OK);
    for (uint32_t e = 0; e < view.edge_count; ++e) {
        uint32_t a = pairs[2 * e], b = pairs[2 * e + 1];
        double dx = (double)(a % 4) - b % 4, dz = (double)(a / 4) - b / 4;
        CHECK_NEAR(length[e], sqrt(dx * dx + dz * dz), 1e-6); /* cells of 1 m */
        CHECK(force[e] == 0.0f);                              /* before any tick */
    }
    struct pbd_world_settings settings = quiet_settings();
    settings.solver.method = PBD_METHOD_PBD;
    pbd_world_set_settings(world, &settings);
    step_ticks(world, 1);
    CHECK_INT(pbd_cloth_edges(world, id, NULL, force), PBD_OK);
    CHECK(isnan(force[0]));
    sheet_destroy(&sheet);
    pbd_world_destroy(world);
}

static void start_velocity_moves_the_whole_cloth(void) {
    struct pbd_world_settings world_settings = quiet_settings();
    pbd_world *world = pbd_world_create(&world_settings);
    struct sheet sheet = sheet_create(3, 3, 1, 1);
    pbd_fabric *fabric = sheet_fabric(&sheet, 0.2f);
    struct pbd_cloth_def def = {.fabric = fabric, .positions = sheet.positions, .velocity = {0, 0, 3}};
    def.settings = pbd_default_cloth_settings();
    pbd_cloth_id id;
    CHECK_INT(pbd_cloth_add(world, &def, &id), PBD_OK);
    step_ticks(world, 60);
    /* 600 roundings of 3e-8 at most */
    CHECK_NEAR(vertex_position(world, id, 4).z, 3.0, 2e-5);
    pbd_fabric_unref(fabric);
    sheet_destroy(&sheet);
    pbd_world_destroy(world);
}

RUN_TESTS(TEST(vertices_are_where_they_were_put), TEST(pin_out_of_range_adds_nothing),
          TEST(removed_cloth_is_stale_everywhere), TEST(settings_read_back_as_set),
          TEST(set_state_puts_positions_and_velocities), TEST(of_welded_vertices_the_lowest_counts),
          TEST(edges_give_lengths_in_the_fabrics_order), TEST(start_velocity_moves_the_whole_cloth))
