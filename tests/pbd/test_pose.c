/* Poses: axes, interpolation, exact ends. */
#include "check.h"

#include "contact/pose.h"

static void axes_of_a_quarter_turn_about_y(void) {
    struct pose pose = {.position = {1.0f, 2.0f, 3.0f}, .rotation = {0.0f, 1.0f, 0.0f, 1.0f}};
    struct exact_pose exact = pose_exact(&pose);
    struct vec3 w = pose_to_world(&exact, vec3_make(1.0, 0.0, 0.0));
    CHECK_NEAR(w.x, 1.0, 1e-15);
    CHECK_NEAR(w.y, 2.0, 1e-15);
    CHECK_NEAR(w.z, 2.0, 1e-15);
    struct vec3 back = pose_to_local(&exact, w);
    CHECK_NEAR(back.x, 1.0, 1e-15);
    CHECK_NEAR(back.z, 0.0, 1e-15);
}

static void unit_quaternions_keep_their_bits(void) {
    float q[4] = {0.18257419f, 0.36514837f, 0.54772256f, 0.73029674f}, same[4];
    memcpy(same, q, sizeof q);
    quaternion_normalise(q);
    CHECK(memcmp(q, same, sizeof q) == 0);
    float longer[4] = {0.0f, 0.0f, 3.0f, 4.0f};
    quaternion_normalise(longer);
    CHECK_NEAR(longer[2], 0.6, 1e-7);
    CHECK_NEAR(longer[3], 0.8, 1e-7);
    float zero[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    quaternion_normalise(zero);
    CHECK(zero[3] == 1.0f);
}

static void turning_is_uniform_and_takes_the_shorter_way(void) {
    /* 0 → 120° about z, the target given as −q. */
    double half = acos(-1.0) / 3.0;
    struct pose from = {.rotation = {0.0f, 0.0f, 0.0f, 1.0f}};
    struct pose to = {.rotation = {0.0f, 0.0f, (float)-sin(half), (float)-cos(half)}};
    for (int k = 0; k <= 8; ++k) {
        struct exact_pose at = pose_between(&from, &to, k / 8.0);
        double angle = atan2(at.axis[0].y, at.axis[0].x);
        CHECK_NEAR(angle, 2.0 * half * k / 8.0, 1e-7); /* float32 ends */
    }
    struct vec3 axis;
    CHECK_NEAR(pose_turn(&from, &to, &axis), 2.0 * half, 1e-7);
    CHECK_NEAR(axis.z, 1.0, 1e-12);
}

static void ends_are_exact_and_positions_linear(void) {
    struct pose from = {.position = {0.1f, 0.2f, 0.3f}, .rotation = {0.0f, 0.0f, 0.0f, 1.0f}};
    struct pose to = {.position = {0.7f, -0.3f, 1e6f}, .rotation = {0.6f, 0.0f, 0.8f, 0.0f}};
    struct pose end = pose_rounded_between(&from, &to, 1.0);
    CHECK(memcmp(&end, &to, sizeof end) == 0);
    end = pose_rounded_between(&from, &to, 0.0);
    CHECK(memcmp(&end, &from, sizeof end) == 0);
    struct exact_pose middle = pose_between(&from, &to, 0.5);
    CHECK_NEAR(middle.position.x, 0.5 * ((double)0.1f + (double)0.7f), 1e-16);
    CHECK_NEAR(middle.position.z, 0.5 * ((double)0.3f + 1e6), 1e-9);
}

static void tiny_turns_do_not_divide_by_zero(void) {
    struct pose pose = {.rotation = {0.0f, 0.0f, 0.0f, 1.0f}};
    struct pose near = {.rotation = {1e-9f, 0.0f, 0.0f, 1.0f}};
    struct exact_pose at = pose_between(&pose, &near, 0.5);
    CHECK_NEAR(at.axis[1].z, 1e-9, 1e-15);
    struct vec3 axis;
    CHECK(pose_turn(&pose, &pose, &axis) == 0.0);
}

RUN_TESTS(TEST(axes_of_a_quarter_turn_about_y), TEST(unit_quaternions_keep_their_bits),
          TEST(turning_is_uniform_and_takes_the_shorter_way), TEST(ends_are_exact_and_positions_linear),
          TEST(tiny_turns_do_not_divide_by_zero))
