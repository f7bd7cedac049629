/* Divergence, the speed limit and the precision event. */
#include "check.h"
#include "sheet.h"

static uint32_t count_events(const pbd_world *world, enum pbd_event_type type, struct pbd_event *last) {
    const struct pbd_event *events;
    uint32_t count = pbd_world_events(world, &events), found = 0;
    for (uint32_t i = 0; i < count; ++i)
        if (events[i].type == type) {
            *last = events[i];
            ++found;
        }
    return found;
}

static pbd_cloth_id add_sheet(pbd_world *world, struct sheet *sheet, const uint32_t *pins,
                              uint32_t pin_count) {
    struct pbd_cloth_settings settings = pbd_default_cloth_settings();
    settings.cloth_collision = false; /* sheets lie in each other here */
    return cloth_from(world, sheet_fabric(sheet, 0.2f), sheet->positions, &settings, pins, pin_count);
}

static void diverged_cloth_stops_at_its_last_finite_state_and_the_world_goes_on(void) {
    struct pbd_world_settings settings = pbd_default_world_settings();
    pbd_world *world = pbd_world_create(&settings);
    struct sheet sheet = sheet_create(6, 6, 1, 1);
    pbd_cloth_id wild = add_sheet(world, &sheet, NULL, 0), tame = add_sheet(world, &sheet, NULL, 0);
    pbd_snapshot *snapshot = pbd_world_snapshot(world);
    step_ticks(world, 3);
    float velocities[108] = {0};
    velocities[3 * 8] = 3e38f;
    velocities[3 * 9] = -3e38f;
    CHECK_INT(pbd_cloth_set_state(world, wild, NULL, velocities), PBD_OK);
    struct point before = vertex_position(world, wild, 20);
    step_ticks(world, 1);
    struct pbd_event event = {.type = PBD_EVENT_DIVERGED};
    CHECK_INT(count_events(world, PBD_EVENT_DIVERGED, &event), 1);
    CHECK(event.cloth == wild && event.vertex < 36);
    struct pbd_cloth_view view;
    CHECK_INT(pbd_cloth_get_view(world, wild, &view), PBD_OK);
    CHECK(view.frozen);
    for (uint32_t p = 0; p < view.particle_count; ++p)
        CHECK(isfinite(view.x[p]) && isfinite(view.y[p]) && isfinite(view.vx[p]));
    struct point after = vertex_position(world, wild, 20);
    CHECK(memcmp(&before, &after, sizeof before) == 0);
    double y = vertex_position(world, tame, 0).y;
    step_ticks(world, 5);
    CHECK(vertex_position(world, tame, 0).y < y);
    after = vertex_position(world, wild, 20);
    CHECK(memcmp(&before, &after, sizeof before) == 0);
    CHECK_INT(count_events(world, PBD_EVENT_DIVERGED, &event), 0);

    /* After a restore the next 100 ticks equal those of a fresh world. */
    CHECK_INT(pbd_world_restore(world, snapshot), PBD_OK);
    pbd_world *fresh = pbd_world_create(&settings);
    add_sheet(fresh, &sheet, NULL, 0);
    add_sheet(fresh, &sheet, NULL, 0);
    for (int i = 0; i < 100; ++i) {
        step_ticks(world, 1);
        step_ticks(fresh, 1);
        CHECK(pbd_world_state_hash(world) == pbd_world_state_hash(fresh));
    }
    pbd_snapshot_destroy(snapshot);
    pbd_world_destroy(fresh);
    sheet_destroy(&sheet);
    pbd_world_destroy(world);
}

static void a_new_state_sets_a_frozen_cloth_free(void) {
    struct pbd_world_settings settings = pbd_default_world_settings();
    pbd_world *world = pbd_world_create(&settings);
    struct sheet sheet = sheet_create(4, 4, 1, 1);
    pbd_cloth_id id = add_sheet(world, &sheet, NULL, 0);
    float velocities[48];
    for (int k = 0; k < 48; ++k)
        velocities[k] = k % 2 ? 3e38f : -3e38f;
    CHECK_INT(pbd_cloth_set_state(world, id, NULL, velocities), PBD_OK);
    step_ticks(world, 1);
    memset(velocities, 0, sizeof velocities);
    CHECK_INT(pbd_cloth_set_state(world, id, sheet.positions, velocities), PBD_OK);
    step_ticks(world, 10);
    CHECK(vertex_position(world, id, 5).y < -0.05);
    sheet_destroy(&sheet);
    pbd_world_destroy(world);
}

static void too_fast_is_clamped_and_reported(void) {
    struct pbd_world_settings settings = quiet_settings();
    settings.max_speed = 20.0f;
    pbd_world *world = pbd_world_create(&settings);
    struct sheet sheet = sheet_create(4, 4, 1, 1);
    pbd_cloth_id id = add_sheet(world, &sheet, NULL, 0);
    float velocities[48];
    for (int v = 0; v < 16; ++v) {
        velocities[3 * v] = 30.0f;
        velocities[3 * v + 1] = 0.0f;
        velocities[3 * v + 2] = -40.0f;
    }
    CHECK_INT(pbd_cloth_set_state(world, id, NULL, velocities), PBD_OK);
    step_ticks(world, 1);
    struct pbd_event event = {.type = PBD_EVENT_DIVERGED};
    CHECK_INT(count_events(world, PBD_EVENT_CLAMPED, &event), 1);
    CHECK(event.cloth == id && event.max == 20.0f);
    CHECK_NEAR(event.got, 50.0, 1e-2); /* u of 0.08 m in 600ths: 50·2e-5 at most */
    struct point v = vertex_velocity(world, id, 7);
    CHECK_NEAR(v.x, 12.0, 1e-3);
    CHECK_NEAR(v.z, -16.0, 1e-3);
    step_ticks(world, 1);
    CHECK_INT(count_events(world, PBD_EVENT_CLAMPED, &event), 0);
    sheet_destroy(&sheet);
    pbd_world_destroy(world);
}

static void a_fast_pin_is_not_clamped(void) {
    struct pbd_world_settings settings = quiet_settings();
    settings.max_speed = 20.0f;
    settings.solver.method = PBD_METHOD_PBD;
    pbd_world *world = pbd_world_create(&settings);
    const float positions[9] = {0, 0, 0, 1, 0, 0, 0, 0, 1};
    const uint32_t triangle[3] = {0, 1, 2}, all[3] = {0, 1, 2};
    struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
    pbd_cloth_id id = cloth_from(world, fabric_from(positions, 3, triangle, 1, NULL, 0, NULL, 0.2f),
                                 positions, &cloth, all, 3);
    const float targets[9] = {1, 0, 0, 2, 0, 0, 1, 0, 1};
    CHECK_INT(pbd_cloth_move(world, id, all, 3, targets, 0), PBD_OK);
    step_ticks(world, 1);
    CHECK_NEAR(vertex_velocity(world, id, 0).x, 60.0, 1e-3);
    struct pbd_event event = {.type = PBD_EVENT_DIVERGED};
    CHECK_INT(count_events(world, PBD_EVENT_CLAMPED, &event), 0);
    pbd_world_destroy(world);
}

/* g·h² = 2.7e-5 m at 10 substeps; 64 ulp of 1000 is 3.9e-3 m, of 1 it is 7.6e-6 m. */
static void too_large_a_coordinate_is_named_once(void) {
    for (int far = 0; far < 2; ++far) {
        struct pbd_world_settings settings = pbd_default_world_settings();
        pbd_world *world = pbd_world_create(&settings);
        struct sheet sheet = sheet_create(4, 4, 1, 1);
        if (far)
            for (uint32_t v = 0; v < 16; ++v)
                sheet.positions[3 * v + 1] = 1000.0f;
        pbd_cloth_id id = add_sheet(world, &sheet, NULL, 0);
        step_ticks(world, 1);
        struct pbd_event event = {.type = PBD_EVENT_DIVERGED};
        CHECK_INT(count_events(world, PBD_EVENT_PRECISION, &event), far);
        if (far) {
            CHECK_INT(event.cloth, id);
            CHECK_NEAR(event.got, 9.8 / 360000, 1e-9);
            CHECK_NEAR(event.max, 64 * 0x1p-14, 1e-9); /* just below 1000: exponent 9 */
        }
        step_ticks(world, 1);
        CHECK_INT(count_events(world, PBD_EVENT_PRECISION, &event), 0);
        sheet_destroy(&sheet);
        pbd_world_destroy(world);
    }
}

/* 40 sheets within 40 balls would be 1600 overlaps: their number is bounded, and what
 * else there is to tell has its room. */
static void overlaps_are_bounded_and_push_nothing_out(void) {
    struct pbd_world_settings settings = pbd_default_world_settings();
    pbd_world *world = pbd_world_create(&settings);
    struct sheet sheet = sheet_create(3, 3, 1, 1);
    pbd_cloth_id wild = 0;
    for (int i = 0; i < 40; ++i) {
        struct pbd_collider_def ball = pbd_default_collider_def();
        pbd_collider_id id;
        ball.shape.radius = 2.0f;
        CHECK_INT(pbd_collider_add(world, &ball, &id), PBD_OK);
        wild = add_sheet(world, &sheet, NULL, 0);
    }
    const float velocities[27] = {[12] = 3e38f, [15] = -3e38f};
    CHECK_INT(pbd_cloth_set_state(world, wild, NULL, velocities), PBD_OK);
    step_ticks(world, 1);
    struct pbd_event event = {0};
    CHECK_INT(count_events(world, PBD_EVENT_INITIAL_OVERLAP, &event), 1024);
    CHECK_INT(count_events(world, PBD_EVENT_DIVERGED, &event), 1);
    CHECK(event.cloth == wild);
    sheet_destroy(&sheet);
    pbd_world_destroy(world);
}

RUN_TESTS(TEST(diverged_cloth_stops_at_its_last_finite_state_and_the_world_goes_on),
          TEST(a_new_state_sets_a_frozen_cloth_free), TEST(too_fast_is_clamped_and_reported),
          TEST(a_fast_pin_is_not_clamped), TEST(too_large_a_coordinate_is_named_once),
          TEST(overlaps_are_bounded_and_push_nothing_out))
