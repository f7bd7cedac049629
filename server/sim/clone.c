/* Cloning contents: the solver's world goes through a snapshot. */
#include "sim/clone.h"

#include <string.h>
#include <wire/errors.h>

static pbd_world *world_from(const pbd_snapshot *snapshot) {
    const struct pbd_world_settings settings = pbd_default_world_settings();
    pbd_world *pbd = pbd_world_create(&settings);
    if (pbd && pbd_world_restore(pbd, snapshot) != PBD_OK) {
        pbd_world_destroy(pbd);
        return NULL;
    }
    return pbd;
}

static pbd_world *world_like(const pbd_world *source) {
    pbd_snapshot *snapshot = pbd_world_snapshot(source);
    pbd_world *pbd = snapshot ? world_from(snapshot) : NULL;
    pbd_snapshot_destroy(snapshot);
    return pbd;
}

static bool clone_start(struct content *made, const struct content *source, bool now) {
    const struct content_state *start = &source->start;
    made->start.snapshot = pbd_snapshot_ref(start->snapshot);
    made->start.time_scale = start->time_scale;
    if (!now) {
        return object_table_clone(&made->objects, &start->objects, NULL, NULL) &&
               object_table_copy(&made->start.objects, &made->objects);
    }
    return object_table_clone(&made->objects, &source->objects, NULL, NULL) &&
           object_table_clone(&made->start.objects, &start->objects, &source->objects, &made->objects);
}

int clone_content(struct content *clone, const struct content *source, bool now, struct wire_error *error) {
    struct content made = {.time_scale = now ? source->time_scale : source->start.time_scale,
                           .has_view_position = source->has_view_position,
                           .has_view_target = source->has_view_target};
    memcpy(made.view_position, source->view_position, sizeof made.view_position);
    memcpy(made.view_target, source->view_target, sizeof made.view_target);
    made.title = strdup(source->title);
    made.description = strdup(source->description);
    made.pbd = now ? world_like(source->pbd) : world_from(source->start.snapshot);
    if (!made.pbd || !made.title || !made.description || !clone_start(&made, source, now)) {
        content_free(&made);
        WIRE_FAIL(error, out_of_memory, "", "The server had no memory for this request.");
        return -1;
    }
    *clone = made;
    return 0;
}
