/* Sweeps over the stretch constraints of one cloth, and the force they exert. */
#include "solve/stretch.h"

#include <string.h>

#include "solve/strength.h"
#include "solve/weave.h"

void stretch_begin_tick(struct pbd_cloth *cloth) {
    memset(cloth->scratch.stretch_lambda_sum, 0, cloth->fabric->stretch.count * sizeof(float));
}

void stretch_project(const pbd_world *world, struct pbd_cloth *cloth, float h, int iteration) {
    const struct pbd_solver_settings *solver = &world->settings.solver;
    const struct pbd_cloth_settings *settings = &cloth->settings;
    struct strength strength =
        strength_of(solver, settings->stretch_stiffness, settings->stretch_compliance, h);
    if (!strength.on) return;
    struct stretch_pass pass = {
        .x = cloth->state.x,
        .y = cloth->state.y,
        .z = cloth->state.z,
        .w = cloth->state.w,
        .ux = cloth->scratch.ux,
        .uy = cloth->scratch.uy,
        .uz = cloth->scratch.uz,
        .rest = cloth->fabric->stretch.rest,
        .lambda = solver->iterations > 1 ? cloth->scratch.stretch_lambda : NULL,
        .sum = cloth->scratch.stretch_lambda_sum,
        .stiffness = strength.stiffness,
        .alpha = strength.alpha,
        .compression = settings->compression,
        .alphas = weave_alphas(world, cloth, h),
    };
    if (iteration == 0)
        world->kernels->stretch_first(&pass, &cloth->fabric->stretch);
    else
        world->kernels->stretch_next(&pass, &cloth->fabric->stretch);
}

void stretch_end_tick(const pbd_world *world, struct pbd_cloth *cloth, float h, int substeps) {
    if (world->settings.solver.method == PBD_METHOD_XPBD)
        cloth->force_scale = (float)(-1.0 / ((double)h * h * substeps));
    else
        cloth->force_scale = NAN;
}
