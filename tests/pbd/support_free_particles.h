/* A cloth without constraints in a world of its own: particles that only fall and touch,
 * stepped by a plain loop in the order of physics.md §3. Contacts are thereby tested
 * without the solver. */
#ifndef TESTS_SUPPORT_FREE_PARTICLES_H
#define TESTS_SUPPORT_FREE_PARTICLES_H

#include "contact/contact.h"

struct free_particles {
    struct pbd_world world;
    struct pbd_cloth *cloth;
};

/* positions: 3 per particle. Settings are the defaults, thickness and friction 0. */
void free_particles_create(struct free_particles *scene, uint32_t count, const float *positions);
void free_particles_destroy(struct free_particles *scene);
/* One tick of world.settings. */
void free_particles_tick(struct free_particles *scene);
/* The exact position X + e of a particle. */
struct vec3 free_particles_at(const struct free_particles *scene, uint32_t particle);

/* A kinematic collider without friction. */
pbd_collider_id free_particles_add(struct free_particles *scene, struct pbd_shape shape, float x, float y,
                                   float z);
/* The half-space below y = 0 of its own frame. */
struct pbd_shape floor_shape(void);
void set_velocity(struct free_particles *scene, uint32_t i, float x, float y, float z);
void no_gravity(struct free_particles *scene);

#endif
