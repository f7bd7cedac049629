/* Makers of test meshes, and what imports them. */
#include "support_mesh.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "math/elementary.h"

static struct mesh create(uint32_t vertex_count, uint32_t triangle_room) {
    struct mesh mesh = {.positions = calloc(3 * (size_t)vertex_count, sizeof(float)),
                        .vertex_count = vertex_count,
                        .triangles = calloc(6 * (size_t)triangle_room + 3 * 64, sizeof(uint32_t))};
    if (!mesh.positions || !mesh.triangles) abort();
    return mesh;
}

static void set(struct mesh *mesh, uint32_t v, double x, double y, double z) {
    mesh->positions[3 * (size_t)v] = (float)x;
    mesh->positions[3 * (size_t)v + 1] = (float)y;
    mesh->positions[3 * (size_t)v + 2] = (float)z;
}

void mesh_add_triangle(struct mesh *mesh, uint32_t a, uint32_t b, uint32_t c) {
    uint32_t *corner = mesh->triangles + 3 * (size_t)mesh->triangle_count++;
    corner[0] = a;
    corner[1] = b;
    corner[2] = c;
}

void mesh_free(struct mesh *mesh) {
    free(mesh->positions);
    free(mesh->triangles);
    *mesh = (struct mesh){0};
}

struct mesh mesh_grid(uint32_t nx, uint32_t ny, float width, float height, bool alternate) {
    struct mesh mesh = create(nx * ny, 2 * (nx - 1) * (ny - 1));
    mesh.cols = nx;
    for (uint32_t j = 0; j < ny; ++j) {
        for (uint32_t i = 0; i < nx; ++i) {
            uint32_t v = j * nx + i;
            set(&mesh, v, (double)width * ((double)i / (nx - 1) - 0.5), 0.0,
                (double)height * ((double)j / (ny - 1) - 0.5));
            if (i + 1 == nx || j + 1 == ny) continue;
            if (!alternate || (i + j) % 2 == 0) {
                mesh_add_triangle(&mesh, v, v + nx, v + nx + 1);
                mesh_add_triangle(&mesh, v, v + nx + 1, v + 1);
            } else {
                mesh_add_triangle(&mesh, v, v + nx, v + 1);
                mesh_add_triangle(&mesh, v + 1, v + nx, v + nx + 1);
            }
        }
    }
    return mesh;
}

struct mesh mesh_shuffled(const struct mesh *mesh, uint32_t seed) {
    struct mesh shuffled = create(mesh->vertex_count, mesh->triangle_count);
    uint32_t *place = calloc(mesh->vertex_count, sizeof *place);
    if (!place) abort();
    for (uint32_t v = 0; v < mesh->vertex_count; ++v)
        place[v] = v;
    for (uint32_t v = mesh->vertex_count - 1; v > 0; --v) {
        seed = seed * 1664525u + 1013904223u;
        uint32_t other = (uint32_t)((uint64_t)seed * (v + 1) >> 32), swap = place[v];
        place[v] = place[other];
        place[other] = swap;
    }
    for (uint32_t v = 0; v < mesh->vertex_count; ++v)
        memcpy(shuffled.positions + 3 * (size_t)place[v], mesh->positions + 3 * (size_t)v, 3 * sizeof(float));
    for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
        const uint32_t *corner = mesh->triangles + 3 * (size_t)t;
        mesh_add_triangle(&shuffled, place[corner[0]], place[corner[1]], place[corner[2]]);
    }
    free(place);
    return shuffled;
}

struct mesh mesh_tube(uint32_t around, uint32_t along, bool seam) {
    uint32_t columns = around + seam;
    struct mesh mesh = create(columns * (along + 1), 2 * around * along);
    for (uint32_t j = 0; j <= along; ++j) {
        for (uint32_t i = 0; i < columns; ++i) {
            double angle = 6.283185307179586 * (i % around) / around;
            set(&mesh, j * columns + i, math_cos(angle), 0.2 * j, math_sin(angle));
            if (i >= around || j == along) continue;
            uint32_t a = j * columns + i, b = j * columns + (i + 1) % columns;
            mesh_add_triangle(&mesh, a, a + columns, b + columns);
            mesh_add_triangle(&mesh, a, b + columns, b);
        }
    }
    return mesh;
}

struct mesh mesh_moebius(uint32_t length, uint32_t width) {
    struct mesh mesh = create(length * width, 2 * length * (width - 1));
    for (uint32_t i = 0; i < length; ++i) {
        double angle = 6.283185307179586 * i / length;
        for (uint32_t j = 0; j < width; ++j) {
            double across = 0.5 * ((double)j / (width - 1) - 0.5);
            double radius = 1.0 + across * math_cos(0.5 * angle);
            set(&mesh, i * width + j, radius * math_cos(angle), across * math_sin(0.5 * angle),
                radius * math_sin(angle));
            if (j + 1 == width) continue;
            bool last = i + 1 == length; /* the far end meets column 0 upside down */
            uint32_t a = i * width + j, b = a + 1;
            uint32_t c = last ? width - 1 - j : a + width, d = last ? width - 2 - j : b + width;
            mesh_add_triangle(&mesh, a, c, d);
            mesh_add_triangle(&mesh, a, d, b);
        }
    }
    return mesh;
}

struct pbd_mesh_def mesh_def(const struct mesh *mesh) {
    struct pbd_mesh_def def = pbd_default_mesh_def();
    def.positions = mesh->positions;
    def.vertex_count = mesh->vertex_count;
    def.face_vertices = mesh->triangles;
    def.face_count = mesh->triangle_count;
    def.cols = mesh->cols;
    return def;
}

pbd_fabric *mesh_import(const struct pbd_mesh_def *def) {
    pbd_fabric *fabric = NULL;
    struct pbd_mesh_refusal refusal = {0};
    int result = pbd_mesh_import(def, &fabric, &refusal);
    if (result != PBD_OK) {
        printf("import gave %d, cause %s: %s\n", result, pbd_mesh_cause_name(refusal.cause), refusal.message);
        exit(1);
    }
    return fabric;
}

pbd_fabric *mesh_into_fabric(struct mesh mesh) {
    struct pbd_mesh_def def = mesh_def(&mesh);
    pbd_fabric *fabric = mesh_import(&def);
    mesh_free(&mesh);
    return fabric;
}

struct pbd_mesh_refusal mesh_refusal(const struct pbd_mesh_def *def) {
    pbd_fabric *fabric = NULL;
    struct pbd_mesh_refusal refusal = {0};
    int result = pbd_mesh_import(def, &fabric, &refusal);
    if (result != PBD_MESH_REFUSED || fabric != NULL || refusal.message[0] == '\0') {
        printf("import gave %d where a refusal was due\n", result);
        exit(1);
    }
    return refusal;
}

static bool same(const void *a, const void *b, size_t count, size_t size) {
    return count == 0 || memcmp(a, b, count * size) == 0;
}

bool fabrics_equal(const pbd_fabric *a, const pbd_fabric *b) {
    const struct stretch_set *s = &a->stretch, *t = &b->stretch;
    const struct bend_set *u = &a->bend, *v = &b->bend;
    bool equal = a->particle_count == b->particle_count && s->count == t->count && u->count == v->count &&
                 s->run_count == t->run_count && u->run_count == v->run_count &&
                 s->color_count == t->color_count && u->color_count == v->color_count &&
                 a->view.vertex_count == b->view.vertex_count;
    if (!equal) return false;
    for (int k = 0; k < 4; ++k)
        equal = equal && same(u->p[k], v->p[k], u->count, sizeof(uint32_t));
    return equal && same(a->mass, b->mass, a->padded_count, sizeof(float)) &&
           same(a->inverse_mass, b->inverse_mass, a->padded_count, sizeof(float)) &&
           same(a->view.vertex_particle, b->view.vertex_particle, a->view.vertex_count, sizeof(uint32_t)) &&
           same(s->a, t->a, s->count, sizeof(uint32_t)) && same(s->b, t->b, s->count, sizeof(uint32_t)) &&
           same(s->rest, t->rest, s->count, sizeof(float)) &&
           same(s->edge, t->edge, s->count, sizeof(uint32_t)) &&
           same(s->colors, t->colors, s->color_count, sizeof *s->colors) &&
           same(s->runs, t->runs, s->run_count, sizeof *s->runs) &&
           same(u->colors, v->colors, u->color_count, sizeof *u->colors) &&
           same(u->runs, v->runs, u->run_count, sizeof *u->runs) &&
           same(u->rest_angle, v->rest_angle, u->count, sizeof(float)) &&
           same(u->rest_distance, v->rest_distance, u->count, sizeof(float));
}
