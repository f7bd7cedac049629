/* State of cloths as JSON that a command can take back. */
#include "sim/cloth_previous.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "sim/attachments.h"
#include "sim/describe.h"

typedef void put_vertices(struct json *json, const struct pbd_cloth_view *view, const uint32_t *vertices,
                          uint32_t count);

static void put_vectors(struct json *json, const float *x, const float *y, const float *z,
                        const uint32_t *vertex_particle, const uint32_t *vertices, uint32_t count) {
    json_begin_array(json);
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t particle = vertex_particle[vertices ? vertices[i] : i];
        json_float(json, x[particle]);
        json_float(json, y[particle]);
        json_float(json, z[particle]);
    }
    json_end_array(json);
}

void cloth_positions(struct json *json, const struct pbd_cloth_view *view, const uint32_t *vertices,
                     uint32_t count) {
    put_vectors(json, view->x, view->y, view->z, view->vertex_particle, vertices, count);
}

void cloth_velocities(struct json *json, const struct pbd_cloth_view *view, const uint32_t *vertices,
                      uint32_t count) {
    put_vectors(json, view->vx, view->vy, view->vz, view->vertex_particle, vertices, count);
}

static void put_targets(struct json *json, const struct content *content, const struct object *cloth,
                        const uint32_t *vertices, uint32_t count) {
    float target[3];
    json_begin_array(json);
    for (uint32_t i = 0; i < count; ++i) {
        if (pbd_cloth_is_pinned(content->pbd, cloth->id, vertices[i], target) != 1) continue;
        for (int axis = 0; axis < 3; ++axis)
            json_float(json, target[axis]);
    }
    json_end_array(json);
}

void cloth_previous_pins(struct json *json, const struct content *content, const struct object *cloth,
                         const uint32_t *vertices, uint32_t count) {
    json_begin_object(json);
    json_key(json, "vertices");
    json_begin_array(json);
    for (uint32_t i = 0; i < count; ++i) {
        if (pbd_cloth_is_pinned(content->pbd, cloth->id, vertices[i], NULL) == 1)
            json_integer(json, vertices[i]);
    }
    json_end_array(json);
    json_key(json, "positions");
    put_targets(json, content, cloth, vertices, count);
    json_end_object(json);
}

/* The pins of the whole cloth, and where they lead. */
static void put_pins(struct json *json, const struct content *content, const struct object *cloth) {
    uint32_t count = pbd_cloth_pins(content->pbd, cloth->id, NULL, 0);
    uint32_t *vertices = malloc(((size_t)count + 1) * sizeof *vertices);
    if (!vertices) {
        json->failed = true;
        return;
    }
    pbd_cloth_pins(content->pbd, cloth->id, vertices, count);
    json_key(json, "pins");
    json_uints(json, vertices, count);
    json_key(json, "pin_positions");
    put_targets(json, content, cloth, vertices, count);
    free(vertices);
}

bool cloth_mesh(struct json *json, const struct pbd_mesh_def *def, const struct pbd_cloth_view *view,
                size_t max_length) {
    json_begin_object(json);
    json_key(json, "positions");
    cloth_positions(json, view, NULL, view->vertex_count);
    if (def->face_count > 0) {
        json_key(json, "triangles");
        json_uints(json, def->face_vertices, 3 * (size_t)def->face_count);
    }
    if (json->length > max_length) return false; /* long before it would be of any use */
    if (def->edge_count > 0) {
        json_key(json, "edges");
        json_uints(json, def->edges, 2 * (size_t)def->edge_count);
    }
    if (def->masses) {
        json_key(json, "masses");
        json_floats(json, def->masses, def->vertex_count);
    }
    json_key(json, "rest_positions");
    json_floats(json, def->rest_positions, 3 * (size_t)def->vertex_count);
    if (def->cols > 0) {
        json_key(json, "cols");
        json_integer(json, def->cols);
    }
    json_end_object(json);
    return json->length <= max_length;
}

static void put_state(struct json *json, const char *key, put_vertices *put,
                      const struct pbd_cloth_view *view, size_t max_bytes) {
    json_key(json, key);
    struct json_mark mark = json_get_mark(json);
    put(json, view, NULL, view->vertex_count);
    if (json->failed || json->length - mark.length <= max_bytes) return;
    json_rewind(json, mark);
    json_null(json);
}

void cloth_previous_whole(struct json *json, const struct content *content, const struct object *cloth,
                          size_t max_bytes) {
    struct pbd_cloth_settings settings = pbd_default_cloth_settings();
    struct pbd_cloth_view view;
    struct pbd_mesh_recipe recipe;
    int result = pbd_cloth_get_settings(content->pbd, cloth->id, &settings);
    if (result == PBD_OK) result = pbd_cloth_get_view(content->pbd, cloth->id, &view);
    assert(result == PBD_OK);
    if (pbd_fabric_recipe(cloth->fabric, &recipe) != PBD_OK) {
        json->failed = true;
        return;
    }
    size_t begin = json->length;
    json_begin_object(json);
    json_key(json, "cloth");
    json_string(json, cloth->name);
    describe_number(json, "density", recipe.def.density);
    describe_number(json, "weld", recipe.def.weld);
    json_key(json, "allow_nonmanifold");
    json_bool(json, recipe.def.allow_nonmanifold);
    json_key(json, "material");
    describe_material(json, &settings, NULL);
    describe_material_members(json, &settings, NULL);
    put_pins(json, content, cloth);
    json_key(json, "attach");
    attachments_describe(json, content, cloth, NULL, 0);
    json_key(json, "mesh");
    struct json_mark mark = json_get_mark(json);
    if (!cloth_mesh(json, &recipe.def, &view, begin + max_bytes)) {
        if (!json->failed) json_rewind(json, mark);
        json_null(json);
        if (cloth->grid) json_raw(json, cloth->grid, strlen(cloth->grid));
        put_state(json, "positions", cloth_positions, &view, max_bytes);
    }
    put_state(json, "velocities", cloth_velocities, &view, max_bytes);
    json_end_object(json);
    pbd_mesh_recipe_free(&recipe);
}
