/* What a load puts into a world: the solver's world, its objects, and the start that
 * reset returns to, bit for bit. Knows no clients and no streams.
 *
 * Everything here is all or nothing: a function that fails leaves the content as it was
 * and fills *error. */
#ifndef SIM_CONTENT_H
#define SIM_CONTENT_H

#include <scene/scene.h>
#include <sim/object.h>

/* All that changes in a content while it runs, to come back to bit for bit. */
struct content_state {
    pbd_snapshot *snapshot;
    struct object_table objects;
    double time_scale;
};

struct content {
    pbd_world *pbd;
    double time_scale;
    struct object_table objects;
    char *title, *description; /* of the scene, "" if none */
    bool has_view_position, has_view_target;
    float view_position[3], view_target[3];
    struct content_state start;
};

/* How many vertices may still be added: in this world, and on the whole server. */
struct content_room {
    uint64_t world_vertices, all_vertices;
    uint32_t max_vertices_per_world, max_vertices;
};

/* From a decoded scene (NULL: an empty world), with tick 0 and the start taken. base_dir:
 * where `file` members are looked for. paths in *error begin with prefix ("spec." or ""). */
int content_build(struct content *content, const struct wire_scene *scene, const char *base_dir,
                  const struct content_room *room, const char *prefix, struct wire_error *error);
void content_free(struct content *content);

/* As it is now; false when out of memory. */
bool content_state_take(struct content_state *state, const struct content *content);
void content_state_free(struct content_state *state);
/* As it was then (of reset: content->start): solver, objects, time_scale. The objects' version
 * changes. */
int content_return(struct content *content, const struct content_state *state, struct wire_error *error);

/* *object is the table's own. The cloth's `attach` needs its colliders to be there. */
int content_add_cloth(struct content *content, const struct wire_cloth_spec *spec, const char *base_dir,
                      const struct content_room *room, struct object **object, struct wire_error *error);
int content_add_collider(struct content *content, const struct wire_collider_spec *spec, const char *base_dir,
                         const struct content_room *room, struct object **object, struct wire_error *error);
/* Whether there is room for a shape in place of the collider's present one; only meshes take any. */
int content_check_shape(const struct content *content, const struct object *collider,
                        const struct pbd_shape *shape, const struct content_room *room,
                        struct wire_error *error);
/* Vertices of cloths and mesh colliders. */
uint64_t content_vertices(const struct content *content);
/* Takes it out of solver and table; the caller's reference keeps the object alive. */
void content_remove(struct content *content, struct object *object);

#endif
