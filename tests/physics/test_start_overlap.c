/* What starts inside something leaves it at max_depenetration at most, keeps no speed from
 * that, and is told once (physics.md §6, §8). */
#include "check.h"
#include "sheet.h"

#define N 9u

static uint32_t overlaps(const pbd_world *world, struct pbd_event *last) {
    const struct pbd_event *events;
    uint32_t count = pbd_world_events(world, &events), found = 0;
    for (uint32_t i = 0; i < count; ++i)
        if (events[i].type == PBD_EVENT_INITIAL_OVERLAP) {
            *last = events[i];
            ++found;
        }
    return found;
}

/* A sheet through the upper part of a box, 3 cm below its top, in zero gravity. */
static void run(enum pbd_motion motion, float max_depenetration) {
    struct pbd_world_settings settings = quiet_settings();
    settings.max_depenetration = max_depenetration;
    pbd_world *world = pbd_world_create(&settings);
    struct sheet sheet = sheet_create(N, N, 0.4, 0.4);
    struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
    pbd_cloth_id id = cloth_from(world, sheet_fabric(&sheet, 0.2f), sheet.positions, &cloth, NULL, 0);
    struct pbd_collider_def def = pbd_default_collider_def();
    def.motion = motion;
    def.shape.type = PBD_BOX;
    def.shape.half_extents[0] = def.shape.half_extents[1] = def.shape.half_extents[2] = 0.5f;
    def.position[1] = -0.47f;
    def.mass = 0.05f;
    pbd_collider_id box;
    CHECK_INT(pbd_collider_add(world, &def, &box), PBD_OK);
    struct pbd_collider_state body;
    double fastest = 0, gap = -0.03, kept = 0;
    int ticks = 0;
    for (; ticks < 120; ++ticks) {
        step_ticks(world, 1);
        struct pbd_event event = {0};
        CHECK_INT(overlaps(world, &event), ticks == 0);
        if (ticks == 0) {
            CHECK(event.cloth == id && event.collider == box && event.count == N * N);
            CHECK_NEAR(event.depth, 0.035, 1e-6);
        }
        CHECK_INT(pbd_collider_get(world, box, &body), PBD_OK);
        double now = vertex_position(world, id, 40).y - ((double)body.def.position[1] + 0.5);
        fastest = fmax(fastest, (now - gap) * 60);
        gap = now;
        struct point v = vertex_velocity(world, id, 40);
        kept = fmax(fabs(v.y), fabs((double)body.velocity[1]));
    }
    printf("     %s: leaves at %.4f m/s of %.4f allowed, ends %.5f m outside with %.1e m/s\n",
           motion == PBD_DYNAMIC ? "body" : "static", fastest, (double)max_depenetration, gap, kept);
    CHECK(gap >= 0.005 - 1e-5);
    CHECK(fastest >= (double)max_depenetration * 0.9);
    if (motion == PBD_DYNAMIC) {
        /* The sheet's own constraints add a little to what is undone. */
        CHECK(fastest <= (double)max_depenetration * 1.06 && kept < 1e-2 * (double)max_depenetration);
        CHECK(body.def.position[1] < -0.47f);
    } else {
        CHECK(fastest <= (double)max_depenetration * 1.001);
        CHECK(gap < 0.0055 && kept < 1e-2 * (double)max_depenetration);
    }
    sheet_destroy(&sheet);
    pbd_world_destroy(world);
}

static void sheet_leaves_a_static_box_at_the_speed_allowed(void) {
    run(PBD_STATIC_MOTION, 0.2f);
    run(PBD_STATIC_MOTION, 0.05f);
}

static void sheet_and_body_part_at_the_speed_allowed(void) {
    run(PBD_DYNAMIC, 0.2f);
    run(PBD_DYNAMIC, 0.05f);
}

/* Two sheets fall on at the limit: each is told in each tick in which it bites. */
static void every_cloth_that_is_too_fast_is_told_in_every_tick(void) {
    struct pbd_world_settings settings = quiet_settings();
    settings.gravity[1] = -100.0f;
    settings.max_speed = 10.0f;
    pbd_world *world = pbd_world_create(&settings);
    struct sheet sheet = sheet_create(4, 4, 1, 1);
    struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
    cloth.cloth_collision = false; /* they start in one place */
    pbd_cloth_id ids[3];
    for (int i = 0; i < 3; ++i)
        ids[i] = cloth_from(world, sheet_fabric(&sheet, 0.2f), sheet.positions, &cloth, NULL, 0);
    const uint32_t all[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    CHECK_INT(pbd_cloth_pin(world, ids[1], all, 16, NULL), PBD_OK);
    for (int tick = 1; tick <= 40; ++tick) {
        step_ticks(world, 1);
        const struct pbd_event *events;
        uint32_t count = pbd_world_events(world, &events);
        bool bites = tick * 100.0 / 60 > 10.0; /* from the 7th on */
        CHECK_INT(count, bites ? 2 : 0);
        for (uint32_t i = 0; i < count; ++i) {
            CHECK(events[i].type == PBD_EVENT_CLAMPED && events[i].cloth == ids[2 * i]);
            CHECK(events[i].max == 10.0f && events[i].got > 10.0f && events[i].got < 11.7f);
        }
        CHECK(vertex_velocity(world, ids[0], 5).y >= -10.0001);
    }
    sheet_destroy(&sheet);
    pbd_world_destroy(world);
}

RUN_TESTS(TEST(sheet_leaves_a_static_box_at_the_speed_allowed),
          TEST(sheet_and_body_part_at_the_speed_allowed),
          TEST(every_cloth_that_is_too_fast_is_told_in_every_tick))
