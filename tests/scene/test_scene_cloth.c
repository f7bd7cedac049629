/* Cloth commands to fabrics and their starts. */
#include "check.h"

#include <stdlib.h>
#include <unistd.h>

#include "support_files.h"

static struct scene_cloth cloth;
static struct wire_error error;

static int build(const char *spec) {
    return build_cloth(spec, NULL, &cloth, &error);
}

static void check_refused(const char *spec, const char *dir, int code, const char *path) {
    CHECK_INT(build_cloth(spec, dir, &cloth, &error), -1);
    CHECK_INT(error.code, code);
    CHECK_STRING(error.path, path);
    CHECK(strlen(error.message) > 10);
    free(error.data_json);
}

static void grid_with_pins_velocity_and_settings(void) {
    CHECK_INT(
        build(
            "{\"cloth\":\"c\",\"grid\":{\"nx\":3,\"ny\":4,\"size\":[2,3]},\"pins\":[2,{\"from\":0,\"to\":2}],"
            "\"velocity\":[1,2,3],\"friction\":0.5,\"density\":0.5}"),
        0);
    CHECK_INT(cloth.vertex_count, 12);
    CHECK_INT(cloth.pin_count, 3);
    CHECK(cloth.pins[0] == 2 && cloth.pins[1] == 0 && cloth.pins[2] == 1);
    CHECK(cloth.velocity[2] == 3.0f && cloth.settings.friction == 0.5f);
    CHECK_NEAR(pbd_fabric_report(cloth.fabric)->mass, 3.0, 1e-5);
    CHECK_INT(pbd_fabric_get_view(cloth.fabric).cols, 3);
    struct pbd_cloth_def def = scene_cloth_def(&cloth);
    CHECK(def.fabric == cloth.fabric && def.pin_count == 3 && def.velocity[1] == 2.0f);
    scene_cloth_free(&cloth);
}

static void a_start_given_by_vertex_replaces_the_place_and_leaves_the_rest_pose(void) {
    CHECK_INT(
        build("{\"cloth\":\"c\",\"grid\":{\"nx\":2,\"ny\":2,\"size\":[1,1]},\"scale\":2,\"position\":[9,9,9],"
              "\"positions\":[0,0,0,1,0,0,0,0,1,1,0.5,1],\"velocities\":[0,0,0,0,1,0,0,2,0,0,3,0]}"),
        0);
    CHECK(cloth.positions[3] == 1.0f && cloth.positions[10] == 0.5f);
    CHECK(cloth.velocities != NULL && cloth.velocities[10] == 3.0f);
    CHECK(pbd_fabric_get_view(cloth.fabric).rest_positions[0] == -1.0f);
    scene_cloth_free(&cloth);
    check_refused("{\"cloth\":\"c\",\"grid\":{\"nx\":2,\"ny\":2,\"size\":[1,1]},\"positions\":[0,0,0]}", NULL,
                  -32602, "positions");
    check_refused("{\"cloth\":\"c\",\"grid\":{\"nx\":2,\"ny\":2,\"size\":[1,1]},\"velocities\":[0,0,0]}",
                  NULL, -32602, "velocities");
    /* The two corners in one place weld at rest, so they may not start apart. */
    check_refused(
        "{\"cloth\":\"c\",\"mesh\":{\"positions\":[0,0,0,1,0,0,0,0,1,0,0,0],\"triangles\":[0,1,2,3,1,2]},"
        "\"positions\":[0,0,0,1,0,0,0,0,1,0,1,0]}",
        NULL, -32003, "mesh");
}

/* Done one by one these would be 4e10 pins, more than a minute of a server that stands still. */
static void repeated_ranges_of_pins_cost_their_text_only(void) {
    static const char head[] = "{\"cloth\":\"c\",\"grid\":{\"nx\":500,\"ny\":800,\"size\":[1,1]},\"pins\":[7",
                      range[] = ",{\"from\":0,\"to\":399999}";
    enum { RANGES = 100000 };
    char *spec = malloc(sizeof head + RANGES * (sizeof range - 1) + 3), *at = spec;
    at = stpcpy(at, head);
    for (int i = 0; i < RANGES; ++i)
        at = stpcpy(at, range);
    strcpy(at, "]}");
    CHECK_INT(build(spec), 0);
    free(spec);
    CHECK_INT(cloth.pin_count, 400000);
    CHECK(cloth.pins[0] == 7 && cloth.pins[1] == 0 && cloth.pins[7] == 6 && cloth.pins[8] == 8);
    scene_cloth_free(&cloth);
}

/* The formula of physics.md §4 in float32, bit for bit, zeros with their sign too. */
static void games103_grid_is_the_homeworks(void) {
    struct scene_source source;
    CHECK_INT(scene_read(SOURCE_DIR "/server/scenes", "games103", &source, &error), 0);
    struct wire_request *request = decode_scene(source.text);
    const struct wire_scene *scene = request->params;
    CHECK_INT(scene_cloth_build(&scene->cloths[0], source.base_dir, 500000, &cloth, &error), 0);
    CHECK_INT(cloth.vertex_count, 441);
    for (int j = 0; j < 21; ++j)
        for (int i = 0; i < 21; ++i) {
            const float want[3] = {5.0f - 10.0f * (float)i / 20.0f, 0.0f, 5.0f - 10.0f * (float)j / 20.0f};
            CHECK(memcmp(cloth.positions + 3 * (j * 21 + i), want, sizeof want) == 0);
        }
    CHECK_INT(cloth.pin_count, 2);
    CHECK(cloth.pins[0] == 0 && cloth.pins[1] == 20);
    CHECK_INT(pbd_fabric_report(cloth.fabric)->edges, 1240);
    CHECK_INT(pbd_fabric_report(cloth.fabric)->bends, 1160);
    struct pbd_world_settings world = pbd_default_world_settings();
    scene_world_settings_apply(&world, &scene->world);
    CHECK(world.gravity[1] == -9.8f && world.solver.dt == 0.0333f && world.solver.jacobi_weight == 0.2f);
    CHECK(world.solver.velocity_factor == 0.99f && world.solver.iterations == 32);
    CHECK(world.solver.method == PBD_METHOD_JACOBI);
    struct pbd_collider_def ball;
    CHECK_INT(scene_collider_build(&scene->colliders[0], NULL, 1000, &ball, &error), 0);
    CHECK(ball.shape.type == PBD_SPHERE && ball.shape.radius == 2.7f);
    scene_cloth_free(&cloth);
    wire_request_destroy(request);
    scene_source_free(&source);
}

static void scale_is_of_the_rest_pose_rotation_and_position_of_the_start(void) {
    /* A quarter turn about z: x → y, y → −x. */
    CHECK_INT(build("{\"cloth\":\"c\",\"mesh\":{\"positions\":[0,0,0, 1,0,0, 0,1,0],\"triangles\":[0,1,2]},"
                    "\"scale\":[2,3,1],\"rotation\":[0,0,0.70710678,0.70710678],\"position\":[10,0,5]}"),
              0);
    CHECK_NEAR(cloth.positions[3], 10.0, 1e-5);
    CHECK_NEAR(cloth.positions[4], 2.0, 1e-5);
    CHECK_NEAR(cloth.positions[6], 7.0, 1e-5);
    CHECK_NEAR(cloth.positions[8], 5.0, 1e-6);
    const float *rest = pbd_fabric_get_view(cloth.fabric).rest_positions;
    CHECK(rest[3] == 2.0f && rest[4] == 0.0f && rest[7] == 3.0f);
    scene_cloth_free(&cloth);
}

static void rest_positions_may_differ_and_are_scaled(void) {
    CHECK_INT(build("{\"cloth\":\"c\",\"mesh\":{\"positions\":[0,0,0, 1,0,0, 0,1,0],\"triangles\":[0,1,2],"
                    "\"rest_positions\":[0,0,0, 2,0,0, 0,2,0]},\"scale\":0.5}"),
              0);
    CHECK(cloth.positions[3] == 0.5f);
    CHECK(pbd_fabric_get_view(cloth.fabric).rest_positions[3] == 1.0f);
    scene_cloth_free(&cloth);
}

static void a_mesh_may_lie_in_rows(void) {
    CHECK_INT(build("{\"cloth\":\"c\",\"mesh\":{\"positions\":[0,0,0, 1,0,0, 0,0,1, 1,0,1],"
                    "\"triangles\":[0,2,3, 0,3,1],\"cols\":2}}"),
              0);
    CHECK_INT(pbd_fabric_get_view(cloth.fabric).cols, 2);
    scene_cloth_free(&cloth);
}

static void ropes_are_meshes_of_edges_and_masses(void) {
    CHECK_INT(
        build(
            "{\"cloth\":\"c\",\"mesh\":{\"positions\":[0,0,0, 1,0,0, 2,0,0],\"edges\":[0,1,1,2],\"masses\":[1,2,3]}}"),
        0);
    CHECK_INT(pbd_fabric_report(cloth.fabric)->edges, 2);
    CHECK_NEAR(pbd_fabric_report(cloth.fabric)->mass, 6.0, 1e-6);
    scene_cloth_free(&cloth);
}

#define TRIANGLE "\"positions\":[0,0,0, 1,0,0, 0,1,0],\"triangles\":[0,1,2]"

static void wrong_lengths_pins_and_places_are_refused(void) {
    check_refused("{\"cloth\":\"c\",\"mesh\":{" TRIANGLE ",\"masses\":[1,2]}}", NULL, -32602, "mesh.masses");
    check_refused("{\"cloth\":\"c\",\"mesh\":{" TRIANGLE ",\"rest_positions\":[0,0,0]}}", NULL, -32602,
                  "mesh.rest_positions");
    check_refused("{\"cloth\":\"c\",\"mesh\":{" TRIANGLE ",\"cols\":2}}", NULL, -32602, "mesh.cols");
    check_refused("{\"cloth\":\"c\",\"mesh\":{" TRIANGLE "},\"pins\":[0,3]}", NULL, -32602, "pins");
    check_refused(
        "{\"cloth\":\"c\",\"mesh\":{\"positions\":[0,0,0, 1000000,0,0, 0,1,0],\"triangles\":[0,1,2]},\"scale\":2}",
        NULL, -32602, "scale");
}

static void meshes_that_the_gate_refuses_tell_why(void) {
    check_refused("{\"cloth\":\"c\",\"mesh\":{\"positions\":[],\"triangles\":[]}}", NULL, -32003, "mesh");
    CHECK_INT(build("{\"cloth\":\"c\",\"mesh\":{\"positions\":[0,0,0, 1,0,0, 0,1,0, 0,0,1, 0,-1,0],"
                    "\"triangles\":[0,1,2, 0,1,3, 0,1,4]}}"),
              -1);
    CHECK_INT(error.code, -32003);
    CHECK(error.data_json != NULL && strstr(error.data_json, "\"cause\":\"non_manifold_edge\"") != NULL);
    CHECK(error.data_json != NULL && strstr(error.data_json, "[[0,1]]") != NULL);
    free(error.data_json);
    CHECK_INT(
        build(
            "{\"cloth\":\"c\",\"allow_nonmanifold\":true,\"mesh\":{\"positions\":[0,0,0, 1,0,0, 0,1,0, 0,0,1, 0,-1,0],"
            "\"triangles\":[0,1,2, 0,1,3, 0,1,4]}}"),
        0);
    scene_cloth_free(&cloth);
}

static void too_many_vertices_are_a_limit(void) {
    check_refused("{\"cloth\":\"c\",\"grid\":{\"nx\":1000,\"ny\":501,\"size\":[1,1]}}", NULL, -32004, "grid");
}

static void files_stay_within_their_folder(void) {
    char folder[64], outside[64], link[128];
    folder_create(folder);
    folder_create(outside);
    folder_write_text(folder, "ok.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    folder_write_text(folder, "bad.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 7\n");
    folder_write_text(outside, "secret.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    snprintf(link, sizeof link, "%s/link.obj", folder);
    char target[128];
    snprintf(target, sizeof target, "%s/secret.obj", outside);
    CHECK_INT(symlink(target, link), 0);
    CHECK_INT(build_cloth("{\"cloth\":\"c\",\"file\":\"ok.obj\"}", folder, &cloth, &error), 0);
    CHECK_INT(cloth.vertex_count, 3);
    scene_cloth_free(&cloth);
    check_refused("{\"cloth\":\"c\",\"file\":\"link.obj\"}", folder, -32602, "file");
    check_refused("{\"cloth\":\"c\",\"file\":\"../x/secret.obj\"}", folder, -32602, "file");
    check_refused("{\"cloth\":\"c\",\"file\":\"/etc/passwd.obj\"}", folder, -32602, "file");
    check_refused("{\"cloth\":\"c\",\"file\":\"ok.fbx\"}", folder, -32602, "file");
    check_refused("{\"cloth\":\"c\",\"file\":\"none.obj\"}", folder, -32001, "file");
    check_refused("{\"cloth\":\"c\",\"file\":\"ok.obj\"}", NULL, -32602, "file");
    CHECK_INT(build_cloth("{\"cloth\":\"c\",\"file\":\"bad.obj\"}", folder, &cloth, &error), -1);
    CHECK_INT(error.code, -32003);
    CHECK(strstr(error.message, "bad.obj:4") != NULL);
    CHECK(error.data_json != NULL && strstr(error.data_json, "\"cause\":\"index_range\"") != NULL);
    CHECK(error.data_json != NULL && strstr(error.data_json, "\"line\":4") != NULL);
    free(error.data_json);
    folder_remove(folder);
    folder_remove(outside);
}

RUN_TESTS(TEST(grid_with_pins_velocity_and_settings),
          TEST(a_start_given_by_vertex_replaces_the_place_and_leaves_the_rest_pose),
          TEST(repeated_ranges_of_pins_cost_their_text_only), TEST(games103_grid_is_the_homeworks),
          TEST(scale_is_of_the_rest_pose_rotation_and_position_of_the_start),
          TEST(rest_positions_may_differ_and_are_scaled), TEST(a_mesh_may_lie_in_rows),
          TEST(ropes_are_meshes_of_edges_and_masses), TEST(wrong_lengths_pins_and_places_are_refused),
          TEST(meshes_that_the_gate_refuses_tell_why), TEST(too_many_vertices_are_a_limit),
          TEST(files_stay_within_their_folder))
