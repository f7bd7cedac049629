/* Closed parts of a cloth, what volume they have at rest, and one projection of it. */
#include "solve/pressure.h"

#include "contact/surface.h"
#include "math/elementary.h"
#include "solve/damping.h"
#include "solve/kernels.h"

#include <stdlib.h>
#include <string.h>

/* Of area^1.5: a volume that the roundings of its own rest positions could make. */
#define FLATTEST 1e-3

/* A closed part. */
struct part {
    uint32_t first, count; /* of its particles in the list */
    double rest;           /* Σ (p1×p2)·p3 at rest, m³; signed */
    double area;           /* m² */
};

struct pressure {
    uint32_t part_count;
    struct part *parts;  /* in the order of their lowest particles */
    uint32_t *particles; /* part by part, ascending in each */
    float *g[3];         /* gradient per particle, padded; then what an iteration moved */
    float *before[3];    /* u as an iteration begins */
    float centre[3];     /* scratch of a tick */
};

/* ---- what there is to hold ---- */

static uint32_t root_of(uint32_t *parent, uint32_t p) {
    while (parent[p] != p) {
        parent[p] = parent[parent[p]];
        p = parent[p];
    }
    return p;
}

/* The lower root becomes that of both, so that a part is named by its lowest particle. */
static void join(uint32_t *parent, uint32_t p, uint32_t q) {
    uint32_t a = root_of(parent, p), b = root_of(parent, q);
    if (a < b)
        parent[b] = a;
    else
        parent[a] = b;
}

static struct vec3 rest_of(const pbd_fabric *fabric, uint32_t particle) {
    return vec3_from(fabric->view.rest_positions + 3 * (size_t)fabric->view.particle_vertex[particle]);
}

/* Triangles as 3 particles each, and per particle the number of its part, UINT32_MAX where
 * it has no triangle. */
struct layout {
    const pbd_fabric *fabric;
    const uint32_t *triangles;
    uint32_t triangle_count;
    uint32_t *part;
    uint32_t part_count;
    struct part *parts;
};

static int find_parts(struct layout *layout) {
    uint32_t n = layout->fabric->particle_count;
    uint32_t *parent = malloc(((size_t)n + 1) * sizeof *parent);
    layout->part = malloc(((size_t)n + 1) * sizeof *layout->part);
    if (parent == NULL || layout->part == NULL) {
        free(parent);
        return PBD_OUT_OF_MEMORY;
    }
    for (uint32_t p = 0; p < n; ++p) {
        parent[p] = p;
        layout->part[p] = UINT32_MAX;
    }
    for (uint32_t t = 0; t < layout->triangle_count; ++t) {
        const uint32_t *corner = layout->triangles + 3 * (size_t)t;
        join(parent, corner[0], corner[1]);
        join(parent, corner[0], corner[2]);
    }
    for (size_t k = 0; k < 3 * (size_t)layout->triangle_count; ++k)
        layout->part[layout->triangles[k]] = 0;
    layout->part_count = 0;
    for (uint32_t p = 0; p < n; ++p) {
        if (layout->part[p] == UINT32_MAX) continue;
        uint32_t root = root_of(parent, p);
        layout->part[p] = root == p ? layout->part_count++ : layout->part[root];
    }
    free(parent);
    layout->parts = calloc((size_t)layout->part_count + 1, sizeof *layout->parts);
    return layout->parts != NULL ? PBD_OK : PBD_OUT_OF_MEMORY;
}

/* Each part's about its first particle. */
static int measure_parts(struct layout *layout) {
    uint32_t n = layout->fabric->particle_count;
    struct vec3 *origin = malloc(((size_t)layout->part_count + 1) * sizeof *origin);
    if (origin == NULL) return PBD_OUT_OF_MEMORY;
    for (uint32_t p = n; p-- > 0;) {
        if (layout->part[p] == UINT32_MAX) continue;
        origin[layout->part[p]] = rest_of(layout->fabric, p);
        ++layout->parts[layout->part[p]].count;
    }
    for (uint32_t t = 0; t < layout->triangle_count; ++t) {
        const uint32_t *corner = layout->triangles + 3 * (size_t)t;
        uint32_t k = layout->part[corner[0]];
        struct vec3 a = vec3_sub(rest_of(layout->fabric, corner[0]), origin[k]);
        struct vec3 b = vec3_sub(rest_of(layout->fabric, corner[1]), origin[k]);
        struct vec3 c = vec3_sub(rest_of(layout->fabric, corner[2]), origin[k]);
        layout->parts[k].rest += vec3_dot(vec3_cross(a, b), c);
        layout->parts[k].area += 0.5 * vec3_length(vec3_cross(vec3_sub(b, a), vec3_sub(c, a)));
    }
    free(origin);
    uint32_t first = 0;
    for (uint32_t k = 0; k < layout->part_count; ++k) {
        layout->parts[k].first = first;
        first += layout->parts[k].count;
    }
    return PBD_OK;
}

static void layout_free(struct layout *layout) {
    free(layout->part);
    free(layout->parts);
}

static bool has_volume(const struct layout *layout) {
    for (uint32_t k = 0; k < layout->part_count; ++k) {
        const struct part *part = &layout->parts[k];
        if (!(__builtin_fabs(part->rest) >= FLATTEST * part->area * math_sqrt(part->area))) return false;
    }
    return true;
}

enum pbd_pressure pbd_fabric_pressure(const pbd_fabric *fabric) {
    const struct pbd_mesh_report *report = &fabric->report;
    if (report->boundary_edges > 0 || report->triangles == 0) return PBD_PRESSURE_OPEN;
    if (!report->closed) return PBD_PRESSURE_NONMANIFOLD;
    if (!report->orientable) return PBD_PRESSURE_ONE_SIDED;
    /* A cloth that is none yet: its surface alone is of interest. */
    struct pbd_cloth bare = {.fabric = (pbd_fabric *)(uintptr_t)fabric};
    enum pbd_pressure answer = PBD_PRESSURE_UNKNOWN;
    struct layout layout = {.fabric = fabric};
    if (surface_require(&bare) == PBD_OK) {
        layout.triangles = bare.surface->triangles;
        layout.triangle_count = bare.surface->triangle_count;
        if (find_parts(&layout) == PBD_OK && measure_parts(&layout) == PBD_OK)
            answer = has_volume(&layout) ? PBD_PRESSURE_HOLDS : PBD_PRESSURE_FLAT;
    }
    layout_free(&layout);
    surface_destroy(&bare);
    return answer;
}

/* ---- memory ---- */

static void list_particles(struct pressure *pressure, const struct layout *layout) {
    for (uint32_t k = 0; k < pressure->part_count; ++k)
        pressure->parts[k].count = 0;
    for (uint32_t p = 0; p < layout->fabric->particle_count; ++p) {
        if (layout->part[p] == UINT32_MAX) continue;
        struct part *part = &pressure->parts[layout->part[p]];
        pressure->particles[part->first + part->count++] = p;
    }
}

static int create(struct pbd_cloth *cloth) {
    if (triangle_set_require(cloth) < 0) return PBD_OUT_OF_MEMORY;
    size_t n = cloth->fabric->padded_count;
    struct layout layout = {.fabric = cloth->fabric,
                            .triangles = cloth->surface->triangles,
                            .triangle_count = cloth->surface->triangle_count};
    struct pressure *made = calloc(1, sizeof *made);
    float *gradient = aligned_floats(6 * n);
    uint32_t *particles = malloc((n + 1) * sizeof *particles);
    if (made == NULL || gradient == NULL || particles == NULL || find_parts(&layout) < 0 ||
        measure_parts(&layout) < 0) {
        free(made);
        free(gradient);
        free(particles);
        layout_free(&layout);
        return PBD_OUT_OF_MEMORY;
    }
    for (size_t k = 0; k < 3; ++k) {
        made->g[k] = gradient + k * n;
        made->before[k] = gradient + (3 + k) * n;
    }
    made->particles = particles;
    made->part_count = layout.part_count;
    made->parts = layout.parts;
    layout.parts = NULL;
    list_particles(made, &layout);
    layout_free(&layout);
    cloth->pressure = made;
    return PBD_OK;
}

int pressure_prepare(struct pbd_cloth *cloth, const struct pbd_cloth_settings *settings) {
    if (settings->pressure < 0.0f || cloth->pressure != NULL) return PBD_OK;
    enum pbd_pressure answer = pbd_fabric_pressure(cloth->fabric);
    if (answer == PBD_PRESSURE_UNKNOWN) return PBD_OUT_OF_MEMORY;
    return answer == PBD_PRESSURE_HOLDS ? create(cloth) : PBD_PRESSURE_REFUSED;
}

void pressure_destroy(struct pbd_cloth *cloth) {
    struct pressure *pressure = cloth->pressure;
    if (pressure == NULL) return;
    free(pressure->parts);
    free(pressure->particles);
    free(pressure->g[0]);
    free(pressure);
    cloth->pressure = NULL;
}

/* ---- through a tick ---- */

uint32_t pressure_count(const pbd_world *world, const struct pbd_cloth *cloth) {
    bool on = cloth->pressure != NULL && !(cloth->settings.pressure < 0.0f) &&
              world->settings.solver.method != PBD_METHOD_JACOBI;
    return on ? cloth->pressure->part_count : 0;
}

void pressure_begin_tick(const pbd_world *world, struct pbd_cloth *cloth) {
    if (pressure_count(world, cloth) == 0) return;
    const struct cloth_state *s = &cloth->state;
    const float *x[3] = {s->x, s->y, s->z};
    uint32_t n = cloth->fabric->particle_count;
    for (int k = 0; k < 3; ++k) {
        double sum = 0.0;
        for (uint32_t p = 0; p < n; ++p)
            sum += (double)x[k][p];
        cloth->pressure->centre[k] = (float)(sum / n);
    }
}

static struct pressure_pass pass_of(const struct pbd_cloth *cloth) {
    const struct cloth_state *s = &cloth->state;
    const struct cloth_scratch *t = &cloth->scratch;
    const struct pressure *pressure = cloth->pressure;
    return (struct pressure_pass){
        .x = {s->x, s->y, s->z},
        .u = {t->ux, t->uy, t->uz},
        .w = s->w,
        .g = {pressure->g[0], pressure->g[1], pressure->g[2]},
        .centre = {pressure->centre[0], pressure->centre[1], pressure->centre[2]},
    };
}

static bool is_held(const struct pbd_cloth *cloth) {
    return cloth->pin_count > 0 || cloth->attachment_count > 0;
}

void pressure_begin_iteration(const pbd_world *world, struct pbd_cloth *cloth) {
    if (pressure_count(world, cloth) == 0 || is_held(cloth)) return;
    const float *u[3] = {cloth->scratch.ux, cloth->scratch.uy, cloth->scratch.uz};
    for (int k = 0; k < 3; ++k)
        memcpy(cloth->pressure->before[k], u[k], cloth->fabric->padded_count * sizeof(float));
}

/* Σ m·x×Δu about the substep's start is what the iteration adds to h·L: its rigid part goes. */
static void take_out_spin(const pbd_world *world, struct pbd_cloth *cloth) {
    const struct pressure *pressure = cloth->pressure;
    const struct kernels *kernels = world->kernels;
    struct pressure_pass pass = pass_of(cloth);
    uint32_t n = cloth->fabric->padded_count;
    for (int k = 0; k < 3; ++k)
        kernels->gust_subtract(pass.u[k], pressure->before[k], pressure->g[k], n);
    struct cloth_state moved = cloth->state;
    moved.vx = pressure->g[0];
    moved.vy = pressure->g[1];
    moved.vz = pressure->g[2];
    struct moments moments = {.reference = {pass.centre[0], pass.centre[1], pass.centre[2]}};
    kernels->integrate_moments(&moved, cloth->fabric->mass, n, (struct kick){.factor = 1.0f}, &moments);
    struct rigid_motion rigid = damping_rigid_motion(&moments, 1.0f);
    kernels->pressure_unspin(&pass, n, &rigid);
}

void pressure_project(const pbd_world *world, struct pbd_cloth *cloth) {
    if (pressure_count(world, cloth) == 0) return;
    const struct pressure *pressure = cloth->pressure;
    const struct kernels *kernels = world->kernels;
    struct pressure_pass pass = pass_of(cloth);
    for (int k = 0; k < 3; ++k)
        memset(pass.g[k], 0, cloth->fabric->padded_count * sizeof(float));
    kernels->pressure_gradient(&pass, cloth->triangles);
    /* Where there is one part all particles will do: those of no triangle have no gradient. */
    bool whole = pressure->part_count == 1;
    for (uint32_t k = 0; k < pressure->part_count; ++k) {
        const struct part *part = &pressure->parts[k];
        const uint32_t *particles = whole ? NULL : pressure->particles + part->first;
        uint32_t count = whole ? cloth->fabric->padded_count : part->count;
        struct pressure_sums sums = kernels->pressure_sum(&pass, particles, count);
        double error = sums.moment / 3.0 - (double)cloth->settings.pressure * part->rest;
        if (!(sums.weight > 0.0)) continue;
        kernels->pressure_apply(&pass, particles, count, (float)(error / sums.weight));
    }
    if (!is_held(cloth)) take_out_spin(world, cloth);
}
