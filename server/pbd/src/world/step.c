/* A tick, as a table of contents (physics.md §3; bracketed numbers are the lines of
 * P07's Algorithm 1). */
#include "world/world_internal.h"

#include "contact/contact.h"
#include "contact/self_contact.h"
#include "contact/features.h"
#include "contact/rigid_contact.h"
#include "math/float_environment.h"
#include "solve/aero.h"
#include "solve/attach.h"
#include "solve/bend.h"
#include "solve/damping.h"
#include "solve/grab.h"
#include "solve/jacobi.h"
#include "solve/pressure.h"
#include "solve/stretch.h"
#include "solve/tether.h"
#include "world/sleep.h"

/* The i-th cloth in the order of adding, NULL when it is frozen or asleep. */
static struct pbd_cloth *moving_cloth(const pbd_world *world, uint32_t i) {
    struct pbd_cloth *cloth = &world->cloths[world->cloth_order[i]];
    return cloth_is_active(cloth) ? cloth : NULL;
}

/* The same, with the frozen ones where there are bodies, which they are in the way of. */
static struct pbd_cloth *touching_cloth(const pbd_world *world, uint32_t i) {
    struct pbd_cloth *cloth = &world->cloths[world->cloth_order[i]];
    return world->has_bodies && !cloth->asleep ? cloth : moving_cloth(world, i);
}

static void begin_tick(pbd_world *world) {
    world->event_count = 0;
    world->contact_count = 0;
    collider_begin_tick(world);
    sleep_begin_tick(world);
    for (uint32_t i = 0; i < world->cloth_count; ++i) {
        struct pbd_cloth *cloth = touching_cloth(world, i);
        if (cloth == NULL) continue;
        if (!cloth->frozen) {
            cloth_backup(cloth);
            stretch_begin_tick(cloth);
            aero_begin_tick(world, cloth);
            pressure_begin_tick(world, cloth);
            tether_begin_tick(world, cloth);
        }
        contact_begin_tick(world, cloth);
        feature_begin_tick(cloth);
    }
    if (world->settings.solver.method == PBD_METHOD_JACOBI)
        self_skip_tick(world);
    else
        self_begin_tick(world);
    rigid_contacts_begin_tick(world);
}

static void end_tick(pbd_world *world, float h, int substeps) {
    self_end_tick(world);
    for (uint32_t i = 0; i < world->cloth_count; ++i) {
        struct pbd_cloth *cloth = touching_cloth(world, i);
        if (cloth == NULL) continue;
        contact_end_tick(world, cloth);
        if (cloth->frozen) continue;
        stretch_end_tick(world, cloth, h, substeps);
        pins_end_tick(cloth);
        cloth_diagnose(world, cloth);
    }
    collider_end_tick(world);
    grabs_end_tick(world);
    aero_end_tick(world);
    sleep_end_tick(world);
    ++world->tick;
}

/* The cloths' turn in a substep, one stage for all of them at a time, since what joins
 * two cloths or a cloth and a body must find both at the same stage. */
static void predict(pbd_world *world, float h, int index) {
    for (uint32_t i = 0; i < world->cloth_count; ++i) {
        struct pbd_cloth *cloth = touching_cloth(world, i);
        if (cloth == NULL) continue;
        if (!cloth->frozen) {
            damping_predict(world, cloth, h); /* [5]–[7] */
            attach_predict(world, cloth, h);
            pins_predict(cloth, index, world->settings.solver.substeps);
        }
        contact_begin_substep(world, cloth, h); /* [8] */
        feature_begin_substep(cloth);
    }
    self_begin_substep(world, index, world->settings.solver.substeps);
}

static void iterate(pbd_world *world, float h, int iteration) { /* [9]–[11] */
    for (uint32_t i = 0; i < world->cloth_count; ++i) {
        struct pbd_cloth *cloth = moving_cloth(world, i);
        if (cloth == NULL) continue;
        pressure_begin_iteration(world, cloth);
        stretch_project(world, cloth, h, iteration);
        bend_project(world, cloth, h, iteration);
        pressure_project(world, cloth);
        tether_project(world, cloth);
        attach_project(world, cloth);
    }
    grabs_project(world, h);
    self_project(world, h);
    for (uint32_t i = 0; i < world->cloth_count; ++i) {
        struct pbd_cloth *cloth = touching_cloth(world, i);
        if (cloth == NULL) continue;
        contact_project_flat(world, cloth, h);
        feature_project(world, cloth, h);
    }
    bool measure = world->has_bodies && collider_bounds_broken(world);
    for (uint32_t i = 0; i < world->cloth_count; ++i) {
        struct pbd_cloth *cloth = touching_cloth(world, i);
        if (cloth == NULL) continue;
        if (measure) contact_measure_again(world, cloth);
        contact_project(world, cloth, h);
    }
    if (measure) rigid_contacts_measure_again(world);
    rigid_contacts_project(world, (double)h, iteration);
}

static void commit(pbd_world *world, float h, int index) {
    collider_commit(world, world->settings.solver.substeps);
    for (uint32_t i = 0; i < world->cloth_count; ++i) {
        struct pbd_cloth *cloth = touching_cloth(world, i);
        if (cloth == NULL) continue;
        if (!cloth->frozen) {
            world->kernels->integrate_commit(&cloth->state, &cloth->scratch, cloth->fabric->padded_count,
                                             1.0f / h); /* [12]–[15] */
            pins_commit(cloth, index, world->settings.solver.substeps, h);
        }
        contact_velocities(world, cloth, h); /* [16] */
        feature_velocities(world, cloth, h);
    }
    self_velocities(world, h);
    rigid_contacts_velocities(world, (double)h);
}

static void step_substeps(pbd_world *world) {
    const struct pbd_solver_settings *solver = &world->settings.solver;
    float h = solver->dt / (float)solver->substeps;
    for (int index = 0; index < solver->substeps; ++index) {
        collider_begin_substep(world, index, solver->substeps);
        predict(world, h, index);
        grabs_begin_substep(world, index, solver->substeps);
        for (int k = 0; k < solver->iterations; ++k)
            iterate(world, h, k);
        commit(world, h, index);
    }
    end_tick(world, h, solver->substeps);
}

static void step_jacobi(pbd_world *world) {
    float dt = world->settings.solver.dt;
    collider_begin_substep(world, 0, 1);
    for (uint32_t i = 0; i < world->cloth_count; ++i) {
        struct pbd_cloth *cloth = moving_cloth(world, i);
        if (cloth == NULL) continue;
        jacobi_predict(world, cloth);
        attach_predict(world, cloth, dt);
        pins_predict(cloth, 0, 1);
        jacobi_project(world, cloth);
        contact_jacobi(world, cloth, dt);
        world->kernels->jacobi_commit(&cloth->state, &cloth->scratch, cloth->fabric->padded_count);
        pins_commit(cloth, 0, 1, dt);
    }
    rigid_contacts_project(world, (double)dt, 0);
    collider_commit(world, 1);
    rigid_contacts_velocities(world, (double)dt);
    end_tick(world, dt, 1);
}

void pbd_world_step(pbd_world *world) {
    uint64_t environment = float_environment_enter();
    begin_tick(world);
    if (world->settings.solver.method == PBD_METHOD_JACOBI)
        step_jacobi(world);
    else
        step_substeps(world);
    float_environment_leave(environment);
}
