/* The turn of contact between cloths in a tick: couples, meetings and lists, when they
 * are looked at anew, and what is told and remembered. */
#include "contact/self_contact.h"

#include <float.h>
#include <stdlib.h>

#include "contact/self_internal.h"

/* A margin is what the present motion needs for the rest of the tick, times AHEAD, within
 * bounds: for meetings of patches at most 2 cells (mean edges); for lists, whose length
 * grows with its square, what LIST_STEPS looks need and at most a quarter. */
#define AHEAD 1.25
#define MEETING_CELLS 2.0
#define LIST_STEPS 4.0
#define LIST_CELLS 0.25
/* No less than this, of h and of a cell, so that rest lists nothing anew. */
#define LEAST_H 0.25
#define LEAST_CELLS 0.02
/* Comparisons in a tick for each edge and vertex of a couple. Two sheets of 10 000 vertices
 * that meet at 20 m/s need 400; a knot whose features are all near each other needs their
 * square, and must not hold up the world: what is beyond is not looked at in this tick. */
#define BUDGET 512u
/* Of the least altitude: triangles turn by no more than that many radians. */
#define FLAT_TURN 0.35
/* In multiples of max_speed: whatever is faster is about to be stopped (§8), and must not
 * drag others along. */
#define WILD 4.0

int self_require(pbd_world *world) {
    if (world->self == NULL) world->self = calloc(1, sizeof *world->self);
    return world->self != NULL ? PBD_OK : PBD_OUT_OF_MEMORY;
}

void self_destroy(pbd_world *world) {
    struct self_contacts *self = world->self;
    if (self == NULL) return;
    for (uint32_t i = 0; i < self->couple_count; ++i)
        self_couple_destroy(&self->couples[i]);
    hash_grid_destroy(&self->grid);
    self_pool_destroy(&self->fresh);
    free(self->couples);
    free(self->bodies);
    free(self->sorted);
    for (int k = 0; k < 2; ++k) {
        free(self->boxes[k]);
        free(self->keys[k]);
    }
    free(self);
    world->self = NULL;
}

uint64_t self_dropped(const pbd_world *world) {
    return world->self != NULL ? world->self->dropped : 0;
}

/* ---- a tick's beginning ---- */

static bool has_work(const pbd_world *world) {
    uint32_t meeting = 0;
    for (uint32_t i = 0; i < world->cloth_count; ++i) {
        const struct pbd_cloth *cloth = &world->cloths[world->cloth_order[i]];
        if (cloth->settings.self_collision) return true;
        meeting += cloth->settings.cloth_collision;
    }
    return meeting > 1;
}

static void tell_overlaps(pbd_world *world, const struct self_couple *couple) {
    uint32_t count = self_count_overlaps(world->self, couple);
    if (count == 0 || world->event_count >= OVERLAP_EVENTS_MAX) return;
    world_emit(world, &(struct pbd_event){.type = PBD_EVENT_INITIAL_OVERLAP,
                                          .cloth = couple->ids[0],
                                          .other = couple->ids[1],
                                          .count = count});
}

/* Lists of former ticks go: what a tick does follows from the state at its start. */
static void begin_couple(pbd_world *world, struct self_couple *couple) {
    couple->touched = couple->wild = couple->searched = false;
    couple->touch_count = couple->meeting_count = 0;
    for (int kind = 0; kind < SELF_KINDS; ++kind)
        couple->pools[kind].count = 0;
    if (!couple->near) return;
    couple->work = couple->budget = 0;
    for (int k = 0; k < 2; ++k) {
        const pbd_fabric *fabric = couple->cloths[k]->fabric;
        couple->budget += BUDGET * ((uint64_t)fabric->stretch.count + fabric->particle_count);
    }
    self_begin_memory(couple);
    if (!couple->cloths[0]->self_fresh && !couple->cloths[1]->self_fresh) return;
    couple->memory_count = couple->past_count = 0;
    tell_overlaps(world, couple);
}

void self_begin_tick(pbd_world *world) {
    world->self_contact_count = 0;
    if (world->self == NULL && !has_work(world)) return;
    if (self_require(world) < 0) return;
    struct self_contacts *self = world->self;
    if (self_find_couples(world) < 0) ++self->dropped;
    for (uint32_t i = 0; i < self->couple_count; ++i)
        begin_couple(world, &self->couples[i]);
    for (uint32_t i = 0; i < world->cloth_count; ++i)
        world->cloths[world->cloth_order[i]].self_fresh = false;
    for (uint32_t i = 0; i < self->body_count; ++i)
        if (self->bodies[i].takes_part) self_look_first(self->bodies[i].cloth);
}

/* ---- a substep ---- */

void self_begin_substep(pbd_world *world, int index, int count) {
    struct self_contacts *self = world->self;
    if (self == NULL) return;
    self->remaining = (double)(count - index);
    for (uint32_t i = 0; i < self->couple_count; ++i)
        self->couples[i].touch_count = 0;
}

static double least_of(const struct self_couple *couple) {
    return look_larger(LEAST_H * couple->h, LEAST_CELLS * couple->cell);
}

static double smaller(double a, double b) {
    return a < b ? a : b;
}

/* Meetings anew, where patches may have come as near as those that were left out. */
static void search(struct self_contacts *self, struct self_couple *couple) {
    const struct self_scratch *a = couple->cloths[0]->surface->self, *b = couple->cloths[1]->surface->self;
    double step = self_approach(&a->whole, &b->whole, a == b);
    couple->step = step;
    couple->travel += step;
    if (couple->searched && couple->travel <= couple->margin) return;
    couple->margin = smaller(AHEAD * step * self->remaining + least_of(couple), MEETING_CELLS * couple->cell);
    couple->margin = look_larger(couple->margin, least_of(couple));
    couple->travel = 0.0;
    couple->searched = self_find_meetings(self, couple) == PBD_OK;
    if (!couple->searched) ++self->dropped;
}

/* Nothing to look at before the meeting's travel is beyond margin. */
static void leave_alone(struct self_meeting *meeting, double margin) {
    for (int kind = 0; kind < SELF_KINDS; ++kind)
        meeting->stretches[kind].count = 0;
    meeting->margin = margin;
}

/* Lists a meeting's pairs: none where both patches are flat and hang together, or still far. */
static void list(struct self_contacts *self, struct self_couple *couple, struct self_meeting *meeting,
                 double step) {
    struct pbd_cloth *const *cloths = couple->cloths;
    uint32_t a = meeting->patches[0], b = meeting->patches[1];
    bool first = !meeting->listed;
    meeting->listed = true;
    meeting->travel = 0.0;
    meeting->flat = cloths[0] == cloths[1] && self_is_flat(self, cloths[0], a, b);
    if (meeting->flat) {
        const float *altitude = cloths[0]->surface->self->patches.altitude;
        leave_alone(meeting, FLAT_TURN * smaller((double)altitude[a], (double)altitude[b]));
        return;
    }
    double apart = self_distance(&cloths[0]->surface->self->boxes[a], &cloths[1]->surface->self->boxes[b]);
    if (apart > couple->h + least_of(couple)) {
        leave_alone(meeting, apart - couple->h);
        return;
    }
    if (couple->work > couple->budget) {
        leave_alone(meeting, 0.0);
        ++self->dropped;
        return;
    }
    meeting->margin = look_larger(smaller(LIST_STEPS * step, LIST_CELLS * couple->cell), least_of(couple));
    uint64_t before = self->candidates;
    if (self_list_pairs(self, couple, meeting, step) < 0) ++self->dropped;
    couple->work += self->candidates - before;
    if (first) self_recall(couple, meeting);
}

static void project_couple(pbd_world *world, struct self_couple *couple) {
    struct self_contacts *self = world->self;
    const struct self_motion *a = couple->cloths[0]->surface->self->motions,
                             *b = couple->cloths[1]->surface->self->motions;
    for (uint32_t i = 0; i < couple->meeting_count; ++i) {
        struct self_meeting *meeting = &couple->meetings[i];
        uint32_t p = meeting->patches[0], q = meeting->patches[1];
        double step = self_approach(&a[p], &b[q], a == b && p == q);
        meeting->step = step;
        meeting->travel += step;
        if (!meeting->listed || !(meeting->travel <= meeting->margin)) list(self, couple, meeting, step);
        if (!meeting->flat) self_project_meeting(world, couple, meeting);
    }
}

void self_project(pbd_world *world, float h) {
    struct self_contacts *self = world->self;
    if (self == NULL) return;
    ++self->look;
    for (uint32_t i = 0; i < self->body_count; ++i)
        if (self->bodies[i].takes_part) self_look_again(self->bodies[i].cloth);
    double limit = WILD * (double)world->settings.max_speed * (double)h;
    for (uint32_t i = 0; i < self->couple_count; ++i) {
        struct self_couple *couple = &self->couples[i];
        if (!couple->near) continue;
        search(self, couple);
        couple->wild = !(couple->step <= limit);
        if (!couple->wild) project_couple(world, couple);
    }
    for (uint32_t i = 0; i < self->body_count; ++i)
        if (self->bodies[i].takes_part) self_look_away(self->bodies[i].cloth);
}

void self_velocities(pbd_world *world, float h) {
    struct self_contacts *self = world->self;
    if (self == NULL) return;
    uint32_t touches = 0;
    for (uint32_t i = 0; i < self->couple_count; ++i) {
        struct self_couple *couple = &self->couples[i];
        if (!couple->near) continue;
        if (couple->touch_count > 0) couple->touched = true;
        touches += couple->touch_count;
        self_end_touches(couple, (double)h);
        self_settle_couple(world, couple, (double)h);
    }
    if (touches > world->self_contact_count) world->self_contact_count = touches;
}

/* ---- a tick's end ---- */

void self_end_tick(pbd_world *world) {
    struct self_contacts *self = world->self;
    for (uint32_t i = 0; self != NULL && i < self->couple_count; ++i) {
        struct self_couple *couple = &self->couples[i];
        if (couple->near) {
            self_remember(couple);
        } else if (couple->memory_count > 0) {
            bool rests = !cloth_is_active(couple->cloths[0]) && !cloth_is_active(couple->cloths[1]);
            if (!rests) couple->memory_count = 0;
        }
    }
}

void self_skip_tick(pbd_world *world) {
    world->self_contact_count = 0;
    for (uint32_t i = 0; world->self != NULL && i < world->self->couple_count; ++i) {
        struct self_couple *couple = &world->self->couples[i];
        couple->near = couple->touched = false;
        couple->memory_count = couple->touch_count = 0;
    }
}

bool self_next_touch(const pbd_world *world, uint32_t *cursor, pbd_cloth_id *a, pbd_cloth_id *b) {
    const struct self_contacts *self = world->self;
    while (self != NULL && *cursor < self->couple_count) {
        const struct self_couple *couple = &self->couples[(*cursor)++];
        if (!couple->near || !couple->touched || couple->ids[0] == couple->ids[1]) continue;
        *a = couple->ids[0];
        *b = couple->ids[1];
        return true;
    }
    return false;
}
