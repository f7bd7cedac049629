/* The import gate: from a user's mesh to a fabric, or a refusal with indices.
 *
 * A *vertex* is a vertex of the user's mesh in the user's order; a *particle* is
 * what is simulated (coincident vertices share one). physics.md §2 in full:
 * reject → weld → drop degenerate and duplicate triangles → manifold check →
 * winding → masses → edges and hinges → particle order, colours and runs. */
#ifndef PBD_MESH_H
#define PBD_MESH_H

#include <pbd/types.h>

struct pbd_mesh_def {
    const float *positions;      /* start, 3 per vertex, m; used for the weld check */
    const float *rest_positions; /* 3 per vertex, m, or NULL: the start */
    uint32_t vertex_count;
    const uint32_t *face_sizes;    /* corners per face, or NULL: all triangles */
    const uint32_t *face_vertices; /* all faces' corners, one after the other */
    uint32_t face_count;
    const uint32_t *edges; /* pairs: extra stretch constraints, or NULL */
    uint32_t edge_count;
    const float *masses; /* kg per vertex, overrides density, or NULL; welded vertices add up */
    float density;       /* kg/m² (0.2); without faces (a rope) a particle weighs density × mean edge² */
    float weld;          /* × bounding-box diagonal of the rest pose (1e-6); 0 = off */
    bool allow_nonmanifold;
    uint32_t cols;         /* a grid's row length, divides vertex_count; streamed; 0 = none */
    uint32_t max_vertices; /* limit (500 000) */
};

struct pbd_mesh_report {
    uint32_t vertices, particles, triangles, edges, bends, boundary_edges, components;
    bool closed, orientable;
    double mass; /* kg */
    uint32_t welded, degenerate, duplicate, flipped, isolated, massless;
    uint32_t warning_count;
    char warnings[8][160];
};

enum pbd_mesh_cause {
    PBD_MESH_NO_CAUSE,
    PBD_MESH_NO_VERTICES,
    PBD_MESH_NO_FACES,    /* neither faces nor edges */
    PBD_MESH_NON_FINITE,  /* vertex */
    PBD_MESH_INDEX_RANGE, /* face or edge */
    PBD_MESH_BAD_FACE,    /* fewer than 3 corners */
    PBD_MESH_LIMIT,
    PBD_MESH_NON_MANIFOLD_EDGE,
    PBD_MESH_WELD_APART, /* coincident at rest, apart at the start */
    PBD_MESH_BAD_MASS,   /* a mass ≤ 0 or non-finite */
    /* of files, set by the readers in scene/: */
    PBD_MESH_UNREADABLE,
    PBD_MESH_BAD_NUMBER,
    PBD_MESH_BAD_VERTEX,
};

/* Why a mesh was refused, in the user's indices. */
struct pbd_mesh_refusal {
    enum pbd_mesh_cause cause;
    uint32_t total;      /* of offending edges or faces */
    uint32_t edge_count; /* ≤ 16 */
    uint32_t edges[16][2];
    uint32_t face_count;   /* ≤ 16 */
    uint32_t faces[16][3]; /* first three corners */
    uint32_t vertex;       /* non_finite, weld_apart, bad_mass */
    uint32_t line;         /* of a file, 1-based; 0 = none */
    char message[256];     /* one sentence: what, where, what is allowed */
};

struct pbd_mesh_def pbd_default_mesh_def(void);

/* Builds the recipe. Returns PBD_OK, PBD_OUT_OF_MEMORY or PBD_MESH_REFUSED (then
 * *refusal says why and *fabric is untouched). Any thread. The caller owns one
 * reference to *fabric. */
int pbd_mesh_import(const struct pbd_mesh_def *def, pbd_fabric **fabric, struct pbd_mesh_refusal *refusal);

/* The cause's name on the wire: "non_manifold_edge", … */
const char *pbd_mesh_cause_name(enum pbd_mesh_cause cause);

pbd_fabric *pbd_fabric_ref(pbd_fabric *fabric);
void pbd_fabric_unref(pbd_fabric *fabric);

/* Views of a fabric; valid as long as a reference is held. */
struct pbd_fabric_view {
    uint32_t vertex_count, particle_count, triangle_count, edge_count, bend_count;
    uint32_t cols;                   /* 0 = no rows */
    const uint32_t *vertex_particle; /* per vertex: its particle */
    const uint32_t *particle_vertex; /* per particle: its lowest vertex */
    const uint32_t
        *triangles; /* 3 vertex indices per drawn triangle, the user's indices; all that were kept */
    const float *rest_positions;    /* 3 per vertex, the user's order, m */
    const uint32_t *payload_order;  /* vertex order for streaming meshes without rows, or NULL = identity */
    float rest_min[3], rest_max[3]; /* bounding box of the rest pose */
    float rest_diagonal;            /* m, > 0 */
    double run_fraction;            /* of stretch constraints that lie in runs of ≥ 8 */
};
struct pbd_fabric_view pbd_fabric_get_view(const pbd_fabric *fabric);
/* The unique edges, sorted. Each array may be NULL: pairs gets 2 vertices an edge (the
 * lowest of their particles, a < b, by a then b), colors the colour of its stretch
 * constraint, rests its rest length (m). Computed, since only few ask. */
void pbd_fabric_edges(const pbd_fabric *fabric, uint32_t *pairs, uint32_t *colors, float *rests);
const struct pbd_mesh_report *pbd_fabric_report(const pbd_fabric *fabric);

/* Whether a fabric can hold pressure: its triangles close in a volume. */
enum pbd_pressure {
    PBD_PRESSURE_HOLDS,
    PBD_PRESSURE_OPEN,        /* border edges (report.boundary_edges), or no triangles */
    PBD_PRESSURE_NONMANIFOLD, /* an edge with more than two triangles */
    PBD_PRESSURE_ONE_SIDED,   /* not orientable */
    PBD_PRESSURE_FLAT,        /* a part whose |6·volume| is below 1e-3·area^1.5 (a sewn pillow) */
    PBD_PRESSURE_UNKNOWN,     /* out of memory */
};
enum pbd_pressure pbd_fabric_pressure(const pbd_fabric *fabric);

/* What a fabric was made from, as a def that makes an equal one: the same particles,
 * masses and constraints bit for bit and in the same order, and the same report. */
struct pbd_mesh_recipe {
    struct pbd_mesh_def def;     /* both poses are the rest pose; edges: those that are no side of a face */
    uint32_t *triangles, *edges; /* the recipe's own, behind def; all else is the fabric's */
};
/* All faces as triangles: those that are drawn, wound as they were given, then those that the
 * import left out. PBD_OUT_OF_MEMORY. Valid as long as a reference is held. */
int pbd_fabric_recipe(const pbd_fabric *fabric, struct pbd_mesh_recipe *recipe);
void pbd_mesh_recipe_free(struct pbd_mesh_recipe *recipe);

#endif
