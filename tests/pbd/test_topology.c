/* Unique edges, hinges and the manifold check, in the user's indices. */
#include "check.h"
#include "support_mesh.h"

static void grid_of_21_has_1240_edges_and_1160_hinges(void) {
    for (int alternate = 0; alternate < 2; ++alternate) {
        pbd_fabric *fabric = mesh_into_fabric(mesh_grid(21, 21, 5, 5, alternate));
        const struct pbd_mesh_report *report = pbd_fabric_report(fabric);
        CHECK_INT(report->edges, 1240);
        CHECK_INT(report->bends, 1160);
        CHECK_INT(report->boundary_edges, 80);
        CHECK_INT(report->triangles, 800);
        CHECK(!report->closed && report->orientable);
        CHECK_INT(fabric->stretch.count, 1240);
        CHECK_INT(fabric->bend.count, 1160);
        pbd_fabric_unref(fabric);
    }
}

static void edges_are_sorted_and_unique(void) {
    struct mesh mesh = mesh_grid(9, 7, 1, 1, false), shuffled = mesh_shuffled(&mesh, 5);
    struct pbd_mesh_def def = mesh_def(&shuffled);
    const uint32_t extra[] = {3, 3, 40, 2, 2, 40, shuffled.triangles[1], shuffled.triangles[0]};
    def.edges = extra;
    def.edge_count = 4;
    pbd_fabric *fabric = mesh_import(&def);
    /* 8·7 + 9·6 + 8·6 of the surface; of the user's, 3–3 holds nothing, 40–2 counts once, the last is there.
     */
    bool there = false;
    uint32_t edges[2 * 159];
    for (uint32_t t = 0; t < 3 * shuffled.triangle_count; ++t) {
        uint32_t a = shuffled.triangles[t], b = shuffled.triangles[t % 3 == 2 ? t - 2 : t + 1];
        there = there || (a == 2 && b == 40) || (a == 40 && b == 2);
    }
    CHECK_INT(fabric->view.edge_count, 158 + (there ? 0 : 1));
    pbd_fabric_edges(fabric, edges, NULL, NULL);
    uint32_t wrong = 0;
    for (uint32_t e = 0; e < fabric->view.edge_count; ++e) {
        const uint32_t *edge = edges + 2 * e;
        if (edge[0] >= edge[1]) ++wrong;
        if (e > 0 && (edge[-2] > edge[0] || (edge[-2] == edge[0] && edge[-1] >= edge[1]))) ++wrong;
    }
    CHECK_INT(wrong, 0);
    pbd_fabric_unref(fabric);
    mesh_free(&mesh);
    mesh_free(&shuffled);
}

static void hinges_join_the_triangles_of_their_edge(void) {
    struct mesh mesh = mesh_grid(12, 9, 1, 1, true);
    uint32_t *turned = mesh.triangles; /* every third triangle wound the other way */
    for (uint32_t t = 0; t < mesh.triangle_count; t += 3) {
        uint32_t corner = turned[3 * t + 1];
        turned[3 * t + 1] = turned[3 * t + 2];
        turned[3 * t + 2] = corner;
    }
    struct pbd_mesh_def def = mesh_def(&mesh);
    pbd_fabric *fabric = mesh_import(&def);
    const struct bend_set *bend = &fabric->bend;
    uint32_t found = 0;
    for (uint32_t h = 0; h < bend->count; ++h) {
        for (uint32_t t = 0; t < 2 * mesh.triangle_count; ++t) { /* each wing with the edge is a triangle */
            uint32_t wanted[3] = {bend->p[0][h], bend->p[1][h], bend->p[2 + t % 2][h]}, matches = 0;
            for (uint32_t k = 0; k < 9; ++k)
                matches += fabric->view.vertex_particle[mesh.triangles[3 * (t / 2) + k / 3]] == wanted[k % 3];
            found += matches == 3;
        }
    }
    CHECK_INT(found, 2 * bend->count);
    pbd_fabric_unref(fabric);
    mesh_free(&mesh);
}

/* Three triangles on the edge 0–1, and one beside. */
static const float FIN[] = {0, 0, 0, 1, 0, 0, 0.5f, 0, 1, 0.5f, 0, -1, 0.5f, 1, 0, 1.5f, 0, 1};
static const uint32_t FIN_FACES[] = {0, 1, 2, 1, 0, 3, 0, 1, 4, 1, 5, 2};

static void edge_of_three_faces_is_refused_with_indices(void) {
    struct pbd_mesh_def def = pbd_default_mesh_def();
    def.positions = FIN;
    def.vertex_count = 6;
    def.face_vertices = FIN_FACES;
    def.face_count = 4;
    struct pbd_mesh_refusal refusal = mesh_refusal(&def);
    CHECK_INT(refusal.cause, PBD_MESH_NON_MANIFOLD_EDGE);
    CHECK_INT(refusal.total, 1);
    CHECK_INT(refusal.edge_count, 1);
    CHECK_INT(refusal.edges[0][0], 0);
    CHECK_INT(refusal.edges[0][1], 1);
    CHECK_INT(refusal.face_count, 3);
    CHECK_INT(refusal.faces[1][2], 3);
    CHECK_INT(refusal.faces[2][2], 4);
}

static void non_manifold_edge_stretches_but_does_not_bend_when_allowed(void) {
    struct pbd_mesh_def def = pbd_default_mesh_def();
    def.positions = FIN;
    def.vertex_count = 6;
    def.face_vertices = FIN_FACES;
    def.face_count = 4;
    def.allow_nonmanifold = true;
    pbd_fabric *fabric = mesh_import(&def);
    const struct pbd_mesh_report *report = pbd_fabric_report(fabric);
    CHECK_INT(report->edges, 9);
    CHECK_INT(report->bends, 1); /* 1–2, between the first face and the one beside */
    CHECK_INT(report->warning_count, 1);
    CHECK(!report->closed);
    pbd_fabric_unref(fabric);
}

static void first_sixteen_of_many_bad_edges_are_listed(void) {
    struct mesh mesh = mesh_grid(30, 2, 1, 1, false);
    uint32_t count = mesh.triangle_count;
    float *positions = mesh.positions;
    /* A third triangle on each diagonal v–v+31, to a vertex of its own row that makes no copy. */
    for (uint32_t v = 0; v + 2 < 30; ++v)
        mesh_add_triangle(&mesh, v, v + 31, v + 2);
    positions[1] = 0.5f;
    struct pbd_mesh_def def = mesh_def(&mesh);
    struct pbd_mesh_refusal refusal = mesh_refusal(&def);
    CHECK_INT(refusal.cause, PBD_MESH_NON_MANIFOLD_EDGE);
    CHECK(refusal.total >= 28);
    CHECK_INT(refusal.edge_count, 16);
    CHECK_INT(refusal.face_count, 16);
    CHECK(count < mesh.triangle_count);
    mesh_free(&mesh);
}

static void polygon_faces_are_named_by_their_own_corners(void) {
    const uint32_t sizes[] = {4, 3, 3}, corners[] = {5, 2, 0, 1, 1, 0, 3, 0, 1, 4};
    struct pbd_mesh_def def = pbd_default_mesh_def();
    def.positions = FIN;
    def.vertex_count = 6;
    def.face_sizes = sizes;
    def.face_vertices = corners;
    def.face_count = 3;
    struct pbd_mesh_refusal refusal = mesh_refusal(&def);
    CHECK_INT(refusal.face_count, 3);
    CHECK_INT(refusal.faces[0][0], 5);
    CHECK_INT(refusal.faces[0][1], 2);
    CHECK_INT(refusal.faces[1][2], 3);
}

static void bow_tie_vertices_are_fine(void) {
    const float positions[] = {0, 0, 0, 1, 0, 0, 0, 0, 1, -1, 0, 0, 0, 0, -1};
    const uint32_t triangles[] = {0, 2, 1, 0, 4, 3};
    struct pbd_mesh_def def = pbd_default_mesh_def();
    def.positions = positions;
    def.vertex_count = 5;
    def.face_vertices = triangles;
    def.face_count = 2;
    pbd_fabric *fabric = mesh_import(&def);
    CHECK_INT(pbd_fabric_report(fabric)->components, 1);
    CHECK_INT(pbd_fabric_report(fabric)->bends, 0);
    CHECK_INT(pbd_fabric_report(fabric)->boundary_edges, 6);
    pbd_fabric_unref(fabric);
}

static void tetrahedron_is_closed(void) {
    const float positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    const uint32_t triangles[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    struct pbd_mesh_def def = pbd_default_mesh_def();
    def.positions = positions;
    def.vertex_count = 4;
    def.face_vertices = triangles;
    def.face_count = 4;
    pbd_fabric *fabric = mesh_import(&def);
    CHECK(pbd_fabric_report(fabric)->closed);
    CHECK_INT(pbd_fabric_report(fabric)->edges, 6);
    CHECK_INT(pbd_fabric_report(fabric)->bends, 6);
    pbd_fabric_unref(fabric);
}

RUN_TESTS(TEST(grid_of_21_has_1240_edges_and_1160_hinges), TEST(edges_are_sorted_and_unique),
          TEST(hinges_join_the_triangles_of_their_edge), TEST(edge_of_three_faces_is_refused_with_indices),
          TEST(non_manifold_edge_stretches_but_does_not_bend_when_allowed),
          TEST(first_sixteen_of_many_bad_edges_are_listed),
          TEST(polygon_faces_are_named_by_their_own_corners), TEST(bow_tie_vertices_are_fine),
          TEST(tetrahedron_is_closed))
