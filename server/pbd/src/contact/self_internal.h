/* What contact between features remembers of two cloths (or of one with itself). All of
 * it is scratch of a tick but `crossed`. */
#ifndef PBD_CONTACT_SELF_INTERNAL_H
#define PBD_CONTACT_SELF_INTERNAL_H

#include "contact/friction.h"
#include "contact/hash_grid.h"
#include "contact/self_contact.h"
#include "contact/self_look.h"
#include "contact/surface.h"

/* Two features that may touch: four particles as self_look.h orders them. */
struct self_pair {
    uint32_t p[4];
    uint32_t touch; /* index + 1 in touches, 0 = none in this substep */
    int8_t side;    /* ±1: where n·(first − second) belongs while they face each other; 0: open */
    int8_t seen;    /* its sign at the last look; 0: not looked at yet */
    bool touched;   /* since the list was made */
};

/* A couple's three lists: vertices of a and triangles of b, vertices of b and triangles of
 * a (empty for a cloth and itself), edges of a and edges of b. */
enum self_kind { SELF_VERTEX_TRIANGLE, SELF_TRIANGLE_VERTEX, SELF_EDGE_EDGE, SELF_KINDS };

struct self_list {
    struct self_pair *pairs;
    float *reach; /* per pair, m: of the couple's travel, below which they cannot touch */
    uint32_t count, capacity;
};

/* A pair that touches within a substep. */
struct self_touch {
    uint32_t pair;
    enum self_kind kind;
    double pushed, recovered; /* m, as in struct contact */
    double friction[3];       /* m, correction so far */
    double c[4], normal[3];   /* of the last push */
};

/* A pair on the wrong side, and where it belongs. */
struct self_crossed {
    uint32_t p[4];
    uint8_t kind;
    int8_t side;
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
    /* How far features may have come closer since the lists were made, m: up to this
     * substep's start, and what the lists allow. */
    double travel, margin;
    struct self_list lists[SELF_KINDS];
    struct self_touch *touches;
    uint32_t touch_count, touch_capacity;
    struct self_crossed *crossed;
    uint32_t crossed_count, crossed_capacity;
};

/* How a cloth moves in a substep: its mean, and how far particles stray from it, m. */
struct self_motion {
    float mean[3];
    double stray;
};

/* Per cloth of the world, in world order; scratch of a tick. */
struct self_body {
    struct pbd_cloth *cloth;
    bool takes_part; /* is in a near couple */
    bool meets;      /* may meet others: in the sorted search */
    float low[3], high[3];
    double reach;              /* m, how far it may go within the tick */
    struct self_motion motion; /* velocity at the tick's start × dt; then of this substep */
};

struct self_contacts {
    struct self_couple *couples;
    uint32_t couple_count, couple_capacity;
    struct self_body *bodies;
    uint32_t *sorted; /* bodies by their low x */
    uint32_t body_count, body_capacity;
    struct hash_grid grid;
    struct grid_box *boxes[2];
    uint32_t box_capacity;
    /* since creation: what the lists cost, and how often memory for them was missing */
    uint64_t rebuilds, candidates, dropped;
};

/* Which of the couple's two cloths the first feature of a kind belongs to, and the second. */
static inline int self_first(enum self_kind kind) {
    return kind == SELF_TRIANGLE_VERTEX ? 1 : 0;
}
static inline int self_second(enum self_kind kind) {
    return kind == SELF_TRIANGLE_VERTEX ? 0 : 1;
}
static inline const struct pbd_cloth *self_owner(const struct self_couple *couple, enum self_kind kind,
                                                 int corner) {
    bool first = kind == SELF_EDGE_EDGE ? corner < 2 : corner < 1;
    return couple->cloths[first ? self_first(kind) : self_second(kind)];
}

/* self_contact.c: world->self is there. PBD_OUT_OF_MEMORY. */
int self_require(pbd_world *world);

/* self_motion.c. δ = u − e of the particles (0 for a cloth that does not move). */
struct self_motion self_motion_of(const struct pbd_cloth *cloth);
/* The same, about a mean that is known. */
double self_stray_of(const struct pbd_cloth *cloth, const float mean[3]);
/* δ = scale·v */
struct self_motion self_motion_of_velocities(const struct pbd_cloth *cloth, float scale);
double self_stray_of_velocities(const struct pbd_cloth *cloth, const float mean[3], float scale);
/* How much closer two features of these cloths may have come. */
double self_approach(const struct self_motion *a, const struct self_motion *b, bool same);

/* self_couples.c: fills bodies and near couples, in order; PBD_OUT_OF_MEMORY: none is near. */
int self_find_couples(pbd_world *world);
/* Inserts an empty couple at a place among the sorted ones. NULL: out of memory. */
struct self_couple *self_new_couple(struct self_contacts *self, uint32_t place, const pbd_cloth_id ids[2],
                                    const uint32_t order[2]);
void self_couple_destroy(struct self_couple *couple);

/* self_pairs.c: lists of all pairs nearer than h + margin, from X now. With `swept`, of those
 * that can touch within the predicted substep alone. PBD_OUT_OF_MEMORY: pairs are missing. */
int self_list_pairs(struct self_contacts *self, struct self_couple *couple, bool swept);
/* Room for the boxes of either cloth's features. PBD_OUT_OF_MEMORY. */
int self_reserve_boxes(struct self_contacts *self, const struct self_couple *couple);
/* Boxes of the triangles that reach into the window (NULL: everywhere); returns their count. */
struct self_window {
    float low[3], high[3];
};
uint32_t self_triangle_boxes(struct grid_box *boxes, const struct pbd_cloth *cloth,
                             const struct self_window *window);

/* self_project.c: one pass over a couple's pairs; now: its travel up to this moment. */
void self_project_couple(const pbd_world *world, struct self_couple *couple, double now, double h);
void self_settle_couple(struct self_couple *couple, double h);
void self_gather(struct pbd_cloth *cloth);

/* self_sides.c: after a commit, from the touches of that substep. */
void self_remember(struct self_couple *couple);
/* Into lists made anew. */
void self_recall(struct self_couple *couple);

/* self_overlap.c: triangles of the couple that pass through each other. */
uint32_t self_count_overlaps(struct self_contacts *self, const struct self_couple *couple);

#endif
