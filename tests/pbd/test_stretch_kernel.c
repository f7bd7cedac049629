/* The distance kernels against the serial oracle, bit for bit, at every level. */
#include "check.h"
#include "physics/oracle.h"
#include "physics/random_set.h"

#define ROUNDS 40

static struct random_particles start, got, want;
static struct random_set set;
static struct stretch_run runs[SET_MOST];
static float lambda[SET_MOST], sum[SET_MOST], want_lambda[SET_MOST], want_sum[SET_MOST];

static struct stretch_pass pass_over(struct random_particles *p, float stiffness, float alpha) {
    return (struct stretch_pass){.x = p->x[0],
                                 .y = p->x[1],
                                 .z = p->x[2],
                                 .w = p->w,
                                 .ux = p->u[0],
                                 .uy = p->u[1],
                                 .uz = p->u[2],
                                 .rest = set.rest,
                                 .lambda = lambda,
                                 .sum = sum,
                                 .stiffness = stiffness,
                                 .alpha = alpha,
                                 .compression = 1.0f};
}

static float alphas[SET_MOST], compression = 1.0f;

/* alpha < 0: each constraint its own. */
static void oracle_sweep(int first_end, float stiffness, float alpha, bool fresh) {
    const float *x[3] = {want.x[0], want.x[1], want.x[2]};
    float *u[3] = {want.u[0], want.u[1], want.u[2]};
    for (uint32_t c = 0; c < set.count; ++c) {
        float old = fresh ? 0.0f : want_lambda[c];
        want_lambda[c] = old;
        uint32_t a = set.p[first_end][c], b = set.p[first_end + 1][c];
        oracle_distance(x, want.w, u, a, b, set.rest[c], stiffness, alpha < 0.0f ? alphas[c] : alpha,
                        compression, &want_lambda[c]);
        want_sum[c] += want_lambda[c] - old;
    }
}

static int differences(bool sums) {
    int count = 0;
    for (uint32_t i = 0; i < SET_PARTICLES; ++i)
        for (int k = 0; k < 3; ++k)
            count += !oracle_same(got.u[k][i], want.u[k][i]);
    for (uint32_t c = 0; c < set.count; ++c) {
        count += !oracle_same(lambda[c], want_lambda[c]);
        /* sum adds Δλ, the oracle λ' − λ: the same but for rounding when λ was not 0. */
        if (sums) count += !oracle_same(sum[c], want_sum[c]);
    }
    return count;
}

static void reset_sums(void) {
    memset(lambda, 0x7f, sizeof lambda);
    memset(want_lambda, 0x7f, sizeof want_lambda);
    memset(sum, 0, sizeof sum);
    memset(want_sum, 0, sizeof want_sum);
}

static void run_and_singles_equal_the_serial_list(void) {
    struct random random = {1};
    for (uint32_t level = 0; kernels_level(level) != NULL; ++level)
        for (int round = 0; round < ROUNDS; ++round) {
            random_particles_fill(&start, &random, round % 2 == 0);
            random_set_fill(&set, 2, &random);
            struct stretch_set stretch = random_stretch(&set, runs);
            float stiffness = round % 4 < 2 ? 1.0f : 0.3f, alpha = round % 3 == 0 ? 0.0f : 0.036f;
            got = want = start;
            reset_sums();
            struct stretch_pass pass = pass_over(&got, stiffness, alpha);
            kernels_level(level)->stretch_first(&pass, &stretch);
            oracle_sweep(0, stiffness, alpha, true);
            CHECK_INT(differences(true), 0);
            kernels_level(level)->stretch_next(&pass, &stretch);
            oracle_sweep(0, stiffness, alpha, false);
            CHECK_INT(differences(false), 0);
        }
}

/* What a flag, a rope or a weave asks for. */
static void compressed_and_woven_ones_equal_it_too(void) {
    struct random random = {7};
    const float factors[3] = {0.25f, 0.0f, 1.0f};
    for (uint32_t level = 0; kernels_level(level) != NULL; ++level)
        for (int round = 0; round < ROUNDS; ++round) {
            random_particles_fill(&start, &random, round % 2 == 0);
            random_set_fill(&set, 2, &random);
            struct stretch_set stretch = random_stretch(&set, runs);
            bool woven = round % 4 >= 2;
            for (uint32_t c = 0; c < set.count; ++c)
                alphas[c] = random_below(&random, 4) == 0 ? 0.0f : (float)random_between(&random, 0, 0.1);
            got = want = start;
            reset_sums();
            struct stretch_pass pass = pass_over(&got, 1.0f, 0.02f);
            pass.compression = compression = factors[round % 3];
            pass.alphas = woven ? alphas : NULL;
            kernels_level(level)->stretch_first(&pass, &stretch);
            oracle_sweep(0, 1.0f, woven ? -1.0f : 0.02f, true);
            CHECK_INT(differences(true), 0);
            kernels_level(level)->stretch_next(&pass, &stretch);
            oracle_sweep(0, 1.0f, woven ? -1.0f : 0.02f, false);
            CHECK_INT(differences(false), 0);
            compression = 1.0f;
        }
}

static void no_lambda_gives_the_same_positions_and_sums(void) {
    struct random random = {2};
    for (uint32_t i = 0; kernels_level(i / 3) != NULL; ++i) {
        uint32_t level = i / 3, flavour = i % 3;
        random_particles_fill(&start, &random, true);
        random_set_fill(&set, 2, &random);
        struct stretch_set stretch = random_stretch(&set, runs);
        got = want = start;
        reset_sums();
        struct stretch_pass pass = pass_over(&got, 1.0f, 0.036f);
        if (flavour > 0) pass.compression = 0.5f;
        if (flavour > 1) pass.alphas = alphas;
        kernels_level(level)->stretch_first(&pass, &stretch);
        memcpy(want_lambda, lambda, sizeof lambda);
        memcpy(want_sum, sum, sizeof sum);
        want = got;
        got = start;
        memset(sum, 0, sizeof sum);
        pass.lambda = NULL;
        kernels_level(level)->stretch_first(&pass, &stretch);
        CHECK_INT(differences(true), 0);
    }
}

static void distances_of_hinges_join_their_opposite_vertices(void) {
    struct random random = {3};
    for (uint32_t level = 0; kernels_level(level) != NULL; ++level)
        for (int round = 0; round < ROUNDS; ++round) {
            random_particles_fill(&start, &random, round % 2 == 0);
            random_set_fill(&set, 4, &random);
            struct bend_set bend = random_bend(&set);
            got = want = start;
            reset_sums();
            struct stretch_pass pass = pass_over(&got, 1.0f, 0.01f);
            pass.sum = NULL;
            kernels_level(level)->stretch_hinges_first(&pass, &bend);
            oracle_sweep(2, 1.0f, 0.01f, true);
            CHECK_INT(differences(false), 0);
            kernels_level(level)->stretch_hinges_next(&pass, &bend);
            oracle_sweep(2, 1.0f, 0.01f, false);
            CHECK_INT(differences(false), 0);
        }
}

static void zero_length_edge_is_left_alone(void) {
    for (uint32_t level = 0; kernels_level(level) != NULL; ++level) {
        memset(&got, 0, sizeof got);
        for (uint32_t i = 0; i < SET_PARTICLES; ++i)
            got.w[i] = 1.0f;
        want = got;
        struct random random = {4};
        random_set_fill(&set, 2, &random);
        struct stretch_set stretch = random_stretch(&set, runs);
        reset_sums();
        struct stretch_pass pass = pass_over(&got, 1.0f, 0.0f);
        kernels_level(level)->stretch_first(&pass, &stretch);
        CHECK(memcmp(got.u, want.u, sizeof got.u) == 0);
        CHECK_NEAR(lambda[0], 0.0, 0.0);
    }
}

/* After one projection with k = 1 and equal masses an edge alone has its rest length:
 * two roundings of u (0.01) and one of the length (1): 3e-7. */
static void projected_edge_has_its_rest_length(void) {
    uint32_t a = 0, b = 1;
    struct fabric_color color = {.first_single = 0, .single_count = 1};
    float rest = 0.9f;
    struct stretch_set stretch = {
        .count = 1, .color_count = 1, .colors = &color, .a = &a, .b = &b, .rest = &rest};
    for (uint32_t level = 0; kernels_level(level) != NULL; ++level) {
        memset(&got, 0, sizeof got);
        got.x[0][1] = 0.6f;
        got.x[1][1] = 0.8f;
        got.w[0] = 1.0f;
        got.w[1] = 3.0f;
        reset_sums();
        struct stretch_pass pass = pass_over(&got, 1.0f, 0.0f);
        pass.rest = &rest;
        kernels_level(level)->stretch_first(&pass, &stretch);
        double dx = 0.6 + got.u[0][1] - got.u[0][0], dy = 0.8 + got.u[1][1] - got.u[1][0];
        CHECK_NEAR(sqrt(dx * dx + dy * dy), 0.9, 3e-7);
        /* Heavy and light share the way 1:3. */
        CHECK_NEAR(got.u[0][1] / got.u[0][0], -3.0, 1e-5);
    }
}

RUN_TESTS(TEST(run_and_singles_equal_the_serial_list), TEST(compressed_and_woven_ones_equal_it_too),
          TEST(no_lambda_gives_the_same_positions_and_sums),
          TEST(distances_of_hinges_join_their_opposite_vertices), TEST(zero_length_edge_is_left_alone),
          TEST(projected_edge_has_its_rest_length))
