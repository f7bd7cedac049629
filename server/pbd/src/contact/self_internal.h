/* What contact between features remembers of two cloths (or of one with itself). All of
 * it is scratch of a tick but `memory`.
 *
 *   couple        two cloths that may meet in this tick            (self_couples.c)
 *    └ meeting    two patches that are near                        (self_meetings.c)
 *       └ pair    two features that may touch: lists per meeting   (self_pairs.c)
 *          └ touch  a pair that touches in this substep            (self_project.c)
 *
 * Each level holds while what is above it has not moved further than its margin, and only
 * what has is looked at anew. Meetings and pairs are in the order of patches and features,
 * whenever they were listed. */
#ifndef PBD_CONTACT_SELF_INTERNAL_H
#define PBD_CONTACT_SELF_INTERNAL_H

#include "contact/friction.h"
#include "contact/hash_grid.h"
#include "contact/patches.h"
#include "contact/self_contact.h"
#include "contact/self_look.h"
#include "contact/surface.h"

/* First and second feature of a pair; the second kind is missing within one patch. */
enum self_kind {
    SELF_VERTEX_TRIANGLE, /* vertex of the meeting's first patch, triangle of its second */
    SELF_TRIANGLE_VERTEX, /* vertex of the second, triangle of the first */
    SELF_EDGE_EDGE,       /* edge of the first, edge of the second */
    SELF_KINDS
};

/* Two features that may touch: four particles as self_look.h orders them. */
struct self_pair {
    uint32_t p[4];
    uint32_t rank;   /* places of the two features in their patches; ascending in a list */
    uint32_t touch;  /* index + 1 in touches or past, where that one has the same p; else nothing */
    uint8_t borders; /* of the triangle, as in patches.h */
    int8_t side;     /* ±1: where n·(first − second) belongs while they face each other; 0: open */
    int8_t seen;     /* its sign when it was last looked at; 0: not yet */
    uint32_t look;   /* when that was */
};

/* Pairs of one kind of all meetings, each meeting's in one stretch. */
struct self_pool {
    struct self_pair *pairs;
    float *reach; /* per pair, m: of the meeting's travel, below which they cannot touch */
    uint32_t count, capacity;
};

struct self_stretch {
    uint32_t first, count, room;
};

struct self_meeting {
    uint32_t patches[2];
    bool listed;           /* the stretches are those of this place */
    bool flat;             /* they look one way, and so cannot touch: no pairs */
    double travel, margin; /* m, since it was listed; until it is listed anew */
    double step;           /* m, how much of travel is since the last look */
    struct self_stretch stretches[SELF_KINDS];
};

/* A pair that touches within a substep, or did in the one before. */
struct self_touch {
    uint32_t p[4];
    enum self_kind kind;
    int side;
    bool sticks;
    double carried[3];        /* m, slipped while it stuck, as later projections left it */
    double pushed, recovered; /* m, as in struct contact */
    double friction[3];       /* m, correction so far */
    double c[4], normal[3];   /* of the last push */
};

/* What outlives a tick: a pair on the wrong side, and where it belongs (0: it is not); a
 * pair that sticks, and how far it slipped. */
struct self_memory {
    uint32_t p[4];
    uint8_t kind;
    int8_t side;
    float carried[3];
};

struct self_couple {
    pbd_cloth_id ids[2]; /* equal for a cloth and itself */
    uint32_t order[2];   /* of the two in the world; couples are sorted by both */
    struct pbd_cloth *cloths[2];
    bool near;    /* within this tick */
    bool touched; /* within the last tick */
    bool wild;    /* faster than anything may be: left alone in this substep */
    double h;     /* m, what they keep between each other */
    double cell;  /* m, mean edge */
    struct friction_pair friction;
    bool searched;         /* meetings are those of this tick */
    double travel, margin; /* m, since the search for meetings; until the next one */
    double step;           /* m, how much closer features can have come since the last look */
    uint64_t work, budget; /* features compared in this tick, and how many may be */
    struct self_meeting *meetings, *former;
    uint32_t meeting_count, meeting_capacity, former_capacity;
    struct self_pool pools[SELF_KINDS];
    struct self_touch *touches, *past; /* of this substep, of the last one */
    uint32_t touch_count, touch_capacity, past_count, past_capacity;
    struct self_memory *memory; /* sorted by kind and particles */
    uint32_t memory_count, memory_capacity;
};

/* How particles moved: the box of their displacements, m. */
struct self_motion {
    float low[3], high[3];
};

/* How a patch looks: the mean direction of its triangles, and whether none leans far from it. */
struct self_face {
    struct vec3 axis;
    bool even;
    uint32_t look; /* of which this is */
};

/* Of a cloth that takes part, per patch and for the whole; at cloth->surface->scratch. */
struct self_scratch {
    struct cloth_patches patches;
    /* Nodes at the last look, after its projections, and at the present look. */
    struct surface_node *seen, *left, *now;
    struct self_motion *motions; /* per patch, since the last look */
    struct self_motion whole;
    struct self_face *faces; /* per patch */
    struct vec3 *normals;    /* per triangle, in the patches' order, unit; of the same look */
    struct grid_box *boxes;  /* per patch: where it is and was at the last look */
};

/* Per cloth of the world, in world order; scratch of a tick. */
struct self_body {
    struct pbd_cloth *cloth;
    bool takes_part; /* is in a near couple */
    bool meets;      /* may meet others: in the sorted search */
    float low[3], high[3];
    double reach; /* m, how far it may go within the tick */
};

struct self_contacts {
    struct self_couple *couples;
    uint32_t couple_count, couple_capacity;
    struct self_body *bodies;
    uint32_t *sorted; /* bodies by their low x */
    uint32_t body_count, body_capacity;
    struct hash_grid grid;
    struct grid_box *boxes[2]; /* of self_overlap.c */
    uint32_t box_capacity;
    uint64_t *keys[2]; /* of meetings found */
    uint32_t key_count, key_capacity;
    struct self_pool fresh; /* pairs of a meeting being listed */
    uint32_t look;          /* number of the present one */
    double remaining;       /* substeps of the tick, the present one included */
    /* since creation: what was done, and how often memory was missing for it */
    uint64_t searches, listings, candidates, visits, dropped;
};

static inline int self_first(enum self_kind kind) {
    return kind == SELF_TRIANGLE_VERTEX ? 1 : 0;
}
static inline int self_second(enum self_kind kind) {
    return kind == SELF_TRIANGLE_VERTEX ? 0 : 1;
}
/* Corners of the first feature. */
static inline int self_firsts(enum self_kind kind) {
    return kind == SELF_EDGE_EDGE ? 2 : 1;
}
/* Which of the couple's cloths a corner of a pair belongs to. */
static inline struct pbd_cloth *self_owner(const struct self_couple *couple, enum self_kind kind,
                                           int corner) {
    return couple->cloths[corner < self_firsts(kind) ? self_first(kind) : self_second(kind)];
}

/* self_contact.c: world->self is there. PBD_OUT_OF_MEMORY. */
int self_require(pbd_world *world);

/* self_motion.c. The cloth has scratch and nodes. PBD_OUT_OF_MEMORY. */
int self_require_scratch(struct pbd_cloth *cloth);
void self_release_scratch(struct self_scratch *scratch);
/* Nodes := X + e, where the substep starts: seen and left. */
void self_look_first(struct pbd_cloth *cloth);
/* Nodes := X + u; motions and boxes of all patches since the last look. */
void self_look_again(struct pbd_cloth *cloth);
/* After the projections. */
void self_look_away(struct pbd_cloth *cloth);
/* Between boxes, m: no more than it is. */
double self_distance(const struct grid_box *a, const struct grid_box *b);
/* How much closer features of these two can have come. */
double self_approach(const struct self_motion *a, const struct self_motion *b, bool same);
/* Whether the patches, neighbours or one and the same, look so much one way that their
 * features cannot touch. */
bool self_is_flat(const struct self_contacts *self, struct pbd_cloth *cloth, uint32_t a, uint32_t b);

/* self_couples.c: fills bodies and near couples, in order; PBD_OUT_OF_MEMORY: some are missing. */
int self_find_couples(pbd_world *world);
/* Inserts an empty couple at a place among the sorted ones. NULL: out of memory. */
struct self_couple *self_new_couple(struct self_contacts *self, uint32_t place, const pbd_cloth_id ids[2],
                                    const uint32_t order[2]);
void self_couple_destroy(struct self_couple *couple);

/* self_meetings.c: all patches nearer than h + margin; those that met before keep their
 * lists. PBD_OUT_OF_MEMORY: as it was. */
int self_find_meetings(struct self_contacts *self, struct self_couple *couple);

/* self_pairs.c: lists a meeting's pairs nearer than h + its margin, or that may have been
 * since the last look; what it knew of pairs stays. PBD_OUT_OF_MEMORY: pairs are missing. */
int self_list_pairs(struct self_contacts *self, struct self_couple *couple, struct self_meeting *meeting,
                    double step);
void self_pool_destroy(struct self_pool *pool);

/* self_project.c: one pass over a meeting's pairs. */
void self_project_meeting(const pbd_world *world, struct self_couple *couple,
                          const struct self_meeting *meeting);
void self_settle_couple(const pbd_world *world, struct self_couple *couple, double h);

/* After a commit, before velocities change: what touches slipped. They become past. */
void self_end_touches(struct self_couple *couple, double h);

/* self_memory.c: from the past touches, after the last commit of a tick. */
void self_remember(struct self_couple *couple);
/* Past touches from what is remembered, before the first look of a tick. */
void self_begin_memory(struct self_couple *couple);
/* Into a meeting listed for the first time in a tick. */
void self_recall(struct self_couple *couple, const struct self_meeting *meeting);

/* self_overlap.c: triangles of the couple that pass through each other. */
uint32_t self_count_overlaps(struct self_contacts *self, const struct self_couple *couple);

#endif
