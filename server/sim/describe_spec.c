/* From a content back to the scene that makes it. */
#include "sim/describe_spec.h"

#include <stdlib.h>
#include <string.h>

#include "sim/attachments.h"
#include "sim/cloth_previous.h"
#include "sim/describe.h"
#include "sim/fingerprint.h"

/* Every has_… of these structs is one byte: all of them present. */
static void everything(void *members, size_t size) {
    memset(members, WIRE_PRESENT, size);
}

static void put_world(struct json *json, const struct content *content) {
    struct pbd_world_settings settings = pbd_world_get_settings(content->pbd);
    struct wire_world_settings members;
    everything(&members, sizeof members);
    describe_world_settings(json, &settings, content->time_scale, &members);
}

static void put_view(struct json *json, const struct content *content) {
    if (!content->has_view_position && !content->has_view_target) return;
    json_key(json, "view");
    json_begin_object(json);
    if (content->has_view_position) describe_vector(json, "position", content->view_position, 3);
    if (content->has_view_target) describe_vector(json, "target", content->view_target, 3);
    json_end_object(json);
}

/* ---- cloths ---- */

static bool is_one_velocity(const struct pbd_cloth_view *view, float velocity[3]) {
    for (int axis = 0; axis < 3; ++axis) {
        const float *v = axis == 0 ? view->vx : axis == 1 ? view->vy : view->vz;
        velocity[axis] = view->particle_count > 0 ? v[0] : 0.0f;
        for (uint32_t p = 0; p < view->particle_count; ++p) {
            if (memcmp(&v[p], &velocity[axis], sizeof velocity[axis]) != 0) return false;
        }
    }
    return true;
}

static void put_velocities(struct json *json, const struct pbd_cloth_view *view) {
    static const float none[3];
    float velocity[3];
    if (!is_one_velocity(view, velocity)) {
        json_key(json, "velocities");
        cloth_velocities(json, view, NULL, view->vertex_count);
    } else if (memcmp(velocity, none, sizeof none) != 0) {
        describe_vector(json, "velocity", velocity, 3);
    }
}

/* The thickness of a cloth that nobody gave one stays unsaid: it makes no warning. */
static void put_material(struct json *json, const struct object *cloth,
                         const struct pbd_cloth_settings *settings) {
    struct wire_cloth_settings members;
    everything(&members, sizeof members);
    if (!cloth->thickness_given) members.has_thickness = WIRE_ABSENT;
    describe_material_members(json, settings, &members);
}

void describe_cloth_spec(struct json *json, const struct content *content, const struct object *cloth) {
    struct pbd_cloth_settings settings = pbd_default_cloth_settings();
    struct pbd_cloth_view view;
    struct pbd_mesh_recipe recipe;
    if (pbd_cloth_get_settings(content->pbd, cloth->id, &settings) != PBD_OK ||
        pbd_cloth_get_view(content->pbd, cloth->id, &view) != PBD_OK ||
        pbd_fabric_recipe(cloth->fabric, &recipe) != PBD_OK) {
        json->failed = true;
        return;
    }
    json_key(json, "cloth");
    json_string(json, cloth->name);
    if (cloth->grid) {
        json_raw(json, cloth->grid, strlen(cloth->grid));
        if (fingerprint_positions(&view) != cloth->placed) {
            json_key(json, "positions");
            cloth_positions(json, &view, NULL, view.vertex_count);
        }
    } else {
        json_key(json, "mesh");
        cloth_mesh(json, &recipe.def, &view, SIZE_MAX);
    }
    put_velocities(json, &view);
    describe_number(json, "density", recipe.def.density);
    describe_number(json, "weld", recipe.def.weld);
    json_key(json, "allow_nonmanifold");
    json_bool(json, recipe.def.allow_nonmanifold);
    put_material(json, cloth, &settings);
    json_key(json, "pins");
    describe_pins(json, content, cloth);
    json_key(json, "attach");
    attachments_describe(json, content, cloth, NULL, 0);
    pbd_mesh_recipe_free(&recipe);
}

void describe_spec(struct json *json, const struct content *content) {
    json_key(json, "title");
    json_string(json, content->title);
    json_key(json, "description");
    json_string(json, content->description);
    put_view(json, content);
    json_key(json, "world");
    put_world(json, content);
    json_key(json, "cloths");
    json_begin_array(json);
    for (uint32_t i = 0; i < content->objects.count; ++i) {
        const struct object *object = content->objects.items[i];
        if (object->kind != OBJECT_CLOTH) continue;
        json_begin_object(json);
        describe_cloth_spec(json, content, object);
        json_end_object(json);
    }
    json_end_array(json);
    json_key(json, "colliders");
    json_begin_array(json);
    for (uint32_t i = 0; i < content->objects.count; ++i) {
        const struct object *object = content->objects.items[i];
        if (object->kind != OBJECT_COLLIDER) continue;
        json_begin_object(json);
        describe_collider_spec(json, content, object, SIZE_MAX);
        json_end_object(json);
    }
    json_end_array(json);
}
