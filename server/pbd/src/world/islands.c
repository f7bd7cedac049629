/* Islands of touching bodies. */
#include "world/islands.h"

#include <stddef.h>

bool islands_overlap(const struct island_node *a, const struct island_node *b) {
    if (a->is_cloth && b->is_cloth && (a->passes || b->passes)) return false;
    for (int k = 0; k < 3; ++k)
        if (!(a->low[k] <= b->high[k] && b->low[k] <= a->high[k])) return false;
    return true;
}

void islands_begin(struct island_node *nodes, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i)
        nodes[i].parent = i;
}

static uint32_t root_of(struct island_node *nodes, uint32_t i) {
    while (nodes[i].parent != i) {
        nodes[i].parent = nodes[nodes[i].parent].parent;
        i = nodes[i].parent;
    }
    return i;
}

void islands_join(struct island_node *nodes, uint32_t a, uint32_t b) {
    a = root_of(nodes, a);
    b = root_of(nodes, b);
    if (a < b)
        nodes[b].parent = a;
    else
        nodes[a].parent = b;
}

static bool comes_later(const struct island_node *nodes, uint32_t a, uint32_t b) {
    if (nodes[a].low[0] != nodes[b].low[0]) return nodes[a].low[0] > nodes[b].low[0];
    return a > b;
}

/* Sinks order[at] in the heap of the first count entries. */
static void sink(const struct island_node *nodes, uint32_t *order, uint32_t at, uint32_t count) {
    for (;;) {
        uint32_t child = 2 * at + 1;
        if (child >= count) return;
        if (child + 1 < count && comes_later(nodes, order[child + 1], order[child])) ++child;
        if (!comes_later(nodes, order[child], order[at])) return;
        uint32_t moved = order[at];
        order[at] = order[child];
        order[child] = moved;
        at = child;
    }
}

/* By the low end along x, then by index. A heap: qsort may allocate. */
static void sort_by_low(const struct island_node *nodes, uint32_t *order, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i)
        order[i] = i;
    for (uint32_t i = count / 2; i-- > 0;)
        sink(nodes, order, i, count);
    for (uint32_t end = count; end-- > 1;) {
        uint32_t last = order[0];
        order[0] = order[end];
        order[end] = last;
        sink(nodes, order, 0, end);
    }
}

void islands_join_touching(struct island_node *nodes, uint32_t *order, uint32_t count) {
    sort_by_low(nodes, order, count);
    for (uint32_t i = 0; i < count; ++i) {
        const struct island_node *node = &nodes[order[i]];
        for (uint32_t j = i + 1; j < count && nodes[order[j]].low[0] <= node->high[0]; ++j)
            if (islands_overlap(node, &nodes[order[j]])) islands_join(nodes, order[i], order[j]);
    }
}

void islands_spread(struct island_node *nodes, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i)
        if (nodes[i].restless) nodes[root_of(nodes, i)].restless = true;
    for (uint32_t i = 0; i < count; ++i)
        nodes[i].restless = nodes[root_of(nodes, i)].restless;
}
