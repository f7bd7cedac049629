/* Refusals of the import gate and of the readers, told in the user's indices. */
#include "scene/scene_refusal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wire/errors.h>
#include <wire/json_write.h>

static void write_rows(struct json *json, const char *key, const uint32_t *rows, uint32_t count,
                       size_t width) {
    json_key(json, key);
    json_begin_array(json);
    for (uint32_t i = 0; i < count; ++i)
        json_uints(json, rows + i * width, width);
    json_end_array(json);
}

static void write_data(struct json *json, const struct pbd_mesh_refusal *refusal, uint32_t vertices,
                       uint32_t faces) {
    json_key(json, "cause");
    json_string(json, pbd_mesh_cause_name(refusal->cause));
    json_key(json, "total");
    json_integer(json, refusal->total);
    write_rows(json, "edges", &refusal->edges[0][0], refusal->edge_count, 2);
    write_rows(json, "faces", &refusal->faces[0][0], refusal->face_count, 3);
    json_key(json, "line");
    if (refusal->line > 0)
        json_integer(json, refusal->line);
    else
        json_null(json);
    if (refusal->cause == PBD_MESH_NON_FINITE || refusal->cause == PBD_MESH_WELD_APART ||
        refusal->cause == PBD_MESH_BAD_MASS) {
        json_key(json, "vertex");
        json_integer(json, refusal->vertex);
    }
    json_key(json, "report");
    json_begin_object(json);
    json_key(json, "vertices");
    json_integer(json, vertices);
    json_key(json, "triangles");
    json_integer(json, faces);
    json_key(json, "warnings");
    json_begin_array(json);
    json_string(json, refusal->message);
    json_end_array(json);
    json_end_object(json);
}

void scene_refusal_error(const struct pbd_mesh_refusal *refusal, const char *path, uint32_t vertices,
                         uint32_t faces, uint32_t max_vertices, struct wire_error *error) {
    /* The solver's library says what is wrong, a file's reader a sentence of its own. */
    size_t length = strlen(refusal->message);
    const char *stop = length > 0 && refusal->message[length - 1] == '.' ? "" : ".";
    if (refusal->cause == PBD_MESH_LIMIT) {
        WIRE_FAIL(error, limit_exceeded, path, "%s%s", refusal->message, stop);
        wire_error_data(error,
                        "\"cause\":\"limit\",\"limit\":\"max_vertices_per_world\",\"max\":%u,\"got\":%u",
                        max_vertices, vertices);
        return;
    }
    WIRE_FAIL(error, invalid_mesh, path, "%s%s", refusal->message, stop);
    struct json json;
    json_init(&json);
    json_begin_object(&json);
    write_data(&json, refusal, vertices, faces);
    json_end_object(&json);
    /* data_json is the members without their braces. */
    if (!json.failed) wire_error_data(error, "%.*s", (int)json.length - 2, json.text + 1);
    json_free(&json);
}
