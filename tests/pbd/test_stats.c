/* Figures of the world. */
#include "check.h"
#include "sheet.h"

static const float pair_positions[6] = {0, 0, 0, 1, 0, 0};
static const uint32_t pair_edge[2] = {0, 1};
static const float pair_masses[2] = {2, 3};

static void energies_and_strain_of_a_stretched_pair(void) {
    struct pbd_world_settings settings = pbd_default_world_settings();
    settings.gravity[1] = -10.0f;
    pbd_world *world = pbd_world_create(&settings);
    struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
    const float at[6] = {0, 4, 0, 1.5f, 4, 0}, velocities[6] = {0, 2, 0, 1, 0, 0};
    pbd_cloth_id id = cloth_from(world, fabric_from(pair_positions, 2, NULL, 0, pair_edge, 1, pair_masses, 0),
                                 at, &cloth, NULL, 0);
    CHECK_INT(pbd_cloth_set_state(world, id, NULL, velocities), PBD_OK);
    struct pbd_world_stats stats = pbd_world_get_stats(world);
    CHECK_INT(stats.constraints, 1);
    CHECK_NEAR(stats.max_strain, 0.5, 1e-7);
    CHECK_NEAR(stats.mean_strain, 0.5, 1e-7);
    CHECK_NEAR(stats.kinetic_energy, 0.5 * 2 * 4 + 0.5 * 3 * 1, 1e-6);
    CHECK_NEAR(stats.potential_energy, 5 * 10 * 4, 1e-4);
    const uint32_t pin = 1;
    CHECK_INT(pbd_cloth_pin(world, id, &pin, 1, NULL), PBD_OK);
    CHECK_NEAR(pbd_world_get_stats(world).kinetic_energy, 0.5 * 2 * 4, 1e-6);
    pbd_world_destroy(world);
}

static void constraints_count_what_is_switched_on(void) {
    struct pbd_world_settings settings = pbd_default_world_settings();
    pbd_world *world = pbd_world_create(&settings);
    struct sheet sheet = sheet_create(21, 21, 1, 1);
    struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
    pbd_cloth_id id = cloth_from(world, sheet_fabric(&sheet, 0.2f), sheet.positions, &cloth, NULL, 0);
    CHECK_INT(pbd_world_get_stats(world).constraints, 1240 + 1160);
    cloth.bend_compliance = PBD_COMPLIANCE_OFF;
    CHECK_INT(pbd_cloth_set_settings(world, id, &cloth), PBD_OK);
    CHECK_INT(pbd_world_get_stats(world).constraints, 1240);
    settings.solver.method = PBD_METHOD_PBD;
    pbd_world_set_settings(world, &settings);
    CHECK_INT(pbd_world_get_stats(world).constraints, 1240 + 1160);
    settings.solver.method = PBD_METHOD_JACOBI;
    pbd_world_set_settings(world, &settings);
    CHECK_INT(pbd_world_get_stats(world).constraints, 1240);
    sheet_destroy(&sheet);
    pbd_world_destroy(world);
}

static void empty_world_has_zeros(void) {
    struct pbd_world_settings settings = pbd_default_world_settings();
    pbd_world *world = pbd_world_create(&settings);
    struct pbd_world_stats stats = pbd_world_get_stats(world);
    CHECK_INT(stats.constraints + stats.contacts, 0);
    CHECK(stats.max_strain == 0 && stats.mean_strain == 0 && stats.kinetic_energy == 0);
    pbd_world_destroy(world);
}

RUN_TESTS(TEST(energies_and_strain_of_a_stretched_pair), TEST(constraints_count_what_is_switched_on),
          TEST(empty_world_has_zeros))
