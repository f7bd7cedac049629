/* Grabs: hands that draw a vertex (physics.md §5). */
#include "check.h"
#include "sheet.h"

#include "world/world_internal.h"

struct scene {
    pbd_world *world;
    pbd_cloth_id cloth;
    struct sheet sheet;
    double mass;
};

static struct scene start(const struct pbd_world_settings *settings) {
    struct scene scene = {.world = pbd_world_create(settings), .sheet = sheet_create(5, 5, 0.4, 0.4)};
    struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
    scene.cloth =
        cloth_from(scene.world, sheet_fabric(&scene.sheet, 0.2f), scene.sheet.positions, &cloth, NULL, 0);
    scene.mass = pbd_fabric_report(pbd_cloth_fabric(scene.world, scene.cloth))->mass;
    return scene;
}

static void finish(struct scene *scene) {
    sheet_destroy(&scene->sheet);
    pbd_world_destroy(scene->world);
}

static pbd_grab_id grab(struct scene *scene, uint32_t vertex, float compliance) {
    pbd_grab_id id = 0;
    const float *x = scene->sheet.positions + 3 * vertex;
    CHECK_INT(pbd_grab_add(scene->world, scene->cloth, vertex, x, compliance, &id), PBD_OK);
    return id;
}

/* A sheet that hangs on one hand: F = m·g, the vertex F·α below the hand. In `pbd` too. */
static void hanging_sheet_stretches_the_hand_by_force_times_compliance(void) {
    const struct {
        enum pbd_method method;
        int substeps, iterations;
        float compliance;
    } cases[] = {{PBD_METHOD_XPBD, 10, 1, 0.1f},
                 {PBD_METHOD_XPBD, 10, 4, 1.0f},
                 {PBD_METHOD_XPBD, 30, 1, 0.01f},
                 {PBD_METHOD_PBD, 4, 5, 0.1f}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        struct pbd_world_settings settings = pbd_default_world_settings();
        settings.drag = 2.0f;
        settings.solver.method = cases[i].method;
        settings.solver.substeps = cases[i].substeps;
        settings.solver.iterations = cases[i].iterations;
        struct scene scene = start(&settings);
        grab(&scene, 0, cases[i].compliance);
        step_ticks(scene.world, 900);
        double below = -vertex_position(scene.world, scene.cloth, 0).y;
        double want = scene.mass * 9.8 * (double)cases[i].compliance;
        printf("     %.5f m below the hand, F·α is %.5f m\n", below, want);
        CHECK_NEAR(below / want, 1, 0.01);
        finish(&scene);
    }
}

/* In any direction: gravity sideways. */
static void pull_is_the_same_in_all_directions(void) {
    struct pbd_world_settings settings = pbd_default_world_settings();
    settings.gravity[0] = 4.0f;
    settings.gravity[1] = -3.0f;
    settings.gravity[2] = 5.0f;
    settings.drag = 2.0f;
    struct scene scene = start(&settings);
    grab(&scene, 0, 0.1f);
    step_ticks(scene.world, 900);
    struct point p = vertex_position(scene.world, scene.cloth, 0);
    const float *x = scene.sheet.positions;
    double k = scene.mass * 0.1;
    CHECK_NEAR(p.x - (double)x[0], 4 * k, 0.01 * 5 * k);
    CHECK_NEAR(p.y - (double)x[1], -3 * k, 0.01 * 5 * k);
    CHECK_NEAR(p.z - (double)x[2], 5 * k, 0.01 * 5 * k);
    finish(&scene);
}

static void two_hands_on_one_vertex_share_its_load(void) {
    struct pbd_world_settings settings = pbd_default_world_settings();
    settings.drag = 2.0f;
    struct scene scene = start(&settings);
    grab(&scene, 12, 0.1f);
    grab(&scene, 12, 0.1f);
    step_ticks(scene.world, 900);
    double below = -vertex_position(scene.world, scene.cloth, 12).y;
    CHECK_NEAR(below / (scene.mass * 9.8 * 0.05), 1, 0.01);
    finish(&scene);
}

/* The state after is that of a world in which nobody ever reached out. */
static void released_grab_leaves_no_trace(void) {
    struct pbd_world_settings settings = pbd_default_world_settings();
    struct scene a = start(&settings), b = start(&settings);
    step_ticks(a.world, 5);
    step_ticks(b.world, 5);
    pbd_grab_id id = grab(&a, 3, 1e-3f);
    CHECK_INT(pbd_grab_release(a.world, id), PBD_OK);
    for (int i = 0; i < 20; ++i) {
        step_ticks(a.world, 1);
        step_ticks(b.world, 1);
        CHECK(pbd_world_state_hash(a.world) == pbd_world_state_hash(b.world));
    }
    finish(&a);
    finish(&b);
}

/* A hand sampled ten times a second along a straight line at 1 m/s: after the first two
 * samples its target goes on at 1 m/s in every tick, to 1 %. One sampled every tick is
 * followed in the tick itself; a late one is reached in one tick. */
static void hand_that_is_sampled_rarely_is_followed_evenly(void) {
    struct pbd_world_settings settings = quiet_settings();
    struct scene scene = start(&settings);
    pbd_grab_id id = grab(&scene, 0, 1e-4f);
    float at[3] = {-0.2f, 0, -0.2f};
    double before = -0.2, slowest = 9, fastest = 0;
    for (int i = 0; i < 60; ++i) {
        if (i % 6 == 0) {
            at[0] = -0.2f + (float)i / 60.0f;
            CHECK_INT(pbd_grab_move(scene.world, id, at), PBD_OK);
        }
        step_ticks(scene.world, 1);
        double now = scene.world->grabs[0].target.x, speed = (now - before) * 60;
        before = now;
        if (i < 12) continue;
        slowest = speed < slowest ? speed : slowest;
        fastest = speed > fastest ? speed : fastest;
    }
    printf("     a hand at 1 m/s: the target between %.3f and %.3f m/s\n", slowest, fastest);
    CHECK(slowest > 0.99 && fastest < 1.01);
    for (int i = 0; i < 10; ++i) {
        at[1] = 0.01f * (float)i;
        CHECK_INT(pbd_grab_move(scene.world, id, at), PBD_OK);
        step_ticks(scene.world, 1);
        if (i > 0) CHECK(scene.world->grabs[0].target.y == (double)at[1]);
    }
    step_ticks(scene.world, 30);
    at[1] = 0.5f;
    CHECK_INT(pbd_grab_move(scene.world, id, at), PBD_OK);
    step_ticks(scene.world, 1);
    CHECK(scene.world->grabs[0].target.y == 0.5);
    finish(&scene);
}

static void vertex_comes_along(void) {
    struct pbd_world_settings settings = pbd_default_world_settings();
    struct scene scene = start(&settings);
    pbd_grab_id id = grab(&scene, 24, 1e-4f);
    float at[3] = {0.2f, 0, 0.2f};
    for (int i = 0; i < 120; ++i) {
        at[1] += 0.01f;
        CHECK_INT(pbd_grab_move(scene.world, id, at), PBD_OK);
        step_ticks(scene.world, 1);
    }
    step_ticks(scene.world, 30);
    CHECK_NEAR(vertex_position(scene.world, scene.cloth, 24).y, 1.2, 0.01);
    struct pbd_grab_state state;
    CHECK_INT(pbd_grab_get(scene.world, id, &state), PBD_OK);
    CHECK(state.cloth == scene.cloth && state.vertex == 24 && state.position[1] == at[1]);
    CHECK(state.compliance == 1e-4f);
    finish(&scene);
}

static void pinned_vertex_is_not_drawn(void) {
    struct pbd_world_settings settings = pbd_default_world_settings();
    struct scene scene = start(&settings);
    const uint32_t vertex = 4;
    const float far[3] = {0, 3, 0};
    pbd_grab_id id;
    CHECK_INT(pbd_cloth_pin(scene.world, scene.cloth, &vertex, 1, NULL), PBD_OK);
    CHECK_INT(pbd_grab_add(scene.world, scene.cloth, vertex, far, 0, &id), PBD_OK);
    step_ticks(scene.world, 30);
    CHECK(vertex_position(scene.world, scene.cloth, 4).y == 0.0);
    finish(&scene);
}

static void rigid_grab_holds_at_the_hand(void) {
    struct pbd_world_settings settings = pbd_default_world_settings();
    struct scene scene = start(&settings);
    grab(&scene, 0, 0);
    step_ticks(scene.world, 60);
    /* The last projection of a substep, but for contacts. */
    CHECK_NEAR(vertex_position(scene.world, scene.cloth, 0).y, 0, 1e-6);
    finish(&scene);
}

static void ids_are_never_used_again_and_end_with_the_cloth(void) {
    struct pbd_world_settings settings = pbd_default_world_settings();
    struct scene scene = start(&settings);
    pbd_grab_id ids[20];
    for (int i = 0; i < 20; ++i) {
        ids[i] = grab(&scene, (uint32_t)i, 0.01f);
        for (int j = 0; j < i; ++j)
            CHECK(ids[j] != ids[i]);
        if (i % 3 == 0) CHECK_INT(pbd_grab_release(scene.world, ids[i]), PBD_OK);
    }
    struct pbd_grab_state state;
    const float at[3] = {0};
    for (int i = 0; i < 20; ++i)
        CHECK_INT(pbd_grab_get(scene.world, ids[i], &state), i % 3 == 0 ? PBD_STALE_ID : PBD_OK);
    CHECK_INT(pbd_grab_release(scene.world, ids[3]), PBD_STALE_ID);
    CHECK_INT(pbd_grab_move(scene.world, ids[3], at), PBD_STALE_ID);
    CHECK_INT(pbd_cloth_remove(scene.world, scene.cloth), PBD_OK);
    for (int i = 0; i < 20; ++i)
        CHECK_INT(pbd_grab_get(scene.world, ids[i], &state), PBD_STALE_ID);
    step_ticks(scene.world, 2);
    finish(&scene);
}

static void wrong_requests_change_nothing(void) {
    struct pbd_world_settings settings = pbd_default_world_settings();
    struct scene scene = start(&settings);
    const float at[3] = {0};
    pbd_grab_id id = 77;
    CHECK_INT(pbd_grab_add(scene.world, scene.cloth, 25, at, 0, &id), PBD_INDEX_RANGE);
    CHECK_INT(pbd_grab_add(scene.world, 999, 2, at, 0, &id), PBD_STALE_ID);
    CHECK_INT(pbd_grab_move(scene.world, 0, at), PBD_STALE_ID);
    CHECK_INT(id, 77);
    finish(&scene);
}

/* A snapshot holds the grabs of its time; restoring it brings back those and no others. */
static void snapshot_holds_grabs(void) {
    struct pbd_world_settings settings = pbd_default_world_settings();
    struct scene scene = start(&settings);
    pbd_snapshot *before = pbd_world_snapshot(scene.world);
    pbd_grab_id id = grab(&scene, 0, 1e-3f);
    float at[3] = {-0.2f, 0.3f, -0.2f};
    step_ticks(scene.world, 4);
    CHECK_INT(pbd_grab_move(scene.world, id, at), PBD_OK);
    step_ticks(scene.world, 1);
    pbd_snapshot *held = pbd_world_snapshot(scene.world);
    uint64_t first[20];
    for (int i = 0; i < 20; ++i) {
        step_ticks(scene.world, 1);
        first[i] = pbd_world_state_hash(scene.world);
    }
    CHECK_INT(pbd_world_restore(scene.world, held), PBD_OK);
    for (int i = 0; i < 20; ++i) {
        step_ticks(scene.world, 1);
        CHECK(pbd_world_state_hash(scene.world) == first[i]);
    }
    struct pbd_grab_state state;
    CHECK_INT(pbd_world_restore(scene.world, before), PBD_OK);
    CHECK_INT(pbd_grab_get(scene.world, id, &state), PBD_STALE_ID);
    CHECK(grab(&scene, 0, 1e-3f) > id);
    pbd_snapshot_destroy(before);
    pbd_snapshot_destroy(held);
    finish(&scene);
}

RUN_TESTS(TEST(hanging_sheet_stretches_the_hand_by_force_times_compliance),
          TEST(pull_is_the_same_in_all_directions), TEST(two_hands_on_one_vertex_share_its_load),
          TEST(released_grab_leaves_no_trace), TEST(hand_that_is_sampled_rarely_is_followed_evenly),
          TEST(vertex_comes_along), TEST(pinned_vertex_is_not_drawn), TEST(rigid_grab_holds_at_the_hand),
          TEST(ids_are_never_used_again_and_end_with_the_cloth), TEST(wrong_requests_change_nothing),
          TEST(snapshot_holds_grabs))
