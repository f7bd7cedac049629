/* The world's life, its settings and what the last step reported. */
#include "world/world_internal.h"

#include "contact/rigid_contact.h"
#include "contact/self_contact.h"
#include "solve/kernels.h"
#include "world/sleep.h"

#include <stdlib.h>

struct pbd_world_settings pbd_default_world_settings(void) {
    return (struct pbd_world_settings){
        .gravity = {0.0f, -9.8f, 0.0f},
        .wind = {.gust_size = 1.0f, .air_density = 1.225f},
        .drag = 0.5f,
        .damping = 0.02f,
        .max_depenetration = 2.0f,
        .max_speed = 500.0f,
        .solver = {.method = PBD_METHOD_XPBD,
                   .substeps = 10,
                   .iterations = 1,
                   .dt = 1.0f / 60.0f,
                   .jacobi_weight = 0.2f,
                   .velocity_factor = 0.99f},
    };
}

pbd_world *pbd_world_create(const struct pbd_world_settings *settings) {
    pbd_world *world = calloc(1, sizeof *world);
    if (world == NULL) return NULL;
    world->settings = *settings;
    world->kernels = kernels_best();
    return world;
}

void pbd_world_destroy(pbd_world *world) {
    if (world == NULL) return;
    for (uint32_t i = 0; i < world->cloth_count; ++i)
        cloth_release(&world->cloths[world->cloth_order[i]]);
    for (uint32_t i = 0; i < world->collider_count; ++i)
        collider_release(&world->colliders[world->collider_order[i]]);
    rigid_contacts_destroy(world);
    self_destroy(world);
    free(world->cloths);
    free(world->cloth_order);
    free(world->colliders);
    free(world->collider_order);
    free(world->grabs);
    free(world->nodes);
    free(world->node_order);
    free(world->events);
    free(world);
}

uint32_t pbd_world_tick(const pbd_world *world) {
    return world->tick;
}

void pbd_world_set_tick(pbd_world *world, uint32_t tick) {
    world->tick = tick;
}

struct pbd_world_settings pbd_world_get_settings(const pbd_world *world) {
    return world->settings;
}

void pbd_world_set_settings(pbd_world *world, const struct pbd_world_settings *settings) {
    world->settings = *settings;
    sleep_wake_all(world);
}

uint32_t pbd_world_events(const pbd_world *world, const struct pbd_event **events) {
    *events = world->events;
    return world->event_count;
}
