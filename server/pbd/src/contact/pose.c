/* Interpolation of poses and their conversion to axes. */
#include "contact/pose.h"

#include <stdint.h>

#include "math/elementary.h"

/* A float32 quaternion is as long as 1 ± 2⁻²³ when it was normalised before rounding;
 * normalising it again could change its last bits. */
#define UNIT_TOLERANCE 0x1p-20

struct quaternion quaternion_from(const float q[4]) {
    return (struct quaternion){(double)q[0], (double)q[1], (double)q[2], (double)q[3]};
}

static double length_squared(struct quaternion q) {
    return q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
}

void quaternion_normalise(float rotation[4]) {
    struct quaternion q = quaternion_from(rotation);
    double squared = length_squared(q);
    if (__builtin_fabs(squared - 1.0) <= UNIT_TOLERANCE) return;
    if (!(squared > 0.0)) {
        rotation[0] = rotation[1] = rotation[2] = 0.0f;
        rotation[3] = 1.0f;
        return;
    }
    double scale = 1.0 / math_sqrt(squared);
    for (int k = 0; k < 4; ++k)
        rotation[k] = (float)((double)rotation[k] * scale);
}

/* The axes of a quaternion of any length: 2/|q|² in place of 2. */
struct exact_pose exact_pose_from(struct vec3 position, struct quaternion q) {
    double s = 2.0 / length_squared(q);
    double xx = s * q.x * q.x, yy = s * q.y * q.y, zz = s * q.z * q.z;
    double xy = s * q.x * q.y, xz = s * q.x * q.z, yz = s * q.y * q.z;
    double wx = s * q.w * q.x, wy = s * q.w * q.y, wz = s * q.w * q.z;
    return (struct exact_pose){.position = position,
                               .axis = {{1.0 - yy - zz, xy + wz, xz - wy},
                                        {xy - wz, 1.0 - xx - zz, yz + wx},
                                        {xz + wy, yz - wx, 1.0 - xx - yy}}};
}

struct exact_pose pose_exact(const struct pose *pose) {
    return exact_pose_from(vec3_from(pose->position), quaternion_from(pose->rotation));
}

struct quaternion quaternion_product(struct quaternion a, struct quaternion b) {
    return (struct quaternion){
        a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y + a.y * b.w + a.z * b.x - a.x * b.z,
        a.w * b.z + a.z * b.w + a.x * b.y - a.y * b.x, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

struct quaternion quaternion_unit(struct quaternion q) {
    double squared = length_squared(q);
    if (!(squared > 0.0)) return (struct quaternion){0.0, 0.0, 0.0, 1.0};
    double scale = 1.0 / math_sqrt(squared);
    return (struct quaternion){q.x * scale, q.y * scale, q.z * scale, q.w * scale};
}

#define TWO_PI 6.283185307179586

struct quaternion quaternion_about(struct vec3 axis, double angle) {
    double turns = angle / TWO_PI;
    /* Whole turns are left out: of an hour's rolling, sin and cos see the last one. */
    if (turns > 1.0 || turns < -1.0) {
        if (!(turns < 0x1p52 && turns > -0x1p52)) return (struct quaternion){0.0, 0.0, 0.0, 1.0};
        angle = (turns - (double)(int64_t)turns) * TWO_PI;
    }
    double s = math_sin(0.5 * angle);
    return (struct quaternion){axis.x * s, axis.y * s, axis.z * s, math_cos(0.5 * angle)};
}

struct quaternion quaternion_turned(struct quaternion q, struct vec3 v) {
    struct quaternion turn = quaternion_product((struct quaternion){v.x, v.y, v.z, 0.0}, q);
    return quaternion_unit(
        (struct quaternion){q.x + 0.5 * turn.x, q.y + 0.5 * turn.y, q.z + 0.5 * turn.z, q.w + 0.5 * turn.w});
}

/* Slerp along the shorter arc. Where the arc is tiny, sin(a)/sin(A) is a/A to the last
 * bit and 0/0 is avoided by going straight. */
struct quaternion quaternion_between(struct quaternion a, struct quaternion b, double fraction) {
    double dot = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
    if (dot < 0.0) {
        b = (struct quaternion){-b.x, -b.y, -b.z, -b.w};
        dot = -dot;
    }
    struct quaternion d = {b.x - a.x, b.y - a.y, b.z - a.z, b.w - a.w};
    double angle = 2.0 * math_atan2(math_sqrt(length_squared(d)),
                                    math_sqrt(length_squared(a) + length_squared(b) + 2.0 * dot));
    double wa = 1.0 - fraction, wb = fraction;
    if (angle > 1e-6) {
        double whole = math_sin(angle);
        wa = math_sin(angle * (1.0 - fraction)) / whole;
        wb = math_sin(angle * fraction) / whole;
    }
    return (struct quaternion){wa * a.x + wb * b.x, wa * a.y + wb * b.y, wa * a.z + wb * b.z,
                               wa * a.w + wb * b.w};
}

static struct vec3 position_between(const struct pose *from, const struct pose *to, double fraction) {
    struct vec3 a = vec3_from(from->position), b = vec3_from(to->position);
    return vec3_add_scaled(a, vec3_sub(b, a), fraction);
}

struct exact_pose pose_between(const struct pose *from, const struct pose *to, double fraction) {
    if (fraction <= 0.0) return pose_exact(from);
    if (fraction >= 1.0) return pose_exact(to);
    return exact_pose_from(
        position_between(from, to, fraction),
        quaternion_between(quaternion_from(from->rotation), quaternion_from(to->rotation), fraction));
}

struct pose pose_rounded_between(const struct pose *from, const struct pose *to, double fraction) {
    if (fraction <= 0.0) return *from;
    if (fraction >= 1.0) return *to;
    struct vec3 p = position_between(from, to, fraction);
    struct quaternion q =
        quaternion_between(quaternion_from(from->rotation), quaternion_from(to->rotation), fraction);
    double scale = 1.0 / math_sqrt(length_squared(q));
    return (struct pose){
        .position = {(float)p.x, (float)p.y, (float)p.z},
        .rotation = {(float)(q.x * scale), (float)(q.y * scale), (float)(q.z * scale), (float)(q.w * scale)}};
}

double pose_turn(const struct pose *from, const struct pose *to, struct vec3 *axis) {
    struct quaternion a = quaternion_from(from->rotation), b = quaternion_from(to->rotation);
    /* b·a⁻¹ */
    struct vec3 v = {a.w * b.x - b.w * a.x + a.y * b.z - a.z * b.y,
                     a.w * b.y - b.w * a.y + a.z * b.x - a.x * b.z,
                     a.w * b.z - b.w * a.z + a.x * b.y - a.y * b.x};
    double w = a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
    double sine = vec3_length(v);
    *axis = sine > 0.0 ? vec3_scale(v, (w < 0.0 ? -1.0 : 1.0) / sine) : vec3_make(0.0, 1.0, 0.0);
    return 2.0 * math_atan2(sine, __builtin_fabs(w));
}
