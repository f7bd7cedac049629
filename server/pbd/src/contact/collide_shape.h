/* Signed distance and sweep of the convex shapes, in a shape's own frame, in double. Of a
 * mesh there is the distance alone: contact/collide_mesh.h knows its sweep.
 *
 * The four other distances are convex functions of the point (box and capsule exactly, with
 * the interior too), which is what the sweep and the tangent planes rely on. */
#ifndef PBD_CONTACT_COLLIDE_SHAPE_H
#define PBD_CONTACT_COLLIDE_SHAPE_H

#include <pbd/types.h>

#include "contact/pose.h"

/* A pbd_shape made ready: the plane's normal has unit length, all in double. */
struct collide_shape {
    enum pbd_shape_type type;
    struct vec3 normal;
    double offset, radius, half_height;
    struct vec3 half;   /* box; of a mesh's bounding box, whose middle is at */
    struct vec3 middle; /* (elsewhere 0) */
    const pbd_collision_mesh *mesh;
    double bound; /* m, radius of a ball around the local origin that holds it; infinite for a plane */
};

struct collide_shape collide_shape_from(const struct pbd_shape *shape);

/* Distance from the surface, m, negative inside (never so of a mesh that is not closed); *normal: the unit
 * gradient. Where the gradient does not exist (a centre, an edge inside) one of its limits. */
double collide_shape_distance(const struct collide_shape *shape, struct vec3 point, struct vec3 *normal);

/* Not for meshes. Along from→to, the first contact with the surface that lies `margin` outside of the
 * shape. Starting inside of that surface counts as contact at the start. Returns whether
 * there is one; then *point lies on that surface, *normal is unit, and the whole inflated
 * shape is on the far side of the plane through them: normal·(x − point) ≥ 0 is outside. */
bool collide_shape_sweep(const struct collide_shape *shape, struct vec3 from, struct vec3 to, double margin,
                         struct vec3 *point, struct vec3 *normal);

#endif
