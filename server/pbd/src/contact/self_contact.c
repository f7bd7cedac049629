/* The turn of contact between cloths in a tick: couples, lists, when lists are made anew,
 * and what is told and remembered. */
#include "contact/self_contact.h"

#include <float.h>
#include <stdlib.h>

#include "contact/self_internal.h"

/* Lists allow features to come closer by this much, m: what the predicted motion needs
 * until the tick's end, times AHEAD, but at most MARGIN_CELLS mean edges, since a list
 * grows with the square; and no less than a part of h or of an edge, so that rest makes no
 * new lists. */
#define AHEAD 1.25
#define MARGIN_CELLS 1.0
#define LEAST_H 0.5
#define LEAST_CELLS 0.02

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
    free(self->couples);
    free(self->bodies);
    free(self->sorted);
    free(self->boxes[0]);
    free(self->boxes[1]);
    free(self);
    world->self = NULL;
}

/* ---- lists ---- */

static struct self_body *body_of(struct self_contacts *self, const struct pbd_cloth *cloth) {
    uint32_t low = 0, high = self->body_count;
    while (low + 1 < high) {
        uint32_t middle = low + (high - low) / 2;
        if (self->bodies[middle].cloth->order <= cloth->order)
            low = middle;
        else
            high = middle;
    }
    return &self->bodies[low];
}

static double approach_of(struct self_contacts *self, const struct self_couple *couple) {
    const struct self_body *a = body_of(self, couple->cloths[0]), *b = body_of(self, couple->cloths[1]);
    return self_approach(&a->motion, &b->motion, a == b);
}

/* New lists for `remaining` substeps of which each brings features closer by `step`. */
static void make_lists(pbd_world *world, struct self_couple *couple, double step, double remaining) {
    double cap = MARGIN_CELLS * couple->cell, least = LEAST_H * couple->h;
    if (LEAST_CELLS * couple->cell > least) least = LEAST_CELLS * couple->cell;
    double want = AHEAD * step * remaining + least;
    couple->margin = want < cap ? want : cap;
    bool swept = couple->margin < AHEAD * step;
    if (swept) couple->margin = AHEAD * step;
    if (!(couple->margin <= FLT_MAX)) couple->margin = 0.0;
    couple->travel = 0.0;
    if (self_list_pairs(world->self, couple, swept) < 0) ++world->self->dropped;
    self_recall(couple);
}

/* In multiples of max_speed: whatever is faster is about to be stopped (§8), and must not
 * drag others along. */
#define WILD 4.0

static bool is_wild(const pbd_world *world, double step, double h) {
    return !(step <= WILD * (double)world->settings.max_speed * h);
}

/* ---- the calls ---- */

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

void self_begin_tick(pbd_world *world) {
    world->self_contact_count = 0;
    if (world->self == NULL && !has_work(world)) return;
    if (self_require(world) < 0) return;
    struct self_contacts *self = world->self;
    if (self_find_couples(world) < 0) ++self->dropped;
    double substeps = (double)world->settings.solver.substeps;
    for (uint32_t i = 0; i < self->couple_count; ++i) {
        struct self_couple *couple = &self->couples[i];
        couple->touched = couple->wild = false;
        if (!couple->near) continue;
        if (couple->cloths[0]->self_fresh || couple->cloths[1]->self_fresh) {
            couple->crossed_count = 0;
            tell_overlaps(world, couple);
        }
        double step = approach_of(self, couple) / substeps;
        couple->wild = is_wild(world, step, (double)world->settings.solver.dt / substeps);
        if (!couple->wild) make_lists(world, couple, step, substeps);
    }
    for (uint32_t i = 0; i < world->cloth_count; ++i)
        world->cloths[world->cloth_order[i]].self_fresh = false;
}

static void forget_touches(struct self_couple *couple) {
    for (uint32_t i = 0; i < couple->touch_count; ++i) {
        const struct self_touch *touch = &couple->touches[i];
        couple->lists[touch->kind].pairs[touch->pair].touch = 0;
    }
    couple->touch_count = 0;
}

void self_begin_substep(pbd_world *world, int index, int count, float h) {
    struct self_contacts *self = world->self;
    if (self == NULL) return;
    for (uint32_t i = 0; i < self->body_count; ++i)
        if (self->bodies[i].takes_part) self->bodies[i].motion = self_motion_of(self->bodies[i].cloth);
    for (uint32_t i = 0; i < self->couple_count; ++i) {
        struct self_couple *couple = &self->couples[i];
        if (!couple->near) continue;
        double step = approach_of(self, couple);
        bool stale = couple->wild || couple->travel + step > couple->margin;
        couple->wild = is_wild(world, step, (double)h);
        if (stale && index > 0) self_remember(couple);
        forget_touches(couple);
        if (stale && !couple->wild) make_lists(world, couple, step, (double)(count - index));
    }
}

void self_project(pbd_world *world, float h) {
    struct self_contacts *self = world->self;
    if (self == NULL) return;
    for (uint32_t i = 0; i < self->body_count; ++i) {
        struct self_body *body = &self->bodies[i];
        if (!body->takes_part) continue;
        body->motion.stray = self_stray_of(body->cloth, body->motion.mean);
        self_gather(body->cloth);
    }
    for (uint32_t i = 0; i < self->couple_count; ++i) {
        struct self_couple *couple = &self->couples[i];
        if (!couple->near || couple->wild) continue;
        double step = approach_of(self, couple);
        couple->wild = is_wild(world, step, (double)h);
        if (!couple->wild) self_project_couple(world, couple, couple->travel + step, (double)h);
    }
}

void self_velocities(pbd_world *world, float h) {
    struct self_contacts *self = world->self;
    if (self == NULL) return;
    for (uint32_t i = 0; i < self->body_count; ++i) {
        struct self_body *body = &self->bodies[i];
        if (body->takes_part)
            body->motion.stray = self_stray_of_velocities(body->cloth, body->motion.mean, h);
    }
    uint32_t touches = 0;
    for (uint32_t i = 0; i < self->couple_count; ++i) {
        struct self_couple *couple = &self->couples[i];
        if (!couple->near) continue;
        couple->travel += approach_of(self, couple);
        self_settle_couple(couple, (double)h);
        if (couple->touch_count > 0) couple->touched = true;
        touches += couple->touch_count;
    }
    if (touches > world->self_contact_count) world->self_contact_count = touches;
}

void self_end_tick(pbd_world *world) {
    struct self_contacts *self = world->self;
    for (uint32_t i = 0; self != NULL && i < self->couple_count; ++i) {
        struct self_couple *couple = &self->couples[i];
        if (!couple->near) {
            if (couple->crossed_count == 0) continue;
            bool rests = !cloth_is_active(couple->cloths[0]) && !cloth_is_active(couple->cloths[1]);
            if (!rests) couple->crossed_count = 0;
            continue;
        }
        self_remember(couple);
        forget_touches(couple);
    }
}

void self_skip_tick(pbd_world *world) {
    world->self_contact_count = 0;
    for (uint32_t i = 0; world->self != NULL && i < world->self->couple_count; ++i) {
        world->self->couples[i].near = world->self->couples[i].touched = false;
        world->self->couples[i].crossed_count = 0;
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
