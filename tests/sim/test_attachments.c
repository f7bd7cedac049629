/* Attachments as JSON by collider. */
#include "check.h"
#include "support_sim.h"
#include <sim/attachments.h>
#include <stdlib.h>

#define SCENE                                                                                                        \
    "{\"cloths\":[{\"cloth\":\"a\",\"grid\":{\"nx\":4,\"ny\":3,\"size\":[1,1]},\"attach\":["                         \
    "{\"collider\":\"late\",\"vertices\":[9,{\"from\":1,\"to\":3}]},{\"collider\":\"early\",\"vertices\":[0,2]}]}]," \
    "\"colliders\":[{\"collider\":\"early\",\"shape\":{\"type\":\"sphere\",\"radius\":0.2},\"position\":[0,-3,0]},"  \
    "{\"collider\":\"late\",\"shape\":{\"type\":\"sphere\",\"radius\":0.2},\"position\":[0,-5,0]}]}"

static struct bench bench;

static char *text_of(const uint32_t *vertices, uint32_t count) {
    const struct content *content = &bench.sim->worlds[0]->content;
    struct json json;
    json_init(&json);
    attachments_describe(&json, content, object_find(&content->objects, OBJECT_CLOTH, "a"), vertices, count);
    return json.text;
}

/* Vertex 2 was named twice: it follows the latter. */
static void all_are_told_by_collider_in_object_order(void) {
    bench_open(&bench, SCENE);
    char *text = text_of(NULL, 0);
    CHECK_STRING(
        text, "[{\"collider\":\"early\",\"vertices\":[0,2]},{\"collider\":\"late\",\"vertices\":[1,3,9]}]");
    free(text);
    bench_close(&bench);
}

static void only_those_of_the_named_vertices_each_once(void) {
    bench_open(&bench, SCENE);
    static const uint32_t some[] = {9, 5, 0, 9}, none[] = {5, 6};
    char *text = text_of(some, 4);
    CHECK_STRING(text,
                 "[{\"collider\":\"early\",\"vertices\":[0]},{\"collider\":\"late\",\"vertices\":[9]}]");
    free(text);
    text = text_of(none, 2);
    CHECK_STRING(text, "[]");
    free(text);
    bench_close(&bench);
}

static void the_map_has_an_id_per_attached_vertex(void) {
    bench_open(&bench, SCENE);
    const struct content *content = &bench.sim->worlds[0]->content;
    pbd_collider_id *map = attachments_map(content, object_find(&content->objects, OBJECT_CLOTH, "a"));
    CHECK(map[5] == 0);
    CHECK(map[9] == object_find(&content->objects, OBJECT_COLLIDER, "late")->id);
    free(map);
    bench_close(&bench);
}

RUN_TESTS(TEST(all_are_told_by_collider_in_object_order), TEST(only_those_of_the_named_vertices_each_once),
          TEST(the_map_has_an_id_per_attached_vertex))
