/* A request's memory: small pieces are cut from 4 KiB chunks, large ones get a chunk
 * of their own, and everything goes at once. A request is decoded on one thread and
 * freed on another, so nothing here is shared. */
#include "arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK_BYTES = 4096 };

struct chunk {
    struct chunk *next;
    size_t used, capacity;
    alignas(max_align_t) unsigned char bytes[];
};

struct arena {
    struct chunk *chunks; /* the one that small pieces come from is first */
};

static struct chunk *chunk_create(size_t capacity) {
    if (capacity > SIZE_MAX - sizeof(struct chunk)) return NULL;
    struct chunk *chunk = malloc(sizeof *chunk + capacity);
    if (!chunk) return NULL;
    *chunk = (struct chunk){.capacity = capacity};
    return chunk;
}

static size_t round_up(size_t size) {
    return (size + alignof(max_align_t) - 1) / alignof(max_align_t) * alignof(max_align_t);
}

struct arena *arena_create(void) {
    struct chunk *chunk = chunk_create(CHUNK_BYTES);
    if (!chunk) return NULL;
    struct arena *arena = (struct arena *)(void *)chunk->bytes;
    chunk->used = round_up(sizeof *arena);
    arena->chunks = chunk;
    return arena;
}

void arena_destroy(struct arena *arena) {
    if (!arena) return;
    for (struct chunk *chunk = arena->chunks, *next; chunk; chunk = next) {
        next = chunk->next;
        free(chunk);
    }
}

static void *cut(struct arena *arena, size_t size) {
    if (size > SIZE_MAX / 2) return NULL;
    size = round_up(size ? size : 1);
    struct chunk *first = arena->chunks;
    if (size > first->capacity - first->used) {
        struct chunk *chunk = chunk_create(size > CHUNK_BYTES ? size : CHUNK_BYTES);
        if (!chunk) return NULL;
        if (size > CHUNK_BYTES) { /* full from the start: keep cutting from the old one */
            chunk->next = first->next;
            first->next = chunk;
        } else {
            chunk->next = first;
            arena->chunks = chunk;
        }
        first = chunk;
    }
    void *piece = first->bytes + first->used;
    first->used += size;
    return piece;
}

void *arena_alloc(struct arena *arena, size_t size) {
    void *piece = cut(arena, size);
    if (piece) memset(piece, 0, size);
    return piece;
}

void *arena_alloc_array(struct arena *arena, size_t count, size_t size) {
    if (size && count > SIZE_MAX / 2 / size) return NULL;
    return cut(arena, count * size);
}

char *arena_text(struct arena *arena, const char *text, size_t length) {
    char *copy = cut(arena, length + 1);
    if (!copy) return NULL;
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}
