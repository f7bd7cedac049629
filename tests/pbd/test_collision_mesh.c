/* The recipe of a mesh collider: what is refused, what is left out, how features hang
 * together, and which way normals point. */
#include "check.h"
#include "sheet.h"

#include "contact/collision_mesh.h"
#include "solid.h"

static struct pbd_mesh_refusal refusal_of(const struct pbd_collision_mesh_def *def) {
    struct pbd_mesh_refusal refusal = {0};
    pbd_collision_mesh *mesh = NULL;
    CHECK_INT(pbd_collision_mesh_create(def, &mesh, &refusal), PBD_MESH_REFUSED);
    CHECK(mesh == NULL);
    return refusal;
}

static struct pbd_collision_mesh_def triangle_def(const float *positions, const uint32_t *corners) {
    struct pbd_collision_mesh_def def = pbd_default_collision_mesh_def();
    def.positions = positions;
    def.vertex_count = 3;
    def.face_vertices = corners;
    def.face_count = 1;
    return def;
}

static void unusable_meshes_are_refused_with_their_indices(void) {
    const float positions[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    const uint32_t corners[3] = {0, 1, 2};
    struct pbd_collision_mesh_def def = triangle_def(positions, corners);
    def.vertex_count = 0;
    CHECK_INT(refusal_of(&def).cause, PBD_MESH_NO_VERTICES);

    def = triangle_def(positions, corners);
    def.face_count = 0;
    struct pbd_mesh_refusal refusal = refusal_of(&def);
    CHECK_INT(refusal.cause, PBD_MESH_NO_FACES);
    CHECK_STRING(refusal.message, "the mesh has no triangles; a collider needs at least one");

    def = triangle_def(positions, (uint32_t[]){0, 1, 7});
    refusal = refusal_of(&def);
    CHECK_INT(refusal.cause, PBD_MESH_INDEX_RANGE);
    CHECK_INT(refusal.faces[0][2], 7);

    def = triangle_def((float[]){0, 0, 0, 1, NAN, 0, 0, 1, 0}, corners);
    refusal = refusal_of(&def);
    CHECK_INT(refusal.cause, PBD_MESH_NON_FINITE);
    CHECK_INT(refusal.vertex, 1);

    def = triangle_def((float[]){0, 0, 0, 2e6f, 0, 0, 0, 1, 0}, corners);
    CHECK_INT(refusal_of(&def).cause, PBD_MESH_LIMIT);

    def = triangle_def(positions, corners);
    def.max_vertices = 2;
    refusal = refusal_of(&def);
    CHECK_INT(refusal.cause, PBD_MESH_LIMIT);
    CHECK_STRING(refusal.message, "the mesh has 3 vertices; at most 2 are allowed");

    def = triangle_def(positions, corners);
    def.face_sizes = (uint32_t[]){2};
    CHECK_INT(refusal_of(&def).cause, PBD_MESH_BAD_FACE);

    def = triangle_def((float[]){0, 0, 0, 1, 0, 0, 2, 0, 0}, corners);
    refusal = refusal_of(&def);
    CHECK_INT(refusal.cause, PBD_MESH_NO_FACES);
    CHECK_STRING(refusal.message,
                 "the mesh has no triangle with area (1 have none); a collider needs at least one");
}

static void useless_triangles_are_left_out_and_counted(void) {
    const float positions[15] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 2, 0, 0, 0, 0, 0};
    const uint32_t corners[15] = {0, 1, 2, 1, 1, 2, 2, 1, 0, 0, 1, 3, 4, 1, 2};
    struct pbd_collision_mesh_def def = triangle_def(positions, corners);
    def.vertex_count = 5;
    def.face_count = 5;
    pbd_collision_mesh *mesh = NULL;
    CHECK_INT(pbd_collision_mesh_create(&def, &mesh, NULL), PBD_OK);
    struct pbd_collision_mesh_view view = pbd_collision_mesh_get_view(mesh);
    CHECK_INT(view.vertex_count, 5);
    CHECK_INT(view.triangle_count, 1);
    CHECK_INT(view.degenerate, 2);
    CHECK_INT(view.duplicate, 2);
    CHECK_INT(view.welded, 1);
    CHECK(!view.closed);
    CHECK(memcmp(view.triangles, corners, 3 * sizeof *corners) == 0);
    CHECK(memcmp(view.positions, positions, sizeof positions) == 0);
    CHECK_NEAR(view.max[0], 1.0, 0.0);
    pbd_collision_mesh_unref(mesh);
}

static void polygons_are_triangulated(void) {
    const uint32_t sizes[6] = {4, 4, 4, 4, 4, 4};
    const float positions[24] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1};
    const uint32_t corners[24] = {0, 3, 2, 1, 4, 5, 6, 7, 0, 1, 5, 4, 2, 3, 7, 6, 0, 4, 7, 3, 1, 2, 6, 5};
    struct pbd_collision_mesh_def def = pbd_default_collision_mesh_def();
    def.positions = positions;
    def.vertex_count = 8;
    def.face_sizes = sizes;
    def.face_vertices = corners;
    def.face_count = 6;
    pbd_collision_mesh *mesh = NULL;
    CHECK_INT(pbd_collision_mesh_create(&def, &mesh, NULL), PBD_OK);
    CHECK_INT(pbd_collision_mesh_get_view(mesh).triangle_count, 12);
    CHECK(pbd_collision_mesh_get_view(mesh).closed);
    pbd_collision_mesh_unref(mesh);
}

/* Every edge knows its triangles and they know it; every point its edges; owners are unique. */
static void check_neighbours(const pbd_collision_mesh *mesh) {
    uint32_t owned_points = 0, owned_edges = 0;
    for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
        const struct mesh_triangle *triangle = &mesh->triangles[t];
        for (uint32_t k = 0; k < 3; ++k) {
            const struct mesh_edge *edge = &mesh->edges[triangle->edge[k]];
            uint32_t a = triangle->point[k], b = triangle->point[(k + 1) % 3];
            CHECK(edge->point[0] < edge->point[1]);
            CHECK_INT(edge->point[0], a < b ? a : b);
            CHECK_INT(edge->point[1], a < b ? b : a);
            CHECK(edge->triangle[0] == t || edge->triangle[1] == t);
            owned_points += triangle->owns >> k & 1u;
            owned_edges += triangle->owns >> (3 + k) & 1u;
        }
        CHECK_NEAR(vec3_length(triangle->normal), 1.0, 1e-14);
    }
    CHECK_INT(owned_points, mesh->point_count);
    CHECK_INT(owned_edges, mesh->edge_count);
    for (uint32_t p = 0; p < mesh->point_count; ++p)
        for (uint32_t i = mesh->point_edge_start[p]; i < mesh->point_edge_start[p + 1]; ++i) {
            const struct mesh_edge *edge = &mesh->edges[mesh->point_edges[i]];
            CHECK(edge->point[0] == p || edge->point[1] == p);
            if (i > mesh->point_edge_start[p]) CHECK(mesh->point_edges[i - 1] < mesh->point_edges[i]);
        }
    CHECK_INT(mesh->point_edge_start[mesh->point_count], 2 * mesh->edge_count);
}

static void features_know_their_neighbours(void) {
    struct solid box = solid_box(0.5, 0.2, 0.1, 3), ball = solid_ball(1.0, 3), floor = solid_floor(2.0, 5);
    struct solid *solids[3] = {&box, &ball, &floor};
    for (int i = 0; i < 3; ++i) {
        pbd_collision_mesh *mesh = solid_mesh(solids[i]);
        check_neighbours(mesh);
        CHECK(mesh->view.closed == (i < 2));
        if (i < 2) CHECK_INT(mesh->point_count + mesh->triangle_count, mesh->edge_count + 2); /* Euler */
        pbd_collision_mesh_unref(mesh);
        solid_free(solids[i]);
    }
}

/* A ball's normals lead away from its centre, however its triangles were wound. */
static void closed_meshes_are_turned_outward(void) {
    for (int way = 0; way < 3; ++way) {
        struct solid ball = solid_ball(1.0, 4);
        struct random random = {7};
        for (uint32_t t = 0; t < ball.triangle_count; ++t) {
            bool turn = way == 1 || (way == 2 && random_below(&random, 10) < 3);
            uint32_t corner = ball.triangles[3 * t];
            if (turn) ball.triangles[3 * t] = ball.triangles[3 * t + 1];
            if (turn) ball.triangles[3 * t + 1] = corner;
        }
        pbd_collision_mesh *mesh = solid_mesh(&ball);
        for (uint32_t t = 0; t < mesh->triangle_count; ++t)
            CHECK(vec3_dot(mesh->triangles[t].normal, mesh->points[mesh->triangles[t].point[0]]) > 0.7);
        for (uint32_t p = 0; p < mesh->point_count; ++p)
            CHECK(vec3_dot(mesh->point_normals[p], mesh->points[p]) > 0.98);
        for (uint32_t e = 0; e < mesh->edge_count; ++e)
            CHECK(vec3_dot(collision_mesh_edge_normal(mesh, e), mesh->points[mesh->edges[e].point[0]]) > 0.7);
        CHECK_INT(mesh->view.flipped == 0, way == 0);
        pbd_collision_mesh_unref(mesh);
        solid_free(&ball);
    }
}

static void crowded_edges_are_accepted_but_not_closed(void) {
    const float positions[15] = {0, 0, 0, 0, 1, 0, 1, 0, 0, -1, 0, 0, 0, 0, 1};
    const uint32_t corners[9] = {0, 1, 2, 0, 1, 3, 0, 1, 4};
    struct pbd_collision_mesh_def def = triangle_def(positions, corners);
    def.vertex_count = 5;
    def.face_count = 3;
    pbd_collision_mesh *mesh = NULL;
    CHECK_INT(pbd_collision_mesh_create(&def, &mesh, NULL), PBD_OK);
    CHECK(!mesh->view.closed);
    CHECK_INT(mesh->triangle_count, 3);
    CHECK_INT(mesh->edge_count, 7);
    pbd_collision_mesh_unref(mesh);
}

static void references_are_counted(void) {
    struct solid floor = solid_floor(1.0, 1);
    pbd_collision_mesh *mesh = solid_mesh(&floor);
    CHECK(pbd_collision_mesh_ref(mesh) == mesh);
    pbd_collision_mesh_unref(mesh);
    CHECK_INT(pbd_collision_mesh_get_view(mesh).triangle_count, 2); /* the sanitizers see a use after free */
    pbd_collision_mesh_unref(mesh);
    pbd_collision_mesh_unref(NULL);
    solid_free(&floor);
}

RUN_TESTS(TEST(unusable_meshes_are_refused_with_their_indices),
          TEST(useless_triangles_are_left_out_and_counted), TEST(polygons_are_triangulated),
          TEST(features_know_their_neighbours), TEST(closed_meshes_are_turned_outward),
          TEST(crowded_edges_are_accepted_but_not_closed), TEST(references_are_counted))
