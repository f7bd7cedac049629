/* State of cloths as JSON that a command can take back. */
#include "sim/cloth_previous.h"

#include <stdlib.h>

#include "sim/attachments.h"
#include "sim/describe.h"

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

void cloth_previous_pins(struct json *json, const struct content *content, const struct object *cloth,
                         const uint32_t *vertices, uint32_t count) {
    float target[3];
    json_begin_object(json);
    json_key(json, "vertices");
    json_begin_array(json);
    for (uint32_t i = 0; i < count; ++i) {
        if (pbd_cloth_is_pinned(content->pbd, cloth->id, vertices[i], NULL) == 1)
            json_integer(json, vertices[i]);
    }
    json_end_array(json);
    json_key(json, "positions");
    json_begin_array(json);
    for (uint32_t i = 0; i < count; ++i) {
        if (pbd_cloth_is_pinned(content->pbd, cloth->id, vertices[i], target) != 1) continue;
        for (int axis = 0; axis < 3; ++axis)
            json_float(json, target[axis]);
    }
    json_end_array(json);
    json_end_object(json);
}

static void put_edges(struct json *json, const struct object *cloth) {
    uint32_t *pairs = malloc(2 * sizeof *pairs * ((size_t)cloth->view.edge_count + 1));
    if (!pairs) {
        json->failed = true;
        return;
    }
    pbd_fabric_edges(cloth->fabric, pairs, NULL, NULL);
    json_uints(json, pairs, 2 * (size_t)cloth->view.edge_count);
    free(pairs);
}

static void put_mesh(struct json *json, const struct object *cloth, const struct pbd_cloth_view *view) {
    const struct pbd_fabric_view *fabric = &cloth->view;
    json_begin_object(json);
    json_key(json, "positions");
    cloth_positions(json, view, NULL, view->vertex_count);
    if (fabric->triangle_count > 0) {
        json_key(json, "triangles");
        json_uints(json, fabric->triangles, 3 * (size_t)fabric->triangle_count);
    } else {
        json_key(json, "edges");
        put_edges(json, cloth);
    }
    json_key(json, "rest_positions");
    json_floats(json, fabric->rest_positions, 3 * (size_t)fabric->vertex_count);
    json_end_object(json);
}

void cloth_previous_whole(struct json *json, const struct content *content, const struct object *cloth) {
    struct pbd_cloth_settings settings = pbd_default_cloth_settings();
    struct pbd_cloth_view view;
    bool small = cloth->view.vertex_count <= CLOTH_PREVIOUS_MAX_VERTICES &&
                 pbd_cloth_get_view(content->pbd, cloth->id, &view) == PBD_OK;
    pbd_cloth_get_settings(content->pbd, cloth->id, &settings);
    json_begin_object(json);
    json_key(json, "cloth");
    json_string(json, cloth->name);
    describe_number(json, "density", cloth->density);
    json_key(json, "material");
    describe_material(json, &settings, NULL);
    json_key(json, "pins");
    describe_pins(json, content, cloth);
    json_key(json, "attach");
    attachments_describe(json, content, cloth, NULL, 0);
    json_key(json, "mesh");
    if (small) {
        put_mesh(json, cloth, &view);
        json_key(json, "velocities");
        cloth_velocities(json, &view, NULL, view.vertex_count);
    } else {
        json_null(json);
    }
    json_end_object(json);
}
