/* The particle loops against scalar twins, bit for bit, at every level. */
#include "check.h"
#include "physics/oracle.h"
#include "physics/random_set.h"

#include <float.h>

#define ROUNDS 10

static struct random_particles start, got, want;

static struct cloth_state state_of(struct random_particles *p) {
    return (struct cloth_state){p->x[0], p->x[1], p->x[2], p->e[0], p->e[1], p->e[2], p->v[0],
                                p->v[1], p->v[2], p->w,    NULL,    NULL,    NULL};
}

static struct cloth_scratch scratch_of(struct random_particles *p) {
    return (struct cloth_scratch){.ux = p->u[0], .uy = p->u[1], .uz = p->u[2]};
}

static int differences(void) {
    int count = 0;
    for (int k = 0; k < 3; ++k)
        for (uint32_t i = 0; i < SET_PARTICLES; ++i) {
            count += !oracle_same(got.x[k][i], want.x[k][i]) + !oracle_same(got.u[k][i], want.u[k][i]);
            count += !oracle_same(got.e[k][i], want.e[k][i]) + !oracle_same(got.v[k][i], want.v[k][i]);
        }
    return count;
}

static const struct kick test_kick = {.factor = 0.9983f, .x = 0.0f, .y = -0.0163f, .z = 0.002f};

static void oracle_kick(struct random_particles *p, uint32_t i) {
    const float add[3] = {test_kick.x, test_kick.y, test_kick.z};
    for (int k = 0; k < 3; ++k) {
        p->v[k][i] = test_kick.factor * p->v[k][i];
        if (p->w[i] > 0.0f) p->v[k][i] = p->v[k][i] + add[k];
    }
}

static void prediction_equals_its_scalar_twin(void) {
    struct random random = {1};
    const float h = 1.0f / 600.0f;
    for (uint32_t level = 0; kernels_level(level) != NULL; ++level)
        for (int round = 0; round < ROUNDS; ++round) {
            random_particles_fill(&start, &random, round % 2 == 0);
            got = want = start;
            struct cloth_state state = state_of(&got);
            struct cloth_scratch scratch = scratch_of(&got);
            kernels_level(level)->integrate_predict(&state, &scratch, SET_PARTICLES, test_kick, h);
            for (uint32_t i = 0; i < SET_PARTICLES; ++i) {
                oracle_kick(&want, i);
                for (int k = 0; k < 3; ++k)
                    want.u[k][i] = want.w[i] > 0.0f ? want.e[k][i] + h * want.v[k][i] : want.e[k][i];
            }
            CHECK_INT(differences(), 0);
        }
}

static void commit_equals_its_scalar_twin(void) {
    struct random random = {2};
    for (uint32_t level = 0; kernels_level(level) != NULL; ++level)
        for (int round = 0; round < ROUNDS; ++round) {
            random_particles_fill(&start, &random, round % 2 == 0);
            got = want = start;
            struct cloth_state state = state_of(&got);
            struct cloth_scratch scratch = scratch_of(&got);
            kernels_level(level)->integrate_commit(&state, &scratch, SET_PARTICLES, 600.0f);
            for (int k = 0; k < 3; ++k)
                for (uint32_t i = 0; i < SET_PARTICLES; ++i)
                    oracle_commit(&want.x[k][i], &want.e[k][i], &want.v[k][i], want.u[k][i], 600.0f);
            CHECK_INT(differences(), 0);
        }
}

/* X' + e' = X + u without any error: checked in double, which holds all of it when the
 * exponents lie within 29 bits of each other. */
static void commit_loses_nothing_to_rounding(void) {
    struct random random = {3};
    random_particles_fill(&start, &random, true);
    for (uint32_t i = 0; i < SET_PARTICLES; ++i)
        start.x[0][i] *= 500.0f;
    got = start;
    struct cloth_state state = state_of(&got);
    struct cloth_scratch scratch = scratch_of(&got);
    kernels_best()->integrate_commit(&state, &scratch, SET_PARTICLES, 600.0f);
    int wrong = 0;
    for (uint32_t i = 0; i < SET_PARTICLES; ++i)
        wrong += (double)got.x[0][i] + got.e[0][i] != (double)start.x[0][i] + start.u[0][i];
    CHECK_INT(wrong, 0);
}

static void tiny_velocities_become_zero(void) {
    memset(&got, 0, sizeof got);
    got.u[0][0] = 1e-24f;
    got.u[0][1] = 1e-22f;
    got.u[0][2] = -1e-24f;
    struct cloth_state state = state_of(&got);
    struct cloth_scratch scratch = scratch_of(&got);
    kernels_best()->integrate_commit(&state, &scratch, SET_PARTICLES, 600.0f);
    CHECK(got.v[0][0] == 0.0f && got.v[0][2] == 0.0f);
    CHECK_NEAR(got.v[0][1], 6e-20, 1e-25);
}

/* The sums as physics.md §9 orders them: blocks of 256, 16 partial sums, 8-4-2-1. */
static double ordered_sum(const float *values) {
    double total = 0.0;
    for (uint32_t block = 0; block < SET_PARTICLES; block += 256) {
        float partial[16] = {0};
        for (uint32_t i = block; i < SET_PARTICLES && i < block + 256; ++i)
            partial[i % 16] += values[i];
        for (int half = 8; half > 0; half /= 2)
            for (int i = 0; i < half; ++i)
                partial[i] += partial[i + half];
        total += (double)partial[0];
    }
    return total;
}

static void moments_are_ordered_sums_over_free_particles(void) {
    static float terms[MOMENT_COUNT][SET_PARTICLES];
    struct random random = {4};
    for (uint32_t level = 0; kernels_level(level) != NULL; ++level)
        for (int round = 0; round < ROUNDS; ++round) {
            random_particles_fill(&start, &random, true);
            got = want = start;
            struct moments m = {.reference = {0.5f, 1.0f, -0.25f}, .reference_velocity = {0.1f, -2.0f, 0.3f}};
            struct cloth_state state = state_of(&got);
            kernels_level(level)->integrate_moments(&state, got.mass, SET_PARTICLES, test_kick, &m);
            for (uint32_t i = 0; i < SET_PARTICLES; ++i) {
                oracle_kick(&want, i);
                bool free = want.w[i] > 0.0f;
                float k = free ? want.mass[i] : 0.0f, r[3] = {0}, u[3] = {0}, q[3];
                for (int a = 0; free && a < 3; ++a) {
                    r[a] = want.x[a][i] - m.reference[a];
                    u[a] = want.v[a][i] - m.reference_velocity[a];
                }
                for (int a = 0; a < 3; ++a)
                    q[a] = k * r[a];
                const float all[MOMENT_COUNT] = {k,
                                                 q[0],
                                                 q[1],
                                                 q[2],
                                                 k * u[0],
                                                 k * u[1],
                                                 k * u[2],
                                                 q[1] * u[2] - q[2] * u[1],
                                                 q[2] * u[0] - q[0] * u[2],
                                                 q[0] * u[1] - q[1] * u[0],
                                                 q[0] * r[0],
                                                 q[1] * r[1],
                                                 q[2] * r[2],
                                                 q[0] * r[1],
                                                 q[1] * r[2],
                                                 q[2] * r[0]};
                for (int a = 0; a < MOMENT_COUNT; ++a)
                    terms[a][i] = all[a];
            }
            CHECK_INT(differences(), 0);
            for (int a = 0; a < MOMENT_COUNT; ++a)
                CHECK(m.sum[a] == ordered_sum(terms[a]));
        }
}

static void damping_equals_its_scalar_twin(void) {
    struct random random = {5};
    const float h = 1.0f / 600.0f;
    struct rigid_motion rigid = {
        .center = {0.1f, 0.2f, 0.3f}, .velocity = {1, -2, 3}, .spin = {0.5f, 0.25f, -1}};
    rigid.k = 0.01f;
    for (uint32_t level = 0; kernels_level(level) != NULL; ++level)
        for (int round = 0; round < ROUNDS; ++round) {
            random_particles_fill(&start, &random, round % 2 == 0);
            got = want = start;
            struct cloth_state state = state_of(&got);
            struct cloth_scratch scratch = scratch_of(&got);
            kernels_level(level)->integrate_damp(&state, &scratch, SET_PARTICLES, &rigid, h);
            for (uint32_t i = 0; i < SET_PARTICLES; ++i) {
                float r[3], turn[3];
                for (int a = 0; a < 3; ++a)
                    r[a] = want.x[a][i] - rigid.center[a];
                oracle_cross(rigid.spin, r, turn);
                for (int a = 0; a < 3; ++a) {
                    float v = want.v[a][i] + rigid.k * (rigid.velocity[a] + turn[a] - want.v[a][i]);
                    if (want.w[i] > 0.0f) want.v[a][i] = v;
                    want.u[a][i] = want.w[i] > 0.0f ? want.e[a][i] + h * v : want.e[a][i];
                }
            }
            CHECK_INT(differences(), 0);
        }
}

static void extent_finds_the_largest_and_what_is_not_finite(void) {
    for (uint32_t level = 0; kernels_level(level) != NULL; ++level) {
        memset(&got, 0, sizeof got);
        for (uint32_t i = 0; i < SET_PARTICLES; ++i)
            got.w[i] = 1.0f;
        got.x[1][333] = -7.0f;
        got.v[2][77] = 3.0f;
        got.v[0][5] = 100.0f;
        got.w[5] = 0.0f; /* a pin's speed is not the cloth's */
        struct cloth_state state = state_of(&got);
        struct extent extent = kernels_level(level)->integrate_extent(&state, SET_PARTICLES);
        CHECK(extent.finite && extent.coordinate == 7.0f && extent.speed_square == 9.0f);
        got.v[1][639] = NAN;
        CHECK(!kernels_level(level)->integrate_extent(&state, SET_PARTICLES).finite);
        got.v[1][639] = 0.0f;
        got.x[2][0] = -INFINITY;
        CHECK(!kernels_level(level)->integrate_extent(&state, SET_PARTICLES).finite);
        got.x[2][0] = FLT_MAX;
        CHECK(kernels_level(level)->integrate_extent(&state, SET_PARTICLES).finite);
    }
}

RUN_TESTS(TEST(prediction_equals_its_scalar_twin), TEST(commit_equals_its_scalar_twin),
          TEST(commit_loses_nothing_to_rounding), TEST(tiny_velocities_become_zero),
          TEST(moments_are_ordered_sums_over_free_particles), TEST(damping_equals_its_scalar_twin),
          TEST(extent_finds_the_largest_and_what_is_not_finite))
