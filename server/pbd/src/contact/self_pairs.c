/* Lists of the pairs that may touch: boxes from the grid, then exact distances. */
#include "contact/self_internal.h"

#include <stdlib.h>

#include "math/elementary.h"

/* Of the length of its way, and of the mean edge: what a particle's motion may differ from
 * its prediction by, where lists hold for one substep alone. */
#define SWEPT_WAY 0.5
#define SWEPT_EDGE 0.25

/* What adding to one list needs. */
struct listing {
    struct self_contacts *self;
    struct self_couple *couple;
    enum self_kind kind;
    const struct cloth_state *states[2]; /* of the first and the second feature's cloth */
    const struct cloth_scratch *scratches[2];
    const uint32_t *triangles; /* of the second's */
    const uint32_t *edges_a[2], *edges_b[2];
    double margin, slack;
    bool same, swept, moves[2], failed;
};

static struct vec3 position(const struct cloth_state *s, uint32_t i) {
    return vec3_make((double)s->x[i], (double)s->y[i], (double)s->z[i]);
}

/* ---- what is near at rest ---- */

static struct vec3 rest_position(const pbd_fabric *fabric, uint32_t particle) {
    return vec3_from(fabric->view.rest_positions + 3 * (size_t)fabric->view.particle_vertex[particle]);
}

static bool near_at_rest(const struct listing *listing, const uint32_t p[4]) {
    struct vec3 at[4];
    for (int k = 0; k < 4; ++k)
        at[k] = rest_position(listing->couple->cloths[0]->fabric, p[k]);
    double distance =
        listing->kind == SELF_EDGE_EDGE ? look_edge_edge_distance(at) : look_vertex_triangle_distance(at);
    return distance < listing->couple->h;
}

/* ---- one pair ---- */

static int grow(struct self_list *list) {
    uint32_t room = 2 * list->capacity + 256;
    if (room < list->capacity) return PBD_OUT_OF_MEMORY;
    struct self_pair *pairs = realloc(list->pairs, room * sizeof *pairs);
    if (pairs == NULL) return PBD_OUT_OF_MEMORY;
    list->pairs = pairs;
    float *reach = realloc(list->reach, room * sizeof *reach);
    if (reach == NULL) return PBD_OUT_OF_MEMORY;
    list->reach = reach;
    list->capacity = room;
    return PBD_OK;
}

/* How far the four particles move against each other in the predicted substep. */
static double predicted_approach(const struct listing *listing, const uint32_t p[4]) {
    struct vec3 way[4];
    int firsts = listing->kind == SELF_EDGE_EDGE ? 2 : 1;
    for (int k = 0; k < 4; ++k) {
        int side = k < firsts ? 0 : 1;
        const struct cloth_state *s = listing->states[side];
        const struct cloth_scratch *t = listing->scratches[side];
        uint32_t i = p[k];
        way[k] = listing->moves[side]
                     ? vec3_make((double)t->ux[i] - (double)s->ex[i], (double)t->uy[i] - (double)s->ey[i],
                                 (double)t->uz[i] - (double)s->ez[i])
                     : vec3_make(0.0, 0.0, 0.0);
    }
    double most = 0.0;
    for (int i = 0; i < firsts; ++i)
        for (int k = firsts; k < 4; ++k)
            most = look_larger(most, vec3_length(vec3_sub(way[i], way[k])));
    return most;
}

static bool any_moves(const struct listing *listing, const uint32_t p[4], int firsts) {
    bool moves = false;
    for (int k = 0; k < 4; ++k) {
        int side = k < firsts ? 0 : 1;
        moves = moves || (listing->moves[side] && listing->states[side]->w[p[k]] > 0.0f);
    }
    return moves;
}

static void consider(struct listing *listing, const uint32_t p[4]) {
    struct self_couple *couple = listing->couple;
    bool edges = listing->kind == SELF_EDGE_EDGE;
    int firsts = edges ? 2 : 1;
    ++listing->self->candidates;
    if (listing->same)
        for (int i = 0; i < firsts; ++i)
            for (int k = firsts; k < 4; ++k)
                if (p[i] == p[k]) return;
    struct vec3 at[4];
    for (int k = 0; k < 4; ++k)
        at[k] = position(listing->states[k < firsts ? 0 : 1], p[k]);
    double distance = edges ? look_edge_edge_distance(at) : look_vertex_triangle_distance(at);
    double gap = distance - couple->h - listing->slack;
    if (!(gap <= listing->margin)) return;
    if (listing->swept) {
        double way = (1.0 + SWEPT_WAY) * predicted_approach(listing, p) + SWEPT_EDGE * couple->cell;
        if (!(gap <= way)) return;
    }
    if (!any_moves(listing, p, firsts)) return;
    if (listing->same && near_at_rest(listing, p)) return;
    struct self_list *list = &couple->lists[listing->kind];
    if (list->count == list->capacity && grow(list) < 0) {
        listing->failed = true;
        return;
    }
    list->pairs[list->count] = (struct self_pair){.p = {p[0], p[1], p[2], p[3]}};
    list->reach[list->count++] = (float)gap;
}

static void vertex_triangle(void *context, uint32_t vertex, uint32_t triangle) {
    struct listing *listing = context;
    const uint32_t *corner = listing->triangles + 3 * (size_t)triangle;
    const uint32_t p[4] = {vertex, corner[0], corner[1], corner[2]};
    consider(listing, p);
}

static void edge_edge(void *context, uint32_t one, uint32_t other) {
    struct listing *listing = context;
    if (listing->same && one > other) { /* a pair has one name */
        uint32_t swap = one;
        one = other;
        other = swap;
    }
    const uint32_t p[4] = {listing->edges_a[0][one], listing->edges_b[0][one], listing->edges_a[1][other],
                           listing->edges_b[1][other]};
    consider(listing, p);
}

/* ---- boxes ---- */

static uint32_t add_box(struct grid_box *boxes, uint32_t count, const struct cloth_state *s,
                        const struct self_window *window, uint32_t id, const uint32_t *p, int corners) {
    struct grid_box box = {.id = id};
    const float *axes[3] = {s->x, s->y, s->z};
    bool inside = true;
    for (int k = 0; k < 3; ++k) {
        float low = axes[k][p[0]], high = low;
        for (int i = 1; i < corners; ++i) {
            low = math_minf(axes[k][p[i]], low);
            high = math_maxf(axes[k][p[i]], high);
        }
        box.low[k] = low;
        box.high[k] = high;
        inside = inside && (window == NULL || (low <= window->high[k] && high >= window->low[k]));
    }
    if (!inside) return count;
    boxes[count] = box;
    return count + 1;
}

static uint32_t vertex_boxes(struct grid_box *boxes, const struct pbd_cloth *cloth,
                             const struct self_window *window) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < cloth->fabric->particle_count; ++i)
        count = add_box(boxes, count, &cloth->state, window, i, &i, 1);
    return count;
}

uint32_t self_triangle_boxes(struct grid_box *boxes, const struct pbd_cloth *cloth,
                             const struct self_window *window) {
    uint32_t count = 0;
    for (uint32_t t = 0; t < cloth->surface->triangle_count; ++t)
        count = add_box(boxes, count, &cloth->state, window, t, cloth->surface->triangles + 3 * (size_t)t, 3);
    return count;
}

static uint32_t edge_boxes(struct grid_box *boxes, const struct pbd_cloth *cloth,
                           const struct self_window *window) {
    const struct stretch_set *set = &cloth->fabric->stretch;
    uint32_t count = 0;
    for (uint32_t e = 0; e < set->count; ++e) {
        const uint32_t p[2] = {set->a[e], set->b[e]};
        count = add_box(boxes, count, &cloth->state, window, e, p, 2);
    }
    return count;
}

/* Where the other cloth is, and reach around. */
static struct self_window window_of(const struct pbd_cloth *cloth, bool everywhere, float reach) {
    struct self_window window;
    const float *axes[3] = {cloth->state.x, cloth->state.y, cloth->state.z};
    for (int k = 0; k < 3; ++k) {
        float low = INFINITY, high = -INFINITY;
        for (uint32_t i = 0; !everywhere && i < cloth->fabric->particle_count; ++i) {
            low = math_minf(axes[k][i], low);
            high = math_maxf(axes[k][i], high);
        }
        window.low[k] = everywhere ? -INFINITY : low - reach;
        window.high[k] = everywhere ? INFINITY : high + reach;
    }
    return window;
}

int self_reserve_boxes(struct self_contacts *self, const struct self_couple *couple) {
    uint32_t need = 0;
    for (int k = 0; k < 2; ++k) {
        const pbd_fabric *fabric = couple->cloths[k]->fabric;
        need = math_maxu(need, fabric->stretch.count);
        need = math_maxu(need, fabric->view.triangle_count);
        need = math_maxu(need, fabric->particle_count);
    }
    if (hash_grid_reserve(&self->grid, need) < 0) return PBD_OUT_OF_MEMORY;
    if (need <= self->box_capacity) return PBD_OK;
    for (int k = 0; k < 2; ++k) {
        struct grid_box *boxes = realloc(self->boxes[k], need * sizeof *boxes);
        if (boxes == NULL) return PBD_OUT_OF_MEMORY;
        self->boxes[k] = boxes;
    }
    self->box_capacity = need;
    return PBD_OK;
}

static struct listing listing_of(struct self_contacts *self, struct self_couple *couple, enum self_kind kind,
                                 bool swept) {
    const struct pbd_cloth *cloths[2] = {couple->cloths[self_first(kind)], couple->cloths[self_second(kind)]};
    struct listing listing = {.self = self,
                              .couple = couple,
                              .kind = kind,
                              .triangles = cloths[1]->surface->triangles,
                              .margin = couple->margin,
                              .same = cloths[0] == cloths[1],
                              .swept = swept};
    double largest = 0.0;
    for (int k = 0; k < 2; ++k) {
        listing.states[k] = &cloths[k]->state;
        listing.scratches[k] = &cloths[k]->scratch;
        listing.edges_a[k] = cloths[k]->fabric->stretch.a;
        listing.edges_b[k] = cloths[k]->fabric->stretch.b;
        listing.moves[k] = cloth_is_active(cloths[k]);
        largest = look_larger(largest, (double)math_absf(cloths[k]->state.x[0]) +
                                           (double)math_absf(cloths[k]->state.y[0]) +
                                           (double)math_absf(cloths[k]->state.z[0]));
    }
    /* X is where a particle is but for half an ulp. */
    listing.slack = 0x1p-21 * (largest + (double)cloths[0]->fabric->view.rest_diagonal);
    return listing;
}

int self_list_pairs(struct self_contacts *self, struct self_couple *couple, bool swept) {
    for (int kind = 0; kind < SELF_KINDS; ++kind)
        couple->lists[kind].count = 0;
    if (self_reserve_boxes(self, couple) < 0) return PBD_OUT_OF_MEMORY;
    ++self->rebuilds;
    bool same = couple->cloths[0] == couple->cloths[1], failed = false;
    struct grid_box *const *boxes = self->boxes;
    for (int kind = 0; kind < SELF_KINDS; ++kind) {
        if (same && kind == SELF_TRIANGLE_VERTEX) continue;
        struct listing listing = listing_of(self, couple, (enum self_kind)kind, swept);
        const struct pbd_cloth *first = couple->cloths[self_first((enum self_kind)kind)],
                               *second = couple->cloths[self_second((enum self_kind)kind)];
        float reach = (float)(couple->h + couple->margin + 2.0 * listing.slack);
        struct self_window of_first = window_of(second, same, reach),
                           of_second = window_of(first, same, reach);
        if (kind == SELF_EDGE_EDGE) {
            uint32_t ones = edge_boxes(boxes[0], first, &of_first);
            uint32_t others = same ? 0 : edge_boxes(boxes[1], second, &of_second);
            hash_grid_pairs(&self->grid, boxes[0], ones, same ? NULL : boxes[1], others, reach, edge_edge,
                            &listing);
        } else {
            uint32_t vertices = vertex_boxes(boxes[0], first, &of_first);
            uint32_t triangles = self_triangle_boxes(boxes[1], second, &of_second);
            hash_grid_pairs(&self->grid, boxes[0], vertices, boxes[1], triangles, reach, vertex_triangle,
                            &listing);
        }
        failed = failed || listing.failed;
    }
    return failed ? PBD_OUT_OF_MEMORY : PBD_OK;
}
