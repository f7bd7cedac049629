/* Distance and first contact between a collider's feature (a point or a segment, with a
 * radius) and a part of a cloth (a triangle or an edge), in the collider's frame, in double.
 *
 * A point meets triangles, a segment meets edges. There the feature stands still and the
 * cloth moves in straight lines, whatever the collider does. */
#ifndef PBD_CONTACT_FEATURE_GAP_H
#define PBD_CONTACT_FEATURE_GAP_H

#include <stdbool.h>

#include "contact/pose.h"

/* Normals of contacts with an edge or a corner lie between those of the faces around it;
 * what rounding and the straight pieces of a turn may add. */
#define FEATURE_CONE_SLACK 0.1

struct feature_gap {
    double distance;    /* m, ≥ 0, between the feature without its radius and the part */
    struct vec3 normal; /* unit, from the feature to the part; 0 where they meet and it is not inner */
    double weight[3];   /* of the part's corners in its nearest point */
    struct vec3 at;     /* the feature's nearest point */
    bool inner;         /* the nearest point is inside of the triangle or edge: neither on its border
                         * nor, of an edge, where both are parallel */
    bool across;        /* inner, and of a segment it is not an end either: then the normal is at right
                         * angles to both, and keeps its meaning when one passes through the other */
};

/* corners: 3 for a triangle and the point a; 2 for an edge and the segment a–b, which may
 * have no length. */
struct feature_gap feature_gap_of(struct vec3 a, struct vec3 b, const struct vec3 *part, int corners);

/* The point of the part with these weights. */
static inline struct vec3 feature_place(const struct vec3 *part, const double *weight, int corners) {
    struct vec3 place = vec3_scale(part[0], weight[0]);
    for (int k = 1; k < corners; ++k)
        place = vec3_add_scaled(place, part[k], weight[k]);
    return place;
}

struct feature; /* contact/feature.h */

/* The part on its way from→to, straight. `end`: where it will be in the end, after other
 * pieces of the way perhaps. */
struct feature_way {
    int corners;
    struct vec3 from[3], to[3], end[3];
    double touching; /* m: looking closer ends here */
};

/* The first contact on the way at *margin (m) from the feature that the feature can have
 * (feature_allows) and that matters; *contact is the gap at way->from before. It matters when
 * at `end` its place would be nearer than keep (m) to
 * the plane through the feature with the contact's normal. Contacts that do not count make
 * *margin smaller, down to way->touching; so does starting nearer. Conservative advancement
 * (Mirtich 1996) with the speed along the present normal, so it is exact where the normal
 * does not turn; it never steps over a contact. */
bool feature_first_contact(const struct feature *feature, const struct feature_way *way, double *margin,
                           double keep, struct feature_gap *contact);

/* How far the contact's place on the part, moved to `end`, is in front of the plane. */
double feature_height(const struct feature_gap *contact, const struct vec3 *end, int corners);

#endif
