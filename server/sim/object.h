/* The objects of a world as clients know them: a name, an index in frames, and the id
 * by which the solver knows it.
 *
 *   "flag" ──▶ struct object { index 3, id pbd_cloth_id }
 *
 * An index is not used again within an epoch (load and reset begin a new one). Objects
 * are counted: the live table, the table of the last load (for reset) and tiers share
 * them. Nothing in an object changes what the solver computes. */
#ifndef SIM_OBJECT_H
#define SIM_OBJECT_H

#include <base/buffer.h>
#include <pbd/pbd.h>

enum object_kind { OBJECT_CLOTH, OBJECT_COLLIDER };
enum { OBJECT_INDEX_LIMIT = 65535 };

struct object {
    uint32_t refs;
    enum object_kind kind;
    char name[65];
    uint32_t id; /* pbd_cloth_id or pbd_collider_id */
    uint16_t index;
    /* cloths only */
    pbd_fabric *fabric; /* our reference */
    struct pbd_fabric_view view;
    uint32_t *payload_particle; /* per payload vertex: its particle */
    bool thickness_given;       /* by the command that added it or a later cloth.set */
    char *grid; /* the JSON members of cloth.add that made it: grid, position, …; NULL if not from a grid */
    uint64_t placed; /* fingerprint of the start, where nothing but grid says it; else 0 */
    int8_t step_exp; /* auto */
    /* what subscribers must be told at the next publication */
    bool appeared, changed, reshaped;           /* reshaped: with new TRIANGLES and REST */
    uint32_t pins_version, attachments_version; /* of the last announcement */
    uint64_t clamped_tick;                      /* of the last `clamped` event + 1; 0 = none yet */
    struct buffer *topology; /* TRIANGLES and REST of one publication, shared by its receivers */
};

struct object_table {
    struct object **items; /* in the order of adding */
    uint32_t count, capacity;
    uint32_t next_index;
    uint32_t version; /* bumped by every change */
};

/* A cloth's object without an index yet; takes its own reference to fabric. NULL = out of memory. */
struct object *object_create_cloth(const char *name, pbd_fabric *fabric);
struct object *object_create_collider(const char *name);
/* An equal one for another world, which is still to be told; NULL = out of memory. */
struct object *object_copy(const struct object *object);
struct object *object_ref(struct object *object);
void object_unref(struct object *object); /* NULL is allowed */

/* Makes room for one more, so that the next object_table_add cannot fail. */
bool object_table_reserve(struct object_table *table);
/* Gives the object the next index and takes the caller's reference. The table has
 * room (reserve) and an index left (next_index < OBJECT_INDEX_LIMIT). */
void object_table_add(struct object_table *table, struct object *object);
/* Drops the table's reference. */
void object_table_remove(struct object_table *table, struct object *object);
/* NULL when there is none. */
struct object *object_find(const struct object_table *table, enum object_kind kind, const char *name);
struct object *object_find_id(const struct object_table *table, enum object_kind kind, uint32_t id);
struct object *object_find_index(const struct object_table *table, uint32_t index);
uint32_t object_count(const struct object_table *table, enum object_kind kind);
/* Vertices of all cloths, without mesh colliders (content_vertices). */
uint64_t object_vertices(const struct object_table *table);

/* An equal table with its own references; false when out of memory. */
bool object_table_copy(struct object_table *copy, const struct object_table *table);
/* The same for another world: of copies of the objects. What `kept` (NULL: none) has copies of
 * in `kept_copy` is not copied again, so that two tables share what their originals share. */
bool object_table_clone(struct object_table *copy, const struct object_table *table,
                        const struct object_table *kept, const struct object_table *kept_copy);
void object_table_free(struct object_table *table);

#endif
