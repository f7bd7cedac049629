/* Figures of the whole world, computed when asked for. Sums in double, in order. */
#include "world/world_internal.h"

#include "contact/self_contact.h"
#include "solve/bend.h"
#include "solve/pressure.h"
#include "solve/strength.h"
#include "solve/tether.h"

static bool stretch_is_on(const pbd_world *world, const struct pbd_cloth *cloth) {
    const struct pbd_solver_settings *solver = &world->settings.solver;
    if (solver->method == PBD_METHOD_JACOBI) return true;
    float h = solver->dt / (float)solver->substeps;
    return strength_of(solver, cloth->settings.stretch_stiffness, cloth->settings.stretch_compliance, h).on;
}

struct strain_sum {
    double largest, total;
    uint64_t count;
};

static void add_strains(const struct pbd_cloth *cloth, struct strain_sum *sum) {
    const struct stretch_set *set = &cloth->fabric->stretch;
    const struct cloth_state *s = &cloth->state;
    for (uint32_t c = 0; c < set->count; ++c) {
        if (!(set->rest[c] > 0.0f)) continue;
        uint32_t a = set->a[c], b = set->b[c];
        double x = (double)s->x[a] - s->x[b], y = (double)s->y[a] - s->y[b], z = (double)s->z[a] - s->z[b];
        double strain = __builtin_sqrt(x * x + y * y + z * z) / set->rest[c] - 1.0;
        if (sum->count == 0 || strain > sum->largest) sum->largest = strain;
        sum->total += strain;
        ++sum->count;
    }
}

static void add_energies(const pbd_world *world, const struct pbd_cloth *cloth,
                         struct pbd_world_stats *stats) {
    const struct cloth_state *s = &cloth->state;
    const float *g = world->settings.gravity;
    for (uint32_t p = 0; p < cloth->fabric->particle_count; ++p) {
        if (!(s->w[p] > 0.0f)) continue;
        double mass = cloth->fabric->mass[p], vx = s->vx[p], vy = s->vy[p], vz = s->vz[p];
        stats->kinetic_energy += 0.5 * mass * (vx * vx + vy * vy + vz * vz);
        stats->potential_energy -=
            mass * ((double)g[0] * s->x[p] + (double)g[1] * s->y[p] + (double)g[2] * s->z[p]);
    }
}

struct pbd_world_stats pbd_world_get_stats(const pbd_world *world) {
    struct pbd_world_stats stats = {.contacts = world->contact_count,
                                    .self_contacts = world->self_contact_count,
                                    .self_dropped = self_dropped(world)};
    struct strain_sum strains = {0};
    for (uint32_t i = 0; i < world->cloth_count; ++i) {
        const struct pbd_cloth *cloth = &world->cloths[world->cloth_order[i]];
        if (stretch_is_on(world, cloth)) stats.constraints += cloth->fabric->stretch.count;
        if (bend_is_on(world, cloth)) stats.constraints += cloth->fabric->bend.count;
        stats.constraints += pressure_count(world, cloth) + tether_count(world, cloth);
        add_strains(cloth, &strains);
        add_energies(world, cloth, &stats);
    }
    if (strains.count > 0) {
        stats.max_strain = (float)strains.largest;
        stats.mean_strain = (float)(strains.total / (double)strains.count);
    }
    return stats;
}
