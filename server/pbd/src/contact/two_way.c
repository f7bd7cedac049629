/* Sharing corrections between a particle and a collider; see the header. */
#include "contact/two_way.h"

#include "contact/rigid.h"

double two_way_weight(const struct pbd_cloth *cloth, uint32_t particle) {
    return cloth->frozen ? 0.0 : (double)cloth->state.w[particle];
}

struct two_way two_way_of(struct pbd_collider *collider, double w) {
    return (struct two_way){
        .collider = collider, .w = w, .unit = w > 0.0 ? w : 1.0, .pushes = rigid_moves(collider)};
}

/* Of what a substep may undo. */
#define REST_OF_A_CONTACT 0.25

double two_way_recovered(const struct pbd_collider *collider, double undone, double recovery) {
    return rigid_moves(collider) && undone < REST_OF_A_CONTACT * recovery ? 0.0 : undone;
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
