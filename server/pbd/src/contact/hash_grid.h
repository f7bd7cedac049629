/* Which boxes are near which: a spatial hash whose buckets are the cells themselves, in
 * order.
 *
 * Boxes are sorted by size into levels (each twice as coarse as the one before), and in
 * every level by the cell of their centre. A cell of a level is so wide that whatever is
 * near a box lies in its own cell or in the 26 around it; cells that follow each other in
 * x follow each other in memory, so these are 9 rows, each one stretch of the array. One
 * pass over the sorted cells moves 9 pointers forward and finds them all: the cost is
 * linear, a giant triangle among small ones costs what it covers, and the order of the
 * pairs follows from the boxes alone. */
#ifndef PBD_CONTACT_HASH_GRID_H
#define PBD_CONTACT_HASH_GRID_H

#include <stdbool.h>
#include <stdint.h>

struct grid_box {
    float low[3], high[3];
    uint32_t id;
};

/* Boxes of one level in the order of their cells. */
struct grid_row {
    uint64_t *keys;
    uint32_t *ids;
    float *bounds[6]; /* low x, y, z, high x, y, z */
    uint32_t count;
};

/* Memory to work in; starts zeroed, grows with hash_grid_reserve. */
struct hash_grid {
    struct grid_row queries, items;
    uint64_t *other_keys;
    uint32_t *order, *other_order;
    unsigned char *levels[2]; /* per box of queries and of items */
    uint32_t capacity;
    uint64_t tests; /* boxes compared, since the caller set it to 0 */
};

/* ids of a query and an item */
struct grid_pair {
    uint32_t query, item;
};
/* Takes some of the pairs; called until all are told. */
typedef void grid_emit(void *context, const struct grid_pair *pairs, uint32_t count);

/* Room for count boxes on either side. PBD_OUT_OF_MEMORY: as it was. */
int hash_grid_reserve(struct hash_grid *grid, uint32_t count);
void hash_grid_destroy(struct hash_grid *grid);

/* Emits every query and item whose boxes are nearer than reach on each axis, once. items
 * NULL: queries among themselves, each two once, and never one with itself. A box that is
 * not finite meets nothing. Room for all of them has been reserved. */
void hash_grid_pairs(struct hash_grid *grid, const struct grid_box *queries, uint32_t query_count,
                     const struct grid_box *items, uint32_t item_count, float reach, grid_emit *emit,
                     void *context);

#endif
