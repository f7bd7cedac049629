/* Mass and inertia, pushes, impulses. */
#include "check.h"

#include "sheet.h"
#include "support_bodies.h"

/* The inertia of a capsule by summing a grid of points. */
static void inertia_is_that_of_the_solid(void) {
    struct pbd_shape shape = support_capsule(0.3, 0.5);
    struct pbd_collider body = support_body(&shape, vec3_make(0, 0, 0), vec3_make(0, 1, 0), 0.0);
    double count = 0.0, xx = 0.0, yy = 0.0, step = 0.01;
    for (double x = -0.295; x < 0.3; x += step)
        for (double y = -0.795; y < 0.8; y += step)
            for (double z = -0.295; z < 0.3; z += step) {
                struct vec3 normal;
                if (collide_shape_distance(&body.shape, vec3_make(x, y, z), &normal) > 0.0) continue;
                count += 1.0;
                xx += y * y + z * z;
                yy += x * x + z * z;
            }
    double across = 1.0 / body.body.inverse_inertia.x, along = 1.0 / body.body.inverse_inertia.y;
    printf("capsule: inertia across %.5f (sum %.5f), along %.5f (sum %.5f)\n", across, 2.0 * xx / count,
           along, 2.0 * yy / count);
    CHECK_NEAR(across, 2.0 * xx / count, 2e-3 * across);
    CHECK_NEAR(along, 2.0 * yy / count, 2e-3 * along);
    struct pbd_shape box = support_box(0.1, 0.2, 0.3), ball = support_ball(0.5);
    body = support_body(&box, vec3_make(0, 0, 0), vec3_make(0, 1, 0), 0.0);
    CHECK_NEAR(1.0 / body.body.inverse_inertia.x, 2.0 / 3.0 * 0.13, 1e-7);
    CHECK_NEAR(1.0 / body.body.inverse_inertia.z, 2.0 / 3.0 * 0.05, 1e-7);
    body = support_body(&ball, vec3_make(0, 0, 0), vec3_make(0, 1, 0), 0.0);
    CHECK_NEAR(1.0 / body.body.inverse_inertia.y, 0.2, 1e-7);
}

static void only_dynamic_solids_have_mass(void) {
    struct pbd_shape plane = {.type = PBD_PLANE, .normal = {0.0f, 1.0f, 0.0f}}, ball = support_ball(1.0);
    struct pbd_collider body = support_body(&plane, vec3_make(0, 0, 0), vec3_make(0, 1, 0), 0.0);
    CHECK(!rigid_moves(&body));
    CHECK(rigid_inverse_mass(&body, vec3_make(1, 0, 0), vec3_make(0, 1, 0)) == 0.0);
    body = support_body(&ball, vec3_make(0, 0, 0), vec3_make(0, 1, 0), 0.0);
    CHECK(rigid_moves(&body));
    body.def.motion = PBD_KINEMATIC;
    rigid_set_mass(&body);
    CHECK(!rigid_moves(&body));
    body.def.motion = PBD_DYNAMIC;
    rigid_set_mass(&body);
    body.body.asleep = true;
    struct exact_pose before = body.substep_end;
    rigid_push(&body, vec3_make(1, 0, 0), vec3_make(0, 1, 0));
    rigid_kick(&body, vec3_make(1, 0, 0), vec3_make(0, 1, 0));
    CHECK(memcmp(&before, &body.substep_end, sizeof before) == 0);
    CHECK(vec3_length(body.body.now.velocity) == 0.0);
}

/* The point moves along the push by w·push for a small one. */
static void push_moves_its_point_by_the_inverse_mass(void) {
    struct random random = {3};
    for (int i = 0; i < 100; ++i) {
        struct pbd_shape shape =
            support_box(random_between(&random, 0.1, 1), random_between(&random, 0.1, 1), 0.3);
        struct vec3 axis = {random_between(&random, -1, 1), random_between(&random, -1, 1), 1.0};
        struct pbd_collider body =
            support_body(&shape, vec3_make(5, -3, 1), axis, random_between(&random, -3, 3));
        struct vec3 arm = {random_between(&random, -1, 1), random_between(&random, -1, 1),
                           random_between(&random, -1, 1)};
        struct vec3 n = {random_between(&random, -1, 1), random_between(&random, -1, 1), 0.5};
        n = vec3_scale(n, 1.0 / vec3_length(n));
        struct vec3 point = vec3_add(body.body.now.position, arm);
        struct vec3 local = pose_to_local(&body.substep_end, point);
        double w = rigid_inverse_mass(&body, point, n);
        rigid_push(&body, point, vec3_scale(n, 1e-6));
        struct vec3 moved = vec3_sub(pose_to_world(&body.substep_end, local), point);
        CHECK_NEAR(vec3_dot(moved, n), w * 1e-6, 1e-5 * w * 1e-6 + 1e-14);
        CHECK(w >= 0.5);
    }
}

static void kick_and_velocity_agree(void) {
    struct pbd_shape shape = support_box(0.1, 0.2, 0.4);
    struct pbd_collider body = support_body(&shape, vec3_make(1, 2, 3), vec3_make(1, 1, 0), 0.7);
    struct vec3 point = {1.1, 2.3, 2.9}, n = {0.6, 0.0, 0.8};
    double w = rigid_inverse_mass(&body, point, n);
    rigid_kick(&body, point, vec3_scale(n, 0.25));
    CHECK_NEAR(vec3_dot(rigid_velocity_at(&body, point, 0.01), n), 0.25 * w, 1e-12);
}

/* Pushes and shifts become velocity alike. */
static void shift_accounts_for_itself_as_a_push(void) {
    struct pbd_shape shape = support_box(0.1, 0.2, 0.4);
    struct pbd_collider body = support_body(&shape, vec3_make(1, 2, 3), vec3_make(1, 1, 0), 0.7);
    struct vec3 shift = {1e-3, 0, -2e-3}, turn = {0, 1e-3, 2e-3};
    rigid_account(&body, shift, turn);
    rigid_shift(&body, shift, turn);
    rigid_commit(&body, 0.01);
    CHECK_NEAR(body.body.now.velocity.x, 0.1, 1e-12);
    CHECK_NEAR(body.body.now.velocity.z, -0.2, 1e-12);
    CHECK_NEAR(body.body.now.spin.y, 0.1, 1e-3);
    CHECK_NEAR(body.body.now.spin.z, 0.2, 1e-3);
    CHECK_NEAR(body.body.now.position.x, 1.001, 1e-12);
}

RUN_TESTS(TEST(inertia_is_that_of_the_solid), TEST(only_dynamic_solids_have_mass),
          TEST(push_moves_its_point_by_the_inverse_mass), TEST(kick_and_velocity_agree),
          TEST(shift_accounts_for_itself_as_a_push))
