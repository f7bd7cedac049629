/* From files and commands to what the solver takes: scenes, cloths, colliders.
 *
 * A scene is JSON text that wire_scene_decode checks; this layer finds the text,
 * reads meshes beside it and turns decoded commands into pbd definitions. It knows
 * no world: the caller (sim) adds the results to one. All functions may be called
 * from any thread and keep nothing.
 *
 * Errors fill *error (code, reason, path, sentence, data) and leave outputs untouched.
 * error->path is relative to the command ("grid.nx", "file"); for a scene's objects
 * the caller puts "cloths[0]." before it. */
#ifndef SCENE_H
#define SCENE_H

#include <pbd/pbd.h>
#include <wire/commands.h>

/* ---- finding scenes ---- */

/* A scene's text and the folder that its `file` members are relative to. */
struct scene_source {
    char *text; /* NUL-terminated JSON */
    size_t length;
    char *base_dir;
};
void scene_source_free(struct scene_source *source);

/* A shipped scene by its name (scene_dir/NAME.json). 0, or -1 with *error: not_found
 * names the scene and those there are. */
int scene_read_named(const char *scene_dir, const char *name, struct scene_source *source,
                     struct wire_error *error);
/* --scene: a path (it has a '/' or ends in .json; base_dir is the file's folder) or a name. */
int scene_read(const char *scene_dir, const char *name_or_path, struct scene_source *source,
               struct wire_error *error);
/* --mesh: a scene made for a mesh file anywhere: kept at its size, hung by its highest
 * vertices above a floor. Reads the mesh once to find them; the scene reads it again. */
int scene_hang_mesh(const char *path, uint32_t max_vertices, struct scene_source *source,
                    struct wire_error *error);

struct scene_entry {
    char *name, *title, *description; /* "" where the file has none or cannot be parsed */
};
struct scene_list {
    struct scene_entry *entries; /* by name, ascending */
    uint32_t count;
};
/* All NAME.json of scene_dir. 0, or -1 when the folder cannot be read or memory is out
 * (then the list is empty). */
int scene_list_read(const char *scene_dir, struct scene_list *list);
void scene_list_free(struct scene_list *list);

/* ---- cloths ---- */

struct scene_cloth {
    pbd_fabric *fabric; /* one reference */
    float *positions;   /* start, 3 per vertex, world frame, m */
    uint32_t vertex_count;
    struct pbd_cloth_settings settings;
    float velocity[3];
    float *velocities; /* 3 per vertex, in place of velocity; NULL: none given */
    uint32_t *pins;    /* vertex indices as given, ranges spelled out */
    uint32_t pin_count;
};
/* Builds grid, mesh or file. base_dir: where `file` is looked for (no absolute path, no
 * "..", no link out of it); NULL: `file` is refused. Takes long for large meshes: the job
 * pool's work. 0, or -1 with *error (invalid_mesh, limit_exceeded, not_found, missing, …). */
int scene_cloth_build(const struct wire_cloth_spec *spec, const char *base_dir, uint32_t max_vertices,
                      struct scene_cloth *cloth, struct wire_error *error);
void scene_cloth_free(struct scene_cloth *cloth);
/* What pbd_cloth_add takes; points into cloth. velocities follow by pbd_cloth_set_state. */
struct pbd_cloth_def scene_cloth_def(const struct scene_cloth *cloth);

/* ---- members to settings: only members that are present change anything ---- */

void scene_cloth_settings_apply(struct pbd_cloth_settings *settings,
                                const struct wire_cloth_settings *members);
void scene_world_settings_apply(struct pbd_world_settings *settings,
                                const struct wire_world_settings *members);

/* Whether a cloth of this mesh can have the settings: pressure needs a closed surface, a weft
 * rows. 0, or -1 with *error (conflict). */
int scene_cloth_settings_check(const pbd_fabric *fabric, const struct pbd_cloth_settings *settings,
                               struct wire_error *error);

/* ---- colliders ---- */

/* def->shape.mesh of a mesh collider is one reference: scene_collider_free. base_dir and
 * max_vertices: as for cloths. A mesh takes long where it is large. */
int scene_collider_build(const struct wire_collider_spec *spec, const char *base_dir, uint32_t max_vertices,
                         struct pbd_collider_def *def, struct wire_error *error);
void scene_collider_free(struct pbd_collider_def *def);
/* A shape alone, for collider.set; likewise one reference. error->path begins with "shape". */
int scene_shape_build(const struct wire_shape *members, const char *base_dir, uint32_t max_vertices,
                      struct pbd_shape *shape, struct wire_error *error);
/* Whether what the members of def say goes together: a rigid body's shape, and members (those
 * of the command) that only a dynamic one has. 0, or -1 with *error (conflict). */
int scene_collider_check(const struct pbd_collider_def *def, const struct wire_collider_settings *members,
                         struct wire_error *error);
/* Also for collider.move: false with *error when a rotation has no length. */
bool scene_rotation_check(const float rotation[4], struct wire_error *error);
/* collider.set: members that are present replace those of *def. */
void scene_collider_settings_apply(struct pbd_collider_def *def,
                                   const struct wire_collider_settings *members);

/* ---- vertices ---- */

/* Each vertex that wire names, once, in the order of its first naming; malloc'd. path is the
 * member, for errors: a vertex that the cloth does not have. 0, or -1 with *error. */
int scene_vertices_expand(const struct wire_vertices *wire, uint32_t vertex_count, const char *path,
                          uint32_t **vertices, uint32_t *count, struct wire_error *error);

#endif
