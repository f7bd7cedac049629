/* Which features may meet which triangles and edges, for as long as nothing has moved too
 * far since the list was made. What it leaves out cannot touch, or is so short that the
 * cloth's vertices hold it as well.
 *
 *   groups  [collider 0                        ][collider 1 …
 *   pairs   [point, triangle …][segment, edge …][…               ascending by part, then feature
 */
#ifndef PBD_CONTACT_FEATURE_LIST_H
#define PBD_CONTACT_FEATURE_LIST_H

#include "contact/contact_internal.h"
#include "contact/feature.h"
#include "contact/features.h"

struct feature_pair {
    uint32_t part;    /* triangle of the fabric's view, or stretch constraint */
    uint32_t feature; /* its number */
    uint32_t contact; /* in this substep: its index + 1, 0 = none */
    float clear;      /* m, that both together may move from where the list was made until they touch */
};

struct feature_group {
    uint32_t place; /* the collider's slot */
    struct friction_pair friction;
    struct exact_pose pose;             /* when the list was made */
    double slack;                       /* m, that the collider may move until the list is made anew */
    uint32_t first, first_segment, end; /* pairs */
};

/* One feature touching one part within a substep. Vectors are in the collider's frame at
 * the substep's end; pushes are positional impulses, kg·m. */
struct feature_contact {
    uint32_t place, part, feature, particles[3];
    uint32_t held;            /* bit k: particles[k] lies on something (two_way_is_held) */
    uint32_t pair;            /* its place in the list, UINT32_MAX: not there */
    int corners;              /* 3: a point and a triangle; 2: a segment and an edge */
    struct feature_gap gap;   /* the first contact: normal, weights, place on the feature */
    double keep;              /* m; the distance from the feature that is kept */
    double approach;          /* m/s, towards each other before the first push */
    double mass;              /* kg that a push along the normal moves */
    double pushed, recovered; /* sum of pushes; how much of it only undoes an overlap at the start */
    struct vec3 friction;     /* sum of friction's */
};

struct cloth_features {
    bool made;
    /* Per particle, when the list was made. */
    float *x, *y, *z;
    float *slack;    /* m, that it may go until the list is made anew */
    uint16_t *code;  /* scratch: where it is beyond a collider's reach */
    uint8_t *pushed; /* per particle, in this projection: the last round that pushed it + 1, 0 = none */
    struct feature_group *groups;
    uint32_t group_count, group_capacity;
    struct feature_pair *pairs;
    uint32_t pair_count, pair_capacity;
    struct feature_contact *contacts;
    uint32_t contact_count, contact_capacity;
    uint32_t *found; /* scratch */
    uint32_t found_capacity;
};

/* m, between a feature's surface and the cloth. Without thickness a trace of it, by which
 * the side is told. */
double feature_distance_kept(const struct pbd_cloth *cloth);
/* Particles of a part. */
void feature_part(const struct pbd_cloth *cloth, enum feature_kind kind, uint32_t part,
                  uint32_t particles[3]);
/* What a mesh collider is made of, NULL for others. */
static inline const pbd_collision_mesh *feature_mesh(const struct pbd_collider *collider) {
    return collider->def.shape.mesh;
}

/* Bounds of how far any point of the group's collider has been moved since the list was
 * made, and in this substep. */
double feature_group_shift(const pbd_world *world, const struct feature_group *group);
double feature_substep_shift(const struct pbd_collider *collider);
/* Makes the list anew where something has moved too far, from this substep's start. */
void feature_list_refresh(const pbd_world *world, struct pbd_cloth *cloth, double h);

/* Doubles *array's capacity when it is full; false when that fails. */
bool feature_grow(void **array, uint32_t *capacity, uint32_t count, size_t size);

#endif
