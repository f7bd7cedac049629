/* Greedy colouring that keeps runs whole.
 *
 * Constraints are sorted by the distances between their particles, then by the first:
 * a run is a stretch of that list that climbs by one. It is cut into *blocks* where two
 * of its streams would meet. Blocks, longest first, take the lowest colour in which all
 * of their particles are free; what is left over, one by one, the same. The order is a
 * function of the constraints alone. */
#include "build/coloring.h"

#include <assert.h>
#include <stdlib.h>
#include "build/sort.h"
#include "math/elementary.h"

enum { MASK_COLORS = 64 };
static const uint32_t UNCOLORED = UINT32_MAX;

struct block {
    uint32_t start, length; /* in the sorted list */
};

struct work {
    const uint32_t *const *particles;
    uint32_t arity, count;
    uint32_t *sorted; /* constraints, runs side by side */
    uint64_t *keys;
    uint32_t *color;      /* per place in the sorted list */
    unsigned char *alone; /* per place: not in a block */
    struct block *blocks;
    uint32_t block_count;
    uint64_t *used; /* per particle: colours below MASK_COLORS that it has */
    uint32_t *next; /* per particle: the lowest colour from MASK_COLORS on that it has not */
    uint32_t color_count;
};

static int allocate(struct work *work, uint32_t particle_count) {
    work->sorted = malloc(((size_t)work->count + 1) * sizeof *work->sorted);
    work->keys = malloc(((size_t)work->count + 1) * sizeof *work->keys);
    work->color = malloc(((size_t)work->count + 1) * sizeof *work->color);
    work->alone = calloc((size_t)work->count + 1, 1);
    work->blocks = malloc(((size_t)work->count / FABRIC_MIN_RUN + 1) * sizeof *work->blocks);
    work->used = calloc((size_t)particle_count + 1, sizeof *work->used);
    work->next = calloc((size_t)particle_count + 1, sizeof *work->next);
    bool all =
        work->sorted && work->keys && work->color && work->alone && work->blocks && work->used && work->next;
    return all ? PBD_OK : PBD_OUT_OF_MEMORY;
}

static void release(struct work *work) {
    free(work->sorted);
    free(work->keys);
    free(work->color);
    free(work->alone);
    free(work->blocks);
    free(work->used);
    free(work->next);
}

/* Distance from the first particle, shifted so that it is never negative. */
static uint32_t shifted(const struct work *work, uint32_t constraint, uint32_t k) {
    return work->particles[k][constraint] - work->particles[0][constraint] + 0x80000000u;
}

static int sort_into_runs(struct work *work) {
    for (uint32_t i = 0; i < work->count; ++i) {
        work->sorted[i] = i;
        uint32_t high = work->arity == 4 ? shifted(work, i, 3) : shifted(work, i, 1);
        work->keys[i] = (uint64_t)high << 32 | work->particles[0][i];
    }
    int result = sort_by_key(work->keys, work->sorted, work->count);
    if (work->arity == 2 || result != PBD_OK) return result;
    for (uint32_t i = 0; i < work->count; ++i)
        work->keys[i] = (uint64_t)shifted(work, work->sorted[i], 1) << 32 | shifted(work, work->sorted[i], 2);
    return sort_by_key(work->keys, work->sorted, work->count);
}

/* Whether constraint c is the one after b in a run. */
static bool follows(const struct work *work, uint32_t b, uint32_t c) {
    for (uint32_t k = 0; k < work->arity; ++k)
        if (work->particles[k][c] != work->particles[k][b] + 1) return false;
    return true;
}

/* The smallest distance between two particles of a constraint: its run's streams meet after so many. */
static uint32_t reach(const struct work *work, uint32_t constraint) {
    uint32_t least = UINT32_MAX;
    for (uint32_t i = 0; i < work->arity; ++i)
        for (uint32_t j = 0; j < i; ++j) {
            uint32_t p = work->particles[i][constraint], q = work->particles[j][constraint];
            least = math_minu(least, p > q ? p - q : q - p);
        }
    assert(least > 0);
    return least;
}

static void cut_into_blocks(struct work *work) {
    for (uint32_t start = 0, end; start < work->count; start = end) {
        for (end = start + 1; end < work->count && follows(work, work->sorted[end - 1], work->sorted[end]);)
            ++end;
        uint32_t length = end - start, longest = reach(work, work->sorted[start]);
        uint32_t pieces = longest >= length ? 1 : (length + longest - 1) / longest;
        for (uint32_t i = 0; i < pieces; ++i) {
            uint32_t from = start + (uint32_t)((uint64_t)length * i / pieces);
            uint32_t to = start + (uint32_t)((uint64_t)length * (i + 1) / pieces);
            if (to - from >= FABRIC_MIN_RUN) {
                work->blocks[work->block_count++] = (struct block){from, to - from};
            } else {
                for (uint32_t at = from; at < to; ++at)
                    work->alone[at] = 1;
            }
        }
    }
}

static void color_block(struct work *work, const struct block *block) {
    uint64_t taken = 0;
    for (uint32_t at = block->start; at < block->start + block->length; ++at)
        for (uint32_t k = 0; k < work->arity; ++k)
            taken |= work->used[work->particles[k][work->sorted[at]]];
    if (~taken == 0) {
        for (uint32_t at = block->start; at < block->start + block->length; ++at)
            work->alone[at] = 1;
        return;
    }
    uint32_t color = (uint32_t)__builtin_ctzll(~taken);
    work->color_count = math_maxu(work->color_count, color + 1);
    for (uint32_t at = block->start; at < block->start + block->length; ++at) {
        work->color[at] = color;
        for (uint32_t k = 0; k < work->arity; ++k)
            work->used[work->particles[k][work->sorted[at]]] |= UINT64_C(1) << color;
    }
}

static int color_blocks(struct work *work) {
    uint64_t *keys = malloc(((size_t)work->block_count + 1) * sizeof *keys);
    uint32_t *order = malloc(((size_t)work->block_count + 1) * sizeof *order);
    int result = keys && order ? PBD_OK : PBD_OUT_OF_MEMORY;
    if (result == PBD_OK) {
        for (uint32_t i = 0; i < work->block_count; ++i) {
            keys[i] = UINT32_MAX - work->blocks[i].length; /* longest first, else as sorted */
            order[i] = i;
        }
        result = sort_by_key(keys, order, work->block_count);
    }
    for (uint32_t i = 0; i < work->block_count && result == PBD_OK; ++i)
        color_block(work, &work->blocks[order[i]]);
    free(keys);
    free(order);
    return result;
}

/* The lowest colour free at all particles. From MASK_COLORS on colours only climb at
 * each particle, so that a hub of any degree costs linear time. */
static uint32_t color_single(struct work *work, uint32_t constraint) {
    uint64_t taken = 0;
    uint32_t color = MASK_COLORS;
    for (uint32_t k = 0; k < work->arity; ++k) {
        taken |= work->used[work->particles[k][constraint]];
        color = math_maxu(color, work->next[work->particles[k][constraint]]);
    }
    if (~taken != 0) color = (uint32_t)__builtin_ctzll(~taken);
    for (uint32_t k = 0; k < work->arity; ++k) {
        uint32_t p = work->particles[k][constraint];
        if (color < MASK_COLORS)
            work->used[p] |= UINT64_C(1) << color;
        else
            work->next[p] = color + 1;
    }
    return color;
}

/* In the order of their particles, which keeps a colour's singles ascending in memory. */
static int color_singles(struct work *work) {
    uint32_t *places = malloc(((size_t)work->count + 1) * sizeof *places), count = 0;
    if (!places) return PBD_OUT_OF_MEMORY;
    for (uint32_t at = 0; at < work->count; ++at) {
        if (!work->alone[at]) continue;
        uint32_t c = work->sorted[at];
        work->keys[count] = (uint64_t)work->particles[0][c] << 32 | work->particles[1][c];
        places[count++] = at;
    }
    int result = sort_by_key(work->keys, places, count);
    for (uint32_t i = 0; i < count && result == PBD_OK; ++i) {
        uint32_t color = color_single(work, work->sorted[places[i]]);
        work->color[places[i]] = color;
        work->color_count = math_maxu(work->color_count, color + 1);
    }
    free(places);
    return result;
}

/* Colours ascending; in each first what is in blocks, as sorted, then singles by their particles. */
static int order_for_execution(struct work *work, struct coloring *out) {
    for (uint32_t at = 0; at < work->count; ++at) {
        uint32_t first = work->particles[0][work->sorted[at]];
        work->keys[at] = (uint64_t)work->color[at] << 33 | (uint64_t)work->alone[at] << 32 |
                         (work->alone[at] ? first : at);
        out->order[at] = at;
    }
    return sort_by_key(work->keys, out->order, work->count);
}

static void list_runs(const struct work *work, struct coloring *out) {
    uint32_t i = 0;
    out->color_count = work->color_count;
    for (uint32_t color = 0; color < work->color_count; ++color) {
        struct fabric_color *entry = &out->colors[color];
        entry->first_run = out->run_count;
        for (; i < work->count && work->color[out->order[i]] == color && !work->alone[out->order[i]]; ++i) {
            uint32_t constraint = work->sorted[out->order[i]];
            struct coloring_run *run = &out->runs[out->run_count];
            if (out->run_count > entry->first_run &&
                follows(work, work->sorted[out->order[i - 1]], constraint)) {
                ++run[-1].count;
                continue;
            }
            *run = (struct coloring_run){.first = i, .count = 1};
            for (uint32_t k = 0; k < work->arity; ++k)
                run->p[k] = work->particles[k][constraint];
            ++out->run_count;
        }
        entry->run_count = out->run_count - entry->first_run;
        entry->first_single = i;
        while (i < work->count && work->color[out->order[i]] == color)
            ++i;
        entry->single_count = i - entry->first_single;
    }
    assert(i == work->count);
    for (i = 0; i < work->count; ++i)
        out->order[i] = work->sorted[out->order[i]];
}

int coloring_create(const uint32_t *const particles[4], uint32_t arity, uint32_t count,
                    uint32_t particle_count, struct coloring *out) {
    struct work work = {.particles = particles, .arity = arity, .count = count};
    *out = (struct coloring){0};
    int result = allocate(&work, particle_count);
    if (result == PBD_OK) result = sort_into_runs(&work);
    if (result == PBD_OK) {
        for (uint32_t at = 0; at < count; ++at)
            work.color[at] = UNCOLORED;
        cut_into_blocks(&work);
        result = color_blocks(&work);
    }
    if (result == PBD_OK) result = color_singles(&work);
    if (result == PBD_OK) {
        out->order = malloc(((size_t)count + 1) * sizeof *out->order);
        out->colors = calloc((size_t)work.color_count + 1, sizeof *out->colors);
        out->runs = calloc((size_t)work.block_count + 1, sizeof *out->runs);
        if (!out->order || !out->colors || !out->runs) result = PBD_OUT_OF_MEMORY;
    }
    if (result == PBD_OK) result = order_for_execution(&work, out);
    if (result == PBD_OK) list_runs(&work, out);
    if (result != PBD_OK) coloring_destroy(out);
    release(&work);
    return result;
}

void coloring_destroy(struct coloring *coloring) {
    free(coloring->order);
    free(coloring->colors);
    free(coloring->runs);
    *coloring = (struct coloring){0};
}
