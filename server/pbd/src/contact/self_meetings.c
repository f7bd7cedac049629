/* Which patches of a couple are near each other, in order. */
#include <stdlib.h>
#include <string.h>

#include "contact/self_internal.h"
#include "math/elementary.h"

struct finding {
    struct self_contacts *self;
    bool same, failed;
};

static uint64_t key_of(uint32_t a, uint32_t b) {
    return (uint64_t)a << 32 | b;
}

static void add_key(struct finding *finding, uint64_t key) {
    struct self_contacts *self = finding->self;
    if (self->key_count == self->key_capacity) {
        uint32_t room = 2 * self->key_capacity + 1024;
        for (int k = 0; k < 2; ++k) {
            uint64_t *keys = realloc(self->keys[k], room * sizeof *keys);
            if (keys == NULL) {
                finding->failed = true;
                return;
            }
            self->keys[k] = keys;
        }
        self->key_capacity = room;
    }
    self->keys[0][self->key_count++] = key;
}

static void add_found(void *context, const struct grid_pair *pairs, uint32_t count) {
    struct finding *finding = context;
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t a = pairs[i].query, b = pairs[i].item;
        if (finding->same) {
            a = math_minu(pairs[i].query, pairs[i].item);
            b = math_maxu(pairs[i].query, pairs[i].item);
        }
        add_key(finding, key_of(a, b));
    }
}

/* Merge sort, bottom up; the result is in keys[0]. */
static void sort_keys(struct self_contacts *self) {
    uint64_t *from = self->keys[0], *to = self->keys[1];
    uint32_t count = self->key_count;
    for (uint32_t width = 1; width < count; width *= 2) {
        for (uint32_t first = 0; first < count; first += 2 * width) {
            uint32_t middle = math_minu(first + width, count), end = math_minu(first + 2 * width, count);
            uint32_t i = first, j = middle;
            for (uint32_t k = first; k < end; ++k)
                to[k] = j >= end || (i < middle && from[i] <= from[j]) ? from[i++] : from[j++];
        }
        uint64_t *swap = from;
        from = to;
        to = swap;
    }
    self->keys[0] = from;
    self->keys[1] = to;
}

/* Meetings for the keys found; former ones are taken over. */
static int take_over(const struct self_contacts *self, struct self_couple *couple) {
    if (self->key_count > couple->former_capacity) {
        uint32_t room = self->key_count + self->key_count / 2;
        struct self_meeting *meetings = realloc(couple->former, room * sizeof *meetings);
        if (meetings == NULL) return PBD_OUT_OF_MEMORY;
        couple->former = meetings;
        couple->former_capacity = room;
    }
    struct self_meeting *next = couple->former;
    const struct self_meeting *old = couple->meetings;
    uint32_t known = 0;
    for (uint32_t i = 0; i < self->key_count; ++i) {
        uint64_t key = self->keys[0][i];
        while (known < couple->meeting_count && key_of(old[known].patches[0], old[known].patches[1]) < key)
            ++known;
        if (known < couple->meeting_count && key_of(old[known].patches[0], old[known].patches[1]) == key)
            next[i] = old[known];
        else
            next[i] = (struct self_meeting){.patches = {(uint32_t)(key >> 32), (uint32_t)key}};
    }
    struct self_meeting *swap = couple->meetings;
    uint32_t swap_capacity = couple->meeting_capacity;
    couple->meetings = next;
    couple->meeting_capacity = couple->former_capacity;
    couple->meeting_count = self->key_count;
    couple->former = swap;
    couple->former_capacity = swap_capacity;
    return PBD_OK;
}

int self_find_meetings(struct self_contacts *self, struct self_couple *couple) {
    const struct self_scratch *a = couple->cloths[0]->surface->self, *b = couple->cloths[1]->surface->self;
    struct finding finding = {.self = self, .same = a == b};
    uint32_t most = math_maxu(a->patches.count, b->patches.count);
    ++self->searches;
    if (hash_grid_reserve(&self->grid, most) < 0) return PBD_OUT_OF_MEMORY;
    self->key_count = 0;
    for (uint32_t p = 0; finding.same && p < a->patches.count; ++p)
        add_key(&finding, key_of(p, p));
    hash_grid_pairs(&self->grid, a->boxes, a->patches.count, finding.same ? NULL : b->boxes, b->patches.count,
                    (float)(couple->h + couple->margin), add_found, &finding);
    if (finding.failed) return PBD_OUT_OF_MEMORY;
    sort_keys(self);
    return take_over(self, couple);
}
