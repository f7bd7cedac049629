/* Nearest points (after Ericson, Real-Time Collision Detection, 2005, §5.1) and
 * conservative advancement on them. */
#include "contact/feature_gap.h"

#include "contact/feature.h"

/* Sine of the angle below which two edges count as parallel (physics.md §5). */
#define PARALLEL 1e-3
#define STEPS_MAX 32
/* Near enough, of the margin. */
#define REACHED 0.01

static double clamp01(double t) {
    return t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
}

/* ---- a point and a triangle ---- */

/* The parameter of the point of a–b nearest to p, and its squared distance. */
static double nearest_on_segment(struct vec3 a, struct vec3 b, struct vec3 p, double *square) {
    struct vec3 way = vec3_sub(b, a), arm = vec3_sub(p, a);
    double length = vec3_dot(way, way);
    double t = length > 0.0 ? clamp01(vec3_dot(arm, way) / length) : 0.0;
    struct vec3 off = vec3_add_scaled(arm, way, -t);
    *square = vec3_dot(off, off);
    return t;
}

static struct feature_gap triangle_gap(struct vec3 q, const struct vec3 *part) {
    struct feature_gap gap = {.at = q};
    struct vec3 e1 = vec3_sub(part[1], part[0]), e2 = vec3_sub(part[2], part[0]), arm = vec3_sub(q, part[0]);
    struct vec3 n = vec3_cross(e1, e2);
    double square = vec3_dot(n, n);
    /* A sliver is left to its edges. */
    if (square > PARALLEL * PARALLEL * vec3_dot(e1, e1) * vec3_dot(e2, e2)) {
        double w1 = vec3_dot(vec3_cross(arm, e2), n) / square;
        double w2 = vec3_dot(vec3_cross(e1, arm), n) / square;
        double w0 = 1.0 - w1 - w2;
        if (w0 > 0.0 && w1 > 0.0 && w2 > 0.0) {
            double inverse = 1.0 / __builtin_sqrt(square), height = vec3_dot(n, arm) * inverse;
            gap.distance = __builtin_fabs(height);
            gap.normal = vec3_scale(n, height > 0.0 ? -inverse : inverse);
            gap.weight[0] = w0;
            gap.weight[1] = w1;
            gap.weight[2] = w2;
            gap.inner = gap.across = true;
            return gap;
        }
    }
    double least = 0.0;
    for (int k = 0; k < 3; ++k) {
        int next = k == 2 ? 0 : k + 1;
        double off, t = nearest_on_segment(part[k], part[next], q, &off);
        if (k > 0 && !(off < least)) continue;
        least = off;
        gap.weight[0] = gap.weight[1] = gap.weight[2] = 0.0;
        gap.weight[k] = 1.0 - t;
        gap.weight[next] = t;
    }
    struct vec3 nearest = vec3_scale(part[0], gap.weight[0]);
    for (int k = 1; k < 3; ++k)
        nearest = vec3_add_scaled(nearest, part[k], gap.weight[k]);
    struct vec3 off = vec3_sub(nearest, q);
    gap.distance = vec3_length(off);
    if (gap.distance > 0.0) gap.normal = vec3_scale(off, 1.0 / gap.distance);
    return gap;
}

/* ---- two segments ---- */

/* Parameters of the nearest points of a–b and c–d. */
static void nearest_of_segments(struct vec3 a, struct vec3 u, struct vec3 c, struct vec3 v, double *s,
                                double *t) {
    struct vec3 r = vec3_sub(a, c);
    double uu = vec3_dot(u, u), vv = vec3_dot(v, v), ur = vec3_dot(u, r), vr = vec3_dot(v, r);
    if (!(uu > 0.0)) {
        *s = 0.0;
        *t = vv > 0.0 ? clamp01(vr / vv) : 0.0;
        return;
    }
    if (!(vv > 0.0)) {
        *t = 0.0;
        *s = clamp01(-ur / uu);
        return;
    }
    double uv = vec3_dot(u, v), area = uu * vv - uv * uv;
    *s = area > PARALLEL * PARALLEL * 0x1p-10 * uu * vv ? clamp01((uv * vr - ur * vv) / area) : 0.5;
    *t = (uv * *s + vr) / vv;
    if (*t >= 0.0 && *t <= 1.0) return;
    *t = clamp01(*t);
    *s = clamp01((uv * *t - ur) / uu);
}

static struct feature_gap edge_gap(struct vec3 a, struct vec3 b, const struct vec3 *part) {
    struct feature_gap gap = {0};
    struct vec3 u = vec3_sub(b, a), v = vec3_sub(part[1], part[0]);
    double s, t;
    nearest_of_segments(a, u, part[0], v, &s, &t);
    gap.at = vec3_add_scaled(a, u, s);
    gap.weight[0] = 1.0 - t;
    gap.weight[1] = t;
    struct vec3 off = vec3_sub(vec3_add_scaled(part[0], v, t), gap.at);
    gap.distance = vec3_length(off);
    bool between = t > 0.0 && t < 1.0;
    if (s > 0.0 && s < 1.0) {
        /* Across both, so good to the last bit of the distance. */
        struct vec3 n = vec3_cross(u, v);
        double square = vec3_dot(n, n), lengths = vec3_dot(u, u) * vec3_dot(v, v);
        if (between && square > PARALLEL * PARALLEL * lengths) {
            double inverse = 1.0 / __builtin_sqrt(square);
            gap.normal = vec3_scale(n, vec3_dot(n, off) < 0.0 ? -inverse : inverse);
            gap.inner = gap.across = true;
            return gap;
        }
        between = false;
    }
    if (gap.distance > 0.0) {
        gap.normal = vec3_scale(off, 1.0 / gap.distance);
        gap.inner = between;
    }
    return gap;
}

struct feature_gap feature_gap_of(struct vec3 a, struct vec3 b, const struct vec3 *part, int corners) {
    return corners == 3 ? triangle_gap(a, part) : edge_gap(a, b, part);
}

/* ---- on the way ---- */

double feature_height(const struct feature_gap *contact, const struct vec3 *end, int corners) {
    double height = 0.0;
    for (int k = 0; k < corners; ++k)
        height += contact->weight[k] * vec3_dot(contact->normal, vec3_sub(end[k], contact->at));
    return height;
}

/* The largest speed of a corner against the normal: the part nears the feature no faster. */
static double closing_speed(const struct feature_way *way, struct vec3 normal) {
    double fastest = 0.0;
    for (int k = 0; k < way->corners; ++k) {
        double speed = -vec3_dot(normal, vec3_sub(way->to[k], way->from[k]));
        fastest = speed > fastest ? speed : fastest;
    }
    return fastest;
}

bool feature_first_contact(const struct feature *feature, const struct feature_way *way, double *margin,
                           double keep, struct feature_gap *contact) {
    struct vec3 now[3];
    double time = 0.0;
    for (int step = 0; step < STEPS_MAX; ++step) {
        double open = contact->distance - *margin;
        if (open <= *margin * REACHED) {
            if (contact->inner && feature_allows(feature, contact->normal) &&
                feature_height(contact, way->end, way->corners) < keep)
                return true;
            double closer = *margin < contact->distance ? *margin : contact->distance;
            *margin = 0.5 * closer;
            if (!(*margin > way->touching)) return false;
            open = contact->distance - *margin;
        }
        double speed = closing_speed(way, contact->normal);
        if (!(speed > 0.0)) return false;
        time += open / speed;
        if (!(time < 1.0)) return false;
        for (int k = 0; k < way->corners; ++k)
            now[k] = vec3_add_scaled(way->from[k], vec3_sub(way->to[k], way->from[k]), time);
        *contact = feature_gap_of(feature->a, feature->b, now, way->corners);
    }
    return false;
}
