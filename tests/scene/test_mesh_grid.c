/* The grid: where its vertices are and how its cells are cut. */
#include "check.h"

#include <scene/mesh_grid.h>

static void vertices_are_where_the_formula_says(void) {
    struct mesh_data mesh;
    CHECK_INT(mesh_grid_create(4, 3, 3.0, 1.0, false, &mesh), PBD_OK);
    CHECK_INT(mesh.vertex_count, 12);
    CHECK_INT(mesh.cols, 4);
    for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 4; ++i) {
            const float *p = mesh.positions + 3 * (4 * j + i);
            CHECK(p[0] == (float)(3.0 * (i / 3.0 - 0.5)));
            CHECK(p[1] == 0.0f);
            CHECK(p[2] == (float)(1.0 * (j / 2.0 - 0.5)));
        }
    mesh_data_free(&mesh);
}

/* Twice the triangle's area as seen from above; > 0 when it faces +y. */
static double facing(const struct mesh_data *mesh, uint32_t triangle) {
    const uint32_t *c = mesh->face_vertices + 3 * triangle;
    const float *a = mesh->positions + 3 * c[0], *b = mesh->positions + 3 * c[1],
                *d = mesh->positions + 3 * c[2];
    double bx = (double)(b[0] - a[0]), bz = (double)(b[2] - a[2]), dx = (double)(d[0] - a[0]),
           dz = (double)(d[2] - a[2]);
    return bz * dx - bx * dz;
}

static void every_triangle_faces_up_and_covers_half_a_cell(void) {
    for (int alternate = 0; alternate < 2; ++alternate) {
        struct mesh_data mesh;
        CHECK_INT(mesh_grid_create(5, 4, 4.0, 3.0, alternate != 0, &mesh), PBD_OK);
        CHECK_INT(mesh.face_count, 2 * 4 * 3);
        for (uint32_t t = 0; t < mesh.face_count; ++t)
            CHECK_NEAR(facing(&mesh, t), 1.0, 1e-6);
        mesh_data_free(&mesh);
    }
}

static bool has_edge(const struct mesh_data *mesh, uint32_t cell, uint32_t a, uint32_t b) {
    for (uint32_t t = 2 * cell; t < 2 * cell + 2; ++t) {
        bool from = false, to = false;
        for (int k = 0; k < 3; ++k) {
            from = from || mesh->face_vertices[3 * t + (uint32_t)k] == a;
            to = to || mesh->face_vertices[3 * t + (uint32_t)k] == b;
        }
        if (!from || !to) return false;
    }
    return true;
}

static void diagonals_go_forward_or_alternate(void) {
    struct mesh_data mesh;
    CHECK_INT(mesh_grid_create(3, 3, 1.0, 1.0, false, &mesh), PBD_OK);
    /* Both triangles of a cell share its diagonal. */
    CHECK(has_edge(&mesh, 0, 0, 4));
    CHECK(has_edge(&mesh, 1, 1, 5));
    CHECK(has_edge(&mesh, 3, 4, 8));
    mesh_data_free(&mesh);
    CHECK_INT(mesh_grid_create(3, 3, 1.0, 1.0, true, &mesh), PBD_OK);
    CHECK(has_edge(&mesh, 0, 0, 4));
    CHECK(has_edge(&mesh, 1, 2, 4));
    CHECK(has_edge(&mesh, 2, 4, 6));
    CHECK(has_edge(&mesh, 3, 4, 8));
    mesh_data_free(&mesh);
}

RUN_TESTS(TEST(vertices_are_where_the_formula_says), TEST(every_triangle_faces_up_and_covers_half_a_cell),
          TEST(diagonals_go_forward_or_alternate))
