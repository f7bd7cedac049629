/* cloth.grab, drag, release: hands of clients. */
#include "sim/dispatch.h"

#include <assert.h>

static int check_grab(struct call *call, const struct object *cloth, const struct wire_cloth_grab *params) {
    uint32_t count = cloth->view.vertex_count, max = call->sim->config.limits.max_grabs;
    struct grab_table *grabs = &call->world->grabs;
    if (params->vertex >= (int64_t)count) {
        WIRE_FAIL(&call->error, out_of_range, "vertex",
                  "vertex is %lld, but cloth \"%s\" has %u vertices: 0 to %u are allowed.",
                  (long long)params->vertex, cloth->name, count, count - 1);
        return REFUSED;
    }
    grab_prune(grabs, call->world->content.pbd);
    if (grabs->count >= max) {
        WIRE_FAIL(&call->error, limit_exceeded, "world", "world \"%s\" has %u grabs; max_grabs is %u.",
                  call->world->name, grabs->count, max);
        wire_error_data(&call->error, "\"limit\":\"max_grabs\",\"max\":%u,\"got\":%u", max, grabs->count + 1);
        return REFUSED;
    }
    return grab_reserve(grabs) ? HANDLED : call_out_of_memory(call);
}

/* Without a position: where the vertex is. */
static void take_position(const struct call *call, const struct object *cloth,
                          const struct wire_cloth_grab *params, float position[3]) {
    struct pbd_cloth_view view;
    int result = pbd_cloth_get_view(call->world->content.pbd, cloth->id, &view);
    assert(result == PBD_OK);
    (void)result;
    uint32_t particle = view.vertex_particle[params->vertex];
    const float now[3] = {view.x[particle], view.y[particle], view.z[particle]};
    for (int axis = 0; axis < 3; ++axis)
        position[axis] = params->has_position == WIRE_PRESENT ? params->position[axis] : now[axis];
}

int handle_cloth_grab(struct call *call, const struct wire_cloth_grab *params) {
    struct object *cloth = call_cloth(call, params->cloth);
    if (!cloth || check_grab(call, cloth, params) != HANDLED) return REFUSED;
    float position[3];
    pbd_grab_id id;
    take_position(call, cloth, params, position);
    int result = pbd_grab_add(call->world->content.pbd, cloth->id, (uint32_t)params->vertex, position,
                              (float)params->compliance, &id);
    if (result != PBD_OK) return call_out_of_memory(call);
    json_key(&call->result, "grab");
    json_integer(&call->result, grab_add(&call->world->grabs, call->client->id, id));
    return HANDLED;
}

static struct grab *find(struct call *call, int64_t number) {
    struct grab *grab = grab_find(&call->world->grabs, call->world->content.pbd, (uint32_t)number);
    if (!grab) {
        WIRE_FAIL(
            &call->error, not_found, "grab",
            "grab %lld does not exist in world \"%s\", or has ended with its cloth, its client or a reset.",
            (long long)number, call->world->name);
    }
    return grab;
}

int handle_cloth_drag(struct call *call, const struct wire_cloth_drag *params) {
    struct grab *grab = find(call, params->grab);
    if (!grab) return REFUSED;
    int result = pbd_grab_move(call->world->content.pbd, grab->id, params->position);
    assert(result == PBD_OK);
    (void)result;
    return HANDLED;
}

int handle_cloth_release(struct call *call, const struct wire_cloth_release *params) {
    struct grab *grab = find(call, params->grab);
    if (!grab) return REFUSED;
    int result = pbd_grab_release(call->world->content.pbd, grab->id);
    assert(result == PBD_OK);
    (void)result;
    grab_remove(&call->world->grabs, grab);
    return HANDLED;
}
