/* Method jacobi on cases that can be computed by hand; the whole homework is compared
 * in tests/physics/test_jacobi_oracle.c. */
#include "check.h"
#include "sheet.h"

static const float pair_positions[6] = {0, 0, 0, 1, 0, 0};
static const uint32_t pair_edge[2] = {0, 1};

static struct pbd_world_settings jacobi_settings(int iterations) {
    struct pbd_world_settings settings = quiet_settings();
    settings.solver.method = PBD_METHOD_JACOBI;
    settings.solver.iterations = iterations;
    settings.solver.dt = 0.0333f;
    return settings;
}

static pbd_cloth_id pair_at(pbd_world *world, double length, const float masses[2], const uint32_t *pins,
                            uint32_t pin_count) {
    struct pbd_cloth_settings settings = pbd_default_cloth_settings();
    pbd_fabric *fabric = fabric_from(pair_positions, 2, NULL, 0, pair_edge, 1, masses, 0);
    const float apart[6] = {0, 0, 0, (float)length, 0, 0};
    return cloth_from(world, fabric, apart, &settings, pins, pin_count);
}

/* One pass on one edge: each end goes error/2 /(ω + 1) = 0.25/1.2 whatever it weighs. */
static void one_pass_moves_both_ends_alike(void) {
    const float masses[2] = {1, 5};
    struct pbd_world_settings settings = jacobi_settings(1);
    pbd_world *world = pbd_world_create(&settings);
    pbd_cloth_id id = pair_at(world, 1.5, masses, NULL, 0);
    step_ticks(world, 1);
    CHECK_NEAR(vertex_position(world, id, 0).x, 0.25 / 1.2, 1e-6);
    CHECK_NEAR(vertex_position(world, id, 1).x, 1.5 - 0.25 / 1.2, 1e-6);
    CHECK_NEAR(vertex_velocity(world, id, 0).x, 0.25 / 1.2 / 0.0333, 1e-4);
    pbd_world_destroy(world);
}

/* Beside a fixed vertex an end still goes half of the error only. */
static void end_beside_a_fixed_vertex_gets_half(void) {
    const float masses[2] = {1, 1};
    const uint32_t pin = 0;
    struct pbd_world_settings settings = jacobi_settings(1);
    pbd_world *world = pbd_world_create(&settings);
    pbd_cloth_id id = pair_at(world, 1.5, masses, &pin, 1);
    step_ticks(world, 1);
    CHECK(vertex_position(world, id, 0).x == 0.0);
    CHECK_NEAR(vertex_position(world, id, 1).x, 1.5 - 0.25 / 1.2, 1e-6);
    pbd_world_destroy(world);
}

/* v = (v + g·dt)·0.99, x += v·dt. */
static void free_fall_uses_the_velocity_factor(void) {
    const float masses[2] = {1, 1};
    struct pbd_world_settings settings = jacobi_settings(32);
    settings.gravity[1] = -9.8f;
    settings.drag = 50.0f;   /* inactive in this method */
    settings.damping = 1.0f; /* as well */
    pbd_world *world = pbd_world_create(&settings);
    pbd_cloth_id id = pair_at(world, 1.0, masses, NULL, 0);
    double v = 0, y = 0;
    for (int i = 0; i < 30; ++i) {
        v = (v - 9.8 * 0.0333) * 0.99;
        y += v * 0.0333;
        step_ticks(world, 1);
        CHECK_NEAR(vertex_position(world, id, 1).y, y, 1e-5);
        CHECK_NEAR(vertex_velocity(world, id, 1).y, v, 1e-5);
    }
    pbd_world_destroy(world);
}

static void substeps_do_not_matter(void) {
    const float masses[2] = {1, 1};
    uint64_t hashes[2];
    for (int i = 0; i < 2; ++i) {
        struct pbd_world_settings settings = jacobi_settings(8);
        settings.gravity[1] = -9.8f;
        settings.solver.substeps = i == 0 ? 1 : 10;
        pbd_world *world = pbd_world_create(&settings);
        pair_at(world, 1.3, masses, NULL, 0);
        step_ticks(world, 20);
        hashes[i] = pbd_world_state_hash(world);
        pbd_world_destroy(world);
    }
    CHECK(hashes[0] == hashes[1]);
}

RUN_TESTS(TEST(one_pass_moves_both_ends_alike), TEST(end_beside_a_fixed_vertex_gets_half),
          TEST(free_fall_uses_the_velocity_factor), TEST(substeps_do_not_matter))
