/* The world's life and settings. */
#include "check.h"
#include "sheet.h"

static void defaults_are_the_documented_ones(void) {
    struct pbd_world_settings s = pbd_default_world_settings();
    CHECK(s.gravity[0] == 0.0f && s.gravity[1] == -9.8f && s.gravity[2] == 0.0f);
    CHECK(s.drag == 0.5f && s.damping == 0.02f && s.max_depenetration == 2.0f && s.max_speed == 500.0f);
    CHECK(s.solver.method == PBD_METHOD_XPBD && s.solver.substeps == 10 && s.solver.iterations == 1);
    CHECK(s.solver.dt == 1.0f / 60.0f && s.solver.jacobi_weight == 0.2f && s.solver.velocity_factor == 0.99f);
}

static void empty_world_steps_and_counts(void) {
    struct pbd_world_settings settings = pbd_default_world_settings();
    pbd_world *world = pbd_world_create(&settings);
    uint64_t hash = pbd_world_state_hash(world);
    step_ticks(world, 5);
    CHECK_INT(pbd_world_tick(world), 5);
    CHECK(pbd_world_state_hash(world) == hash);
    pbd_world_set_tick(world, 1000);
    step_ticks(world, 1);
    CHECK_INT(pbd_world_tick(world), 1001);
    pbd_world_destroy(world);
}

static void settings_read_back_as_set(void) {
    struct pbd_world_settings settings = pbd_default_world_settings();
    pbd_world *world = pbd_world_create(&settings);
    settings.gravity[1] = -1.5f;
    settings.solver.method = PBD_METHOD_JACOBI;
    settings.solver.substeps = 7;
    pbd_world_set_settings(world, &settings);
    struct pbd_world_settings got = pbd_world_get_settings(world);
    CHECK(memcmp(&got, &settings, sizeof got) == 0);
    pbd_world_destroy(world);
}

static void changed_gravity_acts_in_the_next_tick(void) {
    struct pbd_world_settings settings = quiet_settings();
    settings.solver.substeps = 1;
    pbd_world *world = pbd_world_create(&settings);
    struct sheet sheet = sheet_create(3, 3, 1, 1);
    struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
    pbd_cloth_id id = cloth_from(world, sheet_fabric(&sheet, 0.2f), sheet.positions, &cloth, NULL, 0);
    step_ticks(world, 1);
    CHECK(vertex_velocity(world, id, 4).y == 0.0);
    settings.gravity[1] = -6.0f;
    pbd_world_set_settings(world, &settings);
    step_ticks(world, 1);
    /* g·dt = 0.1 with two roundings */
    CHECK_NEAR(vertex_velocity(world, id, 4).y, -0.1, 1e-7);
    sheet_destroy(&sheet);
    pbd_world_destroy(world);
}

static void destroying_nothing_is_allowed(void) {
    pbd_world_destroy(NULL);
    pbd_snapshot_destroy(NULL);
}

RUN_TESTS(TEST(defaults_are_the_documented_ones), TEST(empty_world_steps_and_counts),
          TEST(settings_read_back_as_set), TEST(changed_gravity_acts_in_the_next_tick),
          TEST(destroying_nothing_is_allowed))
