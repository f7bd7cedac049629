/* What outlives the lists: pairs that were driven to the wrong side, and where they
 * belong. Usually there are none. */
#include "contact/self_internal.h"

#include <stdlib.h>
#include <string.h>

static struct vec3 position(const struct pbd_cloth *cloth, uint32_t i) {
    const struct cloth_state *s = &cloth->state;
    return vec3_make((double)s->x[i] + (double)s->ex[i], (double)s->y[i] + (double)s->ey[i],
                     (double)s->z[i] + (double)s->ez[i]);
}

static bool on_wrong_side(const struct self_couple *couple, const struct self_touch *touch) {
    struct vec3 p[4];
    for (int k = 0; k < 4; ++k)
        p[k] = position(self_owner(couple, touch->kind, k), touch->p[k]);
    struct look look = touch->kind == SELF_EDGE_EDGE ? look_edge_edge(p) : look_vertex_triangle(p);
    return look.sound && look.inside && touch->side != 0 && (look.volume < 0.0) != (touch->side < 0);
}

static bool reserve(struct self_couple *couple, uint32_t count) {
    if (count <= couple->crossed_capacity) return true;
    uint32_t room = 2 * count + 16;
    struct self_crossed *crossed = realloc(couple->crossed, room * sizeof *crossed);
    if (crossed == NULL) return false;
    couple->crossed = crossed;
    couple->crossed_capacity = room;
    return true;
}

/* ---- a total order, so that a pair is found among many ---- */

static int compare(const struct self_crossed *crossed, int kind, const uint32_t p[4]) {
    if (crossed->kind != kind) return crossed->kind < kind ? -1 : 1;
    for (int k = 0; k < 4; ++k)
        if (crossed->p[k] != p[k]) return crossed->p[k] < p[k] ? -1 : 1;
    return 0;
}

static void sift(struct self_crossed *heap, uint32_t at, uint32_t count) {
    struct self_crossed moved = heap[at];
    for (uint32_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && compare(&heap[child], heap[child + 1].kind, heap[child + 1].p) < 0) ++child;
        if (compare(&moved, heap[child].kind, heap[child].p) >= 0) break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = moved;
}

/* Heap sort: in place, and never slow. */
static void sort(struct self_crossed *crossed, uint32_t count) {
    for (uint32_t at = count / 2; at > 0; --at)
        sift(crossed, at - 1, count);
    for (uint32_t end = count; end > 1; --end) {
        struct self_crossed largest = crossed[0];
        crossed[0] = crossed[end - 1];
        crossed[end - 1] = largest;
        sift(crossed, 0, end - 1);
    }
}

static const struct self_crossed *find(const struct self_couple *couple, int kind, const uint32_t p[4]) {
    uint32_t low = 0, high = couple->crossed_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int order = compare(&couple->crossed[middle], kind, p);
        if (order == 0) return &couple->crossed[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

void self_remember(struct self_couple *couple) {
    couple->crossed_count = 0;
    for (uint32_t i = 0; i < couple->touch_count; ++i) {
        const struct self_touch *touch = &couple->touches[i];
        if (!on_wrong_side(couple, touch)) continue;
        if (!reserve(couple, couple->crossed_count + 1)) break;
        struct self_crossed *crossed = &couple->crossed[couple->crossed_count++];
        memset(crossed, 0, sizeof *crossed);
        memcpy(crossed->p, touch->p, sizeof crossed->p);
        crossed->kind = (uint8_t)touch->kind;
        crossed->side = (int8_t)touch->side;
    }
    sort(couple->crossed, couple->crossed_count);
}

void self_recall(struct self_couple *couple, const struct self_meeting *meeting) {
    for (int kind = 0; couple->crossed_count > 0 && kind < SELF_KINDS; ++kind) {
        const struct self_stretch *stretch = &meeting->stretches[kind];
        for (uint32_t k = stretch->first; k < stretch->first + stretch->count; ++k) {
            struct self_pair *pair = &couple->pools[kind].pairs[k];
            const struct self_crossed *crossed = find(couple, kind, pair->p);
            if (crossed == NULL) continue;
            pair->side = crossed->side;
            pair->seen = (int8_t)-crossed->side;
        }
    }
}

/* ---- snapshots: per couple with any, its cloths and the pairs ---- */

struct saved_couple {
    pbd_cloth_id ids[2];
    uint32_t order[2], count;
};

size_t self_state_size(const pbd_world *world) {
    size_t size = 0;
    for (uint32_t i = 0; world->self != NULL && i < world->self->couple_count; ++i) {
        const struct self_couple *couple = &world->self->couples[i];
        if (couple->crossed_count > 0)
            size += sizeof(struct saved_couple) + couple->crossed_count * sizeof *couple->crossed;
    }
    return size;
}

void self_state_save(const pbd_world *world, void *out) {
    char *to = out;
    for (uint32_t i = 0; world->self != NULL && i < world->self->couple_count; ++i) {
        const struct self_couple *couple = &world->self->couples[i];
        if (couple->crossed_count == 0) continue;
        struct saved_couple saved = {.count = couple->crossed_count};
        memcpy(saved.ids, couple->ids, sizeof saved.ids);
        memcpy(saved.order, couple->order, sizeof saved.order);
        memcpy(to, &saved, sizeof saved);
        to += sizeof saved;
        memcpy(to, couple->crossed, couple->crossed_count * sizeof *couple->crossed);
        to += couple->crossed_count * sizeof *couple->crossed;
    }
}

int self_state_load(pbd_world *world, const void *in, size_t size) {
    const char *from = in, *end = from + size;
    if (size == 0) return PBD_OK;
    if (self_require(world) < 0) return PBD_OUT_OF_MEMORY;
    struct self_contacts *self = world->self;
    while (from < end) {
        struct saved_couple saved;
        memcpy(&saved, from, sizeof saved);
        from += sizeof saved;
        struct self_couple *couple = self_new_couple(self, self->couple_count, saved.ids, saved.order);
        if (couple == NULL || !reserve(couple, saved.count)) return PBD_OUT_OF_MEMORY;
        memcpy(couple->crossed, from, saved.count * sizeof *couple->crossed);
        couple->crossed_count = saved.count;
        from += saved.count * sizeof *couple->crossed;
    }
    return PBD_OK;
}
