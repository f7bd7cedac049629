/* Levels of equal distance (in edges) from one end of each component, one after the
 * other; each level, mostly a curve across the surface, is walked along its edges from
 * the end that lies beside the start of the level before:
 *
 *      level 0   1   2   3
 *            a   b – d – g        base: a b c d e f g h i …
 *                |   |   |
 *                c   e – h
 *                    |   |
 *                    f   i
 *
 * So edges within a level join places k and k+1, and edges between levels shift slowly:
 * both make runs, gathers stay in cache, and a stream in this order has small steps. */
#include "build/level_order.h"

#include <stdlib.h>
#include "build/sort.h"
#include "math/elementary.h"

static const uint32_t UNREACHED = UINT32_MAX;
enum { MAX_ASKED = 64 };

struct levels {
    const struct mesh_build *build;
    uint32_t *first, *neighbour; /* per particle, and one more: its neighbours, ascending */
    uint32_t *queue, *level;
    uint32_t *base; /* UNREACHED until placed */
    uint32_t next;
    uint64_t *keys; /* of one level, and its particles sorted */
    uint32_t *sorted;
};

static bool allocate(struct levels *levels) {
    size_t n = levels->build->particle_count;
    levels->first = build_array(n + 2, sizeof(uint32_t));
    levels->neighbour = build_array(2 * (size_t)levels->build->edge_count, sizeof(uint32_t));
    levels->queue = build_array(n, sizeof(uint32_t));
    levels->level = build_array(n, sizeof(uint32_t));
    levels->keys = build_array(n, sizeof(uint64_t));
    levels->sorted = build_array(n, sizeof(uint32_t));
    return levels->first && levels->neighbour && levels->queue && levels->level && levels->keys &&
           levels->sorted;
}

static void find_neighbours(struct levels *levels) {
    const struct mesh_build *build = levels->build;
    uint32_t *end = levels->first + 1; /* shifted by one while filling */
    for (uint32_t e = 0; e < build->edge_count; ++e) {
        ++end[build->edge_a[e] + 1];
        ++end[build->edge_b[e] + 1];
    }
    for (uint32_t p = 0; p < build->particle_count; ++p)
        end[p + 1] += end[p];
    /* Edges are sorted by (a, b): lower neighbours first, then higher ones, each ascending. */
    for (uint32_t e = 0; e < build->edge_count; ++e)
        levels->neighbour[end[build->edge_b[e]]++] = build->edge_a[e];
    for (uint32_t e = 0; e < build->edge_count; ++e)
        levels->neighbour[end[build->edge_a[e]]++] = build->edge_b[e];
}

/* Breadth first through the component of start, which has no levels yet. Returns its size. */
static uint32_t flood_levels(struct levels *levels, uint32_t start) {
    uint32_t count = 0;
    levels->queue[count++] = start;
    levels->level[start] = 0;
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t p = levels->queue[i];
        for (uint32_t k = levels->first[p]; k < levels->first[p + 1]; ++k) {
            uint32_t q = levels->neighbour[k];
            if (levels->level[q] != UNREACHED) continue;
            levels->level[q] = levels->level[p] + 1;
            levels->queue[count++] = q;
        }
    }
    return count;
}

/* Sorts one level: beside the start of the level before first; then ends of curves; then by number. */
static int sort_level(struct levels *levels, const uint32_t *members, uint32_t count) {
    for (int pass = 0; pass < 2; ++pass) {
        for (uint32_t i = 0; i < count; ++i) {
            uint32_t p = pass == 0 ? members[i] : levels->sorted[i], lowest = UINT32_MAX, highest = 0,
                     beside = 0;
            for (uint32_t k = levels->first[p]; k < levels->first[p + 1]; ++k) {
                uint32_t q = levels->neighbour[k];
                beside += levels->level[q] == levels->level[p];
                if (levels->level[q] + 1 != levels->level[p]) continue;
                lowest = math_minu(lowest, levels->base[q]);
                highest = math_maxu(highest, levels->base[q]);
            }
            levels->sorted[i] = p;
            levels->keys[i] = pass == 0 ? (uint64_t)beside << 32 | p : (uint64_t)lowest << 32 | highest;
        }
        int result = sort_by_key(levels->keys, levels->sorted, count);
        if (result != PBD_OK) return result;
    }
    return PBD_OK;
}

/* How many unplaced neighbours of its own level a particle has; of a hub only the first few are asked. */
static uint32_t unplaced_beside(const struct levels *levels, uint32_t p) {
    uint32_t count = 0, end = math_minu(levels->first[p + 1], levels->first[p] + MAX_ASKED);
    for (uint32_t k = levels->first[p]; k < end; ++k) {
        uint32_t q = levels->neighbour[k];
        count += levels->level[q] == levels->level[p] && levels->base[q] == UNREACHED;
    }
    return count;
}

/* Places p and what can be reached from it step by step within its level; of two ways
 * the one with fewer left to go, so that nothing is left behind. */
static void walk_from(struct levels *levels, uint32_t p) {
    while (p != UNREACHED) {
        uint32_t best = UNREACHED, best_count = UINT32_MAX;
        levels->base[p] = levels->next++;
        for (uint32_t k = levels->first[p]; k < levels->first[p + 1]; ++k) {
            uint32_t q = levels->neighbour[k];
            if (levels->level[q] != levels->level[p] || levels->base[q] != UNREACHED) continue;
            uint32_t count = unplaced_beside(levels, q);
            if (count >= best_count) continue;
            best = q;
            best_count = count;
        }
        p = best;
    }
}

static int place_component(struct levels *levels, uint32_t start) {
    /* An end of the component: the last one reached from the last one reached. */
    uint32_t count = 0;
    for (int flood = 0; flood < 3; ++flood) {
        for (uint32_t i = 0; i < count; ++i)
            levels->level[levels->queue[i]] = UNREACHED;
        count = flood_levels(levels, start);
        if (flood < 2) start = levels->queue[count - 1];
    }
    for (uint32_t begin = 0, end; begin < count; begin = end) {
        uint32_t level = levels->level[levels->queue[begin]];
        for (end = begin; end < count && levels->level[levels->queue[end]] == level;)
            ++end;
        int result = sort_level(levels, levels->queue + begin, end - begin);
        if (result != PBD_OK) return result;
        for (uint32_t i = 0; i < end - begin; ++i)
            if (levels->base[levels->sorted[i]] == UNREACHED) walk_from(levels, levels->sorted[i]);
    }
    return PBD_OK;
}

int order_by_levels(const struct mesh_build *build, uint32_t *base) {
    struct levels levels = {.build = build, .base = base};
    int result = allocate(&levels) ? PBD_OK : PBD_OUT_OF_MEMORY;
    if (result == PBD_OK) {
        find_neighbours(&levels);
        for (uint32_t p = 0; p < build->particle_count; ++p)
            base[p] = levels.level[p] = UNREACHED;
    }
    for (uint32_t p = 0; p < build->particle_count && result == PBD_OK; ++p)
        if (base[p] == UNREACHED) result = place_component(&levels, p);
    free(levels.first);
    free(levels.neighbour);
    free(levels.queue);
    free(levels.level);
    free(levels.keys);
    free(levels.sorted);
    return result;
}
