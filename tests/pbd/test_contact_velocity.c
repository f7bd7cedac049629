/* What contacts leave of velocities, and their count. */
#include "check.h"

#include "support_free_particles.h"

/* The height of the first bounce from 1 m, g = 9.81, e = 0.5: e²·1 m. A contact costs at
 * most one substep of h·v = 4.43/600 m and of h·g in speed. */
static double bounce_height(float cloth_e, float collider_e) {
    struct free_particles scene;
    free_particles_create(&scene, 1, (float[]){0.0f, 1.0f, 0.0f});
    struct pbd_collider_def def = pbd_default_collider_def();
    def.shape = floor_shape();
    def.restitution = collider_e;
    scene.cloth->settings.restitution = cloth_e;
    pbd_collider_id id;
    CHECK_INT(pbd_collider_add(&scene.world, &def, &id), PBD_OK);
    double highest = 0.0;
    bool landed = false;
    for (int k = 0; k < 60; ++k) {
        double speed = (double)scene.cloth->state.vy[0];
        free_particles_tick(&scene);
        landed = landed || (speed < 0.0 && scene.cloth->state.vy[0] >= 0.0f);
        if (landed && free_particles_at(&scene, 0).y > highest) highest = free_particles_at(&scene, 0).y;
    }
    free_particles_destroy(&scene);
    return highest;
}

static void bounces_as_high_as_the_larger_restitution_says(void) {
    CHECK_NEAR(bounce_height(0.0f, 0.0f), 0.0, 1e-6);
    CHECK_NEAR(bounce_height(0.5f, 0.0f), 0.25, 0.01);
    CHECK_NEAR(bounce_height(0.2f, 0.8f), 0.64, 0.02);
}

static void slow_contacts_do_not_bounce(void) {
    struct free_particles scene;
    free_particles_create(&scene, 1, (float[]){0.0f, 0.0f, 0.0f});
    scene.cloth->settings.restitution = 1.0f;
    /* Odd: a bounce by g·h would go up in one substep and come to rest in the next. */
    scene.world.settings.solver.substeps = 3;
    free_particles_add(&scene, floor_shape(), 0.0f, 0.0f, 0.0f);
    for (int k = 0; k < 60; ++k) {
        free_particles_tick(&scene);
        CHECK(free_particles_at(&scene, 0).y < 1e-9);
        CHECK_NEAR(scene.cloth->state.vy[0], 0.0, 1e-6);
    }
    free_particles_destroy(&scene);
}

static void bounce_is_relative_to_a_moving_surface(void) {
    /* A floor that rises at 2 m/s against what rests: away at 2 + 0.5·2 m/s. */
    struct free_particles scene;
    free_particles_create(&scene, 1, (float[]){0.0f, 0.1f, 0.0f});
    no_gravity(&scene);
    scene.cloth->settings.restitution = 0.5f;
    pbd_collider_id floor = free_particles_add(&scene, floor_shape(), 0.0f, 0.0f, 0.0f);
    CHECK_INT(pbd_collider_move(&scene.world, floor, (float[]){0.0f, 2.0f, 0.0f}, NULL, 60, false), PBD_OK);
    for (int k = 0; k < 10; ++k)
        free_particles_tick(&scene);
    CHECK_NEAR(scene.cloth->state.vy[0], 3.0, 1e-3); /* ulp(0.1)·600 in u */
    free_particles_destroy(&scene);
}

static void touching_vertices_are_counted(void) {
    struct free_particles scene;
    free_particles_create(&scene, 3, (float[]){0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f, 2.0f, 3.0f, 0.0f});
    free_particles_add(&scene, floor_shape(), 0.0f, 0.0f, 0.0f);
    free_particles_tick(&scene);
    CHECK_INT(scene.world.contact_count, 2);
    free_particles_destroy(&scene);
}

RUN_TESTS(TEST(bounces_as_high_as_the_larger_restitution_says), TEST(slow_contacts_do_not_bounce),
          TEST(bounce_is_relative_to_a_moving_surface), TEST(touching_vertices_are_counted))
