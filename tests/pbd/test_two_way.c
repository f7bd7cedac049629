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
    body.body.asleep = false;
}

/* Depth is undone without a velocity on either side. */
static void depth_is_undone_without_velocity(void) {
    struct pbd_world_settings settings = {.max_depenetration = 2.0f};
    pbd_world *world = pbd_world_create(&settings);
    struct pbd_shape shape = support_ball(0.5);
    struct pbd_collider body = support_body(&shape, vec3_make(0, 0, 0), vec3_make(0, 1, 0), 0.0);
    float zero[3] = {0.0f}, e[3] = {0.0f}, u[3] = {0.0f, 0.01f, 0.0f}, w = 4.0f;
    struct pbd_cloth cloth = {.state = {zero, zero + 1, zero + 2, e, e + 1, e + 2, .w = &w}};
    cloth.scratch.ux = u;
    cloth.scratch.uy = u + 1;
    cloth.scratch.uz = u + 2;
    struct vec3 x = {0, 0, 0}, p = {0, 0.01, 0}, up = {0, 1, 0};
    double h = 0.01; /* 0.02 m a substep */
    /* Shallow: the particle alone. */
    double done = two_way_raise(world, &cloth, 0, (double)w, &body, up, 0.02, 0.05, h, &x, &p);
    CHECK_NEAR(done, 0.005, 1e-9);
    CHECK_NEAR(e[1], 0.005, 1e-9);
    CHECK_NEAR(u[1] - e[1], 0.01, 1e-8);
    CHECK_NEAR(p.y - x.y, 0.01, 1e-12);
    CHECK(body.body.now.position.y == 0.0);
    /* Deep: both, together no more than the substep may. */
    for (int i = 0; i < 8; ++i)
        (void)two_way_raise(world, &cloth, 0, (double)w, &body, up, 0.2, 0.05, h, &x, &p);
    CHECK_NEAR(body.body.now.position.y, -0.01, 1e-9);
    CHECK(body.body.start.position.y == body.body.now.position.y);
    CHECK_NEAR(e[1], 0.01, 1e-9);
    CHECK(vec3_length(body.body.pushed) == 0.0);
    /* Held: the body alone. */
    w = 0.0f;
    body.body.lifted = vec3_make(0, 0, 0);
    CHECK_NEAR(two_way_raise(world, &cloth, 0, (double)w, &body, up, 0.2, 0.05, h, &x, &p), 0.02, 1e-9);
    CHECK_NEAR(e[1], 0.01, 1e-9);
    pbd_world_destroy(world);
}

RUN_TESTS(TEST(depth_is_undone_without_velocity), TEST(sides_move_by_their_inverse_masses),
          TEST(friction_turns_a_body), TEST(particle_that_nothing_moves_leaves_all_to_the_body),
          TEST(what_cannot_be_pushed_leaves_all_to_the_particle))
