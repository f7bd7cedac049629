/* Named snapshots of a world: what world.save keeps and world.restore brings back.
 *
 * They belong to their world: world.load and world.destroy drop them, a clone has none.
 * Bounded by count and, over all worlds together, by bytes. */
#ifndef SIM_SAVED_H
#define SIM_SAVED_H

#include <sim/content.h>
#include <sim/grab.h>

struct saved {
    char name[65];
    struct content_state state;
    struct grab_table grabs;
    uint32_t tick;
    uint64_t hash;
    size_t bytes;
};

/* In the order in which their names came up first. */
struct saved_table {
    struct saved *items;
    uint32_t count, capacity;
};

/* NULL when there is none. */
struct saved *saved_find(const struct saved_table *table, const char *name);
/* Of all of them. */
size_t saved_bytes(const struct saved_table *table);
/* Content and grabs as they are now; false when out of memory. */
bool saved_take(struct saved *saved, const char *name, const struct content *content,
                const struct grab_table *grabs);
/* Takes it in place of the one of its name, or as a new one; false when out of memory. */
bool saved_put(struct saved_table *table, struct saved *saved);
void saved_free(struct saved *saved);
void saved_table_free(struct saved_table *table);

#endif
