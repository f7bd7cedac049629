/* The whole state of a world in memory. What a step recomputes (scratch) is left out;
 * what decides the next step is in: residuals, pins on their way, contact memory, the
 * ids and the slots' generations. */
#include "world/world_internal.h"

#include <pbd/collision_mesh.h>

#include "contact/contact.h"
#include "contact/rigid_contact.h"
#include "contact/self_contact.h"
#include "math/elementary.h"
#include "solve/pressure.h"
#include "solve/tether.h"
#include "solve/weave.h"
#include "world/sleep.h"

#include <stdlib.h>
#include <string.h>

struct cloth_record {
    struct pbd_cloth cloth; /* its fabric is referenced; pointers to memory are cleared */
    uint32_t place;
    float *state;
    struct pin *pins;
    struct attachment *attachments;
    void *contacts;
    size_t contacts_size;
};

struct pbd_snapshot {
    uint32_t refs;
    struct pbd_world_settings settings;
    uint32_t tick, next_order;
    double gust_shift[3];
    uint32_t cloth_count, collider_count;
    struct cloth_record *cloths;    /* in the order of adding */
    struct pbd_collider *colliders; /* in the order of adding */
    uint32_t *collider_places;
    struct rigid_memory *memory; /* of contacts between bodies */
    uint32_t memory_count;
    struct grab *grabs;
    uint32_t grab_count;
    pbd_grab_id last_grab;
    void *sides; /* of cloth driven through cloth */
    size_t sides_size;
};

/* A copy of size bytes, at least one so that NULL means out of memory alone. */
static void *copy_of(const void *from, size_t size) {
    void *copy = malloc(size > 0 ? size : 1);
    if (copy != NULL && size > 0) memcpy(copy, from, size);
    return copy;
}

static bool record_cloth(struct cloth_record *record, const struct pbd_cloth *cloth, uint32_t place) {
    *record = (struct cloth_record){.cloth = *cloth, .place = place};
    pbd_fabric_ref(cloth->fabric);
    record->state = copy_of(cloth->state_block, cloth->state_floats * sizeof(float));
    record->pins = copy_of(cloth->pins, cloth->pin_count * sizeof *cloth->pins);
    record->attachments = copy_of(cloth->attachments, cloth->attachment_count * sizeof *cloth->attachments);
    record->contacts_size = contact_state_size(cloth);
    record->contacts = malloc(record->contacts_size > 0 ? record->contacts_size : 1);
    record->cloth.pins = NULL;
    record->cloth.attachments = NULL;
    record->cloth.contacts = NULL;
    record->cloth.surface = NULL;
    record->cloth.triangles = NULL;
    record->cloth.aero = NULL;
    record->cloth.pressure = NULL;
    record->cloth.weave = NULL;
    record->cloth.tethers = NULL;
    record->cloth.state_block = record->cloth.scratch_block = NULL;
    if (record->state == NULL || record->pins == NULL || record->attachments == NULL ||
        record->contacts == NULL)
        return false;
    contact_state_save(cloth, record->contacts);
    return true;
}

/* With a reference of its own to the mesh. */
static void copy_collider(struct pbd_collider *to, const struct pbd_collider *from) {
    *to = *from;
    if (to->def.shape.type == PBD_MESH) pbd_collision_mesh_ref(to->def.shape.mesh);
}

void pbd_snapshot_destroy(pbd_snapshot *snapshot) {
    if (snapshot == NULL || --snapshot->refs > 0) return;
    for (uint32_t i = 0; snapshot->cloths != NULL && i < snapshot->cloth_count; ++i) {
        struct cloth_record *record = &snapshot->cloths[i];
        if (record->cloth.fabric != NULL) pbd_fabric_unref(record->cloth.fabric);
        free(record->state);
        free(record->pins);
        free(record->attachments);
        free(record->contacts);
    }
    for (uint32_t i = 0; snapshot->colliders != NULL && i < snapshot->collider_count; ++i)
        collider_release(&snapshot->colliders[i]);
    free(snapshot->cloths);
    free(snapshot->colliders);
    free(snapshot->collider_places);
    free(snapshot->memory);
    free(snapshot->grabs);
    free(snapshot->sides);
    free(snapshot);
}

pbd_snapshot *pbd_snapshot_ref(pbd_snapshot *snapshot) {
    snapshot->refs += 1;
    return snapshot;
}

size_t pbd_snapshot_size(const pbd_snapshot *snapshot) {
    size_t bytes = sizeof *snapshot + snapshot->cloth_count * sizeof *snapshot->cloths +
                   snapshot->collider_count * (sizeof *snapshot->colliders + sizeof(uint32_t)) +
                   snapshot->memory_count * sizeof *snapshot->memory +
                   snapshot->grab_count * sizeof *snapshot->grabs + snapshot->sides_size;
    for (uint32_t i = 0; i < snapshot->cloth_count; ++i) {
        const struct cloth_record *record = &snapshot->cloths[i];
        bytes += record->cloth.state_floats * sizeof(float) + record->contacts_size +
                 record->cloth.pin_count * sizeof *record->pins +
                 record->cloth.attachment_count * sizeof *record->attachments;
    }
    return bytes;
}

pbd_snapshot *pbd_world_snapshot(const pbd_world *world) {
    pbd_snapshot *snapshot = calloc(1, sizeof *snapshot);
    if (snapshot == NULL) return NULL;
    snapshot->refs = 1;
    snapshot->settings = world->settings;
    snapshot->tick = world->tick;
    snapshot->next_order = world->next_order;
    memcpy(snapshot->gust_shift, world->gust_shift, sizeof snapshot->gust_shift);
    snapshot->cloth_count = world->cloth_count;
    snapshot->collider_count = world->collider_count;
    snapshot->cloths = calloc(world->cloth_count + 1u, sizeof *snapshot->cloths);
    snapshot->colliders = calloc(world->collider_count + 1u, sizeof *snapshot->colliders);
    snapshot->collider_places = copy_of(world->collider_order, world->collider_count * sizeof(uint32_t));
    snapshot->grabs = copy_of(world->grabs, world->grab_count * sizeof *world->grabs);
    snapshot->grab_count = world->grab_count;
    snapshot->last_grab = world->last_grab;
    const struct rigid_memory *memory = rigid_contacts_memory(world, &snapshot->memory_count);
    snapshot->memory = copy_of(memory, snapshot->memory_count * sizeof *memory);
    snapshot->sides_size = self_state_size(world);
    snapshot->sides = malloc(snapshot->sides_size > 0 ? snapshot->sides_size : 1);
    bool complete = snapshot->memory != NULL && snapshot->cloths != NULL && snapshot->colliders != NULL &&
                    snapshot->collider_places != NULL && snapshot->grabs != NULL && snapshot->sides != NULL;
    for (uint32_t i = 0; complete && i < world->cloth_count; ++i) {
        uint32_t place = world->cloth_order[i];
        complete = record_cloth(&snapshot->cloths[i], &world->cloths[place], place);
    }
    if (!complete) {
        pbd_snapshot_destroy(snapshot);
        return NULL;
    }
    self_state_save(world, snapshot->sides);
    for (uint32_t i = 0; i < world->collider_count; ++i)
        copy_collider(&snapshot->colliders[i], &world->colliders[world->collider_order[i]]);
    return snapshot;
}

/* A cloth as recorded, with memory of its own. */
static bool revive(const pbd_snapshot *snapshot, const struct cloth_record *record, struct pbd_cloth *cloth) {
    *cloth = record->cloth;
    pbd_fabric_ref(cloth->fabric);
    cloth->pins = copy_of(record->pins, cloth->pin_count * sizeof *cloth->pins);
    cloth->pin_capacity = cloth->pin_count;
    cloth->attachments = copy_of(record->attachments, cloth->attachment_count * sizeof *cloth->attachments);
    cloth->attachment_capacity = cloth->attachment_count;
    if (cloth->pins == NULL || cloth->attachments == NULL || cloth_memory_create(cloth) < 0 ||
        contact_create(cloth) < 0 || contact_reserve_colliders(cloth, snapshot->collider_count) < 0)
        return false;
    memcpy(cloth->state_block, record->state, cloth->state_floats * sizeof(float));
    contact_state_load(cloth, record->contacts);
    if (pressure_prepare(cloth, &cloth->settings) < 0 || weave_prepare(cloth, &cloth->settings) < 0 ||
        tether_prepare(cloth, &cloth->settings) < 0)
        return false;
    cloth->force_scale = 0.0f;
    return true;
}

/* The world's slots as they will be: memory for all that the snapshot and the world
 * need, revived cloths, and every slot's highest generation. */
static bool prepare(pbd_world *next, const pbd_world *world, const pbd_snapshot *snapshot) {
    uint32_t cloth_slots = world->cloth_slots, collider_slots = world->collider_slots;
    for (uint32_t i = 0; i < snapshot->cloth_count; ++i)
        if (snapshot->cloths[i].place >= cloth_slots) cloth_slots = snapshot->cloths[i].place + 1;
    for (uint32_t i = 0; i < snapshot->collider_count; ++i)
        if (snapshot->collider_places[i] >= collider_slots) collider_slots = snapshot->collider_places[i] + 1;
    next->cloths = calloc(cloth_slots + 1u, sizeof *next->cloths);
    next->cloth_order = calloc(cloth_slots + 1u, sizeof *next->cloth_order);
    next->colliders = calloc(collider_slots + 1u, sizeof *next->colliders);
    next->collider_order = calloc(collider_slots + 1u, sizeof *next->collider_order);
    next->grabs = copy_of(snapshot->grabs, snapshot->grab_count * sizeof *snapshot->grabs);
    next->grab_count = next->grab_capacity = snapshot->grab_count;
    if (next->cloths == NULL || next->cloth_order == NULL || next->colliders == NULL ||
        next->collider_order == NULL || next->grabs == NULL ||
        rigid_contacts_set_memory(next, snapshot->memory, snapshot->memory_count) < 0 ||
        world_reserve_events(next, snapshot->cloth_count, snapshot->collider_count) < 0 ||
        sleep_reserve(next, snapshot->cloth_count, snapshot->collider_count) < 0)
        return false;
    next->cloth_slots = cloth_slots;
    next->collider_slots = collider_slots;
    for (uint32_t i = 0; i < snapshot->cloth_count; ++i) {
        const struct cloth_record *record = &snapshot->cloths[i];
        next->cloth_order[next->cloth_count++] = record->place;
        if (!revive(snapshot, record, &next->cloths[record->place])) return false;
    }
    for (uint32_t i = 0; i < snapshot->collider_count; ++i) {
        uint32_t place = snapshot->collider_places[i];
        next->collider_order[next->collider_count++] = place;
        copy_collider(&next->colliders[place], &snapshot->colliders[i]);
    }
    return self_state_load(next, snapshot->sides, snapshot->sides_size) == PBD_OK;
}

int pbd_world_restore(pbd_world *world, const pbd_snapshot *snapshot) {
    pbd_world *next = calloc(1, sizeof *next);
    if (next == NULL) return PBD_OUT_OF_MEMORY;
    if (!prepare(next, world, snapshot)) {
        pbd_world_destroy(next);
        return PBD_OUT_OF_MEMORY;
    }
    for (uint32_t place = 0; place < world->cloth_slots; ++place) {
        const struct pbd_cloth *now = &world->cloths[place];
        struct pbd_cloth *then = &next->cloths[place];
        if (now->generation > then->generation) then->generation = now->generation;
        if (now->id != 0 && now->id == then->id && now->pins_version > then->pins_version)
            then->pins_version = now->pins_version;
        ++then->pins_version;
        if (now->id != 0 && now->id == then->id && now->attachments_version > then->attachments_version)
            then->attachments_version = now->attachments_version;
        ++then->attachments_version;
    }
    for (uint32_t place = 0; place < world->collider_slots; ++place)
        if (world->colliders[place].generation > next->colliders[place].generation)
            next->colliders[place].generation = world->colliders[place].generation;
    next->last_grab = math_maxu(world->last_grab, snapshot->last_grab);
    next->settings = snapshot->settings;
    next->kernels = world->kernels;
    next->tick = snapshot->tick;
    next->next_order = snapshot->next_order;
    memcpy(next->gust_shift, snapshot->gust_shift, sizeof next->gust_shift);
    pbd_world old = *world;
    *world = *next;
    *next = old;
    pbd_world_destroy(next);
    return PBD_OK;
}
