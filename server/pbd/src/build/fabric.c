/* The recipe itself: assembles the kernels' arrays and the views from a finished
 * build, and counts references. */
#include "build/build.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include "build/coloring.h"
#include "build/hinge.h"
#include "build/sort.h"

/* 64-byte aligned and zeroed, count rounded up to FABRIC_PAD; NULL when out of memory. */
static void *aligned_array(size_t count, size_t size) {
    size_t bytes = (count / FABRIC_PAD + 1) * FABRIC_PAD * size;
    bytes = (bytes + 63) / 64 * 64;
    void *memory = aligned_alloc(64, bytes);
    if (memory) memset(memory, 0, bytes);
    return memory;
}

static void *copy_of(const void *from, size_t count, size_t size) {
    void *memory = malloc(count * size + 1);
    if (memory && count > 0) memcpy(memory, from, count * size);
    return memory;
}

static float distance_between(const float *p, const float *q) {
    float x = q[0] - p[0], y = q[1] - p[1], z = q[2] - p[2];
    return math_sqrtf(x * x + y * y + z * z);
}

/* What the solver measures at rest, in the same float operations: differences are exactly 0. */
static float rest_angle(const float *p0, const float *p1, const float *p2, const float *p3) {
    return hinge_angle(p1[0] - p0[0], p1[1] - p0[1], p1[2] - p0[2], p2[0] - p0[0], p2[1] - p0[1],
                       p2[2] - p0[2], p3[0] - p0[0], p3[1] - p0[1], p3[2] - p0[2]);
}

static int assemble_particles(const struct mesh_build *build, struct pbd_fabric *fabric) {
    uint32_t n = build->particle_count, vertices = build->def->vertex_count,
             triangles = build->triangle_count;
    struct pbd_fabric_view *view = &fabric->view;
    uint32_t *vertex_particle = malloc((size_t)vertices * sizeof *vertex_particle);
    uint32_t *particle_vertex = malloc((size_t)n * sizeof *particle_vertex);
    view->vertex_particle = vertex_particle;
    view->particle_vertex = particle_vertex;
    view->triangles = copy_of(build->triangle_vertices, 3 * (size_t)triangles, sizeof(uint32_t));
    view->rest_positions = copy_of(build->rest, 3 * (size_t)vertices, sizeof(float));
    fabric->particle_count = n;
    fabric->padded_count = (n + FABRIC_PAD - 1) / FABRIC_PAD * FABRIC_PAD;
    fabric->mass = aligned_array(n, sizeof(float));
    fabric->inverse_mass = aligned_array(n, sizeof(float));
    if (!vertex_particle || !particle_vertex || !view->triangles || !view->rest_positions || !fabric->mass ||
        !fabric->inverse_mass)
        return PBD_OUT_OF_MEMORY;
    for (uint32_t v = 0; v < vertices; ++v)
        vertex_particle[v] = build->position[build->vertex_particle[v]];
    for (uint32_t p = 0; p < n; ++p) {
        uint32_t at = build->position[p];
        particle_vertex[at] = build->particle_vertex[p];
        fabric->mass[at] = (float)build->mass[p];
        fabric->inverse_mass[at] = build->mass[p] > 0.0 ? 1.0f / (float)build->mass[p] : 0.0f;
    }
    return PBD_OK;
}

/* Where the user's order has no rows: vertices along the base path, those of one particle
 * side by side. Stays NULL where that is the user's own order. */
static int order_payload(const struct mesh_build *build, struct pbd_fabric *fabric) {
    uint32_t count = build->def->vertex_count;
    if (build->def->cols > 0) return PBD_OK;
    uint64_t *keys = malloc((size_t)count * sizeof *keys);
    uint32_t *order = malloc((size_t)count * sizeof *order);
    int result = keys && order ? PBD_OK : PBD_OUT_OF_MEMORY;
    if (result == PBD_OK) {
        for (uint32_t v = 0; v < count; ++v) {
            keys[v] = build->base[build->vertex_particle[v]];
            order[v] = v;
        }
        result = sort_by_key(keys, order, count);
    }
    bool identity = true;
    for (uint32_t i = 0; i < count && result == PBD_OK; ++i)
        identity = identity && order[i] == i;
    free(keys);
    if (result != PBD_OK || identity) {
        free(order);
        return result;
    }
    fabric->view.payload_order = order;
    return PBD_OK;
}

static int assemble_stretch(const struct mesh_build *build, struct pbd_fabric *fabric) {
    struct stretch_set *set = &fabric->stretch;
    uint32_t count = build->edge_count;
    uint32_t *low = malloc((size_t)count * sizeof *low + 1), *high = malloc((size_t)count * sizeof *high + 1);
    struct coloring coloring = {0};
    set->a = aligned_array(count, sizeof *set->a);
    set->b = aligned_array(count, sizeof *set->b);
    set->rest = aligned_array(count, sizeof *set->rest);
    set->edge = aligned_array(count, sizeof *set->edge);
    int result = low && high && set->a && set->b && set->rest && set->edge ? PBD_OK : PBD_OUT_OF_MEMORY;
    if (result == PBD_OK) {
        for (uint32_t e = 0; e < count; ++e) {
            uint32_t a = build->position[build->edge_a[e]], b = build->position[build->edge_b[e]];
            low[e] = math_minu(a, b);
            high[e] = math_maxu(a, b);
        }
        const uint32_t *const particles[4] = {low, high, NULL, NULL};
        result = coloring_create(particles, 2, count, build->particle_count, &coloring);
    }
    if (result == PBD_OK) {
        set->count = count;
        set->color_count = coloring.color_count;
        set->run_count = coloring.run_count;
        set->colors = copy_of(coloring.colors, coloring.color_count, sizeof *set->colors);
        set->runs = malloc((size_t)coloring.run_count * sizeof *set->runs + 1);
        if (!set->colors || !set->runs) result = PBD_OUT_OF_MEMORY;
    }
    if (result == PBD_OK) {
        double sum = 0.0;
        uint32_t in_runs = 0;
        for (uint32_t i = 0; i < count; ++i) {
            uint32_t e = coloring.order[i];
            set->a[i] = low[e];
            set->b[i] = high[e];
            set->rest[i] = distance_between(particle_rest(build, build->edge_a[e]),
                                            particle_rest(build, build->edge_b[e]));
            set->edge[i] = e;
            sum += (double)set->rest[i];
        }
        for (uint32_t r = 0; r < coloring.run_count; ++r) {
            const struct coloring_run *run = &coloring.runs[r];
            set->runs[r] = (struct stretch_run){run->first, run->count, run->p[0], run->p[1]};
            in_runs += run->count;
        }
        fabric->mean_edge = count ? (float)(sum / count) : 0.0f;
        fabric->view.run_fraction = count ? (double)in_runs / count : 0.0;
    }
    coloring_destroy(&coloring);
    free(low);
    free(high);
    return result;
}

static int assemble_bend(const struct mesh_build *build, struct pbd_fabric *fabric) {
    struct bend_set *set = &fabric->bend;
    uint32_t count = build->hinge_count;
    uint32_t *given[4]; /* edge low and high, wings low and high, in final indices */
    struct coloring coloring = {0};
    bool allocated = true;
    for (int k = 0; k < 4; ++k) {
        given[k] = malloc((size_t)count * sizeof *given[k] + 1);
        set->p[k] = aligned_array(count, sizeof *set->p[k]);
        allocated = allocated && given[k] && set->p[k];
    }
    set->rest_angle = aligned_array(count, sizeof(float));
    set->rest_distance = aligned_array(count, sizeof(float));
    int result = allocated && set->rest_angle && set->rest_distance ? PBD_OK : PBD_OUT_OF_MEMORY;
    if (result == PBD_OK) {
        for (uint32_t h = 0; h < count; ++h) {
            uint32_t e = build->hinge_edge[h];
            uint32_t a = build->position[build->edge_a[e]], b = build->position[build->edge_b[e]];
            uint32_t c = build->position[build->wing[0][h]], d = build->position[build->wing[1][h]];
            given[0][h] = math_minu(a, b);
            given[1][h] = math_maxu(a, b);
            given[2][h] = math_minu(c, d);
            given[3][h] = math_maxu(c, d);
        }
        const uint32_t *const particles[4] = {given[0], given[1], given[2], given[3]};
        result = coloring_create(particles, 4, count, build->particle_count, &coloring);
    }
    if (result == PBD_OK) {
        set->count = count;
        set->color_count = coloring.color_count;
        set->run_count = coloring.run_count;
        set->colors = copy_of(coloring.colors, coloring.color_count, sizeof *set->colors);
        set->runs = malloc((size_t)coloring.run_count * sizeof *set->runs + 1);
        if (!set->colors || !set->runs) result = PBD_OUT_OF_MEMORY;
    }
    if (result == PBD_OK) {
        for (uint32_t i = 0; i < count; ++i) {
            const float *x[4];
            for (int k = 0; k < 4; ++k) {
                set->p[k][i] = given[k][coloring.order[i]];
                x[k] = build->rest + 3 * (size_t)fabric->view.particle_vertex[set->p[k][i]];
            }
            set->rest_angle[i] = rest_angle(x[0], x[1], x[2], x[3]);
            set->rest_distance[i] = distance_between(x[2], x[3]);
        }
        for (uint32_t r = 0; r < coloring.run_count; ++r) {
            const struct coloring_run *run = &coloring.runs[r];
            set->runs[r] =
                (struct bend_run){run->first, run->count, {run->p[0], run->p[1], run->p[2], run->p[3]}};
        }
    }
    coloring_destroy(&coloring);
    for (int k = 0; k < 4; ++k)
        free(given[k]);
    return result;
}

static void destroy(struct pbd_fabric *fabric) {
    const struct pbd_fabric_view *view = &fabric->view;
    const void *const owned[] = {
        view->vertex_particle,      view->particle_vertex, view->triangles,      view->rest_positions,
        view->payload_order,        fabric->mass,          fabric->inverse_mass, fabric->stretch.colors,
        fabric->stretch.runs,       fabric->stretch.a,     fabric->stretch.b,    fabric->stretch.rest,
        fabric->stretch.edge,       fabric->bend.colors,   fabric->bend.runs,    fabric->bend.p[0],
        fabric->bend.p[1],          fabric->bend.p[2],     fabric->bend.p[3],    fabric->bend.rest_angle,
        fabric->bend.rest_distance,
    };
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; ++i)
        free((void *)(uintptr_t)owned[i]);
    free_given(&fabric->given);
    free(fabric);
}

int assemble_fabric(const struct mesh_build *build, pbd_fabric **out) {
    struct pbd_fabric *fabric = calloc(1, sizeof *fabric);
    if (!fabric) return PBD_OUT_OF_MEMORY;
    atomic_init(&fabric->refs, 1);
    fabric->report = build->report;
    struct pbd_fabric_view *view = &fabric->view;
    view->vertex_count = build->def->vertex_count;
    view->particle_count = build->particle_count;
    view->triangle_count = build->triangle_count;
    view->edge_count = build->edge_count;
    view->bend_count = build->hinge_count;
    view->cols = build->def->cols;
    for (int k = 0; k < 3; ++k) {
        view->rest_min[k] = (float)build->rest_min[k];
        view->rest_max[k] = (float)build->rest_max[k];
    }
    /* A mesh that is one point has no size of its own. */
    view->rest_diagonal = build->diagonal > 0.0 ? (float)build->diagonal : 1.0f;
    int result = assemble_particles(build, fabric);
    if (result == PBD_OK) result = order_payload(build, fabric);
    if (result == PBD_OK) result = assemble_stretch(build, fabric);
    if (result == PBD_OK) result = assemble_bend(build, fabric);
    if (result == PBD_OK) result = keep_given(build, fabric);
    if (result != PBD_OK) {
        destroy(fabric);
        return result;
    }
    *out = fabric;
    return PBD_OK;
}

pbd_fabric *pbd_fabric_ref(pbd_fabric *fabric) {
    atomic_fetch_add_explicit(&fabric->refs, 1, memory_order_relaxed);
    return fabric;
}

void pbd_fabric_unref(pbd_fabric *fabric) {
    if (!fabric) return;
    uint32_t before = atomic_fetch_sub_explicit(&fabric->refs, 1, memory_order_acq_rel);
    assert(before > 0);
    if (before == 1) destroy(fabric);
}

struct pbd_fabric_view pbd_fabric_get_view(const pbd_fabric *fabric) {
    return fabric->view;
}

void pbd_fabric_edges(const pbd_fabric *fabric, uint32_t *pairs, uint32_t *colors, float *rests) {
    const struct stretch_set *set = &fabric->stretch;
    const uint32_t *vertex = fabric->view.particle_vertex;
    uint32_t color = 0;
    for (uint32_t i = 0; i < set->count; ++i) {
        size_t e = set->edge[i];
        uint32_t a = vertex[set->a[i]], b = vertex[set->b[i]];
        while (i >= set->colors[color].first_single + set->colors[color].single_count)
            ++color;
        if (pairs) pairs[2 * e] = math_minu(a, b);
        if (pairs) pairs[2 * e + 1] = math_maxu(a, b);
        if (colors) colors[e] = color;
        if (rests) rests[e] = set->rest[i];
    }
}

const struct pbd_mesh_report *pbd_fabric_report(const pbd_fabric *fabric) {
    return &fabric->report;
}
