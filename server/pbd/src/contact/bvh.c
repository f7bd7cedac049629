/* Building and walking the tree of boxes. */
#include "contact/bvh.h"

#include <stdlib.h>

#include <pbd/types.h>

#define BINS 16
/* From this depth on ranges are halved: 2³² items then end within BVH_DEPTH. */
#define SAH_DEPTH 30

struct task {
    uint32_t first, count, depth;
    uint32_t parent; /* whose right child this is, or NO_PARENT */
};
static const uint32_t NO_PARENT = UINT32_MAX;

struct work {
    struct bvh *bvh;
    const struct bvh_box *boxes;
    uint32_t *other; /* room for one partition */
};

struct split {
    int axis; /* −1: none */
    int bin;  /* items of lower bins go left */
    double low, scale;
};

static struct bvh_box nothing(void) {
    return (struct bvh_box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

static void extend(struct bvh_box *box, const struct bvh_box *by) {
    for (int k = 0; k < 3; ++k) {
        if (by->low[k] < box->low[k]) box->low[k] = by->low[k];
        if (by->high[k] > box->high[k]) box->high[k] = by->high[k];
    }
}

static double half_area(const struct bvh_box *box) {
    double x = (double)box->high[0] - (double)box->low[0], y = (double)box->high[1] - (double)box->low[1],
           z = (double)box->high[2] - (double)box->low[2];
    return x * y + y * z + z * x;
}

/* Twice the centre. */
static double centre(const struct bvh_box *box, int axis) {
    return (double)box->low[axis] + (double)box->high[axis];
}

static int bin_of(const struct split *split, const struct bvh_box *box) {
    int bin = (int)((centre(box, split->axis) - split->low) * split->scale);
    return bin < BINS ? bin : BINS - 1;
}

/* The best of the splits between bins on one axis, if it costs less than *cost. */
static void try_axis(const struct work *work, const uint32_t *items, uint32_t count, int axis,
                     struct split *best, double *cost) {
    double low = INFINITY, high = -INFINITY;
    for (uint32_t i = 0; i < count; ++i) {
        double c = centre(&work->boxes[items[i]], axis);
        if (c < low) low = c;
        if (c > high) high = c;
    }
    if (!(high > low)) return;
    struct split split = {.axis = axis, .low = low, .scale = (double)BINS / (high - low)};
    if (!(split.scale < INFINITY)) return;
    struct bvh_box boxes[BINS];
    uint32_t counts[BINS] = {0};
    for (int b = 0; b < BINS; ++b)
        boxes[b] = nothing();
    for (uint32_t i = 0; i < count; ++i) {
        int b = bin_of(&split, &work->boxes[items[i]]);
        extend(&boxes[b], &work->boxes[items[i]]);
        ++counts[b];
    }
    double right_cost[BINS];
    struct bvh_box box = nothing();
    uint32_t sum = 0;
    for (int b = BINS - 1; b > 0; --b) {
        extend(&box, &boxes[b]);
        sum += counts[b];
        right_cost[b] = sum > 0 ? half_area(&box) * (double)sum : 0.0;
    }
    box = nothing();
    sum = 0;
    for (int b = 1; b < BINS; ++b) {
        extend(&box, &boxes[b - 1]);
        sum += counts[b - 1];
        if (sum == 0 || sum == count) continue;
        double both = half_area(&box) * (double)sum + right_cost[b];
        if (!(both < *cost)) continue;
        *cost = both;
        *best = split;
        best->bin = b;
    }
}

/* Splits a range; returns how many items are on the left, in their old order. */
static uint32_t partition(const struct work *work, uint32_t *items, uint32_t count, uint32_t depth) {
    struct split split = {.axis = -1};
    double cost = INFINITY;
    for (int axis = 0; axis < 3 && depth < SAH_DEPTH; ++axis)
        try_axis(work, items, count, axis, &split, &cost);
    if (split.axis < 0) return count / 2;
    uint32_t left = 0, right = 0;
    for (uint32_t i = 0; i < count; ++i) {
        if (bin_of(&split, &work->boxes[items[i]]) < split.bin)
            items[left++] = items[i];
        else
            work->other[right++] = items[i];
    }
    for (uint32_t i = 0; i < right; ++i)
        items[left + i] = work->other[i];
    return left;
}

static void build_nodes(const struct work *work) {
    struct bvh *bvh = work->bvh;
    struct task tasks[BVH_DEPTH + 2];
    uint32_t task_count = 0;
    tasks[task_count++] = (struct task){0, bvh->item_count, 0, NO_PARENT};
    while (task_count > 0) {
        struct task task = tasks[--task_count];
        uint32_t at = bvh->node_count++;
        struct bvh_node *node = &bvh->nodes[at];
        if (task.parent != NO_PARENT) bvh->nodes[task.parent].right = at;
        node->box = nothing();
        for (uint32_t i = 0; i < task.count; ++i)
            extend(&node->box, &work->boxes[bvh->items[task.first + i]]);
        node->right = task.first;
        node->count = task.count;
        if (task.count <= BVH_LEAF) continue;
        node->count = 0;
        uint32_t left = partition(work, bvh->items + task.first, task.count, task.depth);
        /* The left one is taken next, so that it follows its parent. */
        tasks[task_count++] = (struct task){task.first + left, task.count - left, task.depth + 1, at};
        tasks[task_count++] = (struct task){task.first, left, task.depth + 1, NO_PARENT};
    }
}

int bvh_build(struct bvh *bvh, const struct bvh_box *boxes, uint32_t count) {
    *bvh = (struct bvh){.nodes = malloc(2 * (size_t)count * sizeof *bvh->nodes),
                        .items = malloc((size_t)count * sizeof *bvh->items),
                        .item_count = count};
    struct work work = {.bvh = bvh, .boxes = boxes, .other = malloc((size_t)count * sizeof(uint32_t))};
    if (bvh->nodes == NULL || bvh->items == NULL || work.other == NULL) {
        free(work.other);
        bvh_free(bvh);
        return PBD_OUT_OF_MEMORY;
    }
    for (uint32_t i = 0; i < count; ++i)
        bvh->items[i] = i;
    build_nodes(&work);
    free(work.other);
    struct bvh_node *exact = realloc(bvh->nodes, bvh->node_count * sizeof *exact);
    if (exact == NULL) {
        bvh_free(bvh);
        return PBD_OUT_OF_MEMORY;
    }
    bvh->nodes = exact;
    return PBD_OK;
}

void bvh_free(struct bvh *bvh) {
    free(bvh->nodes);
    free(bvh->items);
    *bvh = (struct bvh){.nodes = NULL};
}

static bool meets(const struct bvh_box *box, const struct bvh_range *range) {
    bool apart = false;
    for (int k = 0; k < 3; ++k)
        apart |= (double)box->low[k] > range->high[k] || (double)box->high[k] < range->low[k];
    return !apart;
}

void bvh_walk_begin(struct bvh_walk *walk, const struct bvh *bvh, const struct bvh_range *range) {
    walk->bvh = bvh;
    walk->range = *range;
    walk->depth = 0;
    if (bvh->node_count > 0) walk->stack[walk->depth++] = 0;
}

bool bvh_walk_next(struct bvh_walk *walk, uint32_t *first, uint32_t *count) {
    while (walk->depth > 0) {
        uint32_t at = walk->stack[--walk->depth];
        const struct bvh_node *node = &walk->bvh->nodes[at];
        if (!meets(&node->box, &walk->range)) continue;
        if (node->count > 0) {
            *first = node->right;
            *count = node->count;
            return true;
        }
        walk->stack[walk->depth++] = node->right;
        walk->stack[walk->depth++] = at + 1;
    }
    return false;
}
