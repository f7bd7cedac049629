#include "support_free_particles.h"

#include <assert.h>
#include <stdlib.h>

void free_particles_create(struct free_particles *scene, uint32_t count, const float *positions) {
    *scene = (struct free_particles){
        .world = {
            .settings = {
                .gravity = {0.0f, -9.81f, 0.0f},
                .max_depenetration = 2.0f,
                .max_speed = 500.0f,
                .solver = {.method = PBD_METHOD_XPBD, .substeps = 10, .iterations = 1, .dt = 1.0f / 60.0f}}}};
    pbd_fabric *fabric = calloc(1, sizeof *fabric);
    assert(fabric != NULL);
    fabric->particle_count = count;
    fabric->padded_count = (count + FABRIC_PAD - 1) / FABRIC_PAD * FABRIC_PAD;
    struct pbd_cloth *cloth = world_new_cloth(&scene->world);
    assert(cloth != NULL);
    cloth->fabric = fabric;
    int result = cloth_memory_create(cloth);
    assert(result == PBD_OK);
    result = contact_create(cloth);
    assert(result == PBD_OK);
    for (uint32_t i = 0; i < count; ++i) {
        cloth->state.x[i] = positions[3 * i];
        cloth->state.y[i] = positions[3 * i + 1];
        cloth->state.z[i] = positions[3 * i + 2];
        cloth->state.w[i] = 1.0f;
    }
    scene->cloth = cloth;
}

void free_particles_destroy(struct free_particles *scene) {
    for (uint32_t i = 0; i < scene->world.collider_count; ++i)
        collider_release(&scene->world.colliders[scene->world.collider_order[i]]);
    contact_destroy(scene->cloth);
    cloth_memory_destroy(scene->cloth);
    free(scene->cloth->fabric);
    free(scene->world.cloths);
    free(scene->world.cloth_order);
    free(scene->world.colliders);
    free(scene->world.collider_order);
    free(scene->world.events);
    free(scene->world.nodes);
    free(scene->world.node_order);
}

/* X' = fl(X + u), e the exact rest. */
static void commit(float *x, float *e, float *v, float u, float h) {
    *v = (u - *e) / h;
    float sum = *x + u, part = sum - *x;
    *e = (*x - (sum - part)) + (u - part);
    *x = sum;
}

static void substep(struct free_particles *scene, int index, int count, float h) {
    struct pbd_world *world = &scene->world;
    struct pbd_cloth *cloth = scene->cloth;
    struct cloth_state *s = &cloth->state;
    struct cloth_scratch *t = &cloth->scratch;
    const float *g = world->settings.gravity;
    collider_begin_substep(world, index, count);
    for (uint32_t i = 0; i < cloth->fabric->particle_count; ++i) {
        if (!(s->w[i] > 0.0f)) continue;
        s->vx[i] += h * g[0];
        s->vy[i] += h * g[1];
        s->vz[i] += h * g[2];
        t->ux[i] = s->ex[i] + h * s->vx[i];
        t->uy[i] = s->ey[i] + h * s->vy[i];
        t->uz[i] = s->ez[i] + h * s->vz[i];
    }
    contact_begin_substep(world, cloth, h);
    for (int k = 0; k < world->settings.solver.iterations; ++k)
        contact_project(world, cloth, h);
    for (uint32_t i = 0; i < cloth->fabric->particle_count; ++i) {
        if (!(s->w[i] > 0.0f)) continue;
        commit(&s->x[i], &s->ex[i], &s->vx[i], t->ux[i], h);
        commit(&s->y[i], &s->ey[i], &s->vy[i], t->uy[i], h);
        commit(&s->z[i], &s->ez[i], &s->vz[i], t->uz[i], h);
    }
    contact_velocities(world, cloth, h);
}

void free_particles_tick(struct free_particles *scene) {
    struct pbd_world *world = &scene->world;
    int substeps = world->settings.solver.substeps;
    float h = world->settings.solver.dt / (float)substeps;
    world->event_count = world->contact_count = 0;
    collider_begin_tick(world);
    contact_begin_tick(world, scene->cloth);
    for (int k = 0; k < substeps; ++k)
        substep(scene, k, substeps, h);
    contact_end_tick(world, scene->cloth);
    collider_end_tick(world);
    ++world->tick;
}

struct vec3 free_particles_at(const struct free_particles *scene, uint32_t particle) {
    const struct cloth_state *s = &scene->cloth->state;
    return vec3_make((double)s->x[particle] + (double)s->ex[particle],
                     (double)s->y[particle] + (double)s->ey[particle],
                     (double)s->z[particle] + (double)s->ez[particle]);
}

pbd_collider_id free_particles_add(struct free_particles *scene, struct pbd_shape shape, float x, float y,
                                   float z) {
    struct pbd_collider_def def = pbd_default_collider_def();
    def.shape = shape;
    def.friction = 0.0f;
    def.position[0] = x;
    def.position[1] = y;
    def.position[2] = z;
    pbd_collider_id id = 0;
    int result = pbd_collider_add(&scene->world, &def, &id);
    assert(result == PBD_OK);
    return id;
}

struct pbd_shape floor_shape(void) {
    return (struct pbd_shape){.type = PBD_PLANE, .normal = {0.0f, 1.0f, 0.0f}};
}

void set_velocity(struct free_particles *scene, uint32_t i, float x, float y, float z) {
    scene->cloth->state.vx[i] = x;
    scene->cloth->state.vy[i] = y;
    scene->cloth->state.vz[i] = z;
}

void no_gravity(struct free_particles *scene) {
    for (int k = 0; k < 3; ++k)
        scene->world.settings.gravity[k] = 0.0f;
}
