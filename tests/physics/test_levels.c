/* physics.md §9: every instruction-set level gives the same state, tick for tick, in
 * all methods, with bending of both kinds, contacts, wind in gusts, pins on their way and damping. */
#include "check.h"
#include "sheet.h"

#include "solve/kernels.h"

#define TICKS 90

static pbd_world *busy_world(const struct kernels *kernels, enum pbd_method method, enum pbd_bend_model model,
                             int iterations) {
    struct pbd_world_settings settings = pbd_default_world_settings();
    settings.solver.method = method;
    settings.solver.iterations = iterations;
    settings.solver.substeps = 4;
    settings.wind = (struct pbd_wind){{1.0f, -1.5f, -0.3f}, 0.6f, 0.4f, 1.225f};
    pbd_world *world = pbd_world_create(&settings);
    world->kernels = kernels;
    struct sheet sheet = sheet_create(27, 19, 1.2, 0.9);
    struct random random = {3};
    for (uint32_t k = 0; k < 3 * sheet.vertex_count; ++k)
        sheet.positions[k] += (float)random_between(&random, -5e-3, 5e-3);
    struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
    cloth.bend_model = model;
    cloth.bend_compliance = model == PBD_BEND_DISTANCE ? 1e-3f : 1.0f;
    const uint32_t pins[2] = {0, 26};
    pbd_cloth_id id = cloth_from(world, sheet_fabric(&sheet, 0.2f), sheet.positions, &cloth, pins, 2);
    const float target[3] = {-0.2f, 0.3f, 0.1f};
    CHECK_INT(pbd_cloth_move(world, id, pins, 1, target, 50), PBD_OK);
    cloth_from(world, sheet_fabric(&sheet, 0.3f), sheet.positions, &cloth, NULL, 0);
    sheet_destroy(&sheet);
    struct pbd_collider_def def = pbd_default_collider_def();
    def.shape.radius = 0.3f;
    def.position[1] = -0.4f;
    pbd_collider_id ball;
    CHECK_INT(pbd_collider_add(world, &def, &ball), PBD_OK);
    return world;
}

static void check_levels(enum pbd_method method, enum pbd_bend_model model, int iterations) {
    uint64_t want[TICKS];
    for (uint32_t level = 0; kernels_level(level) != NULL; ++level) {
        pbd_world *world = busy_world(kernels_level(level), method, model, iterations);
        int wrong = 0;
        for (int tick = 0; tick < TICKS; ++tick) {
            step_ticks(world, 1);
            uint64_t hash = pbd_world_state_hash(world);
            if (level == 0) want[tick] = hash;
            wrong += hash != want[tick];
        }
        CHECK_INT(wrong, 0);
        CHECK(pbd_world_get_stats(world).contacts > 0 || method == PBD_METHOD_JACOBI);
        pbd_world_destroy(world);
    }
}

static void xpbd_is_the_same_at_every_level(void) {
    check_levels(PBD_METHOD_XPBD, PBD_BEND_DIHEDRAL, 1);
    check_levels(PBD_METHOD_XPBD, PBD_BEND_DISTANCE, 2);
}

static void pbd_is_the_same_at_every_level(void) {
    check_levels(PBD_METHOD_PBD, PBD_BEND_DIHEDRAL, 2);
}

static void jacobi_is_the_same_at_every_level(void) {
    check_levels(PBD_METHOD_JACOBI, PBD_BEND_DIHEDRAL, 32);
}

RUN_TESTS(TEST(xpbd_is_the_same_at_every_level), TEST(pbd_is_the_same_at_every_level),
          TEST(jacobi_is_the_same_at_every_level))
