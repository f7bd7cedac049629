/* Sorting triangles into runs, and sharing out the particles' masses among them. */
#include "solve/triangle_set.h"

#include "build/sort.h"
#include "contact/surface.h"
#include "world/world_internal.h"

#include <stdlib.h>
#include <string.h>

/* Shorter ones are singles: they would fill no vector. */
#define RUN_LEAST 8u

struct corners {
    uint32_t a, b, c;
};

/* The triangle from its lowest particle on, with its winding. */
static struct corners corners_of(const uint32_t *triangle) {
    uint32_t p = triangle[0], q = triangle[1], r = triangle[2];
    if (p < q && p < r) return (struct corners){p, q, r};
    if (q < r) return (struct corners){q, r, p};
    return (struct corners){r, p, q};
}

static bool follows(struct corners next, struct corners before) {
    return next.a == before.a + 1 && next.b == before.b + 1 && next.c == before.c + 1;
}

/* By the offsets of b and c from a, then by a. */
static int sort_corners(struct corners *corners, uint32_t count) {
    uint64_t *keys = malloc(((size_t)count + 1) * sizeof *keys);
    uint32_t *order = malloc(((size_t)count + 1) * sizeof *order);
    struct corners *sorted = malloc(((size_t)count + 1) * sizeof *sorted);
    int result = keys != NULL && order != NULL && sorted != NULL ? PBD_OK : PBD_OUT_OF_MEMORY;
    for (int round = 0; round < 2 && result == PBD_OK; ++round) {
        for (uint32_t t = 0; t < count; ++t) {
            const struct corners *at = &corners[t];
            keys[t] = round == 0 ? at->a : (uint64_t)(at->b - at->a) << 32 | (at->c - at->a);
            order[t] = t;
        }
        result = sort_by_key(keys, order, count);
        for (uint32_t t = 0; t < count && result == PBD_OK; ++t)
            sorted[t] = corners[order[t]];
        if (result == PBD_OK) memcpy(corners, sorted, count * sizeof *corners);
    }
    free(keys);
    free(order);
    free(sorted);
    return result;
}

static uint32_t run_length(const struct corners *corners, uint32_t from, uint32_t count) {
    uint32_t length = 1;
    while (from + length < count && follows(corners[from + length], corners[from + length - 1]))
        ++length;
    return length;
}

static void put(struct triangle_set *set, uint32_t at, struct corners corners) {
    set->a[at] = corners.a;
    set->b[at] = corners.b;
    set->c[at] = corners.c;
}

/* Runs first, then the singles, each in sorted order. */
static void deal(struct triangle_set *set, const struct corners *corners) {
    uint32_t at = 0;
    for (int singles = 0; singles < 2; ++singles) {
        if (singles) set->first_single = at;
        for (uint32_t t = 0; t < set->count;) {
            uint32_t length = run_length(corners, t, set->count);
            bool single = length < RUN_LEAST;
            if (!single && !singles)
                set->runs[set->run_count++] =
                    (struct triangle_run){at, length, corners[t].a, corners[t].b, corners[t].c};
            for (uint32_t k = 0; k < length; ++k)
                if (single == (singles == 1)) put(set, at++, corners[t + k]);
            t += length;
        }
    }
}

static double area_of(const pbd_fabric *fabric, const uint32_t particles[3]) {
    const float *p[3];
    for (int k = 0; k < 3; ++k)
        p[k] = fabric->view.rest_positions + 3 * (size_t)fabric->view.particle_vertex[particles[k]];
    struct vec3 corner = vec3_from(p[0]);
    return 0.5 *
           vec3_length(vec3_cross(vec3_sub(vec3_from(p[1]), corner), vec3_sub(vec3_from(p[2]), corner)));
}

/* A particle's mass is shared by area among the triangles at it. */
static int share_masses(const pbd_fabric *fabric, struct triangle_set *set) {
    double *area = calloc((size_t)fabric->padded_count + 1, sizeof *area);
    if (area == NULL) return PBD_OUT_OF_MEMORY;
    for (uint32_t t = 0; t < set->count; ++t) {
        const uint32_t corners[3] = {set->a[t], set->b[t], set->c[t]};
        double own = area_of(fabric, corners);
        for (int k = 0; k < 3; ++k)
            area[corners[k]] += own;
    }
    for (uint32_t t = 0; t < set->count; ++t) {
        const uint32_t corners[3] = {set->a[t], set->b[t], set->c[t]};
        double own = area_of(fabric, corners), least = HUGE_VAL;
        for (int k = 0; k < 3; ++k) {
            double share = (double)fabric->mass[corners[k]] * own / area[corners[k]];
            least = share < least ? share : least;
        }
        set->inverse_mass[t] = least > 0.0 ? (float)(1.0 / (3.0 * least)) : 0.0f;
    }
    free(area);
    return PBD_OK;
}

static int fill(struct triangle_set *set, const struct cloth_surface *surface, const pbd_fabric *fabric) {
    struct corners *corners = malloc(((size_t)set->count + 1) * sizeof *corners);
    if (corners == NULL) return PBD_OUT_OF_MEMORY;
    for (uint32_t t = 0; t < set->count; ++t)
        corners[t] = corners_of(surface->triangles + 3 * (size_t)t);
    int result = sort_corners(corners, set->count);
    if (result == PBD_OK) {
        deal(set, corners);
        result = share_masses(fabric, set);
    }
    free(corners);
    return result;
}

int triangle_set_require(struct pbd_cloth *cloth) {
    if (cloth->triangles != NULL) return PBD_OK;
    if (surface_require(cloth) < 0) return PBD_OUT_OF_MEMORY;
    uint32_t count = cloth->surface->triangle_count;
    struct triangle_set *set = calloc(1, sizeof *set);
    if (set == NULL) return PBD_OUT_OF_MEMORY;
    cloth->triangles = set;
    set->count = count;
    set->runs = malloc((count / RUN_LEAST + 1) * sizeof *set->runs);
    set->a = malloc(((size_t)count + 1) * sizeof *set->a);
    set->b = malloc(((size_t)count + 1) * sizeof *set->b);
    set->c = malloc(((size_t)count + 1) * sizeof *set->c);
    set->inverse_mass = malloc(((size_t)count + 1) * sizeof *set->inverse_mass);
    bool allocated =
        set->runs != NULL && set->a != NULL && set->b != NULL && set->c != NULL && set->inverse_mass != NULL;
    if (allocated && fill(set, cloth->surface, cloth->fabric) == PBD_OK) return PBD_OK;
    triangle_set_destroy(cloth);
    return PBD_OUT_OF_MEMORY;
}

void triangle_set_destroy(struct pbd_cloth *cloth) {
    struct triangle_set *set = cloth->triangles;
    if (set == NULL) return;
    free(set->runs);
    free(set->a);
    free(set->b);
    free(set->c);
    free(set->inverse_mass);
    free(set);
    cloth->triangles = NULL;
}
