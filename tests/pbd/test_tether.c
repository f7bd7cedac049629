/* Who is tethered: to pins and to what static and kinematic colliders hold. */
#include "check.h"
#include "sheet.h"

#include "solve/tether.h"

static pbd_world *world;

static pbd_cloth_id add_sheet(bool tethers, const uint32_t *pins, uint32_t pin_count) {
    struct pbd_world_settings settings = pbd_default_world_settings();
    world = pbd_world_create(&settings);
    struct sheet sheet = sheet_create(11, 11, 1, 1);
    struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
    cloth.tethers = tethers;
    pbd_cloth_id id = cloth_from(world, sheet_fabric(&sheet, 0.2f), sheet.positions, &cloth, pins, pin_count);
    sheet_destroy(&sheet);
    return id;
}

static uint32_t tethers_of(pbd_cloth_id id) {
    pbd_world_step(world);
    return tether_count(world, world_cloth(world, id));
}

static void off_takes_no_memory(void) {
    const uint32_t pins[2] = {0, 10};
    pbd_cloth_id id = add_sheet(false, pins, 2);
    CHECK(world_cloth(world, id)->tethers == NULL);
    CHECK_INT(tethers_of(id), 0);
    pbd_world_destroy(world);
}

static void every_free_vertex_has_one_for_each_group_of_pins(void) {
    const uint32_t corners[2] = {0, 10}, row[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 120};
    pbd_cloth_id id = add_sheet(true, corners, 2);
    CHECK_INT(tethers_of(id), 2 * 119);
    pbd_world_destroy(world);
    /* A whole row is one group, the corner another. */
    id = add_sheet(true, row, 12);
    CHECK_INT(tethers_of(id), 2 * 109);
    pbd_world_destroy(world);
    id = add_sheet(true, NULL, 0);
    CHECK_INT(tethers_of(id), 0);
    pbd_world_destroy(world);
}

/* Six lone pins are more groups than four: two tethers each. */
static void many_groups_leave_the_nearest_two(void) {
    const uint32_t pins[6] = {0, 2, 4, 6, 8, 10};
    pbd_cloth_id id = add_sheet(true, pins, 6);
    CHECK_INT(tethers_of(id), 2 * 115);
    pbd_world_destroy(world);
}

static void they_follow_pins_and_what_colliders_hold(void) {
    const uint32_t corners[2] = {0, 10}, last = 120, middle = 60;
    pbd_cloth_id id = add_sheet(true, corners, 1);
    CHECK_INT(tethers_of(id), 120);
    CHECK_INT(pbd_cloth_pin(world, id, corners + 1, 1, NULL), PBD_OK);
    CHECK_INT(tethers_of(id), 2 * 119);
    CHECK_INT(pbd_cloth_unpin(world, id, corners, 2), PBD_OK);
    CHECK_INT(tethers_of(id), 0);
    struct pbd_collider_def def = pbd_default_collider_def();
    def.shape.radius = 0.01f;
    def.position[1] = 5.0f;
    pbd_collider_id hand, body;
    CHECK_INT(pbd_collider_add(world, &def, &hand), PBD_OK);
    CHECK_INT(pbd_cloth_attach(world, id, &last, 1, hand), PBD_OK);
    CHECK_INT(tethers_of(id), 120);
    /* Neither a body nor a grab holds anything. */
    def.motion = PBD_DYNAMIC;
    CHECK_INT(pbd_collider_add(world, &def, &body), PBD_OK);
    CHECK_INT(pbd_cloth_attach(world, id, &middle, 1, body), PBD_OK);
    pbd_grab_id grab;
    CHECK_INT(pbd_grab_add(world, id, 5, (const float[3]){0, 1, 0}, 1e-3f, &grab), PBD_OK);
    CHECK_INT(tethers_of(id), 120);
    CHECK_INT(pbd_collider_remove(world, hand), PBD_OK);
    CHECK_INT(tethers_of(id), 0);
    pbd_world_destroy(world);
}

static void they_can_be_switched_while_it_hangs(void) {
    const uint32_t corners[2] = {0, 10};
    pbd_cloth_id id = add_sheet(false, corners, 2);
    step_ticks(world, 5);
    struct pbd_cloth_settings settings;
    CHECK_INT(pbd_cloth_get_settings(world, id, &settings), PBD_OK);
    uint32_t before = pbd_world_get_stats(world).constraints;
    settings.tethers = true;
    CHECK_INT(pbd_cloth_set_settings(world, id, &settings), PBD_OK);
    CHECK_INT(tethers_of(id), 238);
    CHECK_INT(pbd_world_get_stats(world).constraints, before + 238);
    settings.tethers = false;
    CHECK_INT(pbd_cloth_set_settings(world, id, &settings), PBD_OK);
    CHECK_INT(tethers_of(id), 0);
    pbd_world_destroy(world);
}

/* All held particles, brute force: no vertex farther than the cloth in between is long. */
static void nothing_is_farther_than_its_tether(void) {
    const uint32_t pins[3] = {0, 10, 65};
    pbd_cloth_id id = add_sheet(true, pins, 3);
    double worst = 0;
    for (int i = 0; i < 60; ++i) {
        step_ticks(world, 1);
        for (uint32_t v = 0; v < 121; ++v)
            for (int k = 0; k < 3; ++k) {
                struct point p = vertex_position(world, id, v), q = vertex_position(world, id, pins[k]);
                double dx = 0.1 * ((int)(v % 11) - (int)(pins[k] % 11));
                double dz = 0.1 * ((int)(v / 11) - (int)(pins[k] / 11));
                double flat = hypot(dx, dz), far = hypot(hypot(p.x - q.x, p.y - q.y), p.z - q.z);
                if (flat > 0) worst = fmax(worst, far / flat);
            }
    }
    /* Ways measure up to 1.08 too long, and the last of three tethers moves what the first two set. */
    printf("     farthest: %.4f of the flat distance\n", worst);
    CHECK(worst < 1.1);
    pbd_world_destroy(world);
}

static void a_snapshot_brings_them_back(void) {
    const uint32_t corners[2] = {0, 10};
    add_sheet(true, corners, 2);
    step_ticks(world, 10);
    pbd_snapshot *snapshot = pbd_world_snapshot(world);
    step_ticks(world, 10);
    uint64_t want = pbd_world_state_hash(world);
    CHECK_INT(pbd_world_restore(world, snapshot), PBD_OK);
    step_ticks(world, 10);
    CHECK(pbd_world_state_hash(world) == want);
    pbd_snapshot_destroy(snapshot);
    pbd_world_destroy(world);
}

static void the_homework_knows_none(void) {
    const uint32_t corners[2] = {0, 10};
    pbd_cloth_id id = add_sheet(true, corners, 2);
    struct pbd_world_settings settings = pbd_world_get_settings(world);
    settings.solver.method = PBD_METHOD_JACOBI;
    pbd_world_set_settings(world, &settings);
    CHECK_INT(tethers_of(id), 0);
    pbd_world_destroy(world);
}

RUN_TESTS(TEST(off_takes_no_memory), TEST(every_free_vertex_has_one_for_each_group_of_pins),
          TEST(many_groups_leave_the_nearest_two), TEST(they_follow_pins_and_what_colliders_hold),
          TEST(they_can_be_switched_while_it_hangs), TEST(nothing_is_farther_than_its_tether),
          TEST(a_snapshot_brings_them_back), TEST(the_homework_knows_none))
