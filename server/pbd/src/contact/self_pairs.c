/* A meeting's pairs that may touch: boxes of features near the other patch against each
 * other, then a lower bound of the distance. */
#include <stdlib.h>

#include "contact/self_internal.h"
#include "math/elementary.h"

#define BLOCK 16u
#define BOXES_MAX (PATCH_EDGES_MAX + BLOCK)

void self_pool_destroy(struct self_pool *pool) {
    free(pool->pairs);
    free(pool->reach);
    *pool = (struct self_pool){0};
}

static int pool_reserve(struct self_pool *pool, uint32_t count) {
    if (count <= pool->capacity) return PBD_OK;
    uint32_t room = count + count / 2 + 256;
    if (room < count) return PBD_OUT_OF_MEMORY;
    struct self_pair *pairs = realloc(pool->pairs, room * sizeof *pairs);
    if (pairs == NULL) return PBD_OUT_OF_MEMORY;
    pool->pairs = pairs;
    float *reach = realloc(pool->reach, room * sizeof *reach);
    if (reach == NULL) return PBD_OUT_OF_MEMORY;
    pool->reach = reach;
    pool->capacity = room;
    return PBD_OK;
}

/* Features of one kind of one patch that come near the other. */
struct features {
    const struct surface_node *nodes;
    const uint32_t *corners; /* of the patch: width each */
    uint32_t width, count;
    uint32_t place[BOXES_MAX]; /* within the patch */
    float low[3][BOXES_MAX], high[3][BOXES_MAX];
};

/* Those that reach into [low, high]. */
static void choose(struct features *features, const struct pbd_cloth *cloth, const struct patch_list *list,
                   uint32_t patch, uint32_t width, const float low[3], const float high[3]) {
    const struct surface_node *nodes = cloth->surface->nodes;
    features->nodes = nodes;
    features->corners = list->at + (size_t)width * list->first[patch];
    features->width = width;
    uint32_t count = 0;
    for (uint32_t i = 0; i < patch_size(list, patch); ++i) {
        const uint32_t *corner = features->corners + (size_t)width * i;
        const struct surface_node *node = &nodes[corner[0]];
        float least[3] = {(float)node->x, (float)node->y, (float)node->z};
        float most[3] = {least[0], least[1], least[2]};
        for (uint32_t k = 1; k < width; ++k) {
            node = &nodes[corner[k]];
            const float at[3] = {(float)node->x, (float)node->y, (float)node->z};
            for (int axis = 0; axis < 3; ++axis) {
                least[axis] = math_minf(at[axis], least[axis]);
                most[axis] = math_maxf(at[axis], most[axis]);
            }
        }
        bool near = true;
        for (int axis = 0; axis < 3; ++axis) {
            near = near && least[axis] <= high[axis] && most[axis] >= low[axis];
            features->low[axis][count] = least[axis];
            features->high[axis][count] = most[axis];
        }
        features->place[count] = i;
        count += near;
    }
    features->count = count;
    for (uint32_t i = count; i < count + BLOCK; ++i) /* the last block is read whole */
        for (int axis = 0; axis < 3; ++axis)
            features->low[axis][i] = features->high[axis][i] = 0.0f;
}

/* What adding a pair needs. */
struct listing {
    struct self_contacts *self;
    struct self_couple *couple;
    struct self_meeting *meeting;
    enum self_kind kind;
    const unsigned char *borders; /* of the second patch's triangles */
    bool same, failed;
    float reach; /* m, between boxes */
    double slack, step;
};

static bool near_at_rest(const struct listing *listing, const uint32_t p[4]) {
    const pbd_fabric *fabric = listing->couple->cloths[0]->fabric;
    struct vec3 at[4];
    for (int k = 0; k < 4; ++k)
        at[k] = vec3_from(fabric->view.rest_positions + 3 * (size_t)fabric->view.particle_vertex[p[k]]);
    double distance =
        listing->kind == SELF_EDGE_EDGE ? look_edge_edge_distance(at) : look_vertex_triangle_distance(at);
    return distance < listing->couple->h;
}

static void consider(struct listing *listing, const struct features *first, uint32_t i,
                     const struct features *second, uint32_t j) {
    const struct self_couple *couple = listing->couple;
    const uint32_t *a = first->corners + (size_t)first->width * first->place[i],
                   *b = second->corners + (size_t)second->width * second->place[j];
    bool edges = listing->kind == SELF_EDGE_EDGE;
    uint32_t firsts = first->width;
    uint32_t p[4];
    for (uint32_t k = 0; k < 4; ++k)
        p[k] = k < firsts ? a[k] : b[k - firsts];
    if (listing->same) {
        if (edges ? (p[0] == p[2]) | (p[0] == p[3]) | (p[1] == p[2]) | (p[1] == p[3])
                  : (p[0] == p[1]) | (p[0] == p[2]) | (p[0] == p[3]))
            return;
    }
    struct vec3 at[4];
    double w = 0.0;
    for (uint32_t k = 0; k < 4; ++k) {
        const struct surface_node *node = k < firsts ? &first->nodes[p[k]] : &second->nodes[p[k]];
        at[k] = vec3_make(node->x, node->y, node->z);
        w += node->w;
    }
    double clear = edges ? look_edge_edge(at).clear : look_vertex_triangle(at).clear;
    double gap = clear - couple->h - listing->slack;
    if (!(gap <= listing->meeting->margin + listing->step) || !(w > 0.0)) return;
    if (listing->same && near_at_rest(listing, p)) return;
    struct self_pool *fresh = &listing->self->fresh;
    if (fresh->count == fresh->capacity && pool_reserve(fresh, fresh->count + 1) < 0) {
        listing->failed = true;
        return;
    }
    fresh->reach[fresh->count] = (float)(gap - listing->step);
    fresh->pairs[fresh->count++] =
        (struct self_pair){.p = {p[0], p[1], p[2], p[3]},
                           .rank = first->place[i] << 16 | second->place[j],
                           .borders = edges ? 0 : listing->borders[second->place[j]]};
}

static void compare(struct listing *listing, const struct features *first, const struct features *second,
                    bool once) {
    for (uint32_t i = 0; i < first->count; ++i) {
        float low[3], high[3];
        for (int axis = 0; axis < 3; ++axis) {
            low[axis] = first->low[axis][i] - listing->reach;
            high[axis] = first->high[axis][i] + listing->reach;
        }
        for (uint32_t begin = once ? i + 1 : 0; begin < second->count; begin += BLOCK) {
            const float *lx = second->low[0] + begin, *ly = second->low[1] + begin,
                        *lz = second->low[2] + begin;
            const float *hx = second->high[0] + begin, *hy = second->high[1] + begin,
                        *hz = second->high[2] + begin;
            int hit[BLOCK], any = 0;
            for (uint32_t k = 0; k < BLOCK; ++k)
                hit[k] = (lx[k] <= high[0]) & (hx[k] >= low[0]) & (ly[k] <= high[1]) & (hy[k] >= low[1]) &
                         (lz[k] <= high[2]) & (hz[k] >= low[2]);
            for (uint32_t k = 0; k < BLOCK; ++k)
                any |= hit[k];
            if (!any) continue;
            uint32_t here = math_minu(second->count - begin, BLOCK);
            for (uint32_t k = 0; k < here; ++k) {
                if (!hit[k]) continue;
                ++listing->self->candidates;
                consider(listing, first, i, second, begin + k);
            }
        }
    }
}

/* Puts the fresh list into the pool in the meeting's place, with what was known of pairs. */
static int place(struct self_contacts *self, struct self_pool *pool, struct self_stretch *stretch) {
    struct self_pool *fresh = &self->fresh;
    uint32_t old = stretch->first, end = stretch->first + stretch->count;
    for (uint32_t i = 0; i < fresh->count; ++i) {
        struct self_pair *pair = &fresh->pairs[i];
        while (old < end && pool->pairs[old].rank < pair->rank)
            ++old;
        if (old == end) break;
        if (pool->pairs[old].rank == pair->rank) {
            pair->side = pool->pairs[old].side;
            pair->seen = pool->pairs[old].seen;
            pair->touch = pool->pairs[old].touch;
            pair->look = pool->pairs[old].look;
        }
    }
    if (fresh->count > stretch->room) {
        uint32_t room = fresh->count + fresh->count / 4 + 4;
        if (pool_reserve(pool, pool->count + room) < 0) {
            stretch->count = 0;
            return PBD_OUT_OF_MEMORY;
        }
        stretch->first = pool->count;
        stretch->room = room;
        pool->count += room;
    }
    stretch->count = fresh->count;
    for (uint32_t i = 0; i < fresh->count; ++i) {
        pool->pairs[stretch->first + i] = fresh->pairs[i];
        pool->reach[stretch->first + i] = fresh->reach[i];
    }
    return PBD_OK;
}

int self_list_pairs(struct self_contacts *self, struct self_couple *couple, struct self_meeting *meeting,
                    double step) {
    ++self->listings;
    struct features chosen[2];
    const struct self_scratch *scratch[2];
    const float *low[2], *high[2];
    float from[2][3], to[2][3];
    double largest = 0.0;
    for (int k = 0; k < 2; ++k) {
        scratch[k] = couple->cloths[k]->surface->self;
        const struct grid_box *box = &scratch[k]->boxes[meeting->patches[k]];
        low[k] = box->low;
        high[k] = box->high;
        for (int axis = 0; axis < 3; ++axis)
            largest = look_larger(largest, look_larger(-(double)low[k][axis], (double)high[k][axis]));
    }
    /* Boxes are rounded to float. */
    double slack = 0x1p-22 * largest;
    float reach = (float)(couple->h + meeting->margin + step + 4.0 * slack);
    for (int k = 0; k < 2; ++k)
        for (int axis = 0; axis < 3; ++axis) {
            from[k][axis] = low[k][axis] - reach;
            to[k][axis] = high[k][axis] + reach;
        }
    bool same = couple->cloths[0] == couple->cloths[1];
    bool one = same && meeting->patches[0] == meeting->patches[1];
    int result = PBD_OK;
    for (int kind = 0; kind < SELF_KINDS; ++kind) {
        if (one && kind == SELF_TRIANGLE_VERTEX) continue;
        int a = self_first((enum self_kind)kind), b = self_second((enum self_kind)kind);
        bool edges = kind == SELF_EDGE_EDGE;
        const struct cloth_patches *of_a = &scratch[a]->patches, *of_b = &scratch[b]->patches;
        choose(&chosen[0], couple->cloths[a], edges ? &of_a->edges : &of_a->vertices, meeting->patches[a],
               edges ? 2 : 1, from[b], to[b]);
        choose(&chosen[1], couple->cloths[b], edges ? &of_b->edges : &of_b->triangles, meeting->patches[b],
               edges ? 2 : 3, from[a], to[a]);
        struct listing listing = {.self = self,
                                  .couple = couple,
                                  .meeting = meeting,
                                  .kind = (enum self_kind)kind,
                                  .same = same,
                                  .borders = of_b->borders + of_b->triangles.first[meeting->patches[b]],
                                  .reach = reach,
                                  .slack = slack,
                                  .step = step};
        self->fresh.count = 0;
        compare(&listing, &chosen[0], &chosen[1], one && edges);
        if (listing.failed || place(self, &couple->pools[kind], &meeting->stretches[kind]) < 0)
            result = PBD_OUT_OF_MEMORY;
    }
    return result;
}
