/* GAMES103's sphere: if |x−c| ≤ r, x_new = c + r·(x−c)/|x−c|, v += (x_new − x)/dt. */
#include "check.h"

#include "support_free_particles.h"

#define R 2.7f
#define DT 0.0333f

/* The scene's own state is x; p is what the passes made of it. */
static void place(struct free_particles *scene, float ux, float uy, float uz) {
    scene->cloth->scratch.ux[0] = ux;
    scene->cloth->scratch.uy[0] = uy;
    scene->cloth->scratch.uz[0] = uz;
    scene->cloth->state.vx[0] = 1.0f;
    scene->cloth->state.vy[0] = -2.0f;
    scene->cloth->state.vz[0] = 0.5f;
    collider_begin_tick(&scene->world);
    collider_begin_substep(&scene->world, 0, 1);
}

static void create(struct free_particles *scene) {
    free_particles_create(scene, 1, (float[]){1.0f, 2.0f, 3.0f});
    scene->cloth->settings.thickness = 0.1f;
    scene->cloth->settings.friction = 1.0f;
    struct pbd_collider_def def = pbd_default_collider_def();
    def.shape.radius = R;
    def.position[1] = 0.5f;
    pbd_collider_id id;
    CHECK_INT(pbd_collider_add(&scene->world, &def, &id), PBD_OK);
}

static void inside_goes_to_the_surface_and_the_velocity_takes_it_all(void) {
    struct free_particles scene;
    create(&scene);
    place(&scene, -0.2f, -0.3f, -1.5f);
    contact_jacobi(&scene.world, scene.cloth, DT);
    double d[3] = {1.0 - 0.2, 2.0 - 0.3 - 0.5, 3.0 - 1.5}, c[3] = {0.0, 0.5, 0.0};
    double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    const float u[3] = {scene.cloth->scratch.ux[0], scene.cloth->scratch.uy[0], scene.cloth->scratch.uz[0]};
    const float v[3] = {scene.cloth->state.vx[0], scene.cloth->state.vy[0], scene.cloth->state.vz[0]};
    const double x[3] = {1.0, 2.0, 3.0}, v0[3] = {1.0, -2.0, 0.5};
    for (int k = 0; k < 3; ++k) {
        double target = c[k] + (double)R * d[k] / length;
        CHECK_NEAR(x[k] + (double)u[k], target, 3e-7);
        CHECK_NEAR(v[k], v0[k] + (target - c[k] - d[k]) / (double)DT, 2e-5);
    }
    free_particles_destroy(&scene);
}

static void thickness_and_what_is_outside_are_ignored(void) {
    struct free_particles scene;
    create(&scene);
    /* 0.05 m above the sphere: within the thickness. */
    place(&scene, -1.0f, 1.25f, -3.0f);
    contact_jacobi(&scene.world, scene.cloth, DT);
    CHECK(scene.cloth->scratch.uy[0] == 1.25f);
    CHECK(scene.cloth->state.vy[0] == -2.0f);
    free_particles_destroy(&scene);
}

static void fixed_vertices_are_skipped(void) {
    struct free_particles scene;
    create(&scene);
    scene.cloth->state.w[0] = 0.0f;
    place(&scene, -0.2f, -0.3f, -1.5f);
    contact_jacobi(&scene.world, scene.cloth, DT);
    CHECK(scene.cloth->scratch.ux[0] == -0.2f);
    free_particles_destroy(&scene);
}

RUN_TESTS(TEST(inside_goes_to_the_surface_and_the_velocity_takes_it_all),
          TEST(thickness_and_what_is_outside_are_ignored), TEST(fixed_vertices_are_skipped))
