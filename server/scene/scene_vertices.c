/* Ranges of vertices spelled out. */
#include "scene/scene.h"

#include <stdlib.h>
#include <wire/errors.h>

/* The first vertex from v on that leads to itself; shortens the way for the next time. */
static uint32_t skip_taken(uint32_t *next, uint32_t v) {
    while (next[v] != v) {
        next[v] = next[next[v]];
        v = next[v];
    }
    return v;
}

static int check_range(const struct wire_vertices *wire, uint32_t vertex_count, const char *path,
                       struct wire_error *error) {
    for (uint32_t i = 0; i < wire->range_count; ++i) {
        if (wire->ranges[i].to < vertex_count) continue;
        WIRE_FAIL(error, out_of_range, path, "%s names vertex %u; the cloth has %u (0…%u).", path,
                  wire->ranges[i].to, vertex_count, vertex_count - 1);
        return -1;
    }
    return 0;
}

int scene_vertices_expand(const struct wire_vertices *wire, uint32_t vertex_count, const char *path,
                          uint32_t **vertices, uint32_t *count, struct wire_error *error) {
    if (check_range(wire, vertex_count, path, error) != 0) return -1;
    /* Ranges may repeat; once each is enough. next leads past what is taken already, so
     * that a text full of ranges of the whole cloth costs no more than its length. */
    uint32_t *next = malloc(((size_t)vertex_count + 1) * sizeof *next);
    uint32_t *taken = malloc(((size_t)vertex_count + 1) * sizeof *taken), taken_count = 0;
    if (next == NULL || taken == NULL) {
        free(next);
        free(taken);
        WIRE_FAIL(error, out_of_memory, path, "The server had no memory for %s.", path);
        return -1;
    }
    for (uint32_t v = 0; v <= vertex_count; ++v)
        next[v] = v;
    for (uint32_t i = 0; i < wire->range_count; ++i) {
        uint32_t to = wire->ranges[i].to;
        for (uint32_t v = skip_taken(next, wire->ranges[i].from); v <= to; v = skip_taken(next, v)) {
            taken[taken_count++] = v;
            next[v] = v + 1;
        }
    }
    free(next);
    *vertices = taken;
    *count = taken_count;
    return 0;
}
