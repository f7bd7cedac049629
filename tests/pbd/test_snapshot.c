/* Snapshot and restore, bit for bit. */
#include "check.h"
#include "sheet.h"

struct scene {
    pbd_world *world;
    pbd_cloth_id cloth;
    pbd_collider_id ball;
    struct sheet sheet;
};

/* A sheet with two pins, one on its way, above a ball that is on its way too. */
static struct scene start(void) {
    struct pbd_world_settings settings = pbd_default_world_settings();
    struct scene scene = {.world = pbd_world_create(&settings), .sheet = sheet_create(15, 13, 1, 1)};
    struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
    const uint32_t pins[2] = {0, 14};
    scene.cloth =
        cloth_from(scene.world, sheet_fabric(&scene.sheet, 0.2f), scene.sheet.positions, &cloth, pins, 2);
    struct pbd_collider_def def = pbd_default_collider_def();
    def.shape.radius = 0.3f;
    def.position[1] = -0.32f;
    CHECK_INT(pbd_collider_add(scene.world, &def, &scene.ball), PBD_OK);
    const float target[3] = {-0.3f, 0.4f, -0.2f}, to[3] = {0.2f, -0.2f, 0.1f};
    CHECK_INT(pbd_cloth_move(scene.world, scene.cloth, pins, 1, target, 40), PBD_OK);
    CHECK_INT(pbd_collider_move(scene.world, scene.ball, to, NULL, 30, false), PBD_OK);
    return scene;
}

static void finish(struct scene *scene) {
    sheet_destroy(&scene->sheet);
    pbd_world_destroy(scene->world);
}

static void restored_world_runs_on_bit_for_bit(void) {
    struct scene scene = start();
    step_ticks(scene.world, 12);
    pbd_snapshot *snapshot = pbd_world_snapshot(scene.world);
    uint64_t then = pbd_world_state_hash(scene.world), first[30];
    for (int i = 0; i < 30; ++i) {
        step_ticks(scene.world, 1);
        first[i] = pbd_world_state_hash(scene.world);
    }
    for (int repeat = 0; repeat < 2; ++repeat) {
        CHECK_INT(pbd_world_restore(scene.world, snapshot), PBD_OK);
        CHECK_INT(pbd_world_tick(scene.world), 12);
        CHECK(pbd_world_state_hash(scene.world) == then);
        for (int i = 0; i < 30; ++i) {
            step_ticks(scene.world, 1);
            CHECK(pbd_world_state_hash(scene.world) == first[i]);
        }
    }
    pbd_snapshot_destroy(snapshot);
    finish(&scene);
}

static void start_comes_back_after_everything_was_changed(void) {
    struct scene scene = start();
    pbd_snapshot *snapshot = pbd_world_snapshot(scene.world);
    uint64_t then = pbd_world_state_hash(scene.world);
    const uint32_t pins[2] = {0, 14}, other = 100;
    step_ticks(scene.world, 5);
    CHECK_INT(pbd_cloth_unpin(scene.world, scene.cloth, pins, 2), PBD_OK);
    CHECK_INT(pbd_cloth_pin(scene.world, scene.cloth, &other, 1, NULL), PBD_OK);
    uint32_t version = pbd_cloth_pins_version(scene.world, scene.cloth);
    struct pbd_world_settings settings = pbd_world_get_settings(scene.world);
    settings.gravity[1] = 3;
    pbd_world_set_settings(scene.world, &settings);
    struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
    cloth.friction = 0.9f;
    CHECK_INT(pbd_cloth_set_settings(scene.world, scene.cloth, &cloth), PBD_OK);
    CHECK_INT(pbd_collider_remove(scene.world, scene.ball), PBD_OK);
    step_ticks(scene.world, 5);

    CHECK_INT(pbd_world_restore(scene.world, snapshot), PBD_OK);
    CHECK(pbd_world_state_hash(scene.world) == then);
    CHECK_INT(pbd_world_tick(scene.world), 0);
    CHECK(pbd_world_get_settings(scene.world).gravity[1] == -9.8f);
    CHECK_INT(pbd_cloth_get_settings(scene.world, scene.cloth, &cloth), PBD_OK);
    CHECK(cloth.friction == 0.3f);
    uint32_t got[4];
    CHECK_INT(pbd_cloth_pins(scene.world, scene.cloth, got, 4), 2);
    CHECK(got[0] == 0 && got[1] == 14);
    CHECK(pbd_cloth_pins_version(scene.world, scene.cloth) > version);
    struct pbd_collider_state ball;
    CHECK_INT(pbd_collider_get(scene.world, scene.ball, &ball), PBD_OK);
    pbd_snapshot_destroy(snapshot);
    finish(&scene);
}

static void what_was_added_later_is_gone_and_its_id_stays_stale(void) {
    struct scene scene = start();
    pbd_snapshot *snapshot = pbd_world_snapshot(scene.world);
    struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
    pbd_cloth_id late =
        cloth_from(scene.world, sheet_fabric(&scene.sheet, 0.2f), scene.sheet.positions, &cloth, NULL, 0);
    CHECK_INT(pbd_world_restore(scene.world, snapshot), PBD_OK);
    CHECK(pbd_cloth_fabric(scene.world, late) == NULL);
    pbd_cloth_id later =
        cloth_from(scene.world, sheet_fabric(&scene.sheet, 0.2f), scene.sheet.positions, &cloth, NULL, 0);
    CHECK(later != late);
    CHECK(pbd_cloth_fabric(scene.world, late) == NULL);
    /* And a removed one that comes back has its old id again. */
    CHECK_INT(pbd_cloth_remove(scene.world, scene.cloth), PBD_OK);
    pbd_cloth_id in_its_place =
        cloth_from(scene.world, sheet_fabric(&scene.sheet, 0.2f), scene.sheet.positions, &cloth, NULL, 0);
    CHECK_INT(pbd_world_restore(scene.world, snapshot), PBD_OK);
    CHECK(pbd_cloth_fabric(scene.world, scene.cloth) != NULL);
    CHECK(pbd_cloth_fabric(scene.world, in_its_place) == NULL);
    pbd_snapshot_destroy(snapshot);
    finish(&scene);
}

static void snapshot_outlives_its_world_and_fits_a_fresh_one(void) {
    struct scene scene = start();
    step_ticks(scene.world, 9);
    pbd_snapshot *snapshot = pbd_world_snapshot(scene.world);
    step_ticks(scene.world, 9);
    uint64_t later = pbd_world_state_hash(scene.world);
    finish(&scene);
    struct pbd_world_settings settings = quiet_settings();
    pbd_world *fresh = pbd_world_create(&settings);
    CHECK_INT(pbd_world_restore(fresh, snapshot), PBD_OK);
    pbd_snapshot_destroy(snapshot);
    step_ticks(fresh, 9);
    CHECK(pbd_world_state_hash(fresh) == later);
    pbd_world_destroy(fresh);
}

static void a_shared_snapshot_goes_with_its_last_owner(void) {
    struct scene scene = start();
    pbd_snapshot *snapshot = pbd_world_snapshot(scene.world);
    CHECK(pbd_snapshot_ref(snapshot) == snapshot);
    pbd_snapshot_destroy(snapshot);
    CHECK_INT(pbd_world_restore(scene.world, snapshot), PBD_OK);
    /* 195 particles of 13 float32 at least. */
    CHECK(pbd_snapshot_size(snapshot) > 195 * 13 * sizeof(float));
    pbd_snapshot_destroy(snapshot);
    finish(&scene);
}

RUN_TESTS(TEST(restored_world_runs_on_bit_for_bit), TEST(start_comes_back_after_everything_was_changed),
          TEST(what_was_added_later_is_gone_and_its_id_stays_stale),
          TEST(snapshot_outlives_its_world_and_fits_a_fresh_one),
          TEST(a_shared_snapshot_goes_with_its_last_owner))
