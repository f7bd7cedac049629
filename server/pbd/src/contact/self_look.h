/* Two features of cloth seen from each other: where they are closest, whether they face
 * each other, and on which side (physics.md §5, Self-contact).
 *
 *   vertex–triangle   p0 the vertex, p1 p2 p3 the triangle; n = (p2−p1)×(p3−p1)
 *   edge–edge         p0 p1 the one, p2 p3 the other;        n = (p1−p0)×(p3−p2)
 *
 * Both come down to four weights c with Σ c_i = 0: Σ c_i p_i is the vector from the
 * second feature to the first where they are closest, and c_i n̂ the gradient at p_i. */
#ifndef PBD_CONTACT_SELF_LOOK_H
#define PBD_CONTACT_SELF_LOOK_H

#include <stdbool.h>

#include "contact/pose.h"

/* |e1×e2| below this part of |e1||e2|: edges too parallel to have a side. */
#define LOOK_PARALLEL 1e-3
/* The same for a triangle's sides: no area. */
#define LOOK_FLAT 1e-6
/* Barycentric: a foot on the seam of two triangles belongs to both, whatever rounding says. */
#define LOOK_SEAM 1e-6

struct look {
    struct vec3 normal; /* n, not of unit length */
    double square;      /* n·n */
    double volume;      /* n·Σ c_i p_i: the sign is the side */
    double c[4];
    bool sound;   /* n has a direction; else nothing of this is set but clear */
    bool inside;  /* the foot lies in the triangle; the closest points lie within both edges */
    double clear; /* m, never more than the distance between the two features */
};

static inline double look_larger(double a, double b) {
    return a > b ? a : b;
}

static inline struct look look_vertex_triangle(const struct vec3 p[4]) {
    struct vec3 e1 = vec3_sub(p[2], p[1]), e2 = vec3_sub(p[3], p[1]), d = vec3_sub(p[0], p[1]);
    struct look look = {.normal = vec3_cross(e1, e2)};
    look.square = vec3_dot(look.normal, look.normal);
    double s1 = vec3_dot(e1, e1), s2 = vec3_dot(e2, e2);
    if (!(look.square > LOOK_FLAT * LOOK_FLAT * s1 * s2)) return look;
    look.sound = true;
    double inverse = 1.0 / look.square;
    double t1 = vec3_dot(vec3_cross(d, e2), look.normal) * inverse;
    double t2 = vec3_dot(vec3_cross(e1, d), look.normal) * inverse;
    double t0 = 1.0 - t1 - t2;
    look.volume = vec3_dot(look.normal, d);
    look.c[0] = 1.0;
    look.c[1] = -t0;
    look.c[2] = -t1;
    look.c[3] = -t2;
    look.inside = t0 >= -LOOK_SEAM && t1 >= -LOOK_SEAM && t2 >= -LOOK_SEAM;
    double away = look.volume * look.volume * inverse;
    if (!look.inside) { /* and as far from the side that the foot lies beyond */
        struct vec3 e3 = vec3_sub(p[3], p[2]);
        double lateral = 0.0;
        if (t0 < 0.0) lateral = t0 * t0 * look.square / vec3_dot(e3, e3);
        if (t1 < 0.0) lateral = look_larger(lateral, t1 * t1 * look.square / s2);
        if (t2 < 0.0) lateral = look_larger(lateral, t2 * t2 * look.square / s1);
        away += lateral;
    }
    look.clear = __builtin_sqrt(away);
    return look;
}

/* A lower bound of the distance of edges that are almost parallel: that of the second's
 * start from the first's line, less what the second may lean to it. */
static inline double look_parallel_clear(struct vec3 e1, struct vec3 e2, struct vec3 r, double s1) {
    if (!(s1 > 0.0)) return 0.0;
    struct vec3 off = vec3_cross(e1, r), lean = vec3_cross(e1, e2);
    double apart = vec3_dot(off, off), leaning = vec3_dot(lean, lean);
    if (!(apart > leaning)) return 0.0;
    return (__builtin_sqrt(apart) - __builtin_sqrt(leaning)) / __builtin_sqrt(s1);
}

static inline struct look look_edge_edge(const struct vec3 p[4]) {
    struct vec3 e1 = vec3_sub(p[1], p[0]), e2 = vec3_sub(p[3], p[2]), r = vec3_sub(p[0], p[2]);
    struct look look = {.normal = vec3_cross(e1, e2)};
    look.square = vec3_dot(look.normal, look.normal);
    double s1 = vec3_dot(e1, e1), s2 = vec3_dot(e2, e2);
    if (!(look.square > LOOK_PARALLEL * LOOK_PARALLEL * s1 * s2)) {
        look.clear = look_parallel_clear(e1, e2, r, s1);
        return look;
    }
    look.sound = true;
    double inverse = 1.0 / look.square;
    double s = -vec3_dot(r, vec3_cross(e2, look.normal)) * inverse;
    double t = -vec3_dot(r, vec3_cross(e1, look.normal)) * inverse;
    look.volume = vec3_dot(look.normal, r);
    look.c[0] = 1.0 - s;
    look.c[1] = s;
    look.c[2] = t - 1.0;
    look.c[3] = -t;
    look.inside = s > 0.0 && s < 1.0 && t > 0.0 && t < 1.0;
    double away = look.volume * look.volume * inverse;
    if (!look.inside) { /* an end that lies off the other's line */
        double beyond1 = s < 0.0 ? s : s > 1.0 ? s - 1.0 : 0.0;
        double beyond2 = t < 0.0 ? t : t > 1.0 ? t - 1.0 : 0.0;
        away += look_larger(beyond1 * beyond1 * look.square / s2, beyond2 * beyond2 * look.square / s1);
    }
    look.clear = __builtin_sqrt(away);
    return look;
}

/* Σ c_i p_i */
static inline struct vec3 look_apart(const double c[4], const struct vec3 p[4]) {
    struct vec3 sum = vec3_scale(p[0], c[0]);
    for (int i = 1; i < 4; ++i)
        sum = vec3_add_scaled(sum, p[i], c[i]);
    return sum;
}

/* Distance of p0 from the triangle p1 p2 p3, m; of any kind. */
double look_vertex_triangle_distance(const struct vec3 p[4]);
/* Distance of the edges p0p1 and p2p3, m; of any kind. */
double look_edge_edge_distance(const struct vec3 p[4]);
/* Whether the edge a b passes through the inside of the triangle t. What lies in its plane
 * counts as above it, so that cloth that crosses along a line of edges is told, and cloth
 * that lies flat on cloth is not. */
bool look_edge_pierces(struct vec3 a, struct vec3 b, const struct vec3 t[3]);

#endif
