/* Grabs: adding, moving, releasing, and their pull. */
#include "solve/grab.h"

#include "world/sleep.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

/* Moves further apart than this (s) are not one movement of a hand. */
#define STREAM_GAP 0.2

static int by_id(const void *a, const void *b) {
    pbd_grab_id p = ((const struct grab *)a)->id, q = ((const struct grab *)b)->id;
    return (p > q) - (p < q);
}

static struct grab *find(const pbd_world *world, pbd_grab_id id) {
    if (world->grab_count == 0) return NULL;
    struct grab key = {.id = id};
    return bsearch(&key, world->grabs, world->grab_count, sizeof key, by_id);
}

static void wake(pbd_world *world, const struct grab *grab) {
    struct pbd_cloth *cloth = world_cloth(world, grab->cloth);
    if (cloth != NULL) sleep_wake_cloth(cloth);
}

int pbd_grab_add(pbd_world *world, pbd_cloth_id id, uint32_t vertex, const float position[3],
                 float compliance, pbd_grab_id *grab) {
    const struct pbd_cloth *cloth = world_cloth(world, id);
    if (cloth == NULL) return PBD_STALE_ID;
    if (vertex >= cloth->fabric->view.vertex_count) return PBD_INDEX_RANGE;
    if (world->last_grab == UINT32_MAX) return PBD_OUT_OF_MEMORY;
    if (world->grab_count == world->grab_capacity) {
        uint32_t wanted = world->grab_capacity < 8 ? 8 : world->grab_capacity * 2;
        struct grab *grown = realloc(world->grabs, wanted * sizeof *grown);
        if (grown == NULL) return PBD_OUT_OF_MEMORY;
        world->grabs = grown;
        world->grab_capacity = wanted;
    }
    struct grab added = {.id = ++world->last_grab,
                         .cloth = id,
                         .vertex = vertex,
                         .particle = cloth->fabric->view.vertex_particle[vertex],
                         .compliance = compliance,
                         .since = UINT32_MAX};
    memcpy(added.from, position, sizeof added.from);
    memcpy(added.to, position, sizeof added.to);
    world->grabs[world->grab_count++] = added;
    wake(world, &added);
    *grab = added.id;
    return PBD_OK;
}

/* Where the target is `index` of `count` substeps into the tick. */
static struct vec3 target_at(const struct grab *grab, int index, int count) {
    struct vec3 from = vec3_from(grab->from), to = vec3_from(grab->to);
    if (grab->done >= grab->total) return to;
    double part = ((double)grab->done + (double)index / (double)count) / (double)grab->total;
    return part < 1.0 ? vec3_add_scaled(from, vec3_sub(to, from), part) : to;
}

int pbd_grab_move(pbd_world *world, pbd_grab_id id, const float position[3]) {
    struct grab *grab = find(world, id);
    if (grab == NULL) return PBD_STALE_ID;
    double waited = (double)grab->since * (double)world->settings.solver.dt;
    struct vec3 now = target_at(grab, 0, 1);
    grab->from[0] = (float)now.x;
    grab->from[1] = (float)now.y;
    grab->from[2] = (float)now.z;
    memcpy(grab->to, position, sizeof grab->to);
    grab->done = 0;
    /* A second move between two ticks takes the first one's time. */
    if (grab->since > 0) grab->total = waited <= STREAM_GAP ? grab->since : 1;
    grab->since = 0;
    wake(world, grab);
    return PBD_OK;
}

int pbd_grab_release(pbd_world *world, pbd_grab_id id) {
    struct grab *grab = find(world, id);
    if (grab == NULL) return PBD_STALE_ID;
    wake(world, grab);
    size_t after = (size_t)(world->grabs + world->grab_count - (grab + 1));
    memmove(grab, grab + 1, after * sizeof *grab);
    --world->grab_count;
    return PBD_OK;
}

int pbd_grab_get(const pbd_world *world, pbd_grab_id id, struct pbd_grab_state *state) {
    const struct grab *grab = find(world, id);
    if (grab == NULL) return PBD_STALE_ID;
    state->cloth = grab->cloth;
    state->vertex = grab->vertex;
    memcpy(state->position, grab->to, sizeof state->position);
    state->compliance = grab->compliance;
    return PBD_OK;
}

bool grabs_hold(const pbd_world *world, pbd_cloth_id cloth) {
    for (uint32_t i = 0; i < world->grab_count; ++i)
        if (world->grabs[i].cloth == cloth) return true;
    return false;
}

void grabs_drop_cloth(pbd_world *world, pbd_cloth_id cloth) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < world->grab_count; ++i)
        if (world->grabs[i].cloth != cloth) world->grabs[kept++] = world->grabs[i];
    world->grab_count = kept;
}

/* ---- through a tick ---- */

void grabs_begin_substep(pbd_world *world, int index, int count) {
    for (uint32_t i = 0; i < world->grab_count; ++i) {
        struct grab *grab = &world->grabs[i];
        grab->target = target_at(grab, index + 1, count);
        grab->lambda = vec3_make(0.0, 0.0, 0.0);
    }
}

/* One axis: changes *lambda and returns the displacement. */
static double pull(double c, double w, double alpha, double *lambda) {
    double change = -(c + alpha * *lambda) / (w + alpha);
    *lambda += change;
    return w * change;
}

void grabs_project(pbd_world *world, float h) {
    for (uint32_t i = 0; i < world->grab_count; ++i) {
        struct grab *grab = &world->grabs[i];
        struct pbd_cloth *cloth = world_cloth(world, grab->cloth);
        const struct cloth_state *s = &cloth->state;
        struct cloth_scratch *t = &cloth->scratch;
        uint32_t p = grab->particle;
        double w = (double)s->w[p], alpha = (double)grab->compliance / ((double)h * (double)h);
        if (!cloth_is_active(cloth) || !(w > 0.0) || !(alpha <= DBL_MAX)) continue;
        double x = (double)s->x[p] - grab->target.x + (double)t->ux[p];
        double y = (double)s->y[p] - grab->target.y + (double)t->uy[p];
        double z = (double)s->z[p] - grab->target.z + (double)t->uz[p];
        t->ux[p] = (float)((double)t->ux[p] + pull(x, w, alpha, &grab->lambda.x));
        t->uy[p] = (float)((double)t->uy[p] + pull(y, w, alpha, &grab->lambda.y));
        t->uz[p] = (float)((double)t->uz[p] + pull(z, w, alpha, &grab->lambda.z));
    }
}

void grabs_end_tick(pbd_world *world) {
    for (uint32_t i = 0; i < world->grab_count; ++i) {
        struct grab *grab = &world->grabs[i];
        if (grab->done < grab->total) ++grab->done;
        if (grab->since < UINT32_MAX) ++grab->since;
    }
}
