/* Commands that are applied to one world together, all or none.
 *
 *   batch_apply ──▶ every handler has run; results are there; nobody has been told
 *       ├── batch_commit: events in their order, what follows them
 *       └── batch_undo:   the world as it was before, as if nothing had come
 *
 * A batch that fails undoes itself. Which commands it takes: cloth.* and collider.* that
 * change something, world.set, world.reset and world.restore. */
#ifndef SIM_BATCH_H
#define SIM_BATCH_H

#include <sim/event.h>
#include <wire/json_write.h>

struct call; /* dispatch.h */

struct batch_entry {
    struct wire_request request;
    struct applied applied;
    void (*after)(struct call *call);
};

struct batch {
    struct world *world;
    struct client *client;
    struct batch_entry *entries;
    uint32_t count;
    struct json results; /* an array of result objects */
    /* the world as it was; guarded: there is something to go back to */
    bool guarded, announce_all, dirty;
    struct content_state before;
    struct grab_table grabs;
    uint32_t epoch, gone_count;
    struct clock clock;
};

/* 0, or -1 with *error, whose path begins with path ("commands"), and no batch. The commands must
 * stay as long as the batch. may_be_undone: keep what batch_undo needs. */
int batch_apply(struct batch *batch, struct sim *sim, struct world *world, struct client *client,
                const struct wire_step_command *commands, uint32_t count, bool may_be_undone,
                const char *path, struct wire_error *error);
/* Both end the batch but for its results, which batch_commit leaves to the caller. */
void batch_commit(struct batch *batch, struct sim *sim);
void batch_undo(struct batch *batch);

#endif
