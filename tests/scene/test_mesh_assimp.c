/* What Assimp makes of files, and what it makes of damaged ones. */
#include "check.h"

#include <scene/mesh_assimp.h>
#include <scene/mesh_child.h>

#include "support_files.h"

static char folder[64];
static struct mesh_data mesh;
static struct pbd_mesh_refusal refusal;

static const char *path_of(const char *name) {
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void lines_and_points_are_left_out(void) {
    folder_write_text(
        folder, "a.ply",
        "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
        "element face 3\nproperty list uchar int vertex_indices\nend_header\n"
        "0 0 0\n1 0 0\n1 1 0\n0 1 0\n2 0 1\n3 0 1 2\n1 3\n");
    CHECK_INT(mesh_assimp_read(path_of("a.ply"), "a.ply", 100, &mesh, &refusal), PBD_OK);
    CHECK_INT(mesh.vertex_count, 4);
    CHECK_INT(mesh.face_count, 1);
    CHECK_INT(mesh.corner_count, 3);
    mesh_data_free(&mesh);
}

static void too_many_vertices_are_a_limit(void) {
    CHECK_INT(mesh_assimp_read(path_of("a.ply"), "a.ply", 3, &mesh, &refusal), PBD_MESH_REFUSED);
    CHECK_INT(refusal.cause, PBD_MESH_LIMIT);
    CHECK(strstr(refusal.message, "a.ply has 4 vertices; at most 3") != NULL);
}

static void what_is_no_mesh_is_unreadable(void) {
    folder_write_text(folder, "b.ply", "this is no mesh");
    CHECK_INT(mesh_assimp_read(path_of("b.ply"), "b.ply", 100, &mesh, &refusal), PBD_MESH_REFUSED);
    CHECK_INT(refusal.cause, PBD_MESH_UNREADABLE);
    CHECK(strstr(refusal.message, "b.ply") != NULL);
}

/* Assimp 5.2 waits for the rest of a PLY header that ends within a property, for ever. */
static void a_ply_cut_within_its_header_ends(void) {
    folder_write_text(folder, "c.ply",
                      "ply\nformat binary_little_endian 1.0\nelement vertex 16\nproperty float");
    CHECK_INT(mesh_child_read(mesh_assimp_read, path_of("c.ply"), "c.ply", 100, 500, &mesh, &refusal),
              PBD_MESH_REFUSED);
    CHECK_INT(refusal.cause, PBD_MESH_UNREADABLE);
}

/* Nodes that hold one another: any walk down the tree runs out of stack. */
static void a_gltf_of_circular_nodes_ends(void) {
    folder_write_text(folder, "d.gltf",
                      "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],"
                      "\"nodes\":[{\"children\":[1]},{\"children\":[0]}]}");
    CHECK_INT(mesh_child_read(mesh_assimp_read, path_of("d.gltf"), "d.gltf", 100, 5000, &mesh, &refusal),
              PBD_MESH_REFUSED);
    CHECK_INT(refusal.cause, PBD_MESH_UNREADABLE);
}

static void make_folder(void) {
    folder_create(folder);
}

static void drop_folder(void) {
    folder_remove(folder);
}

RUN_TESTS(TEST(make_folder), TEST(lines_and_points_are_left_out), TEST(too_many_vertices_are_a_limit),
          TEST(what_is_no_mesh_is_unreadable), TEST(a_ply_cut_within_its_header_ends),
          TEST(a_gltf_of_circular_nodes_ends), TEST(drop_folder))
