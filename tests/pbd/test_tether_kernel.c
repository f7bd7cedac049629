/* The kernel of tethers against a scalar twin, bit for bit, at every level. */
#include "check.h"
#include "physics/oracle.h"
#include "physics/random_set.h"

static struct random_particles start, got, want;
static uint32_t anchors[SET_PARTICLES];
static float length[SET_PARTICLES];

static void oracle_pull(uint32_t i, uint32_t a) {
    float d[3];
    for (int k = 0; k < 3; ++k)
        d[k] = (want.x[k][i] - want.x[k][a]) + (want.u[k][i] - want.u[k][a]);
    float far = sqrtf(oracle_dot(d, d)), s = 0.0f;
    if (far > length[i]) s = (far - length[i]) / far;
    for (int k = 0; k < 3; ++k)
        want.u[k][i] -= s * d[k];
}

/* The first ten particles are held; nobody else is an anchor. */
static void tethers_equal_their_scalar_twin(void) {
    struct random random = {1};
    for (uint32_t level = 0; kernels_level(level) != NULL; ++level)
        for (int round = 0; round < 20; ++round) {
            random_particles_fill(&start, &random, round % 2 == 0);
            for (uint32_t i = 0; i < SET_PARTICLES; ++i) {
                anchors[i] = random_below(&random, 10);
                bool none = i < 10 || random_below(&random, 5) == 0;
                length[i] = none ? INFINITY : (float)random_between(&random, 0, 3);
            }
            got = want = start;
            bool single = round % 4 >= 2;
            struct tether_pass pass = {.x = {got.x[0], got.x[1], got.x[2]},
                                       .u = {got.u[0], got.u[1], got.u[2]},
                                       .anchors = single ? NULL : anchors,
                                       .anchor = 7,
                                       .length = length};
            kernels_level(level)->tether_project(&pass, SET_PARTICLES);
            for (uint32_t i = 0; i < SET_PARTICLES; ++i)
                oracle_pull(i, single ? 7 : anchors[i]);
            int wrong = 0;
            for (int k = 0; k < 3; ++k)
                for (uint32_t i = 0; i < SET_PARTICLES; ++i)
                    wrong += !oracle_same(got.u[k][i], want.u[k][i]);
            CHECK_INT(wrong, 0);
        }
}

/* Taut: back to its length, along the gradient of C = d − |p − q|, here by central
 * differences in double. Slack: untouched. */
static void one_projection_solves_the_constraint(void) {
    struct random random = {2};
    double worst_length = 0, worst_way = 0;
    int slack = 0;
    for (int round = 0; round < 200; ++round) {
        random_particles_fill(&start, &random, true);
        got = start;
        for (uint32_t i = 0; i < SET_PARTICLES; ++i)
            length[i] = INFINITY;
        length[1] = (float)random_between(&random, 0.5, 3);
        struct tether_pass pass = {
            .x = {got.x[0], got.x[1], got.x[2]}, .u = {got.u[0], got.u[1], got.u[2]}, .length = length};
        kernels_best()->tether_project(&pass, SET_PARTICLES);
        double p[3], q[3], g[3], moved[3], far = 0, after = 0, way = 0, along = 0;
        for (int k = 0; k < 3; ++k) {
            p[k] = (double)start.x[k][1] + start.u[k][1];
            q[k] = (double)start.x[k][0] + start.u[k][0];
            moved[k] = (double)got.u[k][1] - start.u[k][1];
            far += (p[k] - q[k]) * (p[k] - q[k]);
            after += (p[k] + moved[k] - q[k]) * (p[k] + moved[k] - q[k]);
            way += moved[k] * moved[k];
        }
        if (sqrt(far) <= length[1]) {
            CHECK_NEAR(way, 0, 0);
            ++slack;
            continue;
        }
        for (int k = 0; k < 3; ++k) {
            const double step = 1e-5;
            double value[2];
            for (int side = 0; side < 2; ++side) {
                double at[3] = {p[0], p[1], p[2]}, square = 0;
                at[k] += side ? step : -step;
                for (int j = 0; j < 3; ++j)
                    square += (at[j] - q[j]) * (at[j] - q[j]);
                value[side] = length[1] - sqrt(square);
            }
            g[k] = (value[1] - value[0]) / (2 * step);
            along += g[k] * moved[k];
        }
        worst_length = fmax(worst_length, fabs(sqrt(after) - length[1]));
        /* Δp = −C·∇C/|∇C|² with |∇C| = 1. */
        worst_way = fmax(worst_way, fabs(along - (sqrt(far) - length[1])) + fabs(sqrt(way) - along));
    }
    CHECK(slack > 20);
    printf("     length right to %.1e m, way to %.1e m\n", worst_length, worst_way);
    CHECK_NEAR(worst_length, 0, 1e-6);
    CHECK_NEAR(worst_way, 0, 2e-6);
}

RUN_TESTS(TEST(tethers_equal_their_scalar_twin), TEST(one_projection_solves_the_constraint))
