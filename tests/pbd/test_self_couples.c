/* Which cloths can meet within a tick. */
#include "check.h"
#include "support_cloths.h"

static uint32_t near_couples(pbd_world *world) {
    CHECK_INT(self_require(world), PBD_OK);
    CHECK_INT(self_find_couples(world), PBD_OK);
    uint32_t count = 0;
    for (uint32_t i = 0; i < world->self->couple_count; ++i)
        count += world->self->couples[i].near;
    return count;
}

static void near_boxes_meet_and_far_ones_do_not(void) {
    pbd_world *world = quiet_world();
    pbd_cloth_id a = add_sheet(world, 4, 0, 0, 0, false), b = add_sheet(world, 4, 0.5, 0.005, 0, false);
    add_sheet(world, 4, 5, 0, 0, false);
    CHECK_INT(near_couples(world), 1);
    const struct self_couple *couple = &world->self->couples[0];
    CHECK(couple->ids[0] == a && couple->ids[1] == b);
    CHECK_NEAR(couple->h, 0.01, 1e-8);
    pbd_world_destroy(world);
}

static void a_cloth_on_its_way_meets_what_it_can_reach(void) {
    pbd_world *world = quiet_world();
    add_sheet(world, 4, 0, 0, 0, false);
    pbd_cloth_id fast = add_sheet(world, 4, 0, 1, 0, false);
    CHECK_INT(near_couples(world), 0);
    float velocities[3 * 16] = {0};
    for (int v = 0; v < 16; ++v)
        velocities[3 * v + 1] = -60.0f;
    CHECK_INT(pbd_cloth_set_state(world, fast, NULL, velocities), PBD_OK);
    CHECK_INT(near_couples(world), 1);
    pbd_world_destroy(world);
}

static void settings_decide_who_touches(void) {
    pbd_world *world = quiet_world();
    pbd_cloth_id a = add_sheet(world, 4, 0, 0, 0, true);
    add_sheet(world, 4, 0, 0.02, 0, false);
    CHECK_INT(near_couples(world), 2); /* a with itself, and both */
    struct pbd_cloth_settings settings;
    CHECK_INT(pbd_cloth_get_settings(world, a, &settings), PBD_OK);
    settings.cloth_collision = false;
    CHECK_INT(pbd_cloth_set_settings(world, a, &settings), PBD_OK);
    CHECK_INT(near_couples(world), 1);
    settings.self_collision = false;
    CHECK_INT(pbd_cloth_set_settings(world, a, &settings), PBD_OK);
    CHECK_INT(near_couples(world), 0);
    pbd_world_destroy(world);
}

static void couples_are_sorted_and_go_with_their_cloths(void) {
    pbd_world *world = quiet_world();
    pbd_cloth_id ids[4];
    for (int i = 0; i < 4; ++i)
        ids[i] = add_sheet(world, 4, 0.3 * (3 - i), 0, 0, i % 2);
    CHECK_INT(near_couples(world), 8);
    for (uint32_t i = 1; i < world->self->couple_count; ++i) {
        const struct self_couple *a = &world->self->couples[i - 1], *b = &world->self->couples[i];
        CHECK(a->order[0] < b->order[0] || (a->order[0] == b->order[0] && a->order[1] < b->order[1]));
        CHECK(b->order[0] <= b->order[1]);
    }
    CHECK_INT(pbd_cloth_remove(world, ids[1]), PBD_OK);
    CHECK_INT(near_couples(world), 4);
    CHECK_INT(world->self->couple_count, 4);
    pbd_world_destroy(world);
}

static void what_sleeps_on_what_sleeps_does_not_meet(void) {
    pbd_world *world = quiet_world();
    pbd_cloth_id a = add_sheet(world, 4, 0, 0, 0, true), b = add_sheet(world, 4, 0, 0.005, 0, false);
    world_cloth(world, a)->asleep = true;
    CHECK_INT(near_couples(world), 1);
    world_cloth(world, b)->frozen = true;
    CHECK_INT(near_couples(world), 0);
    pbd_world_destroy(world);
}

RUN_TESTS(TEST(near_boxes_meet_and_far_ones_do_not), TEST(a_cloth_on_its_way_meets_what_it_can_reach),
          TEST(settings_decide_who_touches), TEST(couples_are_sorted_and_go_with_their_cloths),
          TEST(what_sleeps_on_what_sleeps_does_not_meet))
