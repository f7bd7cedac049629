/* Which bodies touch which, by their boxes: sort-and-sweep along x, then union-find.
 *
 * Boxes overlap earlier than surfaces touch, so bodies that stand close wait for each
 * other and nothing that touches is ever missed. All orders are total; equal in every run. */
#ifndef PBD_WORLD_ISLANDS_H
#define PBD_WORLD_ISLANDS_H

#include <stdbool.h>
#include <stdint.h>

struct island_node {
    double low[3], high[3];
    uint32_t place;  /* of its cloth or collider */
    uint32_t parent; /* another node of the same island, itself for one of them */
    bool is_cloth;
    bool passes;   /* cloths: touches no other cloth that passes, nor one that does not */
    bool restless; /* keeps its whole island awake */
};

/* Whether the boxes share a point. */
bool islands_overlap(const struct island_node *a, const struct island_node *b);
/* Every node its own island. */
void islands_begin(struct island_node *nodes, uint32_t count);
/* Joins nodes that overlap; order is scratch of count. */
void islands_join_touching(struct island_node *nodes, uint32_t *order, uint32_t count);
void islands_join(struct island_node *nodes, uint32_t a, uint32_t b);
/* Then the restlessness of one is that of all of its island. */
void islands_spread(struct island_node *nodes, uint32_t count);

#endif
