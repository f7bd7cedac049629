/* What outlives a tick: pairs that were driven to the wrong side, and where they belong
 * (usually none); pairs that stick, and how far they slipped meanwhile. */
#include "contact/self_internal.h"

#include <stdlib.h>
#include <string.h>

static struct vec3 position(const struct pbd_cloth *cloth, uint32_t i) {
    const struct cloth_state *s = &cloth->state;
    return vec3_make((double)s->x[i] + (double)s->ex[i], (double)s->y[i] + (double)s->ey[i],
                     (double)s->z[i] + (double)s->ez[i]);
}

static bool on_wrong_side(const struct self_couple *couple, const struct self_touch *touch) {
    if (touch->side == 0) return false;
    struct vec3 p[4];
    for (int k = 0; k < 4; ++k)
        p[k] = position(self_owner(couple, touch->kind, k), touch->p[k]);
    struct look look = touch->kind == SELF_EDGE_EDGE ? look_edge_edge(p) : look_vertex_triangle(p);
    return look.sound && look.inside && (look.volume < 0.0) != (touch->side < 0);
}

static bool reserve_memory(struct self_couple *couple, uint32_t count) {
    if (count <= couple->memory_capacity) return true;
    uint32_t room = 2 * count + 16;
    struct self_memory *memory = realloc(couple->memory, room * sizeof *memory);
    if (memory == NULL) return false;
    couple->memory = memory;
    couple->memory_capacity = room;
    return true;
}

/* ---- a total order, so that a pair is found among many ---- */

static int compare(const struct self_memory *memory, int kind, const uint32_t p[4]) {
    if (memory->kind != kind) return memory->kind < kind ? -1 : 1;
    for (int k = 0; k < 4; ++k)
        if (memory->p[k] != p[k]) return memory->p[k] < p[k] ? -1 : 1;
    return 0;
}

static void sift(struct self_memory *heap, uint32_t at, uint32_t count) {
    struct self_memory moved = heap[at];
    for (uint32_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && compare(&heap[child], heap[child + 1].kind, heap[child + 1].p) < 0) ++child;
        if (compare(&moved, heap[child].kind, heap[child].p) >= 0) break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = moved;
}

/* Heap sort: in place, and never slow. */
static void sort(struct self_memory *memory, uint32_t count) {
    for (uint32_t at = count / 2; at > 0; --at)
        sift(memory, at - 1, count);
    for (uint32_t end = count; end > 1; --end) {
        struct self_memory largest = memory[0];
        memory[0] = memory[end - 1];
        memory[end - 1] = largest;
        sift(memory, 0, end - 1);
    }
}

static const struct self_memory *find(const struct self_couple *couple, int kind, const uint32_t p[4]) {
    uint32_t low = 0, high = couple->memory_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int order = compare(&couple->memory[middle], kind, p);
        if (order == 0) return &couple->memory[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

void self_remember(struct self_couple *couple) {
    couple->memory_count = 0;
    for (uint32_t i = 0; i < couple->past_count; ++i) {
        const struct self_touch *touch = &couple->past[i];
        bool wrong = on_wrong_side(couple, touch);
        if (!wrong && !touch->sticks) continue;
        if (!reserve_memory(couple, couple->memory_count + 1)) break;
        struct self_memory *memory = &couple->memory[couple->memory_count++];
        memset(memory, 0, sizeof *memory);
        memcpy(memory->p, touch->p, sizeof memory->p);
        memory->kind = (uint8_t)touch->kind;
        memory->side = (int8_t)(wrong ? touch->side : 0);
        for (int k = 0; k < 3; ++k)
            memory->carried[k] = (float)touch->carried[k];
    }
    sort(couple->memory, couple->memory_count);
}

void self_begin_memory(struct self_couple *couple) {
    if (couple->memory_count > couple->past_capacity) {
        struct self_touch *past = realloc(couple->past, couple->memory_count * sizeof *past);
        if (past == NULL) couple->memory_count = 0;
        if (past != NULL) {
            couple->past = past;
            couple->past_capacity = couple->memory_count;
        }
    }
    couple->past_count = couple->memory_count;
    for (uint32_t i = 0; i < couple->past_count; ++i) {
        const struct self_memory *memory = &couple->memory[i];
        struct self_touch *past = &couple->past[i];
        *past = (struct self_touch){.kind = (enum self_kind)memory->kind};
        memcpy(past->p, memory->p, sizeof past->p);
        for (int k = 0; k < 3; ++k)
            past->carried[k] = (double)memory->carried[k];
    }
}

void self_recall(struct self_couple *couple, const struct self_meeting *meeting) {
    for (int kind = 0; couple->memory_count > 0 && kind < SELF_KINDS; ++kind) {
        const struct self_stretch *stretch = &meeting->stretches[kind];
        for (uint32_t k = stretch->first; k < stretch->first + stretch->count; ++k) {
            struct self_pair *pair = &couple->pools[kind].pairs[k];
            const struct self_memory *memory = find(couple, kind, pair->p);
            if (memory == NULL) continue;
            pair->touch = (uint32_t)(memory - couple->memory) + 1;
            if (memory->side == 0) continue;
            pair->side = memory->side;
            pair->seen = (int8_t)-memory->side;
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
        if (couple->memory_count > 0)
            size += sizeof(struct saved_couple) + couple->memory_count * sizeof *couple->memory;
    }
    return size;
}

void self_state_save(const pbd_world *world, void *out) {
    char *to = out;
    for (uint32_t i = 0; world->self != NULL && i < world->self->couple_count; ++i) {
        const struct self_couple *couple = &world->self->couples[i];
        if (couple->memory_count == 0) continue;
        struct saved_couple saved = {.count = couple->memory_count};
        memcpy(saved.ids, couple->ids, sizeof saved.ids);
        memcpy(saved.order, couple->order, sizeof saved.order);
        memcpy(to, &saved, sizeof saved);
        to += sizeof saved;
        memcpy(to, couple->memory, couple->memory_count * sizeof *couple->memory);
        to += couple->memory_count * sizeof *couple->memory;
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
        if (couple == NULL || !reserve_memory(couple, saved.count)) return PBD_OUT_OF_MEMORY;
        memcpy(couple->memory, from, saved.count * sizeof *couple->memory);
        couple->memory_count = saved.count;
        from += saved.count * sizeof *couple->memory;
    }
    return PBD_OK;
}
