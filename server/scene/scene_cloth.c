/* A cloth command made into a fabric and its start. */
#include "scene/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <wire/errors.h>

#include "scene/mesh_data.h"
#include "scene/mesh_grid.h"
#include "scene/scene_mesh_file.h"
#include "scene/scene_refusal.h"

#define COORDINATE_MAX 1e6f

/* What is built from: the reader's mesh and the command's further arrays. */
struct source {
    const char *path; /* the member that gave it: "grid", "mesh", "file" */
    struct mesh_data mesh;
    float *rest; /* 3 per vertex, scaled, not turned */
    const float *given_rest;
    const uint32_t *edges;
    uint32_t edge_count;
    const float *masses;
};

static int out_of_memory(struct wire_error *error) {
    WIRE_FAIL(error, out_of_memory, "", "The server had no memory for this cloth.");
    return -1;
}

static int too_many(const char *path, uint64_t got, uint32_t max, struct wire_error *error) {
    WIRE_FAIL(error, limit_exceeded, path, "%s has %llu vertices; at most %u are allowed.", path,
              (unsigned long long)got, max);
    wire_error_data(error, "\"limit\":\"max_vertices_per_world\",\"max\":%u,\"got\":%llu", max,
                    (unsigned long long)got);
    return -1;
}

/* ---- the three kinds ---- */

static int take_grid(const struct wire_grid *grid, uint32_t max_vertices, struct source *source,
                     struct wire_error *error) {
    uint64_t count = (uint64_t)grid->nx * (uint64_t)grid->ny;
    if (count > max_vertices) return too_many("grid", count, max_vertices, error);
    if (grid->size.count != 2) {
        WIRE_FAIL(error, out_of_range, "grid.size", "grid.size has %u numbers; it is [width,height] in m.",
                  grid->size.count);
        return -1;
    }
    bool alternate = grid->has_diagonal == WIRE_PRESENT && grid->diagonal == WIRE_diagonal_alternate;
    if (mesh_grid_create((uint32_t)grid->nx, (uint32_t)grid->ny, (double)grid->size.values[0],
                         (double)grid->size.values[1], alternate, &source->mesh) < 0)
        return out_of_memory(error);
    return 0;
}

/* Lengths that must fit the vertex count. */
static int check_length(const char *path, uint32_t got, uint64_t want, const char *what,
                        struct wire_error *error) {
    if (got == want) return 0;
    WIRE_FAIL(error, out_of_range, path, "%s has %u numbers; it needs %llu (%s).", path, got,
              (unsigned long long)want, what);
    return -1;
}

static int take_mesh(const struct wire_mesh *mesh, uint32_t max_vertices, struct source *source,
                     struct wire_error *error) {
    uint32_t count = mesh->positions.count / 3;
    if (count > max_vertices) return too_many("mesh.positions", count, max_vertices, error);
    if (check_length("mesh.positions", mesh->positions.count, 3 * (uint64_t)count, "three per vertex",
                     error) != 0)
        return -1;
    if (mesh->has_rest_positions == WIRE_PRESENT) {
        if (check_length("mesh.rest_positions", mesh->rest_positions.count, 3 * (uint64_t)count,
                         "three per vertex", error) != 0)
            return -1;
        source->given_rest = mesh->rest_positions.values;
    }
    if (mesh->has_masses == WIRE_PRESENT) {
        if (check_length("mesh.masses", mesh->masses.count, count, "one per vertex", error) != 0) return -1;
        source->masses = mesh->masses.values;
    }
    uint32_t corners = mesh->has_triangles == WIRE_PRESENT ? mesh->triangles.count : 0;
    if (check_length("mesh.triangles", corners, corners / 3 * 3, "three per triangle", error) != 0) return -1;
    if (mesh->has_edges == WIRE_PRESENT) {
        if (check_length("mesh.edges", mesh->edges.count, mesh->edges.count / 2 * 2, "two per edge", error) !=
            0)
            return -1;
        source->edges = mesh->edges.values;
        source->edge_count = mesh->edges.count / 2;
    }
    if (mesh->cols > 0 && count % (uint32_t)mesh->cols != 0) {
        WIRE_FAIL(error, out_of_range, "mesh.cols",
                  "mesh.cols is %u; the %u vertices of mesh.positions do not make rows of that length.",
                  (uint32_t)mesh->cols, count);
        return -1;
    }
    struct mesh_data *made = &source->mesh;
    made->positions = malloc((3 * (size_t)count + 1) * sizeof *made->positions);
    made->face_vertices = malloc(((size_t)corners + 1) * sizeof *made->face_vertices);
    if (made->positions == NULL || made->face_vertices == NULL) return out_of_memory(error);
    if (count > 0) memcpy(made->positions, mesh->positions.values, 3 * (size_t)count * sizeof(float));
    if (corners > 0) memcpy(made->face_vertices, mesh->triangles.values, corners * sizeof(uint32_t));
    made->vertex_count = count;
    made->cols = count > 0 ? (uint32_t)mesh->cols : 0;
    made->face_count = corners / 3;
    made->corner_count = corners;
    return 0;
}

static int take_source(const struct wire_cloth_spec *spec, const char *base_dir, uint32_t max_vertices,
                       struct source *source, struct wire_error *error) {
    if (spec->has_grid == WIRE_PRESENT) {
        source->path = "grid";
        return take_grid(&spec->grid, max_vertices, source, error);
    }
    if (spec->has_mesh == WIRE_PRESENT) {
        source->path = "mesh";
        return take_mesh(&spec->mesh, max_vertices, source, error);
    }
    source->path = "file";
    return scene_mesh_file_read(spec->file, base_dir, max_vertices, "file", &source->mesh, error);
}

/* ---- rest pose and start ---- */

struct placement {
    double scale[3], axis[3][3], position[3];
};

static struct placement placement_of(const struct wire_cloth_spec *spec) {
    struct placement p = {.scale = {1.0, 1.0, 1.0}, .axis = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    for (int k = 0; k < 3; ++k) {
        if (spec->has_scale == WIRE_PRESENT) p.scale[k] = (double)spec->scale[k];
        if (spec->has_position == WIRE_PRESENT) p.position[k] = (double)spec->position[k];
    }
    if (spec->has_rotation != WIRE_PRESENT) return p;
    double x = (double)spec->rotation[0], y = (double)spec->rotation[1], z = (double)spec->rotation[2],
           w = (double)spec->rotation[3], s = 2.0 / (x * x + y * y + z * z + w * w);
    const double axis[3][3] = {{1.0 - s * (y * y + z * z), s * (x * y + w * z), s * (x * z - w * y)},
                               {s * (x * y - w * z), 1.0 - s * (x * x + z * z), s * (y * z + w * x)},
                               {s * (x * z + w * y), s * (y * z - w * x), 1.0 - s * (x * x + y * y)}};
    memcpy(p.axis, axis, sizeof axis);
    return p;
}

/* out = in scaled; in place allowed. */
static void scale_points(const struct placement *p, const float *in, uint32_t count, float *out) {
    for (size_t i = 0; i < 3 * (size_t)count; ++i)
        out[i] = (float)((double)in[i] * p->scale[i % 3]);
}

/* Scaled points turned and moved, in place. Adding 0.0f turns −0 into 0. */
static void place_points(const struct placement *p, uint32_t count, float *points) {
    for (float *at = points; at < points + 3 * (size_t)count; at += 3) {
        double x = (double)at[0], y = (double)at[1], z = (double)at[2];
        for (int k = 0; k < 3; ++k)
            at[k] =
                (float)(p->axis[0][k] * x + p->axis[1][k] * y + p->axis[2][k] * z + p->position[k]) + 0.0f;
    }
}

static int check_coordinates(const float *points, uint32_t count, const char *what,
                             struct wire_error *error) {
    for (size_t i = 0; i < 3 * (size_t)count; ++i) {
        /* Non-finite ones are the import gate's to name. */
        if (!(fabsf(points[i]) > COORDINATE_MAX) || isinf(points[i])) continue;
        WIRE_FAIL(
            error, out_of_range, "scale",
            "vertex %zu would %s at %c = %g m with this scale, rotation and position; coordinates go to 1e6 m.",
            i / 3, what, "xyz"[i % 3], (double)points[i]);
        return -1;
    }
    return 0;
}

/* Leaves the start in source->mesh.positions and the rest pose in source->rest. */
static int place_source(const struct wire_cloth_spec *spec, struct source *source, struct wire_error *error) {
    if (spec->has_rotation == WIRE_PRESENT && !scene_rotation_check(spec->rotation, error)) return -1;
    struct placement placement = placement_of(spec);
    uint32_t count = source->mesh.vertex_count;
    source->rest = malloc((3 * (size_t)count + 1) * sizeof *source->rest);
    if (source->rest == NULL) return out_of_memory(error);
    scale_points(&placement, source->given_rest ? source->given_rest : source->mesh.positions, count,
                 source->rest);
    scale_points(&placement, source->mesh.positions, count, source->mesh.positions);
    place_points(&placement, count, source->mesh.positions);
    if (check_coordinates(source->rest, count, "rest", error) != 0) return -1;
    return check_coordinates(source->mesh.positions, count, "start", error);
}

/* A flat array of the start that the command gives: three per vertex. */
static int check_given(const char *path, const struct wire_numbers *given, uint32_t count,
                       struct wire_error *error) {
    return check_length(path, given->count, 3 * (uint64_t)count, "three per vertex", error);
}

static int take_start(const struct wire_cloth_spec *spec, struct source *source, struct scene_cloth *cloth,
                      struct wire_error *error) {
    uint32_t count = source->mesh.vertex_count;
    size_t bytes = 3 * (size_t)count * sizeof(float);
    if (spec->has_positions == WIRE_PRESENT) {
        if (check_given("positions", &spec->positions, count, error) != 0) return -1;
        if (count > 0) memcpy(source->mesh.positions, spec->positions.values, bytes);
    }
    if (spec->has_velocities == WIRE_PRESENT) {
        if (check_given("velocities", &spec->velocities, count, error) != 0) return -1;
        cloth->velocities = malloc(bytes + 1);
        if (cloth->velocities == NULL) return out_of_memory(error);
        if (count > 0) memcpy(cloth->velocities, spec->velocities.values, bytes);
    }
    return 0;
}

/* ---- the rest ---- */

static int import(const struct wire_cloth_spec *spec, const struct source *source, uint32_t max_vertices,
                  struct scene_cloth *cloth, struct wire_error *error) {
    struct pbd_mesh_def def = pbd_default_mesh_def();
    def.positions = source->mesh.positions;
    def.rest_positions = source->rest;
    def.vertex_count = source->mesh.vertex_count;
    def.face_sizes = source->mesh.face_sizes;
    def.face_vertices = source->mesh.face_vertices;
    def.face_count = source->mesh.face_count;
    def.edges = source->edges;
    def.edge_count = source->edge_count;
    def.masses = source->masses;
    def.cols = source->mesh.cols;
    def.max_vertices = max_vertices;
    if (spec->has_density == WIRE_PRESENT) def.density = (float)spec->density;
    if (spec->has_weld == WIRE_PRESENT) def.weld = (float)spec->weld;
    if (spec->has_allow_nonmanifold == WIRE_PRESENT) def.allow_nonmanifold = spec->allow_nonmanifold;
    struct pbd_mesh_refusal refusal = {0};
    int result = pbd_mesh_import(&def, &cloth->fabric, &refusal);
    if (result == PBD_OK) return 0;
    if (result == PBD_OUT_OF_MEMORY) return out_of_memory(error);
    scene_refusal_error(&refusal, source->path, def.vertex_count, def.face_count, max_vertices, error);
    return -1;
}

static int build(const struct wire_cloth_spec *spec, const char *base_dir, uint32_t max_vertices,
                 struct source *source, struct scene_cloth *cloth, struct wire_error *error) {
    if (take_source(spec, base_dir, max_vertices, source, error) != 0) return -1;
    if (place_source(spec, source, error) != 0) return -1;
    if (take_start(spec, source, cloth, error) != 0) return -1;
    if (import(spec, source, max_vertices, cloth, error) != 0) return -1;
    cloth->vertex_count = source->mesh.vertex_count;
    if (spec->has_pins == WIRE_PRESENT && scene_vertices_expand(&spec->pins, cloth->vertex_count, "pins",
                                                                &cloth->pins, &cloth->pin_count, error) != 0)
        return -1;
    cloth->settings = pbd_default_cloth_settings();
    scene_cloth_settings_apply(&cloth->settings, &spec->cloth_settings);
    if (scene_cloth_settings_check(cloth->fabric, &cloth->settings, error) != 0) return -1;
    if (spec->has_velocity == WIRE_PRESENT) memcpy(cloth->velocity, spec->velocity, sizeof cloth->velocity);
    cloth->positions = source->mesh.positions;
    source->mesh.positions = NULL;
    return 0;
}

int scene_cloth_build(const struct wire_cloth_spec *spec, const char *base_dir, uint32_t max_vertices,
                      struct scene_cloth *cloth, struct wire_error *error) {
    struct source source = {0};
    struct scene_cloth made = {0};
    int result = build(spec, base_dir, max_vertices, &source, &made, error);
    mesh_data_free(&source.mesh);
    free(source.rest);
    if (result != 0) {
        scene_cloth_free(&made);
        return -1;
    }
    *cloth = made;
    return 0;
}

void scene_cloth_free(struct scene_cloth *cloth) {
    if (cloth->fabric != NULL) pbd_fabric_unref(cloth->fabric);
    free(cloth->positions);
    free(cloth->velocities);
    free(cloth->pins);
    *cloth = (struct scene_cloth){0};
}

struct pbd_cloth_def scene_cloth_def(const struct scene_cloth *cloth) {
    struct pbd_cloth_def def = {.fabric = cloth->fabric,
                                .positions = cloth->positions,
                                .settings = cloth->settings,
                                .pins = cloth->pins,
                                .pin_count = cloth->pin_count};
    memcpy(def.velocity, cloth->velocity, sizeof def.velocity);
    return def;
}
