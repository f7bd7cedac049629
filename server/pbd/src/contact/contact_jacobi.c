/* GAMES103's collision: positions that are inside go to the surface, and the velocity
 * takes the whole correction. Nothing else: no sweep, no friction, no thickness. */
#include "contact/contact_internal.h"

void contact_jacobi(pbd_world *world, struct pbd_cloth *cloth, float dt) {
    struct cloth_state *s = &cloth->state;
    struct cloth_scratch *t = &cloth->scratch;
    double rate = 1.0 / (double)dt;
    for (uint32_t k = 0; k < world->collider_count; ++k) {
        const struct pbd_collider *collider = &world->colliders[world->collider_order[k]];
        for (uint32_t i = 0; i < cloth->fabric->particle_count; ++i) {
            if (!(s->w[i] > 0.0f)) continue;
            struct vec3 normal;
            struct vec3 u = vec3_make((double)t->ux[i], (double)t->uy[i], (double)t->uz[i]);
            struct vec3 p = vec3_add(particle_base(s, i), u);
            struct vec3 local = pose_to_local(&collider->substep_end, p);
            double distance = collide_shape_distance(&collider->shape, local, &normal);
            if (!(distance <= 0.0)) continue;
            struct vec3 push = vec3_scale(pose_direction_to_world(&collider->substep_end, normal), -distance);
            t->ux[i] = (float)(u.x + push.x);
            t->uy[i] = (float)(u.y + push.y);
            t->uz[i] = (float)(u.z + push.z);
            s->vx[i] = (float)((double)s->vx[i] + push.x * rate);
            s->vy[i] = (float)((double)s->vy[i] + push.y * rate);
            s->vz[i] = (float)((double)s->vz[i] + push.z * rate);
            cloth->contacts->touched[i] = true;
        }
    }
}
