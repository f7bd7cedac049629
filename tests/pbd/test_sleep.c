/* When a body counts as at rest (physics.md §8). What wakes it: physics/test_sleep. */
#include "check.h"
#include "sheet.h"

#include "world/sleep.h"

#define N 9u

struct scene {
    pbd_world *world;
    pbd_cloth_id cloth;
};

/* A free sheet of 1 m in flight; its balls have a radius of 1.41e-4 m. */
static struct scene start(const struct pbd_world_settings *settings, float speed, double away) {
    struct scene scene = {.world = pbd_world_create(settings)};
    struct sheet sheet = sheet_create(N, N, 1, 1);
    for (uint32_t v = 0; v < N * N; ++v)
        sheet.positions[3 * v] += (float)away;
    struct pbd_cloth_def def = {.fabric = sheet_fabric(&sheet, 0.2f),
                                .positions = sheet.positions,
                                .velocity = {speed, 0, 0},
                                .settings = pbd_default_cloth_settings()};
    CHECK_INT(pbd_cloth_add(scene.world, &def, &scene.cloth), PBD_OK);
    pbd_fabric_unref(def.fabric);
    sheet_destroy(&sheet);
    return scene;
}

static bool asleep(const struct scene *scene) {
    struct pbd_cloth_view view;
    return pbd_cloth_get_view(scene->world, scene->cloth, &view) == PBD_OK && view.asleep;
}

static int ticks_until_asleep(struct scene *scene, int most) {
    int ticks = 0;
    while (ticks < most && !asleep(scene)) {
        step_ticks(scene->world, 1);
        ++ticks;
    }
    return ticks;
}

/* The first tick's end places the balls, a second later it sleeps. */
static void what_rests_sleeps_after_one_simulated_second(void) {
    const float steps[3] = {1.0f / 60.0f, 1.0f / 30.0f, 1.0f / 240.0f};
    const int ticks[3] = {61, 31, 241};
    for (int i = 0; i < 3; ++i) {
        struct pbd_world_settings settings = quiet_settings();
        settings.solver.dt = steps[i];
        struct scene scene = start(&settings, 0, 0);
        CHECK_INT(ticks_until_asleep(&scene, 500), ticks[i]);
        pbd_world_destroy(scene.world);
    }
}

static void slow_flight_is_not_taken_for_rest(void) {
    struct pbd_world_settings settings = quiet_settings();
    struct scene scene = start(&settings, 1.5e-4f, 0);
    CHECK_INT(ticks_until_asleep(&scene, 600), 600);
    CHECK_NEAR(vertex_position(scene.world, scene.cloth, 0).x, -0.5 + 1.5e-3, 1e-6);
    pbd_world_destroy(scene.world);
    scene = start(&settings, 1.3e-4f, 0);
    CHECK_INT(ticks_until_asleep(&scene, 600), 61);
    pbd_world_destroy(scene.world);
}

/* One vertex of 81 is enough. */
static void all_vertices_must_rest(void) {
    struct pbd_world_settings settings = quiet_settings();
    struct scene scene = start(&settings, 0, 0);
    struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
    cloth.stretch_compliance = cloth.bend_compliance = PBD_COMPLIANCE_OFF;
    CHECK_INT(pbd_cloth_set_settings(scene.world, scene.cloth, &cloth), PBD_OK);
    float velocities[3 * N * N] = {0};
    velocities[3 * 40 + 1] = 2e-4f;
    CHECK_INT(pbd_cloth_set_state(scene.world, scene.cloth, NULL, velocities), PBD_OK);
    CHECK_INT(ticks_until_asleep(&scene, 300), 300);
    pbd_world_destroy(scene.world);
}

/* 10 km from the origin positions are 1 mm apart; 16 of those are larger than the balls'. */
static void far_from_the_origin_balls_are_larger(void) {
    struct pbd_world_settings settings = quiet_settings();
    struct scene scene = start(&settings, 5e-3f, 1e4);
    CHECK_INT(ticks_until_asleep(&scene, 300), 61);
    pbd_world_destroy(scene.world);
    scene = start(&settings, 5e-2f, 1e4);
    CHECK_INT(ticks_until_asleep(&scene, 300), 300);
    pbd_world_destroy(scene.world);
}

static void homework_never_sleeps(void) {
    struct pbd_world_settings settings = quiet_settings();
    settings.solver.method = PBD_METHOD_JACOBI;
    struct scene scene = start(&settings, 0, 0);
    CHECK_INT(ticks_until_asleep(&scene, 200), 200);
    /* And what sleeps wakes with the change of the method. */
    settings.solver.method = PBD_METHOD_XPBD;
    pbd_world_set_settings(scene.world, &settings);
    CHECK_INT(ticks_until_asleep(&scene, 200), 61);
    settings.solver.method = PBD_METHOD_JACOBI;
    pbd_world_set_settings(scene.world, &settings);
    CHECK(!asleep(&scene));
    pbd_world_destroy(scene.world);
}

static void frozen_cloth_is_not_asleep(void) {
    struct pbd_world_settings settings = quiet_settings();
    struct scene scene = start(&settings, 0, 0);
    float velocities[3 * N * N];
    for (uint32_t k = 0; k < 3 * N * N; ++k)
        velocities[k] = k % 2 ? 3e38f : -3e38f;
    CHECK_INT(pbd_cloth_set_state(scene.world, scene.cloth, NULL, velocities), PBD_OK);
    CHECK_INT(ticks_until_asleep(&scene, 100), 100);
    struct pbd_cloth_view view;
    CHECK_INT(pbd_cloth_get_view(scene.world, scene.cloth, &view), PBD_OK);
    CHECK(view.frozen && !view.asleep);
    pbd_world_destroy(scene.world);
}

/* A floating box: at rest, drifting, turning. Its diagonal for balls is √3·0.2 m. */
static void bodies_sleep_by_their_farthest_point(void) {
    const struct {
        float velocity, spin;
        bool sleeps;
    } cases[] = {{0, 0, true},     {3e-5f, 0, true},  {5e-5f, 0, false},
                 {0, 1e-4f, true}, {0, 3e-4f, false}, {2e-5f, 2e-4f, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        struct pbd_world_settings settings = quiet_settings();
        pbd_world *world = pbd_world_create(&settings);
        struct pbd_collider_def def = pbd_default_collider_def();
        def.motion = PBD_DYNAMIC;
        def.shape.type = PBD_BOX;
        def.shape.half_extents[0] = def.shape.half_extents[1] = def.shape.half_extents[2] = 0.1f;
        def.velocity[0] = cases[i].velocity;
        def.angular_velocity[1] = cases[i].spin;
        pbd_collider_id id;
        CHECK_INT(pbd_collider_add(world, &def, &id), PBD_OK);
        struct pbd_collider_state state;
        step_ticks(world, 60);
        CHECK_INT(pbd_collider_get(world, id, &state), PBD_OK);
        CHECK(!state.asleep);
        step_ticks(world, 240);
        CHECK_INT(pbd_collider_get(world, id, &state), PBD_OK);
        CHECK_INT(state.asleep, cases[i].sleeps);
        if (state.asleep) CHECK(state.velocity[0] == 0.0f && state.angular_velocity[1] == 0.0f);
        pbd_world_destroy(world);
    }
}

/* Waking something that is awake tells nobody, but its second begins anew. */
static void waking_twice_is_waking_once(void) {
    struct pbd_world_settings settings = quiet_settings();
    struct scene scene = start(&settings, 0, 0);
    step_ticks(scene.world, 40);
    sleep_wake_all(scene.world);
    const struct pbd_event *events;
    CHECK_INT(ticks_until_asleep(&scene, 300), 61);
    CHECK_INT(pbd_world_events(scene.world, &events), 1);
    CHECK(events[0].type == PBD_EVENT_SLEPT && events[0].cloth == scene.cloth && events[0].collider == 0);
    sleep_wake_all(scene.world);
    sleep_wake_all(scene.world);
    step_ticks(scene.world, 1);
    CHECK_INT(pbd_world_events(scene.world, &events), 1);
    CHECK(events[0].type == PBD_EVENT_WOKE && events[0].cloth == scene.cloth && events[0].collider == 0);
    step_ticks(scene.world, 1);
    CHECK_INT(pbd_world_events(scene.world, &events), 0);
    pbd_world_destroy(scene.world);
}

RUN_TESTS(TEST(what_rests_sleeps_after_one_simulated_second), TEST(slow_flight_is_not_taken_for_rest),
          TEST(all_vertices_must_rest), TEST(far_from_the_origin_balls_are_larger),
          TEST(homework_never_sleeps), TEST(frozen_cloth_is_not_asleep),
          TEST(bodies_sleep_by_their_farthest_point), TEST(waking_twice_is_waking_once))
