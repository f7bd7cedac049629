/* Meshes to collide with: boxes, balls, floors, tubes and valleys, made by the tests. */
#ifndef CLOTHD_TESTS_SOLID_H
#define CLOTHD_TESTS_SOLID_H

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <pbd/collision_mesh.h>

struct solid {
    uint32_t vertex_count, triangle_count;
    float *positions;
    uint32_t *triangles;
};

static inline struct solid solid_room(size_t vertices, size_t triangles) {
    struct solid solid = {0, 0, malloc(3 * vertices * sizeof(float)),
                          malloc(3 * triangles * sizeof(uint32_t))};
    assert(solid.positions != NULL && solid.triangles != NULL);
    return solid;
}

static inline uint32_t solid_vertex(struct solid *solid, double x, double y, double z) {
    float *p = solid->positions + 3 * (size_t)solid->vertex_count;
    p[0] = (float)x;
    p[1] = (float)y;
    p[2] = (float)z;
    return solid->vertex_count++;
}

static inline void solid_triangle(struct solid *solid, uint32_t a, uint32_t b, uint32_t c) {
    uint32_t *t = solid->triangles + 3 * (size_t)solid->triangle_count++;
    t[0] = a;
    t[1] = b;
    t[2] = c;
}

/* A grid of cells×cells quads: corner + u·i/cells + v·j/cells, normal u×v. */
static inline void solid_patch(struct solid *solid, const double corner[3], const double u[3],
                               const double v[3], uint32_t cells) {
    uint32_t first = solid->vertex_count, row = cells + 1;
    for (uint32_t j = 0; j <= cells; ++j)
        for (uint32_t i = 0; i <= cells; ++i) {
            double s = (double)i / cells, t = (double)j / cells;
            solid_vertex(solid, corner[0] + s * u[0] + t * v[0], corner[1] + s * u[1] + t * v[1],
                         corner[2] + s * u[2] + t * v[2]);
        }
    for (uint32_t j = 0; j < cells; ++j)
        for (uint32_t i = 0; i < cells; ++i) {
            uint32_t a = first + j * row + i;
            solid_triangle(solid, a, a + 1, a + row + 1);
            solid_triangle(solid, a, a + row + 1, a + row);
        }
}

/* The square of side `size` at y = 0, normal up; cells = 1: two triangles. */
static inline struct solid solid_floor(double size, uint32_t cells) {
    struct solid solid = solid_room((size_t)(cells + 1) * (cells + 1), 2 * (size_t)cells * cells);
    double half = 0.5 * size;
    solid_patch(&solid, (double[]){-half, 0, half}, (double[]){size, 0, 0}, (double[]){0, 0, -size}, cells);
    return solid;
}

/* Two slopes that meet at y = 0 along z, `rise` high at ±width/2. */
static inline struct solid solid_valley(double width, double rise, double length, uint32_t cells) {
    struct solid solid = solid_room(2 * (size_t)(cells + 1) * (cells + 1), 4 * (size_t)cells * cells);
    double half = 0.5 * width;
    for (int side = -1; side <= 1; side += 2)
        solid_patch(&solid, (double[]){side < 0 ? -half : 0, side < 0 ? rise : 0, 0.5 * length},
                    (double[]){half, side * rise, 0}, (double[]){0, 0, -length}, cells);
    return solid;
}

/* Six patches, whose seams the gate welds. */
static inline struct solid solid_box(double x, double y, double z, uint32_t cells) {
    struct solid solid = solid_room(6 * (size_t)(cells + 1) * (cells + 1), 12 * (size_t)cells * cells);
    const double h[3] = {x, y, z};
    for (int axis = 0; axis < 3; ++axis)
        for (int side = -1; side <= 1; side += 2) {
            int a = (axis + 1) % 3, b = (axis + 2) % 3;
            double corner[3], u[3] = {0, 0, 0}, v[3] = {0, 0, 0};
            corner[axis] = side * h[axis];
            corner[a] = -h[a];
            corner[b] = -h[b];
            u[side > 0 ? a : b] = 2 * h[side > 0 ? a : b];
            v[side > 0 ? b : a] = 2 * h[side > 0 ? b : a];
            solid_patch(&solid, corner, u, v, cells);
        }
    return solid;
}

/* A cube's faces blown up to a ball: 12·cells² triangles. */
static inline struct solid solid_ball(double radius, uint32_t cells) {
    struct solid solid = solid_box(1, 1, 1, cells);
    for (uint32_t i = 0; i < solid.vertex_count; ++i) {
        float *p = solid.positions + 3 * (size_t)i;
        double x = (double)p[0], y = (double)p[1], z = (double)p[2], r = radius / sqrt(x * x + y * y + z * z);
        p[0] = (float)(x * r);
        p[1] = (float)(y * r);
        p[2] = (float)(z * r);
    }
    return solid;
}

/* The wall of a tube around z, without ends; `ribs` of its `around` columns reach inward by rib. */
static inline struct solid solid_tube(double radius, double length, uint32_t around, uint32_t along,
                                      uint32_t ribs, double rib) {
    struct solid solid = solid_room((size_t)around * (along + 1), 2 * (size_t)around * along);
    uint32_t every = ribs > 0 ? around / ribs : around + 1;
    for (uint32_t j = 0; j <= along; ++j)
        for (uint32_t i = 0; i < around; ++i) {
            double angle = 2 * acos(-1.0) * i / around,
                   r = ribs > 0 && i % every == 0 ? radius - rib : radius;
            solid_vertex(&solid, r * cos(angle), r * sin(angle), length * ((double)j / along - 0.5));
        }
    for (uint32_t j = 0; j < along; ++j)
        for (uint32_t i = 0; i < around; ++i) {
            uint32_t a = j * around + i, b = j * around + (i + 1) % around;
            solid_triangle(&solid, a, b + around, b);
            solid_triangle(&solid, a, a + around, b + around);
        }
    return solid;
}

static inline void solid_free(struct solid *solid) {
    free(solid->positions);
    free(solid->triangles);
}

static inline pbd_collision_mesh *solid_mesh(const struct solid *solid) {
    struct pbd_collision_mesh_def def = pbd_default_collision_mesh_def();
    def.positions = solid->positions;
    def.vertex_count = solid->vertex_count;
    def.face_vertices = solid->triangles;
    def.face_count = solid->triangle_count;
    pbd_collision_mesh *mesh = NULL;
    struct pbd_mesh_refusal refusal = {0};
    int result = pbd_collision_mesh_create(&def, &mesh, &refusal);
    if (result != PBD_OK) printf("refused: %s\n", refusal.message);
    assert(result == PBD_OK);
    return mesh;
}

#endif
