/* Masses: a third of each adjacent triangle's (P07 §4), or the user's own. Also
 * counts what hangs together: components, isolated and massless particles. */
#include "build/build.h"

#include <stdlib.h>
#include "math/elementary.h"

static double triangle_area(const struct mesh_build *build, uint32_t t) {
    const uint32_t *corners = build->triangle_particles + 3 * (size_t)t;
    const float *p = particle_rest(build, corners[0]), *q = particle_rest(build, corners[1]);
    const float *r = particle_rest(build, corners[2]);
    double e[3], f[3];
    for (int k = 0; k < 3; ++k) {
        e[k] = (double)q[k] - (double)p[k];
        f[k] = (double)r[k] - (double)p[k];
    }
    double x = e[1] * f[2] - e[2] * f[1], y = e[2] * f[0] - e[0] * f[2], z = e[0] * f[1] - e[1] * f[0];
    return 0.5 * math_sqrt(x * x + y * y + z * z);
}

static double mean_edge_length(const struct mesh_build *build) {
    double sum = 0.0;
    for (uint32_t e = 0; e < build->edge_count; ++e) {
        const float *p = particle_rest(build, build->edge_a[e]), *q = particle_rest(build, build->edge_b[e]);
        double square = 0.0;
        for (int k = 0; k < 3; ++k)
            square += ((double)q[k] - (double)p[k]) * ((double)q[k] - (double)p[k]);
        sum += math_sqrt(square);
    }
    return build->edge_count ? sum / build->edge_count : 0.0;
}

static void add_given_masses(struct mesh_build *build) {
    for (uint32_t v = 0; v < build->def->vertex_count; ++v)
        build->mass[build->vertex_particle[v]] += (double)build->def->masses[v];
}

static void add_triangle_masses(struct mesh_build *build) {
    for (uint32_t t = 0; t < build->triangle_count; ++t) {
        if (!build->sound[t]) continue;
        double third = (double)build->def->density * triangle_area(build, t) / 3.0;
        for (size_t k = 0; k < 3; ++k)
            build->mass[build->triangle_particles[3 * (size_t)t + k]] += third;
    }
}

static uint32_t find_root(uint32_t *parent, uint32_t p) {
    while (parent[p] != p) {
        parent[p] = parent[parent[p]];
        p = parent[p];
    }
    return p;
}

/* Components of particles joined by edges; isolated ones are none. parent comes back
 * with a particle of no edge as its own root and `joined` zero for it. */
static void count_components(struct mesh_build *build, uint32_t *parent, unsigned char *joined) {
    uint32_t components = 0;
    for (uint32_t p = 0; p < build->particle_count; ++p)
        parent[p] = p;
    for (uint32_t e = 0; e < build->edge_count; ++e) {
        uint32_t a = build->edge_a[e], b = build->edge_b[e];
        components += 2u - joined[a] - joined[b];
        joined[a] = joined[b] = 1;
        a = find_root(parent, a);
        b = find_root(parent, b);
        if (a == b) continue;
        parent[math_maxu(a, b)] = math_minu(a, b);
        --components;
    }
    build->report.components = components;
}

/* Particles with edges but without mass get the mean; where nothing has mass (a rope),
 * what a grid of that edge length would weigh. Isolated ones get none. */
static void share_out(struct mesh_build *build, const unsigned char *joined) {
    double sum = 0.0;
    uint32_t heavy = 0, first_massless = 0, first_isolated = 0;
    for (uint32_t p = 0; p < build->particle_count; ++p) {
        if (!joined[p]) {
            if (build->report.isolated++ == 0) first_isolated = build->particle_vertex[p];
            build->mass[p] = 0.0;
        } else if (build->mass[p] > 0.0) {
            sum += build->mass[p];
            ++heavy;
        } else if (build->report.massless++ == 0) {
            first_massless = build->particle_vertex[p];
        }
    }
    double length = mean_edge_length(build);
    double mean = heavy ? sum / heavy : (double)build->def->density * (length > 0.0 ? length * length : 1.0);
    for (uint32_t p = 0; p < build->particle_count; ++p) {
        if (joined[p] && !(build->mass[p] > 0.0)) build->mass[p] = mean;
        build->report.mass += build->mass[p];
    }
    if (build->report.isolated)
        warn(build,
             "%u vertices belong to no face with area and no edge (first: %u): they stay where they start",
             build->report.isolated, first_isolated);
    if (build->report.massless)
        warn(build, "%u vertices have edges but no mass (first: %u): each gets %g kg, %s",
             build->report.massless, first_massless, mean,
             heavy ? "the mean" : "density times the mean edge length squared");
}

static int check_range(struct mesh_build *build) {
    for (uint32_t p = 0; p < build->particle_count; ++p) {
        double mass = build->mass[p];
        if (mass == 0.0 || (mass >= 1e-37 && mass <= 1e37))
            continue; /* so that float 1/mass is a normal number */
        build->refusal.vertex = build->particle_vertex[p];
        return refuse(build, PBD_MESH_BAD_MASS, "vertex %u would weigh %g kg; 1e-37 to 1e37 kg are allowed",
                      build->particle_vertex[p], mass);
    }
    return PBD_OK;
}

int compute_masses(struct mesh_build *build) {
    build->mass = build_array(build->particle_count, sizeof(double));
    uint32_t *parent = build_array(build->particle_count, sizeof *parent);
    unsigned char *joined = build_array(build->particle_count, 1);
    int result = build->mass && parent && joined ? PBD_OK : PBD_OUT_OF_MEMORY;
    if (result == PBD_OK) {
        if (build->def->masses)
            add_given_masses(build);
        else
            add_triangle_masses(build);
        count_components(build, parent, joined);
        share_out(build, joined);
        result = check_range(build);
    }
    free(parent);
    free(joined);
    return result;
}
