/* The grabs of a world: which client holds which vertex.
 *
 * Clients know a grab by a number that rises from 1 since the last load, so that the same
 * commands give the same numbers again. Any client may drag or release any grab; it ends
 * when it is released, when the client that made it leaves, with its cloth, and with a
 * reset. What the solver has ended is forgotten at the next look. */
#ifndef SIM_GRAB_H
#define SIM_GRAB_H

#include <pbd/pbd.h>

struct grab {
    uint32_t number;
    uint32_t client; /* that made it */
    pbd_grab_id id;
};

struct grab_table {
    struct grab *items; /* in the order of their numbers */
    uint32_t count, capacity;
    uint32_t last; /* number given last */
};

/* Makes room for one more, so that grab_add cannot fail; false when out of memory. */
bool grab_reserve(struct grab_table *table);
/* Its number. */
uint32_t grab_add(struct grab_table *table, uint32_t client, pbd_grab_id id);
/* NULL when there is none of this number, or none any more. */
struct grab *grab_find(struct grab_table *table, const pbd_world *pbd, uint32_t number);
/* The first of this client's, or NULL. */
struct grab *grab_of_client(struct grab_table *table, const pbd_world *pbd, uint32_t client);
void grab_remove(struct grab_table *table, struct grab *grab);
/* Forgets those that have ended. */
void grab_prune(struct grab_table *table, const pbd_world *pbd);
/* Forgets all, after the solver's world was restored or replaced. */
void grab_clear(struct grab_table *table);
/* An equal table; false when out of memory. */
bool grab_table_copy(struct grab_table *copy, const struct grab_table *table);
void grab_table_free(struct grab_table *table);

#endif
