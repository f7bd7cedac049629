/* Pieces of cloth for the tests of contact between cloths: one world, exact places. */
#ifndef TESTS_PBD_SUPPORT_CLOTHS_H
#define TESTS_PBD_SUPPORT_CLOTHS_H

#include "contact/self_internal.h"
#include "sheet.h"

/* No gravity, no drag, no damping, one substep of 1/60 s. */
static inline pbd_world *quiet_world(void) {
    struct pbd_world_settings settings = quiet_settings();
    settings.solver.substeps = 1;
    return pbd_world_create(&settings);
}

/* A sheet of n × n vertices, 1 m wide, at (x, y, z). self: touches itself. */
static inline pbd_cloth_id add_sheet(pbd_world *world, uint32_t n, double x, double y, double z, bool self) {
    struct sheet sheet = sheet_create(n, n, 1, 1);
    struct pbd_cloth_settings settings = pbd_default_cloth_settings();
    settings.self_collision = self;
    settings.thickness = 0.01f;
    pbd_fabric *fabric = sheet_fabric(&sheet, 0.2f);
    for (uint32_t v = 0; v < sheet.vertex_count; ++v) {
        sheet.positions[3 * v] += (float)x;
        sheet.positions[3 * v + 1] += (float)y;
        sheet.positions[3 * v + 2] += (float)z;
    }
    pbd_cloth_id id = cloth_from(world, fabric, sheet.positions, &settings, NULL, 0);
    sheet_destroy(&sheet);
    return id;
}

/* Triangles of one cloth with these corners, of mass 1 kg a vertex. */
static inline pbd_cloth_id add_triangles(pbd_world *world, const float *positions, uint32_t vertices,
                                         const uint32_t *triangles, uint32_t count, float thickness,
                                         float friction) {
    float masses[64];
    for (uint32_t v = 0; v < vertices && v < 64; ++v)
        masses[v] = 1.0f;
    struct pbd_cloth_settings settings = pbd_default_cloth_settings();
    settings.thickness = thickness;
    settings.friction = friction;
    pbd_fabric *fabric = fabric_from(positions, vertices, triangles, count, NULL, 0, masses, 0);
    return cloth_from(world, fabric, positions, &settings, NULL, 0);
}

/* u of one vertex: where it is to be after prediction. */
static inline void predict_vertex(pbd_world *world, pbd_cloth_id id, uint32_t vertex, double dx, double dy,
                                  double dz) {
    struct pbd_cloth *cloth = world_cloth(world, id);
    uint32_t p = cloth->fabric->view.vertex_particle[vertex];
    cloth->scratch.ux[p] = cloth->state.ex[p] + (float)dx;
    cloth->scratch.uy[p] = cloth->state.ey[p] + (float)dy;
    cloth->scratch.uz[p] = cloth->state.ez[p] + (float)dz;
}

static inline struct vec3 predicted_vertex(const pbd_world *world, pbd_cloth_id id, uint32_t vertex) {
    const struct pbd_cloth *cloth = world_cloth(world, id);
    uint32_t p = cloth->fabric->view.vertex_particle[vertex];
    return vec3_make((double)cloth->state.x[p] + (double)cloth->scratch.ux[p],
                     (double)cloth->state.y[p] + (double)cloth->scratch.uy[p],
                     (double)cloth->state.z[p] + (double)cloth->scratch.uz[p]);
}

/* Nothing moves: u = e for all. */
static inline void predict_rest(pbd_world *world) {
    for (uint32_t i = 0; i < world->cloth_count; ++i) {
        struct pbd_cloth *cloth = &world->cloths[world->cloth_order[i]];
        for (uint32_t p = 0; p < cloth->fabric->padded_count; ++p) {
            cloth->scratch.ux[p] = cloth->state.ex[p];
            cloth->scratch.uy[p] = cloth->state.ey[p];
            cloth->scratch.uz[p] = cloth->state.ez[p];
        }
    }
}

#endif
