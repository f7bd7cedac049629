/* An independent count of triangle pairs that pass through each other, in double, by
 * trying all pairs whose boxes overlap (sorted along x). Two triangles that share a corner
 * count when an edge that does not end there passes through. */
#ifndef CLOTHD_TESTS_CROSSINGS_H
#define CLOTHD_TESTS_CROSSINGS_H

#include "sheet.h"

#include <math.h>

struct crossing_triangle {
    double p[3][3], low[3], high[3];
    uint32_t corner[3]; /* particle, plus an offset per cloth */
};

/* 6 × the volume of the tetrahedron a b c d. */
static inline double crossing_volume(const double a[3], const double b[3], const double c[3],
                                     const double d[3]) {
    double u[3], v[3], w[3];
    for (int k = 0; k < 3; ++k) {
        u[k] = b[k] - a[k];
        v[k] = c[k] - a[k];
        w[k] = d[k] - a[k];
    }
    return u[0] * (v[1] * w[2] - v[2] * w[1]) - u[1] * (v[0] * w[2] - v[2] * w[0]) +
           u[2] * (v[0] * w[1] - v[1] * w[0]);
}

/* Whether the edge p q has its ends on both sides of t and passes between t's corners. */
static inline bool crossing_edge(const double p[3], const double q[3], const double t[3][3]) {
    double a = crossing_volume(t[0], t[1], t[2], p), b = crossing_volume(t[0], t[1], t[2], q);
    if (!(a * b < 0.0)) return false;
    double x = crossing_volume(p, q, t[0], t[1]), y = crossing_volume(p, q, t[1], t[2]),
           z = crossing_volume(p, q, t[2], t[0]);
    return (x > 0.0 && y > 0.0 && z > 0.0) || (x < 0.0 && y < 0.0 && z < 0.0);
}

static inline bool crossing_one_way(const struct crossing_triangle *a, const struct crossing_triangle *b) {
    for (int k = 0; k < 3; ++k) {
        int next = (k + 1) % 3;
        bool shared = false;
        for (int i = 0; i < 3; ++i)
            shared = shared || b->corner[i] == a->corner[k] || b->corner[i] == a->corner[next];
        if (!shared && crossing_edge(a->p[k], a->p[next], b->p)) return true;
    }
    return false;
}

static inline int crossing_by_low(const void *a, const void *b) {
    double x = ((const struct crossing_triangle *)a)->low[0],
           y = ((const struct crossing_triangle *)b)->low[0];
    return x < y ? -1 : x > y;
}

static inline uint32_t crossing_count(struct crossing_triangle *triangles, uint32_t count) {
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; ++i)
        for (int k = 0; k < 3; ++k) {
            struct crossing_triangle *t = &triangles[i];
            t->low[k] = fmin(fmin(t->p[0][k], t->p[1][k]), t->p[2][k]);
            t->high[k] = fmax(fmax(t->p[0][k], t->p[1][k]), t->p[2][k]);
        }
    qsort(triangles, count, sizeof *triangles, crossing_by_low);
    for (uint32_t i = 0; i < count; ++i)
        for (uint32_t j = i + 1; j < count && triangles[j].low[0] <= triangles[i].high[0]; ++j) {
            const struct crossing_triangle *a = &triangles[i], *b = &triangles[j];
            if (a->low[1] > b->high[1] || b->low[1] > a->high[1] || a->low[2] > b->high[2] ||
                b->low[2] > a->high[2])
                continue;
            if (crossing_one_way(a, b) || crossing_one_way(b, a)) ++found;
        }
    return found;
}

/* Of all triangles of these cloths. */
static inline uint32_t crossings_of(const pbd_world *world, const pbd_cloth_id *ids, uint32_t id_count) {
    uint32_t total = 0, filled = 0, offset = 0;
    for (uint32_t c = 0; c < id_count; ++c)
        total += pbd_fabric_get_view(pbd_cloth_fabric(world, ids[c])).triangle_count;
    struct crossing_triangle *triangles = malloc((total + 1) * sizeof *triangles);
    assert(triangles != NULL);
    for (uint32_t c = 0; c < id_count; ++c) {
        struct pbd_fabric_view fabric = pbd_fabric_get_view(pbd_cloth_fabric(world, ids[c]));
        struct pbd_cloth_view view;
        int result = pbd_cloth_get_view(world, ids[c], &view);
        assert(result == PBD_OK);
        for (uint32_t t = 0; t < fabric.triangle_count; ++t, ++filled)
            for (int k = 0; k < 3; ++k) {
                uint32_t p = fabric.vertex_particle[fabric.triangles[3 * t + (uint32_t)k]];
                triangles[filled].corner[k] = offset + p;
                triangles[filled].p[k][0] = (double)view.x[p];
                triangles[filled].p[k][1] = (double)view.y[p];
                triangles[filled].p[k][2] = (double)view.z[p];
            }
        offset += view.particle_count;
    }
    uint32_t found = crossing_count(triangles, filled);
    free(triangles);
    return found;
}

#endif
