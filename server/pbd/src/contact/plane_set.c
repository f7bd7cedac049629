/* A projection onto an intersection of half-spaces in 3D ends on at most three of their
 * planes. All such sets are tried, small ones first: the first one whose pushes are not
 * negative and whose point is in front of the other planes is the nearest (the
 * Karush-Kuhn-Tucker conditions of a convex problem). */
#include "contact/plane_set.h"

#include <stddef.h>

struct attempt {
    const struct plane *planes;
    int count;
    struct vec3 to;
    double tolerance;
    double lacks[PLANES_MAX]; /* how far behind each plane `to` is */
};

static bool in_front(const struct attempt *a, struct vec3 q) {
    for (int k = 0; k < a->count; ++k)
        if (vec3_dot(a->planes[k].normal, q) < a->planes[k].height - a->tolerance) return false;
    return true;
}

static bool accept(const struct attempt *a, const int *set, const double *by, int size, struct vec3 *nearest,
                   double *push) {
    struct vec3 q = a->to;
    for (int k = 0; k < size; ++k) {
        if (!(by[k] >= 0.0)) return false;
        q = vec3_add_scaled(q, a->planes[set[k]].normal, by[k]);
    }
    if (!in_front(a, q)) return false;
    for (int k = 0; k < a->count; ++k)
        push[k] = 0.0;
    for (int k = 0; k < size; ++k)
        push[set[k]] = by[k];
    *nearest = q;
    return true;
}

static double cosine(const struct attempt *a, int i, int j) {
    return vec3_dot(a->planes[i].normal, a->planes[j].normal);
}

static bool try_two(const struct attempt *a, int i, int j, struct vec3 *nearest, double *push) {
    double c = cosine(a, i, j), determinant = 1.0 - c * c;
    if (!(determinant > 1e-12)) return false;
    double by[2] = {(a->lacks[i] - c * a->lacks[j]) / determinant,
                    (a->lacks[j] - c * a->lacks[i]) / determinant};
    return accept(a, (int[2]){i, j}, by, 2, nearest, push);
}

static bool try_three(const struct attempt *a, int i, int j, int k, struct vec3 *nearest, double *push) {
    double ij = cosine(a, i, j), ik = cosine(a, i, k), jk = cosine(a, j, k);
    double determinant = 1.0 + 2.0 * ij * ik * jk - ij * ij - ik * ik - jk * jk;
    if (!(determinant > 1e-12)) return false;
    double x = a->lacks[i], y = a->lacks[j], z = a->lacks[k];
    double by[3] = {
        (x * (1.0 - jk * jk) + y * (ik * jk - ij) + z * (ij * jk - ik)) / determinant,
        (x * (ik * jk - ij) + y * (1.0 - ik * ik) + z * (ij * ik - jk)) / determinant,
        (x * (ij * jk - ik) + y * (ij * ik - jk) + z * (1.0 - ij * ij)) / determinant,
    };
    return accept(a, (int[3]){i, j, k}, by, 3, nearest, push);
}

bool plane_set_nearest(const struct plane *planes, int count, struct vec3 to, double tolerance,
                       struct vec3 *nearest, double *push) {
    struct attempt a = {.planes = planes, .count = count, .to = to, .tolerance = tolerance};
    for (int k = 0; k < count; ++k)
        a.lacks[k] = planes[k].height - vec3_dot(planes[k].normal, to);
    if (accept(&a, NULL, NULL, 0, nearest, push)) return true;
    for (int i = 0; i < count; ++i)
        if (accept(&a, &i, &a.lacks[i], 1, nearest, push)) return true;
    for (int i = 0; i < count; ++i)
        for (int j = i + 1; j < count; ++j)
            if (try_two(&a, i, j, nearest, push)) return true;
    for (int i = 0; i < count; ++i)
        for (int j = i + 1; j < count; ++j)
            for (int k = j + 1; k < count; ++k)
                if (try_three(&a, i, j, k, nearest, push)) return true;
    return false;
}
