/* Unusable meshes are refused with the user's indices and a sentence. */
#include "check.h"
#include "support_mesh.h"

static const float SQUARE[] = {0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1};
static const uint32_t TWO_TRIANGLES[] = {0, 1, 2, 0, 2, 3};

static struct pbd_mesh_def square(void) {
    struct pbd_mesh_def def = pbd_default_mesh_def();
    def.positions = SQUARE;
    def.vertex_count = 4;
    def.face_vertices = TWO_TRIANGLES;
    def.face_count = 2;
    return def;
}

static void counts_are_checked_first(void) {
    struct pbd_mesh_def def = square();
    def.vertex_count = 0;
    CHECK_INT(mesh_refusal(&def).cause, PBD_MESH_NO_VERTICES);
    def = square();
    def.face_count = 0;
    CHECK_INT(mesh_refusal(&def).cause, PBD_MESH_NO_FACES);
    def = square();
    def.max_vertices = 3;
    struct pbd_mesh_refusal refusal = mesh_refusal(&def);
    CHECK_INT(refusal.cause, PBD_MESH_LIMIT);
    CHECK_STRING(refusal.message, "the mesh has 4 vertices; at most 3 are allowed");
}

static void coordinates_must_be_finite_and_within_the_limit(void) {
    const float bad[] = {NAN, INFINITY, -INFINITY, 1.5e6f, -1.0001e6f};
    for (int i = 0; i < 5; ++i) {
        float positions[12];
        memcpy(positions, SQUARE, sizeof positions);
        positions[7] = bad[i];
        struct pbd_mesh_def def = square();
        def.positions = positions;
        struct pbd_mesh_refusal refusal = mesh_refusal(&def);
        CHECK_INT(refusal.cause, i < 3 ? PBD_MESH_NON_FINITE : PBD_MESH_LIMIT);
        CHECK_INT(refusal.vertex, 2);
        CHECK(strstr(refusal.message, "vertex 2") != NULL);
        def.positions = SQUARE;
        def.rest_positions = positions;
        refusal = mesh_refusal(&def);
        CHECK_INT(refusal.vertex, 2);
        CHECK(strstr(refusal.message, "rest position") != NULL);
    }
}

static void largest_coordinate_is_allowed(void) {
    float positions[12];
    for (int i = 0; i < 12; ++i)
        positions[i] = 2e6f * SQUARE[i] - 1e6f;
    struct pbd_mesh_def def = square();
    def.positions = positions;
    pbd_fabric *fabric = mesh_import(&def);
    CHECK_INT(pbd_fabric_report(fabric)->edges, 5);
    pbd_fabric_unref(fabric);
}

static void faces_out_of_range_are_listed(void) {
    uint32_t corners[60];
    for (uint32_t i = 0; i < 60; ++i)
        corners[i] = i % 3 == 2 ? 4 + i : i % 3;
    struct pbd_mesh_def def = square();
    def.face_vertices = corners;
    def.face_count = 20;
    struct pbd_mesh_refusal refusal = mesh_refusal(&def);
    CHECK_INT(refusal.cause, PBD_MESH_INDEX_RANGE);
    CHECK_INT(refusal.total, 20);
    CHECK_INT(refusal.face_count, 16);
    CHECK_INT(refusal.faces[1][2], 9);
    CHECK(strstr(refusal.message, "face 0 uses vertex 6") != NULL);
}

static void edges_out_of_range_are_listed(void) {
    const uint32_t edges[] = {0, 1, 2, 9};
    struct pbd_mesh_def def = square();
    def.edges = edges;
    def.edge_count = 2;
    struct pbd_mesh_refusal refusal = mesh_refusal(&def);
    CHECK_INT(refusal.cause, PBD_MESH_INDEX_RANGE);
    CHECK_INT(refusal.total, 1);
    CHECK_INT(refusal.edges[0][0], 2);
    CHECK_INT(refusal.edges[0][1], 9);
    CHECK(strstr(refusal.message, "edge 1") != NULL);
}

static void face_of_two_corners_is_refused(void) {
    const uint32_t sizes[] = {3, 2, 0, 3}, corners[] = {0, 1, 2, 1, 3, 0, 2, 3};
    struct pbd_mesh_def def = square();
    def.face_sizes = sizes;
    def.face_vertices = corners;
    def.face_count = 4;
    struct pbd_mesh_refusal refusal = mesh_refusal(&def);
    CHECK_INT(refusal.cause, PBD_MESH_BAD_FACE);
    CHECK_INT(refusal.total, 2);
    CHECK_INT(refusal.faces[0][0], 1);
    CHECK_INT(refusal.faces[0][1], 3);
    CHECK(strstr(refusal.message, "face 1 has 2 corners") != NULL);
}

static void masses_and_density_must_be_positive(void) {
    const float bad[] = {0.0f, -1.0f, NAN, INFINITY};
    for (int i = 0; i < 4; ++i) {
        float masses[4] = {1, 1, 1, bad[i]};
        struct pbd_mesh_def def = square();
        def.masses = masses;
        struct pbd_mesh_refusal refusal = mesh_refusal(&def);
        CHECK_INT(refusal.cause, PBD_MESH_BAD_MASS);
        CHECK_INT(refusal.vertex, 3);
        def = square();
        def.density = bad[i];
        CHECK_INT(mesh_refusal(&def).cause, PBD_MESH_BAD_MASS);
    }
}

static void too_many_corners_are_refused_before_they_are_read(void) {
    const uint32_t sizes[] = {3, 0xffffffffu};
    struct pbd_mesh_def def = square();
    def.face_sizes = sizes;
    CHECK_INT(mesh_refusal(&def).cause, PBD_MESH_LIMIT);
}

RUN_TESTS(TEST(counts_are_checked_first), TEST(coordinates_must_be_finite_and_within_the_limit),
          TEST(largest_coordinate_is_allowed), TEST(faces_out_of_range_are_listed),
          TEST(edges_out_of_range_are_listed), TEST(face_of_two_corners_is_refused),
          TEST(masses_and_density_must_be_positive), TEST(too_many_corners_are_refused_before_they_are_read))
