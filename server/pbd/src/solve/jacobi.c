/* The homework's loop over one cloth: prediction, then passes of averaged targets. */
#include "solve/jacobi.h"

#include <string.h>

void jacobi_predict(const pbd_world *world, struct pbd_cloth *cloth) {
    const struct pbd_solver_settings *solver = &world->settings.solver;
    const float *g = world->settings.gravity;
    struct kick kick = {.factor = solver->velocity_factor,
                        .x = solver->dt * g[0],
                        .y = solver->dt * g[1],
                        .z = solver->dt * g[2]};
    world->kernels->jacobi_predict(&cloth->state, &cloth->scratch, cloth->fabric->padded_count, kick,
                                   solver->dt);
}

/* 1/(ω + n) per particle, n its number of edges; sums are 0. */
static void prepare(const pbd_world *world, struct pbd_cloth *cloth) {
    const struct stretch_set *set = &cloth->fabric->stretch;
    struct cloth_scratch *t = &cloth->scratch;
    uint32_t n = cloth->fabric->padded_count;
    memset(t->scale, 0, n * sizeof(float));
    for (uint32_t c = 0; c < set->count; ++c) {
        t->scale[set->a[c]] += 1.0f;
        t->scale[set->b[c]] += 1.0f;
    }
    float omega = world->settings.solver.jacobi_weight;
    for (uint32_t p = 0; p < n; ++p)
        t->scale[p] = t->scale[p] > 0.0f ? 1.0f / (omega + t->scale[p]) : 0.0f;
    memset(t->sx, 0, n * sizeof(float));
    memset(t->sy, 0, n * sizeof(float));
    memset(t->sz, 0, n * sizeof(float));
}

void jacobi_project(const pbd_world *world, struct pbd_cloth *cloth) {
    prepare(world, cloth);
    struct jacobi_pass pass = {
        .x = cloth->state.x,
        .y = cloth->state.y,
        .z = cloth->state.z,
        .ux = cloth->scratch.ux,
        .uy = cloth->scratch.uy,
        .uz = cloth->scratch.uz,
        .sx = cloth->scratch.sx,
        .sy = cloth->scratch.sy,
        .sz = cloth->scratch.sz,
        .rest = cloth->fabric->stretch.rest,
    };
    float inverse_dt = 1.0f / world->settings.solver.dt;
    for (int i = 0; i < world->settings.solver.iterations; ++i) {
        world->kernels->jacobi_gather(&pass, &cloth->fabric->stretch);
        world->kernels->jacobi_apply(&cloth->state, &cloth->scratch, cloth->fabric->padded_count, inverse_dt);
    }
}
