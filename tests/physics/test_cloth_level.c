/* physics.md §6: below the limit of friction cloth holds for ever, also on cloth. */
#include "check.h"
#include "sheet.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__OPTIMIZE__)
#define SHORTER 6 /* slow builds look at less of the ten seconds */
#else
#define SHORTER 1
#endif

/* Two sheets that fell on a box: the upper one does not wander, at any number of substeps. */
static void lies_still_on_level_cloth(void) {
    const int substeps[] = {4, 10, 20};
    for (int round = 0; round < (SHORTER > 1 ? 1 : 3); ++round) {
        struct pbd_world_settings settings = pbd_default_world_settings();
        settings.solver.substeps = substeps[round];
        pbd_world *world = pbd_world_create(&settings);
        struct pbd_collider_def box = pbd_default_collider_def();
        box.shape.type = PBD_BOX;
        box.shape.half_extents[0] = box.shape.half_extents[1] = box.shape.half_extents[2] = 1.0f;
        box.position[1] = -1.0f;
        pbd_collider_id box_id;
        CHECK_INT(pbd_collider_add(world, &box, &box_id), PBD_OK);
        struct sheet sheet = sheet_create(12, 12, 1, 1);
        pbd_cloth_id upper = 0;
        for (int k = 0; k < 2; ++k) {
            struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
            for (uint32_t v = 0; v < 144; ++v)
                sheet.positions[3 * v + 1] = 0.025f + 0.1f * (float)k;
            upper = cloth_from(world, sheet_fabric(&sheet, 0.2f), sheet.positions, &cloth, NULL, 0);
        }
        sheet_destroy(&sheet);
        double mean[2][2] = {{0, 0}, {0, 0}};
        for (int moment = 0; moment < 2; ++moment) {
            step_ticks_awake(world, moment == 0 ? 120 : 600 / SHORTER);
            for (uint32_t v = 0; v < 144; ++v) {
                struct point p = vertex_position(world, upper, v);
                mean[moment][0] += p.x / 144;
                mean[moment][1] += p.z / 144;
            }
        }
        double way = hypot(mean[1][0] - mean[0][0], mean[1][1] - mean[0][1]);
        printf("     %2d substeps: %.1e m in %d s\n", substeps[round], way, 10 / SHORTER);
        CHECK_NEAR(way, 0.0, 1e-4);
        pbd_world_destroy(world);
    }
}

RUN_TESTS(TEST(lies_still_on_level_cloth))
