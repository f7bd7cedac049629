/* `mesh` notifications and topology messages. */
#include "check.h"
#include "support_sim.h"

#define SCENE                                                                                                \
    "{\"cloths\":[{\"cloth\":\"a\",\"grid\":{\"nx\":4,\"ny\":3,\"size\":[1,1]},\"pins\":[2]}],"              \
    "\"colliders\":[{\"collider\":\"ball\",\"shape\":{\"type\":\"sphere\",\"radius\":0.2},\"position\":[0,-3,0]}]}"

static struct bench bench;

static void open_subscribed(void) {
    bench_open(&bench, SCENE);
    bench_call(&bench, "stream.subscribe", NULL);
}

static void a_cloths_mesh_has_what_a_decoder_needs(void) {
    open_subscribed();
    const cJSON *mesh = bench_notification(&bench, 1, "mesh", 0);
    CHECK_STRING(bench_string(mesh, "world"), "main");
    CHECK_STRING(bench_string(mesh, "name"), "a");
    CHECK_STRING(bench_string(mesh, "kind"), "cloth");
    CHECK_INT(bench_number(mesh, "object"), 0);
    CHECK_INT(bench_number(mesh, "vertex_count"), 12);
    CHECK_INT(bench_number(mesh, "triangle_count"), 12);
    CHECK_INT(bench_number(mesh, "cols"), 4);
    CHECK_INT(bench_number(mesh, "step_exp"), -14); /* floor(log2(√2)) − 14 */
    CHECK(cJSON_IsNull(cJSON_GetObjectItem(mesh, "order")));
    CHECK_INT(cJSON_GetArraySize(cJSON_GetObjectItem(mesh, "pins")), 1);
    CHECK_INT(bench_number(cJSON_GetObjectItem(mesh, "report"), "vertices"), 12);
    bench_close(&bench);
}

static void a_colliders_mesh_has_shape_motion_and_pose(void) {
    open_subscribed();
    const cJSON *mesh = bench_notification(&bench, 1, "mesh", 1);
    CHECK_STRING(bench_string(mesh, "kind"), "collider");
    CHECK_STRING(bench_string(mesh, "motion"), "kinematic");
    CHECK_NEAR(bench_number(cJSON_GetObjectItem(mesh, "shape"), "radius"), 0.2, 1e-9);
    CHECK_NEAR(cJSON_GetArrayItem(cJSON_GetObjectItem(mesh, "position"), 1)->valuedouble, -3, 0);
    CHECK_NEAR(cJSON_GetArrayItem(cJSON_GetObjectItem(mesh, "rotation"), 3)->valuedouble, 1, 0);
    bench_close(&bench);
}

static void triangles_and_rest_come_in_one_message(void) {
    open_subscribed();
    const struct sim_output *output = bench.log[bench_position(&bench, SIM_BINARY, 1, NULL)].output;
    struct frame_header header;
    const unsigned char *payload;
    size_t offset = 0;
    CHECK_INT(frame_next_segment(output->buffer->data, output->buffer->length, &offset, &header, &payload),
              FRAME_OK);
    CHECK_INT(header.type, FRAME_TRIANGLES);
    CHECK_INT(header.count, 12);
    uint32_t triangle[3];
    memcpy(triangle, payload, sizeof triangle);
    for (int i = 0; i < 3; ++i)
        CHECK(triangle[i] < 12);
    CHECK_INT(frame_next_segment(output->buffer->data, output->buffer->length, &offset, &header, &payload),
              FRAME_OK);
    CHECK_INT(header.type, FRAME_REST);
    CHECK_INT(header.count, 12);
    float rest[3];
    memcpy(rest, payload, sizeof rest);
    CHECK(rest[0] == -0.5f && rest[1] == 0.0f && rest[2] == -0.5f); /* vertex 0 of a centred grid */
    CHECK_INT(offset, output->buffer->length);
    bench_close(&bench);
}

static void other_pins_are_told_in_the_same_epoch_without_topology(void) {
    open_subscribed();
    double epoch = bench_number(bench_notification(&bench, 1, "mesh", 0), "epoch");
    bench_clear(&bench);
    bench_call(&bench, "cloth.pin", "{\"cloth\":\"a\",\"vertices\":[5,6]}");
    CHECK_INT(bench_notifications(&bench, 1, "mesh"), 1);
    const cJSON *mesh = bench_notification(&bench, 1, "mesh", 0);
    CHECK_INT(bench_number(mesh, "epoch"), epoch);
    CHECK_INT(cJSON_GetArraySize(cJSON_GetObjectItem(mesh, "pins")), 3);
    CHECK(bench_position(&bench, SIM_BINARY, 1, NULL) == UINT32_MAX);
    bench_close(&bench);
}

static void another_shape_is_told(void) {
    open_subscribed();
    bench_clear(&bench);
    bench_call(&bench, "collider.set",
               "{\"collider\":\"ball\",\"shape\":{\"type\":\"box\",\"half_extents\":[1,2,3]}}");
    const cJSON *shape = cJSON_GetObjectItem(bench_notification(&bench, 1, "mesh", 0), "shape");
    CHECK_STRING(bench_string(shape, "type"), "box");
    bench_close(&bench);
}

#define TETRA                                                                                                \
    "{\"type\":\"mesh\",\"positions\":[0,0,0,1,0,0,0,1,0,0,0,1],\"triangles\":[0,2,1,0,1,3,0,3,2,1,2,3]}"

/* The index-th binary message of client 1 has TRIANGLES and REST of object. */
static void check_topology(uint32_t index, uint32_t object, uint32_t triangles, uint32_t vertices) {
    const struct sim_output *output = NULL;
    for (uint32_t i = 0; i < bench.count; ++i) {
        if (bench.log[i].output->kind != SIM_BINARY) continue;
        if (index-- == 0) output = bench.log[i].output;
    }
    CHECK(output != NULL);
    if (!output) return;
    struct frame_header header;
    const unsigned char *payload;
    size_t offset = 0;
    frame_next_segment(output->buffer->data, output->buffer->length, &offset, &header, &payload);
    CHECK_INT(header.type, FRAME_TRIANGLES);
    CHECK_INT(header.object, object);
    CHECK_INT(header.count, triangles);
    frame_next_segment(output->buffer->data, output->buffer->length, &offset, &header, &payload);
    CHECK_INT(header.type, FRAME_REST);
    CHECK_INT(header.object, object);
    CHECK_INT(header.count, vertices);
    float last[3];
    memcpy(last, payload + 12 * (size_t)(vertices - 1), sizeof last);
    CHECK(object == 0 || last[2] == 1.0f); /* in the collider's frame, wherever it is */
    CHECK_INT(offset, output->buffer->length);
}

static void a_mesh_collider_comes_with_its_triangles_and_vertices(void) {
    bench_open(&bench, SCENE);
    bench_call(&bench, "collider.add", "{\"collider\":\"tetra\",\"shape\":" TETRA ",\"position\":[5,6,7]}");
    bench_call(&bench, "stream.subscribe", NULL);
    const cJSON *mesh = bench_notification(&bench, 1, "mesh", 2);
    CHECK_STRING(bench_string(mesh, "name"), "tetra");
    CHECK_INT(bench_number(mesh, "vertex_count"), 4);
    CHECK_INT(bench_number(mesh, "triangle_count"), 4);
    const cJSON *shape = cJSON_GetObjectItem(mesh, "shape");
    CHECK_STRING(bench_string(shape, "type"), "mesh");
    CHECK_INT(bench_number(shape, "triangle_count"), 4);
    CHECK(cJSON_IsTrue(cJSON_GetObjectItem(shape, "closed")));
    check_topology(0, 0, 12, 12);
    check_topology(1, 2, 4, 4);
    CHECK(bench_position(&bench, SIM_TEXT, 1, "mesh") < bench_position(&bench, SIM_BINARY, 1, NULL));
    CHECK(bench_position(&bench, SIM_BINARY, 1, NULL) < bench_position(&bench, SIM_FRAME, 0, NULL));
    bench_close(&bench);
}

static void a_collider_that_becomes_a_mesh_is_told_with_it_and_only_then(void) {
    open_subscribed();
    bench_clear(&bench);
    bench_call(&bench, "collider.set", "{\"collider\":\"ball\",\"shape\":" TETRA "}");
    CHECK_INT(bench_number(bench_notification(&bench, 1, "mesh", 0), "vertex_count"), 4);
    check_topology(0, 1, 4, 4);
    bench_clear(&bench);
    bench_call(&bench, "collider.set", "{\"collider\":\"ball\",\"friction\":0.7}");
    CHECK_INT(bench_notifications(&bench, 1, "mesh"), 1);
    CHECK(bench_position(&bench, SIM_BINARY, 1, NULL) == UINT32_MAX);
    bench_call(&bench, "collider.set",
               "{\"collider\":\"ball\",\"shape\":{\"type\":\"sphere\",\"radius\":1}}");
    CHECK_INT(bench_number(bench_notification(&bench, 1, "mesh", 1), "vertex_count"), 0);
    CHECK(bench_position(&bench, SIM_BINARY, 1, NULL) == UINT32_MAX);
    bench_close(&bench);
}

static void other_attachments_are_told_in_the_same_epoch_without_topology(void) {
    open_subscribed();
    bench_clear(&bench);
    bench_call(&bench, "cloth.attach", "{\"cloth\":\"a\",\"vertices\":[5,6],\"collider\":\"ball\"}");
    CHECK_INT(bench_notifications(&bench, 1, "mesh"), 1);
    const cJSON *list = cJSON_GetObjectItem(bench_notification(&bench, 1, "mesh", 0), "attachments");
    CHECK_STRING(bench_string(cJSON_GetArrayItem(list, 0), "collider"), "ball");
    CHECK(bench_position(&bench, SIM_BINARY, 1, NULL) == UINT32_MAX);
    bench_close(&bench);
}

static void a_load_tells_what_is_gone_before_what_is_new(void) {
    open_subscribed();
    bench_clear(&bench);
    bench_call(&bench, "world.load",
               "{\"spec\":{\"cloths\":[{\"cloth\":\"z\",\"grid\":{\"nx\":2,\"ny\":2,\"size\":[1,1]}}]}}");
    CHECK_INT(bench_notifications(&bench, 1, "mesh"), 3);
    CHECK(cJSON_IsTrue(cJSON_GetObjectItem(bench_notification(&bench, 1, "mesh", 0), "removed")));
    CHECK(cJSON_IsTrue(cJSON_GetObjectItem(bench_notification(&bench, 1, "mesh", 1), "removed")));
    const cJSON *mesh = bench_notification(&bench, 1, "mesh", 2);
    CHECK_STRING(bench_string(mesh, "name"), "z");
    CHECK_INT(bench_number(mesh, "object"), 0);
    bench_close(&bench);
}

static void several_receivers_share_the_topology_bytes(void) {
    open_subscribed();
    bench_connect(&bench, 2);
    bench_call_as(&bench, 2, "stream.subscribe", NULL);
    bench_clear(&bench);
    bench_call(&bench, "world.reset", NULL);
    uint32_t first = bench_position(&bench, SIM_BINARY, 1, NULL),
             second = bench_position(&bench, SIM_BINARY, 2, NULL);
    CHECK(first != UINT32_MAX && second != UINT32_MAX);
    CHECK(bench.log[first].output->buffer == bench.log[second].output->buffer);
    CHECK(bench.sim->worlds[0]->content.objects.items[0]->topology == NULL); /* and none is kept */
    bench_close(&bench);
}

RUN_TESTS(TEST(a_mesh_collider_comes_with_its_triangles_and_vertices),
          TEST(a_collider_that_becomes_a_mesh_is_told_with_it_and_only_then),
          TEST(other_attachments_are_told_in_the_same_epoch_without_topology),
          TEST(a_cloths_mesh_has_what_a_decoder_needs), TEST(a_colliders_mesh_has_shape_motion_and_pose),
          TEST(triangles_and_rest_come_in_one_message),
          TEST(other_pins_are_told_in_the_same_epoch_without_topology), TEST(another_shape_is_told),
          TEST(a_load_tells_what_is_gone_before_what_is_new),
          TEST(several_receivers_share_the_topology_bytes))
