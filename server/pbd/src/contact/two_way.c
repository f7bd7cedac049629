/* Sharing corrections between a particle and a collider; see the header. */
#include "contact/two_way.h"

#include "contact/rigid.h"

double two_way_weight(const struct pbd_cloth *cloth, uint32_t particle) {
    return cloth->frozen ? 0.0 : (double)cloth->state.w[particle];
}

/* Nearer than this many times the thickness is on it, and pushed this much against it (cosine). */
#define ON_IT 1.25
#define AGAINST 0.5

bool two_way_is_held(const pbd_world *world, const struct pbd_cloth *cloth, uint32_t particle, struct vec3 x,
                     struct vec3 p, struct vec3 direction, double h, double *climbs) {
    const struct cloth_contacts *contacts = cloth->contacts;
    *climbs = 0.0;
    if (!(two_way_weight(cloth, particle) > 0.0)) return true;
    double fall = vec3_length(vec3_from(world->settings.gravity)) * h * h;
    double near = ON_IT * (double)cloth->settings.thickness + 2.0 * fall;
    for (uint32_t k = 0; k < contacts->near_count; ++k) {
        const struct pbd_collider *collider = &world->colliders[contacts->near[k]];
        if (rigid_moves(collider)) continue;
        struct vec3 normal, local = pose_to_local(&collider->substep_start, x);
        if (collide_shape_distance(&collider->shape, local, &normal) > near) continue;
        normal = pose_direction_to_world(&collider->substep_start, normal);
        if (!(vec3_dot(normal, direction) < -AGAINST)) continue;
        struct vec3 carried = vec3_sub(pose_to_world(&collider->substep_end, local), x);
        double own = -vec3_dot(vec3_sub(vec3_sub(p, x), carried), direction);
        *climbs = own > 0.0 ? own : 0.0;
        return true;
    }
    return false;
}

struct two_way two_way_of(struct pbd_collider *collider, double w) {
    return (struct two_way){
        .collider = collider, .w = w, .unit = w > 0.0 ? w : 1.0, .pushes = rigid_moves(collider)};
}

double two_way_share(const struct two_way *pair, struct vec3 local, struct vec3 direction) {
    if (!pair->pushes) return 1.0;
    const struct exact_pose *pose = &pair->collider->substep_end;
    double body = rigid_inverse_mass(pair->collider, pose_to_world(pose, local),
                                     pose_direction_to_world(pose, direction));
    return pair->unit / (pair->w + body);
}

/* Both sides get the impulse at the particle's place, so that momentum is kept. */
static void apply(const struct two_way *pair, struct vec3 *local, struct vec3 change) {
    struct pbd_collider *collider = pair->collider;
    struct vec3 point = pose_to_world(&collider->substep_end, *local);
    struct vec3 way = pose_direction_to_world(&collider->substep_end, change);
    rigid_push(collider, point, vec3_scale(way, -1.0 / pair->unit));
    if (pair->w > 0.0) point = vec3_add(point, way);
    *local = pose_to_local(&collider->substep_end, point);
}

double two_way_push(const struct two_way *pair, struct vec3 *local, struct vec3 direction, double amount) {
    if (!pair->pushes) {
        *local = vec3_add_scaled(*local, direction, amount);
        return amount;
    }
    double sum = amount * two_way_share(pair, *local, direction);
    apply(pair, local, vec3_scale(direction, sum));
    return sum;
}

void two_way_rub(const struct two_way *pair, struct vec3 *local, struct vec3 change) {
    if (!pair->pushes)
        *local = vec3_add(*local, change);
    else
        apply(pair, local, change);
}

/* ---- depth ---- */

/* Deeper than this part of the kept distance both sides give way. */
#define DEEP 0.5

/* One particle's start and way, within `limit` (m) of where the substep really began: float32
 * residuals are next to nothing before. Returns the shift along the direction. */
static __attribute__((noinline)) double shift_start(struct pbd_cloth *cloth, uint32_t i,
                                                    struct vec3 direction, double size, double limit) {
    struct cloth_state *s = &cloth->state;
    struct cloth_scratch *t = &cloth->scratch;
    struct vec3 e = particle_residual(s, i);
    double room = limit - vec3_length(e);
    if (!(room > 0.0)) return 0.0;
    if (size > room) size = room;
    struct vec3 u = {(double)t->ux[i], (double)t->uy[i], (double)t->uz[i]};
    e = vec3_add_scaled(e, direction, size);
    u = vec3_add_scaled(u, direction, size);
    s->ex[i] = (float)e.x;
    s->ey[i] = (float)e.y;
    s->ez[i] = (float)e.z;
    t->ux[i] = (float)u.x;
    t->uy[i] = (float)u.y;
    t->uz[i] = (float)u.z;
    return size;
}

double two_way_raise(const pbd_world *world, struct pbd_cloth *cloth, uint32_t particle, double w,
                     struct pbd_collider *collider, struct vec3 direction, double depth, double kept,
                     double h, struct vec3 *x, struct vec3 *p) {
    double rise = rigid_rise(world, depth, h), most = (double)world->settings.max_depenetration * h,
           done = 0.0;
    bool held = !(w > 0.0), both = held || depth > DEEP * kept;
    if (!(rise > 0.0)) return 0.0;
    if (both)
        done = rigid_lift(collider, vec3_scale(direction, -(held ? rise : 0.5 * rise)),
                          held ? most : 0.5 * most);
    if (held) return done;
    double size = shift_start(cloth, particle, direction, rise - done, both ? 0.5 * most : most);
    *x = vec3_add_scaled(*x, direction, size);
    *p = vec3_add_scaled(*p, direction, size);
    return done + size;
}

double two_way_free(struct pbd_cloth *cloth, uint32_t particle, struct vec3 direction, double depth,
                    double most, struct vec3 *x, struct vec3 *p) {
    double size = shift_start(cloth, particle, direction, depth < most ? depth : most, most);
    *x = vec3_add_scaled(*x, direction, size);
    *p = vec3_add_scaled(*p, direction, size);
    return size;
}
