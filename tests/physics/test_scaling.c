/* physics.md §10.8: no absolute lengths anywhere. Powers of two scale float32 exactly,
 * so the three runs must agree exactly but for what is squared out of range. */
#include "check.h"
#include "sheet.h"

#define NX 22u
#define TICKS 120

static void drop(float scale, struct point *out) {
    struct pbd_world_settings settings = pbd_default_world_settings();
    settings.gravity[1] *= scale;
    settings.max_speed *= scale;
    settings.max_depenetration *= scale;
    pbd_world *world = pbd_world_create(&settings);
    struct sheet sheet = sheet_create(NX, NX, 1, 1);
    for (uint32_t k = 0; k < 3 * sheet.vertex_count; ++k)
        sheet.positions[k] *= scale;
    struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
    cloth.stretch_compliance = cloth.bend_compliance = 0.0f;
    cloth.thickness *= scale;
    pbd_cloth_id id = cloth_from(world, sheet_fabric(&sheet, 0.2f), sheet.positions, &cloth, NULL, 0);
    struct pbd_collider_def def = pbd_default_collider_def();
    def.shape.radius = 0.25f * scale;
    def.position[1] = -0.375f * scale;
    pbd_collider_id ball;
    CHECK_INT(pbd_collider_add(world, &def, &ball), PBD_OK);
    step_ticks(world, TICKS);
    CHECK(pbd_world_get_stats(world).contacts > 0);
    for (uint32_t v = 0; v < sheet.vertex_count; ++v) {
        struct point p = vertex_position(world, id, v);
        out[v] = (struct point){p.x / scale, p.y / scale, p.z / scale};
    }
    sheet_destroy(&sheet);
    pbd_world_destroy(world);
}

static void a_thousandth_and_a_thousandfold_fall_alike(void) {
    static struct point one[NX * NX], other[NX * NX];
    drop(1, one);
    const float scales[2] = {0x1p-10f, 0x1p10f};
    for (int i = 0; i < 2; ++i) {
        drop(scales[i], other);
        double worst = 0;
        for (uint32_t v = 0; v < NX * NX; ++v)
            worst = fmax(worst, fmax(fabs(one[v].x - other[v].x),
                                     fmax(fabs(one[v].y - other[v].y), fabs(one[v].z - other[v].z))));
        printf("     scale %g: worst difference %g of the sheet\n", (double)scales[i], worst);
        CHECK_NEAR(worst, 0, 1e-3);
    }
}

RUN_TESTS(TEST(a_thousandth_and_a_thousandfold_fall_alike))
