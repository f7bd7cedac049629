/* Coulomb's law on summed corrections. */
#include "check.h"

#include <pbd/types.h>

#include "contact/friction.h"

static void pair_coefficients_are_roots_of_products(void) {
    struct friction_pair pair = friction_combine(0.25f, 0.5f, 1.0f, 2.0f);
    CHECK_NEAR(pair.sliding, 0.5, 1e-15);
    CHECK_NEAR(pair.still, 1.0, 1e-15);
}

static void static_friction_follows_the_kinetic_one_when_told_or_when_below(void) {
    struct friction_pair same = friction_combine(0.25f, PBD_SAME_AS_KINETIC, 0.25f, PBD_SAME_AS_KINETIC);
    CHECK_NEAR(same.still, 0.25, 1e-15);
    struct friction_pair below = friction_combine(0.5f, 0.0f, 0.5f, 0.25f);
    CHECK_NEAR(below.still, 0.5, 1e-15);
}

static void below_the_limit_the_whole_slip_is_undone(void) {
    struct friction_pair pair = {.still = 0.5, .sliding = 0.4};
    struct vec3 slip = {0.3e-3, 0.0, 0.4e-3}, none = {0.0, 0.0, 0.0};
    struct vec3 f = friction_correction(&pair, 1.0e-3, slip, none);
    CHECK_NEAR(f.x, -0.3e-3, 1e-18);
    CHECK_NEAR(f.z, -0.4e-3, 1e-18);
}

static void above_the_limit_the_kinetic_share_of_the_normal_remains(void) {
    struct friction_pair pair = {.still = 0.5, .sliding = 0.4};
    struct vec3 slip = {0.6e-3, 0.0, 0.8e-3}, none = {0.0, 0.0, 0.0};
    struct vec3 f = friction_correction(&pair, 1.0e-3, slip, none);
    CHECK_NEAR(f.x, -0.6 * 0.4e-3, 1e-18);
    CHECK_NEAR(f.z, -0.8 * 0.4e-3, 1e-18);
}

/* Ten iterations that each see the slip with the earlier friction in it ask for the same
 * total: clamping each iteration's own correction would have stopped the slide. */
static void repeating_the_projection_does_not_add_friction(void) {
    struct friction_pair pair = {.still = 0.2, .sliding = 0.2};
    struct vec3 slide = {1.0e-3, 0.0, 0.0}, applied = {0.0, 0.0, 0.0};
    for (int k = 0; k < 10; ++k)
        applied = friction_correction(&pair, 1.0e-3, vec3_add(slide, applied), applied);
    CHECK_NEAR(applied.x, -0.2e-3, 1e-16);
}

static void no_normal_means_no_friction(void) {
    struct friction_pair pair = {.still = 10.0, .sliding = 10.0};
    struct vec3 slip = {1e-3, 0.0, 0.0}, none = {0.0, 0.0, 0.0};
    CHECK(friction_correction(&pair, 0.0, slip, none).x == 0.0);
    CHECK(friction_correction(&pair, 0.0, none, none).x == 0.0);
}

RUN_TESTS(TEST(pair_coefficients_are_roots_of_products),
          TEST(static_friction_follows_the_kinetic_one_when_told_or_when_below),
          TEST(below_the_limit_the_whole_slip_is_undone),
          TEST(above_the_limit_the_kinetic_share_of_the_normal_remains),
          TEST(repeating_the_projection_does_not_add_friction), TEST(no_normal_means_no_friction))
