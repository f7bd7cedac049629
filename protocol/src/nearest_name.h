/* "Did you mean …": the nearest of the allowed names. */
#ifndef WIRE_NEAREST_NAME_H
#define WIRE_NEAREST_NAME_H

#include <stdint.h>

/* How many letters must be inserted, removed, replaced or swapped with their neighbour;
 * names beyond 64 bytes count as infinitely far (UINT32_MAX). */
uint32_t name_distance(const char *a, const char *b);
/* Near enough to suggest: at most a third of the longer name's letters, but 2 at least. */
int name_is_near(const char *name, const char *candidate, uint32_t distance);

#endif
