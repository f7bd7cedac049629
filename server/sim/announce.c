/* Who is told of which object, in the order that a decoder needs: `mesh` texts first,
 * then TRIANGLES and REST on the reliable lane. */
#include "sim/announce.h"

#include <string.h>
#include <pbd/collision_mesh.h>
#include <wire/reply.h>

#include "sim/describe.h"
#include "sim/notify.h"

bool announce_is_for(const struct subscription *subscription, const struct object *object) {
    return object->kind == OBJECT_COLLIDER || tier_kind_has_cloth(&subscription->tier->kind, object->name);
}

static void send_mesh(struct sim *sim, const struct world *world, const struct object *object,
                      const struct member *member) {
    struct json json;
    json_init(&json);
    notification_begin(&json, "mesh");
    describe_mesh(&json, world, object, member->subscription->tier->kind.step_exp);
    notification_end(&json);
    notify_send(sim, member->client->id, &json);
}

static void send_gone(struct sim *sim, const struct world *world, const struct gone_object *gone,
                      const struct member *member) {
    struct json json;
    json_init(&json);
    notification_begin(&json, "mesh");
    json_key(&json, "world");
    json_string(&json, world->name);
    json_key(&json, "world_index");
    json_integer(&json, world->index);
    json_key(&json, "epoch");
    json_integer(&json, gone->epoch);
    json_key(&json, "object");
    json_integer(&json, gone->index);
    json_key(&json, "name");
    json_string(&json, gone->name);
    json_key(&json, "kind");
    json_string(&json, gone->kind == OBJECT_CLOTH ? "cloth" : "collider");
    json_key(&json, "removed");
    json_bool(&json, true);
    notification_end(&json);
    notify_send(sim, member->client->id, &json);
}

static void put_segment(struct buffer *buffer, const struct world *world, const struct object *object,
                        enum frame_type type, uint32_t count, const void *payload) {
    struct frame_header header = {.type = (uint8_t)type,
                                  .flags = FRAME_KEY,
                                  .world = world->index,
                                  .object = object->index,
                                  .epoch = world->epoch,
                                  .tick = world_tick(world),
                                  .base_tick = world_tick(world),
                                  .server_us = world->end_us,
                                  .count = count,
                                  .payload_bytes = count * 12};
    frame_header_write(&header, buffer->data + buffer->length);
    buffer->length += FRAME_HEADER_BYTES;
    if (count > 0) memcpy(buffer->data + buffer->length, payload, header.payload_bytes);
    buffer->length += header.payload_bytes;
}

struct topology {
    uint32_t vertex_count, triangle_count;
    const float *positions;
    const uint32_t *triangles;
};

/* false: the object has none, as every collider but a mesh. */
static bool get_topology(const struct world *world, const struct object *object, struct topology *topology) {
    if (object->kind == OBJECT_CLOTH) {
        const struct pbd_fabric_view *view = &object->view;
        *topology = (struct topology){view->vertex_count, view->triangle_count, view->rest_positions,
                                      view->triangles};
        return true;
    }
    struct pbd_collider_state state;
    if (pbd_collider_get(world->content.pbd, object->id, &state) != PBD_OK) return false;
    if (state.def.shape.type != PBD_MESH) return false;
    struct pbd_collision_mesh_view view = pbd_collision_mesh_get_view(state.def.shape.mesh);
    *topology = (struct topology){view.vertex_count, view.triangle_count, view.positions, view.triangles};
    return true;
}

/* TRIANGLES and REST in one message, shared by all that are told in one round. */
static struct buffer *buffer_of(const struct world *world, struct object *object,
                                const struct topology *topology) {
    if (object->topology) return object->topology;
    uint32_t triangles = topology->triangle_count, vertices = topology->vertex_count;
    object->topology = buffer_create(2 * (size_t)FRAME_HEADER_BYTES + 12 * ((size_t)triangles + vertices));
    if (!object->topology) return NULL;
    put_segment(object->topology, world, object, FRAME_TRIANGLES, triangles, topology->triangles);
    put_segment(object->topology, world, object, FRAME_REST, vertices, topology->positions);
    return object->topology;
}

static void send_topology(struct sim *sim, const struct world *world, struct object *object,
                          const struct member *member) {
    struct topology topology;
    if (!get_topology(world, object, &topology)) return;
    struct buffer *buffer = buffer_of(world, object, &topology);
    if (!buffer || !outbox_binary(&sim->outbox, member->client->id, buffer_ref(buffer))) {
        outbox_close_client(&sim->outbox, member->client->id, 1011, "the server is out of memory");
    }
}

static void drop_topologies(struct world *world) {
    for (uint32_t i = 0; i < world->content.objects.count; ++i) {
        struct object *object = world->content.objects.items[i];
        buffer_unref(object->topology);
        object->topology = NULL;
    }
}

void announce_all(struct sim *sim, struct world *world, const struct member *member) {
    const struct object_table *objects = &world->content.objects;
    for (uint32_t i = 0; i < objects->count; ++i) {
        if (announce_is_for(member->subscription, objects->items[i])) {
            send_mesh(sim, world, objects->items[i], member);
        }
    }
    for (uint32_t i = 0; i < objects->count; ++i) {
        struct object *object = objects->items[i];
        if (announce_is_for(member->subscription, object)) send_topology(sim, world, object, member);
    }
    drop_topologies(world);
}

/* Pins and attachments may have changed by any command: their versions say so. */
static bool is_changed(const struct world *world, const struct object *object) {
    const pbd_world *pbd = world->content.pbd;
    return object->changed ||
           (object->kind == OBJECT_CLOTH &&
            (pbd_cloth_pins_version(pbd, object->id) != object->pins_version ||
             pbd_cloth_attachments_version(pbd, object->id) != object->attachments_version));
}

static void tell(struct sim *sim, struct world *world, const struct member *member) {
    const struct object_table *objects = &world->content.objects;
    for (uint32_t i = 0; i < objects->count; ++i) {
        struct object *object = objects->items[i];
        bool told = world->announce_all || object->appeared || is_changed(world, object);
        if (told && announce_is_for(member->subscription, object)) send_mesh(sim, world, object, member);
    }
    for (uint32_t i = 0; i < objects->count; ++i) {
        struct object *object = objects->items[i];
        bool told = world->announce_all || object->appeared || object->reshaped;
        if (told && announce_is_for(member->subscription, object)) send_topology(sim, world, object, member);
    }
}

void announce_changes(struct sim *sim, struct world *world) {
    for (uint32_t m = 0; m < world->member_count; ++m) {
        const struct member *member = &world->members[m];
        if (!member->subscription) continue;
        for (uint32_t i = 0; i < world->gone_count; ++i) {
            const struct gone_object *gone = &world->gone_objects[i];
            bool cloth = gone->kind == OBJECT_CLOTH;
            if (cloth && !tier_kind_has_cloth(&member->subscription->tier->kind, gone->name)) continue;
            send_gone(sim, world, gone, member);
        }
        tell(sim, world, member);
    }
    drop_topologies(world);
    world->gone_count = 0;
    world->announce_all = false;
    for (uint32_t i = 0; i < world->content.objects.count; ++i) {
        struct object *object = world->content.objects.items[i];
        object->appeared = false;
        object->changed = object->reshaped = false;
        if (object->kind == OBJECT_CLOTH) {
            object->pins_version = pbd_cloth_pins_version(world->content.pbd, object->id);
            object->attachments_version = pbd_cloth_attachments_version(world->content.pbd, object->id);
        }
    }
}
