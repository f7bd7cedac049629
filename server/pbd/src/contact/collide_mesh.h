/* One particle's way past a mesh, in the mesh's own frame.
 *
 * A mesh has no tangent plane that all of it is behind, but each triangle has one where
 * the way first comes within the margin of it: the triangle, blown up by the margin, is
 * convex. Planes are gathered until the straight way from the start to the nearest point
 * in front of them all meets no further triangle. That way is the proof that nothing was
 * passed through, whatever the mesh.
 *
 * Neighbours do not count twice: where a triangle is reached at an edge or corner and one
 * beyond it is nearer, that one's plane is enough (internal edges), and this one is only
 * kept from being passed through. */
#ifndef PBD_CONTACT_COLLIDE_MESH_H
#define PBD_CONTACT_COLLIDE_MESH_H

#include "contact/collision_mesh.h"
#include "contact/plane_set.h"

#define MESH_CANDIDATES 64

/* A plane that the way's end must stay in front of. */
struct mesh_plane {
    uint32_t triangle;
    bool bent;          /* met on a bent way: the straight one may yet meet the triangle */
    struct vec3 point;  /* on the mesh, where it is touched */
    struct vec3 normal; /* unit, away from the mesh */
    double recovered;   /* m, what of a push only undoes that the start was too near */
    double push;        /* m, by which the last collide_mesh_resolve moved the end along normal */
};

/* A triangle near the start. */
struct mesh_candidate {
    struct mesh_closest at; /* nearest to the start */
    struct vec3 normal;     /* unit, from there to the start: all of the triangle is behind */
};

struct mesh_way {
    const pbd_collision_mesh *mesh;
    struct vec3 from;
    double margin, recovery; /* m */
    double scale;            /* m, for tolerances */
    double bent_length;      /* m, of the pieces of a bent way */
    /* m, of the start: negative inside of a closed mesh; a lower bound where nothing is near. */
    double distance;
    struct mesh_closest closest; /* triangle MESH_NONE where nothing is near */
    int count;
    struct mesh_plane planes[PLANES_MAX];
    struct plane fronts[PLANES_MAX]; /* the same for plane_set, relative to from */
    struct bvh_range range;          /* what the candidates below are complete for */
    uint32_t candidate_count;        /* > MESH_CANDIDATES: not listed, ask the tree */
    struct mesh_candidate candidates[MESH_CANDIDATES];
};

/* The distance that a mesh needs at least, m, where the cloth's thickness is less: a side
 * that rounding cannot change. */
double collide_mesh_skin(const pbd_collision_mesh *mesh);

/* The nearest point within limit (m) and the signed distance to it; without one (then
 * closest->triangle is MESH_NONE) the limit. */
double collide_mesh_distance(const pbd_collision_mesh *mesh, struct vec3 from, double limit,
                             struct mesh_closest *closest);

/* The way starts at `from` and leads to about `to`. A start nearer than margin need only
 * come nearer to it by recovery. maybe_inside: whether a start that nothing is near may be
 * deep inside of a closed mesh. */
void collide_mesh_begin(struct mesh_way *way, const pbd_collision_mesh *mesh, struct vec3 from,
                        struct vec3 to, double margin, double recovery, bool maybe_inside);
/* Gathers what a piece of a bent way first meets; both ends are in the mesh's frame of their time. */
void collide_mesh_pass(struct mesh_way *way, struct vec3 begin, struct vec3 end);
/* Where the way may end, nearest to `to`; the planes' push says how it came there. */
struct vec3 collide_mesh_resolve(struct mesh_way *way, struct vec3 to);

#endif
