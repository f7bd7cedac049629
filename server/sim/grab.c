/* Numbers of grabs. */
#include "sim/grab.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

bool grab_reserve(struct grab_table *table) {
    if (table->count < table->capacity) return true;
    uint32_t capacity = table->capacity ? 2 * table->capacity : 4;
    struct grab *items = realloc(table->items, capacity * sizeof *items);
    if (!items) return false;
    table->items = items;
    table->capacity = capacity;
    return true;
}

uint32_t grab_add(struct grab_table *table, uint32_t client, pbd_grab_id id) {
    assert(table->count < table->capacity);
    table->items[table->count++] = (struct grab){.number = ++table->last, .client = client, .id = id};
    return table->last;
}

static bool is_live(const pbd_world *pbd, const struct grab *grab) {
    struct pbd_grab_state state;
    return pbd_grab_get(pbd, grab->id, &state) == PBD_OK;
}

void grab_prune(struct grab_table *table, const pbd_world *pbd) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < table->count; ++i) {
        if (is_live(pbd, &table->items[i])) table->items[kept++] = table->items[i];
    }
    table->count = kept;
}

struct grab *grab_find(struct grab_table *table, const pbd_world *pbd, uint32_t number) {
    for (uint32_t i = 0; i < table->count; ++i) {
        struct grab *grab = &table->items[i];
        if (grab->number != number) continue;
        if (is_live(pbd, grab)) return grab;
        grab_remove(table, grab);
        return NULL;
    }
    return NULL;
}

struct grab *grab_of_client(struct grab_table *table, const pbd_world *pbd, uint32_t client) {
    grab_prune(table, pbd);
    for (uint32_t i = 0; i < table->count; ++i) {
        if (table->items[i].client == client) return &table->items[i];
    }
    return NULL;
}

void grab_remove(struct grab_table *table, struct grab *grab) {
    uint32_t at = (uint32_t)(grab - table->items);
    memmove(grab, grab + 1, (table->count - at - 1) * sizeof *grab);
    table->count -= 1;
}

void grab_clear(struct grab_table *table) {
    table->count = 0;
}

bool grab_table_copy(struct grab_table *copy, const struct grab_table *table) {
    struct grab *items = malloc((table->count + 1u) * sizeof *items);
    if (!items) return false;
    if (table->count > 0) memcpy(items, table->items, table->count * sizeof *items);
    *copy = (struct grab_table){
        .items = items, .count = table->count, .capacity = table->count + 1u, .last = table->last};
    return true;
}

void grab_table_free(struct grab_table *table) {
    free(table->items);
    *table = (struct grab_table){0};
}
