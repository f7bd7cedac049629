/* Levels, a radix sort by cell, and the pass that moves along nine rows at once. */
#include "contact/hash_grid.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>
#include <pbd/types.h>

#include "math/elementary.h"

/* Boxes are compared in blocks of this many, padded. */
#define BLOCK 16u
#define LEVELS 32
/* Cells along an axis: keys of three axes stay below 2^63. */
#define CELLS_MAX 1048576.0
/* The finest level's size, in mean sizes: most boxes of an even mesh are below. */
#define FINEST 1.5

enum { DIGIT_BITS = 11, BUCKETS = 1 << DIGIT_BITS };

/* ---- memory ---- */

static bool grow(void **array, size_t count, size_t size) {
    void *longer = realloc(*array, count * size);
    if (longer == NULL) return false;
    *array = longer;
    return true;
}

static bool grow_row(struct grid_row *row, size_t count) {
    void *keys = row->keys, *ids = row->ids;
    bool grown = grow(&keys, count, sizeof *row->keys);
    grown = grow(&ids, count, sizeof *row->ids) && grown;
    row->keys = keys;
    row->ids = ids;
    for (int k = 0; k < 6; ++k) {
        void *bounds = row->bounds[k];
        grown = grow(&bounds, count, sizeof *row->bounds[k]) && grown;
        row->bounds[k] = bounds;
    }
    return grown;
}

int hash_grid_reserve(struct hash_grid *grid, uint32_t count) {
    if (count <= grid->capacity) return PBD_OK;
    uint32_t room = count + count / 2;
    if (room < count) return PBD_OUT_OF_MEMORY;
    size_t padded = (size_t)room + BLOCK;
    void *keys = grid->other_keys, *order = grid->order, *other = grid->other_order;
    void *levels[2] = {grid->levels[0], grid->levels[1]};
    bool grown = grow_row(&grid->queries, padded);
    grown = grow_row(&grid->items, padded) && grown;
    grown = grow(&keys, padded, sizeof *grid->other_keys) && grown;
    grown = grow(&order, padded, sizeof *grid->order) && grown;
    grown = grow(&other, padded, sizeof *grid->other_order) && grown;
    for (int k = 0; k < 2; ++k)
        grown = grow(&levels[k], padded, 1) && grown;
    grid->other_keys = keys;
    grid->order = order;
    grid->other_order = other;
    grid->levels[0] = levels[0];
    grid->levels[1] = levels[1];
    if (!grown) return PBD_OUT_OF_MEMORY;
    grid->capacity = room;
    return PBD_OK;
}

static void destroy_row(struct grid_row *row) {
    free(row->keys);
    free(row->ids);
    for (int k = 0; k < 6; ++k)
        free(row->bounds[k]);
}

void hash_grid_destroy(struct hash_grid *grid) {
    destroy_row(&grid->queries);
    destroy_row(&grid->items);
    free(grid->other_keys);
    free(grid->order);
    free(grid->other_order);
    free(grid->levels[0]);
    free(grid->levels[1]);
    *grid = (struct hash_grid){0};
}

/* ---- levels and cells ---- */

static bool is_finite(const struct grid_box *box) {
    bool finite = true;
    for (int k = 0; k < 3; ++k)
        finite = finite && math_absf(box->low[k]) <= FLT_MAX && math_absf(box->high[k]) <= FLT_MAX;
    return finite;
}

static double size_of(const struct grid_box *box) {
    double size = 0.0;
    for (int k = 0; k < 3; ++k) {
        double side = (double)box->high[k] - (double)box->low[k];
        size = side > size ? side : size;
    }
    return size;
}

/* No box at all, or not finite. */
#define NO_LEVEL 255u

/* The levels of boxes, the set of levels that occur, and the bounds of all centres. */
struct layout {
    double finest; /* size of level 0, m */
    uint32_t used[2];
    double low[3], high[3];
};

static void measure(struct layout *layout, const struct grid_box *boxes, uint32_t count,
                    unsigned char *levels, uint32_t *used) {
    for (uint32_t i = 0; i < count; ++i) {
        levels[i] = NO_LEVEL;
        if (!is_finite(&boxes[i])) continue;
        double size = size_of(&boxes[i]), limit = layout->finest;
        unsigned char level = 0;
        while (level + 1 < LEVELS && size > limit) {
            limit *= 2.0;
            ++level;
        }
        levels[i] = level;
        *used |= 1u << level;
        for (int k = 0; k < 3; ++k) {
            double centre = 0.5 * ((double)boxes[i].low[k] + (double)boxes[i].high[k]);
            if (centre < layout->low[k]) layout->low[k] = centre;
            if (centre > layout->high[k]) layout->high[k] = centre;
        }
    }
}

static double mean_size(const struct grid_box *boxes, uint32_t count) {
    double sum = 0.0;
    uint32_t finite = 0;
    for (uint32_t i = 0; i < count; ++i) {
        if (!is_finite(&boxes[i])) continue;
        sum += size_of(&boxes[i]);
        ++finite;
    }
    return finite > 0 ? sum / finite : 0.0;
}

/* Cells of one level: key = (z·ny + y)·nx + x, each coordinate from 1, with an empty one
 * on both sides so that a row never runs into the next. */
struct cells {
    double origin[3], inverse_width;
    uint64_t across, plane; /* nx, nx·ny */
};

static struct cells cells_of(const struct layout *layout, double size, double reach) {
    double width = size + reach, extent = 0.0;
    for (int k = 0; k < 3; ++k)
        extent = layout->high[k] - layout->low[k] > extent ? layout->high[k] - layout->low[k] : extent;
    if (width < extent / CELLS_MAX) width = extent / CELLS_MAX;
    if (!(width > 0.0)) width = 1.0; /* all in one point */
    width *= 1.0 + 0x1p-20;
    struct cells cells = {.inverse_width = 1.0 / width};
    uint64_t dims[3];
    for (int k = 0; k < 3; ++k) {
        cells.origin[k] = layout->low[k];
        dims[k] = (uint64_t)((layout->high[k] - layout->low[k]) * cells.inverse_width) + 4;
    }
    cells.across = dims[0];
    cells.plane = dims[0] * dims[1];
    return cells;
}

static uint64_t key_of(const struct cells *cells, const struct grid_box *box) {
    uint64_t at[3];
    for (int k = 0; k < 3; ++k) {
        double centre = 0.5 * ((double)box->low[k] + (double)box->high[k]);
        at[k] = (uint64_t)((centre - cells->origin[k]) * cells->inverse_width) + 1;
    }
    return at[2] * cells->plane + at[1] * cells->across + at[0];
}

/* ---- sorting ---- */

/* Sorts keys with order along; stable, so equal keys stay in the caller's order. Equals
 * build/sort.h, but in memory that is there already. */
static void radix_sort(uint64_t **keys, uint32_t **order, uint64_t **other_keys, uint32_t **other_order,
                       uint32_t count) {
    uint64_t all = 0;
    for (uint32_t i = 0; i < count; ++i)
        all |= (*keys)[i];
    for (int shift = 0; shift < 64 && all >> shift != 0; shift += DIGIT_BITS) {
        uint32_t start[BUCKETS] = {0}, sum = 0;
        for (uint32_t i = 0; i < count; ++i)
            ++start[(*keys)[i] >> shift & (BUCKETS - 1)];
        for (uint32_t b = 0; b < BUCKETS; ++b) {
            uint32_t here = start[b];
            start[b] = sum;
            sum += here;
        }
        for (uint32_t i = 0; i < count; ++i) {
            uint32_t place = start[(*keys)[i] >> shift & (BUCKETS - 1)]++;
            (*other_keys)[place] = (*keys)[i];
            (*other_order)[place] = (*order)[i];
        }
        uint64_t *k = *keys;
        *keys = *other_keys;
        *other_keys = k;
        uint32_t *o = *order;
        *order = *other_order;
        *other_order = o;
    }
}

/* The boxes whose level lies in `from`…`to`, in the order of their cells. */
static void fill_row(struct hash_grid *grid, struct grid_row *row, const struct cells *cells,
                     const struct grid_box *boxes, const unsigned char *levels, uint32_t count, int from,
                     int to) {
    uint32_t taken = 0;
    for (uint32_t i = 0; i < count; ++i) {
        if (levels[i] < from || levels[i] > to) continue;
        row->keys[taken] = key_of(cells, &boxes[i]);
        grid->order[taken++] = i;
    }
    row->count = taken;
    radix_sort(&row->keys, &grid->order, &grid->other_keys, &grid->other_order, taken);
    for (uint32_t i = 0; i < taken; ++i) {
        const struct grid_box *box = &boxes[grid->order[i]];
        row->ids[i] = box->id;
        for (int k = 0; k < 3; ++k) {
            row->bounds[k][i] = box->low[k];
            row->bounds[3 + k][i] = box->high[k];
        }
    }
    for (uint32_t i = taken; i < taken + BLOCK; ++i) /* the last block is read whole */
        for (int k = 0; k < 6; ++k)
            row->bounds[k][i] = 0.0f;
}

/* ---- the pass ---- */

#define BATCH 256u

struct sweep {
    struct hash_grid *grid;
    float reach;
    grid_emit *emit;
    void *context;
    bool swapped; /* the pass's queries are the caller's items */
    uint32_t count;
    struct grid_pair pairs[BATCH + BLOCK];
};

static void flush(struct sweep *sweep) {
    if (sweep->count > 0) sweep->emit(sweep->context, sweep->pairs, sweep->count);
    sweep->count = 0;
}

/* Compares one query with items [begin, end). */
static void compare(struct sweep *sweep, const struct grid_row *queries, uint32_t query,
                    const struct grid_row *items, uint32_t begin, uint32_t end) {
    float low[3], high[3];
    for (int k = 0; k < 3; ++k) {
        low[k] = queries->bounds[k][query] - sweep->reach;
        high[k] = queries->bounds[3 + k][query] + sweep->reach;
    }
    sweep->grid->tests += end - begin;
    for (uint32_t first = begin; first < end; first += BLOCK) {
        int hit[BLOCK], any = 0;
        const float *lx = items->bounds[0] + first, *ly = items->bounds[1] + first,
                    *lz = items->bounds[2] + first;
        const float *hx = items->bounds[3] + first, *hy = items->bounds[4] + first,
                    *hz = items->bounds[5] + first;
        for (uint32_t k = 0; k < BLOCK; ++k)
            hit[k] = (lx[k] <= high[0]) & (hx[k] >= low[0]) & (ly[k] <= high[1]) & (hy[k] >= low[1]) &
                     (lz[k] <= high[2]) & (hz[k] >= low[2]);
        for (uint32_t k = 0; k < BLOCK; ++k)
            any |= hit[k];
        if (!any) continue;
        uint32_t here = end - first < BLOCK ? end - first : BLOCK, count = sweep->count;
        uint32_t id = queries->ids[query];
        const uint32_t *ids = items->ids + first;
        struct grid_pair *pairs = sweep->pairs;
        if (sweep->swapped)
            for (uint32_t k = 0; k < here; count += (uint32_t)hit[k++])
                pairs[count] = (struct grid_pair){ids[k], id};
        else
            for (uint32_t k = 0; k < here; count += (uint32_t)hit[k++])
                pairs[count] = (struct grid_pair){id, ids[k]};
        sweep->count = count;
        if (count >= BATCH) flush(sweep);
    }
}

/* A row of three cells relative to a query's: where it begins and ends in the items. */
struct window {
    uint64_t offset;     /* of the first cell's key, as an unsigned difference */
    uint32_t begin, end; /* of the last query */
};

static void advance(struct window *window, const struct grid_row *items, uint64_t key) {
    uint64_t first = key + window->offset;
    while (window->begin < items->count && items->keys[window->begin] < first)
        ++window->begin;
    if (window->end < window->begin) window->end = window->begin;
    while (window->end < items->count && items->keys[window->end] <= first + 2)
        ++window->end;
}

static void between_rows(struct sweep *sweep, const struct cells *cells, const struct grid_row *queries,
                         const struct grid_row *items) {
    struct window windows[9];
    for (int r = 0; r < 9; ++r)
        windows[r] = (struct window){.offset = (uint64_t)(r / 3) * cells->plane - cells->plane +
                                               (uint64_t)(r % 3) * cells->across - cells->across - 1};
    for (uint32_t q = 0; q < queries->count; ++q) {
        bool same_cell = q > 0 && queries->keys[q] == queries->keys[q - 1];
        for (int r = 0; r < 9; ++r) {
            if (!same_cell) advance(&windows[r], items, queries->keys[q]);
            if (windows[r].begin < windows[r].end)
                compare(sweep, queries, q, items, windows[r].begin, windows[r].end);
        }
    }
}

/* Each two of one level once: what follows in the query's own row, and the four rows
 * whose cells all have higher keys. */
static void within_row(struct sweep *sweep, const struct cells *cells, const struct grid_row *row) {
    struct window windows[5] = {
        {.offset = UINT64_MAX}, /* −1 */
        {.offset = cells->across - 1}, {.offset = cells->plane - cells->across - 1},
        {.offset = cells->plane - 1},  {.offset = cells->plane + cells->across - 1},
    };
    for (uint32_t q = 0; q < row->count; ++q) {
        bool same_cell = q > 0 && row->keys[q] == row->keys[q - 1];
        for (int r = 0; r < 5; ++r) {
            if (!same_cell) advance(&windows[r], row, row->keys[q]);
            uint32_t begin = r == 0 ? q + 1 : windows[r].begin;
            if (begin < windows[r].end) compare(sweep, row, q, row, begin, windows[r].end);
        }
    }
}

void hash_grid_pairs(struct hash_grid *grid, const struct grid_box *queries, uint32_t query_count,
                     const struct grid_box *items, uint32_t item_count, float reach, grid_emit *emit,
                     void *context) {
    if (!(reach >= 0.0f && reach <= FLT_MAX)) reach = 0.0f;
    bool same = items == NULL;
    struct layout layout = {.low = {DBL_MAX, DBL_MAX, DBL_MAX}, .high = {-DBL_MAX, -DBL_MAX, -DBL_MAX}};
    layout.finest = FINEST * mean_size(queries, query_count);
    if (!same) {
        double other = FINEST * mean_size(items, item_count);
        layout.finest = other > layout.finest ? other : layout.finest;
    }
    measure(&layout, queries, query_count, grid->levels[0], &layout.used[0]);
    if (!same) measure(&layout, items, item_count, grid->levels[1], &layout.used[1]);
    struct sweep sweep;
    sweep.grid = grid;
    sweep.reach = reach;
    sweep.emit = emit;
    sweep.context = context;
    sweep.swapped = false;
    sweep.count = 0;
    double size = layout.finest;
    for (int level = 0; level < LEVELS; ++level, size *= 2.0) {
        bool in_queries = layout.used[0] >> level & 1u, in_items = layout.used[1] >> level & 1u;
        if (!in_queries && !in_items) continue;
        struct cells cells = cells_of(&layout, size, (double)reach);
        if (same) {
            fill_row(grid, &grid->items, &cells, queries, grid->levels[0], query_count, level, level);
            within_row(&sweep, &cells, &grid->items);
            if ((layout.used[0] & ((1u << level) - 1u)) == 0) continue;
            fill_row(grid, &grid->queries, &cells, queries, grid->levels[0], query_count, 0, level - 1);
            between_rows(&sweep, &cells, &grid->queries, &grid->items);
            continue;
        }
        if (in_items) { /* with queries of this size and smaller */
            flush(&sweep);
            sweep.swapped = false;
            fill_row(grid, &grid->items, &cells, items, grid->levels[1], item_count, level, level);
            fill_row(grid, &grid->queries, &cells, queries, grid->levels[0], query_count, 0, level);
            between_rows(&sweep, &cells, &grid->queries, &grid->items);
        }
        if (in_queries && level > 0) { /* with smaller items */
            flush(&sweep);
            sweep.swapped = true;
            fill_row(grid, &grid->items, &cells, queries, grid->levels[0], query_count, level, level);
            fill_row(grid, &grid->queries, &cells, items, grid->levels[1], item_count, 0, level - 1);
            between_rows(&sweep, &cells, &grid->queries, &grid->items);
        }
    }
    flush(&sweep);
}
