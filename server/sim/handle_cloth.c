/* cloth.*: what cloths there are, what they are made of, and their pins. */
#include "sim/dispatch.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cloth_previous.h"
#include "sim/cloth_warning.h"
#include "sim/describe.h"
#include "sim/event.h"
#include "sim/vertex_list.h"

/* Positions beyond this are refused, never clamped (physics.md §8). */
static const float COORDINATE_LIMIT = 1e6f;

/* The event of a clamped thickness, behind the one of the command. */
static void tell_clamped(struct call *call, const char *name) {
    const struct object *cloth = object_find(&call->world->content.objects, OBJECT_CLOTH, name);
    struct cloth_warning warning;
    if (cloth && cloth_warning_get(&call->world->content, cloth, &warning)) {
        event_thickness(call->sim, call->world, cloth, warning.got, warning.max);
    }
}

static void after_add(struct call *call) {
    const struct wire_cloth_add *params = call->request->params;
    tell_clamped(call, params->cloth_spec.cloth);
}

static void after_set(struct call *call) {
    const struct wire_cloth_set *params = call->request->params;
    tell_clamped(call, params->cloth);
}

int handle_cloth_add(struct call *call, const struct wire_cloth_add *params) {
    struct world *world = call->world;
    struct content_room room = sim_room(call->sim, world, false);
    struct object *cloth;
    if (content_add_cloth(&world->content, &params->cloth_spec, call->sim->config.scene_dir, &room, &cloth,
                          &call->error) != 0) {
        return REFUSED;
    }
    world->dirty = true;
    json_key(&call->result, "object");
    json_integer(&call->result, cloth->index);
    json_key(&call->result, "report");
    describe_report(&call->result, &world->content, cloth);
    call->after = after_add;
    return HANDLED;
}

int handle_cloth_remove(struct call *call, const struct wire_cloth *params) {
    struct object *cloth = call_cloth(call, params->cloth);
    if (!cloth) return REFUSED;
    if (!world_note_gone(call->world, cloth)) return call_out_of_memory(call);
    json_key(&call->result, "previous");
    cloth_previous_whole(&call->result, &call->world->content, cloth,
                         call_longest_undo(call, WIRE_cloth_add));
    content_remove(&call->world->content, cloth);
    call->world->dirty = true;
    return HANDLED;
}

int handle_cloth_describe(struct call *call, const struct wire_cloth *params) {
    struct object *cloth = call_cloth(call, params->cloth);
    if (!cloth) return REFUSED;
    struct json *json = &call->result;
    describe_cloth(json, &call->world->content, cloth);
    json_key(json, "edges_count");
    json_integer(json, cloth->view.edge_count);
    json_key(json, "bends_count");
    json_integer(json, cloth->view.bend_count);
    json_key(json, "rest_box");
    json_begin_object(json);
    describe_vector(json, "min", cloth->view.rest_min, 3);
    describe_vector(json, "max", cloth->view.rest_max, 3);
    json_end_object(json);
    return HANDLED;
}

/* `warnings` of cloth.set: where it concerns the thickness between layers. */
static void put_warnings(struct call *call, struct object *cloth, const struct wire_cloth_settings *members) {
    bool concerns = members->has_thickness == WIRE_PRESENT || members->has_self_collision == WIRE_PRESENT ||
                    members->has_cloth_collision == WIRE_PRESENT;
    struct cloth_warning warning;
    if (members->has_thickness == WIRE_PRESENT) cloth->thickness_given = true;
    json_key(&call->result, "warnings");
    json_begin_array(&call->result);
    if (concerns && cloth_warning_get(&call->world->content, cloth, &warning)) {
        json_string(&call->result, warning.text);
        call->after = after_set;
    }
    json_end_array(&call->result);
}

int handle_cloth_set(struct call *call, const struct wire_cloth_set *params) {
    struct object *cloth = call_cloth(call, params->cloth);
    if (!cloth) return REFUSED;
    pbd_world *pbd = call->world->content.pbd;
    struct pbd_cloth_settings settings;
    int result = pbd_cloth_get_settings(pbd, cloth->id, &settings);
    assert(result == PBD_OK);
    struct pbd_cloth_settings previous = settings;
    scene_cloth_settings_apply(&settings, &params->cloth_settings);
    if (scene_cloth_settings_check(cloth->fabric, &settings, &call->error) != 0) return REFUSED;
    result = pbd_cloth_set_settings(pbd, cloth->id, &settings);
    if (result != PBD_OK) return call_out_of_memory(call);
    json_key(&call->result, "previous");
    describe_material(&call->result, &previous, &params->cloth_settings);
    put_warnings(call, cloth, &params->cloth_settings);
    return HANDLED;
}

int handle_cloth_pin(struct call *call, const struct wire_cloth_pin *params) {
    struct object *cloth = call_cloth(call, params->cloth);
    struct vertex_list list;
    if (!cloth || vertex_list_expand(call, &params->vertices, cloth, &list) != HANDLED) return REFUSED;
    int handled = HANDLED;
    const float *targets = NULL;
    if (params->has_positions == WIRE_PRESENT) {
        handled = vertex_list_check_numbers(call, "positions", &params->positions, list.count);
        targets = params->positions.values;
    }
    if (handled == HANDLED) {
        json_key(&call->result, "previous");
        cloth_previous_pins(&call->result, &call->world->content, cloth, list.vertices, list.count);
        int result = pbd_cloth_pin(call->world->content.pbd, cloth->id, list.vertices, list.count, targets);
        if (result != PBD_OK) handled = call_out_of_memory(call);
    }
    vertex_list_free(&list);
    return handled;
}

static int all_pins(struct call *call, const struct object *cloth, struct vertex_list *list) {
    pbd_world *pbd = call->world->content.pbd;
    list->count = pbd_cloth_pins(pbd, cloth->id, NULL, 0);
    list->vertices = malloc(sizeof *list->vertices * ((size_t)list->count + 1));
    if (!list->vertices) return call_out_of_memory(call);
    pbd_cloth_pins(pbd, cloth->id, list->vertices, list->count);
    return HANDLED;
}

int handle_cloth_unpin(struct call *call, const struct wire_cloth_unpin *params) {
    struct object *cloth = call_cloth(call, params->cloth);
    if (!cloth) return REFUSED;
    bool all = params->has_all == WIRE_PRESENT;
    if (all && !params->all) {
        WIRE_FAIL(&call->error, out_of_range, "all", "all is false; leave it out and name the vertices.");
        return REFUSED;
    }
    struct vertex_list list;
    int handled =
        all ? all_pins(call, cloth, &list) : vertex_list_expand(call, &params->vertices, cloth, &list);
    if (handled != HANDLED) return REFUSED;
    json_key(&call->result, "previous");
    cloth_previous_pins(&call->result, &call->world->content, cloth, list.vertices, list.count);
    int result = pbd_cloth_unpin(call->world->content.pbd, cloth->id, list.vertices, list.count);
    vertex_list_free(&list);
    return result == PBD_OK ? HANDLED : call_out_of_memory(call);
}

/* Every vertex must be pinned; targets receives where the pins lead now. */
static int read_targets(struct call *call, const struct object *cloth, const struct vertex_list *list,
                        float *targets) {
    for (uint32_t i = 0; i < list->count; ++i) {
        if (pbd_cloth_is_pinned(call->world->content.pbd, cloth->id, list->vertices[i], targets + 3 * i) ==
            1) {
            continue;
        }
        WIRE_FAIL(&call->error, conflict, "vertices",
                  "vertex %u of cloth \"%s\" is not pinned; only pinned vertices can be moved.",
                  list->vertices[i], cloth->name);
        return REFUSED;
    }
    return HANDLED;
}

static int add_offset(struct call *call, const float offset[3], float *targets, uint32_t count) {
    for (uint32_t i = 0; i < 3 * count; ++i) {
        targets[i] += offset[i % 3];
        if (fabsf(targets[i]) <= COORDINATE_LIMIT) continue;
        WIRE_FAIL(&call->error, out_of_range, "offset",
                  "offset would move a vertex to %g m; coordinates from -1000000 to 1000000 m are allowed.",
                  (double)targets[i]);
        return REFUSED;
    }
    return HANDLED;
}

static int move(struct call *call, const struct wire_cloth_move *params, const struct object *cloth,
                const struct vertex_list *list, float *targets) {
    pbd_world *pbd = call->world->content.pbd;
    if (read_targets(call, cloth, list, targets) != HANDLED) return REFUSED;
    if (params->has_offset == WIRE_PRESENT) {
        /* A vertex that is named twice is moved once: its offset starts from the same pin. */
        if (add_offset(call, params->offset, targets, list->count) != HANDLED) return REFUSED;
    } else {
        if (vertex_list_check_numbers(call, "positions", &params->positions, list->count) != HANDLED) {
            return REFUSED;
        }
        memcpy(targets, params->positions.values, 3 * sizeof *targets * list->count);
    }
    json_key(&call->result, "previous");
    cloth_previous_pins(&call->result, &call->world->content, cloth, list->vertices, list->count);
    int result = pbd_cloth_move(pbd, cloth->id, list->vertices, list->count, targets, (uint32_t)params->over);
    return result == PBD_OK ? HANDLED : call_out_of_memory(call);
}

int handle_cloth_move(struct call *call, const struct wire_cloth_move *params) {
    struct object *cloth = call_cloth(call, params->cloth);
    struct vertex_list list;
    if (!cloth || vertex_list_expand(call, &params->vertices, cloth, &list) != HANDLED) return REFUSED;
    float *targets = malloc(3 * sizeof *targets * ((size_t)list.count + 1));
    int handled = targets ? move(call, params, cloth, &list, targets) : call_out_of_memory(call);
    free(targets);
    vertex_list_free(&list);
    return handled;
}
