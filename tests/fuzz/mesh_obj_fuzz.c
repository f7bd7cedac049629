/* Bytes as an OBJ file, and what it reads as through the import gate. Nothing may be
 * read past the text; a mesh that is accepted has indices that the fabric can keep. */
#include <pbd/mesh.h>
#include <scene/mesh_obj.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_VERTICES = 2000 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void import(const struct mesh_data *mesh, bool allow_nonmanifold) {
    struct pbd_mesh_def def = pbd_default_mesh_def();
    def.positions = mesh->positions;
    def.vertex_count = mesh->vertex_count;
    def.face_sizes = mesh->face_sizes;
    def.face_vertices = mesh->face_vertices;
    def.face_count = mesh->face_count;
    def.allow_nonmanifold = allow_nonmanifold;
    def.max_vertices = MAX_VERTICES;
    struct pbd_mesh_refusal refusal;
    pbd_fabric *fabric;
    if (pbd_mesh_import(&def, &fabric, &refusal) == PBD_OK) pbd_fabric_unref(fabric);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1); /* of its exact size, so that a read past it is seen */
    if (!text) return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    struct mesh_data mesh;
    struct pbd_mesh_refusal refusal;
    if (mesh_obj_parse("fuzz.obj", text, size, MAX_VERTICES, &mesh, &refusal) == PBD_OK) {
        import(&mesh, false);
        import(&mesh, true);
        mesh_data_free(&mesh);
    }
    free(text);
    return 0;
}
