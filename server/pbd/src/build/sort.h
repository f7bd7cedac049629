/* Stable sort by whole-number keys: the same order on every machine, in linear time. */
#ifndef PBD_BUILD_SORT_H
#define PBD_BUILD_SORT_H

#include <stddef.h>
#include <stdint.h>

/* Sorts both arrays by ascending key; equal keys keep their order. PBD_OK or PBD_OUT_OF_MEMORY. */
int sort_by_key(uint64_t *keys, uint32_t *values, size_t count);

#endif
