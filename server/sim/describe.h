/* Worlds and their objects as JSON members, for replies, `mesh` and `stats`. */
#ifndef SIM_DESCRIBE_H
#define SIM_DESCRIBE_H

#include <sim/simulation.h>
#include <wire/json_write.h>

/* ---- describe.c: whole worlds ---- */

/* [{world, tick, running, cloths, clients}]: the members of world.list. */
void describe_worlds(struct json *json, const struct sim *sim);
/* The members of world.describe without tick. */
void describe_world(struct json *json, const struct world *world);

struct stats_report {
    struct pbd_world_stats stats;
    struct step_summary step;
    uint64_t late_ticks;
    double tick_rate; /* measured, 1/s */
    bool running;
};
struct stats_report describe_take_stats(const struct world *world, uint64_t now_us);
/* The members of world.stats without tick. */
void describe_stats(struct json *json, const struct stats_report *report);

/* ---- describe_settings.c ---- */

/* key and value, with as few digits as bring it back; a vector is an array. */
void describe_number(struct json *json, const char *key, float value);
void describe_vector(struct json *json, const char *key, const float *values, size_t count);

/* members NULL: all settings; else only those that it has, as `previous` does. */
void describe_world_settings(struct json *json, const struct pbd_world_settings *settings, double time_scale,
                             const struct wire_world_settings *members);
void describe_solver(struct json *json, const struct pbd_solver_settings *solver,
                     const struct wire_solver *members);
void describe_material(struct json *json, const struct pbd_cloth_settings *settings,
                       const struct wire_cloth_settings *members);
/* The members alone, into an object that is begun. */
void describe_material_members(struct json *json, const struct pbd_cloth_settings *settings,
                               const struct wire_cloth_settings *members);
/* Friction, restitution and, of a dynamic one, mass. */
void describe_surface(struct json *json, const struct pbd_collider_def *def,
                      const struct wire_collider_settings *members);
/* Names of the settings that the solver method does not use, as an array. */
void describe_inactive(struct json *json, enum pbd_method method);

/* ---- describe_object.c ---- */

/* Objects (values, not members). */
/* The cloth's import report, with a warning where its thickness is above what its edges allow. */
void describe_report(struct json *json, const struct content *content, const struct object *cloth);
/* A mesh is told by its counts. */
void describe_shape(struct json *json, const struct pbd_shape *shape);
/* As collider.add takes it: a mesh with its arrays, or null where that is longer than max_bytes. */
void describe_shape_whole(struct json *json, const struct pbd_shape *shape, size_t max_bytes);
/* Pinned vertices in ascending order, as an array. */
void describe_pins(struct json *json, const struct content *content, const struct object *cloth);
/* The members of an entry of world.describe's cloths and colliders. */
void describe_cloth(struct json *json, const struct content *content, const struct object *cloth);
void describe_collider(struct json *json, const struct content *content, const struct object *collider);
/* Members that collider.add takes, and no others: as it is now. */
void describe_collider_spec(struct json *json, const struct content *content, const struct object *collider,
                            size_t max_bytes);
/* The params of `mesh`. step_exp: of the receiver's stream, TIER_STEP_AUTO = the cloth's own. */
void describe_mesh(struct json *json, const struct world *world, const struct object *object, int step_exp);

#endif
