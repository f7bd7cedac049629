/* Contacts of a cloth's particles with colliders: which particles are due, and in which
 * order the colliders take them. */
#include "contact/contact_pair.h"
#include "contact/rigid.h"

#include <string.h>

#include "math/elementary.h"

static void resolve_particle(const struct contact_pass *pass, uint32_t i, double travel) {
    struct pbd_cloth *cloth = pass->cloth;
    struct cloth_contacts *contacts = pass->contacts;
    struct cloth_scratch *t = &cloth->scratch;
    struct vec3 base = particle_base(&cloth->state, i);
    struct vec3 x = vec3_add(base, particle_residual(&cloth->state, i));
    struct vec3 p = vec3_add(base, vec3_make((double)t->ux[i], (double)t->uy[i], (double)t->uz[i]));
    double clear = contacts->far_clearance;
    if (travel < contacts->far_clearance) {
        for (uint32_t k = 0; k < contacts->near_count; ++k) {
            double one = contact_collide(pass, i, contacts->near[k], &contacts->near_friction[k], x, &p);
            clear = one < clear ? one : clear;
        }
    } else {
        const struct pbd_cloth_settings *c = &cloth->settings;
        /* Bodies last, as in the list of near ones. */
        for (uint32_t n = 0; n < 2 * pass->world->collider_count; ++n) {
            uint32_t place = pass->world->collider_order[n % pass->world->collider_count];
            bool first = n < pass->world->collider_count;
            if (rigid_moves(&pass->world->colliders[place]) == first) continue;
            const struct pbd_collider_def *d = &pass->world->colliders[place].def;
            struct friction_pair pair =
                friction_combine(c->friction, c->static_friction, d->friction, d->static_friction);
            double one = contact_collide(pass, i, place, &pair, x, &p);
            clear = one < clear ? one : clear;
        }
    }
    if (!pass->flat_only) contacts->clearance[i] = (float)clear;
    if (!(two_way_weight(cloth, i) > 0.0)) return;
    struct vec3 u = vec3_sub(p, base);
    t->ux[i] = (float)u.x;
    t->uy[i] = (float)u.y;
    t->uz[i] = (float)u.z;
}

void contact_begin_tick(pbd_world *world, struct pbd_cloth *cloth) {
    struct cloth_contacts *contacts = cloth->contacts;
    if (contacts->touched != NULL)
        memset(contacts->touched, 0, cloth->fabric->padded_count * sizeof *contacts->touched);
    if (world->collider_count > 0) broad_phase(world, cloth, true);
    contacts->fresh = false;
}

void contact_measure_again(pbd_world *world, struct pbd_cloth *cloth) {
    if (world->collider_count > 0) broad_phase(world, cloth, false);
}

/* A cloth that is only an obstacle: p = x. */
static void stand_still(struct pbd_cloth *cloth) {
    const struct cloth_state *s = &cloth->state;
    size_t size = cloth->fabric->padded_count * sizeof(float);
    memcpy(cloth->scratch.ux, s->ex, size);
    memcpy(cloth->scratch.uy, s->ey, size);
    memcpy(cloth->scratch.uz, s->ez, size);
}

void contact_begin_substep(pbd_world *world, struct pbd_cloth *cloth, float h) {
    (void)h;
    struct cloth_contacts *contacts = cloth->contacts;
    if (cloth->frozen) stand_still(cloth);
    if (world->has_bodies) memset(contacts->pressed, 0, cloth->fabric->padded_count * sizeof(float));
    for (uint32_t i = 0; i < contacts->count; ++i)
        contacts->first[contacts->list[i].particle] = 0;
    contacts->count = 0;
}

/* Squares of what a block's particles travelled since the substep's start. */
static struct lanes travels_squared(const struct pbd_cloth *cloth, uint32_t first) {
    const struct cloth_state *s = &cloth->state;
    const struct cloth_scratch *t = &cloth->scratch;
    const float *ux = t->ux + first, *uy = t->uy + first, *uz = t->uz + first;
    const float *ex = s->ex + first, *ey = s->ey + first, *ez = s->ez + first;
    struct lanes square;
    for (uint32_t k = 0; k < CONTACT_BLOCK; ++k) {
        float x = ux[k] - ex[k], y = uy[k] - ey[k], z = uz[k] - ez[k];
        square.at[k] = x * x + y * y + z * z;
    }
    return square;
}

/* Squares of the clearances with their signs: c·|c|. */
static struct lanes limits_squared(const float *clearance) {
    struct lanes limit;
    for (uint32_t k = 0; k < CONTACT_BLOCK; ++k)
        limit.at[k] = clearance[k] * math_absf(clearance[k]);
    return limit;
}

static void project(pbd_world *world, struct pbd_cloth *cloth, float h, bool flat_only) {
    struct cloth_contacts *contacts = cloth->contacts;
    struct contact_pass pass = {.world = world,
                                .cloth = cloth,
                                .contacts = contacts,
                                .h = (double)h,
                                .thickness = (double)cloth->settings.thickness,
                                .recovery = (double)world->settings.max_depenetration * (double)h,
                                .flat_only = flat_only};
    for (uint32_t first = 0; first < cloth->fabric->padded_count; first += CONTACT_BLOCK) {
        struct lanes travel = travels_squared(cloth, first),
                     limit = limits_squared(contacts->clearance + first);
        int due = 0;
        for (uint32_t k = 0; k < CONTACT_BLOCK; ++k)
            due |= travel.at[k] >= limit.at[k];
        if (due == 0) continue;
        for (uint32_t k = 0; k < CONTACT_BLOCK; ++k)
            if (travel.at[k] >= limit.at[k])
                resolve_particle(&pass, first + k, __builtin_sqrt((double)travel.at[k]));
    }
}

void contact_project_flat(pbd_world *world, struct pbd_cloth *cloth, float h) {
    if (world->has_bodies) project(world, cloth, h, true);
}

void contact_project(pbd_world *world, struct pbd_cloth *cloth, float h) {
    if (world->collider_count > 0) project(world, cloth, h, false);
}
