/* Attachments as a map over vertices, and as JSON by collider. */
#include "sim/attachments.h"

#include <stdlib.h>

pbd_collider_id *attachments_map(const struct content *content, const struct object *cloth) {
    uint32_t count = pbd_cloth_attachments(content->pbd, cloth->id, NULL, NULL, 0);
    pbd_collider_id *map = calloc(cloth->view.vertex_count + 1u, sizeof *map);
    uint32_t *vertices = malloc(sizeof *vertices * (count + 1u));
    pbd_collider_id *colliders = malloc(sizeof *colliders * (count + 1u));
    if (map && vertices && colliders) {
        pbd_cloth_attachments(content->pbd, cloth->id, vertices, colliders, count);
        for (uint32_t i = 0; i < count; ++i)
            map[vertices[i]] = colliders[i];
    } else {
        free(map);
        map = NULL;
    }
    free(vertices);
    free(colliders);
    return map;
}

/* The vertices of map that are attached to collider, which it forgets. */
static void put_vertices(struct json *json, pbd_collider_id *map, pbd_collider_id collider,
                         const uint32_t *vertices, uint32_t count) {
    json_begin_array(json);
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t vertex = vertices ? vertices[i] : i;
        if (map[vertex] != collider) continue;
        json_integer(json, vertex);
        map[vertex] = 0;
    }
    json_end_array(json);
}

static bool names(const pbd_collider_id *map, pbd_collider_id collider, const uint32_t *vertices,
                  uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        if (map[vertices ? vertices[i] : i] == collider) return true;
    }
    return false;
}

void attachments_describe(struct json *json, const struct content *content, const struct object *cloth,
                          const uint32_t *vertices, uint32_t count) {
    json_begin_array(json);
    if (!vertices) count = cloth->view.vertex_count;
    /* Most cloths have none, and then no map is made. */
    if (pbd_cloth_attachments(content->pbd, cloth->id, NULL, NULL, 0) > 0) {
        pbd_collider_id *map = attachments_map(content, cloth);
        if (!map) json->failed = true;
        for (uint32_t i = 0; map && i < content->objects.count; ++i) {
            const struct object *object = content->objects.items[i];
            if (object->kind != OBJECT_COLLIDER || !names(map, object->id, vertices, count)) continue;
            json_begin_object(json);
            json_key(json, "collider");
            json_string(json, object->name);
            json_key(json, "vertices");
            put_vertices(json, map, object->id, vertices, count);
            json_end_object(json);
        }
        free(map);
    }
    json_end_array(json);
}
