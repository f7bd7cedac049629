/* Sharing a correction between a particle and a body. */
#include "check.h"

#include "contact/two_way.h"
#include "support_bodies.h"

static void sides_move_by_their_inverse_masses(void) {
    struct pbd_shape shape = support_ball(0.5);
    struct pbd_collider body = support_body(&shape, vec3_make(0, 0, 0), vec3_make(0, 1, 0), 0.0);
    struct two_way pair = two_way_of(&body, 4.0); /* 0.25 kg against 2 kg */
    CHECK(pair.pushes);
    struct vec3 local = {0.0, 0.5, 0.0};
    double sum = two_way_push(&pair, &local, vec3_make(0, 1, 0), 0.09);
    /* w = 4 and 0.5: the particle 0.08 m, the body 0.01 m, apart 0.09 m. */
    CHECK_NEAR(sum, 0.08, 1e-12);
    CHECK_NEAR(local.y, 0.59, 1e-12);
    CHECK_NEAR(body.body.now.position.y, -0.01, 1e-12);
    CHECK_NEAR(pose_to_world(&body.substep_end, local).y, 0.58, 1e-12);
    /* Momentum: 0.25·0.08 = 2·0.01. */
    CHECK_NEAR(body.body.pushed.y, -0.02, 1e-12);
}

static void friction_turns_a_body(void) {
    struct pbd_shape shape = support_ball(0.5);
    struct pbd_collider body = support_body(&shape, vec3_make(0, 0, 0), vec3_make(0, 1, 0), 0.0);
    struct two_way pair = two_way_of(&body, 4.0);
    struct vec3 local = {0.0, 0.5, 0.0};
    /* 1/m + r²/(0.4·m·r²) = 3.5/m */
    CHECK_NEAR(two_way_share(&pair, local, vec3_make(1, 0, 0)), 4.0 / (4.0 + 3.5 / 2.0), 1e-7);
    two_way_rub(&pair, &local, vec3_make(0.01, 0, 0));
    CHECK_NEAR(body.body.turned.z, 0.5 * 0.01 / 4.0, 1e-12);
    CHECK(body.body.now.rotation.z > 0.0);
}

static void particle_that_nothing_moves_leaves_all_to_the_body(void) {
    struct pbd_shape shape = support_ball(0.5);
    struct pbd_collider body = support_body(&shape, vec3_make(0, 0, 0), vec3_make(0, 1, 0), 0.0);
    struct two_way pair = two_way_of(&body, 0.0);
    struct vec3 local = {0.0, 0.5, 0.0};
    double sum = two_way_push(&pair, &local, vec3_make(0, 1, 0), 0.09);
    CHECK_NEAR(sum, 0.18, 1e-12); /* kg·m */
    CHECK_NEAR(body.body.now.position.y, -0.09, 1e-12);
    CHECK_NEAR(pose_to_world(&body.substep_end, local).y, 0.5, 1e-12);
}

static void what_cannot_be_pushed_leaves_all_to_the_particle(void) {
    struct pbd_shape shape = support_ball(0.5);
    struct pbd_collider body = support_body(&shape, vec3_make(0, 0, 0), vec3_make(0, 1, 0), 0.0);
    body.body.asleep = true;
    struct two_way pair = two_way_of(&body, 4.0);
    struct vec3 local = {0.0, 0.5, 0.0};
    CHECK(!pair.pushes);
    CHECK(two_way_share(&pair, local, vec3_make(0, 1, 0)) == 1.0);
    CHECK(two_way_push(&pair, &local, vec3_make(0, 1, 0), 0.09) == 0.09);
    CHECK(local.y == 0.5 + 0.09);
    CHECK(two_way_recovered(&body, 1e-9, 1.0) == 1e-9);
    body.body.asleep = false;
    CHECK(two_way_recovered(&body, 1e-9, 1.0) == 0.0);
    CHECK(two_way_recovered(&body, 0.9, 1.0) == 0.9);
}

RUN_TESTS(TEST(sides_move_by_their_inverse_masses), TEST(friction_turns_a_body),
          TEST(particle_that_nothing_moves_leaves_all_to_the_body),
          TEST(what_cannot_be_pushed_leaves_all_to_the_particle))
