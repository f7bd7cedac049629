/* The turn of contact between cloths in a tick: what is told, what it costs, what is left alone. */
#include "check.h"
#include "support_cloths.h"

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

static void tangles_are_told_once(void) {
    pbd_world *world = quiet_world();
    struct sheet sheet = sheet_create(6, 6, 1, 1);
    struct pbd_cloth_settings settings = pbd_default_cloth_settings();
    pbd_cloth_id a = cloth_from(world, sheet_fabric(&sheet, 0.2f), sheet.positions, &settings, NULL, 0);
    pbd_fabric *fabric = sheet_fabric(&sheet, 0.2f);
    for (uint32_t v = 0; v < 36; ++v) { /* upright, through the first */
        sheet.positions[3 * v + 1] = sheet.positions[3 * v] + 0.03f;
        sheet.positions[3 * v] = 0.01f;
    }
    pbd_cloth_id b = cloth_from(world, fabric, sheet.positions, &settings, NULL, 0);
    struct pbd_event event = {0};
    step_ticks(world, 1);
    CHECK_INT(overlaps(world, &event), 1);
    CHECK(event.cloth == a && event.other == b && event.collider == 0);
    CHECK(event.count >= 10 && event.count <= 40);
    uint32_t count = event.count;
    step_ticks(world, 1);
    CHECK_INT(overlaps(world, &event), 0);
    CHECK_INT(pbd_cloth_set_state(world, b, sheet.positions, NULL), PBD_OK); /* a jump tells again */
    step_ticks(world, 1);
    CHECK_INT(overlaps(world, &event), 1);
    CHECK(event.count <= count + 10);
    settings.cloth_collision = false;
    CHECK_INT(pbd_cloth_set_settings(world, b, &settings), PBD_OK);
    step_ticks(world, 1);
    settings.cloth_collision = true; /* and so does beginning to touch */
    CHECK_INT(pbd_cloth_set_settings(world, b, &settings), PBD_OK);
    step_ticks(world, 1);
    CHECK_INT(overlaps(world, &event), 1);
    sheet_destroy(&sheet);
    pbd_world_destroy(world);
}

static void a_cloth_through_itself_is_told_as_itself(void) {
    pbd_world *world = quiet_world();
    pbd_cloth_id id = add_sheet(world, 9, 0, 0, 0, true);
    float positions[3 * 81];
    for (uint32_t v = 0; v < 81; ++v) { /* rolled up twice, the second turn through the first */
        double s = (v % 9) / 8.0, angle = 12.0 * s, r = 0.1 + 0.02 * ((v / 9) % 3);
        positions[3 * v] = (float)(r * cos(angle));
        positions[3 * v + 1] = (float)(r * sin(angle));
        positions[3 * v + 2] = (float)((v / 9) / 8.0);
    }
    CHECK_INT(pbd_cloth_set_state(world, id, positions, NULL), PBD_OK);
    struct pbd_event event = {0};
    step_ticks(world, 1);
    CHECK_INT(overlaps(world, &event), 1);
    CHECK(event.cloth == id && event.other == id && event.count > 0);
    pbd_world_destroy(world);
}

static void who_touches_nobody_has_nothing(void) {
    pbd_world *world = quiet_world();
    pbd_cloth_id a = add_sheet(world, 6, 0, 0, 0, false);
    step_ticks(world, 3);
    CHECK(world->self == NULL);
    pbd_cloth_id b = add_sheet(world, 6, 0, 4, 0, false); /* far away */
    step_ticks(world, 3);
    CHECK(world_cloth(world, a)->surface == NULL && world_cloth(world, b)->surface == NULL);
    CHECK_INT(pbd_world_get_stats(world).self_contacts, 0);
    pbd_world_destroy(world);
}

static void touching_cloths_are_counted_and_named(void) {
    pbd_world *world = quiet_world();
    pbd_cloth_id a = add_sheet(world, 6, 0, 0, 0, false), b = add_sheet(world, 6, 0.02, 0.006, 0.03, false);
    uint32_t cursor = 0;
    pbd_cloth_id one, other;
    CHECK(!self_next_touch(world, &cursor, &one, &other));
    step_ticks(world, 1);
    CHECK(pbd_world_get_stats(world).self_contacts > 10);
    cursor = 0;
    CHECK(self_next_touch(world, &cursor, &one, &other));
    CHECK(one == a && other == b);
    CHECK(!self_next_touch(world, &cursor, &one, &other));
    pbd_world_destroy(world);
}

static void jacobi_leaves_cloths_to_pass(void) {
    uint64_t hashes[2];
    for (int touching = 0; touching < 2; ++touching) {
        struct pbd_world_settings settings = pbd_default_world_settings();
        settings.solver.method = PBD_METHOD_JACOBI;
        pbd_world *world = pbd_world_create(&settings);
        for (int k = 0; k < 2; ++k) {
            pbd_cloth_id id = add_sheet(world, 6, 0.02 * k, 0.006 * k, 0, touching);
            struct pbd_cloth_settings cloth;
            CHECK_INT(pbd_cloth_get_settings(world, id, &cloth), PBD_OK);
            cloth.cloth_collision = touching;
            CHECK_INT(pbd_cloth_set_settings(world, id, &cloth), PBD_OK);
        }
        step_ticks(world, 5);
        CHECK_INT(pbd_world_get_stats(world).self_contacts, 0);
        hashes[touching] = pbd_world_state_hash(world);
        pbd_world_destroy(world);
    }
    CHECK(hashes[0] == hashes[1]);
}

/* A cloth that flies to pieces freezes; the one that it lies on stays whole. */
static void what_is_not_finite_spoils_no_other(void) {
    pbd_world *world = quiet_world();
    pbd_cloth_id good = add_sheet(world, 9, 0, 0, 0, true),
                 bad = add_sheet(world, 9, 0.02, 0.009, 0.03, true);
    float velocities[3 * 81] = {0};
    velocities[3 * 40] = 3e38f;
    velocities[3 * 41 + 1] = -3e38f;
    CHECK_INT(pbd_cloth_set_state(world, bad, NULL, velocities), PBD_OK);
    step_ticks(world, 5);
    struct pbd_cloth_view view;
    CHECK_INT(pbd_cloth_get_view(world, bad, &view), PBD_OK);
    CHECK(view.frozen);
    CHECK_INT(pbd_cloth_get_view(world, good, &view), PBD_OK);
    CHECK(!view.frozen);
    for (uint32_t p = 0; p < view.particle_count; ++p)
        CHECK(fabs((double)view.x[p]) < 2 && fabs((double)view.y[p]) < 2 && fabs((double)view.z[p]) < 2);
    pbd_world_destroy(world);
}

static void coordinates_of_a_million_work(void) {
    pbd_world *world = quiet_world();
    pbd_cloth_id a = add_sheet(world, 6, 999998, 0, -999998, true);
    add_sheet(world, 6, 999998, 0.006, -999998, true);
    step_ticks(world, 3);
    CHECK(vertex_position(world, a, 0).x > 999996);
    pbd_world_destroy(world);
}

/* All vertices at random in one ball: every feature is near every other one. */
static void a_knot_does_not_hold_up_the_world(void) {
    pbd_world *world = quiet_world();
    struct pbd_world_settings settings = pbd_default_world_settings();
    pbd_world_set_settings(world, &settings);
    pbd_cloth_id id = add_sheet(world, 16, 0, 0, 0, true);
    float positions[3 * 256];
    struct random random = {11};
    for (uint32_t k = 0; k < 3 * 256; ++k)
        positions[k] = (float)random_between(&random, -0.05, 0.05);
    CHECK_INT(pbd_cloth_set_state(world, id, positions, NULL), PBD_OK);
    step_ticks(world, 1);
    const struct self_couple *couple = &world->self->couples[0];
    printf("     %llu comparisons, %llu lists left out\n", (unsigned long long)couple->work,
           (unsigned long long)world->self->dropped);
    CHECK(couple->work < couple->budget + 100000);
    CHECK(pbd_world_get_stats(world).self_dropped > 0);
    pbd_world_destroy(world);
}

RUN_TESTS(TEST(tangles_are_told_once), TEST(a_cloth_through_itself_is_told_as_itself),
          TEST(who_touches_nobody_has_nothing), TEST(touching_cloths_are_counted_and_named),
          TEST(jacobi_leaves_cloths_to_pass), TEST(what_is_not_finite_spoils_no_other),
          TEST(coordinates_of_a_million_work), TEST(a_knot_does_not_hold_up_the_world))
