/* physics.md §10.1: a free sheet falls like a stone and keeps its shape, whatever it
 * weighs, wherever it is, in one substep or ten. */
#include "check.h"
#include "sheet.h"

#define TICKS 60

static void check_fall(float total_mass, float height, int substeps) {
    struct pbd_world_settings settings = quiet_settings();
    settings.gravity[1] = -9.8f;
    settings.solver.substeps = substeps;
    pbd_world *world = pbd_world_create(&settings);
    struct sheet sheet = sheet_create(51, 51, 1, 1);
    pbd_fabric *fabric = sheet_fabric(&sheet, total_mass); /* 1 m² */
    for (uint32_t v = 0; v < sheet.vertex_count; ++v)
        sheet.positions[3 * v + 1] = height;
    struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
    pbd_cloth_id id = cloth_from(world, fabric, sheet.positions, &cloth, NULL, 0);
    CHECK_NEAR(pbd_fabric_report(pbd_cloth_fabric(world, id))->mass, total_mass, 1e-5 * total_mass);
    step_ticks(world, TICKS);
    double h = 1.0 / 60 / substeps, n = (double)TICKS * substeps, fall = 9.8 * h * h * n * (n + 1) / 2;
    double worst = 0, aside = 0;
    for (uint32_t v = 0; v < sheet.vertex_count; ++v) {
        struct point p = vertex_position(world, id, v);
        worst = fmax(worst, fabs(height - fall - p.y));
        aside = fmax(aside, fmax(fabs(p.x - sheet.positions[3 * v]), fabs(p.z - sheet.positions[3 * v + 2])));
    }
    CHECK_NEAR(worst, 0, 1e-3);
    CHECK_NEAR(aside, 0, 1e-5); /* the rounding of rest lengths of 0.02 m over 25 cells */
    CHECK_NEAR(pbd_world_get_stats(world).max_strain, 0, 1e-4);
    sheet_destroy(&sheet);
    pbd_world_destroy(world);
}

static void light_sheet_falls_like_a_stone(void) {
    check_fall(0.01f, 0, 1);
    check_fall(0.01f, 0, 10);
    check_fall(0.01f, 1000, 1);
    check_fall(0.01f, 1000, 10);
}

static void sheet_of_a_kilogram_falls_like_a_stone(void) {
    check_fall(1, 0, 1);
    check_fall(1, 0, 10);
    check_fall(1, 1000, 1);
    check_fall(1, 1000, 10);
}

static void heavy_sheet_falls_like_a_stone(void) {
    check_fall(100, 0, 1);
    check_fall(100, 0, 10);
    check_fall(100, 1000, 1);
    check_fall(100, 1000, 10);
}

RUN_TESTS(TEST(light_sheet_falls_like_a_stone), TEST(sheet_of_a_kilogram_falls_like_a_stone),
          TEST(heavy_sheet_falls_like_a_stone))
