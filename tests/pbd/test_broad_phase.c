/* The broad phase leaves out only what cannot touch, and does leave it out. */
#include "check.h"

#include "contact/contact_internal.h"
#include "support_free_particles.h"

static pbd_collider_id add_ball(struct free_particles *scene, float x, float y, float z, float radius) {
    struct pbd_collider_def def = pbd_default_collider_def();
    def.shape.radius = radius;
    def.position[0] = x;
    def.position[1] = y;
    def.position[2] = z;
    pbd_collider_id id;
    CHECK_INT(pbd_collider_add(&scene->world, &def, &id), PBD_OK);
    return id;
}

static void begin(struct free_particles *scene) {
    collider_begin_tick(&scene->world);
    contact_begin_tick(&scene->world, scene->cloth);
}

static void far_colliders_are_not_near_and_close_ones_are(void) {
    struct free_particles scene;
    free_particles_create(&scene, 2, (float[]){0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f});
    add_ball(&scene, 0.0f, 10.0f, 0.0f, 1.0f);
    add_ball(&scene, 0.0f, -1.0f, 0.0f, 1.0f);
    add_ball(&scene, -20.0f, 0.0f, 0.0f, 1.0f);
    begin(&scene);
    const struct cloth_contacts *contacts = scene.cloth->contacts;
    CHECK_INT(contacts->near_count, 1);
    CHECK_INT(contacts->near[0], 1);
    CHECK_NEAR(contacts->far_clearance, 9.0, 1e-3);
    CHECK(contacts->far_clearance <= 9.0);
    /* The second particle is √2 − 1 from the near ball. */
    CHECK_NEAR(contacts->clearance[1], sqrt(2.0) - 1.0, 1e-4);
    CHECK((double)contacts->clearance[1] <= sqrt(2.0) - 1.0);
    free_particles_destroy(&scene);
}

static void speed_widens_the_margin(void) {
    struct free_particles scene;
    free_particles_create(&scene, 1, (float[]){0.0f, 0.0f, 0.0f});
    add_ball(&scene, 0.0f, 5.0f, 0.0f, 1.0f);
    begin(&scene);
    CHECK_INT(scene.cloth->contacts->near_count, 0);
    scene.cloth->state.vy[0] = 300.0f; /* 5 m a tick */
    begin(&scene);
    CHECK_INT(scene.cloth->contacts->near_count, 1);
    free_particles_destroy(&scene);
}

static void moving_colliders_come_near_before_they_arrive(void) {
    struct free_particles scene;
    free_particles_create(&scene, 1, (float[]){0.0f, 0.0f, 0.0f});
    pbd_collider_id id = add_ball(&scene, 50.0f, 0.0f, 0.0f, 1.0f);
    CHECK_INT(pbd_collider_move(&scene.world, id, (float[]){-50.0f, 0.0f, 0.0f}, NULL, 1, false), PBD_OK);
    begin(&scene);
    CHECK_INT(scene.cloth->contacts->near_count, 1);
    CHECK(scene.cloth->contacts->clearance[0] <= 0.0f);
    free_particles_destroy(&scene);
}

static void turning_planes_reach_as_far_as_they_go(void) {
    struct free_particles scene;
    free_particles_create(&scene, 1, (float[]){10.0f, 3.0f, 0.0f});
    struct pbd_collider_def def = pbd_default_collider_def();
    def.shape = (struct pbd_shape){.type = PBD_PLANE, .normal = {0.0f, 1.0f, 0.0f}};
    pbd_collider_id id;
    CHECK_INT(pbd_collider_add(&scene.world, &def, &id), PBD_OK);
    /* 0.4 rad about z: at x = 10 the plane rises by 10·tan 0.4 = 4.2 m. */
    CHECK_INT(
        pbd_collider_move(&scene.world, id, NULL, (float[]){0.0f, 0.0f, 0.19866933f, 0.98006658f}, 1, false),
        PBD_OK);
    begin(&scene);
    CHECK(scene.cloth->contacts->clearance[0] <= 0.0f);
    free_particles_destroy(&scene);
}

/* A particle that the solver throws past everything the broad phase expected still hits
 * the far wall on its way. */
static void a_jump_beyond_the_margin_is_still_caught(void) {
    struct free_particles scene;
    free_particles_create(&scene, 1, (float[]){0.0f, 0.0f, 0.0f});
    struct pbd_collider_def def = pbd_default_collider_def();
    def.shape = (struct pbd_shape){.type = PBD_BOX, .half_extents = {0.005f, 10.0f, 10.0f}};
    def.position[0] = 30.0f;
    pbd_collider_id id;
    CHECK_INT(pbd_collider_add(&scene.world, &def, &id), PBD_OK);
    begin(&scene);
    CHECK_INT(scene.cloth->contacts->near_count, 0);
    collider_begin_substep(&scene.world, 0, 1);
    scene.cloth->scratch.ux[0] = 100.0f;
    contact_begin_substep(&scene.world, scene.cloth, 1.0f / 60.0f);
    contact_project(&scene.world, scene.cloth, 1.0f / 60.0f);
    CHECK_NEAR(scene.cloth->scratch.ux[0], 29.995, 1e-5);
    free_particles_destroy(&scene);
}

static void pinned_particles_and_padding_have_endless_clearance(void) {
    struct free_particles scene;
    free_particles_create(&scene, 2, (float[]){0.0f, 0.0f, 0.0f, 0.0f, 0.5f, 0.0f});
    scene.cloth->state.w[1] = 0.0f;
    add_ball(&scene, 0.0f, 0.0f, 0.0f, 1.0f);
    begin(&scene);
    CHECK(scene.cloth->contacts->clearance[0] < 0.0f);
    for (uint32_t i = 1; i < scene.cloth->fabric->padded_count; ++i)
        CHECK(scene.cloth->contacts->clearance[i] == INFINITY);
    free_particles_destroy(&scene);
}

RUN_TESTS(TEST(far_colliders_are_not_near_and_close_ones_are), TEST(speed_widens_the_margin),
          TEST(moving_colliders_come_near_before_they_arrive), TEST(turning_planes_reach_as_far_as_they_go),
          TEST(a_jump_beyond_the_margin_is_still_caught),
          TEST(pinned_particles_and_padding_have_endless_clearance))
