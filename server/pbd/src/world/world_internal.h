/* The state of a world. Only files of pbd/src include this.
 *
 * Three kinds of data, kept apart: the recipe (struct pbd_fabric, immutable), the
 * state (struct cloth_state: what the hash, snapshots and clients see) and scratch
 * (struct cloth_scratch: valid within a step only). */
#ifndef PBD_WORLD_INTERNAL_H
#define PBD_WORLD_INTERNAL_H

#include <pbd/pbd.h>
#include "build/fabric.h"
#include "contact/collide_shape.h"
#include "contact/pose.h"
#include "contact/rigid_body.h"

/* Particle arrays are structures of arrays, 64-byte aligned, padded_count long.
 * A particle is X + u: X the float32 base (what leaves the solver), fixed during a
 * substep, u the small displacement, starting at the residual e (physics.md §1). */
struct cloth_state {
    float *x, *y, *z;    /* base X, m */
    float *ex, *ey, *ez; /* residual e, m: X + e is the exact position */
    float *vx, *vy, *vz; /* m/s */
    float *w;            /* inverse mass now: 0 where pinned, attached, isolated or padding */
    float *qx, *qy, *qz; /* centres of the balls that its particles rest in (world/sleep.h), m */
};

struct cloth_scratch {
    float *ux, *uy, *uz;       /* displacement of this substep, starts at e */
    float *backup[6];          /* X and v at the tick's start: where a diverged cloth stops */
    float *stretch_lambda_sum; /* per stretch constraint: Σ of λ over the tick's substeps */
    float *stretch_lambda;     /* per stretch constraint, reset per substep */
    float *bend_lambda;        /* per bend constraint, reset per substep */
    /* jacobi alone, in the place of the two above */
    float *sx, *sy, *sz; /* sums of a pass */
    float *scale;        /* per particle 1/(ω + n); 0 where n = 0 */
};

/* A pin on its way: from `from` to `to` over `total` ticks, `done` of them over. */
struct pin {
    uint32_t particle;
    uint32_t done, total; /* done == total: at rest at `to` */
    float from[3], to[3];
};

/* A particle that a collider holds at a place of its frame. */
struct attachment {
    uint32_t particle;
    pbd_collider_id collider;
    struct vec3 place;
};

/* A point that draws a particle: on its way from `from` to `to` as a pin is. */
struct grab {
    pbd_grab_id id;
    pbd_cloth_id cloth;
    uint32_t vertex, particle;
    float compliance; /* m/N */
    uint32_t done, total;
    uint32_t since; /* ticks since its last move */
    float from[3], to[3];
    /* scratch of a substep: where it is drawn to, and the multiplier */
    struct vec3 target, lambda;
};

struct aero;           /* solve/aero.h */
struct pressure;       /* solve/pressure.h */
struct island_node;    /* world/islands.h */
struct cloth_contacts; /* contact/contact.h */
struct cloth_surface;  /* contact/surface.h */
struct rigid_contacts; /* contact/rigid_contact.h */
struct self_contacts;  /* contact/self_internal.h */
struct kernels;        /* solve/kernels.h */
struct tethers;        /* solve/tether.h */
struct triangle_set;   /* solve/triangle_set.h */
struct weave;          /* solve/weave.h */

struct pbd_cloth {
    pbd_cloth_id id; /* 0 = the slot is free */
    uint32_t generation;
    uint32_t order; /* position in cloth order: ascending with every add */
    pbd_fabric *fabric;
    struct pbd_cloth_settings settings;
    struct cloth_state state;
    struct cloth_scratch scratch;
    struct pin *pins; /* ascending by particle */
    uint32_t pin_count, pin_capacity;
    uint32_t pins_version;
    struct attachment *attachments; /* ascending by particle */
    uint32_t attachment_count, attachment_capacity;
    uint32_t attachments_version;
    bool frozen;
    bool asleep;                   /* world/sleep.h; what is asleep or frozen takes no part in a step */
    bool woke;                     /* since the last step: still to be told */
    uint32_t quiet_ticks;          /* at whose ends all particles were in their balls; 0: no balls yet */
    float box_low[3], box_high[3]; /* of its particles, while asleep; scratch else */
    bool precision_reported;
    float force_scale; /* force = scale·stretch_lambda_sum; 0 before the first tick, NaN unless xpbd */
    float *state_block, *scratch_block; /* what the arrays above are slices of */
    size_t state_floats;                /* in state_block */
    struct cloth_contacts *contacts;
    bool self_fresh; /* appeared, jumped or began to touch cloth: tangles are still to be reported */
    struct cloth_surface *surface;  /* NULL until another cloth or its own folds are near */
    struct triangle_set *triangles; /* NULL until wind or pressure needs them */
    struct aero *aero;              /* NULL until gusts blow */
    struct pressure *pressure;      /* NULL until it has some */
    struct weave *weave;            /* NULL until warp and weft differ */
    struct tethers *tethers;        /* NULL until there are to be any */
};

struct pbd_collider {
    pbd_collider_id id; /* 0 = the slot is free */
    uint32_t generation;
    uint32_t order;
    struct pbd_collider_def def; /* position and rotation: the pose now */
    struct pose from, to;        /* of the running move */
    uint32_t done, total;        /* ticks; done == total: at rest */
    float velocity[3], angular_velocity[3];
    struct collide_shape shape; /* def.shape, ready to compute with */
    struct rigid_body body;     /* dynamic ones */
    /* Kinematic ones with velocities of their own, until a move ends that: the pose when
     * they were added, and the simulated seconds since. */
    bool driven;
    struct pose origin;
    double age;
    bool fresh; /* appeared, jumped or changed shape: overlaps are still to be reported */
    /* dynamic ones, as in struct pbd_cloth (body.asleep); resting: the pose about which it is quiet */
    bool woke;
    uint32_t quiet_ticks;
    struct pose resting;
    /* scratch: this substep's motion, exactly; fractions of the running move, or of the
     * tick (driven) */
    struct exact_pose substep_start, substep_end;
    double fraction_start, fraction_end, substep_turn;
    /* scratch: how far it goes and turns within the tick, m and rad */
    double tick_shift, tick_turn;
    double tick_length; /* scratch: s, of the tick that runs */
};

struct pbd_world {
    struct pbd_world_settings settings;
    const struct kernels *kernels; /* of the best instruction set that this CPU has */
    uint32_t tick;
    double gust_shift[3]; /* m: how far the wind has carried its gusts */
    uint32_t next_order;
    struct pbd_cloth *cloths; /* slots; iterate through cloth_order */
    uint32_t cloth_slots;
    uint32_t *cloth_order; /* slot indices in the order of adding */
    uint32_t cloth_count;
    struct pbd_collider *colliders;
    uint32_t collider_slots;
    uint32_t *collider_order;
    uint32_t collider_count;
    struct grab *grabs; /* ascending by id, which is the order of adding */
    uint32_t grab_count, grab_capacity;
    pbd_grab_id last_grab;     /* the last id that was given; none is given twice */
    struct island_node *nodes; /* scratch of world/sleep.c: room for every cloth and collider */
    uint32_t *node_order;
    uint32_t node_capacity;
    struct pbd_event *events; /* of the last step; capacity grows on add, never in a step */
    uint32_t event_count, event_capacity;
    uint32_t contact_count;       /* of the last tick */
    uint32_t self_contact_count;  /* the same of cloth and cloth */
    struct self_contacts *self;   /* NULL until cloths may touch */
    bool has_bodies;              /* scratch: some collider is dynamic */
    struct rigid_contacts *rigid; /* scratch: contact/rigid_contact.h; NULL until there is a body */
};

/* Whether a cloth takes part in a step. */
static inline bool cloth_is_active(const struct pbd_cloth *cloth) {
    return !cloth->frozen && !cloth->asleep;
}

/* world/slots.c; NULL when the id is stale. */
struct pbd_cloth *world_cloth(const pbd_world *world, pbd_cloth_id id);
struct pbd_collider *world_collider(const pbd_world *world, pbd_collider_id id);
/* Takes a free slot (others keep their contents, but may move in memory), gives it an
 * id and the next place in order and zeroes the rest. NULL when out of memory, nothing
 * changed then. The caller fills it. */
struct pbd_cloth *world_new_cloth(pbd_world *world);
struct pbd_collider *world_new_collider(pbd_world *world);
/* Empties the slot; its id is stale from now on. What the slot owns is the caller's to free. */
void world_free_cloth(pbd_world *world, struct pbd_cloth *cloth);
void world_free_collider(pbd_world *world, struct pbd_collider *collider);
/* Of a tick; pairs of a cloth and a collider that overlap beyond these are not told: they
 * would be a message each, and their number is the product of two. */
#define OVERLAP_EVENTS_MAX 1024u

/* Room for the events of one step. PBD_OUT_OF_MEMORY. */
int world_reserve_events(pbd_world *world, uint32_t cloth_count, uint32_t collider_count);
/* Appends to world->events; drops the event when the list is full. */
void world_emit(pbd_world *world, const struct pbd_event *event);

/* contact/collider.c: gives back the collider's reference to its mesh. */
void collider_release(struct pbd_collider *collider);

/* world/cloth_memory.c: state and scratch arrays, zeroed, for cloth->fabric. PBD_OUT_OF_MEMORY. */
int cloth_memory_create(struct pbd_cloth *cloth);
void cloth_memory_destroy(struct pbd_cloth *cloth);

/* world/cloth.c: frees what a cloth owns (memory, pins, attachments, contacts, its fabric reference). */
void cloth_release(struct pbd_cloth *cloth);

/* world/pins.c. Adds vertices in range to the set; targets as pbd_cloth_pin. PBD_OUT_OF_MEMORY. */
int pins_add(struct pbd_cloth *cloth, const uint32_t *vertices, uint32_t count, const float *targets);
/* Whether a pin holds the particle. */
bool pins_hold(const struct pbd_cloth *cloth, uint32_t particle);
/* Whether any pin is on its way. */
bool pins_move(const struct pbd_cloth *cloth);
/* After a teleport: every pin rests where its particle is. */
void pins_follow(struct pbd_cloth *cloth);
/* Called by a tick. Substep `index` of `count`: pinned particles' u leads
 * to where they are at its end. */
void pins_predict(struct pbd_cloth *cloth, int index, int count);
/* After the commit of that substep: X is the target bit for bit, e = 0, v = (target − x)/h. */
void pins_commit(struct pbd_cloth *cloth, int index, int count, float h);
void pins_end_tick(struct pbd_cloth *cloth);

/* world/diagnose.c, at a tick's end: freezes a cloth that is not finite, clamps the
 * speed, reports all three kinds of events. */
void cloth_backup(struct pbd_cloth *cloth);
void cloth_diagnose(pbd_world *world, struct pbd_cloth *cloth);

/* 64-byte aligned zeroed array of count floats (padded); NULL when out of memory. free() frees it. */
float *aligned_floats(size_t count);

#endif
