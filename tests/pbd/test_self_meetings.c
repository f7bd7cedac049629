/* Which patches are near: all of them, in order, with what was known. */
#include "check.h"
#include "support_cloths.h"

static struct self_couple *couple_at(pbd_world *world, uint32_t index) {
    self_begin_tick(world);
    predict_rest(world);
    for (uint32_t i = 0; i < world->cloth_count; ++i)
        self_look_again(&world->cloths[world->cloth_order[i]]);
    CHECK(world->self->couple_count > index);
    return &world->self->couples[index];
}

static void check_all_near(const struct self_couple *couple) {
    const struct self_scratch *a = couple->cloths[0]->surface->self, *b = couple->cloths[1]->surface->self;
    uint32_t wanted = 0, at = 0;
    for (uint32_t p = 0; p < a->patches.count; ++p)
        for (uint32_t q = a == b ? p : 0; q < b->patches.count; ++q) {
            bool near = true;
            for (int k = 0; k < 3; ++k) {
                double reach = couple->h + couple->margin;
                near = near && (double)a->boxes[p].low[k] - reach <= (double)b->boxes[q].high[k] &&
                       (double)b->boxes[q].low[k] - reach <= (double)a->boxes[p].high[k];
            }
            if (!near) continue;
            ++wanted;
            while (at < couple->meeting_count &&
                   (couple->meetings[at].patches[0] < p ||
                    (couple->meetings[at].patches[0] == p && couple->meetings[at].patches[1] < q)))
                ++at;
            CHECK(at < couple->meeting_count && couple->meetings[at].patches[0] == p &&
                  couple->meetings[at].patches[1] == q);
        }
    CHECK_INT(couple->meeting_count, wanted);
}

static void all_near_patches_meet_in_order(void) {
    pbd_world *world = quiet_world();
    add_sheet(world, 25, 0, 0, 0, true);
    add_sheet(world, 17, 0.3, 0.015, 0.2, false);
    for (uint32_t i = 0; i < 2; ++i) {
        struct self_couple *couple = couple_at(world, i);
        couple->margin = 0.06;
        CHECK_INT(self_find_meetings(world->self, couple), PBD_OK);
        CHECK(couple->meeting_count > 10);
        check_all_near(couple);
    }
    pbd_world_destroy(world);
}

static void those_that_met_before_keep_what_they_knew(void) {
    pbd_world *world = quiet_world();
    add_sheet(world, 25, 0, 0, 0, true);
    struct self_couple *couple = couple_at(world, 0);
    couple->margin = 0.01;
    CHECK_INT(self_find_meetings(world->self, couple), PBD_OK);
    uint32_t few = couple->meeting_count;
    for (uint32_t i = 0; i < few; ++i)
        couple->meetings[i].travel =
            1.0 + couple->meetings[i].patches[0] + 100.0 * couple->meetings[i].patches[1];
    couple->margin = 0.3;
    CHECK_INT(self_find_meetings(world->self, couple), PBD_OK);
    CHECK(couple->meeting_count > few);
    uint32_t known = 0;
    for (uint32_t i = 0; i < couple->meeting_count; ++i) {
        const struct self_meeting *meeting = &couple->meetings[i];
        if (meeting->travel == 0.0) continue;
        ++known;
        CHECK(meeting->travel == 1.0 + meeting->patches[0] + 100.0 * meeting->patches[1]);
    }
    CHECK_INT(known, few);
    pbd_world_destroy(world);
}

RUN_TESTS(TEST(all_near_patches_meet_in_order), TEST(those_that_met_before_keep_what_they_knew))
