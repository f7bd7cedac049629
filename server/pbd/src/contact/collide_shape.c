/* Plane, sphere, capsule and box: distance, gradient, sweep. */
#include "contact/collide_shape.h"

#include "contact/collide_mesh.h"

struct collide_shape collide_shape_from(const struct pbd_shape *shape) {
    struct collide_shape made = {.type = shape->type, .normal = {0.0, 1.0, 0.0}, .bound = INFINITY};
    struct vec3 normal = vec3_from(shape->normal);
    switch (shape->type) {
    case PBD_PLANE: {
        double length = vec3_length(normal);
        if (!(length > 0.0)) break;
        made.normal = vec3_scale(normal, 1.0 / length);
        made.offset = (double)shape->offset / length;
        break;
    }
    case PBD_SPHERE:
        made.bound = made.radius = (double)shape->radius;
        break;
    case PBD_CAPSULE:
        made.radius = (double)shape->radius;
        made.half_height = (double)shape->half_height;
        made.bound = made.radius + made.half_height;
        break;
    case PBD_BOX:
        made.half = vec3_from(shape->half_extents);
        made.bound = vec3_length(made.half);
        break;
    case PBD_MESH: {
        made.mesh = shape->mesh;
        struct pbd_collision_mesh_view view = pbd_collision_mesh_get_view(shape->mesh);
        struct vec3 low = vec3_from(view.min), high = vec3_from(view.max);
        made.middle = vec3_scale(vec3_add(low, high), 0.5);
        made.half = vec3_scale(vec3_sub(high, low), 0.5);
        made.bound = shape->mesh->bound;
        break;
    }
    }
    return made;
}

static double min_of(double a, double b) {
    return a < b ? a : b;
}

static double max_of(double a, double b) {
    return a > b ? a : b;
}

/* Distance from a ball of radius r, v the point relative to its centre. */
static double ball_distance(struct vec3 v, double r, struct vec3 fallback, struct vec3 *normal) {
    double length = vec3_length(v);
    *normal = length > 0.0 ? vec3_scale(v, 1.0 / length) : fallback;
    return length - r;
}

static double box_distance(struct vec3 half, struct vec3 p, struct vec3 *normal) {
    double sx = p.x < 0.0 ? -1.0 : 1.0, sy = p.y < 0.0 ? -1.0 : 1.0, sz = p.z < 0.0 ? -1.0 : 1.0;
    struct vec3 q = {p.x * sx - half.x, p.y * sy - half.y, p.z * sz - half.z};
    double deepest = max_of(q.x, max_of(q.y, q.z));
    if (deepest <= 0.0) {
        /* Inside: the nearest face; of equal ones y, then x. */
        *normal = vec3_make(0.0, 0.0, 0.0);
        if (q.y == deepest)
            normal->y = sy;
        else if (q.x == deepest)
            normal->x = sx;
        else
            normal->z = sz;
        return deepest;
    }
    struct vec3 out = {max_of(q.x, 0.0), max_of(q.y, 0.0), max_of(q.z, 0.0)};
    /* Scaled by the largest, or a distance below 1e-154 would square to nothing. */
    out = vec3_scale(out, 1.0 / deepest);
    double length = vec3_length(out);
    double inverse = 1.0 / length;
    *normal = vec3_make(out.x * sx * inverse, out.y * sy * inverse, out.z * sz * inverse);
    return length * deepest;
}

static double mesh_distance(const pbd_collision_mesh *mesh, struct vec3 point, struct vec3 *normal) {
    struct mesh_closest closest;
    double distance = collide_mesh_distance(mesh, point, INFINITY, &closest);
    struct vec3 apart = vec3_sub(point, closest.point);
    *normal = distance != 0.0 ? vec3_scale(apart, 1.0 / distance) : collision_mesh_normal_at(mesh, &closest);
    return distance;
}

double collide_shape_distance(const struct collide_shape *shape, struct vec3 point, struct vec3 *normal) {
    switch (shape->type) {
    case PBD_PLANE:
        *normal = shape->normal;
        return vec3_dot(shape->normal, point) - shape->offset;
    case PBD_SPHERE:
        return ball_distance(point, shape->radius, vec3_make(0.0, 1.0, 0.0), normal);
    case PBD_CAPSULE: {
        double on_axis = max_of(-shape->half_height, min_of(shape->half_height, point.y));
        struct vec3 v = {point.x, point.y - on_axis, point.z};
        return ball_distance(v, shape->radius, vec3_make(1.0, 0.0, 0.0), normal);
    }
    case PBD_MESH:
        return mesh_distance(shape->mesh, point, normal);
    case PBD_BOX:
        break;
    }
    return box_distance(shape->half, point, normal);
}

/* Newton's method on g(t) = distance(from + t·way) − margin from the left. g is convex
 * and starts above 0, so every tangent's root lies before the first root of g: the
 * iterate never oversteps it, and where g no longer falls there is none to come. Ending
 * early is safe as well: the plane below the last iterate still has the shape behind it. */
bool collide_shape_sweep(const struct collide_shape *shape, struct vec3 from, struct vec3 to, double margin,
                         struct vec3 *point, struct vec3 *normal) {
    struct vec3 way = vec3_sub(to, from), at = from;
    double t = 0.0;
    double gap = collide_shape_distance(shape, at, normal) - margin;
    double close = 1e-12 * vec3_length(way);
    for (int i = 0; i < 24 && gap > close; ++i) {
        double slope = vec3_dot(*normal, way);
        if (!(slope < 0.0)) return false;
        t -= gap / slope;
        if (!(t <= 1.0)) return false;
        at = vec3_add_scaled(from, way, t);
        gap = collide_shape_distance(shape, at, normal) - margin;
    }
    *point = vec3_add_scaled(at, *normal, -gap);
    return true;
}
