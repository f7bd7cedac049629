/* A cloth and one collider at the start of a substep, for tests of feature contact without
 * the solver: what a test moves is u. */
#ifndef TESTS_SUPPORT_FEATURES_H
#define TESTS_SUPPORT_FEATURES_H

#include "check.h"
#include "sheet.h"

#include "contact/contact.h"
#include "contact/feature_pairs.h"
#include "contact/feature_solve.h"

struct feature_bench {
    pbd_world *world;
    struct pbd_cloth *cloth;
    struct pbd_collider *collider;
    struct cloth_features *features;
};

/* Vertices 3 each; no triangles: edges. All weigh 1 kg. */
static inline struct feature_bench feature_bench_create(const float *positions, uint32_t vertex_count,
                                                        const uint32_t *triangles, uint32_t triangle_count,
                                                        const uint32_t *edges, uint32_t edge_count,
                                                        float thickness, float friction) {
    struct pbd_world_settings settings = quiet_settings();
    settings.solver.substeps = 1;
    struct feature_bench bench = {.world = pbd_world_create(&settings)};
    float *masses = malloc(sizeof(float) * vertex_count);
    assert(masses != NULL);
    for (uint32_t i = 0; i < vertex_count; ++i)
        masses[i] = 1.0f;
    struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
    cloth.thickness = thickness;
    cloth.friction = friction;
    pbd_fabric *fabric =
        fabric_from(positions, vertex_count, triangles, triangle_count, edges, edge_count, masses, 0.0f);
    pbd_cloth_id id = cloth_from(bench.world, fabric, positions, &cloth, NULL, 0);
    free(masses);
    bench.cloth = world_cloth(bench.world, id);
    return bench;
}

static inline void feature_bench_destroy(struct feature_bench *bench) {
    pbd_world_destroy(bench->world);
}

/* Adds the collider and begins a tick of one substep; a move leads through it. */
static inline void feature_bench_begin(struct feature_bench *bench, const struct pbd_collider_def *def,
                                       const float *move_to) {
    pbd_collider_id id = 0;
    CHECK_INT(pbd_collider_add(bench->world, def, &id), PBD_OK);
    if (move_to != NULL) CHECK_INT(pbd_collider_move(bench->world, id, move_to, NULL, 1, false), PBD_OK);
    bench->collider = world_collider(bench->world, id);
    bench->features = bench->cloth->contacts->features;
    collider_begin_tick(bench->world);
    contact_begin_tick(bench->world, bench->cloth);
    feature_begin_tick(bench->cloth);
    collider_begin_substep(bench->world, 0, 1);
    contact_begin_substep(bench->world, bench->cloth, bench->world->settings.solver.dt);
    feature_begin_substep(bench->cloth);
    for (uint32_t i = 0; i < bench->cloth->fabric->padded_count; ++i) {
        bench->cloth->scratch.ux[i] = bench->cloth->state.ex[i];
        bench->cloth->scratch.uy[i] = bench->cloth->state.ey[i];
        bench->cloth->scratch.uz[i] = bench->cloth->state.ez[i];
    }
}

static inline uint32_t feature_bench_particle(const struct feature_bench *bench, uint32_t vertex) {
    return bench->cloth->fabric->view.vertex_particle[vertex];
}

/* Where a vertex now is, X + u. */
static inline struct vec3 feature_bench_at(const struct feature_bench *bench, uint32_t vertex) {
    uint32_t i = feature_bench_particle(bench, vertex);
    const struct cloth_scratch *t = &bench->cloth->scratch;
    return vec3_add(particle_base(&bench->cloth->state, i),
                    vec3_make((double)t->ux[i], (double)t->uy[i], (double)t->uz[i]));
}

static inline void feature_bench_shift(struct feature_bench *bench, uint32_t vertex, float x, float y,
                                       float z) {
    uint32_t i = feature_bench_particle(bench, vertex);
    bench->cloth->scratch.ux[i] += x;
    bench->cloth->scratch.uy[i] += y;
    bench->cloth->scratch.uz[i] += z;
}

static inline struct pbd_collider_def feature_bench_def(struct pbd_shape shape, float x, float y, float z) {
    struct pbd_collider_def def = pbd_default_collider_def();
    def.shape = shape;
    def.friction = 1.0f;
    def.position[0] = x;
    def.position[1] = y;
    def.position[2] = z;
    return def;
}

#endif
