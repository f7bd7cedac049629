/* Sweeps over the bending constraints of one cloth. */
#include "solve/bend.h"

#include "solve/strength.h"

static struct strength strength_now(const pbd_world *world, const struct pbd_cloth *cloth, float h) {
    return strength_of(&world->settings.solver, cloth->settings.bend_stiffness,
                       cloth->settings.bend_compliance, h);
}

bool bend_is_on(const pbd_world *world, const struct pbd_cloth *cloth) {
    const struct pbd_solver_settings *solver = &world->settings.solver;
    return strength_now(world, cloth, solver->dt / (float)solver->substeps).on;
}

static void project_distances(const pbd_world *world, struct pbd_cloth *cloth, struct strength strength,
                              int iteration) {
    const struct bend_set *set = &cloth->fabric->bend;
    struct stretch_pass pass = {
        .x = cloth->state.x,
        .y = cloth->state.y,
        .z = cloth->state.z,
        .w = cloth->state.w,
        .ux = cloth->scratch.ux,
        .uy = cloth->scratch.uy,
        .uz = cloth->scratch.uz,
        .rest = set->rest_distance,
        .lambda = world->settings.solver.iterations > 1 ? cloth->scratch.bend_lambda : NULL,
        .stiffness = strength.stiffness,
        .alpha = strength.alpha,
    };
    if (iteration == 0)
        world->kernels->stretch_hinges_first(&pass, set);
    else
        world->kernels->stretch_hinges_next(&pass, set);
}

static void project_angles(const pbd_world *world, struct pbd_cloth *cloth, struct strength strength,
                           int iteration) {
    const struct bend_set *set = &cloth->fabric->bend;
    struct bend_pass pass = {
        .x = cloth->state.x,
        .y = cloth->state.y,
        .z = cloth->state.z,
        .w = cloth->state.w,
        .ux = cloth->scratch.ux,
        .uy = cloth->scratch.uy,
        .uz = cloth->scratch.uz,
        .rest_angle = set->rest_angle,
        .lambda = world->settings.solver.iterations > 1 ? cloth->scratch.bend_lambda : NULL,
        .stiffness = strength.stiffness,
        .alpha = strength.alpha,
    };
    if (iteration == 0)
        world->kernels->bend_first(&pass, set);
    else
        world->kernels->bend_next(&pass, set);
}

void bend_project(const pbd_world *world, struct pbd_cloth *cloth, float h, int iteration) {
    struct strength strength = strength_now(world, cloth, h);
    if (!strength.on) return;
    if (cloth->settings.bend_model == PBD_BEND_DISTANCE)
        project_distances(world, cloth, strength, iteration);
    else
        project_angles(world, cloth, strength, iteration);
}
