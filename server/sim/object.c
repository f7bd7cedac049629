/* Names, ids and stream indices of a world's objects. */
#include "sim/object.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wire/frame.h>

static struct object *object_create(enum object_kind kind, const char *name) {
    struct object *object = calloc(1, sizeof *object);
    if (!object) return NULL;
    object->refs = 1;
    object->kind = kind;
    snprintf(object->name, sizeof object->name, "%s", name);
    return object;
}

struct object *object_create_cloth(const char *name, pbd_fabric *fabric) {
    struct object *object = object_create(OBJECT_CLOTH, name);
    if (!object) return NULL;
    struct pbd_fabric_view view = pbd_fabric_get_view(fabric);
    object->payload_particle = malloc(sizeof *object->payload_particle * (view.vertex_count + 1u));
    if (!object->payload_particle) {
        free(object);
        return NULL;
    }
    for (uint32_t i = 0; i < view.vertex_count; ++i) {
        uint32_t vertex = view.payload_order ? view.payload_order[i] : i;
        object->payload_particle[i] = view.vertex_particle[vertex];
    }
    object->fabric = pbd_fabric_ref(fabric);
    object->view = view;
    object->step_exp = frame_auto_step_exp(view.rest_diagonal);
    return object;
}

struct object *object_create_collider(const char *name) {
    return object_create(OBJECT_COLLIDER, name);
}

struct object *object_copy(const struct object *object) {
    struct object *copy = object->kind == OBJECT_CLOTH ? object_create_cloth(object->name, object->fabric)
                                                       : object_create_collider(object->name);
    if (!copy) return NULL;
    if (object->grid) {
        copy->grid = strdup(object->grid);
        if (!copy->grid) {
            object_unref(copy);
            return NULL;
        }
    }
    copy->id = object->id;
    copy->index = object->index;
    copy->thickness_given = object->thickness_given;
    copy->placed = object->placed;
    copy->appeared = true;
    return copy;
}

struct object *object_ref(struct object *object) {
    object->refs += 1;
    return object;
}

void object_unref(struct object *object) {
    if (!object || --object->refs > 0) return;
    if (object->fabric) pbd_fabric_unref(object->fabric);
    buffer_unref(object->topology);
    free(object->payload_particle);
    free(object->grid);
    free(object);
}

bool object_table_reserve(struct object_table *table) {
    if (table->count < table->capacity) return true;
    uint32_t capacity = table->capacity ? 2 * table->capacity : 8;
    struct object **items = realloc(table->items, capacity * sizeof *items);
    if (!items) return false;
    table->items = items;
    table->capacity = capacity;
    return true;
}

void object_table_add(struct object_table *table, struct object *object) {
    assert(table->count < table->capacity && table->next_index < OBJECT_INDEX_LIMIT);
    object->index = (uint16_t)table->next_index++;
    table->items[table->count++] = object;
    table->version += 1;
}

void object_table_remove(struct object_table *table, struct object *object) {
    uint32_t at = 0;
    while (at < table->count && table->items[at] != object)
        ++at;
    assert(at < table->count);
    memmove(table->items + at, table->items + at + 1, (table->count - at - 1) * sizeof *table->items);
    table->count -= 1;
    table->version += 1;
    object_unref(object);
}

struct object *object_find(const struct object_table *table, enum object_kind kind, const char *name) {
    for (uint32_t i = 0; i < table->count; ++i) {
        struct object *object = table->items[i];
        if (object->kind == kind && strcmp(object->name, name) == 0) return object;
    }
    return NULL;
}

struct object *object_find_id(const struct object_table *table, enum object_kind kind, uint32_t id) {
    for (uint32_t i = 0; i < table->count; ++i) {
        if (table->items[i]->kind == kind && table->items[i]->id == id) return table->items[i];
    }
    return NULL;
}

struct object *object_find_index(const struct object_table *table, uint32_t index) {
    for (uint32_t i = 0; i < table->count; ++i) {
        if (table->items[i]->index == index) return table->items[i];
    }
    return NULL;
}

uint32_t object_count(const struct object_table *table, enum object_kind kind) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < table->count; ++i)
        count += table->items[i]->kind == kind;
    return count;
}

uint64_t object_vertices(const struct object_table *table) {
    uint64_t vertices = 0;
    for (uint32_t i = 0; i < table->count; ++i)
        vertices += table->items[i]->view.vertex_count;
    return vertices;
}

bool object_table_copy(struct object_table *copy, const struct object_table *table) {
    struct object **items = malloc((table->count + 1u) * sizeof *items);
    if (!items) return false;
    for (uint32_t i = 0; i < table->count; ++i)
        items[i] = object_ref(table->items[i]);
    *copy = (struct object_table){.items = items,
                                  .count = table->count,
                                  .capacity = table->count + 1u,
                                  .next_index = table->next_index,
                                  .version = table->version + 1u};
    return true;
}

/* The copy that already stands for this object, or NULL. Both tables ascend by index, so that
 * one pass (cursor, 0 at first) finds all. */
static struct object *copy_of(const struct object *object, const struct object_table *kept,
                              const struct object_table *kept_copy, uint32_t *cursor) {
    while (kept && *cursor < kept->count && kept->items[*cursor]->index < object->index)
        ++*cursor;
    bool found = kept && *cursor < kept->count && kept->items[*cursor] == object;
    return found ? kept_copy->items[*cursor] : NULL;
}

bool object_table_clone(struct object_table *copy, const struct object_table *table,
                        const struct object_table *kept, const struct object_table *kept_copy) {
    struct object_table made = {.items = malloc((table->count + 1u) * sizeof *made.items),
                                .capacity = table->count + 1u,
                                .next_index = table->next_index,
                                .version = table->version + 1u};
    uint32_t cursor = 0;
    if (!made.items) return false;
    while (made.count < table->count) {
        const struct object *object = table->items[made.count];
        struct object *same = copy_of(object, kept, kept_copy, &cursor);
        struct object *item = same ? object_ref(same) : object_copy(object);
        if (!item) {
            object_table_free(&made);
            return false;
        }
        made.items[made.count++] = item;
    }
    *copy = made;
    return true;
}

void object_table_free(struct object_table *table) {
    for (uint32_t i = 0; i < table->count; ++i)
        object_unref(table->items[i]);
    free(table->items);
    *table = (struct object_table){0};
}
