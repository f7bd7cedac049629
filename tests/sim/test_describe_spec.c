/* A world as a scene: what comes of it is the world again. */
#include "check.h"
#include "shipped.h"

#include <sim/describe_spec.h>

static const struct content_room room = {.max_vertices_per_world = 500000, .max_vertices = 500000};

static char *text_of(const struct content *content) {
    struct json json;
    json_init(&json);
    json_begin_object(&json);
    describe_spec(&json, content);
    json_end_object(&json);
    CHECK(!json.failed);
    return json.text;
}

/* No folder: nothing in it may need a file. */
static struct content built(const char *text) {
    struct content content = {0};
    struct wire_error error = {0};
    struct wire_request *scene = wire_scene_decode(text, strlen(text), &error);
    if (scene == NULL) printf("%s: %s\n", error.path, error.message);
    CHECK(scene != NULL);
    if (content_build(&content, scene->params, NULL, &room, "", &error) != 0)
        printf("%s: %s\n", error.path, error.message);
    CHECK(content.pbd != NULL);
    wire_request_destroy(scene);
    return content;
}

static uint64_t after(pbd_world *pbd, int ticks) {
    for (int i = 0; i < ticks; ++i)
        pbd_world_step(pbd);
    return pbd_world_state_hash(pbd);
}

static void every_shipped_scene_comes_back_bit_for_bit_and_stays_so(void) {
    static const char *const names[] = {"balloon", "barrel",     "bunny",    "curtain", "drape",
                                        "dress",   "flag",       "games103", "net",     "stack",
                                        "twist",   "tablecloth", "flag",     "balloon", NULL};
    for (int i = 0; names[i]; ++i) {
        struct shipped scene = shipped_open(names[i]);
        struct content *source = &scene.sim->worlds[0]->content;
        char *text = text_of(source);
        struct content again = built(text);
        CHECK(pbd_world_state_hash(again.pbd) == pbd_world_state_hash(source->pbd));
        char *second = text_of(&again);
        if (strcmp(text, second) != 0) printf("%s: the second text differs\n", names[i]);
        CHECK(strcmp(text, second) == 0);
        int ticks = SLOW_BUILD ? 1 : 20;
        bool same = after(again.pbd, ticks) == after(source->pbd, ticks);
        printf("%-10s %7zu bytes, %s after %d ticks\n", names[i], strlen(text),
               same ? "the same" : "DIFFERENT", ticks);
        CHECK(same);
        free(text);
        free(second);
        content_free(&again);
        shipped_close(&scene);
    }
}

static void a_moved_world_keeps_places_speeds_and_what_holds_it(void) {
    struct shipped scene = shipped_open("net");
    struct content *source = &scene.sim->worlds[0]->content;
    shipped_go(&scene, SLOW_BUILD ? 3 : 30);
    struct object *cloth = source->objects.items[0];
    const uint32_t vertex = 100;
    pbd_cloth_pin(source->pbd, cloth->id, &vertex, 1, NULL);
    char *text = text_of(source);
    struct content again = built(text);
    struct pbd_cloth_view was, is;
    CHECK_INT(pbd_cloth_get_view(source->pbd, cloth->id, &was), PBD_OK);
    CHECK_INT(pbd_cloth_get_view(again.pbd, again.objects.items[0]->id, &is), PBD_OK);
    CHECK_INT(is.particle_count, was.particle_count);
    CHECK(memcmp(is.x, was.x, was.particle_count * sizeof *was.x) == 0);
    CHECK(memcmp(is.vy, was.vy, was.particle_count * sizeof *was.vy) == 0);
    CHECK_INT(pbd_cloth_is_pinned(again.pbd, again.objects.items[0]->id, vertex, NULL), 1);
    CHECK_INT(pbd_cloth_attachments(again.pbd, again.objects.items[0]->id, NULL, NULL, 0),
              pbd_cloth_attachments(source->pbd, cloth->id, NULL, NULL, 0));
    free(text);
    content_free(&again);
    shipped_close(&scene);
}

static struct content from(const char *members) {
    char text[2048];
    snprintf(text, sizeof text, "{%s}", members);
    return built(text);
}

static void the_oddest_starts_come_back_too(void) {
    static const char *const scenes[] = {
        /* A welded mesh with a degenerate and a doubled triangle, extra edges, masses, speeds. */
        "\"cloths\":[{\"cloth\":\"a\",\"mesh\":{\"positions\":[0,0,0,1,0,0,0,0,1,1,0,1,1,0,1,0,1,0],"
        "\"triangles\":[0,1,2,1,4,2,0,0,1,2,1,0],\"edges\":[0,3],\"masses\":[1,2,3,4,5,6]},"
        "\"velocities\":[1,0,0,2,0,0,3,0,0,4,0,0,4,0,0,6,0,0],\"rotation\":[0.1,0.2,0.3,0.9],\"scale\":[1,2,3]}]",
        /* Rows, a rest pose of its own, everything of the material, pins in an odd order. */
        "\"cloths\":[{\"cloth\":\"b\",\"mesh\":{\"positions\":[0,0,0,1,0.1,0,0,0,1,1,0,1.1],\"cols\":2,"
        "\"rest_positions\":[0,0,0,1,0,0,0,0,1,1,0,1],\"triangles\":[0,2,1,1,2,3]},\"pins\":[3,0],"
        "\"stretch_compliance\":null,\"bend_compliance\":0.3,\"bend_model\":\"distance\",\"static_friction\":0.9,"
        "\"thickness\":0.5,\"velocity\":[0,-0.0,0.1],\"weld\":0,\"allow_nonmanifold\":true}]",
        /* Turned grids, some put elsewhere. */
        "\"cloths\":[{\"cloth\":\"c\",\"grid\":{\"nx\":4,\"ny\":3,\"size\":[1,0.7],\"diagonal\":\"alternate\"},"
        "\"rotation\":[0.3,0.1,0.2,0.7],\"scale\":1.1,\"position\":[0.1,0.2,0.3]},{\"cloth\":\"d\",\"grid\":"
        "{\"nx\":2,\"ny\":2,\"size\":[1,1]},\"positions\":[0,0,0,1,1,0,0,0,1,1,0.5,1]}]",
        /* Every shape and motion, quaternions that are not of length 1. */
        "\"colliders\":[{\"collider\":\"p\",\"shape\":{\"type\":\"plane\",\"normal\":[0.3,1,0.1],\"offset\":-2},"
        "\"motion\":\"static\"},{\"collider\":\"k\",\"shape\":{\"type\":\"capsule\",\"radius\":0.1,\"half_height\":"
        "0.5},\"rotation\":[0.3,0.3,0.1,0.71],\"velocity\":[0.1,0,0],\"angular_velocity\":[0,3,0],"
        "\"moves_from\":0.25,\"moves_until\":0.5},{\"collider\":\"q\",\"shape\":{\"type\":\"box\",\"half_extents\":"
        "[0.1,0.2,0.3]},\"motion\":\"dynamic\",\"mass\":3,\"position\":[0,3,0],\"rotation\":[0.9,0.2,0.4,0.1],"
        "\"velocity\":[0,1,0],\"angular_velocity\":[1,2,3],\"static_friction\":0.4},{\"collider\":\"m\",\"shape\":"
        "{\"type\":\"mesh\",\"positions\":[0,0,0,1,0,0,0,1,0,0,0,1],\"triangles\":[0,1,2,0,3,1,0,2,3,1,3,2],"
        "\"scale\":[1,2,0.3]}}],\"world\":{\"gravity\":[0.1,-3,0],\"time_scale\":0.3,\"solver\":{\"method\":\"pbd\","
        "\"iterations\":7}},\"view\":{\"position\":[0.1,2,3]},\"title\":\"\\u00e9\"",
    };
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; ++i) {
        struct content first = from(scenes[i]);
        char *text = text_of(&first);
        struct content again = built(text);
        char *second = text_of(&again);
        CHECK_STRING(second, text);
        CHECK(pbd_world_state_hash(again.pbd) == pbd_world_state_hash(first.pbd));
        CHECK(after(again.pbd, 40) == after(first.pbd, 40));
        free(text);
        free(second);
        content_free(&first);
        content_free(&again);
    }
}

static void what_moves_on_its_own_goes_on_from_where_it_is(void) {
    struct content first =
        from("\"colliders\":[{\"collider\":\"k\",\"shape\":{\"type\":\"sphere\",\"radius\":0.1},"
             "\"velocity\":[0.5,0,0],\"moves_from\":0.1,\"moves_until\":1}]");
    after(first.pbd, 30);
    char *text = text_of(&first);
    struct content again = built(text);
    struct pbd_collider_state is, was;
    for (int k = 0; k < 2; ++k) {
        CHECK_INT(pbd_collider_get(first.pbd, first.objects.items[0]->id, &was), PBD_OK);
        CHECK_INT(pbd_collider_get(again.pbd, again.objects.items[0]->id, &is), PBD_OK);
        CHECK_NEAR(is.def.position[0], was.def.position[0], 1e-6);
        after(first.pbd, 60);
        after(again.pbd, 60);
    }
    CHECK_NEAR(is.def.position[0], 0.45, 1e-5);
    free(text);
    content_free(&first);
    content_free(&again);
}

RUN_TESTS(TEST(every_shipped_scene_comes_back_bit_for_bit_and_stays_so),
          TEST(a_moved_world_keeps_places_speeds_and_what_holds_it), TEST(the_oddest_starts_come_back_too),
          TEST(what_moves_on_its_own_goes_on_from_where_it_is))
