/* Colliders: ids, moves, exact ends, velocities. */
#include "check.h"

#include "support_free_particles.h"

static struct pbd_collider_def ball_at(float x, float y, float z) {
    struct pbd_collider_def def = pbd_default_collider_def();
    def.position[0] = x;
    def.position[1] = y;
    def.position[2] = z;
    return def;
}

static struct pbd_collider_state state_of(const struct free_particles *scene, pbd_collider_id id) {
    struct pbd_collider_state state = {.velocity = {NAN, NAN, NAN}};
    CHECK_INT(pbd_collider_get(&scene->world, id, &state), PBD_OK);
    return state;
}

static void create(struct free_particles *scene) {
    free_particles_create(scene, 1, (float[]){0.0f, 100.0f, 0.0f});
}

static void move_reaches_its_target_bit_for_bit(void) {
    const float target[3] = {0.1f, -0.7f, 1e5f + 0.3f},
                turned[4] = {0.18257419f, 0.36514837f, 0.54772256f, 0.73029674f};
    for (uint32_t over = 0; over < 8; ++over) {
        struct free_particles scene;
        create(&scene);
        scene.world.settings.solver.substeps = 7;
        struct pbd_collider_def def = ball_at(0.3f, 0.3f, 0.3f);
        pbd_collider_id id;
        CHECK_INT(pbd_collider_add(&scene.world, &def, &id), PBD_OK);
        CHECK_INT(pbd_collider_move(&scene.world, id, target, turned, over, false), PBD_OK);
        uint32_t ticks = over > 0 ? over : 1;
        for (uint32_t k = 0; k < ticks; ++k) {
            struct pbd_collider_state before = state_of(&scene, id);
            CHECK(memcmp(before.def.position, target, sizeof target) != 0);
            free_particles_tick(&scene);
        }
        struct pbd_collider_state state = state_of(&scene, id);
        CHECK(memcmp(state.def.position, target, sizeof target) == 0);
        CHECK(memcmp(state.def.rotation, turned, sizeof turned) == 0);
        free_particles_destroy(&scene);
    }
}

static void move_is_linear_and_tells_its_velocity(void) {
    struct free_particles scene;
    create(&scene);
    struct pbd_collider_def def = ball_at(0.0f, 0.0f, 0.0f);
    pbd_collider_id id;
    CHECK_INT(pbd_collider_add(&scene.world, &def, &id), PBD_OK);
    /* 1 m and 90° about y in 4 ticks of 1/60 s: 15 m/s and 23.562 rad/s. */
    CHECK_INT(pbd_collider_move(&scene.world, id, (float[]){1.0f, 0.0f, 0.0f},
                                (float[]){0.0f, 0.70710678f, 0.0f, 0.70710678f}, 4, false),
              PBD_OK);
    for (int k = 1; k <= 4; ++k) {
        free_particles_tick(&scene);
        struct pbd_collider_state state = state_of(&scene, id);
        CHECK_NEAR(state.def.position[0], 0.25 * k, 1e-7);
        CHECK_NEAR(state.def.rotation[1], sin(acos(-1.0) / 16.0 * k), 1e-7);
        CHECK_NEAR(state.velocity[0], 15.0, 1e-5);
        CHECK_NEAR(state.angular_velocity[1], 23.5619, 1e-3);
    }
    free_particles_tick(&scene);
    CHECK(state_of(&scene, id).velocity[0] == 0.0f);
    CHECK(state_of(&scene, id).angular_velocity[1] == 0.0f);
    free_particles_destroy(&scene);
}

static void position_or_rotation_alone_keeps_the_other(void) {
    struct free_particles scene;
    create(&scene);
    struct pbd_collider_def def = ball_at(1.0f, 2.0f, 3.0f);
    pbd_collider_id id;
    CHECK_INT(pbd_collider_add(&scene.world, &def, &id), PBD_OK);
    CHECK_INT(pbd_collider_move(&scene.world, id, NULL, (float[]){1.0f, 0.0f, 0.0f, 0.0f}, 0, false), PBD_OK);
    free_particles_tick(&scene);
    CHECK(memcmp(state_of(&scene, id).def.position, def.position, sizeof def.position) == 0);
    CHECK_INT(pbd_collider_move(&scene.world, id, (float[]){9.0f, 9.0f, 9.0f}, NULL, 0, false), PBD_OK);
    free_particles_tick(&scene);
    CHECK(state_of(&scene, id).def.rotation[0] == 1.0f);
    free_particles_destroy(&scene);
}

static void teleport_is_at_once_and_has_no_velocity(void) {
    struct free_particles scene;
    create(&scene);
    struct pbd_collider_def def = ball_at(1.0f, 2.0f, 3.0f);
    pbd_collider_id id;
    CHECK_INT(pbd_collider_add(&scene.world, &def, &id), PBD_OK);
    CHECK_INT(pbd_collider_move(&scene.world, id, (float[]){50.0f, 0.0f, 0.0f}, NULL, 100, false), PBD_OK);
    free_particles_tick(&scene);
    CHECK_INT(pbd_collider_move(&scene.world, id, (float[]){4.0f, 5.0f, 6.0f}, NULL, 30, true), PBD_OK);
    CHECK(state_of(&scene, id).def.position[1] == 5.0f);
    CHECK(state_of(&scene, id).velocity[0] == 0.0f);
    free_particles_tick(&scene);
    CHECK(state_of(&scene, id).def.position[0] == 4.0f);
    free_particles_destroy(&scene);
}

static void static_colliders_refuse_to_move(void) {
    struct free_particles scene;
    create(&scene);
    struct pbd_collider_def def = ball_at(1.0f, 2.0f, 3.0f);
    def.motion = PBD_STATIC_MOTION;
    pbd_collider_id id;
    CHECK_INT(pbd_collider_add(&scene.world, &def, &id), PBD_OK);
    CHECK_INT(pbd_collider_move(&scene.world, id, (float[]){4.0f, 5.0f, 6.0f}, NULL, 0, false), PBD_STATIC);
    CHECK_INT(pbd_collider_move(&scene.world, id, (float[]){4.0f, 5.0f, 6.0f}, NULL, 0, true), PBD_STATIC);
    CHECK(state_of(&scene, id).def.position[0] == 1.0f);
    free_particles_destroy(&scene);
}

static void rotation_is_normalised_when_it_is_not_unit(void) {
    struct free_particles scene;
    create(&scene);
    struct pbd_collider_def def = ball_at(0.0f, 0.0f, 0.0f);
    def.rotation[0] = 3.0f;
    def.rotation[3] = 4.0f;
    pbd_collider_id id;
    CHECK_INT(pbd_collider_add(&scene.world, &def, &id), PBD_OK);
    CHECK_NEAR(state_of(&scene, id).def.rotation[0], 0.6, 1e-7);
    free_particles_destroy(&scene);
}

static void set_changes_the_surface_but_not_the_pose(void) {
    struct free_particles scene;
    create(&scene);
    struct pbd_collider_def def = ball_at(1.0f, 2.0f, 3.0f), changed = pbd_default_collider_def();
    pbd_collider_id id;
    CHECK_INT(pbd_collider_add(&scene.world, &def, &id), PBD_OK);
    changed.shape.radius = 7.0f;
    changed.friction = 0.9f;
    changed.restitution = 0.25f;
    CHECK_INT(pbd_collider_set(&scene.world, id, &changed), PBD_OK);
    struct pbd_collider_state state = state_of(&scene, id);
    CHECK(state.def.shape.radius == 7.0f && state.def.friction == 0.9f && state.def.restitution == 0.25f);
    CHECK(state.def.position[2] == 3.0f);
    free_particles_destroy(&scene);
}

static void ids_of_removed_colliders_are_stale_for_ever(void) {
    struct free_particles scene;
    create(&scene);
    struct pbd_collider_def def = ball_at(0.0f, 0.0f, 0.0f);
    pbd_collider_id first, second;
    CHECK_INT(pbd_collider_add(&scene.world, &def, &first), PBD_OK);
    CHECK_INT(pbd_collider_remove(&scene.world, first), PBD_OK);
    CHECK_INT(pbd_collider_add(&scene.world, &def, &second), PBD_OK);
    CHECK(first != second);
    struct pbd_collider_state state;
    CHECK_INT(pbd_collider_get(&scene.world, first, &state), PBD_STALE_ID);
    CHECK_INT(pbd_collider_set(&scene.world, first, &def), PBD_STALE_ID);
    CHECK_INT(pbd_collider_remove(&scene.world, first), PBD_STALE_ID);
    CHECK_INT(pbd_collider_move(&scene.world, first, NULL, NULL, 0, false), PBD_STALE_ID);
    CHECK_INT(pbd_collider_get(&scene.world, second, &state), PBD_OK);
    free_particles_destroy(&scene);
}

RUN_TESTS(TEST(move_reaches_its_target_bit_for_bit), TEST(move_is_linear_and_tells_its_velocity),
          TEST(position_or_rotation_alone_keeps_the_other), TEST(teleport_is_at_once_and_has_no_velocity),
          TEST(static_colliders_refuse_to_move), TEST(rotation_is_normalised_when_it_is_not_unit),
          TEST(set_changes_the_surface_but_not_the_pose), TEST(ids_of_removed_colliders_are_stale_for_ever))
