/* A sheet and a mesh collider, for tests of what the one does to the other. */
#ifndef CLOTHD_TESTS_MESH_SCENE_H
#define CLOTHD_TESTS_MESH_SCENE_H

#include "check.h"
#include "sheet.h"
#include "solid.h"

/* Sanitised builds are slow: smaller sheets, fewer ticks. */
#if defined(__SANITIZE_ADDRESS__)
#define SHORT 1
#else
#define SHORT 0
#endif

struct scene {
    pbd_world *world;
    pbd_cloth_id cloth;
    pbd_collider_id collider;
    uint32_t vertex_count;
};

/* A sheet whose vertices are moved by `place`; no damping or drag. */
static inline struct scene scene_create(const struct pbd_world_settings *settings, uint32_t cells,
                                        double size, const struct pbd_cloth_settings *cloth,
                                        void (*place)(float *)) {
    struct scene scene = {.world = pbd_world_create(settings)};
    struct sheet sheet = sheet_create(cells + 1, cells + 1, size, size);
    pbd_fabric *fabric = sheet_fabric(&sheet, 0.2f);
    for (uint32_t v = 0; v < sheet.vertex_count; ++v)
        place(sheet.positions + 3 * v);
    scene.cloth = cloth_from(scene.world, fabric, sheet.positions, cloth, NULL, 0);
    scene.vertex_count = sheet.vertex_count;
    sheet_destroy(&sheet);
    return scene;
}

/* Adds the solid as a mesh collider and frees it. */
static inline pbd_collider_id add_mesh(pbd_world *world, struct solid solid, struct pbd_collider_def def) {
    pbd_collider_id id = 0;
    def.shape = (struct pbd_shape){.type = PBD_MESH, .mesh = solid_mesh(&solid)};
    CHECK_INT(pbd_collider_add(world, &def, &id), PBD_OK);
    pbd_collision_mesh_unref(def.shape.mesh);
    solid_free(&solid);
    return id;
}

static inline struct pbd_world_settings falling(int substeps) {
    struct pbd_world_settings settings = pbd_default_world_settings();
    settings.gravity[1] = -9.81f;
    settings.drag = settings.damping = 0.0f;
    settings.solver.substeps = substeps;
    return settings;
}

static inline double lowest(const struct scene *scene) {
    double low = INFINITY;
    for (uint32_t v = 0; v < scene->vertex_count; ++v)
        low = fmin(low, vertex_position(scene->world, scene->cloth, v).y);
    return low;
}

#endif
