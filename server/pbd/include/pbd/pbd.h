/* The solver library: a world of cloths and colliders that advances by ticks.
 *
 * Knows nothing of JSON, files, sockets or clocks. Every call on one world comes
 * from one thread at a time; worlds share nothing but immutable fabrics. The same
 * calls in the same order give the same bits on every machine (physics.md §9).
 * Functions that can fail return enum pbd_result and change nothing on failure. */
#ifndef PBD_H
#define PBD_H

#include <pbd/mesh.h>
#include <pbd/types.h>

/* ---- worlds ---- */

/* NULL when out of memory. */
pbd_world *pbd_world_create(const struct pbd_world_settings *settings);
void pbd_world_destroy(pbd_world *world);

/* Advances by one tick of settings.solver.dt. Allocates nothing. The table of
 * contents of a tick is world/step.c. */
void pbd_world_step(pbd_world *world);

/* Ticks since creation, or since the restored snapshot's own count. */
uint32_t pbd_world_tick(const pbd_world *world);
void pbd_world_set_tick(pbd_world *world, uint32_t tick);

struct pbd_world_settings pbd_world_get_settings(const pbd_world *world);
/* Takes effect in the next tick; the caller has checked the ranges. */
void pbd_world_set_settings(pbd_world *world, const struct pbd_world_settings *settings);

/* What the last step reported; valid until the next step or change. */
uint32_t pbd_world_events(const pbd_world *world, const struct pbd_event **events);

/* XXH3-64 of the state as physics.md §9 orders it. */
uint64_t pbd_world_state_hash(const pbd_world *world);

/* The whole state, ids and settings included; restore is bit-exact, also into another world,
 * which becomes a copy. NULL / PBD_OUT_OF_MEMORY. */
pbd_snapshot *pbd_world_snapshot(const pbd_world *world);
int pbd_world_restore(pbd_world *world, const pbd_snapshot *snapshot);
/* One more owner; destroy frees it with the last. One thread at a time. */
pbd_snapshot *pbd_snapshot_ref(pbd_snapshot *snapshot);
void pbd_snapshot_destroy(pbd_snapshot *snapshot);
/* Bytes of memory, without the fabrics and meshes that it shares with worlds. */
size_t pbd_snapshot_size(const pbd_snapshot *snapshot);

struct pbd_world_stats {
    uint32_t constraints;   /* stretch, bend, pressure, tethers: those that are switched on */
    uint32_t contacts;      /* vertices that touched a collider in the last tick, awake ones */
    uint32_t self_contacts; /* most pairs of cloth features (own or other cloth) that touched in one of its
                               substeps */
    uint64_t self_dropped;  /* lists of such pairs left out so far, for want of memory or of time in a tick */
    float max_strain;       /* (length − rest)/rest over all edges, largest */
    float mean_strain;
    double kinetic_energy;   /* J, free particles */
    double potential_energy; /* J, −Σ m g·x over free particles */
};
struct pbd_world_stats pbd_world_get_stats(const pbd_world *world);

/* ---- cloths ---- */

int pbd_cloth_add(pbd_world *world, const struct pbd_cloth_def *def, pbd_cloth_id *id);
int pbd_cloth_remove(pbd_world *world, pbd_cloth_id id);

/* NULL when stale. The world's own reference. */
const pbd_fabric *pbd_cloth_fabric(const pbd_world *world, pbd_cloth_id id);
int pbd_cloth_get_settings(const pbd_world *world, pbd_cloth_id id, struct pbd_cloth_settings *settings);
/* PBD_PRESSURE_REFUSED (see pbd_fabric_pressure), PBD_NO_ROWS; as pbd_cloth_add. */
int pbd_cloth_set_settings(pbd_world *world, pbd_cloth_id id, const struct pbd_cloth_settings *settings);

/* Pinning is a set: pinning twice is pinning once. Vertices that share a particle
 * are pinned together. targets: 3 per vertex, reached during the next tick, or NULL:
 * where it is. Unpin restores the inverse mass bit for bit and keeps the velocity. */
int pbd_cloth_pin(pbd_world *world, pbd_cloth_id id, const uint32_t *vertices, uint32_t count,
                  const float *targets);
int pbd_cloth_unpin(pbd_world *world, pbd_cloth_id id, const uint32_t *vertices, uint32_t count);
/* Pinned vertices to targets (3 per vertex) in over ticks (0 and 1: at the end of
 * the next tick, bit for bit). PBD_NOT_PINNED when any is not pinned. */
int pbd_cloth_move(pbd_world *world, pbd_cloth_id id, const uint32_t *vertices, uint32_t count,
                   const float *targets, uint32_t over);
/* 1 pinned, 0 not, negative error. target (3 floats, may be NULL): where its pin leads. */
int pbd_cloth_is_pinned(const pbd_world *world, pbd_cloth_id id, uint32_t vertex, float *target);
/* Pinned vertices in ascending order; returns the count, writes at most capacity. */
uint32_t pbd_cloth_pins(const pbd_world *world, pbd_cloth_id id, uint32_t *vertices, uint32_t capacity);
/* Bumped by every pin/unpin, restore included. */
uint32_t pbd_cloth_pins_version(const pbd_world *world, pbd_cloth_id id);

/* Teleports. positions, velocities: 3 per vertex of the whole cloth, or NULL: kept.
 * Of welded vertices the lowest counts. Pins move with their vertices. */
int pbd_cloth_set_state(pbd_world *world, pbd_cloth_id id, const float *positions, const float *velocities);

/* Arrays per particle, valid until the next call that changes the world. */
struct pbd_cloth_view {
    const float *x, *y, *z;    /* positions X, m: what leaves the solver */
    const float *vx, *vy, *vz; /* m/s */
    uint32_t particle_count;
    uint32_t vertex_count;
    const uint32_t *vertex_particle;
    bool frozen; /* diverged and stopped */
    bool asleep; /* at rest until something wakes it (physics.md §8) */
};
int pbd_cloth_get_view(const pbd_world *world, pbd_cloth_id id, struct pbd_cloth_view *view);

/* Per unique edge in the fabric view's order: length (m) and force (N, + = tension,
 * −λ/h², mean over the last tick's substeps; NaN unless method is xpbd). Arrays of
 * edge_count or NULL. */
int pbd_cloth_edges(const pbd_world *world, pbd_cloth_id id, float *length, float *force);

/* N·s to each of the vertices (welded vertices add up); pinned ones and ones attached to a
 * static or kinematic collider take none. */
int pbd_cloth_impulse(pbd_world *world, pbd_cloth_id id, const uint32_t *vertices, uint32_t count,
                      const float impulse[3]);
/* m: what contact between cloths keeps: thickness, or just below the shortest rest edge
 * where that is smaller (physics.md §5); 0 when stale. shortest may be NULL. */
float pbd_cloth_self_thickness(const pbd_world *world, pbd_cloth_id id, float *shortest_edge);

/* ---- attachments and grabs ---- */

/* Vertices keep their present place in the collider's frame: exactly when it is static or
 * kinematic (w = 0, as a pin), both ways when it is dynamic. Attaching twice moves the
 * vertex to the latter collider. A pin wins over an attachment, which holds the vertex
 * where it is when the pin goes. Attached vertices have no contact with their collider. Ends
 * when the collider is removed; a teleport of it takes them along. */
int pbd_cloth_attach(pbd_world *world, pbd_cloth_id id, const uint32_t *vertices, uint32_t count,
                     pbd_collider_id collider);
/* PBD_NOT_ATTACHED when any is not attached; nothing changed then. */
int pbd_cloth_detach(pbd_world *world, pbd_cloth_id id, const uint32_t *vertices, uint32_t count);
/* Attached vertices ascending, and their colliders; returns the count, writes at most capacity. */
uint32_t pbd_cloth_attachments(const pbd_world *world, pbd_cloth_id id, uint32_t *vertices,
                               pbd_collider_id *colliders, uint32_t capacity);
/* Bumped by every attach/detach, restore included. */
uint32_t pbd_cloth_attachments_version(const pbd_world *world, pbd_cloth_id id);

/* Draws a vertex to position by a point constraint of compliance (m/N), in the methods pbd
 * and xpbd: at rest the vertex is force × compliance away. Any number may hold one vertex.
 * Not a pin: pinned vertices do not follow. Ends with release and with the cloth; a snapshot
 * holds the grabs of its time, and restoring it ends all others. */
int pbd_grab_add(pbd_world *world, pbd_cloth_id id, uint32_t vertex, const float position[3],
                 float compliance, pbd_grab_id *grab);
/* From where it is linearly to position: in one tick, or within the time since the last move
 * where that is at most 0.2 s, so that a hand sampled ten times a second does not jerk. */
int pbd_grab_move(pbd_world *world, pbd_grab_id grab, const float position[3]);
int pbd_grab_release(pbd_world *world, pbd_grab_id grab);
struct pbd_grab_state {
    pbd_cloth_id cloth;
    uint32_t vertex;
    float position[3]; /* where it is drawn to, m */
    float compliance;  /* m/N */
};
int pbd_grab_get(const pbd_world *world, pbd_grab_id grab, struct pbd_grab_state *state);

/* ---- colliders ---- */

int pbd_collider_add(pbd_world *world, const struct pbd_collider_def *def, pbd_collider_id *id);
int pbd_collider_remove(pbd_world *world, pbd_collider_id id);
int pbd_collider_get(const pbd_world *world, pbd_collider_id id, struct pbd_collider_state *state);
/* Shape, friction, restitution, mass; the pose, motion and velocities of def are ignored. */
int pbd_collider_set(pbd_world *world, pbd_collider_id id, const struct pbd_collider_def *def);
/* position (3) or rotation (4) may be NULL: kept. over as in pbd_cloth_move;
 * teleport: at once, without sweeping. PBD_STATIC for a static one. A dynamic one jumps
 * to the pose (teleport or not), at rest. */
int pbd_collider_move(pbd_world *world, pbd_collider_id id, const float *position, const float *rotation,
                      uint32_t over, bool teleport);

#endif
