/* Pairs on the wrong side and pairs that stick: remembered, found again, and part of a snapshot. */
#include "check.h"
#include "support_cloths.h"

/* Two sheets; some pairs say that they were driven through each other, some that they stick
 * and have slipped. */
static pbd_world *driven_through(void) {
    pbd_world *world = quiet_world();
    add_sheet(world, 9, 0, 0, 0, false);
    add_sheet(world, 9, 0.03, 0.004, 0.05, false);
    self_begin_tick(world);
    self_begin_substep(world, 0, 1);
    predict_rest(world);
    self_project(world, 1.0f / 60);
    self_velocities(world, 1.0f / 60);
    struct self_couple *couple = &world->self->couples[0];
    CHECK(couple->past_count > 20);
    for (uint32_t i = 0; i < couple->past_count; ++i) {
        couple->past[i].side = i % 2 ? couple->past[i].side : -couple->past[i].side;
        couple->past[i].sticks = i % 3 == 0;
        couple->past[i].carried[1] = 0.25 * i;
    }
    return world;
}

static void what_must_outlive_a_tick_is_remembered_in_order(void) {
    pbd_world *world = driven_through();
    struct self_couple *couple = &world->self->couples[0];
    self_remember(couple);
    CHECK(couple->memory_count > couple->past_count / 2 && couple->memory_count < couple->past_count);
    for (uint32_t i = 1; i < couple->memory_count; ++i) {
        const struct self_memory *a = &couple->memory[i - 1], *b = &couple->memory[i];
        int order = a->kind - b->kind;
        for (int k = 0; k < 4 && order == 0; ++k)
            order = a->p[k] < b->p[k] ? -1 : a->p[k] > b->p[k];
        CHECK(order < 0);
    }
    pbd_world_destroy(world);
}

static void a_new_list_knows_it(void) {
    pbd_world *world = driven_through();
    struct self_couple *couple = &world->self->couples[0];
    self_remember(couple);
    for (int kind = 0; kind < SELF_KINDS; ++kind)
        for (uint32_t i = 0; i < couple->pools[kind].count; ++i)
            couple->pools[kind].pairs[i].side = couple->pools[kind].pairs[i].seen = 0;
    self_begin_memory(couple);
    CHECK_INT(couple->past_count, couple->memory_count);
    for (int kind = 0; kind < SELF_KINDS; ++kind)
        for (uint32_t i = 0; i < couple->pools[kind].count; ++i)
            couple->pools[kind].pairs[i].touch = 0;
    for (uint32_t m = 0; m < couple->meeting_count; ++m)
        self_recall(couple, &couple->meetings[m]);
    uint32_t known = 0, wrong = 0;
    for (uint32_t m = 0; m < couple->meeting_count; ++m)
        for (int kind = 0; kind < SELF_KINDS; ++kind) {
            const struct self_stretch *s = &couple->meetings[m].stretches[kind];
            for (uint32_t i = s->first; i < s->first + s->count; ++i) {
                const struct self_pair *pair = &couple->pools[kind].pairs[i];
                if (pair->touch == 0) continue;
                ++known;
                const struct self_touch *past = &couple->past[pair->touch - 1];
                CHECK(memcmp(past->p, pair->p, sizeof pair->p) == 0 && (int)past->kind == kind);
                CHECK(past->carried[1] == (double)couple->memory[pair->touch - 1].carried[1]);
                wrong += pair->side != 0;
                if (pair->side != 0) CHECK_INT(pair->seen, -pair->side);
            }
        }
    CHECK_INT(known, couple->memory_count);
    CHECK(wrong > 5 && wrong < known);
    pbd_world_destroy(world);
}

static void a_snapshot_holds_it(void) {
    pbd_world *world = driven_through();
    self_remember(&world->self->couples[0]);
    pbd_snapshot *snapshot = pbd_world_snapshot(world);
    struct pbd_world_settings settings = quiet_settings();
    pbd_world *other = pbd_world_create(&settings);
    CHECK_INT(pbd_world_restore(other, snapshot), PBD_OK);
    CHECK(other->self != NULL);
    CHECK_INT(other->self->couple_count, 1);
    const struct self_couple *a = &world->self->couples[0], *b = &other->self->couples[0];
    CHECK_INT(b->memory_count, a->memory_count);
    CHECK(memcmp(a->memory, b->memory, a->memory_count * sizeof *a->memory) == 0);
    CHECK(b->ids[0] == a->ids[0] && b->ids[1] == a->ids[1] && b->order[1] == a->order[1]);
    pbd_snapshot_destroy(snapshot);
    pbd_world_destroy(other);
    pbd_world_destroy(world);
}

static void nothing_remembered_takes_no_room(void) {
    pbd_world *world = quiet_world();
    CHECK_INT(self_state_size(world), 0);
    add_sheet(world, 5, 0, 0, 0, true);
    step_ticks(world, 1);
    CHECK_INT(self_state_size(world), 0);
    CHECK_INT(self_state_load(world, NULL, 0), PBD_OK);
    pbd_world_destroy(world);
}

RUN_TESTS(TEST(what_must_outlive_a_tick_is_remembered_in_order), TEST(a_new_list_knows_it),
          TEST(a_snapshot_holds_it), TEST(nothing_remembered_takes_no_room))
