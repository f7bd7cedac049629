/* The features of colliders: what of them can stick into a cloth between its vertices.
 *
 *   shape    points, against triangles    segments, against edges
 *   sphere   the centre, radius r         the centre (no length), radius r
 *   capsule  the axis' ends, radius r     the axis, radius r
 *   box      8 corners                    12 edges
 *   mesh     points                       edges
 *   plane    none                         none
 *
 * Which side the cloth belongs to follows from the feature's surroundings: a contact's
 * normal leads away from all edges that end in a point, and from both faces of an edge. */
#ifndef PBD_CONTACT_FEATURE_H
#define PBD_CONTACT_FEATURE_H

#include "contact/collision_mesh.h"
#include "contact/feature_gap.h"
#include "world/world_internal.h"

enum feature_kind { FEATURE_POINT, FEATURE_SEGMENT };

struct feature {
    enum feature_kind kind;
    uint32_t index;
    struct vec3 a, b; /* local frame, m; a point has b = a */
    double radius;    /* m */
    /* Unit; a contact's normal has no component against any of them. */
    struct vec3 cone[4];
    int cone_count;
    const pbd_collision_mesh *mesh; /* NULL: another shape */
    const struct collide_shape *shape;
};

/* Of a shape; numbers are 0 … count − 1. */
uint32_t feature_count(const struct collide_shape *shape, const pbd_collision_mesh *mesh,
                       enum feature_kind kind);
struct feature feature_make(const struct collide_shape *shape, const pbd_collision_mesh *mesh,
                            enum feature_kind kind, uint32_t index);
/* Only a, b and radius of it, which is much less work for a mesh. */
struct feature feature_outline(const struct collide_shape *shape, const pbd_collision_mesh *mesh,
                               enum feature_kind kind, uint32_t index);
/* Of a mesh: false where the surface around is flat, or hollow in a solid, so that a cloth's
 * vertices do all the work. */
bool feature_sticks_out(const pbd_collision_mesh *mesh, enum feature_kind kind, uint32_t index);

/* Whether a contact may have this normal (unit, towards the cloth). */
bool feature_allows(const struct feature *feature, struct vec3 normal);
/* Whether the cloth at a place that is nearest to the feature has come to be inside of the
 * solid (box, closed mesh) through this feature; then its normal points the wrong way. */
bool feature_is_crossed(const struct feature *feature, struct vec3 normal, struct vec3 place);

#endif
