/* physics.md §10.4: what the import gate drops leaves no trace in the run. */
#include "check.h"
#include "sheet.h"

#define NX 9u
#define NY 7u
#define CLEAN (2u * (NX - 1) * (NY - 1))

static uint64_t run_hash(const float *positions, uint32_t vertices, const uint32_t *triangles,
                         uint32_t count) {
    struct pbd_world_settings settings = pbd_default_world_settings();
    pbd_world *world = pbd_world_create(&settings);
    struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
    const uint32_t pins[2] = {0, NX - 1};
    cloth_from(world, fabric_from(positions, vertices, triangles, count, NULL, 0, NULL, 0.2f), positions,
               &cloth, pins, 2);
    step_ticks(world, 100);
    uint64_t hash = pbd_world_state_hash(world);
    pbd_world_destroy(world);
    return hash;
}

static void repeated_collinear_and_doubled_triangles_leave_no_trace(void) {
    struct sheet sheet = sheet_create(NX, NY, 1, 0.8);
    uint64_t clean = run_hash(sheet.positions, NX * NY, sheet.triangles, CLEAN);
    static uint32_t dirty[3 * (2 * CLEAN + 16)];
    memcpy(dirty, sheet.triangles, 3 * CLEAN * sizeof dirty[0]);

    uint32_t *end = dirty + 3 * CLEAN;
    const uint32_t repeated[6] = {5, 5, 6, 14, 3, 14};
    memcpy(end, repeated, sizeof repeated);
    CHECK(run_hash(sheet.positions, NX * NY, dirty, CLEAN + 2) == clean);

    const uint32_t collinear[6] = {0, 1, 2, 10, 11, 12}; /* along rows, whose edges exist or not */
    memcpy(end, collinear, sizeof collinear);
    CHECK(run_hash(sheet.positions, NX * NY, dirty, CLEAN + 2) == clean);

    memcpy(end, sheet.triangles + 30, 9 * sizeof dirty[0]);
    CHECK(run_hash(sheet.positions, NX * NY, dirty, CLEAN + 3) == clean);

    for (uint32_t t = 0; t < CLEAN; ++t) /* the whole sheet once more, reversed */
        for (uint32_t k = 0; k < 3; ++k)
            end[3 * t + k] = sheet.triangles[3 * t + 2 - k];
    CHECK(run_hash(sheet.positions, NX * NY, dirty, 2 * CLEAN) == clean);
    sheet_destroy(&sheet);
}

RUN_TESTS(TEST(repeated_collinear_and_doubled_triangles_leave_no_trace))
