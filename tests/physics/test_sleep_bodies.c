/* Sleep of bodies on cloths and on each other (physics.md §8): they sleep and wake together. */
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

/* A ball is dropped on to the sleeping sheet: awake before they touch, asleep together. */
static void falling_body_wakes_it_and_they_sleep_together(void) {
    struct scene scene = sleeping_scene();
    pbd_collider_id ball = add(scene.world, PBD_BOX, PBD_DYNAMIC, 0.1, 0.6, 0.1);
    struct pbd_collider_state state;
    int ticks = 0;
    do {
        CHECK_INT(pbd_collider_get(scene.world, ball, &state), PBD_OK);
        if (asleep(&scene)) CHECK(state.def.position[1] > 0.11f);
        step_ticks(scene.world, 1);
    } while (++ticks < 30 || (ticks < 1200 && !asleep(&scene)));
    CHECK_INT(pbd_collider_get(scene.world, ball, &state), PBD_OK);
    printf("     box and sheet asleep %.2f s after its fall began, at y = %.4f m\n", ticks / 60.0,
           (double)state.def.position[1]);
    CHECK(asleep(&scene) && state.asleep);
    CHECK_INT(events(scene.world, PBD_EVENT_SLEPT, 0, ball), 1);
    CHECK_INT(events(scene.world, PBD_EVENT_SLEPT, scene.cloth, 0), 1);
    CHECK(state.velocity[1] == 0.0f && state.angular_velocity[0] == 0.0f);
    /* What wakes one wakes the other. */
    CHECK_INT(pbd_cloth_impulse(scene.world, scene.cloth, &(uint32_t){100}, 1, (float[3]){0, 0.01f, 0}),
              PBD_OK);
    step_ticks(scene.world, 1);
    CHECK_INT(events(scene.world, PBD_EVENT_WOKE, 0, ball), 1);
    CHECK_INT(events(scene.world, PBD_EVENT_WOKE, scene.cloth, 0), 1);
    finish(&scene);
}

static void body_wakes_when_what_it_lies_on_goes(void) {
    struct pbd_world_settings settings = pbd_default_world_settings();
    pbd_world *world = pbd_world_create(&settings);
    pbd_collider_id table = add(world, PBD_BOX, PBD_STATIC_MOTION, 0, -1, 1),
                    ball = add(world, PBD_BOX, PBD_DYNAMIC, 0, 0.1, 0.1);
    struct pbd_collider_state state = {0};
    int ticks = 0;
    for (; ticks < 1200 && !state.asleep; ++ticks) {
        step_ticks(world, 1);
        CHECK_INT(pbd_collider_get(world, ball, &state), PBD_OK);
    }
    printf("     a box asleep on a box after %.2f s\n", ticks / 60.0);
    CHECK(state.asleep);
    CHECK_INT(pbd_collider_remove(world, table), PBD_OK);
    step_ticks(world, 30);
    CHECK_INT(pbd_collider_get(world, ball, &state), PBD_OK);
    CHECK(!state.asleep && state.def.position[1] < -0.5f);
    pbd_world_destroy(world);
}

RUN_TESTS(TEST(falling_body_wakes_it_and_they_sleep_together), TEST(body_wakes_when_what_it_lies_on_goes))
