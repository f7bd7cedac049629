/* The solver's count of triangles that pass through each other, against one of its own. */
#include "check.h"
#include "sheet.h"

#include "contact/self_internal.h"
#include "physics/crossings.h"

static pbd_cloth_id add(pbd_world *world, struct random *random, double rough, double tilt) {
    struct sheet sheet = sheet_create(14, 11, 1, 1);
    struct pbd_cloth_settings settings = pbd_default_cloth_settings();
    settings.self_collision = true;
    pbd_fabric *fabric = sheet_fabric(&sheet, 0.2f);
    for (uint32_t v = 0; v < sheet.vertex_count; ++v) {
        double x = (double)sheet.positions[3 * v];
        sheet.positions[3 * v] += (float)(0.1 * tilt); /* or edges would only meet edges */
        sheet.positions[3 * v + 1] = (float)(x * tilt + random_between(random, -rough, rough));
    }
    pbd_cloth_id id = cloth_from(world, fabric, sheet.positions, &settings, NULL, 0);
    sheet_destroy(&sheet);
    return id;
}

static void counts_equal_those_of_all_pairs(void) {
    struct random random = {4};
    uint32_t seen = 0;
    for (int round = 0; round < 8; ++round) {
        struct pbd_world_settings settings = quiet_settings();
        pbd_world *world = pbd_world_create(&settings);
        double rough = round % 2 ? 0.4 : 0.02, tilt = 0.1 * (round + 1);
        pbd_cloth_id ids[2] = {add(world, &random, rough, tilt), add(world, &random, rough, -tilt)};
        uint32_t both = crossings_of(world, ids, 2), one = crossings_of(world, ids, 1),
                 other = crossings_of(world, ids + 1, 1);
        self_begin_tick(world);
        CHECK_INT(world->self->couple_count, 3);
        const struct self_couple *couples = world->self->couples;
        CHECK_INT(self_count_overlaps(world->self, &couples[0]), one);
        CHECK_INT(self_count_overlaps(world->self, &couples[1]), both - one - other);
        CHECK_INT(self_count_overlaps(world->self, &couples[2]), other);
        seen += both;
        pbd_world_destroy(world);
    }
    printf("     %u in all\n", seen);
    CHECK(seen > 100);
}

RUN_TESTS(TEST(counts_equal_those_of_all_pairs))
