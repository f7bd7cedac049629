/* A shipped scene with all that it names (attachments, meshes from files), stepped
 * directly and without clients. */
#ifndef CLOTHD_TESTS_SHIPPED_H
#define CLOTHD_TESTS_SHIPPED_H

#include "check.h"

#include <stdlib.h>
#include <sim/simulation.h>

/* Sanitised and unoptimised builds are too slow for the long runs. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__OPTIMIZE__)
#define SLOW_BUILD true
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SLOW_BUILD true
#endif
#endif
#ifndef SLOW_BUILD
#define SLOW_BUILD false
#endif

struct shipped {
    struct sim *sim;
    pbd_world *world;
    const struct object_table *objects;
    uint32_t events[PBD_EVENT_WOKE + 1]; /* how many of each type there were */
};

static inline struct shipped shipped_open(const char *name) {
    char message[256] = "";
    struct sim_config config = {
        .paused = true,
        .version = "0",
        .build = "test",
        .scene_dir = SOURCE_DIR "/server/scenes",
        .scene = name,
        .limits = {.max_worlds = 1, .max_vertices_per_world = 500000, .max_vertices = 500000}};
    struct shipped scene = {.sim = sim_create(&config, message, sizeof message)};
    if (scene.sim == NULL) {
        printf("%s: %s\n", name, message);
        exit(1);
    }
    scene.world = scene.sim->worlds[0]->content.pbd;
    scene.objects = &scene.sim->worlds[0]->content.objects;
    return scene;
}

static inline void shipped_go(struct shipped *scene, int ticks) {
    for (int k = 0; k < ticks; ++k) {
        const struct pbd_event *events;
        pbd_world_step(scene->world);
        uint32_t count = pbd_world_events(scene->world, &events);
        for (uint32_t i = 0; i < count; ++i)
            ++scene->events[events[i].type];
    }
}

/* The solver's id of a cloth or collider. */
static inline uint32_t shipped_id(const struct shipped *scene, enum object_kind kind, const char *name) {
    const struct object *object = object_find(scene->objects, kind, name);
    CHECK(object != NULL);
    return object ? object->id : 0;
}

static inline struct pbd_collider_state shipped_collider(const struct shipped *scene, const char *name) {
    struct pbd_collider_state state = {0};
    CHECK_INT(pbd_collider_get(scene->world, shipped_id(scene, OBJECT_COLLIDER, name), &state), PBD_OK);
    return state;
}

static inline struct pbd_cloth_view shipped_cloth(const struct shipped *scene, const char *name) {
    struct pbd_cloth_view view = {0};
    CHECK_INT(pbd_cloth_get_view(scene->world, shipped_id(scene, OBJECT_CLOTH, name), &view), PBD_OK);
    return view;
}

static inline void shipped_close(struct shipped *scene) {
    sim_destroy(scene->sim);
}

#endif
