/* `previous` undoes what a command did. */
#include "check.h"
#include "support_sim.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHEET "{\"cloths\":[{\"cloth\":\"a\",\"grid\":{\"nx\":4,\"ny\":3,\"size\":[1,1]},\"pins\":[0,3]}]}"

static struct bench bench;

/* Sends params that contain printed JSON of an earlier reply. */
static const cJSON *call_with(const char *method, const char *format, const cJSON *vertices,
                              const cJSON *positions) {
    static char params[65536];
    char *v = cJSON_PrintUnformatted(vertices), *p = cJSON_PrintUnformatted(positions);
    snprintf(params, sizeof params, format, v, p);
    cJSON_free(v);
    cJSON_free(p);
    return bench_call(&bench, method, params);
}

static void unpin_is_undone_by_pinning_with_previous(void) {
    bench_open(&bench, SHEET);
    bench_call(&bench, "cloth.move", "{\"cloth\":\"a\",\"vertices\":[3],\"positions\":[1,2,3]}");
    bench_call(&bench, "world.step", NULL);
    const cJSON *previous = cJSON_GetObjectItem(
        bench_call(&bench, "cloth.unpin", "{\"cloth\":\"a\",\"vertices\":[1,3]}"), "previous");
    const cJSON *vertices = cJSON_GetObjectItem(previous, "vertices");
    const cJSON *positions = cJSON_GetObjectItem(previous, "positions");
    CHECK_INT(cJSON_GetArraySize(vertices), 1); /* 1 was not pinned */
    CHECK_INT(cJSON_GetArrayItem(vertices, 0)->valueint, 3);
    CHECK_INT(cJSON_GetArraySize(positions), 3);
    CHECK_NEAR(cJSON_GetArrayItem(positions, 1)->valuedouble, 2, 0);
    CHECK(call_with("cloth.pin", "{\"cloth\":\"a\",\"vertices\":%s,\"positions\":%s}", vertices, positions) !=
          NULL);
    const cJSON *pins =
        cJSON_GetObjectItem(bench_call(&bench, "cloth.describe", "{\"cloth\":\"a\"}"), "pins");
    CHECK_INT(cJSON_GetArraySize(pins), 2);
    bench_close(&bench);
}

static void move_tells_the_targets_that_it_replaced(void) {
    bench_open(&bench, SHEET);
    bench_call(&bench, "cloth.move", "{\"cloth\":\"a\",\"vertices\":[0],\"positions\":[1,2,3],\"over\":10}");
    const cJSON *result =
        bench_call(&bench, "cloth.move", "{\"cloth\":\"a\",\"vertices\":[0],\"offset\":[0,1,0]}");
    const cJSON *positions = cJSON_GetObjectItem(cJSON_GetObjectItem(result, "previous"), "positions");
    CHECK_NEAR(cJSON_GetArrayItem(positions, 0)->valuedouble, 1, 0);
    CHECK_NEAR(cJSON_GetArrayItem(positions, 2)->valuedouble, 3, 0);
    bench_close(&bench);
}

/* ---- cloth.remove, undone as PROTOCOL.md says ---- */

enum { SEEN = 6 };

/* What a client can see of cloth "a", as text. */
struct seen {
    char *texts[SEEN];
    char hash[17];
};

static char *text_of(const cJSON *result, const char *member) {
    return cJSON_PrintUnformatted(cJSON_GetObjectItem(result, member));
}

static struct seen look(struct bench *at) {
    const char *cloth = "{\"cloth\":\"a\"}";
    const cJSON *described = bench_call(at, "cloth.describe", cloth);
    struct seen seen = {.texts = {text_of(bench_call(at, "cloth.positions", cloth), "values"),
                                  text_of(bench_call(at, "cloth.velocities", cloth), "values"),
                                  text_of(described, "report"), text_of(described, "material"),
                                  text_of(described, "pins"), NULL}};
    cJSON *edges = cJSON_Duplicate(bench_call(at, "cloth.edges", cloth), true);
    cJSON_DeleteItemFromObject(edges, "tick");
    cJSON_DeleteItemFromObject(edges, "force"); /* of the last tick: not state */
    seen.texts[5] = cJSON_PrintUnformatted(edges);
    cJSON_Delete(edges);
    snprintf(seen.hash, sizeof seen.hash, "%s", bench_hash(at));
    return seen;
}

/* Frees both. */
static void check_same(struct seen before, struct seen after) {
    for (int i = 0; i < SEEN; ++i) {
        CHECK_STRING(after.texts[i], before.texts[i]);
        cJSON_free(before.texts[i]);
        cJSON_free(after.texts[i]);
    }
}

static void send(const char *method, cJSON *params) {
    char *text = cJSON_PrintUnformatted(params);
    CHECK(bench_call(&bench, method, text) != NULL);
    cJSON_free(text);
    cJSON_Delete(params);
}

/* Moves a member to the params of another command, if it is there and not null. */
static bool take(cJSON *previous, const char *member, cJSON *params, const char *name) {
    cJSON *item = cJSON_DetachItemFromObject(previous, member);
    bool useful = item && !cJSON_IsNull(item);
    if (useful) {
        cJSON_AddItemToObject(params, name, item);
    } else {
        cJSON_Delete(item);
    }
    return useful;
}

static cJSON *params_for_a(void) {
    cJSON *params = cJSON_CreateObject();
    cJSON_AddStringToObject(params, "cloth", "a");
    return params;
}

static cJSON *remove_it(void) {
    const cJSON *result = bench_call(&bench, "cloth.remove", "{\"cloth\":\"a\"}");
    cJSON *previous = cJSON_Duplicate(cJSON_GetObjectItem(result, "previous"), true);
    CHECK(previous != NULL);
    return previous;
}

/* Frees previous. */
static void bring_back(cJSON *previous) {
    cJSON *state = params_for_a(), *pins = params_for_a();
    take(previous, "positions", state, "positions");
    take(previous, "velocities", state, "velocities");
    take(previous, "pin_positions", pins, "positions");
    cJSON_AddItemToObject(pins, "vertices", cJSON_Duplicate(cJSON_GetObjectItem(previous, "pins"), true));
    cJSON_DeleteItemFromObject(previous, "material");
    if (cJSON_IsNull(cJSON_GetObjectItem(previous, "mesh"))) cJSON_DeleteItemFromObject(previous, "mesh");
    send("cloth.add", previous);
    send("cloth.set_state", state);
    send("cloth.pin", pins);
}

/* A world of one cloth, which may be as large as the shipped files. */
static void open_with(struct bench *at, const char *cloth) {
    size_t size = strlen(cloth) + 80;
    char *params = malloc(size);
    bench_open(at, NULL);
    at->sim->config.limits.max_vertices_per_world = at->sim->config.limits.max_vertices = 10000;
    snprintf(params, size, "{\"spec\":{\"world\":{\"drag\":0.2},\"cloths\":[%s]}}", cloth);
    CHECK(bench_call(at, "world.load", params) != NULL);
    bench_clear(at);
    free(params);
}

/* Removed and added again, the cloth is the same: before its first tick to the hash, and
 * with the same future; later to the last bit of positions and velocities. */
static void check_undo(const char *cloth) {
    static struct bench untouched;
    open_with(&bench, cloth);
    open_with(&untouched, cloth);
    for (int round = 0; round < 2; ++round) { /* what came back can be brought back */
        struct seen before = look(&bench);
        bring_back(remove_it());
        struct seen after = look(&bench);
        CHECK_STRING(after.hash, before.hash);
        check_same(before, after);
    }
    const char *ticks = "{\"ticks\":7}";
    CHECK_STRING(bench_string(bench_call(&bench, "world.step", ticks), "state_hash"),
                 bench_string(bench_call(&untouched, "world.step", ticks), "state_hash"));
    struct seen before = look(&bench);
    bring_back(remove_it());
    check_same(before, look(&bench));
    bench_close(&untouched);
    bench_close(&bench);
}

static void a_grid_comes_back(void) {
    check_undo(
        "{\"cloth\":\"a\",\"grid\":{\"nx\":6,\"ny\":5,\"size\":[1,0.7],\"diagonal\":\"alternate\"},"
        "\"position\":[0.1,2,0.3],\"rotation\":[0.1,0.2,0.3,0.9],\"scale\":[1.1,1,0.9],\"density\":0.37,"
        "\"velocity\":[0.1,0.2,0.3],\"pins\":[0,5],\"bend_model\":\"distance\",\"bend_compliance\":null,"
        "\"stretch_compliance\":1e-6,\"static_friction\":0.7}");
}

/* Two triangles, a third at their common edge, and a seam: vertices 1 and 5 coincide. */
#define MESH                                                                                                 \
    "\"positions\":[0,0,0, 1,0,0, 0,0,1, 1,0,1, 0.3,1,0.4, 1,0,0, 2,0.1,0],"                                 \
    "\"triangles\":[0,1,2, 1,2,3, 1,2,4, 5,3,6, 2,1,0, 3,3,6],\"edges\":[0,6, 4,3, 0,1]"

static void a_mesh_with_all_that_it_may_have_comes_back(void) {
    check_undo("{\"cloth\":\"a\",\"mesh\":{" MESH
               ",\"masses\":[0.1,0.2,0.3,0.7,0.11,0.0123456789,3],\"rest_positions\":[0,0,0, 1.1,0,0, 0,0,1,"
               "1,0,1.2, 0.3,1,0.4, 1.1,0,0, 2,0.1,0]},\"allow_nonmanifold\":true,\"pins\":[6]}");
}

static void what_it_was_attached_to_and_its_contact_come_back(void) {
    bench_open(
        &bench,
        "{\"cloths\":[{\"cloth\":\"a\",\"grid\":{\"nx\":4,\"ny\":3,\"size\":[1,1]},\"self_collision\":true,"
        "\"cloth_collision\":false,\"attach\":[{\"collider\":\"pole\",\"vertices\":[0,3]}]}],"
        "\"colliders\":[{\"collider\":\"pole\",\"shape\":{\"type\":\"sphere\",\"radius\":0.1},"
        "\"position\":[0,3,0],\"angular_velocity\":[0,1,0]}]}");
    bench_call(&bench, "world.step", "{\"ticks\":20}");
    struct seen before = look(&bench);
    char *attached = text_of(bench_call(&bench, "cloth.describe", "{\"cloth\":\"a\"}"), "attachments");
    bring_back(remove_it());
    check_same(before, look(&bench));
    char *again = text_of(bench_call(&bench, "cloth.describe", "{\"cloth\":\"a\"}"), "attachments");
    CHECK_STRING(again, attached);
    CHECK_STRING(again, "[{\"collider\":\"pole\",\"vertices\":[0,3]}]");
    cJSON_free(attached);
    cJSON_free(again);
    bench_close(&bench);
}

static void the_weld_that_was_used_comes_back(void) {
    check_undo("{\"cloth\":\"a\",\"mesh\":{" MESH "},\"allow_nonmanifold\":true,\"weld\":0}");
    check_undo("{\"cloth\":\"a\",\"mesh\":{" MESH "},\"allow_nonmanifold\":true,\"weld\":0.1,\"pins\":[1]}");
}

static void a_rope_comes_back(void) {
    check_undo("{\"cloth\":\"a\",\"mesh\":{\"positions\":[0,0,0, 0.1,0,0, 0.2,0,0, 0.3,0.1,0],"
               "\"edges\":[0,1, 2,1, 3,2]},\"pins\":[0],\"density\":0.5}");
}

static void a_file_comes_back(void) {
    check_undo("{\"cloth\":\"a\",\"file\":\"dress.obj\",\"scale\":0.5,\"pins\":[{\"from\":3,\"to\":9}]}");
}

static void the_rows_of_a_grid_come_back(void) {
    bench_open(&bench, SHEET);
    bring_back(remove_it());
    bench_call(&bench, "stream.subscribe", NULL);
    CHECK_NEAR(bench_number(bench_notification(&bench, 1, "mesh", 0), "cols"), 4, 0);
    bench_close(&bench);
}

static void pins_on_their_way_come_back_with_where_they_lead(void) {
    bench_open(&bench, SHEET);
    bench_call(&bench, "cloth.move", "{\"cloth\":\"a\",\"vertices\":[3],\"positions\":[1,2,3],\"over\":10}");
    bench_call(&bench, "world.step", "{\"ticks\":4}");
    struct seen before = look(&bench);
    bring_back(remove_it());
    check_same(before, look(&bench));
    bench_call(&bench, "world.step", NULL);
    const cJSON *values = cJSON_GetObjectItem(
        bench_call(&bench, "cloth.positions", "{\"cloth\":\"a\",\"vertices\":[3]}"), "values");
    CHECK_NEAR(cJSON_GetArrayItem(values, 2)->valuedouble, 3, 0);
    bench_close(&bench);
}

/* Below what its mesh needs and above what its positions need: 12 vertices, 66 indices. */
enum { TIGHT_BYTES = 900 };

static void a_grid_too_long_for_one_message_comes_back_as_a_grid(void) {
    bench_open(&bench, SHEET);
    bench.sim->config.limits.max_message_bytes = TIGHT_BYTES;
    struct seen start = look(&bench);
    cJSON *previous = remove_it();
    CHECK(cJSON_IsNull(cJSON_GetObjectItem(previous, "mesh")));
    bring_back(previous);
    struct seen again = look(&bench);
    CHECK_STRING(again.hash, start.hash);
    check_same(start, again);
    bench_call(&bench, "world.step", "{\"ticks\":7}");
    struct seen before = look(&bench);
    previous = remove_it();
    CHECK(cJSON_IsNull(cJSON_GetObjectItem(previous, "mesh")));
    CHECK(cJSON_IsObject(cJSON_GetObjectItem(previous, "grid")));
    bring_back(previous);
    check_same(before, look(&bench));
    bench_close(&bench);
}

static void a_mesh_too_long_for_one_message_leaves_its_state(void) {
    open_with(&bench, "{\"cloth\":\"a\",\"file\":\"dress.obj\"}");
    bench.sim->config.limits.max_message_bytes = 120000;
    cJSON *previous = remove_it();
    CHECK(cJSON_IsNull(cJSON_GetObjectItem(previous, "mesh")));
    CHECK(cJSON_GetObjectItem(previous, "grid") == NULL);
    int vertices = cJSON_GetArraySize(cJSON_GetObjectItem(previous, "positions")) / 3;
    CHECK(vertices >= 1000);
    CHECK_INT(cJSON_GetArraySize(cJSON_GetObjectItem(previous, "velocities")), 3 * vertices);
    cJSON_Delete(previous);
    bench_close(&bench);
}

static void state_too_long_for_one_message_is_null(void) {
    open_with(&bench, "{\"cloth\":\"a\",\"file\":\"dress.obj\"}");
    bench.sim->config.limits.max_message_bytes = 20000;
    cJSON *previous = remove_it();
    CHECK(cJSON_IsNull(cJSON_GetObjectItem(previous, "positions")));
    cJSON *velocities = cJSON_GetObjectItem(previous, "velocities"); /* all 0: short */
    CHECK(cJSON_IsArray(velocities));
    CHECK_NEAR(bench_number(previous, "density"), 0.2, 1e-12);
    cJSON_Delete(previous);
    bench_close(&bench);
}

RUN_TESTS(TEST(unpin_is_undone_by_pinning_with_previous), TEST(move_tells_the_targets_that_it_replaced),
          TEST(a_grid_comes_back), TEST(a_mesh_with_all_that_it_may_have_comes_back),
          TEST(what_it_was_attached_to_and_its_contact_come_back), TEST(the_weld_that_was_used_comes_back),
          TEST(a_rope_comes_back), TEST(a_file_comes_back), TEST(the_rows_of_a_grid_come_back),
          TEST(pins_on_their_way_come_back_with_where_they_lead),
          TEST(a_grid_too_long_for_one_message_comes_back_as_a_grid),
          TEST(a_mesh_too_long_for_one_message_leaves_its_state),
          TEST(state_too_long_for_one_message_is_null))
