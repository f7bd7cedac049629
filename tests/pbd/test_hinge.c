/* The signed hinge angle: its zero, sign, range and independence of labels. */
#include "check.h"
#include "build/hinge.h"

static float angle_of(float p[4][3]) {
    float d[3][3];
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
            d[i][k] = p[i + 1][k] - p[0][k];
    return hinge_angle(d[0][0], d[0][1], d[0][2], d[1][0], d[1][1], d[1][2], d[2][0], d[2][1], d[2][2]);
}

/* Edge along x, wing p2 flat on the z < 0 side, wing p3 turned down by theta from flat. */
static void bent(double theta, float size, float p[4][3]) {
    const float points[4][3] = {
        {0.0f, 0.0f, 0.0f},
        {size, 0.0f, 0.0f},
        {0.4f * size, 0.0f, -size},
        {0.5f * size, (float)(-math_sin(theta)) * size, (float)math_cos(theta) * size}};
    memcpy(p, points, sizeof points);
}

static void flat_is_exactly_zero(void) {
    float p[4][3];
    bent(0.0, 1.0f, p);
    CHECK(angle_of(p) == 0.0f);
    bent(0.0, 1e-6f, p);
    CHECK(angle_of(p) == 0.0f);
}

static void angle_is_the_turn_of_the_second_wing_downwards(void) {
    for (int degrees = -150; degrees <= 150; degrees += 10) {
        double theta = degrees * 0.017453292519943295;
        float p[4][3];
        bent(theta, 1.0f, p);
        /* Normals are right to a few 2⁻²⁴, atan2 to 3 ulp of 2.6: 2e-6 in all. */
        CHECK_NEAR(angle_of(p), theta, 2e-6);
        bent(theta, 3e5f, p);
        CHECK_NEAR(angle_of(p), theta, 2e-6);
        bent(theta, 1e-7f, p);
        CHECK_NEAR(angle_of(p), theta, 2e-6);
    }
}

static void sign_survives_swapping_both_pairs_and_turns_with_one(void) {
    float p[4][3], q[4][3];
    bent(0.7, 1.0f, p);
    const int both[4] = {1, 0, 3, 2}, wings[4] = {0, 1, 3, 2};
    for (int i = 0; i < 4; ++i)
        memcpy(q[i], p[both[i]], sizeof q[i]);
    CHECK_NEAR(angle_of(q), 0.7, 2e-6);
    for (int i = 0; i < 4; ++i)
        memcpy(q[i], p[wings[i]], sizeof q[i]);
    CHECK_NEAR(angle_of(q), -0.7, 2e-6);
}

RUN_TESTS(TEST(flat_is_exactly_zero), TEST(angle_is_the_turn_of_the_second_wing_downwards),
          TEST(sign_survives_swapping_both_pairs_and_turns_with_one))
