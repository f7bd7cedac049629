/* Types of the solver library: ids, result codes, settings and definitions.
 *
 * SI units, y up, right-handed; quaternions are [x,y,z,w]; angles in radians.
 * Every *_def and *_settings starts from its pbd_default_*(), so that a member
 * added later keeps its default in code written before. */
#ifndef PBD_TYPES_H
#define PBD_TYPES_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* 0 is never valid. An id of a removed object is stale for ever. */
typedef uint32_t pbd_cloth_id;
typedef uint32_t pbd_collider_id;
typedef uint32_t pbd_grab_id;

/* The recipe of one cloth: immutable after pbd_mesh_import, counted, shared by
 * worlds and snapshots, usable from any thread. */
typedef struct pbd_fabric pbd_fabric;
typedef struct pbd_world pbd_world;
/* The recipe of one mesh collider (pbd/collision_mesh.h): immutable, counted, any thread. */
typedef struct pbd_collision_mesh pbd_collision_mesh;
/* A whole world's state in memory; keeps references to its fabrics and collision meshes. */
typedef struct pbd_snapshot pbd_snapshot;

enum pbd_result {
    PBD_OK = 0,
    PBD_OUT_OF_MEMORY = -1,    /* nothing changed */
    PBD_STALE_ID = -2,         /* no such cloth or collider */
    PBD_INDEX_RANGE = -3,      /* a vertex index ≥ the vertex count */
    PBD_NOT_PINNED = -4,       /* move of a vertex that is not pinned */
    PBD_STATIC = -5,           /* move of a static collider */
    PBD_MESH_REFUSED = -6,     /* the import gate said no; see pbd_mesh_refusal */
    PBD_NOT_ATTACHED = -7,     /* detach of a vertex that is not attached */
    PBD_PRESSURE_REFUSED = -8, /* pressure in a mesh that holds none; see pbd_fabric_pressure */
    PBD_NO_ROWS = -9,          /* a weft compliance for a mesh without rows */
};

enum pbd_method { PBD_METHOD_PBD, PBD_METHOD_XPBD, PBD_METHOD_JACOBI };
enum pbd_bend_model { PBD_BEND_DIHEDRAL, PBD_BEND_DISTANCE };
enum pbd_motion { PBD_STATIC_MOTION, PBD_KINEMATIC, PBD_DYNAMIC };
enum pbd_shape_type { PBD_PLANE, PBD_SPHERE, PBD_CAPSULE, PBD_BOX, PBD_MESH };

/* A compliance that switches the constraint kind off (JSON null). */
#define PBD_COMPLIANCE_OFF INFINITY
/* A weft that stretches as the warp does (JSON null). */
#define PBD_SAME_AS_WARP (-1.0f)
/* A pressure that leaves the volume alone (JSON null). */
#define PBD_PRESSURE_OFF (-1.0f)
/* A driven collider that never stops. */
#define PBD_FOR_EVER INFINITY
/* A static friction coefficient that follows the kinetic one. */
#define PBD_SAME_AS_KINETIC (-1.0f)

struct pbd_solver_settings {
    enum pbd_method method; /* xpbd */
    int substeps;           /* 1…64 (10); jacobi always takes one */
    int iterations;         /* 1…200 (1) */
    float dt;               /* s, 1/1000…1/10 (1/60) */
    float jacobi_weight;    /* G103's omega (0.2) */
    float velocity_factor;  /* G103's per-tick factor (0.99), jacobi only */
};

/* Moving air. With velocity 0 there is none: `drag` alone slows what moves. */
struct pbd_wind {
    float velocity[3]; /* m/s (0) */
    float turbulence;  /* [0,10]: rms of each component of the gusts / |velocity| (0) */
    float gust_size;   /* m: how far apart gusts that differ are (1) */
    float air_density; /* kg/m³ (1.225) */
};

struct pbd_world_settings {
    float gravity[3]; /* m/s² (0,-9.8,0) */
    struct pbd_wind wind;
    uint32_t seed;           /* of the gusts (0) */
    float drag;              /* 1/s (0.5): v *= exp(-drag·h) */
    float damping;           /* [0,1] per tick (0.02): P07's rigid-motion damping */
    float max_depenetration; /* m/s (2) */
    float max_speed;         /* m/s (500) */
    struct pbd_solver_settings solver;
};

struct pbd_cloth_settings {
    float stretch_stiffness;       /* [0,1], method pbd (1); 0 = off */
    float bend_stiffness;          /* [0,1], method pbd (0.1); 0 = off */
    float stretch_compliance;      /* m/N, method xpbd (1e-7) */
    float stretch_compliance_weft; /* m/N, across the rows of a grid, or PBD_SAME_AS_WARP */
    float compression;             /* [0,1]: factor of stretch where an edge is shorter than at rest (1) */
    float bend_compliance;         /* rad/(N·m), or m/N with PBD_BEND_DISTANCE; method xpbd */
    enum pbd_bend_model bend_model;
    float pressure;         /* volume / rest volume, of each closed part; or PBD_PRESSURE_OFF */
    bool tethers;           /* nothing farther from the nearest pin than the cloth between is long (false) */
    float thickness;        /* m, kept to collider surfaces, and between layers of cloth (0.005) */
    bool self_collision;    /* contact with itself (false) */
    bool cloth_collision;   /* contact with other cloths, unless they say no (true) */
    float friction;         /* kinetic coefficient ≥ 0 (0.3) */
    float static_friction;  /* ≥ 0, or PBD_SAME_AS_KINETIC */
    float restitution;      /* [0,1] (0) */
    float drag_coefficient; /* along the wind (1.2) */
    float lift_coefficient; /* across it (1) */
};

struct pbd_shape {
    enum pbd_shape_type type;
    float normal[3];       /* plane, local frame, any length > 0: normal·x = offset */
    float offset;          /* plane, m */
    float radius;          /* sphere, capsule, m */
    float half_height;     /* capsule: half of the segment along y, caps excluded, m */
    float half_extents[3]; /* box, m */
    /* mesh, in the local frame; static or kinematic only. The world takes a reference of its own. */
    pbd_collision_mesh *mesh;
};

struct pbd_collider_def {
    struct pbd_shape shape;
    enum pbd_motion motion; /* kinematic */
    float position[3];
    float rotation[4];     /* normalised by the callee */
    float friction;        /* kinetic coefficient (0.3); the pair's is sqrt(cloth·collider) */
    float static_friction; /* or PBD_SAME_AS_KINETIC */
    float restitution;     /* the pair's is the larger */
    /* dynamic: at the start. kinematic: how it moves on its own, about its origin, from
     * moves_from (0) to moves_until (PBD_FOR_EVER) seconds after it was added; a
     * pbd_collider_move ends that. m/s, rad/s; 0 for static ones. */
    float velocity[3], angular_velocity[3];
    float moves_from, moves_until;
    float mass; /* kg > 0, dynamic only (1) */
};

/* What a collider is now: pose at the end of the last tick, velocities over it. */
struct pbd_collider_state {
    struct pbd_collider_def def; /* position and rotation as of now */
    float velocity[3];           /* m/s */
    float angular_velocity[3];   /* rad/s */
    bool asleep;                 /* dynamic ones */
    double age;                  /* s, of one that moves on its own: since it was added */
};

struct pbd_cloth_def {
    pbd_fabric *fabric;     /* a reference is taken */
    const float *positions; /* start, 3 per vertex, world frame, m */
    float velocity[3];      /* of every vertex, m/s */
    struct pbd_cloth_settings settings;
    const uint32_t *pins; /* vertex indices */
    uint32_t pin_count;
};

enum pbd_event_type {
    PBD_EVENT_DIVERGED,        /* cloth, vertex: frozen at its last finite state */
    PBD_EVENT_INITIAL_OVERLAP, /* count, depth; cloth and collider, or cloth and other (a cloth, itself
                                * included: triangles that pass through each other), or two bodies */
    PBD_EVENT_CLAMPED,         /* cloth or collider, got, max: max_speed bit */
    PBD_EVENT_PRECISION,       /* cloth, got (g·h²), max (64 ulp of the largest coordinate) */
    PBD_EVENT_SLEPT,           /* cloth or collider */
    PBD_EVENT_WOKE,            /* cloth or collider */
};

struct pbd_event {
    enum pbd_event_type type;
    pbd_cloth_id cloth;
    pbd_collider_id collider;
    pbd_cloth_id other;             /* initial_overlap: the other cloth, or 0 */
    pbd_collider_id other_collider; /* initial_overlap: the other body, or 0 */
    uint32_t vertex;
    uint32_t count;
    float depth, got, max;
};

struct pbd_world_settings pbd_default_world_settings(void);
struct pbd_cloth_settings pbd_default_cloth_settings(void);
struct pbd_collider_def pbd_default_collider_def(void);

#endif
