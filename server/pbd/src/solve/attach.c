/* Attachments to colliders. The list of a cloth is a set, ascending by particle; places
 * are kept in double, so that a vertex far from a collider's origin follows its turning
 * to the last bit of float32. */
#include "solve/attach.h"

#include "contact/rigid.h"
#include "world/sleep.h"

#include <stdlib.h>
#include <string.h>

/* A place of the list that is to go. */
#define GONE UINT32_MAX

static int by_particle(const void *a, const void *b) {
    uint32_t p = ((const struct attachment *)a)->particle, q = ((const struct attachment *)b)->particle;
    return (p > q) - (p < q);
}

static struct attachment *find(const struct pbd_cloth *cloth, uint32_t particle) {
    if (cloth->attachment_count == 0) return NULL;
    struct attachment key = {.particle = particle};
    return bsearch(&key, cloth->attachments, cloth->attachment_count, sizeof key, by_particle);
}

static uint32_t particle_of(const struct pbd_cloth *cloth, uint32_t vertex) {
    return cloth->fabric->view.vertex_particle[vertex];
}

static bool in_range(const struct pbd_cloth *cloth, const uint32_t *vertices, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i)
        if (vertices[i] >= cloth->fabric->view.vertex_count) return false;
    return true;
}

static bool is_dynamic(const struct pbd_collider *collider) {
    return collider->body.inverse_mass > 0.0;
}

static struct exact_pose pose_now(const struct pbd_collider *collider) {
    const struct rigid_state *now = &collider->body.now;
    if (is_dynamic(collider)) return exact_pose_from(now->position, now->rotation);
    return exact_pose_from(vec3_from(collider->def.position), quaternion_from(collider->def.rotation));
}

/* X + e */
static struct vec3 place_of(const struct pbd_cloth *cloth, uint32_t p) {
    const struct cloth_state *s = &cloth->state;
    return vec3_make((double)s->x[p] + (double)s->ex[p], (double)s->y[p] + (double)s->ey[p],
                     (double)s->z[p] + (double)s->ez[p]);
}

static void hold_where_it_is(const pbd_world *world, struct pbd_cloth *cloth, struct attachment *held) {
    const struct pbd_collider *collider = world_collider(world, held->collider);
    struct exact_pose pose = pose_now(collider);
    held->place = pose_to_local(&pose, place_of(cloth, held->particle));
}

/* The inverse mass of a particle that no pin holds. */
static float inverse_mass(const pbd_world *world, const struct pbd_cloth *cloth, uint32_t particle) {
    const struct attachment *held = find(cloth, particle);
    if (held != NULL && !is_dynamic(world_collider(world, held->collider))) return 0.0f;
    return cloth->fabric->inverse_mass[particle];
}

static void update_mass(const pbd_world *world, struct pbd_cloth *cloth, uint32_t particle) {
    if (!pins_hold(cloth, particle)) cloth->state.w[particle] = inverse_mass(world, cloth, particle);
}

/* ---- requests ---- */

int pbd_cloth_attach(pbd_world *world, pbd_cloth_id id, const uint32_t *vertices, uint32_t count,
                     pbd_collider_id collider_id) {
    struct pbd_cloth *cloth = world_cloth(world, id);
    struct pbd_collider *collider = world_collider(world, collider_id);
    if (cloth == NULL || collider == NULL) return PBD_STALE_ID;
    if (!in_range(cloth, vertices, count)) return PBD_INDEX_RANGE;
    uint32_t old = cloth->attachment_count, need = old + count;
    if (need < count) return PBD_OUT_OF_MEMORY;
    if (need > cloth->attachment_capacity) {
        struct attachment *grown = realloc(cloth->attachments, need * sizeof *grown);
        if (grown == NULL) return PBD_OUT_OF_MEMORY;
        cloth->attachments = grown;
        cloth->attachment_capacity = need;
    }
    /* New ones behind the old ones, then sorted and made unique. */
    uint32_t end = old;
    for (uint32_t i = 0; i < count; ++i) {
        struct attachment added = {.particle = particle_of(cloth, vertices[i]), .collider = collider_id};
        struct attachment *known = find(cloth, added.particle);
        if (known == NULL) known = &cloth->attachments[end++];
        *known = added;
        hold_where_it_is(world, cloth, known);
    }
    if (end > 1) qsort(cloth->attachments, end, sizeof *cloth->attachments, by_particle);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < end; ++i)
        if (kept == 0 || cloth->attachments[kept - 1].particle != cloth->attachments[i].particle)
            cloth->attachments[kept++] = cloth->attachments[i];
    cloth->attachment_count = kept;
    for (uint32_t i = 0; i < count; ++i)
        update_mass(world, cloth, particle_of(cloth, vertices[i]));
    ++cloth->attachments_version;
    sleep_wake_cloth(cloth);
    sleep_wake_collider(collider);
    return PBD_OK;
}

/* Takes out what is marked; its particles are free but for their pins. */
static void drop_gone(struct pbd_cloth *cloth) {
    for (uint32_t i = 0; i < cloth->attachment_count; ++i) {
        const struct attachment *held = &cloth->attachments[i];
        if (held->collider == GONE && !pins_hold(cloth, held->particle))
            cloth->state.w[held->particle] = cloth->fabric->inverse_mass[held->particle];
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < cloth->attachment_count; ++i)
        if (cloth->attachments[i].collider != GONE) cloth->attachments[kept++] = cloth->attachments[i];
    cloth->attachment_count = kept;
    ++cloth->attachments_version;
    sleep_wake_cloth(cloth);
}

int pbd_cloth_detach(pbd_world *world, pbd_cloth_id id, const uint32_t *vertices, uint32_t count) {
    struct pbd_cloth *cloth = world_cloth(world, id);
    if (cloth == NULL) return PBD_STALE_ID;
    if (!in_range(cloth, vertices, count)) return PBD_INDEX_RANGE;
    for (uint32_t i = 0; i < count; ++i)
        if (find(cloth, particle_of(cloth, vertices[i])) == NULL) return PBD_NOT_ATTACHED;
    for (uint32_t i = 0; i < count; ++i) {
        struct attachment *held = find(cloth, particle_of(cloth, vertices[i]));
        struct pbd_collider *collider = world_collider(world, held->collider);
        if (collider != NULL) sleep_wake_collider(collider);
        held->collider = GONE;
    }
    drop_gone(cloth);
    return PBD_OK;
}

uint32_t pbd_cloth_attachments(const pbd_world *world, pbd_cloth_id id, uint32_t *vertices,
                               pbd_collider_id *colliders, uint32_t capacity) {
    const struct pbd_cloth *cloth = world_cloth(world, id);
    if (cloth == NULL) return 0;
    uint32_t count = 0;
    for (uint32_t v = 0; cloth->attachment_count > 0 && v < cloth->fabric->view.vertex_count; ++v) {
        const struct attachment *held = find(cloth, particle_of(cloth, v));
        if (held == NULL) continue;
        if (count < capacity) {
            vertices[count] = v;
            colliders[count] = held->collider;
        }
        ++count;
    }
    return count;
}

uint32_t pbd_cloth_attachments_version(const pbd_world *world, pbd_cloth_id id) {
    const struct pbd_cloth *cloth = world_cloth(world, id);
    return cloth == NULL ? 0 : cloth->attachments_version;
}

/* ---- what happens to the two sides ---- */

bool attach_holds(const struct pbd_cloth *cloth, uint32_t particle, pbd_collider_id collider) {
    const struct attachment *held = find(cloth, particle);
    return held != NULL && held->collider == collider;
}

float attach_unpinned(const pbd_world *world, struct pbd_cloth *cloth, uint32_t particle) {
    struct attachment *held = find(cloth, particle);
    if (held != NULL) hold_where_it_is(world, cloth, held);
    return inverse_mass(world, cloth, particle);
}

void attach_follow_cloth(const pbd_world *world, struct pbd_cloth *cloth) {
    for (uint32_t i = 0; i < cloth->attachment_count; ++i)
        hold_where_it_is(world, cloth, &cloth->attachments[i]);
}

void attach_follow_collider(pbd_world *world, const struct pbd_collider *collider) {
    struct exact_pose pose = pose_now(collider);
    for (uint32_t k = 0; k < world->cloth_count; ++k) {
        struct pbd_cloth *cloth = &world->cloths[world->cloth_order[k]];
        struct cloth_state *s = &cloth->state;
        for (uint32_t i = 0; i < cloth->attachment_count; ++i) {
            const struct attachment *held = &cloth->attachments[i];
            uint32_t p = held->particle;
            if (held->collider != collider->id) continue;
            sleep_wake_cloth(cloth);
            if (pins_hold(cloth, p)) continue;
            struct vec3 target = pose_to_world(&pose, held->place);
            s->x[p] = (float)target.x;
            s->y[p] = (float)target.y;
            s->z[p] = (float)target.z;
            s->ex[p] = s->ey[p] = s->ez[p] = 0.0f;
            s->vx[p] = s->vy[p] = s->vz[p] = 0.0f;
        }
    }
}

void attach_drop_collider(pbd_world *world, pbd_collider_id collider) {
    for (uint32_t k = 0; k < world->cloth_count; ++k) {
        struct pbd_cloth *cloth = &world->cloths[world->cloth_order[k]];
        bool any = false;
        for (uint32_t i = 0; i < cloth->attachment_count; ++i)
            if (cloth->attachments[i].collider == collider) {
                cloth->attachments[i].collider = GONE;
                any = true;
            }
        if (any) drop_gone(cloth);
    }
}

/* ---- through a substep ---- */

void attach_predict(const pbd_world *world, struct pbd_cloth *cloth, float h) {
    const struct cloth_state *s = &cloth->state;
    struct cloth_scratch *t = &cloth->scratch;
    for (uint32_t i = 0; i < cloth->attachment_count; ++i) {
        const struct attachment *held = &cloth->attachments[i];
        const struct pbd_collider *collider = world_collider(world, held->collider);
        if (is_dynamic(collider)) continue;
        uint32_t p = held->particle;
        struct vec3 target = pose_to_world(&collider->substep_end, held->place);
        t->ux[p] = (float)(target.x - (double)s->x[p]);
        t->uy[p] = (float)(target.y - (double)s->y[p]);
        t->uz[p] = (float)(target.z - (double)s->z[p]);
        s->vx[p] = (t->ux[p] - s->ex[p]) / h;
        s->vy[p] = (t->uy[p] - s->ey[p]) / h;
        s->vz[p] = (t->uz[p] - s->ez[p]) / h;
    }
}

void attach_project(pbd_world *world, struct pbd_cloth *cloth) {
    const struct cloth_state *s = &cloth->state;
    struct cloth_scratch *t = &cloth->scratch;
    for (uint32_t i = 0; i < cloth->attachment_count; ++i) {
        const struct attachment *held = &cloth->attachments[i];
        struct pbd_collider *body = world_collider(world, held->collider);
        if (!is_dynamic(body)) continue;
        uint32_t p = held->particle;
        struct vec3 at = pose_to_world(&body->substep_end, held->place);
        struct vec3 apart =
            vec3_make((double)s->x[p] - at.x + (double)t->ux[p], (double)s->y[p] - at.y + (double)t->uy[p],
                      (double)s->z[p] - at.z + (double)t->uz[p]);
        double distance = vec3_length(apart);
        if (!(distance > 0.0)) continue;
        struct vec3 direction = vec3_scale(apart, 1.0 / distance);
        double w = (double)s->w[p], weight = w + rigid_inverse_mass(body, at, direction);
        if (!(weight > 0.0)) continue;
        double push = distance / weight;
        t->ux[p] = (float)((double)t->ux[p] - w * push * direction.x);
        t->uy[p] = (float)((double)t->uy[p] - w * push * direction.y);
        t->uz[p] = (float)((double)t->uz[p] - w * push * direction.z);
        rigid_push(body, at, vec3_scale(direction, push));
    }
}
