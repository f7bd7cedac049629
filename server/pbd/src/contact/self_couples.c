/* Which cloths can meet within a tick: those that touch themselves, and those whose
 * boxes, swept by their motion, overlap. Boxes are sorted along x, so far ones cost
 * nothing; in each couple's turn the cloth that was added first comes first. */
#include "contact/self_internal.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "math/elementary.h"

/* A particle's way in a tick may exceed speed·dt, where constraints pull. */
#define REACH 2.0
#define LANES 16u

void self_couple_destroy(struct self_couple *couple) {
    for (int kind = 0; kind < SELF_KINDS; ++kind)
        self_pool_destroy(&couple->pools[kind]);
    free(couple->meetings);
    free(couple->former);
    free(couple->touches);
    free(couple->past);
    free(couple->memory);
    *couple = (struct self_couple){0};
}

/* ---- bodies ---- */

static void range_of(const float *a, uint32_t count, float *low, float *high) {
    float least[LANES], most[LANES];
    for (uint32_t k = 0; k < LANES; ++k)
        least[k] = most[k] = a[0];
    uint32_t whole = count / LANES * LANES;
    for (uint32_t first = 0; first < whole; first += LANES)
        for (uint32_t k = 0; k < LANES; ++k) {
            least[k] = math_minf(a[first + k], least[k]);
            most[k] = math_maxf(a[first + k], most[k]);
        }
    for (uint32_t i = whole; i < count; ++i) {
        least[0] = math_minf(a[i], least[0]);
        most[0] = math_maxf(a[i], most[0]);
    }
    for (uint32_t k = 1; k < LANES; ++k) {
        least[0] = math_minf(least[k], least[0]);
        most[0] = math_maxf(most[k], most[0]);
    }
    *low = least[0];
    *high = most[0];
}

/* The largest speed, m/s. */
static double fastest(const struct pbd_cloth *cloth) {
    const struct cloth_state *s = &cloth->state;
    float most[LANES] = {0.0f};
    for (uint32_t first = 0; first < cloth->fabric->padded_count; first += LANES)
        for (uint32_t k = 0; k < LANES; ++k) {
            float vx = s->vx[first + k], vy = s->vy[first + k], vz = s->vz[first + k];
            most[k] = math_maxf(vx * vx + vy * vy + vz * vz, most[k]);
        }
    for (uint32_t k = 1; k < LANES; ++k)
        most[0] = math_maxf(most[k], most[0]);
    return __builtin_sqrt((double)most[0]);
}

/* How far pins lead a particle within the tick at most. */
static double pin_reach(const struct pbd_cloth *cloth) {
    double most = 0.0;
    for (uint32_t i = 0; i < cloth->pin_count; ++i) {
        const struct pin *pin = &cloth->pins[i];
        if (pin->done >= pin->total) continue;
        double square = 0.0;
        for (int k = 0; k < 3; ++k) {
            double way = ((double)pin->to[k] - (double)pin->from[k]) / pin->total;
            square += way * way;
        }
        most = square > most ? square : most;
    }
    return __builtin_sqrt(most);
}

static double gravity_of(const pbd_world *world) {
    return vec3_length(vec3_from(world->settings.gravity));
}

/* The way of the fastest collider: what it hits may go as far. */
static double collider_reach(const pbd_world *world) {
    double most = 0.0;
    for (uint32_t i = 0; i < world->collider_count; ++i) {
        const struct pbd_collider *collider = &world->colliders[world->collider_order[i]];
        double way = collider->tick_shift;
        if (collider->shape.type != PBD_PLANE) way += collider->tick_turn * collider->shape.bound;
        most = way > most ? way : most;
    }
    return most < FLT_MAX ? most : 0.0;
}

static void measure_body(const pbd_world *world, struct self_body *body, double pushed) {
    const struct pbd_cloth *cloth = body->cloth;
    const float *axes[3] = {cloth->state.x, cloth->state.y, cloth->state.z};
    double dt = (double)world->settings.solver.dt;
    for (int k = 0; k < 3; ++k)
        range_of(axes[k], cloth->fabric->particle_count, &body->low[k], &body->high[k]);
    body->reach = 0.0;
    if (!cloth_is_active(cloth)) return;
    body->reach = REACH * (fastest(cloth) + gravity_of(world) * dt) * dt + pushed + pin_reach(cloth);
}

/* ---- couples ---- */

struct self_couple *self_new_couple(struct self_contacts *self, uint32_t place, const pbd_cloth_id ids[2],
                                    const uint32_t order[2]) {
    if (self->couple_count == self->couple_capacity) {
        uint32_t room = 2 * self->couple_capacity + 8;
        struct self_couple *couples = realloc(self->couples, room * sizeof *couples);
        if (couples == NULL) return NULL;
        self->couples = couples;
        self->couple_capacity = room;
    }
    memmove(&self->couples[place + 1], &self->couples[place],
            (self->couple_count - place) * sizeof *self->couples);
    ++self->couple_count;
    self->couples[place] = (struct self_couple){.ids = {ids[0], ids[1]}, .order = {order[0], order[1]}};
    return &self->couples[place];
}

static struct self_couple *couple_of(struct self_contacts *self, const struct self_body *a,
                                     const struct self_body *b) {
    uint32_t low = 0, high = self->couple_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const struct self_couple *couple = &self->couples[middle];
        bool before = couple->order[0] != a->cloth->order ? couple->order[0] < a->cloth->order
                                                          : couple->order[1] < b->cloth->order;
        if (before)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < self->couple_count && self->couples[low].ids[0] == a->cloth->id &&
        self->couples[low].ids[1] == b->cloth->id)
        return &self->couples[low];
    const pbd_cloth_id ids[2] = {a->cloth->id, b->cloth->id};
    const uint32_t order[2] = {a->cloth->order, b->cloth->order};
    return self_new_couple(self, low, ids, order);
}
static int join(struct self_contacts *self, struct self_body *a, struct self_body *b) {
    struct self_couple *couple = couple_of(self, a, b);
    if (couple == NULL || self_require_scratch(a->cloth) < 0 || self_require_scratch(b->cloth) < 0)
        return PBD_OUT_OF_MEMORY;
    const struct pbd_cloth_settings *s = &a->cloth->settings, *t = &b->cloth->settings;
    couple->cloths[0] = a->cloth;
    couple->cloths[1] = b->cloth;
    couple->near = true;
    couple->h = 0.5 * ((double)surface_thickness(a->cloth) + (double)surface_thickness(b->cloth));
    couple->cell = 0.5 * ((double)a->cloth->fabric->mean_edge + (double)b->cloth->fabric->mean_edge);
    couple->friction = friction_combine(s->friction, s->static_friction, t->friction, t->static_friction);
    a->takes_part = b->takes_part = true;
    return PBD_OK;
}

/* Those of removed cloths go. */
static void drop_stale(pbd_world *world) {
    struct self_contacts *self = world->self;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < self->couple_count; ++i) {
        struct self_couple *couple = &self->couples[i];
        couple->near = false;
        couple->cloths[0] = world_cloth(world, couple->ids[0]);
        couple->cloths[1] = world_cloth(world, couple->ids[1]);
        if (couple->cloths[0] == NULL || couple->cloths[1] == NULL) {
            self_couple_destroy(couple);
            continue;
        }
        if (kept != i) self->couples[kept] = *couple;
        ++kept;
    }
    self->couple_count = kept;
}

static int reserve_bodies(struct self_contacts *self, uint32_t count) {
    if (count <= self->body_capacity) return PBD_OK;
    uint32_t room = count + count / 2;
    struct self_body *bodies = realloc(self->bodies, room * sizeof *bodies);
    if (bodies == NULL) return PBD_OUT_OF_MEMORY;
    self->bodies = bodies;
    uint32_t *sorted = realloc(self->sorted, 2 * room * sizeof *sorted);
    if (sorted == NULL) return PBD_OUT_OF_MEMORY;
    self->sorted = sorted;
    self->body_capacity = room;
    return PBD_OK;
}

static double swept_low(const struct self_body *body, int axis) {
    return (double)body->low[axis] - body->reach - (double)body->cloth->settings.thickness;
}
static double swept_high(const struct self_body *body, int axis) {
    return (double)body->high[axis] + body->reach + (double)body->cloth->settings.thickness;
}

/* By low x, then by place: merge sort, bottom up. */
static void sort_bodies(struct self_contacts *self, uint32_t count) {
    uint32_t *from = self->sorted, *to = self->sorted + self->body_capacity;
    for (uint32_t width = 1; width < count; width *= 2) {
        for (uint32_t first = 0; first < count; first += 2 * width) {
            uint32_t middle = math_minu(first + width, count), end = math_minu(first + 2 * width, count);
            uint32_t i = first, j = middle;
            for (uint32_t k = first; k < end; ++k) {
                bool left = j >= end || (i < middle && swept_low(&self->bodies[from[i]], 0) <=
                                                           swept_low(&self->bodies[from[j]], 0));
                to[k] = left ? from[i++] : from[j++];
            }
        }
        uint32_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != self->sorted) memcpy(self->sorted, from, count * sizeof *from);
}

static bool overlap(const struct self_body *a, const struct self_body *b) {
    for (int k = 1; k < 3; ++k)
        if (!(swept_low(a, k) <= swept_high(b, k) && swept_low(b, k) <= swept_high(a, k))) return false;
    return true;
}

static int join_others(struct self_contacts *self) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < self->body_count; ++i)
        if (self->bodies[i].meets) self->sorted[count++] = i;
    sort_bodies(self, count);
    int result = PBD_OK;
    for (uint32_t i = 0; i < count; ++i) {
        struct self_body *a = &self->bodies[self->sorted[i]];
        for (uint32_t j = i + 1; j < count; ++j) {
            struct self_body *b = &self->bodies[self->sorted[j]];
            if (!(swept_low(b, 0) <= swept_high(a, 0))) break;
            if (!cloth_is_active(a->cloth) && !cloth_is_active(b->cloth)) continue;
            if (!overlap(a, b)) continue;
            if (join(self, a->cloth->order < b->cloth->order ? a : b,
                     a->cloth->order < b->cloth->order ? b : a) < 0)
                result = PBD_OUT_OF_MEMORY;
        }
    }
    return result;
}

int self_find_couples(pbd_world *world) {
    struct self_contacts *self = world->self;
    drop_stale(world);
    self->body_count = 0;
    if (reserve_bodies(self, world->cloth_count) < 0) return PBD_OUT_OF_MEMORY;
    uint32_t meeting = 0;
    for (uint32_t i = 0; i < world->cloth_count; ++i)
        meeting += world->cloths[world->cloth_order[i]].settings.cloth_collision;
    double pushed = collider_reach(world);
    int result = PBD_OK;
    for (uint32_t i = 0; i < world->cloth_count; ++i) {
        struct self_body *body = &self->bodies[self->body_count++];
        *body = (struct self_body){.cloth = &world->cloths[world->cloth_order[i]]};
        const struct pbd_cloth_settings *settings = &body->cloth->settings;
        body->meets = settings->cloth_collision && meeting > 1;
        bool alone = settings->self_collision && cloth_is_active(body->cloth);
        if (body->meets || alone) measure_body(world, body, pushed);
        if (alone && join(self, body, body) < 0) result = PBD_OUT_OF_MEMORY;
    }
    if (meeting > 1 && join_others(self) < 0) result = PBD_OUT_OF_MEMORY;
    return result;
}
