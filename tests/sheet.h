/* Small worlds for tests: a rectangular sheet or any triangle list, imported through
 * the gate like a user's mesh, and read back in the user's vertex order. */
#ifndef CLOTHD_TESTS_SHEET_H
#define CLOTHD_TESTS_SHEET_H

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include <pbd/pbd.h>

struct sheet {
    uint32_t nx, ny, vertex_count, triangle_count;
    float *positions; /* vertex j·nx+i at (w(i/(nx−1)−½), 0, h(j/(ny−1)−½)) */
    uint32_t *triangles;
};

static inline struct sheet sheet_create(uint32_t nx, uint32_t ny, double w, double h) {
    struct sheet sheet = {nx, ny, nx * ny, 2 * (nx - 1) * (ny - 1), NULL, NULL};
    sheet.positions = malloc(3 * sizeof(float) * sheet.vertex_count);
    sheet.triangles = malloc(3 * sizeof(uint32_t) * sheet.triangle_count);
    assert(sheet.positions != NULL && sheet.triangles != NULL);
    uint32_t *t = sheet.triangles;
    for (uint32_t j = 0; j < ny; ++j)
        for (uint32_t i = 0; i < nx; ++i) {
            uint32_t v = j * nx + i;
            sheet.positions[3 * v] = (float)(w * ((double)i / (nx - 1) - 0.5));
            sheet.positions[3 * v + 1] = 0.0f;
            sheet.positions[3 * v + 2] = (float)(h * ((double)j / (ny - 1) - 0.5));
            if (i + 1 == nx || j + 1 == ny) continue;
            const uint32_t corners[6] = {v, v + nx, v + nx + 1, v, v + nx + 1, v + 1};
            for (int k = 0; k < 6; ++k)
                *t++ = corners[k];
        }
    return sheet;
}

static inline void sheet_destroy(struct sheet *sheet) {
    free(sheet->positions);
    free(sheet->triangles);
}

/* Masses density·area, or as given. */
static inline pbd_fabric *fabric_from(const float *positions, uint32_t vertex_count,
                                      const uint32_t *triangles, uint32_t triangle_count,
                                      const uint32_t *edges, uint32_t edge_count, const float *masses,
                                      float density) {
    struct pbd_mesh_def def = pbd_default_mesh_def();
    def.positions = positions;
    def.vertex_count = vertex_count;
    def.face_vertices = triangles;
    def.face_count = triangle_count;
    def.edges = edges;
    def.edge_count = edge_count;
    def.masses = masses;
    if (density > 0.0f) def.density = density;
    pbd_fabric *fabric = NULL;
    struct pbd_mesh_refusal refusal = {0};
    int result = pbd_mesh_import(&def, &fabric, &refusal);
    if (result != PBD_OK) printf("refused: %s\n", refusal.message);
    assert(result == PBD_OK);
    return fabric;
}

static inline pbd_fabric *sheet_fabric(const struct sheet *sheet, float density) {
    return fabric_from(sheet->positions, sheet->vertex_count, sheet->triangles, sheet->triangle_count, NULL,
                       0, NULL, density);
}

/* Adds a cloth to the world; the world's reference is the only one left. */
static inline pbd_cloth_id cloth_from(pbd_world *world, pbd_fabric *fabric, const float *positions,
                                      const struct pbd_cloth_settings *settings, const uint32_t *pins,
                                      uint32_t pin_count) {
    struct pbd_cloth_def def = {.fabric = fabric, .positions = positions, .settings = *settings};
    def.pins = pins;
    def.pin_count = pin_count;
    pbd_cloth_id id = 0;
    int result = pbd_cloth_add(world, &def, &id);
    assert(result == PBD_OK);
    pbd_fabric_unref(fabric);
    return id;
}

struct point {
    double x, y, z;
};

static inline struct point vertex_position(const pbd_world *world, pbd_cloth_id id, uint32_t vertex) {
    struct pbd_cloth_view view;
    int result = pbd_cloth_get_view(world, id, &view);
    assert(result == PBD_OK && vertex < view.vertex_count);
    uint32_t p = view.vertex_particle[vertex];
    return (struct point){view.x[p], view.y[p], view.z[p]};
}

static inline struct point vertex_velocity(const pbd_world *world, pbd_cloth_id id, uint32_t vertex) {
    struct pbd_cloth_view view;
    int result = pbd_cloth_get_view(world, id, &view);
    assert(result == PBD_OK && vertex < view.vertex_count);
    uint32_t p = view.vertex_particle[vertex];
    return (struct point){view.vx[p], view.vy[p], view.vz[p]};
}

static inline void step_ticks(pbd_world *world, int ticks) {
    for (int i = 0; i < ticks; ++i)
        pbd_world_step(world);
}

/* The same, and nothing falls asleep, so that what the solver does at rest is seen. */
static inline void step_ticks_awake(pbd_world *world, int ticks) {
    struct pbd_world_settings settings = pbd_world_get_settings(world);
    for (int i = 0; i < ticks; ++i) {
        pbd_world_set_settings(world, &settings);
        pbd_world_step(world);
    }
}

/* No gravity, no drag, no damping. */
static inline struct pbd_world_settings quiet_settings(void) {
    struct pbd_world_settings settings = pbd_default_world_settings();
    settings.gravity[1] = 0.0f;
    settings.drag = 0.0f;
    settings.damping = 0.0f;
    return settings;
}

/* A deterministic generator (SplitMix64), so that a failure can be repeated. */
struct random {
    uint64_t state;
};

static inline uint64_t random_bits(struct random *random) {
    uint64_t z = random->state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* In [low, high). */
static inline double random_between(struct random *random, double low, double high) {
    return low + (high - low) * (double)(random_bits(random) >> 11) * 0x1p-53;
}

static inline uint32_t random_below(struct random *random, uint32_t count) {
    return (uint32_t)(random_bits(random) % count);
}

#endif
