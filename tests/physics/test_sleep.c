/* Sleep: physics.md §8 and §10.15. A resting sheet sleeps and stays bit for bit where it is;
 * any command that could move it, or a touching body, wakes it. */
#include "check.h"
#include "sheet.h"

#define N 12u

struct scene {
    pbd_world *world;
    pbd_cloth_id cloth;
    pbd_collider_id table, ball, hand, fan;
    pbd_fabric *fabric;
    struct sheet sheet;
    int ticks; /* until it slept */
};

static pbd_collider_id add(pbd_world *world, enum pbd_shape_type type, enum pbd_motion motion, double x,
                           double y, double size) {
    struct pbd_collider_def def = pbd_default_collider_def();
    def.shape.type = type;
    def.shape.radius = (float)size;
    def.shape.half_extents[0] = def.shape.half_extents[1] = def.shape.half_extents[2] = (float)size;
    def.motion = motion;
    def.mass = 0.2f;
    def.position[0] = (float)x;
    def.position[1] = (float)y;
    pbd_collider_id id = 0;
    CHECK_INT(pbd_collider_add(world, &def, &id), PBD_OK);
    return id;
}

static bool asleep(const struct scene *scene) {
    struct pbd_cloth_view view;
    return pbd_cloth_get_view(scene->world, scene->cloth, &view) == PBD_OK && view.asleep;
}

static uint32_t events(const pbd_world *world, enum pbd_event_type type, pbd_cloth_id cloth,
                       pbd_collider_id collider) {
    const struct pbd_event *list;
    uint32_t count = pbd_world_events(world, &list), found = 0;
    for (uint32_t i = 0; i < count; ++i)
        found += list[i].type == type && list[i].cloth == cloth && list[i].collider == collider;
    return found;
}

static void step_until_asleep(struct scene *scene) {
    for (scene->ticks = 0; scene->ticks < 1200 && !asleep(scene); ++scene->ticks)
        step_ticks(scene->world, 1);
    CHECK(asleep(scene));
    CHECK_INT(events(scene->world, PBD_EVENT_SLEPT, scene->cloth, 0), 1);
}

/* A sheet of 1 m that falls 2 cm on to a table 2 m wide whose top is at y = 0. Far away: a
 * ball that stands still, one that will move, and a corner of the sheet is pinned. */
static struct scene sleeping_scene(void) {
    struct pbd_world_settings settings = pbd_default_world_settings();
    settings.solver.substeps = 4;
    struct scene scene = {.world = pbd_world_create(&settings), .sheet = sheet_create(N, N, 1, 1)};
    for (uint32_t v = 0; v < N * N; ++v)
        scene.sheet.positions[3 * v + 1] = 0.025f;
    struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
    const uint32_t pin = 0;
    scene.fabric = sheet_fabric(&scene.sheet, 0.2f);
    scene.cloth =
        cloth_from(scene.world, pbd_fabric_ref(scene.fabric), scene.sheet.positions, &cloth, &pin, 1);
    scene.table = add(scene.world, PBD_BOX, PBD_KINEMATIC, 0, -1, 1);
    scene.ball = add(scene.world, PBD_SPHERE, PBD_STATIC_MOTION, 30, 0, 0.2);
    scene.hand = add(scene.world, PBD_SPHERE, PBD_KINEMATIC, -30, 0.3, 0.2);
    step_until_asleep(&scene);
    return scene;
}

static void finish(struct scene *scene) {
    pbd_fabric_unref(scene->fabric);
    sheet_destroy(&scene->sheet);
    pbd_world_destroy(scene->world);
}

static void resting_sheet_sleeps_and_does_not_move_by_a_bit(void) {
    struct scene scene = sleeping_scene();
    printf("     asleep after %.2f s\n", scene.ticks / 60.0);
    uint64_t hash = pbd_world_state_hash(scene.world);
    struct pbd_cloth_view view;
    CHECK_INT(pbd_cloth_get_view(scene.world, scene.cloth, &view), PBD_OK);
    for (uint32_t p = 0; p < view.particle_count; ++p)
        CHECK(view.vx[p] == 0.0f && view.vy[p] == 0.0f && view.vz[p] == 0.0f);
    for (int i = 0; i < 300; ++i) {
        step_ticks(scene.world, 1);
        const struct pbd_event *list;
        CHECK_INT(pbd_world_events(scene.world, &list), 0);
        CHECK(pbd_world_state_hash(scene.world) == hash);
    }
    finish(&scene);
}

/* ---- what wakes it ---- */

static void gravity(struct scene *s) {
    struct pbd_world_settings settings = pbd_world_get_settings(s->world);
    settings.gravity[0] = 1.0f;
    pbd_world_set_settings(s->world, &settings);
}
static void friction(struct scene *s) {
    struct pbd_cloth_settings settings;
    CHECK_INT(pbd_cloth_get_settings(s->world, s->cloth, &settings), PBD_OK);
    settings.friction = 0.0f;
    CHECK_INT(pbd_cloth_set_settings(s->world, s->cloth, &settings), PBD_OK);
}
static void pin(struct scene *s) {
    CHECK_INT(pbd_cloth_pin(s->world, s->cloth, &(uint32_t){50}, 1, NULL), PBD_OK);
}
static void unpin(struct scene *s) {
    CHECK_INT(pbd_cloth_unpin(s->world, s->cloth, &(uint32_t){0}, 1), PBD_OK);
}
static void moved_pin(struct scene *s) {
    const float target[3] = {-0.5f, 0.3f, -0.5f};
    CHECK_INT(pbd_cloth_move(s->world, s->cloth, &(uint32_t){0}, 1, target, 30), PBD_OK);
}
static void attachment(struct scene *s) {
    CHECK_INT(pbd_cloth_attach(s->world, s->cloth, &(uint32_t){70}, 1, s->hand), PBD_OK);
}
static void grab(struct scene *s) {
    pbd_grab_id id;
    CHECK_INT(pbd_grab_add(s->world, s->cloth, 20, (float[3]){0, 0.5f, 0}, 1e-3f, &id), PBD_OK);
}
static void impulse(struct scene *s) {
    CHECK_INT(pbd_cloth_impulse(s->world, s->cloth, &(uint32_t){100}, 1, (float[3]){0, 0.01f, 0}), PBD_OK);
}
static void new_state(struct scene *s) {
    CHECK_INT(pbd_cloth_set_state(s->world, s->cloth, s->sheet.positions, NULL), PBD_OK);
}
static void collider_beside(struct scene *s) {
    add(s->world, PBD_SPHERE, PBD_STATIC_MOTION, 0.3, 0, 0.1);
}
static void table_gone(struct scene *s) {
    CHECK_INT(pbd_collider_remove(s->world, s->table), PBD_OK);
}
static void table_moves(struct scene *s) {
    CHECK_INT(pbd_collider_move(s->world, s->table, (float[3]){0.5f, -1, 0}, NULL, 60, false), PBD_OK);
}
static void table_turns(struct scene *s) {
    const float eighth[4] = {0, 0.38268343f, 0, 0.92387953f};
    CHECK_INT(pbd_collider_move(s->world, s->table, NULL, eighth, 60, false), PBD_OK);
}
static void table_jumps(struct scene *s) {
    CHECK_INT(pbd_collider_move(s->world, s->table, (float[3]){0, -2, 0}, NULL, 0, true), PBD_OK);
}
static void table_slippery(struct scene *s) {
    struct pbd_collider_state state;
    CHECK_INT(pbd_collider_get(s->world, s->table, &state), PBD_OK);
    state.def.friction = 0.0f;
    CHECK_INT(pbd_collider_set(s->world, s->table, &state.def), PBD_OK);
}
static void jump_on_to_it(struct scene *s) {
    CHECK_INT(pbd_collider_move(s->world, s->hand, (float[3]){0.2f, 0.1f, 0}, NULL, 0, true), PBD_OK);
}
static void stroke(struct scene *s) {
    CHECK_INT(pbd_collider_move(s->world, s->hand, (float[3]){30, 0.1f, 0}, NULL, 2, false), PBD_OK);
}
static void body_beside(struct scene *s) {
    add(s->world, PBD_SPHERE, PBD_DYNAMIC, 0.2, 0.15, 0.1);
}

struct cause {
    const char *name;
    void (*command)(struct scene *);
    int ticks; /* until it must be awake */
};

static const struct cause causes[] = {
    {"world settings", gravity, 1},
    {"cloth settings", friction, 1},
    {"pin", pin, 1},
    {"unpin", unpin, 1},
    {"move of a pin", moved_pin, 1},
    {"attach", attachment, 1},
    {"grab", grab, 1},
    {"impulse", impulse, 1},
    {"set_state", new_state, 1},
    {"collider added beside", collider_beside, 1},
    {"table removed", table_gone, 1},
    {"table moves", table_moves, 1},
    {"table turns under it", table_turns, 1},
    {"table teleports away", table_jumps, 1},
    {"table's friction", table_slippery, 1},
    {"a ball teleports on to it", jump_on_to_it, 1},
    {"a ball sweeps past", stroke, 2},
    {"body dropped on to it", body_beside, 10},
};

static void every_cause_wakes_it(void) {
    struct scene scene = sleeping_scene();
    pbd_snapshot *snapshot = pbd_world_snapshot(scene.world);
    for (size_t i = 0; i < sizeof causes / sizeof causes[0]; ++i) {
        CHECK_INT(pbd_world_restore(scene.world, snapshot), PBD_OK);
        CHECK(asleep(&scene));
        uint64_t hash = pbd_world_state_hash(scene.world);
        causes[i].command(&scene);
        uint32_t woken = 0;
        for (int tick = 0; tick < causes[i].ticks; ++tick) {
            step_ticks(scene.world, 1);
            woken += events(scene.world, PBD_EVENT_WOKE, scene.cloth, 0);
        }
        if (asleep(&scene) || woken != 1) printf("     not woken by: %s\n", causes[i].name);
        CHECK(!asleep(&scene));
        CHECK_INT(woken, 1);
        CHECK(pbd_world_state_hash(scene.world) != hash);
    }
    pbd_snapshot_destroy(snapshot);
    finish(&scene);
}

/* ---- and what does not ---- */

static void what_is_far_away_does_not_wake_it(void) {
    struct scene scene = sleeping_scene();
    CHECK_INT(pbd_collider_move(scene.world, scene.hand, (float[3]){-20, 3, 0}, NULL, 50, false), PBD_OK);
    step_ticks(scene.world, 20);
    CHECK_INT(pbd_collider_remove(scene.world, scene.ball), PBD_OK);
    pbd_collider_id body = add(scene.world, PBD_BOX, PBD_DYNAMIC, 10, 3, 0.1);
    step_ticks(scene.world, 60);
    CHECK_INT(pbd_collider_remove(scene.world, body), PBD_OK);
    step_ticks(scene.world, 5);
    CHECK(asleep(&scene));
    finish(&scene);
}

static void hand_at_rest_keeps_it_awake_and_lets_it_sleep_again(void) {
    struct scene scene = sleeping_scene();
    pbd_grab_id id;
    struct point at = vertex_position(scene.world, scene.cloth, 77);
    const float position[3] = {(float)at.x, (float)at.y, (float)at.z};
    CHECK_INT(pbd_grab_add(scene.world, scene.cloth, 77, position, 1e-3f, &id), PBD_OK);
    for (int i = 0; i < 150; ++i) {
        step_ticks(scene.world, 1);
        CHECK(!asleep(&scene));
    }
    CHECK_INT(pbd_grab_release(scene.world, id), PBD_OK);
    step_until_asleep(&scene);
    CHECK(scene.ticks >= 60);
    finish(&scene);
}

static void slow_pin_keeps_it_awake(void) {
    struct scene scene = sleeping_scene();
    const float target[3] = {-0.5f, 0.026f, -0.5f}; /* 1 mm in 200 s */
    CHECK_INT(pbd_cloth_move(scene.world, scene.cloth, &(uint32_t){0}, 1, target, 12000), PBD_OK);
    for (int i = 0; i < 150; ++i) {
        step_ticks(scene.world, 1);
        CHECK(!asleep(&scene));
    }
    finish(&scene);
}

/* Moved in place under it: its friction acts on the cloth although nothing leaves its ball. */
static void driven_collider_keeps_it_awake_as_long_as_it_turns(void) {
    struct scene scene = sleeping_scene();
    struct pbd_collider_def def = pbd_default_collider_def();
    def.shape.radius = 0.05f;
    def.position[0] = 0.3f;
    def.position[1] = 0.07f;
    def.angular_velocity[1] = 1.0f;
    def.moves_until = 3.0f;
    pbd_collider_id id;
    CHECK_INT(pbd_collider_add(scene.world, &def, &id), PBD_OK);
    for (int i = 0; i < 180; ++i) {
        step_ticks(scene.world, 1);
        CHECK(!asleep(&scene));
    }
    step_until_asleep(&scene);
    printf("     asleep %.2f s after the end of the turning\n", scene.ticks / 60.0);
    finish(&scene);
}

/* Attached to the hand 30 m away. */
static void attached_collider_that_moves_wakes_it(void) {
    struct scene scene = sleeping_scene();
    CHECK_INT(pbd_cloth_attach(scene.world, scene.cloth, &(uint32_t){N * N - 1}, 1, scene.hand), PBD_OK);
    step_until_asleep(&scene);
    CHECK_INT(pbd_collider_move(scene.world, scene.hand, (float[3]){-30, 0.5f, 0}, NULL, 60, false), PBD_OK);
    step_ticks(scene.world, 1);
    CHECK(!asleep(&scene));
    step_ticks(scene.world, 100);
    step_until_asleep(&scene);
    CHECK_INT(pbd_cloth_detach(scene.world, scene.cloth, &(uint32_t){N * N - 1}, 1), PBD_OK);
    CHECK(!asleep(&scene));
    finish(&scene);
}

static bool cloth_sleeps(const pbd_world *world, pbd_cloth_id id) {
    struct pbd_cloth_view view;
    return pbd_cloth_get_view(world, id, &view) == PBD_OK && view.asleep;
}

static void lift_sheet(struct scene *scene, double y) {
    for (uint32_t v = 0; v < N * N; ++v)
        scene->sheet.positions[3 * v + 1] = (float)y;
}

/* A second sheet falls on to it: awake before they touch, and not asleep alone after that. */
static void another_cloth_wakes_it_before_it_comes(void) {
    struct scene scene = sleeping_scene();
    struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
    lift_sheet(&scene, 0.5);
    pbd_cloth_id second =
        cloth_from(scene.world, pbd_fabric_ref(scene.fabric), scene.sheet.positions, &cloth, NULL, 0);
    step_ticks(scene.world, 2);
    CHECK(asleep(&scene)); /* half a metre above: not yet */
    int ticks = 2;
    for (; asleep(&scene) && ticks < 120; ++ticks)
        step_ticks(scene.world, 1);
    double height = vertex_position(scene.world, second, 77).y;
    printf("     woken by a sheet %.3f m above it, falling for %.2f s\n", height, ticks / 60.0);
    CHECK(height > 0.02 && height < 0.2);
    for (int i = 0; i < 80; ++i) {
        step_ticks(scene.world, 1);
        CHECK(asleep(&scene) == cloth_sleeps(scene.world, second));
    }
    finish(&scene);
}

/* The other hangs close above it by its edges. */
static void cloth_that_goes_wakes_what_is_next_to_it(void) {
    struct scene scene = sleeping_scene();
    struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
    uint32_t all[N * N];
    for (uint32_t v = 0; v < N * N; ++v)
        all[v] = v;
    lift_sheet(&scene, 0.033);
    pbd_cloth_id second =
        cloth_from(scene.world, pbd_fabric_ref(scene.fabric), scene.sheet.positions, &cloth, all, N * N);
    step_ticks(scene.world, 1);
    CHECK(!asleep(&scene));
    step_until_asleep(&scene);
    CHECK(cloth_sleeps(scene.world, second)); /* in the same tick */
    CHECK_INT(pbd_cloth_remove(scene.world, second), PBD_OK);
    CHECK(!asleep(&scene));
    /* One with which it cannot touch leaves it alone. */
    cloth.cloth_collision = false;
    step_until_asleep(&scene);
    second = cloth_from(scene.world, pbd_fabric_ref(scene.fabric), scene.sheet.positions, &cloth, all, N * N);
    step_ticks(scene.world, 1);
    CHECK(asleep(&scene));
    CHECK_INT(pbd_cloth_remove(scene.world, second), PBD_OK);
    CHECK(asleep(&scene));
    finish(&scene);
}

/* The second of quiet is state: a restored world sleeps in the same tick, and its hashes are
 * those of the world that went on. */
static void counting_goes_on_after_a_restore(void) {
    struct scene scene = sleeping_scene();
    pbd_snapshot *sleeping = pbd_world_snapshot(scene.world);
    gravity(&scene);
    step_ticks(scene.world, 30);
    pbd_snapshot *snapshot = pbd_world_snapshot(scene.world);
    uint64_t hashes[240];
    int slept[2] = {-1, -1};
    for (int repeat = 0; repeat < 2; ++repeat) {
        for (int i = 0; i < 240; ++i) {
            step_ticks(scene.world, 1);
            uint64_t hash = pbd_world_state_hash(scene.world);
            if (repeat == 0) hashes[i] = hash;
            CHECK(hash == hashes[i]);
            if (slept[repeat] < 0 && asleep(&scene)) slept[repeat] = i;
        }
        CHECK_INT(pbd_world_restore(scene.world, snapshot), PBD_OK);
        CHECK(!asleep(&scene));
    }
    CHECK(slept[0] > 0);
    CHECK_INT(slept[1], slept[0]);
    CHECK_INT(pbd_world_restore(scene.world, sleeping), PBD_OK);
    CHECK(asleep(&scene));
    pbd_snapshot_destroy(sleeping);
    pbd_snapshot_destroy(snapshot);
    finish(&scene);
}

RUN_TESTS(TEST(resting_sheet_sleeps_and_does_not_move_by_a_bit), TEST(every_cause_wakes_it),
          TEST(what_is_far_away_does_not_wake_it), TEST(hand_at_rest_keeps_it_awake_and_lets_it_sleep_again),
          TEST(slow_pin_keeps_it_awake), TEST(driven_collider_keeps_it_awake_as_long_as_it_turns),
          TEST(attached_collider_that_moves_wakes_it), TEST(another_cloth_wakes_it_before_it_comes),
          TEST(cloth_that_goes_wakes_what_is_next_to_it),

          TEST(counting_goes_on_after_a_restore))
