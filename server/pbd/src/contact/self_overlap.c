/* Triangles that pass through each other at the start: counted and reported, not
 * untangled. Two do so when an edge of one passes through the inside of the other. */
#include <stdlib.h>

#include "contact/self_internal.h"

#include "math/elementary.h"

struct counting {
    const struct self_couple *couple;
    uint32_t count;
    bool same;
};

static struct vec3 corner_at(const struct pbd_cloth *cloth, uint32_t i) {
    const struct cloth_state *s = &cloth->state;
    return vec3_make((double)s->x[i], (double)s->y[i], (double)s->z[i]);
}

/* Whether an edge of `one` passes through `other`; edges that end in a corner of `other`
 * only touch it. */
static bool pierces(const uint32_t one[3], const struct vec3 a[3], const uint32_t other[3],
                    const struct vec3 b[3], bool same) {
    for (int k = 0; k < 3; ++k) {
        uint32_t p = one[k], q = one[(k + 1) % 3];
        bool joined = false;
        for (int i = 0; same && i < 3; ++i)
            joined = joined || other[i] == p || other[i] == q;
        if (!joined && look_edge_pierces(a[k], a[(k + 1) % 3], b)) return true;
    }
    return false;
}

static void count_pair(struct counting *counting, uint32_t one, uint32_t other) {
    const struct pbd_cloth *const *cloths = (const struct pbd_cloth *const *)counting->couple->cloths;
    const uint32_t *t = cloths[0]->surface->triangles + 3 * (size_t)one;
    const uint32_t *o = cloths[1]->surface->triangles + 3 * (size_t)other;
    struct vec3 a[3], b[3];
    for (int k = 0; k < 3; ++k) {
        a[k] = corner_at(cloths[0], t[k]);
        b[k] = corner_at(cloths[1], o[k]);
    }
    if (pierces(t, a, o, b, counting->same) || pierces(o, b, t, a, counting->same)) ++counting->count;
}

static void count_pairs(void *context, const struct grid_pair *pairs, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i)
        count_pair(context, pairs[i].query, pairs[i].item);
}

static void triangle_boxes(struct grid_box *boxes, const struct pbd_cloth *cloth) {
    const float *axes[3] = {cloth->state.x, cloth->state.y, cloth->state.z};
    for (uint32_t t = 0; t < cloth->surface->triangle_count; ++t) {
        const uint32_t *p = cloth->surface->triangles + 3 * (size_t)t;
        boxes[t].id = t;
        for (int k = 0; k < 3; ++k) {
            float a = axes[k][p[0]], b = axes[k][p[1]], c = axes[k][p[2]];
            boxes[t].low[k] = math_minf(math_minf(a, b), c);
            boxes[t].high[k] = math_maxf(math_maxf(a, b), c);
        }
    }
}

static int reserve_boxes(struct self_contacts *self, uint32_t count) {
    if (count <= self->box_capacity) return PBD_OK;
    for (int k = 0; k < 2; ++k) {
        struct grid_box *boxes = realloc(self->boxes[k], count * sizeof *boxes);
        if (boxes == NULL) return PBD_OUT_OF_MEMORY;
        self->boxes[k] = boxes;
    }
    self->box_capacity = count;
    return PBD_OK;
}

uint32_t self_count_overlaps(struct self_contacts *self, const struct self_couple *couple) {
    struct counting counting = {.couple = couple, .same = couple->cloths[0] == couple->cloths[1]};
    uint32_t counts[2] = {couple->cloths[0]->surface->triangle_count,
                          couple->cloths[1]->surface->triangle_count};
    uint32_t most = math_maxu(counts[0], counts[1]);
    if (reserve_boxes(self, most) < 0 || hash_grid_reserve(&self->grid, most) < 0) return 0;
    for (int k = 0; k < (counting.same ? 1 : 2); ++k)
        triangle_boxes(self->boxes[k], couple->cloths[k]);
    hash_grid_pairs(&self->grid, self->boxes[0], counts[0], counting.same ? NULL : self->boxes[1], counts[1],
                    0.0f, count_pairs, &counting);
    return counting.count;
}
