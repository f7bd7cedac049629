/* A collider's shape from its members; of a mesh the recipe too. */
#include "scene/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <pbd/collision_mesh.h>
#include <wire/errors.h>

#include "scene/mesh_data.h"
#include "scene/scene_mesh_file.h"
#include "scene/scene_refusal.h"

#define COORDINATE_MAX 1e6f

static int out_of_memory(struct wire_error *error) {
    WIRE_FAIL(error, out_of_memory, "shape", "The server had no memory for this shape.");
    return -1;
}

static int take_mesh(const struct wire_shape *members, uint32_t max_vertices, struct mesh_data *mesh,
                     struct wire_error *error) {
    uint32_t count = members->positions.count / 3, corners = members->triangles.count;
    if (count > max_vertices) {
        WIRE_FAIL(error, limit_exceeded, "shape.positions",
                  "shape.positions has %u vertices; at most %u are allowed.", count, max_vertices);
        wire_error_data(error, "\"limit\":\"max_vertices_per_world\",\"max\":%u,\"got\":%u", max_vertices,
                        count);
        return -1;
    }
    mesh->positions = malloc((3 * (size_t)count + 1) * sizeof *mesh->positions);
    mesh->face_vertices = malloc(((size_t)corners + 1) * sizeof *mesh->face_vertices);
    if (mesh->positions == NULL || mesh->face_vertices == NULL) return out_of_memory(error);
    if (count > 0) memcpy(mesh->positions, members->positions.values, 3 * (size_t)count * sizeof(float));
    if (corners > 0) memcpy(mesh->face_vertices, members->triangles.values, corners * sizeof(uint32_t));
    mesh->vertex_count = count;
    mesh->face_count = corners / 3;
    mesh->corner_count = corners;
    return 0;
}

static int scale_points(const struct wire_shape *members, struct mesh_data *mesh, struct wire_error *error) {
    if (members->has_scale != WIRE_PRESENT) return 0;
    for (size_t i = 0; i < 3 * (size_t)mesh->vertex_count; ++i) {
        float *at = &mesh->positions[i];
        *at = (float)((double)*at * (double)members->scale[i % 3]);
        /* Non-finite ones are the import gate's to name. */
        if (!(fabsf(*at) > COORDINATE_MAX) || isinf(*at)) continue;
        WIRE_FAIL(error, out_of_range, "shape.scale",
                  "vertex %zu would lie at %c = %g m with this shape.scale; coordinates go to 1e6 m.", i / 3,
                  "xyz"[i % 3], (double)*at);
        return -1;
    }
    return 0;
}

static int import(const struct mesh_data *mesh, const char *path, uint32_t max_vertices,
                  struct pbd_shape *shape, struct wire_error *error) {
    struct pbd_collision_mesh_def def = pbd_default_collision_mesh_def();
    struct pbd_mesh_refusal refusal = {0};
    def.positions = mesh->positions;
    def.vertex_count = mesh->vertex_count;
    def.face_sizes = mesh->face_sizes;
    def.face_vertices = mesh->face_vertices;
    def.face_count = mesh->face_count;
    def.max_vertices = max_vertices;
    int result = pbd_collision_mesh_create(&def, &shape->mesh, &refusal);
    if (result == PBD_OK) return 0;
    if (result == PBD_OUT_OF_MEMORY) return out_of_memory(error);
    scene_refusal_error(&refusal, path, mesh->vertex_count, mesh->face_count, max_vertices, error);
    return -1;
}

static int build_mesh(const struct wire_shape *members, const char *base_dir, uint32_t max_vertices,
                      struct pbd_shape *shape, struct wire_error *error) {
    struct mesh_data mesh = {0};
    bool file = members->type == WIRE_shape_type_file;
    int result = file
                     ? scene_mesh_file_read(members->file, base_dir, max_vertices, "shape.file", &mesh, error)
                     : take_mesh(members, max_vertices, &mesh, error);
    if (result == 0) result = scale_points(members, &mesh, error);
    if (result == 0) result = import(&mesh, file ? "shape.file" : "shape", max_vertices, shape, error);
    mesh_data_free(&mesh);
    return result;
}

int scene_shape_build(const struct wire_shape *members, const char *base_dir, uint32_t max_vertices,
                      struct pbd_shape *shape, struct wire_error *error) {
    struct pbd_shape made = {0};
    switch (members->type) {
    case WIRE_shape_type_plane:
        made.type = PBD_PLANE;
        static const float up[3] = {0.0f, 1.0f, 0.0f};
        memcpy(made.normal, members->has_normal == WIRE_PRESENT ? members->normal : up, sizeof made.normal);
        made.offset = members->has_offset == WIRE_PRESENT ? (float)members->offset : 0.0f;
        break;
    case WIRE_shape_type_sphere:
        made.type = PBD_SPHERE;
        made.radius = (float)members->radius;
        break;
    case WIRE_shape_type_capsule:
        made.type = PBD_CAPSULE;
        made.radius = (float)members->radius;
        made.half_height = (float)members->half_height;
        break;
    case WIRE_shape_type_box:
        made.type = PBD_BOX;
        memcpy(made.half_extents, members->half_extents, sizeof made.half_extents);
        break;
    case WIRE_shape_type_mesh:
    case WIRE_shape_type_file:
        made.type = PBD_MESH;
        if (build_mesh(members, base_dir, max_vertices, &made, error) != 0) return -1;
        break;
    }
    *shape = made;
    return 0;
}
