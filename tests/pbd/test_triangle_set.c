/* Triangles in runs: all of them, once, with their winding, and what each weighs. */
#include "check.h"
#include "sheet.h"

#include "contact/surface.h"
#include "solve/triangle_set.h"

static struct pbd_cloth *cloth_of(pbd_world *world, pbd_fabric *fabric, const float *positions) {
    struct pbd_cloth_settings settings = pbd_default_cloth_settings();
    struct pbd_cloth *cloth = world_cloth(world, cloth_from(world, fabric, positions, &settings, NULL, 0));
    CHECK_INT(triangle_set_require(cloth), PBD_OK);
    return cloth;
}

static void turn_to_lowest(uint32_t t[3]) {
    while (t[0] > t[1] || t[0] > t[2]) {
        uint32_t first = t[0];
        t[0] = t[1];
        t[1] = t[2];
        t[2] = first;
    }
}

static int by_corners(const void *a, const void *b) {
    return memcmp(a, b, 3 * sizeof(uint32_t));
}

/* The set's triangles are those of the surface, each once, with its winding. */
static void check_same_triangles(const struct pbd_cloth *cloth) {
    const struct triangle_set *set = cloth->triangles;
    uint32_t count = cloth->surface->triangle_count;
    CHECK_INT(set->count, count);
    uint32_t *want = malloc(3 * sizeof *want * count), *got = malloc(3 * sizeof *got * count);
    memcpy(want, cloth->surface->triangles, 3 * sizeof *want * count);
    for (uint32_t t = 0; t < count; ++t) {
        turn_to_lowest(want + 3 * t);
        got[3 * t] = set->a[t];
        got[3 * t + 1] = set->b[t];
        got[3 * t + 2] = set->c[t];
    }
    qsort(want, count, 3 * sizeof *want, by_corners);
    qsort(got, count, 3 * sizeof *got, by_corners);
    CHECK(memcmp(want, got, 3 * sizeof *want * count) == 0);
    free(want);
    free(got);
}

static void check_runs(const struct triangle_set *set) {
    uint32_t at = 0;
    for (uint32_t r = 0; r < set->run_count; ++r) {
        struct triangle_run run = set->runs[r];
        CHECK_INT(run.first, at);
        CHECK(run.count >= 8);
        for (uint32_t k = 0; k < run.count; ++k) {
            CHECK_INT(set->a[at + k], run.a + k);
            CHECK_INT(set->b[at + k], run.b + k);
            CHECK_INT(set->c[at + k], run.c + k);
        }
        at += run.count;
    }
    CHECK_INT(set->first_single, at);
}

static void a_grid_falls_into_runs(void) {
    struct pbd_world_settings settings = quiet_settings();
    pbd_world *world = pbd_world_create(&settings);
    struct sheet sheet = sheet_create(64, 64, 2, 2);
    struct pbd_cloth *cloth = cloth_of(world, sheet_fabric(&sheet, 0.2f), sheet.positions);
    check_same_triangles(cloth);
    check_runs(cloth->triangles);
    uint32_t singles = cloth->triangles->count - cloth->triangles->first_single;
    printf("     64x64: %u runs, %u of %u triangles single\n", cloth->triangles->run_count, singles,
           cloth->triangles->count);
    CHECK(singles < cloth->triangles->count / 20);
    sheet_destroy(&sheet);
    pbd_world_destroy(world);
}

/* Vertices in random order, and a fan that repeats nothing. */
static void any_mesh_is_taken_whole(void) {
    struct pbd_world_settings settings = quiet_settings();
    pbd_world *world = pbd_world_create(&settings);
    struct sheet sheet = sheet_create(13, 9, 1, 1);
    struct random random = {7};
    for (uint32_t i = sheet.triangle_count; i > 1; --i)
        for (uint32_t k = 0, j = random_below(&random, i); k < 3; ++k) {
            uint32_t swapped = sheet.triangles[3 * (i - 1) + k];
            sheet.triangles[3 * (i - 1) + k] = sheet.triangles[3 * j + k];
            sheet.triangles[3 * j + k] = swapped;
        }
    struct pbd_cloth *cloth = cloth_of(world, sheet_fabric(&sheet, 0.2f), sheet.positions);
    check_same_triangles(cloth);
    check_runs(cloth->triangles);
    sheet_destroy(&sheet);
    pbd_world_destroy(world);
}

/* density·area, to the roundings of mass and inverse: 3e-7. */
static void a_triangle_weighs_density_times_area(void) {
    struct pbd_world_settings settings = quiet_settings();
    pbd_world *world = pbd_world_create(&settings);
    struct sheet sheet = sheet_create(17, 5, 1.6, 0.3);
    struct pbd_cloth *cloth = cloth_of(world, sheet_fabric(&sheet, 0.3f), sheet.positions);
    double want = 0.3 * 0.5 * 0.1 * 0.075;
    for (uint32_t t = 0; t < cloth->triangles->count; ++t)
        CHECK_NEAR(1.0 / cloth->triangles->inverse_mass[t], want, 3e-6 * want);
    sheet_destroy(&sheet);
    pbd_world_destroy(world);
}

/* A corner ten times lighter than the rest limits its triangles. */
static void the_lightest_corner_counts(void) {
    struct pbd_world_settings settings = quiet_settings();
    pbd_world *world = pbd_world_create(&settings);
    const float at[9] = {0, 0, 0, 1, 0, 0, 0, 0, 1}, masses[3] = {0.5f, 0.05f, 0.7f};
    const uint32_t triangle[3] = {0, 1, 2};
    struct pbd_cloth *cloth = cloth_of(world, fabric_from(at, 3, triangle, 1, NULL, 0, masses, 0), at);
    CHECK_NEAR(1.0 / cloth->triangles->inverse_mass[0], 3 * 0.05, 1e-7);
    pbd_world_destroy(world);
}

static void a_rope_has_none(void) {
    struct pbd_world_settings settings = quiet_settings();
    pbd_world *world = pbd_world_create(&settings);
    const float at[6] = {0, 0, 0, 1, 0, 0};
    const uint32_t edge[2] = {0, 1};
    struct pbd_cloth *cloth = cloth_of(world, fabric_from(at, 2, NULL, 0, edge, 1, NULL, 0), at);
    CHECK_INT(cloth->triangles->count, 0);
    CHECK_INT(cloth->triangles->first_single, 0);
    pbd_world_destroy(world);
}

RUN_TESTS(TEST(a_grid_falls_into_runs), TEST(any_mesh_is_taken_whole),
          TEST(a_triangle_weighs_density_times_area), TEST(the_lightest_corner_counts), TEST(a_rope_has_none))
