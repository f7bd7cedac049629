/* Building, resetting and changing what a world holds. */
#include "sim/content.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <pbd/collision_mesh.h>
#include <wire/errors.h>

#include "sim/cloth_grid.h"
#include "sim/fingerprint.h"

static int out_of_memory(struct wire_error *error) {
    WIRE_FAIL(error, out_of_memory, "", "The server had no memory for this request.");
    return -1;
}

static int check_name(const struct content *content, enum object_kind kind, const char *name,
                      struct wire_error *error) {
    const char *word = kind == OBJECT_CLOTH ? "cloth" : "collider";
    if (object_find(&content->objects, kind, name)) {
        WIRE_FAIL(error, already_exists, word, "%s \"%s\" exists already; choose another name.", word, name);
        return -1;
    }
    if (content->objects.next_index >= OBJECT_INDEX_LIMIT) {
        WIRE_FAIL(error, limit_exceeded, word,
                  "%s \"%s\" would be object %u since the last load; at most %u are allowed.", word, name,
                  content->objects.next_index + 1, OBJECT_INDEX_LIMIT);
        wire_error_data(error, "\"limit\":\"objects\",\"max\":%u,\"got\":%u", OBJECT_INDEX_LIMIT,
                        content->objects.next_index + 1);
        return -1;
    }
    return 0;
}

static uint32_t shape_vertices(const struct pbd_shape *shape) {
    return shape->type == PBD_MESH ? pbd_collision_mesh_get_view(shape->mesh).vertex_count : 0;
}

static uint32_t collider_vertices(const struct content *content, const struct object *collider) {
    struct pbd_collider_state state;
    return pbd_collider_get(content->pbd, collider->id, &state) == PBD_OK ? shape_vertices(&state.def.shape)
                                                                          : 0;
}

uint64_t content_vertices(const struct content *content) {
    uint64_t vertices = object_vertices(&content->objects);
    for (uint32_t i = 0; i < content->objects.count; ++i) {
        const struct object *object = content->objects.items[i];
        if (object->kind == OBJECT_COLLIDER) vertices += collider_vertices(content, object);
    }
    return vertices;
}

static int check_vertices(const char *path, const char *limit, uint64_t got, uint32_t max,
                          struct wire_error *error) {
    if (got <= max) return 0;
    WIRE_FAIL(error, limit_exceeded, path,
              "With it there would be %llu vertices of cloths and mesh colliders; %s is %u.",
              (unsigned long long)got, limit, max);
    wire_error_data(error, "\"limit\":\"%s\",\"max\":%u,\"got\":%llu", limit, max, (unsigned long long)got);
    return -1;
}

/* before: vertices of the shape that this one replaces. */
static int check_room(const char *path, const struct content_room *room, uint64_t count, uint64_t before,
                      struct wire_error *error) {
    if (count == 0) return 0; /* however full it is */
    if (check_vertices(path, "max_vertices_per_world", room->world_vertices - before + count,
                       room->max_vertices_per_world, error) != 0) {
        return -1;
    }
    return check_vertices(path, "max_vertices", room->all_vertices - before + count, room->max_vertices,
                          error);
}

int content_check_shape(const struct content *content, const struct object *collider,
                        const struct pbd_shape *shape, const struct content_room *room,
                        struct wire_error *error) {
    return check_room("shape", room, shape_vertices(shape), collider_vertices(content, collider), error);
}

/* ---- attachments from the start ---- */

/* An `attach` entry of a cloth resolved. */
struct attachment {
    uint32_t *vertices;
    uint32_t count;
    pbd_collider_id collider;
};

static void attachments_free(struct attachment *attachments, uint32_t count) {
    for (uint32_t i = 0; attachments && i < count; ++i)
        free(attachments[i].vertices);
    free(attachments);
}

static int resolve(const struct content *content, const struct object *cloth,
                   const struct wire_attachment *wire, struct attachment *attachment,
                   struct wire_error *error) {
    const struct object *collider = object_find(&content->objects, OBJECT_COLLIDER, wire->collider);
    if (!collider) {
        WIRE_FAIL(error, not_found, "collider",
                  "collider \"%s\" does not exist; vertices attach to one that does.", wire->collider);
        return -1;
    }
    attachment->collider = collider->id;
    return scene_vertices_expand(&wire->vertices, cloth->view.vertex_count, "vertices", &attachment->vertices,
                                 &attachment->count, error);
}

/* All or, but for memory, nothing. */
static int attach_all(struct content *content, const struct object *cloth, const struct wire_cloth_spec *spec,
                      struct wire_error *error) {
    if (spec->attach_count == 0) return 0;
    struct attachment *attachments = calloc(spec->attach_count, sizeof *attachments);
    int result = attachments ? 0 : out_of_memory(error);
    for (uint32_t i = 0; result == 0 && i < spec->attach_count; ++i) {
        char at[32];
        result = resolve(content, cloth, &spec->attach[i], &attachments[i], error);
        snprintf(at, sizeof at, "attach[%u].", i);
        if (result != 0) wire_error_prefix(error, at);
    }
    for (uint32_t i = 0; result == 0 && i < spec->attach_count; ++i) {
        if (pbd_cloth_attach(content->pbd, cloth->id, attachments[i].vertices, attachments[i].count,
                             attachments[i].collider) != PBD_OK)
            result = out_of_memory(error);
    }
    attachments_free(attachments, spec->attach_count);
    return result;
}

/* ---- adding and removing ---- */

static int add_cloth(struct content *content, const struct wire_cloth_spec *spec, const char *base_dir,
                     const struct content_room *room, struct object **object, struct wire_error *error) {
    if (check_name(content, OBJECT_CLOTH, spec->cloth, error) != 0) return -1;
    struct scene_cloth cloth;
    if (scene_cloth_build(spec, base_dir, room->max_vertices_per_world, &cloth, error) != 0) return -1;

    struct object *made = NULL;
    int result = -1;
    if (check_room("", room, cloth.vertex_count, 0, error) != 0) goto done;
    made = object_create_cloth(spec->cloth, cloth.fabric);
    if (!made || !cloth_grid_text(spec, &made->grid) || !object_table_reserve(&content->objects)) {
        out_of_memory(error);
        goto done;
    }
    struct pbd_cloth_def def = scene_cloth_def(&cloth);
    switch (pbd_cloth_add(content->pbd, &def, &made->id)) {
    case PBD_OK:
        break;
    case PBD_INDEX_RANGE:
        WIRE_FAIL(error, out_of_range, "pins",
                  "pins names a vertex that the cloth's %u vertices do not have.", cloth.vertex_count);
        goto done;
    default:
        out_of_memory(error);
        goto done;
    }
    if (cloth.velocities) pbd_cloth_set_state(content->pbd, made->id, NULL, cloth.velocities);
    object_table_add(&content->objects, made);
    made->appeared = true;
    if (made->grid && spec->has_positions != WIRE_PRESENT) {
        struct pbd_cloth_view view;
        if (pbd_cloth_get_view(content->pbd, made->id, &view) == PBD_OK) {
            made->placed = fingerprint_positions(&view);
        }
    }
    made->thickness_given = spec->cloth_settings.has_thickness == WIRE_PRESENT;
    made->pins_version = pbd_cloth_pins_version(content->pbd, made->id);
    made->attachments_version = pbd_cloth_attachments_version(content->pbd, made->id);
    *object = made;
    made = NULL;
    result = 0;
done:
    object_unref(made);
    scene_cloth_free(&cloth);
    return result;
}

int content_add_cloth(struct content *content, const struct wire_cloth_spec *spec, const char *base_dir,
                      const struct content_room *room, struct object **object, struct wire_error *error) {
    struct object *made;
    if (add_cloth(content, spec, base_dir, room, &made, error) != 0) return -1;
    if (attach_all(content, made, spec, error) != 0) {
        content_remove(content, made);
        return -1;
    }
    *object = made;
    return 0;
}

int content_add_collider(struct content *content, const struct wire_collider_spec *spec, const char *base_dir,
                         const struct content_room *room, struct object **object, struct wire_error *error) {
    if (check_name(content, OBJECT_COLLIDER, spec->collider, error) != 0) return -1;
    struct pbd_collider_def def;
    if (scene_collider_build(spec, base_dir, room->max_vertices_per_world, &def, error) != 0) return -1;
    if (check_room("shape", room, shape_vertices(&def.shape), 0, error) != 0) {
        scene_collider_free(&def);
        return -1;
    }
    struct object *made = object_create_collider(spec->collider);
    bool added = made && object_table_reserve(&content->objects) &&
                 pbd_collider_add(content->pbd, &def, &made->id) == PBD_OK;
    scene_collider_free(&def);
    if (!added) {
        object_unref(made);
        return out_of_memory(error);
    }
    object_table_add(&content->objects, made);
    made->appeared = true;
    *object = made;
    return 0;
}

void content_remove(struct content *content, struct object *object) {
    int result = object->kind == OBJECT_CLOTH ? pbd_cloth_remove(content->pbd, object->id)
                                              : pbd_collider_remove(content->pbd, object->id);
    assert(result == PBD_OK);
    (void)result;
    object_table_remove(&content->objects, object);
}

/* Attachments last: a cloth may name a collider that stands behind it. */
static int fill(struct content *content, const struct wire_scene *scene, const char *base_dir,
                struct content_room room, const char *prefix, struct wire_error *error) {
    char at[96];
    struct object *object;
    for (uint32_t i = 0; i < scene->cloths_count; ++i) {
        if (add_cloth(content, &scene->cloths[i], base_dir, &room, &object, error) != 0) {
            snprintf(at, sizeof at, "%scloths[%u].", prefix, i);
            wire_error_prefix(error, at);
            return -1;
        }
        room.world_vertices += object->view.vertex_count;
        room.all_vertices += object->view.vertex_count;
    }
    for (uint32_t i = 0; i < scene->colliders_count; ++i) {
        if (content_add_collider(content, &scene->colliders[i], base_dir, &room, &object, error) != 0) {
            snprintf(at, sizeof at, "%scolliders[%u].", prefix, i);
            wire_error_prefix(error, at);
            return -1;
        }
        uint32_t vertices = collider_vertices(content, object);
        room.world_vertices += vertices;
        room.all_vertices += vertices;
    }
    for (uint32_t i = 0; i < scene->cloths_count; ++i) {
        object = object_find(&content->objects, OBJECT_CLOTH, scene->cloths[i].cloth);
        if (attach_all(content, object, &scene->cloths[i], error) != 0) {
            snprintf(at, sizeof at, "%scloths[%u].", prefix, i);
            wire_error_prefix(error, at);
            return -1;
        }
    }
    return 0;
}

static void take_view(struct content *content, const struct wire_scene *scene) {
    if (scene->has_view != WIRE_PRESENT) return;
    content->has_view_position = scene->view.has_position == WIRE_PRESENT;
    content->has_view_target = scene->view.has_target == WIRE_PRESENT;
    memcpy(content->view_position, scene->view.position, sizeof content->view_position);
    memcpy(content->view_target, scene->view.target, sizeof content->view_target);
}

int content_build(struct content *content, const struct wire_scene *scene, const char *base_dir,
                  const struct content_room *room, const char *prefix, struct wire_error *error) {
    struct content made = {.time_scale = 1.0};
    struct pbd_world_settings settings = pbd_default_world_settings();
    const struct wire_world_settings *members =
        scene && scene->has_world == WIRE_PRESENT ? &scene->world : NULL;
    if (members) {
        scene_world_settings_apply(&settings, members);
        if (members->has_time_scale == WIRE_PRESENT) made.time_scale = members->time_scale;
    }
    made.title = strdup(scene && scene->has_title == WIRE_PRESENT ? scene->title : "");
    made.description = strdup(scene && scene->has_description == WIRE_PRESENT ? scene->description : "");
    made.pbd = pbd_world_create(&settings);
    if (!made.pbd || !made.title || !made.description) {
        content_free(&made);
        return out_of_memory(error);
    }
    if (scene) {
        take_view(&made, scene);
        if (fill(&made, scene, base_dir, *room, prefix, error) != 0) {
            content_free(&made);
            return -1;
        }
    }
    if (!content_state_take(&made.start, &made)) {
        content_free(&made);
        return out_of_memory(error);
    }
    *content = made;
    return 0;
}

void content_free(struct content *content) {
    object_table_free(&content->objects);
    content_state_free(&content->start);
    if (content->pbd) pbd_world_destroy(content->pbd);
    free(content->title);
    free(content->description);
    *content = (struct content){0};
}

bool content_state_take(struct content_state *state, const struct content *content) {
    struct content_state taken = {.snapshot = pbd_world_snapshot(content->pbd),
                                  .time_scale = content->time_scale};
    if (!taken.snapshot || !object_table_copy(&taken.objects, &content->objects)) {
        content_state_free(&taken);
        return false;
    }
    *state = taken;
    return true;
}

void content_state_free(struct content_state *state) {
    object_table_free(&state->objects);
    pbd_snapshot_destroy(state->snapshot);
    *state = (struct content_state){0};
}

int content_return(struct content *content, const struct content_state *state, struct wire_error *error) {
    struct object_table objects;
    if (!object_table_copy(&objects, &state->objects)) return out_of_memory(error);
    if (pbd_world_restore(content->pbd, state->snapshot) != PBD_OK) {
        object_table_free(&objects);
        return out_of_memory(error);
    }
    objects.version = content->objects.version + 1;
    object_table_free(&content->objects);
    content->objects = objects;
    content->time_scale = state->time_scale;
    return 0;
}
