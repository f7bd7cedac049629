/* cloth.positions, velocities, edges, set_state: the state of a cloth, read and written. */
#include "sim/dispatch.h"

#include <assert.h>
#include <stdlib.h>

#include "sim/cloth_previous.h"
#include "sim/vertex_list.h"

static int read_values(struct call *call, const struct wire_cloth_read *params,
                       void (*put)(struct json *, const struct pbd_cloth_view *, const uint32_t *,
                                   uint32_t)) {
    struct object *cloth = call_cloth(call, params->cloth);
    struct pbd_cloth_view view;
    struct vertex_list list = {.count = cloth ? cloth->view.vertex_count : 0};
    if (!cloth) return REFUSED;
    if (params->has_vertices == WIRE_PRESENT &&
        vertex_list_expand(call, &params->vertices, cloth, &list) != HANDLED) {
        return REFUSED;
    }
    int result = pbd_cloth_get_view(call->world->content.pbd, cloth->id, &view);
    assert(result == PBD_OK);
    (void)result;
    json_key(&call->result, "values");
    put(&call->result, &view, list.vertices, list.count);
    vertex_list_free(&list);
    return HANDLED;
}

int handle_cloth_positions(struct call *call, const struct wire_cloth_read *params) {
    return read_values(call, params, cloth_positions);
}

int handle_cloth_velocities(struct call *call, const struct wire_cloth_read *params) {
    return read_values(call, params, cloth_velocities);
}

int handle_cloth_edges(struct call *call, const struct wire_cloth *params) {
    struct object *cloth = call_cloth(call, params->cloth);
    if (!cloth) return REFUSED;
    pbd_world *pbd = call->world->content.pbd;
    size_t count = cloth->view.edge_count;
    float *length = malloc(3 * sizeof *length * (count + 1));
    uint32_t *pairs = malloc(3 * sizeof *pairs * (count + 1));
    if (!length || !pairs) {
        free(length);
        free(pairs);
        return call_out_of_memory(call);
    }
    float *force = length + count, *rest = force + count;
    uint32_t *color = pairs + 2 * count;
    pbd_fabric_edges(cloth->fabric, pairs, color, rest);
    int result = pbd_cloth_edges(pbd, cloth->id, length, force);
    assert(result == PBD_OK);
    (void)result;
    struct json *json = &call->result;
    json_key(json, "edges");
    json_uints(json, pairs, 2 * count);
    json_key(json, "color");
    json_uints(json, color, count);
    json_key(json, "rest");
    json_floats(json, rest, count);
    json_key(json, "length");
    json_floats(json, length, count);
    json_key(json, "force");
    if (pbd_world_get_settings(pbd).solver.method == PBD_METHOD_XPBD) {
        json_floats(json, force, count);
    } else {
        json_null(json);
    }
    free(length);
    free(pairs);
    return HANDLED;
}

int handle_cloth_set_state(struct call *call, const struct wire_cloth_set_state *params) {
    struct object *cloth = call_cloth(call, params->cloth);
    if (!cloth) return REFUSED;
    bool positions = params->has_positions == WIRE_PRESENT,
         velocities = params->has_velocities == WIRE_PRESENT;
    if (!positions && !velocities) {
        WIRE_FAIL(&call->error, missing, "positions",
                  "Neither positions nor velocities were given; one is needed.");
        return REFUSED;
    }
    uint32_t count = cloth->view.vertex_count;
    if (positions && vertex_list_check_numbers(call, "positions", &params->positions, count) != HANDLED) {
        return REFUSED;
    }
    if (velocities && vertex_list_check_numbers(call, "velocities", &params->velocities, count) != HANDLED) {
        return REFUSED;
    }
    int result =
        pbd_cloth_set_state(call->world->content.pbd, cloth->id, positions ? params->positions.values : NULL,
                            velocities ? params->velocities.values : NULL);
    if (result != PBD_OK) return call_out_of_memory(call);
    if (positions) {
        call->world->dirty = true;
        for (uint32_t i = 0; i < call->world->tier_count; ++i)
            tier_cut_cloth(call->world->tiers[i], cloth);
    }
    return HANDLED;
}
