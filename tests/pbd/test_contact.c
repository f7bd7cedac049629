/* Which particles are looked at, and the order of colliders. */
#include "check.h"

#include "support_free_particles.h"

static void wedge_of_two_planes_holds(void) {
    struct free_particles scene;
    free_particles_create(&scene, 1, (float[]){0.01f, 1.0f, 0.0f});
    free_particles_add(&scene, (struct pbd_shape){.type = PBD_PLANE, .normal = {1.0f, 1.0f, 0.0f}}, 0.0f,
                       0.0f, 0.0f);
    free_particles_add(&scene, (struct pbd_shape){.type = PBD_PLANE, .normal = {-1.0f, 1.0f, 0.0f}}, 0.0f,
                       0.0f, 0.0f);
    for (int k = 0; k < 300; ++k)
        free_particles_tick(&scene);
    struct vec3 p = free_particles_at(&scene, 0);
    /* The last one is kept; the other one gives way by what a substep falls: g·h² = 3e-5. */
    CHECK(-p.x + p.y >= -1e-8);
    CHECK(p.x + p.y >= -1e-4);
    CHECK_NEAR(p.y, 0.0, 1e-3);
    CHECK(fabs((double)scene.cloth->state.vy[0]) < 0.05);
    CHECK_INT(scene.world.event_count, 0);
    free_particles_destroy(&scene);
}

static void pinned_particles_are_left_alone(void) {
    struct free_particles scene;
    free_particles_create(&scene, 1, (float[]){0.0f, -1.0f, 0.0f});
    scene.cloth->state.w[0] = 0.0f;
    free_particles_add(&scene, floor_shape(), 0.0f, 0.0f, 0.0f);
    free_particles_tick(&scene);
    CHECK(free_particles_at(&scene, 0).y == -1.0);
    CHECK_INT(scene.world.event_count, 0);
    CHECK_INT(scene.world.contact_count, 0);
    free_particles_destroy(&scene);
}

RUN_TESTS(TEST(wedge_of_two_planes_holds), TEST(pinned_particles_are_left_alone))
