/* The pairs of one part of a cloth with the features of one collider, while a list is made. */
#ifndef PBD_CONTACT_FEATURE_PAIRS_H
#define PBD_CONTACT_FEATURE_PAIRS_H

#include "contact/feature_list.h"

/* No other shape but a mesh has more. */
#define BOX_FEATURES 20

struct feature_making {
    const pbd_world *world;
    struct pbd_cloth *cloth;
    struct cloth_features *features;
    const struct pbd_collider *collider;
    const pbd_collision_mesh *mesh;
    struct feature_group *group;
    double kept,
        reach; /* m: thickness; with it, how far a feature's surface counts beyond the particles' slack */
    struct vec3 low, high;            /* of the shape, local, without the reach */
    struct feature own[BOX_FEATURES]; /* of a shape that is no mesh: points, then segments */
};

static inline struct vec3 feature_local_place(const struct feature_making *m, uint32_t i) {
    const struct cloth_features *f = m->features;
    return pose_to_local(&m->group->pose, vec3_make((double)f->x[i], (double)f->y[i], (double)f->z[i]));
}

/* What edges may gain, squared, while a list lasts. */
#define FEATURE_STRETCH 1.1

/* A triangle or an edge, in the collider's frame when the list is made. */
struct feature_target {
    enum feature_kind kind; /* of what it may meet */
    uint32_t index;
    int corners;
    struct vec3 corner[3];
    double longest;         /* m², of its longest edge */
    double reach;           /* m, with its particles' slack */
    struct bvh_range range; /* its box, with the reach */
};

/* Makes `own`. */
void feature_pairs_begin(struct feature_making *m);
/* Appends the pairs of one triangle (FEATURE_POINT) or edge (FEATURE_SEGMENT). */
void feature_pairs_add(struct feature_making *m, enum feature_kind kind, uint32_t part_index);
/* The same, of a mesh (feature_mesh.c). */
void feature_pairs_add_mesh(struct feature_making *m, const struct feature_target *part);
/* Appends one pair; gap: between the two. */
void feature_pair_add(struct feature_making *m, const struct feature *feature, const struct feature_gap *gap,
                      const struct feature_target *part);
/* Whether its vertices hold a part so well beside a sphere or capsule that it needs no
 * pairs; longest: the square of its longest edge. */
bool feature_held_by_vertices(const struct feature_making *m, double longest, int corners);

#endif
