/* The `vertices` of a command spelled out, and arrays that go with them. */
#ifndef SIM_VERTEX_LIST_H
#define SIM_VERTEX_LIST_H

#include <sim/dispatch.h>

/* A command names at most this many vertices, repetitions included. */
enum { VERTEX_LIST_LIMIT = 2000000 };

struct vertex_list {
    uint32_t *vertices; /* malloc'd */
    uint32_t count;
};

/* 0, or REFUSED with call->error: an index beyond the cloth's vertices, or too many. */
int vertex_list_expand(struct call *call, const struct wire_vertices *wire, const struct object *cloth,
                       struct vertex_list *list);
/* All vertices of the cloth. */
int vertex_list_all(struct call *call, const struct object *cloth, struct vertex_list *list);
/* numbers must be three per vertex. */
int vertex_list_check_numbers(struct call *call, const char *path, const struct wire_numbers *numbers,
                              uint32_t vertex_count);
void vertex_list_free(struct vertex_list *list);

#endif
