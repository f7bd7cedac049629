/* Contacts of free particles, without constraints: sweep, support, friction, depenetration,
 * precision. Cloths on slopes and the like: tests/physics. */
#include "check.h"

#include "support_free_particles.h"

static void particle_falling_20_m_lands_on_the_floor_at_one_substep(void) {
    struct free_particles scene;
    free_particles_create(&scene, 1, (float[]){0.0f, 20.0f, 0.0f});
    scene.world.settings.solver.substeps = 1;
    scene.cloth->settings.thickness = 0.01f;
    free_particles_add(&scene, floor_shape(), 0.0f, 0.0f, 0.0f);
    for (int k = 0; k < 200; ++k) {
        free_particles_tick(&scene);
        CHECK(free_particles_at(&scene, 0).y >= 0.01 - 1e-6);
    }
    /* u is a float32 of up to 0.3 m: 2⁻²⁵·0.3 = 1e-8. */
    CHECK_NEAR(free_particles_at(&scene, 0).y, 0.01, 1e-8);
    CHECK_NEAR(scene.cloth->state.vy[0], 0.0, 1e-5);
    free_particles_destroy(&scene);
}

static void thin_box_is_not_jumped_over_from_either_side(void) {
    struct free_particles scene;
    free_particles_create(&scene, 2, (float[]){0.1f, 1.0f, 0.0f, 0.1f, -1.0f, 0.0f});
    scene.world.settings.solver.substeps = 1;
    no_gravity(&scene);
    free_particles_add(&scene, (struct pbd_shape){.type = PBD_BOX, .half_extents = {1.0f, 0.005f, 1.0f}},
                       0.0f, 0.0f, 0.0f);
    set_velocity(&scene, 0, 0.0f, -200.0f, 0.0f);
    set_velocity(&scene, 1, 0.0f, 200.0f, 0.0f);
    for (int k = 0; k < 5; ++k)
        free_particles_tick(&scene);
    CHECK_NEAR(free_particles_at(&scene, 0).y, 0.005, 1e-6);
    CHECK_NEAR(free_particles_at(&scene, 1).y, -0.005, 1e-6);
    free_particles_destroy(&scene);
}

static void particle_in_the_thickness_of_a_thin_box_is_not_pushed_through(void) {
    /* Inside of the 5 mm shell above a 1 cm box, shot down at 100 m/s. */
    struct free_particles scene;
    free_particles_create(&scene, 1, (float[]){0.0f, 0.007f, 0.0f});
    scene.world.settings.solver.substeps = 1;
    scene.cloth->settings.thickness = 0.005f;
    free_particles_add(&scene, (struct pbd_shape){.type = PBD_BOX, .half_extents = {1.0f, 0.005f, 1.0f}},
                       0.0f, 0.0f, 0.0f);
    set_velocity(&scene, 0, 0.0f, -100.0f, 0.0f);
    for (int k = 0; k < 5; ++k)
        free_particles_tick(&scene);
    CHECK_NEAR(free_particles_at(&scene, 0).y, 0.01, 1e-6);
    free_particles_destroy(&scene);
}

/* A sphere moving at 120 m/s passes 2 m per tick; particles in its way end up on it. */
static void fast_kinematic_sphere_sweeps_what_is_in_its_way(int substeps) {
    struct free_particles scene;
    free_particles_create(&scene, 2, (float[]){0.0f, 0.0f, 0.0f, 0.0f, 0.45f, 0.0f});
    scene.world.settings.solver.substeps = substeps;
    no_gravity(&scene);
    pbd_collider_id ball =
        free_particles_add(&scene, (struct pbd_shape){.type = PBD_SPHERE, .radius = 0.5f}, -3.0f, 0.0f, 0.0f);
    CHECK_INT(pbd_collider_move(&scene.world, ball, (float[]){3.0f, 0.0f, 0.0f}, NULL, 3, false), PBD_OK);
    free_particles_tick(&scene);
    free_particles_tick(&scene);
    struct vec3 hit = free_particles_at(&scene, 0), grazed = free_particles_at(&scene, 1);
    /* Met head-on it is carried along in front; met at the side it is outside. */
    CHECK(hit.x >= 1.5 - 1e-5);
    CHECK(vec3_length(vec3_sub(grazed, vec3_make(1.0, 0.0, 0.0))) >= 0.5 - 1e-5);
    CHECK(grazed.x > 0.1);
    /* From x = 0 to the front at 1.5 within that tick. */
    CHECK(scene.cloth->state.vx[0] >= 89.99f);
    free_particles_destroy(&scene);
}

static void sphere_at_120_m_s_does_not_tunnel(void) {
    fast_kinematic_sphere_sweeps_what_is_in_its_way(1);
    fast_kinematic_sphere_sweeps_what_is_in_its_way(10);
}

static void spinning_box_hits_what_its_arm_sweeps(void) {
    /* A 2 m long, 1 cm thick arm turns by 120° in one tick of one substep. */
    struct free_particles scene;
    free_particles_create(&scene, 1, (float[]){0.5f, 0.0f, -0.8f});
    scene.world.settings.solver.substeps = 1;
    no_gravity(&scene);
    pbd_collider_id arm = free_particles_add(
        &scene, (struct pbd_shape){.type = PBD_BOX, .half_extents = {1.0f, 0.1f, 0.005f}}, 0.0f, 0.0f, 0.0f);
    CHECK_INT(pbd_collider_move(&scene.world, arm, NULL, (float[]){0.0f, 0.8660254f, 0.0f, 0.5f}, 1, false),
              PBD_OK);
    free_particles_tick(&scene);
    /* The arm ends at 120°; the particle at 58° was met and is on its front, not behind. */
    struct vec3 p = free_particles_at(&scene, 0);
    CHECK(atan2(-p.z, p.x) > 2.0);
    free_particles_destroy(&scene);
}

static void spinning_box_misses_what_its_arm_does_not_reach(void) {
    /* Seen from the arm, the particle goes round on a circle of 1.5 m, 0.5 m outside of its
     * end; the chord of that way would cross the arm. */
    struct free_particles scene;
    free_particles_create(&scene, 1, (float[]){0.0f, 0.0f, -1.5f});
    scene.world.settings.solver.substeps = 1;
    no_gravity(&scene);
    pbd_collider_id arm = free_particles_add(
        &scene, (struct pbd_shape){.type = PBD_BOX, .half_extents = {1.0f, 0.1f, 0.005f}}, 0.0f, 0.0f, 0.0f);
    CHECK_INT(
        pbd_collider_move(&scene.world, arm, NULL, (float[]){0.0f, 0.9659258f, 0.0f, 0.2588190f}, 1, false),
        PBD_OK);
    free_particles_tick(&scene);
    struct vec3 p = free_particles_at(&scene, 0);
    CHECK(p.x == 0.0 && p.y == 0.0 && p.z == -1.5);
    free_particles_destroy(&scene);
}

static void teleporting_does_not_sweep(void) {
    struct free_particles scene;
    free_particles_create(&scene, 1, (float[]){0.0f, 0.0f, 0.0f});
    no_gravity(&scene);
    pbd_collider_id ball =
        free_particles_add(&scene, (struct pbd_shape){.type = PBD_SPHERE, .radius = 0.5f}, -3.0f, 0.0f, 0.0f);
    CHECK_INT(pbd_collider_move(&scene.world, ball, (float[]){3.0f, 0.0f, 0.0f}, NULL, 0, true), PBD_OK);
    free_particles_tick(&scene);
    struct vec3 p = free_particles_at(&scene, 0);
    CHECK(p.x == 0.0 && p.y == 0.0 && p.z == 0.0);
    free_particles_destroy(&scene);
}

static void overlap_at_the_start_leaves_at_max_depenetration_and_is_told_once(void) {
    struct free_particles scene;
    free_particles_create(&scene, 2, (float[]){0.0f, -0.1f, 0.0f, 1.0f, 5.0f, 0.0f});
    scene.cloth->settings.thickness = 0.02f;
    scene.world.settings.solver.substeps = 1;
    no_gravity(&scene);
    pbd_collider_id ground = free_particles_add(&scene, floor_shape(), 0.0f, 0.0f, 0.0f);
    free_particles_tick(&scene);
    CHECK_INT(scene.world.event_count, 1);
    const struct pbd_event *event = &scene.world.events[0];
    CHECK_INT(event->type, PBD_EVENT_INITIAL_OVERLAP);
    CHECK(event->cloth == scene.cloth->id && event->collider == ground);
    CHECK_INT(event->count, 1);
    CHECK_NEAR(event->depth, 0.12, 1e-7);
    /* 2 m/s · 1/60 s = 1/30 m a tick; 0.12 m take 3.6 ticks. */
    CHECK_NEAR(free_particles_at(&scene, 0).y, -0.1 + 1.0 / 30.0, 1e-7);
    CHECK_NEAR(scene.cloth->state.vy[0], 0.0, 1e-6);
    free_particles_tick(&scene);
    CHECK_INT(scene.world.event_count, 0);
    CHECK_NEAR(free_particles_at(&scene, 0).y, -0.1 + 2.0 / 30.0, 1e-7);
    free_particles_tick(&scene);
    free_particles_tick(&scene);
    CHECK_NEAR(free_particles_at(&scene, 0).y, 0.02, 1e-7);
    /* Nothing of the push is left as speed. */
    CHECK_NEAR(scene.cloth->state.vy[0], 0.0, 1e-5);
    free_particles_tick(&scene);
    CHECK_NEAR(free_particles_at(&scene, 0).y, 0.02, 1e-7);
    free_particles_destroy(&scene);
}

static void deepest_inside_a_sphere_gets_out_too(void) {
    struct free_particles scene;
    free_particles_create(&scene, 1, (float[]){0.0f, 0.0f, 0.0f});
    no_gravity(&scene);
    free_particles_add(&scene, (struct pbd_shape){.type = PBD_SPHERE, .radius = 0.5f}, 0.0f, 0.0f, 0.0f);
    /* 0.5 m at 2 m/s are 15 ticks. */
    for (int k = 0; k < 14; ++k)
        free_particles_tick(&scene);
    CHECK(vec3_length(free_particles_at(&scene, 0)) < 0.5);
    for (int k = 0; k < 3; ++k)
        free_particles_tick(&scene);
    CHECK_NEAR(vec3_length(free_particles_at(&scene, 0)), 0.5, 1e-6);
    free_particles_destroy(&scene);
}

/* What a slope of 20° does to a particle in a second: way and speed along it. */
static void slide(float mu, int substeps, int iterations, float from_origin, double *way, double *speed) {
    double angle = acos(-1.0) / 9.0;
    float s = (float)sin(angle), c = (float)cos(angle);
    struct free_particles scene;
    float start[3] = {from_origin * c, -from_origin * s, from_origin};
    free_particles_create(&scene, 1, start);
    scene.world.settings.solver.substeps = substeps;
    scene.world.settings.solver.iterations = iterations;
    scene.cloth->settings.friction = mu;
    struct pbd_collider_def def = pbd_default_collider_def();
    def.shape = (struct pbd_shape){.type = PBD_PLANE, .normal = {s, c, 0.0f}};
    def.friction = mu;
    pbd_collider_id id;
    CHECK_INT(pbd_collider_add(&scene.world, &def, &id), PBD_OK);
    for (int k = 0; k < 60; ++k)
        free_particles_tick(&scene);
    struct vec3 p = free_particles_at(&scene, 0);
    *way = (p.x - (double)start[0]) * (double)c - (p.y - (double)start[1]) * (double)s;
    *speed = (double)scene.cloth->state.vx[0] * (double)c - (double)scene.cloth->state.vy[0] * (double)s;
    free_particles_destroy(&scene);
}

/* physics.md §10.10, on one particle, where Coulomb's law is exact: g = 9.81,
 * 1.512 = g(sin − 0.2·cos), 3.355 = g·sin. Tolerance: float32 speeds and, for the
 * way, the first order of h. */
static void slope_friction_is_coulombs_anywhere(void) {
    const int substeps[] = {1, 10, 64};
    for (int k = 0; k < 3; ++k)
        for (int iterations = 1; iterations <= 10; iterations += 9)
            for (int far = 0; far < 2; ++far) {
                double way, speed;
                float from_origin = far ? 10.0f : 0.0f;
                slide(0.5f, substeps[k], iterations, from_origin, &way, &speed);
                CHECK_NEAR(way, 0.0, 2e-6);
                CHECK_NEAR(speed, 0.0, 1e-6);
                slide(0.2f, substeps[k], iterations, from_origin, &way, &speed);
                CHECK_NEAR(speed, 1.512, 2e-3);
                slide(0.0f, substeps[k], iterations, from_origin, &way, &speed);
                CHECK_NEAR(speed, 3.355, 2e-3);
            }
}

static void static_friction_holds_what_kinetic_would_not(void) {
    struct free_particles scene;
    free_particles_create(&scene, 2, (float[]){0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f});
    scene.cloth->settings.friction = 0.1f;
    scene.cloth->settings.static_friction = 0.5f;
    scene.world.settings.gravity[0] = 3.0f; /* between 0.1·9.81 and 0.5·9.81 */
    struct pbd_collider_def def = pbd_default_collider_def();
    def.shape = floor_shape();
    def.friction = 0.1f;
    def.static_friction = 0.5f;
    pbd_collider_id id;
    CHECK_INT(pbd_collider_add(&scene.world, &def, &id), PBD_OK);
    set_velocity(&scene, 1, 1.0f, 0.0f, 0.0f);
    for (int k = 0; k < 60; ++k)
        free_particles_tick(&scene);
    CHECK_NEAR(free_particles_at(&scene, 0).x, 0.0, 1e-7);
    /* The one already sliding goes on: 1 + (3 − 0.981)·1 s. */
    CHECK_NEAR(scene.cloth->state.vx[1], 1.0 + 3.0 - 0.981, 0.01);
    free_particles_destroy(&scene);
}

static void platform_carries_what_lies_on_it(void) {
    struct free_particles scene;
    free_particles_create(&scene, 1, (float[]){0.3f, 0.1f, 0.0f});
    scene.cloth->settings.friction = 1.0f;
    struct pbd_collider_def def = pbd_default_collider_def();
    def.shape = (struct pbd_shape){.type = PBD_BOX, .half_extents = {1.0f, 0.1f, 1.0f}};
    def.friction = 1.0f;
    pbd_collider_id id;
    CHECK_INT(pbd_collider_add(&scene.world, &def, &id), PBD_OK);
    free_particles_tick(&scene);
    /* Up and sideways at 1 m/s each: the start would need 1 m/s within a substep, which
     * friction gives, since the platform pushes up as hard. */
    CHECK_INT(pbd_collider_move(&scene.world, id, (float[]){1.0f, 1.0f, 0.0f}, NULL, 60, false), PBD_OK);
    for (int k = 0; k < 30; ++k)
        free_particles_tick(&scene);
    CHECK_NEAR(scene.cloth->state.vx[0], 1.0, 1e-4);
    CHECK_NEAR(scene.cloth->state.vy[0], 1.0, 1e-4);
    CHECK_NEAR(free_particles_at(&scene, 0).x, 0.8, 1e-5);
    CHECK_NEAR(free_particles_at(&scene, 0).y, 0.6, 1e-5);
    free_particles_destroy(&scene);
}

static void turntable_carries_what_lies_on_it(void) {
    struct free_particles scene;
    free_particles_create(&scene, 1, (float[]){0.5f, 0.1f, 0.0f});
    scene.cloth->settings.friction = 1.0f;
    struct pbd_collider_def def = pbd_default_collider_def();
    def.shape = (struct pbd_shape){.type = PBD_BOX, .half_extents = {1.0f, 0.1f, 1.0f}};
    def.friction = 1.0f;
    pbd_collider_id id;
    CHECK_INT(pbd_collider_add(&scene.world, &def, &id), PBD_OK);
    /* 90° in a second: v²/r = 1.23 m/s² is below μg. It starts from rest, so the first
     * substeps slip: 0.785 m/s at μg take 0.08 s and 0.03 m. */
    CHECK_INT(
        pbd_collider_move(&scene.world, id, NULL, (float[]){0.0f, 0.70710678f, 0.0f, 0.70710678f}, 60, false),
        PBD_OK);
    for (int k = 0; k < 60; ++k)
        free_particles_tick(&scene);
    struct vec3 p = free_particles_at(&scene, 0);
    CHECK_NEAR(sqrt(p.x * p.x + p.z * p.z), 0.5, 0.01);
    CHECK_NEAR(atan2(-p.z, p.x), acos(-1.0) / 2.0, 0.1);
    free_particles_destroy(&scene);
}

static void resting_is_still_far_from_the_origin(void) {
    /* At y = 100 m and 64 substeps a substep's fall is 6.7e-7 m, a tenth of an ulp. */
    struct free_particles scene;
    free_particles_create(&scene, 1, (float[]){10.0f, 100.0f, -10.0f});
    scene.world.settings.solver.substeps = 64;
    struct pbd_shape shape = floor_shape();
    shape.offset = 99.9f;
    free_particles_add(&scene, shape, 0.0f, 0.0f, 0.0f);
    for (int k = 0; k < 120; ++k)
        free_particles_tick(&scene);
    CHECK_NEAR(free_particles_at(&scene, 0).y, (double)99.9f, 1e-9);
    CHECK_NEAR(scene.cloth->state.vy[0], 0.0, 1e-5);
    free_particles_destroy(&scene);
}

RUN_TESTS(TEST(particle_falling_20_m_lands_on_the_floor_at_one_substep),
          TEST(thin_box_is_not_jumped_over_from_either_side),
          TEST(particle_in_the_thickness_of_a_thin_box_is_not_pushed_through),
          TEST(sphere_at_120_m_s_does_not_tunnel), TEST(spinning_box_hits_what_its_arm_sweeps),
          TEST(spinning_box_misses_what_its_arm_does_not_reach), TEST(teleporting_does_not_sweep),
          TEST(overlap_at_the_start_leaves_at_max_depenetration_and_is_told_once),
          TEST(deepest_inside_a_sphere_gets_out_too), TEST(slope_friction_is_coulombs_anywhere),
          TEST(static_friction_holds_what_kinetic_would_not), TEST(platform_carries_what_lies_on_it),
          TEST(turntable_carries_what_lies_on_it), TEST(resting_is_still_far_from_the_origin))
