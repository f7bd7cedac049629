/* Shapes of colliders, meshes above all. */
#include "check.h"

#include <stdlib.h>
#include <pbd/collision_mesh.h>

#include "support_files.h"

/* Builds a shape with at most 100 vertices; 0, or -1 with *error (data_json is kept in data). */
static char data[512];
static int build(const char *members, const char *base_dir, struct pbd_shape *shape,
                 struct wire_error *error) {
    char text[2048];
    snprintf(text, sizeof text, "{\"colliders\":[{\"collider\":\"a\",\"shape\":%s}]}", members);
    struct wire_request *request = decode_scene(text);
    const struct wire_scene *scene = request->params;
    *error = (struct wire_error){0};
    int result = scene_shape_build(&scene->colliders[0].shape, base_dir, 100, shape, error);
    snprintf(data, sizeof data, "%s", error->data_json ? error->data_json : "");
    free(error->data_json);
    wire_request_destroy(request);
    return result;
}

#define TETRA "\"positions\":[0,0,0, 1,0,0, 0,1,0, 0,0,1],\"triangles\":[0,2,1, 0,1,3, 0,3,2, 1,2,3]"

static void a_mesh_keeps_its_vertices_and_is_scaled(void) {
    struct pbd_shape shape;
    struct wire_error error;
    CHECK_INT(build("{\"type\":\"mesh\"," TETRA ",\"scale\":[2,3,4]}", NULL, &shape, &error), 0);
    CHECK_INT(shape.type, PBD_MESH);
    struct pbd_collision_mesh_view view = pbd_collision_mesh_get_view(shape.mesh);
    CHECK_INT(view.vertex_count, 4);
    CHECK_INT(view.triangle_count, 4);
    CHECK(view.closed);
    CHECK_NEAR(view.positions[3], 2, 0);
    CHECK_NEAR(view.positions[7], 3, 0);
    CHECK_NEAR(view.positions[11], 4, 0);
    pbd_collision_mesh_unref(shape.mesh);
}

static void a_file_is_a_mesh_with_its_polygons_cut(void) {
    struct pbd_shape shape;
    struct wire_error error;
    char folder[64];
    folder_create(folder);
    folder_write_text(folder, "quad.obj", "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nf 1 2 3 4\n");
    CHECK_INT(build("{\"type\":\"file\",\"file\":\"quad.obj\",\"scale\":0.5}", folder, &shape, &error), 0);
    CHECK_INT(shape.type, PBD_MESH);
    struct pbd_collision_mesh_view view = pbd_collision_mesh_get_view(shape.mesh);
    CHECK_INT(view.triangle_count, 2);
    CHECK_NEAR(view.max[0], 0.5, 0);
    CHECK(!view.closed);
    pbd_collision_mesh_unref(shape.mesh);
    CHECK_INT(build("{\"type\":\"file\",\"file\":\"none.obj\"}", folder, &shape, &error), -1);
    CHECK_INT(error.code, -32001);
    CHECK_STRING(error.path, "shape.file");
    folder_remove(folder);
}

static void meshes_that_cannot_be_are_refused_with_cause_and_path(void) {
    struct pbd_shape shape = {.radius = 42.0f};
    static const struct {
        const char *members;
        int code;
        const char *path, *cause;
    } bad[] = {
        {"{\"type\":\"mesh\",\"positions\":[0,0,0,1,0,0,0,0,1],\"triangles\":[]}", -32003, "shape",
         "no_faces"},
        {"{\"type\":\"mesh\",\"positions\":[],\"triangles\":[]}", -32003, "shape", "no_vertices"},
        {"{\"type\":\"mesh\",\"positions\":[0,0,0,1,0,0,2,0,0],\"triangles\":[0,1,2]}", -32003, "shape",
         "no_faces"},
        {"{\"type\":\"mesh\",\"positions\":[0,0,0,1,0,0,0,0,1],\"triangles\":[0,1,3]}", -32003, "shape",
         "index_range"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        struct wire_error error;
        char cause[64];
        CHECK_INT(build(bad[i].members, NULL, &shape, &error), -1);
        CHECK_INT(error.code, bad[i].code);
        CHECK_STRING(error.path, bad[i].path);
        snprintf(cause, sizeof cause, "\"cause\":\"%s\"", bad[i].cause);
        CHECK(strstr(data, cause) != NULL);
        CHECK(error.message[0] != '\0');
    }
    CHECK(shape.radius == 42.0f); /* outputs are untouched */
}

static void a_mesh_over_the_limit_or_beyond_all_coordinates_is_refused(void) {
    char text[1200] = "{\"type\":\"mesh\",\"triangles\":[0,1,2],\"positions\":[0,0,0";
    for (int i = 0; i < 100; ++i)
        strcat(text, ",1,0,0");
    strcat(text, "]}");
    struct pbd_shape shape;
    struct wire_error error;
    CHECK_INT(build(text, NULL, &shape, &error), -1);
    CHECK_INT(error.code, -32004);
    CHECK_STRING(error.path, "shape.positions");
    CHECK(strstr(data, "\"max\":100") && strstr(data, "\"got\":101"));
    CHECK_INT(
        build(
            "{\"type\":\"mesh\",\"positions\":[0,0,0,1000,0,0,0,0,1],\"triangles\":[0,1,2],\"scale\":10000}",
            NULL, &shape, &error),
        -1);
    CHECK_INT(error.code, -32602);
    CHECK_STRING(error.path, "shape.scale");
}

RUN_TESTS(TEST(a_mesh_keeps_its_vertices_and_is_scaled), TEST(a_file_is_a_mesh_with_its_polygons_cut),
          TEST(meshes_that_cannot_be_are_refused_with_cause_and_path),
          TEST(a_mesh_over_the_limit_or_beyond_all_coordinates_is_refused))
