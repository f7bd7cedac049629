/* What contacts do to velocities at a substep's end, and the tick's count of them. */
#include "contact/contact_internal.h"

#include "contact/contact_pair.h"
#include "contact/rigid.h"
#include "math/elementary.h"

/* What the substep travelled is taken from the clearances. */
static void spend_clearance(struct pbd_cloth *cloth, double h) {
    struct cloth_contacts *contacts = cloth->contacts;
    float step = (float)(h * (1.0 + 0x1p-20));
    struct lanes longest = {{0.0f}};
    for (uint32_t first = 0; first < cloth->fabric->padded_count; first += CONTACT_BLOCK) {
        const float *vx = cloth->state.vx + first, *vy = cloth->state.vy + first,
                    *vz = cloth->state.vz + first;
        float *clearance = contacts->clearance + first;
        for (uint32_t k = 0; k < CONTACT_BLOCK; ++k) {
            float travel = math_sqrtf(vx[k] * vx[k] + vy[k] * vy[k] + vz[k] * vz[k]) * step;
            clearance[k] -= travel;
            longest.at[k] = math_maxf(travel, longest.at[k]);
        }
    }
    for (uint32_t k = 1; k < CONTACT_BLOCK; ++k)
        longest.at[0] = math_maxf(longest.at[k], longest.at[0]);
    contacts->far_clearance -= (double)longest.at[0];
}

/* Restitution, and the end of velocities that only undid an overlap. */
static void settle_velocity(pbd_world *world, struct pbd_cloth *cloth, const struct contact *contact,
                            double h) {
    struct pbd_collider *collider = &world->colliders[contact->place];
    struct cloth_state *s = &cloth->state;
    uint32_t i = contact->particle;
    struct two_way sides = two_way_of(collider, two_way_weight(cloth, i));
    if (sides.pushes && contact->held) sides.w = 0.0;
    struct vec3 x = vec3_add(particle_base(s, i), particle_residual(s, i));
    struct vec3 local = pose_to_local(&collider->substep_end, x);
    struct vec3 n = pose_direction_to_world(&collider->substep_end, vec3_from(contact->normal));
    struct vec3 v = vec3_make((double)s->vx[i], (double)s->vy[i], (double)s->vz[i]);
    if (cloth->frozen) v = vec3_make(0.0, 0.0, 0.0);
    double surface = sides.pushes ? vec3_dot(rigid_velocity_at(collider, x, h), n)
                                  : vec3_dot(contact_surface_shift(collider, local), n) / h;
    double speed = vec3_dot(v, n) - surface;
    double settled = speed;
    double undone = contact->pushed < contact->recovered ? contact->pushed : contact->recovered;
    if (sides.pushes) undone /= contact->share;
    if (speed > 0.0 && undone > 0.0) {
        settled = speed - undone / h;
        if (settled < 0.0) settled = 0.0;
    }
    double restitution = (double)math_maxf(cloth->settings.restitution, collider->def.restitution);
    double gravity = vec3_length(vec3_from(world->settings.gravity));
    if (restitution > 0.0 && (double)contact->approach > 2.0 * gravity * h) {
        double bounce = restitution * (double)contact->approach;
        if (settled < bounce) settled = bounce;
    }
    if (settled == speed) return;
    if (sides.pushes) {
        double share = two_way_share(&sides, local, vec3_from(contact->normal));
        rigid_kick(collider, x, vec3_scale(n, (speed - settled) * share / sides.unit));
        if (!(sides.w > 0.0)) return;
        settled = speed + (settled - speed) * share;
    }
    v = vec3_add_scaled(v, n, settled - speed);
    s->vx[i] = (float)v.x;
    s->vy[i] = (float)v.y;
    s->vz[i] = (float)v.z;
}

void contact_velocities(pbd_world *world, struct pbd_cloth *cloth, float h) {
    if (world->collider_count == 0) return;
    const struct cloth_contacts *contacts = cloth->contacts;
    spend_clearance(cloth, (double)h);
    for (uint32_t k = 0; k < contacts->count; ++k)
        settle_velocity(world, cloth, &contacts->list[k], (double)h);
}

void contact_end_tick(pbd_world *world, struct pbd_cloth *cloth) {
    const struct cloth_contacts *contacts = cloth->contacts;
    if (world->collider_count == 0) return;
    for (uint32_t i = 0; i < cloth->fabric->particle_count; ++i)
        if (contacts->touched[i]) ++world->contact_count;
}
