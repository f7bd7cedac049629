/* Reading, decoding and building scenes. */
#include "sim/load.h"

#include <string.h>

static int build_source(struct scene_source *source, const struct content_room *room, struct content *content,
                        struct wire_error *error) {
    struct wire_request *scene = wire_scene_decode(source->text, source->length, error);
    int result = -1;
    if (scene) {
        result = content_build(content, scene->params, source->base_dir, room, "", error);
        wire_request_destroy(scene);
    }
    scene_source_free(source);
    return result;
}

/* The client did not write the scene: its error says which one, and where in it. */
static void name_scene(struct wire_error *error, const char *name) {
    struct wire_error inner = *error;
    bool tells_where = inner.path[0] == '\0' || strstr(inner.message, inner.path) != NULL;
    wire_error_set(error, inner.code, inner.reason, inner.path, "Scene %s%s%s: %s", name,
                   tells_where ? "" : ", ", tells_where ? "" : inner.path, inner.message);
}

/* Of a mesh file nobody wrote a scene: its name is all that helps. */
static void name_mesh_file(struct wire_error *error, const char *name) {
    struct wire_error inner = *error;
    wire_error_set(error, inner.code, inner.reason, inner.path, "%s: %s", name, inner.message);
}

int load_named(const struct sim *sim, const char *name, const struct content_room *room,
               struct content *content, struct wire_error *error) {
    struct scene_source source;
    if (scene_read_named(sim->config.scene_dir, name, &source, error) != 0) return -1;
    if (build_source(&source, room, content, error) == 0) return 0;
    name_scene(error, name);
    return -1;
}

int load_spec(const struct sim *sim, const struct wire_scene *spec, const struct content_room *room,
              struct content *content, struct wire_error *error) {
    return content_build(content, spec, sim->config.scene_dir, room, "spec.", error);
}

int load_start(const struct sim *sim, const struct content_room *room, struct content *content,
               struct wire_error *error) {
    struct scene_source source;
    const char *name = sim->config.mesh_file ? sim->config.mesh_file : sim->config.scene;
    if (!name) return content_build(content, NULL, sim->config.scene_dir, room, "", error);
    int found = sim->config.mesh_file
                    ? scene_hang_mesh(name, sim->config.limits.max_vertices_per_world, &source, error)
                    : scene_read(sim->config.scene_dir, name, &source, error);
    if (found != 0) return -1;
    if (build_source(&source, room, content, error) == 0) return 0;
    if (sim->config.mesh_file)
        name_mesh_file(error, name);
    else
        name_scene(error, name);
    return -1;
}
