/* Poses in double precision, for contacts.
 *
 * A particle 10 m from the origin moves 1e-6 m in a short substep, which float32
 * positions cannot show (physics.md §1). Everything between a collider and a particle
 * is therefore computed in double: basic operations and square roots only, so equal on
 * every machine. */
#ifndef PBD_CONTACT_POSE_H
#define PBD_CONTACT_POSE_H

struct vec3 {
    double x, y, z;
};

static inline struct vec3 vec3_make(double x, double y, double z) {
    return (struct vec3){x, y, z};
}
static inline struct vec3 vec3_from(const float v[3]) {
    return (struct vec3){(double)v[0], (double)v[1], (double)v[2]};
}
static inline struct vec3 vec3_add(struct vec3 a, struct vec3 b) {
    return (struct vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}
static inline struct vec3 vec3_sub(struct vec3 a, struct vec3 b) {
    return (struct vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}
static inline struct vec3 vec3_scale(struct vec3 a, double s) {
    return (struct vec3){a.x * s, a.y * s, a.z * s};
}
/* a + s·b */
static inline struct vec3 vec3_add_scaled(struct vec3 a, struct vec3 b, double s) {
    return (struct vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}
static inline double vec3_dot(struct vec3 a, struct vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline double vec3_length(struct vec3 a) {
    return __builtin_sqrt(vec3_dot(a, a));
}
static inline struct vec3 vec3_cross(struct vec3 a, struct vec3 b) {
    return (struct vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

struct quaternion {
    double x, y, z, w;
};

/* A pose as the state has it: position (m) and unit quaternion [x,y,z,w]. */
struct pose {
    float position[3];
    float rotation[4];
};

/* A pose to compute with: axis[k] is where the local axis k points. */
struct exact_pose {
    struct vec3 position;
    struct vec3 axis[3];
};

/* Unit length; kept bit for bit when it has unit length within float32 already. A
 * quaternion without length becomes [0,0,0,1]. */
void quaternion_normalise(float rotation[4]);

struct quaternion quaternion_from(const float q[4]);
/* The turn b, then the turn a. */
struct quaternion quaternion_product(struct quaternion a, struct quaternion b);
/* Scaled to unit length; [0,0,0,1] without length. */
struct quaternion quaternion_unit(struct quaternion q);
/* The turn by an angle (rad, any size) about a unit axis. */
struct quaternion quaternion_about(struct vec3 axis, double angle);
/* q turned further by a small rotation vector (rad, world frame): normalised q + ½(v)q. */
struct quaternion quaternion_turned(struct quaternion q, struct vec3 v);
/* Between two unit quaternions along the shorter arc at constant speed; of near unit length. */
struct quaternion quaternion_between(struct quaternion from, struct quaternion to, double fraction);

/* Of a quaternion of any length > 0. */
struct exact_pose exact_pose_from(struct vec3 position, struct quaternion q);
struct exact_pose pose_exact(const struct pose *pose);
/* Between two poses: positions linear, rotations along the shorter arc at constant speed.
 * fraction 0…1; both ends are exact. */
struct exact_pose pose_between(const struct pose *from, const struct pose *to, double fraction);
/* The same, rounded to a float32 pose with a unit quaternion. */
struct pose pose_rounded_between(const struct pose *from, const struct pose *to, double fraction);
/* The angle of the turn from one to the other, rad, 0…π, and its axis (unit, world frame). */
double pose_turn(const struct pose *from, const struct pose *to, struct vec3 *axis);

static inline struct vec3 pose_to_world(const struct exact_pose *pose, struct vec3 local) {
    struct vec3 p = vec3_add_scaled(pose->position, pose->axis[0], local.x);
    return vec3_add_scaled(vec3_add_scaled(p, pose->axis[1], local.y), pose->axis[2], local.z);
}
static inline struct vec3 pose_direction_to_world(const struct exact_pose *pose, struct vec3 local) {
    struct vec3 d = vec3_scale(pose->axis[0], local.x);
    return vec3_add_scaled(vec3_add_scaled(d, pose->axis[1], local.y), pose->axis[2], local.z);
}
static inline struct vec3 pose_to_local(const struct exact_pose *pose, struct vec3 world) {
    struct vec3 d = vec3_sub(world, pose->position);
    return vec3_make(vec3_dot(pose->axis[0], d), vec3_dot(pose->axis[1], d), vec3_dot(pose->axis[2], d));
}

#endif
