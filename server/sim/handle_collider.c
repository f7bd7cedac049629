/* collider.*: what the cloths collide with. */
#include "sim/dispatch.h"

#include <assert.h>

#include "sim/describe.h"

static struct pbd_collider_state state_of(const struct call *call, const struct object *collider) {
    struct pbd_collider_state state;
    int result = pbd_collider_get(call->world->content.pbd, collider->id, &state);
    assert(result == PBD_OK);
    (void)result;
    return state;
}

int handle_collider_add(struct call *call, const struct wire_collider_add *params) {
    struct object *collider;
    struct content_room room = sim_room(call->sim, call->world, false);
    if (content_add_collider(&call->world->content, &params->collider_spec, call->sim->config.scene_dir,
                             &room, &collider, &call->error) != 0) {
        return REFUSED;
    }
    call->world->dirty = true;
    json_key(&call->result, "object");
    json_integer(&call->result, collider->index);
    return HANDLED;
}

int handle_collider_remove(struct call *call, const struct wire_collider *params) {
    struct object *collider = call_collider(call, params->collider);
    if (!collider) return REFUSED;
    if (!world_note_gone(call->world, collider)) return call_out_of_memory(call);
    json_key(&call->result, "previous");
    json_begin_object(&call->result);
    describe_collider_spec(&call->result, &call->world->content, collider,
                           call_longest_undo(call, WIRE_collider_add));
    json_end_object(&call->result);
    content_remove(&call->world->content, collider);
    call->world->dirty = true;
    return HANDLED;
}

/* What the members make of *def; def->shape.mesh is a reference of its own where a shape was given. */
static int change(struct call *call, const struct wire_collider_set *params, const struct object *collider,
                  struct pbd_collider_def *def) {
    struct content_room room = sim_room(call->sim, call->world, false);
    scene_collider_settings_apply(def, &params->collider_settings);
    if (params->has_shape == WIRE_PRESENT) {
        const char *folder = call->sim->config.scene_dir;
        if (scene_shape_build(&params->shape, folder, room.max_vertices_per_world, &def->shape,
                              &call->error) != 0 ||
            content_check_shape(&call->world->content, collider, &def->shape, &room, &call->error) != 0) {
            return REFUSED;
        }
    }
    return scene_collider_check(def, &params->collider_settings, &call->error) == 0 ? HANDLED : REFUSED;
}

int handle_collider_set(struct call *call, const struct wire_collider_set *params) {
    struct object *collider = call_collider(call, params->collider);
    if (!collider) return REFUSED;
    pbd_world *pbd = call->world->content.pbd;
    struct pbd_collider_state state = state_of(call, collider);
    struct pbd_collider_def def = state.def;
    bool reshaped = params->has_shape == WIRE_PRESENT;
    if (reshaped) def.shape.mesh = NULL;
    int handled = change(call, params, collider, &def);
    if (handled == HANDLED) {
        /* Before the set: it may drop the last reference to the old mesh. */
        json_key(&call->result, "previous");
        json_begin_object(&call->result);
        if (reshaped) {
            json_key(&call->result, "shape");
            describe_shape_whole(&call->result, &state.def.shape, call_longest_undo(call, WIRE_collider_set));
        }
        describe_surface(&call->result, &state.def, &params->collider_settings);
        json_end_object(&call->result);
        if (pbd_collider_set(pbd, collider->id, &def) != PBD_OK) handled = call_out_of_memory(call);
    }
    if (reshaped) scene_collider_free(&def);
    if (handled != HANDLED) return REFUSED;
    collider->changed = true;
    collider->reshaped = collider->reshaped || reshaped;
    return HANDLED;
}

int handle_collider_move(struct call *call, const struct wire_collider_move *params) {
    struct object *collider = call_collider(call, params->collider);
    if (!collider) return REFUSED;
    const float *position = params->has_position == WIRE_PRESENT ? params->position : NULL;
    const float *rotation = params->has_rotation == WIRE_PRESENT ? params->rotation : NULL;
    if (!position && !rotation) {
        WIRE_FAIL(&call->error, missing, "position",
                  "Neither position nor rotation was given; one is needed.");
        return REFUSED;
    }
    if (params->teleport && params->over > 1) {
        WIRE_FAIL(&call->error, out_of_range, "over",
                  "over is %lld ticks, but with teleport only 0 and 1 are allowed.", (long long)params->over);
        return REFUSED;
    }
    struct pbd_collider_state state = state_of(call, collider);
    if (state.def.motion == PBD_DYNAMIC && params->over > 1) {
        WIRE_FAIL(
            &call->error, conflict, "over",
            "over is %lld ticks, but collider \"%s\" is dynamic: it jumps, so only 0 and 1 are allowed.",
            (long long)params->over, collider->name);
        return REFUSED;
    }
    int result = pbd_collider_move(call->world->content.pbd, collider->id, position, rotation,
                                   (uint32_t)params->over, params->teleport);
    if (result == PBD_STATIC) {
        WIRE_FAIL(&call->error, conflict, "collider",
                  "collider \"%s\" is static; kinematic and dynamic ones move.", collider->name);
        return REFUSED;
    }
    assert(result == PBD_OK);
    /* A body has no path to its new place: it jumps. */
    if (params->teleport || state.def.motion == PBD_DYNAMIC) {
        call->world->dirty = true;
        for (uint32_t i = 0; i < call->world->tier_count; ++i)
            tier_cut_poses(call->world->tiers[i]);
    }
    json_key(&call->result, "previous");
    json_begin_object(&call->result);
    describe_vector(&call->result, "position", state.def.position, 3);
    describe_vector(&call->result, "rotation", state.def.rotation, 4);
    json_end_object(&call->result);
    return HANDLED;
}
