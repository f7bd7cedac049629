/* States for one client, written at once into one message. */
#include "sim/state_message.h"

#include <stdio.h>
#include <string.h>
#include <wire/errors.h>

bool state_message_check(const struct world *world, const struct wire_step_state *wish, const char *path,
                         struct wire_error *error) {
    for (uint32_t i = 0; wish->has_cloths == WIRE_PRESENT && i < wish->cloths.count; ++i) {
        const char *name = wish->cloths.values[i];
        if (object_find(&world->content.objects, OBJECT_CLOTH, name)) continue;
        char at[64];
        snprintf(at, sizeof at, "%s.cloths[%u]", path, i);
        WIRE_FAIL(error, not_found, at, "%s: cloth \"%s\" does not exist in world \"%s\".", at, name,
                  world->name);
        return false;
    }
    return true;
}

static bool is_wanted(const struct object *object, const struct wire_step_state *wish) {
    if (object->kind != OBJECT_CLOTH) return false;
    if (wish->has_cloths != WIRE_PRESENT) return true;
    for (uint32_t i = 0; i < wish->cloths.count; ++i) {
        if (strcmp(wish->cloths.values[i], object->name) == 0) return true;
    }
    return false;
}

static bool is_quantised(const struct wire_step_state *wish) {
    return wish->codec == WIRE_codec_cb32;
}

size_t state_message_bound(const struct world *world, const struct wire_step_state *wish) {
    const struct object_table *objects = &world->content.objects;
    size_t bytes = FRAME_HEADER_BYTES;
    for (uint32_t i = 0; i < objects->count; ++i) {
        const struct object *object = objects->items[i];
        if (object->kind == OBJECT_COLLIDER) bytes += FRAME_POSE_BYTES;
        if (!is_wanted(object, wish)) continue;
        size_t count = object->view.vertex_count;
        bytes += FRAME_HEADER_BYTES + (is_quantised(wish) ? frame_cb32_bound((uint32_t)count) : 12 * count);
        if (wish->velocities) bytes += FRAME_HEADER_BYTES + 12 * count;
    }
    return bytes;
}

/* Three planes, and two for the encoder. */
size_t state_message_scratch(const struct world *world, const struct wire_step_state *wish) {
    const struct object_table *objects = &world->content.objects;
    size_t most = 0;
    for (uint32_t i = 0; i < objects->count; ++i) {
        const struct object *object = objects->items[i];
        if (is_quantised(wish) && is_wanted(object, wish) && object->view.vertex_count > most) {
            most = object->view.vertex_count;
        }
    }
    return 5 * most;
}

static struct frame_header header_for(const struct world *world, enum frame_type type) {
    uint32_t tick = world_tick(world);
    return (struct frame_header){.type = (uint8_t)type,
                                 .flags = FRAME_KEY | FRAME_ANSWER,
                                 .world = world->index,
                                 .epoch = world->epoch,
                                 .tick = tick,
                                 .base_tick = tick,
                                 .server_us = world->end_us};
}

static unsigned char *put_segment(unsigned char *at, const struct frame_header *header) {
    frame_header_write(header, at);
    return at + FRAME_HEADER_BYTES + header->payload_bytes;
}

/* Three floats per vertex, in mesh order. */
static unsigned char *put_vectors(unsigned char *at, struct frame_header header, const struct object *cloth,
                                  const float *x, const float *y, const float *z) {
    unsigned char *payload = at + FRAME_HEADER_BYTES;
    header.codec = FRAME_F32;
    header.object = cloth->index;
    header.count = cloth->view.vertex_count;
    header.payload_bytes = 12 * header.count;
    for (uint32_t v = 0; v < header.count; ++v) {
        uint32_t p = cloth->view.vertex_particle[v];
        const float vector[3] = {x[p], y[p], z[p]};
        memcpy(payload + 12 * (size_t)v, vector, sizeof vector);
    }
    return put_segment(at, &header);
}

static unsigned char *put_quantised(unsigned char *at, struct frame_header header, const struct object *cloth,
                                    const struct pbd_cloth_view *view, int32_t *scratch) {
    uint32_t count = cloth->view.vertex_count;
    struct frame_planes planes = {.q = {scratch, scratch + count, scratch + 2 * (size_t)count}};
    header.codec = FRAME_CB32;
    header.object = cloth->index;
    header.step_exp = tier_quantise(cloth, view, cloth->step_exp, planes.q);
    frame_cb32_encode(&planes, NULL, count, cloth->view.cols, scratch + 3 * (size_t)count, &header,
                      at + FRAME_HEADER_BYTES);
    return put_segment(at, &header);
}

static unsigned char *put_poses(unsigned char *at, const struct world *world) {
    struct frame_header header = header_for(world, FRAME_POSES);
    unsigned char *payload = at + FRAME_HEADER_BYTES;
    const struct object_table *objects = &world->content.objects;
    for (uint32_t i = 0; i < objects->count; ++i) {
        struct pbd_collider_state state;
        if (objects->items[i]->kind != OBJECT_COLLIDER ||
            pbd_collider_get(world->content.pbd, objects->items[i]->id, &state) != PBD_OK)
            continue;
        struct frame_pose pose = {.object = objects->items[i]->index};
        memcpy(pose.position, state.def.position, sizeof pose.position);
        memcpy(pose.rotation, state.def.rotation, sizeof pose.rotation);
        frame_pose_write(&pose, payload + FRAME_POSE_BYTES * (size_t)header.count++);
    }
    header.payload_bytes = FRAME_POSE_BYTES * header.count;
    return header.count > 0 ? put_segment(at, &header) : at;
}

size_t state_message_write(const struct world *world, const struct wire_step_state *wish, int32_t *scratch,
                           unsigned char *out) {
    const struct object_table *objects = &world->content.objects;
    unsigned char *at = out;
    for (uint32_t i = 0; i < objects->count; ++i) {
        const struct object *cloth = objects->items[i];
        struct pbd_cloth_view view;
        if (!is_wanted(cloth, wish) || pbd_cloth_get_view(world->content.pbd, cloth->id, &view) != PBD_OK)
            continue;
        struct frame_header header = header_for(world, FRAME_STATE);
        at = is_quantised(wish) ? put_quantised(at, header, cloth, &view, scratch)
                                : put_vectors(at, header, cloth, view.x, view.y, view.z);
        if (!wish->velocities) continue;
        at = put_vectors(at, header_for(world, FRAME_VELOCITIES), cloth, view.vx, view.vy, view.vz);
    }
    return (size_t)(put_poses(at, world) - out);
}

static void put_object(struct json *json, const char *kind, const struct object *object) {
    json_begin_object(json);
    json_key(json, "object");
    json_integer(json, object->index);
    json_key(json, kind);
    json_string(json, object->name);
}

/* What a decoder of cb32 must know, as `mesh` tells it. */
static void put_layout(struct json *json, const struct object *cloth) {
    json_key(json, "cols");
    json_integer(json, cloth->view.cols);
    json_key(json, "order");
    if (cloth->view.payload_order) {
        json_uints(json, cloth->view.payload_order, cloth->view.vertex_count);
    } else {
        json_null(json);
    }
}

void state_message_describe(struct json *json, const struct world *world,
                            const struct wire_step_state *wish) {
    const struct object_table *objects = &world->content.objects;
    json_begin_object(json);
    json_key(json, "world_index");
    json_integer(json, world->index);
    json_key(json, "epoch");
    json_integer(json, world->epoch);
    json_key(json, "cloths");
    json_begin_array(json);
    for (uint32_t i = 0; i < objects->count; ++i) {
        const struct object *cloth = objects->items[i];
        if (!is_wanted(cloth, wish)) continue;
        put_object(json, "cloth", cloth);
        json_key(json, "vertex_count");
        json_integer(json, cloth->view.vertex_count);
        if (is_quantised(wish)) put_layout(json, cloth);
        json_end_object(json);
    }
    json_end_array(json);
    json_key(json, "colliders");
    json_begin_array(json);
    for (uint32_t i = 0; i < objects->count; ++i) {
        if (objects->items[i]->kind != OBJECT_COLLIDER) continue;
        put_object(json, "collider", objects->items[i]);
        json_end_object(json);
    }
    json_end_array(json);
    json_end_object(json);
}
