/* Distances of features that need not face each other, and piercing. */
#include "contact/self_look.h"

static double clamp01(double t) {
    return t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
}

/* Squared distance of a point from a segment, either may be degenerate. */
static double point_segment(struct vec3 q, struct vec3 a, struct vec3 b) {
    struct vec3 e = vec3_sub(b, a), d = vec3_sub(q, a);
    double square = vec3_dot(e, e);
    double t = square > 0.0 ? clamp01(vec3_dot(d, e) / square) : 0.0;
    struct vec3 apart = vec3_add_scaled(d, e, -t);
    return vec3_dot(apart, apart);
}

static double smaller(double a, double b) {
    return a < b ? a : b;
}

double look_vertex_triangle_distance(const struct vec3 p[4]) {
    struct look look = look_vertex_triangle(p);
    if (look.sound && look.inside) return look.clear;
    double least = smaller(point_segment(p[0], p[1], p[2]), point_segment(p[0], p[2], p[3]));
    return __builtin_sqrt(smaller(least, point_segment(p[0], p[3], p[1])));
}

double look_edge_edge_distance(const struct vec3 p[4]) {
    struct look look = look_edge_edge(p);
    if (look.sound && look.inside) return look.clear;
    double least = smaller(point_segment(p[0], p[2], p[3]), point_segment(p[1], p[2], p[3]));
    least = smaller(least, point_segment(p[2], p[0], p[1]));
    return __builtin_sqrt(smaller(least, point_segment(p[3], p[0], p[1])));
}

bool look_edge_pierces(struct vec3 a, struct vec3 b, const struct vec3 t[3]) {
    struct vec3 n = vec3_cross(vec3_sub(t[1], t[0]), vec3_sub(t[2], t[0]));
    double above = vec3_dot(n, vec3_sub(a, t[0])), below = vec3_dot(n, vec3_sub(b, t[0]));
    if ((above < 0.0) == (below < 0.0)) return false; /* in the plane counts as above it */
    struct vec3 way = vec3_sub(b, a);
    double turn[3];
    for (int k = 0; k < 3; ++k)
        turn[k] = vec3_dot(way, vec3_cross(vec3_sub(t[k], a), vec3_sub(t[(k + 1) % 3], a)));
    return (turn[0] > 0.0 && turn[1] > 0.0 && turn[2] > 0.0) ||
           (turn[0] < 0.0 && turn[1] < 0.0 && turn[2] < 0.0);
}
