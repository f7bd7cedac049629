/* Stretch constraints of a cloth in a world. */
#include "check.h"
#include "sheet.h"

static const float pair_positions[6] = {0, 0, 0, 1, 0, 0};
static const uint32_t pair_edge[2] = {0, 1};
static const float pair_masses[2] = {1, 3};

/* Two particles joined by an edge of 1 m, at 1.5 m. */
static pbd_cloth_id stretched_pair(pbd_world *world, const struct pbd_cloth_settings *settings) {
    pbd_fabric *fabric = fabric_from(pair_positions, 2, NULL, 0, pair_edge, 1, pair_masses, 0);
    const float apart[6] = {0, 0, 0, 1.5f, 0, 0};
    return cloth_from(world, fabric, apart, settings, NULL, 0);
}

static double distance(const pbd_world *world, pbd_cloth_id id) {
    return vertex_position(world, id, 1).x - vertex_position(world, id, 0).x;
}

/* After one tick of one substep the error is 0.5·(1−k) whatever the iterations. */
static void pbd_error_does_not_depend_on_iterations(void) {
    const int iterations[] = {1, 4, 16};
    for (int i = 0; i < 3; ++i) {
        struct pbd_world_settings settings = quiet_settings();
        settings.solver = (struct pbd_solver_settings){
            .method = PBD_METHOD_PBD, .substeps = 1, .iterations = iterations[i], .dt = 1.0f / 60.0f};
        pbd_world *world = pbd_world_create(&settings);
        struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
        cloth.stretch_stiffness = 0.3f;
        pbd_cloth_id id = stretched_pair(world, &cloth);
        step_ticks(world, 1);
        CHECK_NEAR(distance(world, id), 1.35, 1e-5);
        double center = (vertex_position(world, id, 0).x + 3 * vertex_position(world, id, 1).x) / 4;
        CHECK_NEAR(center, 1.125, 1e-6);
        pbd_world_destroy(world);
    }
}

static void switched_off_stretch_leaves_the_pair_alone(void) {
    for (int method = 0; method < 2; ++method) {
        struct pbd_world_settings settings = quiet_settings();
        settings.solver.method = method == 0 ? PBD_METHOD_PBD : PBD_METHOD_XPBD;
        pbd_world *world = pbd_world_create(&settings);
        struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
        if (method == 0)
            cloth.stretch_stiffness = 0.0f;
        else
            cloth.stretch_compliance = PBD_COMPLIANCE_OFF;
        pbd_cloth_id id = stretched_pair(world, &cloth);
        step_ticks(world, 5);
        CHECK(distance(world, id) == 1.5);
        pbd_world_destroy(world);
    }
}

/* A rigid xpbd edge between unequal masses is at rest length after one tick, having
 * moved them 3:1. */
static void rigid_edge_is_restored_by_weights(void) {
    struct pbd_world_settings settings = quiet_settings();
    settings.solver.substeps = 1;
    pbd_world *world = pbd_world_create(&settings);
    struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
    cloth.stretch_compliance = 0.0f;
    pbd_cloth_id id = stretched_pair(world, &cloth);
    step_ticks(world, 1);
    CHECK_NEAR(vertex_position(world, id, 0).x, 0.375, 1e-6);
    CHECK_NEAR(vertex_position(world, id, 1).x, 1.375, 1e-6);
    pbd_world_destroy(world);
}

/* What hangs on an edge is what the edge says: m·g, mean over the substeps; at rest
 * after 10 s of strong drag. */
static void tension_of_a_hanging_mass_is_its_weight(void) {
    const int iterations[] = {1, 3};
    for (int i = 0; i < 2; ++i) {
        struct pbd_world_settings settings = pbd_default_world_settings();
        settings.drag = 5.0f;
        settings.solver.iterations = iterations[i];
        pbd_world *world = pbd_world_create(&settings);
        struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
        cloth.stretch_compliance = 1e-4f;
        const uint32_t pin = 0;
        const float hanging[6] = {0, 0, 0, 0, -1, 0};
        pbd_fabric *fabric = fabric_from(pair_positions, 2, NULL, 0, pair_edge, 1, pair_masses, 0);
        pbd_cloth_id id = cloth_from(world, fabric, hanging, &cloth, &pin, 1);
        step_ticks(world, 600);
        float length, force;
        CHECK_INT(pbd_cloth_edges(world, id, &length, &force), PBD_OK);
        CHECK_NEAR(force, 3 * 9.8, 3 * 9.8 * 1e-3);
        CHECK_NEAR(length, 1 + 3 * 9.8 * 1e-4, 3e-5);
        pbd_world_destroy(world);
    }
}

static void method_can_change_between_ticks(void) {
    struct pbd_world_settings settings = pbd_default_world_settings();
    pbd_world *world = pbd_world_create(&settings);
    struct sheet sheet = sheet_create(8, 8, 1, 1);
    struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
    const uint32_t pins[2] = {0, 7};
    pbd_cloth_id id = cloth_from(world, sheet_fabric(&sheet, 0.2f), sheet.positions, &cloth, pins, 2);
    for (int i = 0; i < 90; ++i) {
        settings.solver.method = (enum pbd_method)(i % 3);
        settings.solver.iterations = i % 3 == PBD_METHOD_JACOBI ? 32 : 1 + i % 4;
        pbd_world_set_settings(world, &settings);
        step_ticks(world, 1);
    }
    struct pbd_cloth_view view;
    CHECK_INT(pbd_cloth_get_view(world, id, &view), PBD_OK);
    CHECK(!view.frozen);
    CHECK(pbd_world_get_stats(world).max_strain < 1.0f);
    CHECK(vertex_position(world, id, 60).y < -0.1);
    sheet_destroy(&sheet);
    pbd_world_destroy(world);
}

RUN_TESTS(TEST(pbd_error_does_not_depend_on_iterations), TEST(switched_off_stretch_leaves_the_pair_alone),
          TEST(rigid_edge_is_restored_by_weights), TEST(tension_of_a_hanging_mass_is_its_weight),
          TEST(method_can_change_between_ticks))
