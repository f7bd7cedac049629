/* Stiffness and compliance per projection. */
#include "check.h"

#include "solve/strength.h"

static struct pbd_solver_settings solver(enum pbd_method method, int iterations) {
    return (struct pbd_solver_settings){.method = method, .substeps = 1, .iterations = iterations};
}

static void shares_multiply_up_to_the_whole(void) {
    const float ks[] = {0.0f, 0.01f, 0.3f, 0.9f, 1.0f};
    const int counts[] = {1, 2, 16, 200};
    for (int i = 0; i < 5; ++i)
        for (int j = 0; j < 4; ++j) {
            double left = 1.0;
            for (int n = 0; n < counts[j]; ++n)
                left *= 1.0 - share_of(ks[i], counts[j]);
            /* each share is rounded to 2^-25: 200 of them */
            CHECK_NEAR(left, 1.0 - ks[i], 200 * 0x1p-25);
        }
}

static void a_single_share_is_the_whole_bit_for_bit(void) {
    CHECK(share_of(0.3f, 1) == 0.3f);
    CHECK(share_of(1.0f, 7) == 1.0f);
    CHECK(share_of(0.0f, 7) == 0.0f);
}

static void pbd_uses_stiffness_alone(void) {
    struct pbd_solver_settings s = solver(PBD_METHOD_PBD, 1);
    struct strength strength = strength_of(&s, 0.25f, 1e3f, 0.01f);
    CHECK(strength.on && strength.stiffness == 0.25f && strength.alpha == 0.0f);
    CHECK(!strength_of(&s, 0.0f, 0.0f, 0.01f).on);
}

static void xpbd_uses_compliance_over_h_squared_alone(void) {
    struct pbd_solver_settings s = solver(PBD_METHOD_XPBD, 10);
    struct strength strength = strength_of(&s, 0.0f, 1e-4f, 0.5f);
    CHECK(strength.on && strength.stiffness == 1.0f);
    CHECK_NEAR(strength.alpha, 4e-4, 1e-10);
    CHECK(strength_of(&s, 0.0f, 0.0f, 0.5f).on);
    CHECK(!strength_of(&s, 1.0f, PBD_COMPLIANCE_OFF, 0.5f).on);
    CHECK(!strength_of(&s, 1.0f, 3e38f, 0.01f).on); /* α/h² overflows */
}

static void jacobi_has_neither(void) {
    struct pbd_solver_settings s = solver(PBD_METHOD_JACOBI, 32);
    CHECK(!strength_of(&s, 1.0f, 0.0f, 0.01f).on);
}

RUN_TESTS(TEST(shares_multiply_up_to_the_whole), TEST(a_single_share_is_the_whole_bit_for_bit),
          TEST(pbd_uses_stiffness_alone), TEST(xpbd_uses_compliance_over_h_squared_alone),
          TEST(jacobi_has_neither))
