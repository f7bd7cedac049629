/* Attaching, detaching, hitting vertices. */
#include "check.h"
#include "support_sim.h"

#define SCENE                                                                                                      \
    "{\"world\":{\"gravity\":[0,0,0]},\"cloths\":[{\"cloth\":\"a\",\"grid\":{\"nx\":4,\"ny\":3,\"size\":[1,1]}}]," \
    "\"colliders\":[{\"collider\":\"arm\",\"shape\":{\"type\":\"sphere\",\"radius\":0.1},\"position\":[0,-3,0]},"  \
    "{\"collider\":\"leg\",\"shape\":{\"type\":\"sphere\",\"radius\":0.1},\"position\":[0,-5,0]}]}"

static struct bench bench;

static const cJSON *values(const char *method, const char *vertices) {
    char params[96];
    snprintf(params, sizeof params, "{\"cloth\":\"a\",\"vertices\":%s}", vertices);
    return cJSON_GetObjectItem(bench_call(&bench, method, params), "values");
}

static double number(const cJSON *array, int index) {
    return cJSON_GetArrayItem(array, index)->valuedouble;
}

/* `previous.attach` or `attachments` as text. */
static void check_list(const cJSON *list, const char *want) {
    char *text = cJSON_PrintUnformatted(list);
    CHECK_STRING(text, want);
    cJSON_free(text);
}

static const cJSON *previous(const cJSON *result) {
    return cJSON_GetObjectItem(cJSON_GetObjectItem(result, "previous"), "attach");
}

static void attached_vertices_follow_the_collider(void) {
    bench_open(&bench, SCENE);
    CHECK(bench_call(&bench, "cloth.attach", "{\"cloth\":\"a\",\"vertices\":[0,3],\"collider\":\"arm\"}") !=
          NULL);
    bench_call(&bench, "collider.move", "{\"collider\":\"arm\",\"position\":[0,-2.5,1],\"over\":30}");
    bench_call(&bench, "world.step", "{\"ticks\":30}");
    const cJSON *moved = values("cloth.positions", "[0,3]");
    CHECK_NEAR(number(moved, 0), -0.5, 1e-6);
    CHECK_NEAR(number(moved, 1), 0.5, 1e-6);
    CHECK_NEAR(number(moved, 2), 0.5, 1e-6);
    CHECK_NEAR(number(moved, 3), 0.5, 1e-6);
    bench_close(&bench);
}

static void the_latter_collider_has_the_vertex_and_previous_tells_the_former(void) {
    bench_open(&bench, SCENE);
    check_list(previous(bench_call(&bench, "cloth.attach",
                                   "{\"cloth\":\"a\",\"vertices\":[0,1,2],\"collider\":\"arm\"}")),
               "[]");
    check_list(previous(bench_call(&bench, "cloth.attach",
                                   "{\"cloth\":\"a\",\"vertices\":[2,3],\"collider\":\"leg\"}")),
               "[{\"collider\":\"arm\",\"vertices\":[2]}]");
    const cJSON *described = bench_call(&bench, "cloth.describe", "{\"cloth\":\"a\"}");
    check_list(cJSON_GetObjectItem(described, "attachments"),
               "[{\"collider\":\"arm\",\"vertices\":[0,1]},{\"collider\":\"leg\",\"vertices\":[2,3]}]");
    bench_close(&bench);
}

static void detaching_some_or_all_or_those_of_one_collider(void) {
    bench_open(&bench, SCENE);
    bench_call(&bench, "cloth.attach", "{\"cloth\":\"a\",\"vertices\":[0,1,2],\"collider\":\"arm\"}");
    bench_call(&bench, "cloth.attach", "{\"cloth\":\"a\",\"vertices\":[3,4],\"collider\":\"leg\"}");
    check_list(previous(bench_call(&bench, "cloth.detach", "{\"cloth\":\"a\",\"vertices\":[1,1]}")),
               "[{\"collider\":\"arm\",\"vertices\":[1]}]");
    check_list(
        previous(bench_call(&bench, "cloth.detach", "{\"cloth\":\"a\",\"all\":true,\"collider\":\"leg\"}")),
        "[{\"collider\":\"leg\",\"vertices\":[3,4]}]");
    check_list(previous(bench_call(&bench, "cloth.detach", "{\"cloth\":\"a\",\"all\":true}")),
               "[{\"collider\":\"arm\",\"vertices\":[0,2]}]");
    check_list(previous(bench_call(&bench, "cloth.detach", "{\"cloth\":\"a\",\"all\":true}")), "[]");
    bench_close(&bench);
}

static void attachments_end_with_their_collider(void) {
    bench_open(&bench, SCENE);
    bench_call(&bench, "stream.subscribe", NULL);
    bench_call(&bench, "cloth.attach", "{\"cloth\":\"a\",\"vertices\":[0],\"collider\":\"arm\"}");
    bench_clear(&bench);
    bench_call(&bench, "collider.remove", "{\"collider\":\"arm\"}");
    bool told = false; /* a `mesh` of the cloth without attachments */
    for (uint32_t i = 0; i < bench_notifications(&bench, 1, "mesh"); ++i) {
        const cJSON *mesh = bench_notification(&bench, 1, "mesh", i);
        const cJSON *list = cJSON_GetObjectItem(mesh, "attachments");
        told = told || (list && cJSON_GetArraySize(list) == 0);
    }
    CHECK(told);
    check_list(cJSON_GetObjectItem(bench_call(&bench, "cloth.describe", "{\"cloth\":\"a\"}"), "attachments"),
               "[]");
    bench_close(&bench);
}

static void reset_brings_the_attachments_of_the_start_back(void) {
    bench_open(&bench, SCENE);
    bench_call(&bench, "cloth.attach", "{\"cloth\":\"a\",\"vertices\":[0],\"collider\":\"arm\"}");
    bench_call(&bench, "world.reset", NULL);
    check_list(cJSON_GetObjectItem(bench_call(&bench, "cloth.describe", "{\"cloth\":\"a\"}"), "attachments"),
               "[]");
    bench_close(&bench);
}

static void what_cannot_be_attached_or_detached_is_refused_by_name(void) {
    static const struct {
        const char *method, *params;
        double code;
        const char *path, *part;
    } bad[] = {
        {"cloth.attach", "{\"cloth\":\"a\",\"vertices\":[0],\"collider\":\"nose\"}", -32001, "collider",
         "nose"},
        {"cloth.attach", "{\"cloth\":\"b\",\"vertices\":[0],\"collider\":\"arm\"}", -32001, "cloth", "b"},
        {"cloth.attach", "{\"cloth\":\"a\",\"vertices\":[12],\"collider\":\"arm\"}", -32602, "vertices",
         "12"},
        {"cloth.detach", "{\"cloth\":\"a\",\"vertices\":[1,5]}", -32005, "vertices", "vertex 5"},
        {"cloth.detach", "{\"cloth\":\"a\",\"vertices\":[1],\"collider\":\"leg\"}", -32005, "vertices",
         "\"arm\""},
        {"cloth.detach", "{\"cloth\":\"a\",\"vertices\":[1],\"collider\":\"nose\"}", -32001, "collider",
         "nose"},
        {"cloth.detach", "{\"cloth\":\"a\",\"all\":false}", -32602, "all", "false"},
    };
    bench_open(&bench, SCENE);
    bench_call(&bench, "cloth.attach", "{\"cloth\":\"a\",\"vertices\":[1],\"collider\":\"arm\"}");
    const char *before = bench_hash(&bench);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        const cJSON *error = bench_refused(&bench, bad[i].method, bad[i].params);
        CHECK_INT(bench_number(error, "code"), bad[i].code);
        CHECK_STRING(bench_string(cJSON_GetObjectItem(error, "data"), "path"), bad[i].path);
        CHECK(strstr(bench_string(error, "message"), bad[i].part) != NULL);
    }
    CHECK_STRING(bench_hash(&bench), before);
    check_list(cJSON_GetObjectItem(bench_call(&bench, "cloth.describe", "{\"cloth\":\"a\"}"), "attachments"),
               "[{\"collider\":\"arm\",\"vertices\":[1]}]");
    bench_close(&bench);
}

/* m·Δv = impulse: a 1 m² sheet of 0.2 kg/m² has 2/3 of its mass shared by few vertices; the
 * mass of one is what its velocity says, and twice the impulse gives twice the velocity. */
static void an_impulse_changes_the_velocity_in_proportion(void) {
    bench_open(&bench, SCENE);
    bench_call(&bench, "cloth.pin", "{\"cloth\":\"a\",\"vertices\":[0]}");
    bench_call(&bench, "cloth.impulse", "{\"cloth\":\"a\",\"vertices\":[0,5],\"impulse\":[0,0.01,0]}");
    double once = number(values("cloth.velocities", "[5]"), 1);
    CHECK(once > 0.0);
    CHECK_NEAR(number(values("cloth.velocities", "[0]"), 1), 0, 0);
    bench_call(&bench, "cloth.impulse", "{\"cloth\":\"a\",\"vertices\":[5],\"impulse\":[0,0.01,0]}");
    CHECK_NEAR(number(values("cloth.velocities", "[5]"), 1), 2 * once, 1e-6 * once);
    bench_close(&bench);
}

RUN_TESTS(TEST(attached_vertices_follow_the_collider),
          TEST(the_latter_collider_has_the_vertex_and_previous_tells_the_former),
          TEST(detaching_some_or_all_or_those_of_one_collider), TEST(attachments_end_with_their_collider),
          TEST(reset_brings_the_attachments_of_the_start_back),
          TEST(what_cannot_be_attached_or_detached_is_refused_by_name),
          TEST(an_impulse_changes_the_velocity_in_proportion))
