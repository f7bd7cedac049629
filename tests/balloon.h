/* Closed cloths for tests: what volume they have, how round they are. */
#ifndef CLOTHD_TESTS_BALLOON_H
#define CLOTHD_TESTS_BALLOON_H

#include <string.h>

#include "sheet.h"
#include "solid.h"

static inline pbd_fabric *solid_fabric(const struct solid *solid, float density) {
    return fabric_from(solid->positions, solid->vertex_count, solid->triangles, solid->triangle_count, NULL,
                       0, NULL, density);
}

/* The vertex on the ball between two others, made once: middle[] has a, b and it. */
struct middles {
    uint32_t count, (*of)[3];
};

static inline uint32_t middle_of(struct solid *ball, double radius, struct middles *middles, uint32_t a,
                                 uint32_t b, bool make) {
    for (uint32_t i = 0; i < middles->count; ++i)
        if ((middles->of[i][0] == a && middles->of[i][1] == b) ||
            (middles->of[i][0] == b && middles->of[i][1] == a))
            return middles->of[i][2];
    if (!make) return UINT32_MAX;
    const float *p = ball->positions + 3 * a, *q = ball->positions + 3 * b;
    double x = (double)p[0] + q[0], y = (double)p[1] + q[1], z = (double)p[2] + q[2];
    double scale = radius / sqrt(x * x + y * y + z * z);
    uint32_t made = solid_vertex(ball, x * scale, y * scale, z * scale);
    uint32_t *entry = middles->of[middles->count++];
    entry[0] = a;
    entry[1] = b;
    entry[2] = made;
    return made;
}

/* Every triangle whose middle is above `level` in four, its neighbours so that they fit. */
static inline void refine_above(struct solid *ball, double radius, double level) {
    uint32_t count = ball->triangle_count, *old = malloc(3 * sizeof *old * count);
    struct middles middles = {0, malloc(3 * sizeof(uint32_t) * 3 * count)};
    memcpy(old, ball->triangles, 3 * sizeof *old * count);
    for (uint32_t t = 0; t < count; ++t) {
        const uint32_t *c = old + 3 * t;
        double y = 0;
        for (int k = 0; k < 3; ++k)
            y += ball->positions[3 * c[k] + 1] / 3.0;
        for (int k = 0; k < 3 && y > level; ++k)
            middle_of(ball, radius, &middles, c[k], c[(k + 1) % 3], true);
    }
    ball->triangle_count = 0;
    for (uint32_t t = 0; t < count; ++t) {
        uint32_t c[3], m[3], split = 0;
        for (int turn = 0; turn < 3; ++turn) { /* until unsplit sides come last */
            split = 0;
            for (int k = 0; k < 3; ++k)
                c[k] = old[3 * t + (uint32_t)(k + turn) % 3];
            for (int k = 0; k < 3; ++k) {
                m[k] = middle_of(ball, radius, &middles, c[k], c[(k + 1) % 3], false);
                split += m[k] != UINT32_MAX;
            }
            bool leads = true;
            for (uint32_t k = 0; k < split; ++k)
                leads = leads && m[k] != UINT32_MAX;
            if (leads) break;
        }
        if (split == 0) solid_triangle(ball, c[0], c[1], c[2]);
        if (split == 1) {
            solid_triangle(ball, c[0], m[0], c[2]);
            solid_triangle(ball, m[0], c[1], c[2]);
        }
        if (split >= 2) {
            solid_triangle(ball, m[0], c[1], m[1]);
            solid_triangle(ball, c[0], m[0], split == 3 ? m[2] : m[1]);
            if (split == 3) solid_triangle(ball, m[0], m[1], m[2]);
            solid_triangle(ball, split == 3 ? m[2] : c[0], m[1], c[2]);
        }
    }
    free(old);
    free(middles.of);
}

/* An icosahedron refined `times` times onto the ball, its upper half once more. */
static inline struct solid half_fine_ball(double radius, uint32_t times) {
    struct solid ball = solid_room(200u << (2 * times), 400u << (2 * times));
    const double g = 0.5 + 0.5 * sqrt(5.0), scale = radius / sqrt(1 + g * g);
    const double corners[12][3] = {{-1, g, 0},  {1, g, 0},  {-1, -g, 0}, {1, -g, 0}, {0, -1, g},  {0, 1, g},
                                   {0, -1, -g}, {0, 1, -g}, {g, 0, -1},  {g, 0, 1},  {-g, 0, -1}, {-g, 0, 1}};
    const uint32_t faces[20][3] = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                                   {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                                   {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                                   {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};
    for (int v = 0; v < 12; ++v)
        solid_vertex(&ball, scale * corners[v][0], scale * corners[v][1], scale * corners[v][2]);
    for (int t = 0; t < 20; ++t)
        solid_triangle(&ball, faces[t][0], faces[t][1], faces[t][2]);
    for (uint32_t i = 0; i < times; ++i)
        refine_above(&ball, radius, -2 * radius);
    refine_above(&ball, radius, 0);
    return ball;
}

/* Volume of triangles first … end−1 where the cloth now is, m³, negative when wound inward. */
static inline double volume_of(const pbd_world *world, pbd_cloth_id id, uint32_t first, uint32_t end) {
    struct pbd_fabric_view view = pbd_fabric_get_view(pbd_cloth_fabric(world, id));
    struct point o = vertex_position(world, id, view.triangles[3 * first]);
    double sum = 0;
    for (uint32_t t = first; t < end; ++t) {
        struct point p[3];
        for (uint32_t k = 0; k < 3; ++k) {
            p[k] = vertex_position(world, id, view.triangles[3 * t + k]);
            p[k].x -= o.x;
            p[k].y -= o.y;
            p[k].z -= o.z;
        }
        sum += (p[0].y * p[1].z - p[0].z * p[1].y) * p[2].x + (p[0].z * p[1].x - p[0].x * p[1].z) * p[2].y +
               (p[0].x * p[1].y - p[0].y * p[1].x) * p[2].z;
    }
    return sum / 6.0;
}

/* The largest |r/mean − 1| over vertices, r from the middle of the surface. */
static inline double out_of_round(const pbd_world *world, pbd_cloth_id id) {
    struct pbd_fabric_view view = pbd_fabric_get_view(pbd_cloth_fabric(world, id));
    double middle[3] = {0}, area = 0, sum = 0, least = 1e9, most = 0;
    for (uint32_t t = 0; t < view.triangle_count; ++t) {
        double p[3][3], e[2][3], n[3], square = 0;
        for (uint32_t k = 0; k < 3; ++k) {
            struct point at = vertex_position(world, id, view.triangles[3 * t + k]);
            p[k][0] = at.x;
            p[k][1] = at.y;
            p[k][2] = at.z;
        }
        for (int k = 0; k < 3; ++k) {
            e[0][k] = p[1][k] - p[0][k];
            e[1][k] = p[2][k] - p[0][k];
        }
        for (int k = 0; k < 3; ++k) {
            n[k] = e[0][(k + 1) % 3] * e[1][(k + 2) % 3] - e[0][(k + 2) % 3] * e[1][(k + 1) % 3];
            square += n[k] * n[k];
        }
        area += sqrt(square);
        for (int k = 0; k < 3; ++k)
            middle[k] += sqrt(square) * (p[0][k] + p[1][k] + p[2][k]) / 3.0;
    }
    for (uint32_t v = 0; v < view.vertex_count; ++v) {
        struct point p = vertex_position(world, id, v);
        double x = p.x - middle[0] / area, y = p.y - middle[1] / area, z = p.z - middle[2] / area;
        double r = sqrt(x * x + y * y + z * z);
        least = fmin(least, r);
        most = fmax(most, r);
        sum += r / view.vertex_count;
    }
    return fmax(most / sum - 1, 1 - least / sum);
}

#endif
