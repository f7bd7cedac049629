/* The memory of one request: pieces that are freed together. */
#ifndef WIRE_ARENA_H
#define WIRE_ARENA_H

#include <stddef.h>

struct arena;

/* NULL when out of memory. */
struct arena *arena_create(void);
/* NULL is allowed. */
void arena_destroy(struct arena *arena);
/* Zeroed bytes, aligned for any type; NULL when out of memory. */
void *arena_alloc(struct arena *arena, size_t size);
/* The same, not zeroed: for arrays that are filled at once. */
void *arena_alloc_array(struct arena *arena, size_t count, size_t size);
/* A copy with a NUL behind it. */
char *arena_text(struct arena *arena, const char *text, size_t length);

#endif
