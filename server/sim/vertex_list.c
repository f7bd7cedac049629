/* Ranges to indices, with the checks that need the cloth. */
#include "sim/vertex_list.h"

#include <stdlib.h>

int vertex_list_expand(struct call *call, const struct wire_vertices *wire, const struct object *cloth,
                       struct vertex_list *list) {
    uint32_t vertex_count = cloth->view.vertex_count;
    for (uint32_t i = 0; i < wire->range_count; ++i) {
        if (wire->ranges[i].to < vertex_count) continue;
        WIRE_FAIL(&call->error, out_of_range, "vertices",
                  "vertices names vertex %u, but cloth \"%s\" has %u vertices: 0 to %u are allowed.",
                  wire->ranges[i].to, cloth->name, vertex_count, vertex_count - 1);
        return REFUSED;
    }
    if (wire->count > VERTEX_LIST_LIMIT) {
        WIRE_FAIL(&call->error, limit_exceeded, "vertices",
                  "vertices names %llu vertices; at most %d are allowed.", (unsigned long long)wire->count,
                  VERTEX_LIST_LIMIT);
        wire_error_data(&call->error, "\"limit\":\"vertices\",\"max\":%d,\"got\":%llu", VERTEX_LIST_LIMIT,
                        (unsigned long long)wire->count);
        return REFUSED;
    }
    list->count = 0;
    list->vertices = malloc(sizeof *list->vertices * ((size_t)wire->count + 1));
    if (!list->vertices) return call_out_of_memory(call);
    for (uint32_t i = 0; i < wire->range_count; ++i) {
        for (uint32_t v = wire->ranges[i].from; v <= wire->ranges[i].to; ++v) {
            list->vertices[list->count++] = v;
        }
    }
    return HANDLED;
}

int vertex_list_all(struct call *call, const struct object *cloth, struct vertex_list *list) {
    list->count = cloth->view.vertex_count;
    list->vertices = malloc(sizeof *list->vertices * ((size_t)list->count + 1));
    if (!list->vertices) return call_out_of_memory(call);
    for (uint32_t v = 0; v < list->count; ++v)
        list->vertices[v] = v;
    return HANDLED;
}

int vertex_list_check_numbers(struct call *call, const char *path, const struct wire_numbers *numbers,
                              uint32_t vertex_count) {
    uint64_t need = 3 * (uint64_t)vertex_count;
    if (numbers->count == need) return HANDLED;
    WIRE_FAIL(&call->error, out_of_range, path, "%s has %u numbers, but %u vertices need exactly %llu.", path,
              numbers->count, vertex_count, (unsigned long long)need);
    return REFUSED;
}

void vertex_list_free(struct vertex_list *list) {
    free(list->vertices);
    *list = (struct vertex_list){0};
}
