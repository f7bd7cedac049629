/* A tree of boxes over any list of boxes (bounding volume hierarchy), as a flat array.
 *
 *   nodes  [root][left of root]…[right of root]…      a node's left child follows it
 *   items  the boxes' numbers; a leaf is a run of at most BVH_LEAF of them
 *
 * Built by binned surface area heuristic (Wald, On fast Construction of SAH-based
 * Bounding Volume Hierarchies, 2007), with equal halves where that gets too deep; ties
 * go to the lower number, so the same boxes give the same tree everywhere. Walks need no
 * memory but their stack: at most BVH_DEPTH. */
#ifndef PBD_CONTACT_BVH_H
#define PBD_CONTACT_BVH_H

#include <stdbool.h>
#include <stdint.h>

#define BVH_LEAF 4u
#define BVH_DEPTH 64

struct bvh_box {
    float low[3], high[3];
};

struct bvh_node {
    struct bvh_box box;
    uint32_t right; /* inner: the right child; leaf: its first item */
    uint32_t count; /* leaf: items; 0 = inner */
};

struct bvh {
    struct bvh_node *nodes;
    uint32_t *items;
    uint32_t node_count, item_count;
};

/* PBD_OK or PBD_OUT_OF_MEMORY (then *bvh is empty). count ≥ 1, all coordinates finite. */
int bvh_build(struct bvh *bvh, const struct bvh_box *boxes, uint32_t count);
void bvh_free(struct bvh *bvh);

/* In a query the box is in double; a box is closed: touching counts. */
struct bvh_range {
    double low[3], high[3];
};

/* A walk over the leaves whose boxes meet the range, always in the same order. The range
 * may shrink while the walk goes on. */
struct bvh_walk {
    const struct bvh *bvh;
    struct bvh_range range;
    uint32_t stack[BVH_DEPTH];
    int depth;
};
void bvh_walk_begin(struct bvh_walk *walk, const struct bvh *bvh, const struct bvh_range *range);
/* The next such leaf: places first … first + count − 1 of bvh->items. False at the end. */
bool bvh_walk_next(struct bvh_walk *walk, uint32_t *first, uint32_t *count);

#endif
