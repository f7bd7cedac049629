/* Contact between dynamic bodies and other colliders, dynamic or not.
 *
 *   rigid_pairs.c     per tick: which pairs can meet; initial overlaps
 *   rigid_detect.c    per substep and pair: the pose to look at, the points of contact
 *   rigid_manifold.c  the points of two shapes; rigid_box.c: of two boxes;
 *                     rigid_mesh.c: of a shape and a mesh
 *   rigid_solve.c     non-penetration and friction on positions, then restitution
 *
 * step.c calls rigid_contacts_*; without dynamic colliders they cost nothing. */
#ifndef PBD_CONTACT_RIGID_CONTACT_H
#define PBD_CONTACT_RIGID_CONTACT_H

#include "contact/friction.h"
#include "contact/rigid.h"

/* Points that a pair may have: two boxes have up to 8; of a mesh the deepest are kept. */
#define RIGID_POINTS_MAX 16u

/* Where two surfaces meet or nearly do; all in the world. */
struct rigid_hit {
    struct vec3 a, b;   /* on either surface, m */
    struct vec3 normal; /* unit, from b to a; a − b is along it */
    double gap;         /* m, negative where they overlap */
};

struct rigid_hits {
    struct rigid_hit hit[RIGID_POINTS_MAX];
    uint32_t count;
};

/* A shape where it is. */
struct rigid_solid {
    const struct collide_shape *shape;
    const struct exact_pose *pose;
};

/* One point of contact within a substep. */
struct rigid_point {
    uint32_t a, b; /* slots of the colliders; a is dynamic, b may be anything */
    struct friction_pair friction;
    struct vec3 at_a, at_b; /* on either surface, in the collider's frame */
    struct vec3 normal;     /* world, from b to a */
    double size;            /* m, what is thin about the two */
    double depth;           /* m, at the substep's start, ≥ 0 */
    double rise;            /* m, how much of it this substep undoes */
    double approach;        /* m/s before any push */
    double restitution;
    double pushed;    /* λ, kg·m, ≥ 0 */
    double rubbed[2]; /* friction's λ along tangent */
    double raised;    /* λ of the undoing of depth, kg·m, ≥ 0 */
    double kicked;    /* N·s, restitution */
    /* Of the linearised solve. */
    struct vec3 tangent[2];
    struct vec3 arm_a, arm_b;         /* from the centres, m */
    struct vec3 turn_a[3], turn_b[3]; /* I⁻¹(arm × d) for d = normal, tangents */
    double inverse[3];                /* generalised inverse masses along them, 1/kg */
    double gap, slip[2];              /* m, before the sweeps */
};

/* What a point bore, with which the next substep's sweeps begin: a stack does not have to
 * find out anew what it weighs. Pairs are named by their colliders' order, never used twice. */
struct rigid_memory {
    uint64_t pair; /* order of a, then of b */
    struct vec3 at_a, at_b, normal;
    double pushed, rubbed[2];
};

struct rigid_pair {
    uint32_t a, b; /* slots */
};

/* A collider's box in this tick, its motion included. */
struct rigid_bounds {
    struct vec3 centre, half;
};

struct rigid_contacts {
    struct rigid_bounds *bounds; /* by place in world order */
    uint32_t bounds_capacity;
    struct rigid_pair *pairs; /* by world order of a, then b */
    uint32_t pair_count, pair_capacity;
    struct rigid_point *points; /* of this substep, in the order of pairs */
    uint32_t point_count, point_capacity;
    /* State: what the points of the last substep bore, in their order. */
    struct rigid_memory *memory;
    uint32_t memory_count, memory_capacity;
};

/* ---- called by step.c ---- */

/* Frees what a world has of this. */
void rigid_contacts_destroy(pbd_world *world);
/* After collider_begin_tick. Emits initial_overlap of bodies. */
void rigid_contacts_begin_tick(pbd_world *world);
/* After collider_bounds_broken: the pairs anew. */
void rigid_contacts_measure_again(pbd_world *world);
/* The last projection of an iteration; the first one finds the points. */
void rigid_contacts_project(pbd_world *world, double h, int iteration);
/* After collider_commit and the cloths' velocities. */
void rigid_contacts_velocities(pbd_world *world, double h);

/* State, for snapshots and the hash: an array owned by the world, NULL when there is none. */
const struct rigid_memory *rigid_contacts_memory(const pbd_world *world, uint32_t *count);
/* PBD_OUT_OF_MEMORY, nothing changed then. */
int rigid_contacts_set_memory(pbd_world *world, const struct rigid_memory *memory, uint32_t count);

/* ---- between the files ---- */

/* The pair's name in memory. */
uint64_t rigid_pair_name(const pbd_world *world, uint32_t a, uint32_t b);

/* Points within `margin` (m) of each other; a is no plane or mesh. origin_a: where a's
 * centre came from, which tells the sides of an open mesh. */
void rigid_manifold(const struct rigid_solid *a, const struct rigid_solid *b, struct vec3 origin_a,
                    double margin, struct rigid_hits *hits);
void rigid_manifold_boxes(const struct rigid_solid *a, const struct rigid_solid *b, double margin,
                          struct rigid_hits *hits);
void rigid_manifold_mesh(const struct rigid_solid *a, const struct rigid_solid *b, struct vec3 origin_a,
                         double margin, struct rigid_hits *hits);
/* A lower bound of the distance, positive unless they touch, and the direction from b to a
 * along which they are that far apart. Not for meshes. */
double rigid_gap(const struct rigid_solid *a, const struct rigid_solid *b, struct vec3 *normal);
double rigid_gap_boxes(const struct rigid_solid *a, const struct rigid_solid *b, struct vec3 *normal);
/* Appends unless it is full; then the shallowest gives way to a deeper one. */
void rigid_hits_add(struct rigid_hits *hits, const struct rigid_hit *hit);
/* Where a convex distance is least along a segment: 0…1. */
double rigid_nearest_on_segment(const struct collide_shape *shape, struct vec3 from, struct vec3 to);

/* Fills contacts->points. */
void rigid_detect(pbd_world *world, double h);

#endif
