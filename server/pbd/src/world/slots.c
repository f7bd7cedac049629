/* Slots of cloths and colliders: an id is the slot's place and its generation, so an
 * id of a removed object is never mistaken for its successor.
 *
 *   id  31 …… 16  15 …… 0
 *       generation place+1     a slot whose generation is used up is never taken again */
#include "world/world_internal.h"

#include "world/sleep.h"

#include <stdlib.h>
#include <string.h>

#define PLACE_BITS 16
#define PLACE_MASK 0xffffu
#define GENERATION_LAST 0xffffu
#define SLOTS_MAX 0xffffu

/* Divergence, speed, precision, sleep: at most one event each per cloth and tick; a
 * body's are speed and sleep. */
#define EVENTS_PER_CLOTH 4u
#define EVENTS_PER_COLLIDER 2u

struct pbd_cloth *world_cloth(const pbd_world *world, pbd_cloth_id id) {
    uint32_t place = (id & PLACE_MASK) - 1u;
    if (id == 0 || place >= world->cloth_slots || world->cloths[place].id != id) return NULL;
    return &world->cloths[place];
}

struct pbd_collider *world_collider(const pbd_world *world, pbd_collider_id id) {
    uint32_t place = (id & PLACE_MASK) - 1u;
    if (id == 0 || place >= world->collider_slots || world->colliders[place].id != id) return NULL;
    return &world->colliders[place];
}

void world_emit(pbd_world *world, const struct pbd_event *event) {
    if (world->event_count < world->event_capacity) world->events[world->event_count++] = *event;
}

int world_reserve_events(pbd_world *world, uint32_t cloth_count, uint32_t collider_count) {
    size_t overlaps = (size_t)cloth_count * collider_count + (size_t)cloth_count * (cloth_count + 1) / 2;
    if (overlaps > OVERLAP_EVENTS_MAX) overlaps = OVERLAP_EVENTS_MAX;
    size_t need =
        (size_t)cloth_count * EVENTS_PER_CLOTH + (size_t)collider_count * EVENTS_PER_COLLIDER + overlaps;
    if (need <= world->event_capacity) return PBD_OK;
    if (need < 2 * (size_t)world->event_capacity) need = 2 * (size_t)world->event_capacity;
    if (need > UINT32_MAX / 2) return PBD_OUT_OF_MEMORY;
    struct pbd_event *grown = realloc(world->events, need * sizeof *grown);
    if (grown == NULL) return PBD_OUT_OF_MEMORY;
    world->events = grown;
    world->event_capacity = (uint32_t)need;
    return PBD_OK;
}

/* Makes both arrays at least one slot longer; new slots are zeroed. */
static int grow(void **slots, size_t size, uint32_t **order, uint32_t *count) {
    if (*count >= SLOTS_MAX) return PBD_OUT_OF_MEMORY;
    uint32_t wanted = *count < 4 ? 4 : *count * 2;
    if (wanted > SLOTS_MAX) wanted = SLOTS_MAX;
    uint32_t *longer_order = realloc(*order, wanted * sizeof **order);
    if (longer_order == NULL) return PBD_OUT_OF_MEMORY;
    *order = longer_order;
    void *longer = realloc(*slots, wanted * size);
    if (longer == NULL) return PBD_OUT_OF_MEMORY;
    memset((char *)longer + *count * size, 0, (wanted - *count) * size);
    *slots = longer;
    *count = wanted;
    return PBD_OK;
}

static uint32_t make_id(uint32_t place, uint32_t generation) {
    return generation << PLACE_BITS | (place + 1u);
}

struct pbd_cloth *world_new_cloth(pbd_world *world) {
    if (world_reserve_events(world, world->cloth_count + 1, world->collider_count) < 0 ||
        sleep_reserve(world, world->cloth_count + 1, world->collider_count) < 0)
        return NULL;
    uint32_t place = 0;
    while (place < world->cloth_slots &&
           (world->cloths[place].id != 0 || world->cloths[place].generation == GENERATION_LAST))
        ++place;
    if (place == world->cloth_slots) {
        void *slots = world->cloths;
        int result = grow(&slots, sizeof *world->cloths, &world->cloth_order, &world->cloth_slots);
        world->cloths = slots;
        if (result < 0) return NULL;
    }
    struct pbd_cloth *cloth = &world->cloths[place];
    uint32_t generation = cloth->generation + 1;
    *cloth = (struct pbd_cloth){
        .id = make_id(place, generation), .generation = generation, .order = world->next_order++};
    world->cloth_order[world->cloth_count++] = place;
    return cloth;
}

struct pbd_collider *world_new_collider(pbd_world *world) {
    if (world_reserve_events(world, world->cloth_count, world->collider_count + 1) < 0 ||
        sleep_reserve(world, world->cloth_count, world->collider_count + 1) < 0)
        return NULL;
    uint32_t place = 0;
    while (place < world->collider_slots &&
           (world->colliders[place].id != 0 || world->colliders[place].generation == GENERATION_LAST))
        ++place;
    if (place == world->collider_slots) {
        void *slots = world->colliders;
        int result = grow(&slots, sizeof *world->colliders, &world->collider_order, &world->collider_slots);
        world->colliders = slots;
        if (result < 0) return NULL;
    }
    struct pbd_collider *collider = &world->colliders[place];
    uint32_t generation = collider->generation + 1;
    *collider = (struct pbd_collider){
        .id = make_id(place, generation), .generation = generation, .order = world->next_order++};
    world->collider_order[world->collider_count++] = place;
    return collider;
}

static void drop_from_order(uint32_t *order, uint32_t *count, uint32_t place) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < *count; ++i)
        if (order[i] != place) order[kept++] = order[i];
    *count = kept;
}

void world_free_cloth(pbd_world *world, struct pbd_cloth *cloth) {
    drop_from_order(world->cloth_order, &world->cloth_count, (uint32_t)(cloth - world->cloths));
    *cloth = (struct pbd_cloth){.generation = cloth->generation};
}

void world_free_collider(pbd_world *world, struct pbd_collider *collider) {
    drop_from_order(world->collider_order, &world->collider_count, (uint32_t)(collider - world->colliders));
    *collider = (struct pbd_collider){.generation = collider->generation};
}
