/* Pins: physics.md §3 and §10.12. */
#include "check.h"
#include "sheet.h"

#include "world/world_internal.h"

struct scene {
    pbd_world *world;
    pbd_cloth_id id;
    struct sheet sheet;
};

static struct scene start(int substeps) {
    struct pbd_world_settings settings = pbd_default_world_settings();
    settings.solver.substeps = substeps;
    struct scene scene = {.world = pbd_world_create(&settings), .sheet = sheet_create(7, 5, 1.1, 0.7)};
    struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
    scene.id =
        cloth_from(scene.world, sheet_fabric(&scene.sheet, 0.2f), scene.sheet.positions, &cloth, NULL, 0);
    return scene;
}

static void finish(struct scene *scene) {
    sheet_destroy(&scene->sheet);
    pbd_world_destroy(scene->world);
}

static bool is_at(struct scene *scene, uint32_t vertex, const float target[3]) {
    struct point p = vertex_position(scene->world, scene->id, vertex);
    return (float)p.x == target[0] && (float)p.y == target[1] && (float)p.z == target[2];
}

static void pinned_vertex_never_moves(void) {
    for (int method = 0; method < 3; ++method) {
        struct scene scene = start(10);
        struct pbd_world_settings settings = pbd_world_get_settings(scene.world);
        settings.solver.method = (enum pbd_method)method;
        pbd_world_set_settings(scene.world, &settings);
        const uint32_t vertex = 6;
        CHECK_INT(pbd_cloth_pin(scene.world, scene.id, &vertex, 1, NULL), PBD_OK);
        for (int i = 0; i < 30; ++i) {
            step_ticks(scene.world, 1);
            CHECK(is_at(&scene, 6, scene.sheet.positions + 18));
            CHECK(vertex_velocity(scene.world, scene.id, 6).y == 0.0);
        }
        CHECK(vertex_position(scene.world, scene.id, 28).y < -0.1); /* and the rest does */
        finish(&scene);
    }
}

/* 5 m/s in awkward directions: at every tick's end the pin is at float32(target). */
static void moved_pin_is_exact_at_five_meters_a_second(void) {
    for (int substeps = 1; substeps <= 7; substeps += 3) {
        struct scene scene = start(substeps);
        const uint32_t vertex = 3;
        CHECK_INT(pbd_cloth_pin(scene.world, scene.id, &vertex, 1, NULL), PBD_OK);
        float before[3] = {scene.sheet.positions[9], scene.sheet.positions[10], scene.sheet.positions[11]};
        for (int i = 1; i <= 40; ++i) {
            float way = 5.0f / 60.0f * (float)i;
            float target[3] = {0.1f + 0.6f * way, 0.3f + 0.64f * way, -0.7f - 0.48f * way};
            CHECK_INT(pbd_cloth_move(scene.world, scene.id, &vertex, 1, target, i % 2 == 0), PBD_OK);
            step_ticks(scene.world, 1);
            CHECK(is_at(&scene, vertex, target));
            /* Velocity is that of the last substep: the tick's way over dt, to the rounding of
             * positions near 2 (1.2e-7) over h. */
            double speed = ((double)target[0] - before[0]) * 60.0;
            CHECK_NEAR(vertex_velocity(scene.world, scene.id, vertex).x, speed,
                       2.4e-7 * 60 * substeps + 1e-6);
            memcpy(before, target, sizeof before);
        }
        finish(&scene);
    }
}

static void over_ticks_a_pin_goes_in_a_straight_line(void) {
    struct scene scene = start(4);
    const uint32_t vertex = 0;
    const float from[3] = {scene.sheet.positions[0], 0, scene.sheet.positions[2]};
    const float target[3] = {1.3f, 2.7f, -0.4f};
    CHECK_INT(pbd_cloth_pin(scene.world, scene.id, &vertex, 1, NULL), PBD_OK);
    CHECK_INT(pbd_cloth_move(scene.world, scene.id, &vertex, 1, target, 10), PBD_OK);
    float leads_to[3];
    CHECK_INT(pbd_cloth_is_pinned(scene.world, scene.id, 0, leads_to), 1);
    CHECK(memcmp(leads_to, target, sizeof target) == 0);
    for (int i = 1; i <= 12; ++i) {
        step_ticks(scene.world, 1);
        double part = i < 10 ? i / 10.0 : 1.0;
        struct point p = vertex_position(scene.world, scene.id, 0);
        CHECK_NEAR(p.x, from[0] + (target[0] - from[0]) * part, 2e-7);
        CHECK_NEAR(p.y, target[1] * part, 3e-7);
    }
    CHECK(is_at(&scene, 0, target));
    CHECK(vertex_velocity(scene.world, scene.id, 0).y == 0.0);
    finish(&scene);
}

static void target_given_with_the_pin_is_reached_in_the_next_tick(void) {
    struct scene scene = start(10);
    const uint32_t vertices[2] = {0, 34};
    const float targets[6] = {-0.5f, 0.2f, -0.3f, 0.5f, 0.1f, 0.3f};
    CHECK_INT(pbd_cloth_pin(scene.world, scene.id, vertices, 2, targets), PBD_OK);
    step_ticks(scene.world, 1);
    CHECK(is_at(&scene, 0, targets) && is_at(&scene, 34, targets + 3));
    finish(&scene);
}

static void pinning_twice_is_pinning_once(void) {
    struct scene scene = start(10);
    const uint32_t twice[3] = {5, 2, 5};
    CHECK_INT(pbd_cloth_pin(scene.world, scene.id, twice, 3, NULL), PBD_OK);
    CHECK_INT(pbd_cloth_pin(scene.world, scene.id, twice, 3, NULL), PBD_OK);
    uint32_t pins[8];
    CHECK_INT(pbd_cloth_pins(scene.world, scene.id, pins, 8), 2);
    CHECK(pins[0] == 2 && pins[1] == 5);
    CHECK_INT(pbd_cloth_pins(scene.world, scene.id, pins, 1), 2);
    CHECK_INT(pbd_cloth_unpin(scene.world, scene.id, twice, 1), PBD_OK);
    CHECK_INT(pbd_cloth_is_pinned(scene.world, scene.id, 5, NULL), 0);
    CHECK_INT(pbd_cloth_is_pinned(scene.world, scene.id, 2, NULL), 1);
    finish(&scene);
}

static void unpin_restores_the_inverse_mass_bit_for_bit_and_keeps_velocity(void) {
    struct scene scene = start(10);
    const struct pbd_cloth *cloth = world_cloth(scene.world, scene.id);
    const uint32_t all[3] = {0, 17, 34};
    uint32_t particle = cloth->fabric->view.vertex_particle[17];
    float before = cloth->state.w[particle];
    CHECK_INT(pbd_cloth_pin(scene.world, scene.id, all, 3, NULL), PBD_OK);
    CHECK(cloth->state.w[particle] == 0.0f);
    const float target[3] = {0.0f, 0.25f, 0.0f};
    CHECK_INT(pbd_cloth_move(scene.world, scene.id, all + 1, 1, target, 3), PBD_OK);
    step_ticks(scene.world, 2);
    struct point moving = vertex_velocity(scene.world, scene.id, 17);
    CHECK_NEAR(moving.y, 0.25 * 20, 1e-4); /* 3 ticks of 1/60 s; ulp(0.25)·600 */
    CHECK_INT(pbd_cloth_unpin(scene.world, scene.id, all, 3), PBD_OK);
    CHECK(memcmp(&cloth->state.w[particle], &before, sizeof before) == 0);
    CHECK(vertex_velocity(scene.world, scene.id, 17).y == moving.y);
    finish(&scene);
}

static void welded_vertices_are_pinned_together(void) {
    const float positions[] = {0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0, 1};
    const uint32_t triangles[] = {0, 1, 2, 3, 4, 5};
    struct pbd_world_settings settings = pbd_default_world_settings();
    pbd_world *world = pbd_world_create(&settings);
    struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
    const uint32_t pin = 5;
    pbd_cloth_id id = cloth_from(world, fabric_from(positions, 6, triangles, 2, NULL, 0, NULL, 0.2f),
                                 positions, &cloth, &pin, 1);
    uint32_t pins[6];
    CHECK_INT(pbd_cloth_pins(world, id, pins, 6), 2);
    CHECK(pins[0] == 2 && pins[1] == 5);
    const uint32_t other = 2;
    CHECK_INT(pbd_cloth_unpin(world, id, &other, 1), PBD_OK);
    CHECK_INT(pbd_cloth_pins(world, id, pins, 6), 0);
    pbd_world_destroy(world);
}

static void wrong_requests_change_nothing(void) {
    struct scene scene = start(10);
    const uint32_t good_and_bad[2] = {3, 35};
    const float targets[6] = {0};
    uint32_t version = pbd_cloth_pins_version(scene.world, scene.id);
    CHECK_INT(pbd_cloth_pin(scene.world, scene.id, good_and_bad, 2, NULL), PBD_INDEX_RANGE);
    CHECK_INT(pbd_cloth_unpin(scene.world, scene.id, good_and_bad, 2), PBD_INDEX_RANGE);
    CHECK_INT(pbd_cloth_move(scene.world, scene.id, good_and_bad, 2, targets, 0), PBD_INDEX_RANGE);
    CHECK_INT(pbd_cloth_move(scene.world, scene.id, good_and_bad, 1, targets, 0), PBD_NOT_PINNED);
    CHECK_INT(pbd_cloth_is_pinned(scene.world, scene.id, 35, NULL), PBD_INDEX_RANGE);
    CHECK_INT(pbd_cloth_pin(scene.world, 12345, good_and_bad, 1, NULL), PBD_STALE_ID);
    CHECK_INT(pbd_cloth_pins(scene.world, scene.id, NULL, 0), 0);
    CHECK_INT(pbd_cloth_pins_version(scene.world, scene.id), version);
    CHECK_INT(pbd_cloth_pin(scene.world, scene.id, good_and_bad, 1, NULL), PBD_OK);
    CHECK_INT(pbd_cloth_pins_version(scene.world, scene.id), version + 1);
    finish(&scene);
}

static void pins_move_with_a_teleport(void) {
    struct scene scene = start(10);
    const uint32_t vertex = 10;
    CHECK_INT(pbd_cloth_pin(scene.world, scene.id, &vertex, 1, NULL), PBD_OK);
    for (uint32_t v = 0; v < scene.sheet.vertex_count; ++v)
        scene.sheet.positions[3 * v + 1] += 4.0f;
    CHECK_INT(pbd_cloth_set_state(scene.world, scene.id, scene.sheet.positions, NULL), PBD_OK);
    step_ticks(scene.world, 3);
    CHECK(is_at(&scene, 10, scene.sheet.positions + 30));
    finish(&scene);
}

RUN_TESTS(TEST(pinned_vertex_never_moves), TEST(moved_pin_is_exact_at_five_meters_a_second),
          TEST(over_ticks_a_pin_goes_in_a_straight_line),
          TEST(target_given_with_the_pin_is_reached_in_the_next_tick), TEST(pinning_twice_is_pinning_once),
          TEST(unpin_restores_the_inverse_mass_bit_for_bit_and_keeps_velocity),
          TEST(welded_vertices_are_pinned_together), TEST(wrong_requests_change_nothing),
          TEST(pins_move_with_a_teleport))
