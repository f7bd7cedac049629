/* The table of named snapshots. */
#include "sim/saved.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct saved *saved_find(const struct saved_table *table, const char *name) {
    for (uint32_t i = 0; i < table->count; ++i) {
        if (strcmp(table->items[i].name, name) == 0) return &table->items[i];
    }
    return NULL;
}

size_t saved_bytes(const struct saved_table *table) {
    size_t bytes = 0;
    for (uint32_t i = 0; i < table->count; ++i)
        bytes += table->items[i].bytes;
    return bytes;
}

bool saved_take(struct saved *saved, const char *name, const struct content *content,
                const struct grab_table *grabs) {
    struct saved taken = {.tick = pbd_world_tick(content->pbd), .hash = pbd_world_state_hash(content->pbd)};
    snprintf(taken.name, sizeof taken.name, "%s", name);
    if (!content_state_take(&taken.state, content) || !grab_table_copy(&taken.grabs, grabs)) {
        saved_free(&taken);
        return false;
    }
    taken.bytes = pbd_snapshot_size(taken.state.snapshot) + sizeof taken +
                  taken.state.objects.count * sizeof *taken.state.objects.items;
    *saved = taken;
    return true;
}

bool saved_put(struct saved_table *table, struct saved *saved) {
    struct saved *place = saved_find(table, saved->name);
    if (!place && table->count == table->capacity) {
        uint32_t capacity = table->capacity ? 2 * table->capacity : 4;
        struct saved *items = realloc(table->items, capacity * sizeof *items);
        if (!items) return false;
        table->items = items;
        table->capacity = capacity;
    }
    if (place) {
        saved_free(place);
    } else {
        place = &table->items[table->count++];
    }
    *place = *saved;
    *saved = (struct saved){0};
    return true;
}

void saved_free(struct saved *saved) {
    content_state_free(&saved->state);
    grab_table_free(&saved->grabs);
    *saved = (struct saved){0};
}

void saved_table_free(struct saved_table *table) {
    for (uint32_t i = 0; i < table->count; ++i)
        saved_free(&table->items[i]);
    free(table->items);
    *table = (struct saved_table){0};
}
