/* The recipe of one cloth as the kernels read it. Immutable after the build.
 *
 * Particles are ordered at build time so that most of each colour's constraints fall
 * into *runs*: constraint k of a run joins particles a0+k and b0+k (a hinge: p0+k, p1+k,
 * p2+k, p3+k). Constraints that no run of FABRIC_MIN_RUN takes are *singles*: they follow
 * their colour's runs and are read through the spelled-out index arrays. No particle
 * occurs twice within one colour, so all of a colour may be executed in any order and
 * width and still equal the serial list bit for bit. The serial order is that of the
 * constraint index: colours ascending, a colour's runs ascending, then its singles.
 *
 *   constraint index   0 1 2 3 4 5 6 7 8 | 9 10 … 16 17 | 18 19 20 | 21 …
 *   colour 0           run a0=0  b0=40   | run a0=9 b0=52 | singles  | colour 1
 */
#ifndef PBD_BUILD_FABRIC_H
#define PBD_BUILD_FABRIC_H

#include <stdatomic.h>
#include <pbd/mesh.h>

/* Arrays of particles and constraints are padded to this many entries and aligned to 64 bytes. */
#define FABRIC_PAD 16u
/* No run is shorter. */
#define FABRIC_MIN_RUN 8u

struct fabric_color {
    uint32_t first_run, run_count;       /* may be 0 */
    uint32_t first_single, single_count; /* constraints [first_single, first_single+single_count); may be 0 */
};

struct stretch_run {
    uint32_t first, count; /* constraints [first, first+count) */
    uint32_t a, b;         /* particles of constraint first */
};

struct bend_run {
    uint32_t first, count;
    uint32_t p[4]; /* p[0],p[1] the shared edge; p[2],p[3] opposite; see rest_angle */
};

struct stretch_set {
    uint32_t count, run_count, color_count;
    struct fabric_color *colors;
    struct stretch_run *runs;
    uint32_t *a, *b; /* per constraint, execution order; of runs too; a < b */
    float *rest;     /* m, per constraint, execution order */
    uint32_t *edge;  /* per constraint: its index in the sorted unique edges */
};

struct bend_set {
    uint32_t count, run_count, color_count;
    struct fabric_color *colors;
    struct bend_run *runs;
    uint32_t *p[4];       /* per constraint, execution order */
    float *rest_angle;    /* θ0 = φ0 − π, signed, 0 when flat: hinge_angle() of build/hinge.h, which the
                           * solver uses too: atan2(−|e| (b·n1), n1·n2) with e = p1−p0, a = p2−p0,
                           * b = p3−p0 of p[0]…p[3], n1 = e×a, n2 = b×e */
    float *rest_distance; /* |p[2]−p[3]| at rest, m, for PBD_BEND_DISTANCE */
};

/* What the user gave that the rest of the recipe does not show. */
struct fabric_given {
    float density, weld;
    bool allow_nonmanifold;
    float *masses;      /* per vertex, or NULL */
    uint32_t *turned;   /* a bit per triangle that was turned over, or NULL: none was */
    uint32_t *left_out; /* 3 vertices per triangle that was left out, or NULL */
    uint32_t left_out_count;
    uint32_t
        *extra; /* edges that are no side of a triangle, in the sorted unique edges; NULL: none, or all */
    uint32_t extra_count;
};

struct pbd_fabric {
    _Atomic uint32_t refs;
    struct pbd_mesh_report report;
    struct pbd_fabric_view view; /* points into the arrays owned here */
    uint32_t particle_count;
    uint32_t padded_count; /* particle_count rounded up to FABRIC_PAD */
    float *mass;           /* kg per particle; 0 = isolated (w = 0), padding 0 */
    float *inverse_mass;   /* 1/kg; 0 for isolated and padding */
    float mean_edge;       /* mean rest length, m */
    struct stretch_set stretch;
    struct bend_set bend;
    struct fabric_given given;
};

#endif
