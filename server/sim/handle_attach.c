/* cloth.attach, detach, impulse: what holds and hits single vertices. */
#include "sim/dispatch.h"

#include <assert.h>
#include <stdlib.h>

#include "sim/attachments.h"
#include "sim/vertex_list.h"

static void put_previous(struct call *call, const struct object *cloth, const struct vertex_list *list) {
    json_key(&call->result, "previous");
    json_begin_object(&call->result);
    json_key(&call->result, "attach");
    attachments_describe(&call->result, &call->world->content, cloth, list->vertices, list->count);
    json_end_object(&call->result);
}

int handle_cloth_attach(struct call *call, const struct wire_cloth_attach *params) {
    struct object *cloth = call_cloth(call, params->cloth);
    struct object *collider = cloth ? call_collider(call, params->collider) : NULL;
    struct vertex_list list;
    if (!collider || vertex_list_expand(call, &params->vertices, cloth, &list) != HANDLED) return REFUSED;
    put_previous(call, cloth, &list);
    int result =
        pbd_cloth_attach(call->world->content.pbd, cloth->id, list.vertices, list.count, collider->id);
    vertex_list_free(&list);
    return result == PBD_OK ? HANDLED : call_out_of_memory(call);
}

static const char *name_of(const struct call *call, pbd_collider_id id) {
    const struct object *collider = object_find_id(&call->world->content.objects, OBJECT_COLLIDER, id);
    return collider ? collider->name : "";
}

/* Every vertex must be attached, to only where it is given; each stays in the list once. */
static int check_attached(struct call *call, const struct object *cloth, const struct object *only,
                          pbd_collider_id *map, struct vertex_list *list) {
    for (uint32_t i = 0; i < list->count; ++i) {
        uint32_t vertex = list->vertices[i];
        if (map[vertex] == 0) {
            WIRE_FAIL(&call->error, conflict, "vertices", "vertex %u of cloth \"%s\" is not attached.",
                      vertex, cloth->name);
            return REFUSED;
        }
        if (only && map[vertex] != only->id) {
            WIRE_FAIL(&call->error, conflict, "vertices",
                      "vertex %u of cloth \"%s\" is attached to \"%s\", not to \"%s\".", vertex, cloth->name,
                      name_of(call, map[vertex]), only->name);
            return REFUSED;
        }
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < list->count; ++i) {
        if (map[list->vertices[i]] == 0) continue;
        map[list->vertices[i]] = 0;
        list->vertices[kept++] = list->vertices[i];
    }
    list->count = kept;
    return HANDLED;
}

static int all_attached(struct call *call, const struct object *cloth, const struct object *only,
                        const pbd_collider_id *map, struct vertex_list *list) {
    if (vertex_list_all(call, cloth, list) != HANDLED) return REFUSED;
    uint32_t kept = 0;
    for (uint32_t v = 0; v < list->count; ++v) {
        if (map[v] != 0 && (!only || map[v] == only->id)) list->vertices[kept++] = v;
    }
    list->count = kept;
    return HANDLED;
}

static int detach(struct call *call, const struct wire_cloth_detach *params, const struct object *cloth,
                  const struct object *only, pbd_collider_id *map) {
    struct vertex_list list;
    bool all = params->has_all == WIRE_PRESENT;
    int handled = all ? all_attached(call, cloth, only, map, &list)
                      : vertex_list_expand(call, &params->vertices, cloth, &list);
    if (handled != HANDLED) return REFUSED;
    if (!all) handled = check_attached(call, cloth, only, map, &list);
    if (handled == HANDLED) {
        put_previous(call, cloth, &list);
        if (pbd_cloth_detach(call->world->content.pbd, cloth->id, list.vertices, list.count) != PBD_OK)
            handled = call_out_of_memory(call);
    }
    vertex_list_free(&list);
    return handled;
}

int handle_cloth_detach(struct call *call, const struct wire_cloth_detach *params) {
    struct object *cloth = call_cloth(call, params->cloth), *only = NULL;
    if (!cloth) return REFUSED;
    if (params->has_all == WIRE_PRESENT && !params->all) {
        WIRE_FAIL(&call->error, out_of_range, "all", "all is false; leave it out and name the vertices.");
        return REFUSED;
    }
    if (params->has_collider == WIRE_PRESENT) {
        only = call_collider(call, params->collider);
        if (!only) return REFUSED;
    }
    pbd_collider_id *map = attachments_map(&call->world->content, cloth);
    if (!map) return call_out_of_memory(call);
    int handled = detach(call, params, cloth, only, map);
    free(map);
    return handled;
}

int handle_cloth_impulse(struct call *call, const struct wire_cloth_impulse *params) {
    struct object *cloth = call_cloth(call, params->cloth);
    struct vertex_list list;
    if (!cloth || vertex_list_expand(call, &params->vertices, cloth, &list) != HANDLED) return REFUSED;
    int result =
        pbd_cloth_impulse(call->world->content.pbd, cloth->id, list.vertices, list.count, params->impulse);
    assert(result == PBD_OK || result == PBD_OUT_OF_MEMORY);
    vertex_list_free(&list);
    return result == PBD_OK ? HANDLED : call_out_of_memory(call);
}
