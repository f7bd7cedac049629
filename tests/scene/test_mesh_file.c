/* Each format by a file made here. */
#include "check.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <scene/mesh_file.h>

#include "support_files.h"

static char folder[64];
static struct mesh_data mesh;
static struct pbd_mesh_refusal refusal;

static int read_file(const char *name) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    refusal = (struct pbd_mesh_refusal){0};
    return mesh_file_read(path, name, 1000, &mesh, &refusal);
}

/* A unit square of two triangles or one quad: the sum of all faces' areas. */
static double area(void) {
    double sum = 0.0;
    const uint32_t *c = mesh.face_vertices;
    for (uint32_t f = 0; f < mesh.face_count; ++f) {
        uint32_t size = mesh.face_sizes ? mesh.face_sizes[f] : 3;
        for (uint32_t k = 2; k < size; ++k) {
            double u[3], v[3];
            for (int i = 0; i < 3; ++i) {
                u[i] = (double)mesh.positions[3 * c[k - 1] + (uint32_t)i] -
                       (double)mesh.positions[3 * c[0] + (uint32_t)i];
                v[i] = (double)mesh.positions[3 * c[k] + (uint32_t)i] -
                       (double)mesh.positions[3 * c[0] + (uint32_t)i];
            }
            double x = u[1] * v[2] - u[2] * v[1], y = u[2] * v[0] - u[0] * v[2],
                   z = u[0] * v[1] - u[1] * v[0];
            sum += 0.5 * sqrt(x * x + y * y + z * z);
        }
        c += size;
    }
    return sum;
}

static void obj_is_read_by_our_own_reader(void) {
    folder_write_text(folder, "a.OBJ", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 7 7 7\nf 1 2 3 4\n");
    CHECK_INT(read_file("a.OBJ"), PBD_OK);
    CHECK_INT(mesh.vertex_count, 5);
    CHECK_INT(mesh.face_count, 1);
    CHECK_NEAR(area(), 1.0, 1e-6);
    mesh_data_free(&mesh);
}

static void ply_keeps_its_vertices_and_polygons(void) {
    folder_write_text(
        folder, "a.ply",
        "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
        "element face 1\nproperty list uchar int vertex_indices\nend_header\n"
        "0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n");
    CHECK_INT(read_file("a.ply"), PBD_OK);
    CHECK_INT(mesh.vertex_count, 4);
    CHECK_INT(mesh.face_count, 1);
    CHECK_NEAR(area(), 1.0, 1e-6);
    CHECK(mesh.positions[6] == 1.0f && mesh.positions[7] == 1.0f);
    mesh_data_free(&mesh);
}

static void stl_is_a_soup_that_the_gate_welds(void) {
    folder_write_text(
        folder, "a.stl",
        "solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 1 1 0\nendloop\nendfacet\n"
        "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 1 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid s\n");
    CHECK_INT(read_file("a.stl"), PBD_OK);
    CHECK_INT(mesh.vertex_count, 6);
    CHECK_INT(mesh.face_count, 2);
    CHECK_NEAR(area(), 1.0, 1e-6);
    mesh_data_free(&mesh);
    struct scene_cloth cloth;
    struct wire_error error;
    CHECK_INT(build_cloth("{\"cloth\":\"c\",\"file\":\"a.stl\"}", folder, &cloth, &error), 0);
    CHECK_INT(pbd_fabric_report(cloth.fabric)->particles, 4);
    CHECK_INT(pbd_fabric_report(cloth.fabric)->welded, 2);
    scene_cloth_free(&cloth);
}

/* Four positions and two triangles as base64, under a node that doubles and moves them. */
static void gltf_nodes_are_applied(void) {
    folder_write_text(
        folder, "a.gltf",
        "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],"
        "\"nodes\":[{\"mesh\":0,\"scale\":[2,2,2],\"translation\":[0,5,0]}],"
        "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]}],"
        "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\",\"min\":[0,0,0],\"max\":[1,1,0]},"
        "{\"bufferView\":1,\"componentType\":5123,\"count\":6,\"type\":\"SCALAR\"}],"
        "\"bufferViews\":[{\"buffer\":0,\"byteOffset\":0,\"byteLength\":48},{\"buffer\":0,\"byteOffset\":48,\"byteLength\":12}],"
        "\"buffers\":[{\"byteLength\":60,\"uri\":\"data:application/octet-stream;base64,"
        "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAACAPwAAgD8AAAAAAAAAAAAAgD8AAAAAAAABAAIAAAACAAMA\"}]}");
    CHECK_INT(read_file("a.gltf"), PBD_OK);
    CHECK_INT(mesh.vertex_count, 4);
    CHECK_INT(mesh.face_count, 2);
    CHECK_NEAR(area(), 4.0, 1e-5);
    CHECK_NEAR(mesh.positions[1], 5.0, 1e-6);
    CHECK_NEAR(mesh.positions[7], 7.0, 1e-6);
    mesh_data_free(&mesh);
}

static void unreadable_files_name_themselves(void) {
    CHECK_INT(read_file("missing.obj"), PBD_MESH_REFUSED);
    CHECK_INT(refusal.cause, PBD_MESH_UNREADABLE);
    CHECK(strstr(refusal.message, "missing.obj") != NULL);
    const char *const names[] = {"bad.ply", "bad.glb", "bad.gltf"};
    for (int k = 0; k < 3; ++k) {
        folder_write_text(folder, names[k], "this is no mesh");
        CHECK_INT(read_file(names[k]), PBD_MESH_REFUSED);
        CHECK_INT(refusal.cause, PBD_MESH_UNREADABLE);
        CHECK(strstr(refusal.message, names[k]) != NULL);
    }
}

static void suffixes_are_known_in_any_case(void) {
    CHECK(mesh_file_known("a.obj") && mesh_file_known("b/c.GLB") && mesh_file_known("d.Stl"));
    CHECK(!mesh_file_known("obj") && !mesh_file_known("a.fbx") && !mesh_file_known("a.obj/b"));
}

/* A pipe would be waited for, by the whole simulation; so would what Assimp opens. */
static void pipes_and_folders_are_refused_at_once(void) {
    static const char *const names[] = {"p.obj", "p.ply", "p.stl", "p.gltf", "p.glb"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        CHECK_INT(mkfifo(path, 0600), 0);
        CHECK_INT(read_file(names[i]), PBD_MESH_REFUSED);
        CHECK(refusal.cause == PBD_MESH_UNREADABLE && strstr(refusal.message, "neither a file nor a folder"));
        unlink(path);
        CHECK_INT(mkdir(path, 0700), 0);
        CHECK_INT(read_file(names[i]), PBD_MESH_REFUSED);
        CHECK(strstr(refusal.message, "directory") != NULL);
        rmdir(path);
    }
}

static void make_folder(void) {
    folder_create(folder);
}

static void drop_folder(void) {
    folder_remove(folder);
}

RUN_TESTS(TEST(make_folder), TEST(obj_is_read_by_our_own_reader), TEST(ply_keeps_its_vertices_and_polygons),
          TEST(stl_is_a_soup_that_the_gate_welds), TEST(gltf_nodes_are_applied),
          TEST(unreadable_files_name_themselves), TEST(suffixes_are_known_in_any_case),
          TEST(pipes_and_folders_are_refused_at_once), TEST(drop_folder))
