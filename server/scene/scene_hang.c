/* --mesh: a scene around a mesh of the user's own. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <wire/errors.h>
#include <wire/json_write.h>

#include "scene/mesh_file.h"
#include "scene/scene.h"
#include "scene/scene_refusal.h"

/* What lies within this share of the mesh's height below its top is "highest". */
#define TOP_SHARE 0.01f
/* No coordinate of a scene, its view's neither, may be larger. */
#define FARTHEST 1e6f
/* More pins than this share of all vertices leave nothing to move: a flat mesh. */
#define PINS_SHARE 0.25f

struct extent {
    float low[3], high[3], diagonal;
};

static struct extent extent_of(const struct mesh_data *mesh) {
    struct extent e = {.low = {INFINITY, INFINITY, INFINITY}, .high = {-INFINITY, -INFINITY, -INFINITY}};
    for (size_t i = 0; i < 3 * (size_t)mesh->vertex_count; ++i) {
        e.low[i % 3] = fminf(e.low[i % 3], mesh->positions[i]);
        e.high[i % 3] = fmaxf(e.high[i % 3], mesh->positions[i]);
    }
    float x = e.high[0] - e.low[0], y = e.high[1] - e.low[1], z = e.high[2] - e.low[2];
    e.diagonal = sqrtf(x * x + y * y + z * z);
    return e;
}

/* Vertices near the high end of an axis, as ranges; returns how many. */
static uint32_t write_top(struct json *json, const struct mesh_data *mesh, const struct extent *e, int axis) {
    float limit = e->high[axis] - TOP_SHARE * (e->high[axis] - e->low[axis]);
    uint32_t count = 0;
    for (uint32_t v = 0; v < mesh->vertex_count;) {
        uint32_t end = v;
        while (end < mesh->vertex_count && mesh->positions[3 * (size_t)end + (size_t)axis] >= limit)
            ++end;
        if (json != NULL && end == v + 1) json_integer(json, v);
        if (json != NULL && end > v + 1) {
            json_begin_object(json);
            json_key(json, "from");
            json_integer(json, v);
            json_key(json, "to");
            json_integer(json, end - 1);
            json_end_object(json);
        }
        count += end - v;
        v = end > v ? end : v + 1;
    }
    return count;
}

/* The axis to hang by: up, or for a flat mesh the longer horizontal one. */
static int hanging_axis(const struct mesh_data *mesh, const struct extent *e) {
    if ((float)write_top(NULL, mesh, e, 1) <= PINS_SHARE * (float)mesh->vertex_count) return 1;
    return e->high[0] - e->low[0] > e->high[2] - e->low[2] ? 0 : 2;
}

static void write_vec3(struct json *json, const char *key, float x, float y, float z) {
    json_key(json, key);
    json_floats(json, (const float[3]){x, y, z}, 3);
}

/* Of a mesh that fills the world the view is nearer than it should be. */
static void write_view(struct json *json, const struct extent *e, float middle) {
    json_key(json, "view");
    json_begin_object(json);
    write_vec3(json, "position", fminf(0.4f * e->diagonal, FARTHEST),
               fminf(middle + 0.2f * e->diagonal, FARTHEST), fminf(1.6f * e->diagonal, FARTHEST));
    write_vec3(json, "target", 0.0f, fminf(middle, FARTHEST), 0.0f);
    json_end_object(json);
}

static void write_cloth(struct json *json, const char *file, const struct mesh_data *mesh,
                        const struct extent *e, float above) {
    json_begin_object(json);
    json_key(json, "cloth");
    json_string(json, "mesh");
    json_key(json, "file");
    json_string(json, file);
    write_vec3(json, "position", -0.5f * (e->low[0] + e->high[0]), above - e->low[1],
               -0.5f * (e->low[2] + e->high[2]));
    json_key(json, "thickness");
    json_float(json, fminf(0.005f, 0.0025f * e->diagonal));
    json_key(json, "pins");
    json_begin_array(json);
    write_top(json, mesh, e, hanging_axis(mesh, e));
    json_end_array(json);
    json_end_object(json);
}

static void write_scene(struct json *json, const char *file, const struct mesh_data *mesh) {
    struct extent e = extent_of(mesh);
    float height = e.high[1] - e.low[1], above = 0.25f * e.diagonal, middle = above + 0.5f * height;
    json_begin_object(json);
    json_key(json, "title");
    json_string(json, file);
    json_key(json, "description");
    json_string(json, "A mesh file, hung by its highest vertices above a floor.");
    write_view(json, &e, middle);
    json_key(json, "cloths");
    json_begin_array(json);
    write_cloth(json, file, mesh, &e, above);
    json_end_array(json);
    json_key(json, "colliders");
    static const char floor[] =
        "[{\"collider\":\"floor\",\"motion\":\"static\",\"shape\":{\"type\":\"plane\"}}]";
    json_raw(json, floor, sizeof floor - 1);
    json_end_object(json);
}

static int read_mesh(const char *real, const char *file, uint32_t max_vertices, struct mesh_data *mesh,
                     struct wire_error *error) {
    struct pbd_mesh_refusal refusal = {0};
    int result = mesh_file_read(real, file, max_vertices, mesh, &refusal);
    if (result == PBD_OK && mesh->vertex_count == 0) {
        mesh_refuse(&refusal, PBD_MESH_NO_VERTICES, 0, "%s has no vertices.", file);
        mesh_data_free(mesh);
        result = PBD_MESH_REFUSED;
    }
    if (result == PBD_OK) return 0;
    if (result == PBD_OUT_OF_MEMORY)
        WIRE_FAIL(error, out_of_memory, "file", "There is no memory for %s.", file);
    else
        scene_refusal_error(&refusal, "file", refusal.cause == PBD_MESH_LIMIT ? max_vertices + 1 : 0, 0,
                            max_vertices, error);
    return -1;
}

int scene_hang_mesh(const char *path, uint32_t max_vertices, struct scene_source *source,
                    struct wire_error *error) {
    char *real = realpath(path, NULL);
    if (real == NULL) {
        WIRE_FAIL(error, not_found, "file", "The mesh file %.300s cannot be read: %s.", path,
                  strerror(errno));
        return -1;
    }
    char *slash = strrchr(real, '/');
    const char *file = slash + 1;
    struct mesh_data mesh = {0};
    int result = -1;
    if (!mesh_file_known(file))
        WIRE_FAIL(error, out_of_range, "file", "%.300s is no known mesh file; those end in %s.", path,
                  mesh_file_suffixes);
    else
        result = read_mesh(real, file, max_vertices, &mesh, error);
    if (result == 0) {
        struct json json;
        json_init(&json);
        write_scene(&json, file, &mesh);
        size_t root = slash == real ? 1 : (size_t)(slash - real);
        char *dir = strndup(real, root);
        if (json.failed || dir == NULL) {
            WIRE_FAIL(error, out_of_memory, "file", "There is no memory for %s.", file);
            json_free(&json);
            free(dir);
            result = -1;
        } else {
            *source = (struct scene_source){.text = json.text, .length = json.length, .base_dir = dir};
        }
    }
    mesh_data_free(&mesh);
    free(real);
    return result;
}
