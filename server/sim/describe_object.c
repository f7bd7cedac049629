/* Cloths and colliders as JSON, for world.describe and the `mesh` notification. */
#include "sim/describe.h"

#include <stdlib.h>

static void put_count(struct json *json, const char *key, uint32_t value) {
    json_key(json, key);
    json_integer(json, value);
}

static void put_bool(struct json *json, const char *key, bool value) {
    json_key(json, key);
    json_bool(json, value);
}

void describe_report(struct json *json, const struct pbd_mesh_report *report) {
    json_begin_object(json);
    put_count(json, "vertices", report->vertices);
    put_count(json, "particles", report->particles);
    put_count(json, "triangles", report->triangles);
    put_count(json, "edges", report->edges);
    put_count(json, "bends", report->bends);
    put_count(json, "boundary_edges", report->boundary_edges);
    put_count(json, "components", report->components);
    put_bool(json, "closed", report->closed);
    put_bool(json, "orientable", report->orientable);
    json_key(json, "mass");
    json_double(json, report->mass);
    put_count(json, "welded", report->welded);
    put_count(json, "degenerate", report->degenerate);
    put_count(json, "duplicate", report->duplicate);
    put_count(json, "flipped", report->flipped);
    put_count(json, "isolated", report->isolated);
    put_count(json, "massless", report->massless);
    json_key(json, "warnings");
    json_begin_array(json);
    for (uint32_t i = 0; i < report->warning_count; ++i)
        json_string(json, report->warnings[i]);
    json_end_array(json);
    json_end_object(json);
}

void describe_shape(struct json *json, const struct pbd_shape *shape) {
    static const char *const names[] = {
        [PBD_PLANE] = "plane", [PBD_SPHERE] = "sphere", [PBD_CAPSULE] = "capsule", [PBD_BOX] = "box", [PBD_MESH] = "mesh"};
    json_begin_object(json);
    json_key(json, "type");
    json_string(json, names[shape->type]);
    switch (shape->type) {
    case PBD_PLANE:
        describe_vector(json, "normal", shape->normal, 3);
        describe_number(json, "offset", shape->offset);
        break;
    case PBD_SPHERE:
        describe_number(json, "radius", shape->radius);
        break;
    case PBD_CAPSULE:
        describe_number(json, "radius", shape->radius);
        describe_number(json, "half_height", shape->half_height);
        break;
    case PBD_BOX:
        describe_vector(json, "half_extents", shape->half_extents, 3);
        break;
    case PBD_MESH:
        break;
    }
    json_end_object(json);
}

void describe_pins(struct json *json, const struct content *content, const struct object *cloth) {
    uint32_t count = pbd_cloth_pins(content->pbd, cloth->id, NULL, 0);
    uint32_t *vertices = malloc((count + 1u) * sizeof *vertices);
    if (!vertices) {
        json->failed = true;
        return;
    }
    pbd_cloth_pins(content->pbd, cloth->id, vertices, count);
    json_uints(json, vertices, count);
    free(vertices);
}

void describe_cloth(struct json *json, const struct content *content, const struct object *cloth) {
    struct pbd_cloth_settings settings = pbd_default_cloth_settings();
    pbd_cloth_get_settings(content->pbd, cloth->id, &settings);
    json_key(json, "cloth");
    json_string(json, cloth->name);
    put_count(json, "object", cloth->index);
    json_key(json, "report");
    describe_report(json, pbd_fabric_report(cloth->fabric));
    json_key(json, "material");
    describe_material(json, &settings, NULL);
    json_key(json, "pins");
    describe_pins(json, content, cloth);
}

static const char *motion_name(enum pbd_motion motion) {
    return motion == PBD_STATIC_MOTION ? "static" : "kinematic";
}

static void put_pose(struct json *json, const struct pbd_collider_state *state) {
    json_key(json, "shape");
    describe_shape(json, &state->def.shape);
    json_key(json, "motion");
    json_string(json, motion_name(state->def.motion));
    describe_vector(json, "position", state->def.position, 3);
    describe_vector(json, "rotation", state->def.rotation, 4);
}

void describe_collider_spec(struct json *json, const struct content *content, const struct object *collider) {
    struct pbd_collider_state state = {.def = pbd_default_collider_def()};
    pbd_collider_get(content->pbd, collider->id, &state);
    json_key(json, "collider");
    json_string(json, collider->name);
    put_pose(json, &state);
    describe_surface(json, &state.def, NULL);
}

void describe_collider(struct json *json, const struct content *content, const struct object *collider) {
    struct pbd_collider_state state = {.def = pbd_default_collider_def()};
    pbd_collider_get(content->pbd, collider->id, &state);
    describe_collider_spec(json, content, collider);
    put_count(json, "object", collider->index);
    describe_vector(json, "velocity", state.velocity, 3);
    describe_vector(json, "angular_velocity", state.angular_velocity, 3);
}

/* A collider has no vertices, but the members are there. */
static void put_mesh_of_collider(struct json *json, const struct world *world,
                                 const struct object *collider) {
    struct pbd_collider_state state = {.def = pbd_default_collider_def()};
    pbd_collider_get(world->content.pbd, collider->id, &state);
    json_key(json, "kind");
    json_string(json, "collider");
    put_count(json, "step_exp", 0);
    put_count(json, "vertex_count", 0);
    put_count(json, "triangle_count", 0);
    put_count(json, "cols", 0);
    json_key(json, "order");
    json_null(json);
    json_key(json, "pins");
    json_begin_array(json);
    json_end_array(json);
    json_key(json, "style");
    json_null(json);
    json_key(json, "report");
    json_null(json);
    put_pose(json, &state);
}

static void put_mesh_of_cloth(struct json *json, const struct world *world, const struct object *cloth) {
    const struct pbd_fabric_view *view = &cloth->view;
    json_key(json, "kind");
    json_string(json, "cloth");
    put_count(json, "vertex_count", view->vertex_count);
    put_count(json, "triangle_count", view->triangle_count);
    put_count(json, "cols", view->cols);
    json_key(json, "order");
    if (view->payload_order) {
        json_uints(json, view->payload_order, view->vertex_count);
    } else {
        json_null(json);
    }
    json_key(json, "pins");
    describe_pins(json, &world->content, cloth);
    json_key(json, "style");
    json_null(json);
    json_key(json, "report");
    describe_report(json, pbd_fabric_report(cloth->fabric));
}

void describe_mesh(struct json *json, const struct world *world, const struct object *object, int step_exp) {
    json_key(json, "world");
    json_string(json, world->name);
    put_count(json, "world_index", world->index);
    put_count(json, "epoch", world->epoch);
    put_count(json, "object", object->index);
    json_key(json, "name");
    json_string(json, object->name);
    if (object->kind == OBJECT_CLOTH) {
        json_key(json, "step_exp");
        json_integer(json, step_exp == TIER_STEP_AUTO ? object->step_exp : step_exp);
        put_mesh_of_cloth(json, world, object);
        return;
    }
    put_mesh_of_collider(json, world, object);
}
