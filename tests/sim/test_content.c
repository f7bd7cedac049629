/* What a load builds, what reset brings back, and that failures leave nothing behind. */
#include "check.h"
#include <stdlib.h>
#include <sim/content.h>

#define SHEET "{\"cloth\":\"a\",\"grid\":{\"nx\":5,\"ny\":4,\"size\":[1,1]},\"pins\":[0,4]}"
#define TRIANGLE                                                                                             \
    "{\"collider\":\"triangle\",\"shape\":{\"type\":\"mesh\",\"positions\":[0,0,0,1,0,0,0,0,1],\"triangles\":[0,1,2]}}"
#define BALL "{\"collider\":\"ball\",\"shape\":{\"type\":\"sphere\",\"radius\":0.3},\"position\":[0,-1,0]}"

static const struct content_room wide = {.max_vertices_per_world = 1000, .max_vertices = 1000};

static int build(struct content *content, const char *text, const struct content_room *room,
                 struct wire_error *error) {
    struct wire_request *scene = wire_scene_decode(text, strlen(text), error);
    CHECK(scene != NULL);
    int result = content_build(content, scene->params, NULL, room, "spec.", error);
    wire_request_destroy(scene);
    return result;
}

static struct content built(const char *text) {
    struct content content = {0};
    struct wire_error error = {0};
    CHECK_INT(build(&content, text, &wide, &error), 0);
    return content;
}

static void a_scene_becomes_objects_settings_and_view(void) {
    struct content content =
        built("{\"title\":\"T\",\"view\":{\"position\":[1,2,3]},\"world\":{\"drag\":0.5,\"time_scale\":2},"
              "\"cloths\":[" SHEET "],\"colliders\":[" BALL "]}");
    CHECK_STRING(content.title, "T");
    CHECK_STRING(content.description, "");
    CHECK(content.has_view_position && !content.has_view_target);
    CHECK_NEAR(content.view_position[1], 2, 0);
    CHECK_NEAR(content.time_scale, 2, 0);
    CHECK_NEAR(pbd_world_get_settings(content.pbd).drag, 0.5, 0);
    struct object *a = object_find(&content.objects, OBJECT_CLOTH, "a");
    CHECK_INT(a->view.vertex_count, 20);
    CHECK_INT(pbd_cloth_is_pinned(content.pbd, a->id, 4, NULL), 1);
    CHECK(object_find(&content.objects, OBJECT_COLLIDER, "ball") != NULL);
    content_free(&content);
}

static void reset_returns_to_the_start_bit_for_bit(void) {
    struct content content = built("{\"cloths\":[" SHEET "],\"colliders\":[" BALL "]}");
    struct wire_error error = {0};
    uint64_t start = pbd_world_state_hash(content.pbd);
    struct object *ball = object_find(&content.objects, OBJECT_COLLIDER, "ball"), *extra;
    uint32_t vertices[] = {7};
    const struct wire_collider_spec spec = {
        .collider = "extra",
        .shape = {.has_type = 1, .type = WIRE_shape_type_sphere, .has_radius = 1, .radius = 1.0}};
    CHECK_INT(content_add_collider(&content, &spec, NULL, &wide, &extra, &error), 0);
    content_remove(&content, ball);
    pbd_cloth_pin(content.pbd, content.objects.items[0]->id, vertices, 1, NULL);
    content.time_scale = 3.0;
    for (int i = 0; i < 30; ++i)
        pbd_world_step(content.pbd);
    CHECK(pbd_world_state_hash(content.pbd) != start);
    uint32_t version = content.objects.version;
    CHECK_INT(content_return(&content, &content.start, &error), 0);
    CHECK(pbd_world_state_hash(content.pbd) == start);
    CHECK_INT(pbd_world_tick(content.pbd), 0);
    CHECK(object_find(&content.objects, OBJECT_COLLIDER, "ball") != NULL);
    CHECK(object_find(&content.objects, OBJECT_COLLIDER, "extra") == NULL);
    CHECK_INT(pbd_cloth_is_pinned(content.pbd, content.objects.items[0]->id, 7, NULL), 0);
    CHECK_NEAR(content.time_scale, 1.0, 0);
    CHECK(content.objects.version != version);
    content_free(&content);
}

static void a_taken_name_is_refused_with_its_place_in_the_scene(void) {
    struct content content = {0};
    struct wire_error error = {0};
    CHECK_INT(build(&content, "{\"cloths\":[" SHEET "," SHEET "]}", &wide, &error), -1);
    CHECK_INT(error.code, -32002);
    CHECK_STRING(error.path, "spec.cloths[1].cloth");
    CHECK(content.pbd == NULL);
    free(error.data_json);
}

static void more_vertices_than_there_is_room_for_are_refused(void) {
    struct content content = {0};
    struct wire_error error = {0};
    struct content_room narrow = {.max_vertices_per_world = 30, .max_vertices = 1000};
    static const char two[] =
        "{\"cloths\":[" SHEET ",{\"cloth\":\"b\",\"grid\":{\"nx\":4,\"ny\":4,\"size\":[1,1]}}]}";
    CHECK_INT(build(&content, two, &narrow, &error), -1);
    CHECK_INT(error.code, -32004);
    CHECK_STRING(error.path, "spec.cloths[1]");
    CHECK(error.data_json && strstr(error.data_json, "\"max\":30") && strstr(error.data_json, "\"got\":36"));
    free(error.data_json);
    error = (struct wire_error){0};
    struct content_room crowded = {.max_vertices_per_world = 1000, .max_vertices = 50, .all_vertices = 40};
    CHECK_INT(build(&content, "{\"cloths\":[" SHEET "]}", &crowded, &error), -1);
    CHECK(error.data_json && strstr(error.data_json, "\"limit\":\"max_vertices\""));
    free(error.data_json);
}

static void mesh_colliders_take_room_as_cloths_do(void) {
    struct content content = built("{\"cloths\":[" SHEET "],\"colliders\":[" BALL "," TRIANGLE "]}");
    struct wire_error error = {0};
    CHECK_INT(content_vertices(&content), 23);
    struct content_room room = {.max_vertices_per_world = 30, .max_vertices = 1000, .world_vertices = 23};
    const struct object *triangle = object_find(&content.objects, OBJECT_COLLIDER, "triangle");
    struct pbd_collider_state state;
    pbd_collider_get(content.pbd, triangle->id, &state);
    CHECK_INT(content_check_shape(&content, triangle, &state.def.shape, &room, &error), 0);
    room.max_vertices_per_world = 22;
    CHECK_INT(content_check_shape(&content, triangle, &state.def.shape, &room, &error), -1);
    CHECK_INT(error.code, -32004);
    free(error.data_json);
    content_free(&content);
    error = (struct wire_error){0};
    struct content_room narrow = {.max_vertices_per_world = 22, .max_vertices = 1000};
    CHECK_INT(
        build(&content, "{\"cloths\":[" SHEET "],\"colliders\":[" BALL "," TRIANGLE "]}", &narrow, &error),
        -1);
    CHECK_INT(error.code, -32004);
    CHECK_STRING(error.path, "spec.colliders[1].shape");
    CHECK(error.data_json && strstr(error.data_json, "\"got\":23"));
    free(error.data_json);
}

static void a_pin_beyond_the_vertices_is_refused(void) {
    struct content content = {0};
    struct wire_error error = {0};
    static const char text[] =
        "{\"cloths\":[{\"cloth\":\"a\",\"grid\":{\"nx\":3,\"ny\":3,\"size\":[1,1]},\"pins\":[9]}]}";
    CHECK_INT(build(&content, text, &wide, &error), -1);
    CHECK_INT(error.code, -32602);
    CHECK_STRING(error.path, "spec.cloths[0].pins");
    free(error.data_json);
}

static void attachments_are_resolved_when_all_colliders_are_there(void) {
    struct content content = built(
        "{\"cloths\":[{\"cloth\":\"a\",\"grid\":{\"nx\":3,\"ny\":3,\"size\":[1,1]},\"attach\":[{\"collider\":\"ball\","
        "\"vertices\":[{\"from\":0,\"to\":2}]}]}],\"colliders\":[" BALL "]}");
    uint32_t vertices[9];
    pbd_collider_id colliders[9];
    CHECK_INT(pbd_cloth_attachments(content.pbd, content.objects.items[0]->id, vertices, colliders, 9), 3);
    CHECK(colliders[2] == content.objects.items[1]->id);
    content_free(&content);
}

static void an_attachment_to_nothing_is_refused_with_its_place(void) {
    static const struct {
        const char *attach;
        int code;
        const char *path;
    } bad[] = {
        {"{\"collider\":\"ball\",\"vertices\":[0]},{\"collider\":\"nose\",\"vertices\":[0]}", -32001,
         "spec.cloths[0].attach[1].collider"},
        {"{\"collider\":\"ball\",\"vertices\":[9]}", -32602, "spec.cloths[0].attach[0].vertices"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        struct content content = {0};
        struct wire_error error = {0};
        char text[512];
        snprintf(
            text, sizeof text,
            "{\"cloths\":[{\"cloth\":\"a\",\"grid\":{\"nx\":3,\"ny\":3,\"size\":[1,1]},\"attach\":[%s]}],"
            "\"colliders\":[" BALL "]}",
            bad[i].attach);
        CHECK_INT(build(&content, text, &wide, &error), -1);
        CHECK_INT(error.code, bad[i].code);
        CHECK_STRING(error.path, bad[i].path);
        CHECK(content.pbd == NULL);
        free(error.data_json);
    }
}

static void an_empty_world_has_the_default_settings(void) {
    struct content content;
    struct wire_error error = {0};
    CHECK_INT(content_build(&content, NULL, NULL, &wide, "", &error), 0);
    struct pbd_world_settings settings = pbd_world_get_settings(content.pbd);
    struct pbd_world_settings defaults = pbd_default_world_settings();
    CHECK(memcmp(settings.gravity, defaults.gravity, sizeof settings.gravity) == 0);
    CHECK_INT(settings.solver.substeps, defaults.solver.substeps);
    CHECK_INT(content.objects.count, 0);
    content_free(&content);
}

RUN_TESTS(TEST(a_scene_becomes_objects_settings_and_view), TEST(reset_returns_to_the_start_bit_for_bit),
          TEST(a_taken_name_is_refused_with_its_place_in_the_scene),
          TEST(more_vertices_than_there_is_room_for_are_refused), TEST(mesh_colliders_take_room_as_cloths_do),
          TEST(a_pin_beyond_the_vertices_is_refused),
          TEST(attachments_are_resolved_when_all_colliders_are_there),
          TEST(an_attachment_to_nothing_is_refused_with_its_place),
          TEST(an_empty_world_has_the_default_settings))
