/* Refused meshes as errors of the protocol. */
#include "check.h"

#include <stdlib.h>

#include <scene/scene_refusal.h>

static bool has(const struct wire_error *error, const char *part) {
    bool found = error->data_json != NULL && strstr(error->data_json, part) != NULL;
    if (!found) printf("data %s lacks %s\n", error->data_json ? error->data_json : "(none)", part);
    return found;
}

static void indices_cause_and_line_are_told(void) {
    struct pbd_mesh_refusal refusal = {.cause = PBD_MESH_NON_MANIFOLD_EDGE,
                                       .total = 40,
                                       .edge_count = 2,
                                       .edges = {{1, 2}, {3, 4}},
                                       .face_count = 1,
                                       .faces = {{1, 2, 9}},
                                       .message = "40 edges have more than two triangles."};
    struct wire_error error = {0};
    scene_refusal_error(&refusal, "mesh", 100, 200, 500, &error);
    CHECK_INT(error.code, -32003);
    CHECK_STRING(error.reason, "invalid_mesh");
    CHECK_STRING(error.path, "mesh");
    CHECK_STRING(error.message, "40 edges have more than two triangles.");
    CHECK(has(&error, "\"cause\":\"non_manifold_edge\""));
    CHECK(has(&error, "\"total\":40"));
    CHECK(has(&error, "\"edges\":[[1,2],[3,4]]"));
    CHECK(has(&error, "\"faces\":[[1,2,9]]"));
    CHECK(has(&error, "\"line\":null"));
    CHECK(has(&error, "\"report\":{\"vertices\":100,\"triangles\":200"));
    CHECK(error.data_json != NULL && error.data_json[0] == '"');
    free(error.data_json);
}

static void a_files_line_is_told(void) {
    struct pbd_mesh_refusal refusal = {.cause = PBD_MESH_BAD_NUMBER, .line = 7, .message = "a.obj:7: \"x\""};
    struct wire_error error = {0};
    scene_refusal_error(&refusal, "file", 0, 0, 500, &error);
    CHECK(has(&error, "\"line\":7"));
    CHECK(has(&error, "\"warnings\":[\"a.obj:7: \\\"x\\\"\"]"));
    free(error.data_json);
}

static void limits_are_limit_exceeded(void) {
    struct pbd_mesh_refusal refusal = {.cause = PBD_MESH_LIMIT, .message = "too many"};
    struct wire_error error = {0};
    scene_refusal_error(&refusal, "file", 501, 0, 500, &error);
    CHECK_INT(error.code, -32004);
    CHECK(has(&error, "\"max\":500,\"got\":501"));
    free(error.data_json);
}

RUN_TESTS(TEST(indices_cause_and_line_are_told), TEST(a_files_line_is_told), TEST(limits_are_limit_exceeded))
