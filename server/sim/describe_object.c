/* Cloths and colliders as JSON, for world.describe and the `mesh` notification. */
#include "sim/describe.h"

#include <stdlib.h>
#include <pbd/collision_mesh.h>

#include "sim/attachments.h"
#include "sim/cloth_previous.h"
#include "sim/cloth_warning.h"

static void put_count(struct json *json, const char *key, uint32_t value) {
    json_key(json, key);
    json_integer(json, value);
}

static void put_bool(struct json *json, const char *key, bool value) {
    json_key(json, key);
    json_bool(json, value);
}

void describe_report(struct json *json, const struct content *content, const struct object *cloth) {
    const struct pbd_mesh_report *report = pbd_fabric_report(cloth->fabric);
    struct cloth_warning warning;
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
    if (cloth_warning_get(content, cloth, &warning)) json_string(json, warning.text);
    json_end_array(json);
    json_end_object(json);
}

static void put_arrays(struct json *json, const struct pbd_collision_mesh_view *view) {
    json_key(json, "positions");
    json_floats(json, view->positions, 3 * (size_t)view->vertex_count);
    json_key(json, "triangles");
    json_uints(json, view->triangles, 3 * (size_t)view->triangle_count);
}

static void put_shape(struct json *json, const struct pbd_shape *shape, bool whole) {
    static const char *const names[] = {[PBD_PLANE] = "plane",
                                        [PBD_SPHERE] = "sphere",
                                        [PBD_CAPSULE] = "capsule",
                                        [PBD_BOX] = "box",
                                        [PBD_MESH] = "mesh"};
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
    case PBD_MESH: {
        struct pbd_collision_mesh_view view = pbd_collision_mesh_get_view(shape->mesh);
        if (whole) {
            put_arrays(json, &view);
            break;
        }
        put_count(json, "vertex_count", view.vertex_count);
        put_count(json, "triangle_count", view.triangle_count);
        put_bool(json, "closed", view.closed);
        break;
    }
    }
    json_end_object(json);
}

void describe_shape(struct json *json, const struct pbd_shape *shape) {
    put_shape(json, shape, false);
}

void describe_shape_whole(struct json *json, const struct pbd_shape *shape, size_t max_bytes) {
    struct json_mark mark = json_get_mark(json);
    put_shape(json, shape, true);
    if (json->failed || json->length - mark.length <= max_bytes) return;
    json_rewind(json, mark);
    json_null(json);
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

static bool is_asleep(const struct content *content, const struct object *cloth) {
    struct pbd_cloth_view view;
    return pbd_cloth_get_view(content->pbd, cloth->id, &view) == PBD_OK && view.asleep;
}

void describe_cloth(struct json *json, const struct content *content, const struct object *cloth) {
    struct pbd_cloth_settings settings = pbd_default_cloth_settings();
    pbd_cloth_get_settings(content->pbd, cloth->id, &settings);
    json_key(json, "cloth");
    json_string(json, cloth->name);
    put_count(json, "object", cloth->index);
    json_key(json, "report");
    describe_report(json, content, cloth);
    json_key(json, "material");
    describe_material(json, &settings, NULL);
    json_key(json, "pins");
    describe_pins(json, content, cloth);
    json_key(json, "attachments");
    attachments_describe(json, content, cloth, NULL, 0);
    put_bool(json, "asleep", is_asleep(content, cloth));
}

static struct pbd_collider_state state_of(const struct content *content, const struct object *collider) {
    struct pbd_collider_state state = {.def = pbd_default_collider_def()};
    pbd_collider_get(content->pbd, collider->id, &state);
    return state;
}

static const char *motion_name(enum pbd_motion motion) {
    return motion == PBD_STATIC_MOTION ? "static" : motion == PBD_DYNAMIC ? "dynamic" : "kinematic";
}

static void put_pose(struct json *json, const struct pbd_collider_state *state) {
    json_key(json, "motion");
    json_string(json, motion_name(state->def.motion));
    describe_vector(json, "position", state->def.position, 3);
    describe_vector(json, "rotation", state->def.rotation, 4);
}

static void put_velocities(struct json *json, const float velocity[3], const float angular_velocity[3]) {
    describe_vector(json, "velocity", velocity, 3);
    describe_vector(json, "angular_velocity", angular_velocity, 3);
}

static bool is_driven(const struct pbd_collider_def *def) {
    bool driven = false;
    for (int axis = 0; axis < 3; ++axis)
        driven = driven || def->velocity[axis] != 0.0f || def->angular_velocity[axis] != 0.0f;
    return driven && def->motion == PBD_KINEMATIC;
}

/* How a kinematic collider moves on its own: seconds from age (s) on. */
static void put_drive(struct json *json, const struct pbd_collider_def *def, double age) {
    double from = (double)def->moves_from - age, until = (double)def->moves_until - age;
    put_velocities(json, def->velocity, def->angular_velocity);
    describe_number(json, "moves_from", from > 0.0 ? (float)from : 0.0f);
    /* for ever is JSON's null by itself */
    describe_number(json, "moves_until", until > 0.0 ? (float)until : 0.0f);
}

void describe_collider_spec(struct json *json, const struct content *content, const struct object *collider,
                            size_t max_bytes) {
    struct pbd_collider_state state = state_of(content, collider);
    json_key(json, "collider");
    json_string(json, collider->name);
    json_key(json, "shape");
    describe_shape_whole(json, &state.def.shape, max_bytes);
    put_pose(json, &state);
    describe_surface(json, &state.def, NULL);
    if (state.def.motion == PBD_DYNAMIC) put_velocities(json, state.velocity, state.angular_velocity);
    if (is_driven(&state.def)) put_drive(json, &state.def, state.age);
}

void describe_collider(struct json *json, const struct content *content, const struct object *collider) {
    struct pbd_collider_state state = state_of(content, collider);
    json_key(json, "collider");
    json_string(json, collider->name);
    put_count(json, "object", collider->index);
    json_key(json, "shape");
    describe_shape(json, &state.def.shape);
    put_pose(json, &state);
    describe_surface(json, &state.def, NULL);
    put_velocities(json, state.velocity, state.angular_velocity);
    put_bool(json, "asleep", state.asleep);
    json_key(json, "drive");
    if (is_driven(&state.def)) {
        json_begin_object(json);
        put_drive(json, &state.def, 0.0);
        json_end_object(json);
    } else {
        json_null(json);
    }
}

/* A collider other than a mesh has no vertices, but the members are there. */
static void put_mesh_of_collider(struct json *json, const struct world *world,
                                 const struct object *collider) {
    struct pbd_collider_state state = state_of(&world->content, collider);
    struct pbd_collision_mesh_view view = {0};
    if (state.def.shape.type == PBD_MESH) view = pbd_collision_mesh_get_view(state.def.shape.mesh);
    json_key(json, "kind");
    json_string(json, "collider");
    put_count(json, "step_exp", 0);
    put_count(json, "vertex_count", view.vertex_count);
    put_count(json, "triangle_count", view.triangle_count);
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
    json_key(json, "shape");
    describe_shape(json, &state.def.shape);
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
    json_key(json, "attachments");
    attachments_describe(json, &world->content, cloth, NULL, 0);
    json_key(json, "style");
    json_null(json);
    json_key(json, "report");
    describe_report(json, &world->content, cloth);
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
