/* Pins: particles that are where they are told to be.
 *
 * A pin has w = 0 and a straight way from `from` to `to` in whole ticks, walked
 * linearly over the substeps; its end is `to` bit for bit. A pin at rest is a way that
 * is over. The list is a set, ascending by particle. */
#include "world/world_internal.h"

#include "solve/attach.h"
#include "world/sleep.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static int by_particle(const void *a, const void *b) {
    uint32_t p = ((const struct pin *)a)->particle, q = ((const struct pin *)b)->particle;
    return (p > q) - (p < q);
}

static struct pin *find_pin(const struct pbd_cloth *cloth, uint32_t particle) {
    uint32_t low = 0, high = cloth->pin_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (cloth->pins[middle].particle < particle)
            low = middle + 1;
        else
            high = middle;
    }
    return low < cloth->pin_count && cloth->pins[low].particle == particle ? &cloth->pins[low] : NULL;
}

static uint32_t particle_of(const struct pbd_cloth *cloth, uint32_t vertex) {
    return cloth->fabric->view.vertex_particle[vertex];
}

static bool in_range(const struct pbd_cloth *cloth, const uint32_t *vertices, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i)
        if (vertices[i] >= cloth->fabric->view.vertex_count) return false;
    return true;
}

static void rest_where_it_is(struct pbd_cloth *cloth, struct pin *pin) {
    const struct cloth_state *s = &cloth->state;
    uint32_t p = pin->particle;
    pin->to[0] = s->x[p];
    pin->to[1] = s->y[p];
    pin->to[2] = s->z[p];
    memcpy(pin->from, pin->to, sizeof pin->from);
    pin->done = pin->total = 0;
}

static void lead_to(struct pbd_cloth *cloth, struct pin *pin, const float *target, uint32_t over) {
    rest_where_it_is(cloth, pin);
    memcpy(pin->to, target, sizeof pin->to);
    pin->total = over > 0 ? over : 1;
}

int pins_add(struct pbd_cloth *cloth, const uint32_t *vertices, uint32_t count, const float *targets) {
    if (count == 0) return PBD_OK;
    uint32_t need = cloth->pin_count + count;
    if (need < count) return PBD_OUT_OF_MEMORY;
    if (need > cloth->pin_capacity) {
        struct pin *grown = realloc(cloth->pins, need * sizeof *grown);
        if (grown == NULL) return PBD_OUT_OF_MEMORY;
        cloth->pins = grown;
        cloth->pin_capacity = need;
    }
    /* New ones behind the old ones, then sorted and made unique. */
    uint32_t old = cloth->pin_count, end = old;
    struct cloth_state *s = &cloth->state;
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t p = particle_of(cloth, vertices[i]);
        struct pin known = {.particle = p};
        if (old > 0 && bsearch(&known, cloth->pins, old, sizeof known, by_particle) != NULL) continue;
        s->ex[p] = s->ey[p] = s->ez[p] = 0.0f;
        s->w[p] = 0.0f;
        rest_where_it_is(cloth, &known);
        cloth->pins[end++] = known;
    }
    qsort(cloth->pins, end, sizeof *cloth->pins, by_particle);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < end; ++i)
        if (kept == 0 || cloth->pins[kept - 1].particle != cloth->pins[i].particle)
            cloth->pins[kept++] = cloth->pins[i];
    cloth->pin_count = kept;
    for (uint32_t i = 0; targets != NULL && i < count; ++i)
        lead_to(cloth, find_pin(cloth, particle_of(cloth, vertices[i])), targets + 3 * (size_t)i, 1);
    return PBD_OK;
}

bool pins_hold(const struct pbd_cloth *cloth, uint32_t particle) {
    return find_pin(cloth, particle) != NULL;
}

bool pins_move(const struct pbd_cloth *cloth) {
    for (uint32_t i = 0; i < cloth->pin_count; ++i)
        if (cloth->pins[i].done < cloth->pins[i].total) return true;
    return false;
}

void pins_follow(struct pbd_cloth *cloth) {
    for (uint32_t i = 0; i < cloth->pin_count; ++i)
        rest_where_it_is(cloth, &cloth->pins[i]);
}

int pbd_cloth_pin(pbd_world *world, pbd_cloth_id id, const uint32_t *vertices, uint32_t count,
                  const float *targets) {
    struct pbd_cloth *cloth = world_cloth(world, id);
    if (cloth == NULL) return PBD_STALE_ID;
    if (!in_range(cloth, vertices, count)) return PBD_INDEX_RANGE;
    int result = pins_add(cloth, vertices, count, targets);
    if (result < 0) return result;
    ++cloth->pins_version;
    sleep_wake_cloth(cloth);
    return PBD_OK;
}

int pbd_cloth_unpin(pbd_world *world, pbd_cloth_id id, const uint32_t *vertices, uint32_t count) {
    struct pbd_cloth *cloth = world_cloth(world, id);
    if (cloth == NULL) return PBD_STALE_ID;
    if (!in_range(cloth, vertices, count)) return PBD_INDEX_RANGE;
    const uint32_t gone = UINT32_MAX;
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t p = particle_of(cloth, vertices[i]);
        struct pin *pin = find_pin(cloth, p);
        if (pin == NULL || pin->total == gone) continue;
        pin->total = gone;
        cloth->state.w[p] = attach_unpinned(world, cloth, p);
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < cloth->pin_count; ++i)
        if (cloth->pins[i].total != gone) cloth->pins[kept++] = cloth->pins[i];
    cloth->pin_count = kept;
    ++cloth->pins_version;
    sleep_wake_cloth(cloth);
    return PBD_OK;
}

int pbd_cloth_move(pbd_world *world, pbd_cloth_id id, const uint32_t *vertices, uint32_t count,
                   const float *targets, uint32_t over) {
    struct pbd_cloth *cloth = world_cloth(world, id);
    if (cloth == NULL) return PBD_STALE_ID;
    if (!in_range(cloth, vertices, count)) return PBD_INDEX_RANGE;
    assert(over < UINT32_MAX);
    for (uint32_t i = 0; i < count; ++i)
        if (find_pin(cloth, particle_of(cloth, vertices[i])) == NULL) return PBD_NOT_PINNED;
    for (uint32_t i = 0; i < count; ++i)
        lead_to(cloth, find_pin(cloth, particle_of(cloth, vertices[i])), targets + 3 * (size_t)i, over);
    sleep_wake_cloth(cloth);
    return PBD_OK;
}

int pbd_cloth_is_pinned(const pbd_world *world, pbd_cloth_id id, uint32_t vertex, float *target) {
    const struct pbd_cloth *cloth = world_cloth(world, id);
    if (cloth == NULL) return PBD_STALE_ID;
    if (!in_range(cloth, &vertex, 1)) return PBD_INDEX_RANGE;
    const struct pin *pin = find_pin(cloth, particle_of(cloth, vertex));
    if (pin == NULL) return 0;
    if (target != NULL) memcpy(target, pin->to, sizeof pin->to);
    return 1;
}

uint32_t pbd_cloth_pins(const pbd_world *world, pbd_cloth_id id, uint32_t *vertices, uint32_t capacity) {
    const struct pbd_cloth *cloth = world_cloth(world, id);
    if (cloth == NULL) return 0;
    uint32_t count = 0;
    for (uint32_t v = 0; cloth->pin_count > 0 && v < cloth->fabric->view.vertex_count; ++v) {
        if (find_pin(cloth, particle_of(cloth, v)) == NULL) continue;
        if (count < capacity) vertices[count] = v;
        ++count;
    }
    return count;
}

uint32_t pbd_cloth_pins_version(const pbd_world *world, pbd_cloth_id id) {
    const struct pbd_cloth *cloth = world_cloth(world, id);
    return cloth == NULL ? 0 : cloth->pins_version;
}

/* Where a pin is at the end of substep `index` of `count`. */
static void place_at(const struct pin *pin, int index, int count, float out[3]) {
    if (pin->done >= pin->total || (pin->done + 1 == pin->total && index + 1 == count)) {
        memcpy(out, pin->to, sizeof pin->to);
        return;
    }
    double way = ((double)pin->done * count + index + 1) / ((double)pin->total * count);
    for (int k = 0; k < 3; ++k)
        out[k] = (float)(pin->from[k] + ((double)pin->to[k] - pin->from[k]) * way);
}

void pins_predict(struct pbd_cloth *cloth, int index, int count) {
    const struct cloth_state *s = &cloth->state;
    struct cloth_scratch *t = &cloth->scratch;
    for (uint32_t i = 0; i < cloth->pin_count; ++i) {
        uint32_t p = cloth->pins[i].particle;
        float target[3];
        place_at(&cloth->pins[i], index, count, target);
        t->ux[p] = target[0] - s->x[p];
        t->uy[p] = target[1] - s->y[p];
        t->uz[p] = target[2] - s->z[p];
    }
}

void pins_commit(struct pbd_cloth *cloth, int index, int count, float h) {
    struct cloth_state *s = &cloth->state;
    const struct cloth_scratch *t = &cloth->scratch;
    for (uint32_t i = 0; i < cloth->pin_count; ++i) {
        uint32_t p = cloth->pins[i].particle;
        float target[3];
        place_at(&cloth->pins[i], index, count, target);
        /* u was the way from X to the target, and e is 0 for a pin. */
        s->vx[p] = t->ux[p] / h;
        s->vy[p] = t->uy[p] / h;
        s->vz[p] = t->uz[p] / h;
        s->x[p] = target[0];
        s->y[p] = target[1];
        s->z[p] = target[2];
        s->ex[p] = s->ey[p] = s->ez[p] = 0.0f;
    }
}

void pins_end_tick(struct pbd_cloth *cloth) {
    for (uint32_t i = 0; i < cloth->pin_count; ++i) {
        struct pin *pin = &cloth->pins[i];
        if (pin->done < pin->total) ++pin->done;
    }
}
