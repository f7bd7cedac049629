/* The kernels of pressure against scalar twins, bit for bit, at every level. */
#include "check.h"
#include "physics/oracle.h"
#include "physics/random_set.h"

#define ROUNDS 10
#define TRIANGLES 500u

static struct random_particles start, moved, want_moved;
static float got[3][SET_PARTICLES], want[3][SET_PARTICLES];
static uint32_t corner[3][TRIANGLES];
static struct triangle_run runs[TRIANGLES];

static struct triangle_set random_triangles(struct random *random) {
    struct triangle_set set = {.runs = runs, .a = corner[0], .b = corner[1], .c = corner[2]};
    while (set.count + 60 < TRIANGLES / 2) {
        uint32_t length = 8 + random_below(random, 45), a = random_below(random, SET_PARTICLES - 100);
        uint32_t b = a + 1 + random_below(random, 20), c = a + 21 + random_below(random, 20);
        runs[set.run_count++] = (struct triangle_run){set.count, length, a, b, c};
        for (uint32_t k = 0; k < length; ++k, ++set.count) {
            corner[0][set.count] = a + k;
            corner[1][set.count] = b + k;
            corner[2][set.count] = c + k;
        }
    }
    set.first_single = set.count;
    uint32_t singles = 1 + random_below(random, TRIANGLES / 2);
    for (uint32_t i = 0; i < singles; ++i, ++set.count)
        for (uint32_t k = 0; k < 3; ++k)
            corner[k][set.count] = random_below(random, SET_PARTICLES / 3) * 3 + k;
    return set;
}

static struct pressure_pass pass_over(struct random_particles *p, float (*g)[SET_PARTICLES]) {
    return (struct pressure_pass){.x = {p->x[0], p->x[1], p->x[2]},
                                  .u = {p->u[0], p->u[1], p->u[2]},
                                  .w = p->w,
                                  .g = {g[0], g[1], g[2]},
                                  .centre = {0.3f, -0.2f, 0.1f}};
}

static void place(const struct pressure_pass *pass, uint32_t p, float out[3]) {
    for (int k = 0; k < 3; ++k)
        out[k] = (pass->x[k][p] - pass->centre[k]) + pass->u[k][p];
}

static void oracle_part(const struct pressure_pass *pass, uint32_t first, uint32_t count) {
    for (uint32_t from = first; from < first + count; from += 16) {
        uint32_t group = first + count - from < 16 ? first + count - from : 16;
        float of[16][3][3];
        for (uint32_t i = 0; i < group; ++i) {
            float p[3][3];
            for (int c = 0; c < 3; ++c)
                place(pass, corner[c][from + i], p[c]);
            for (int c = 0; c < 3; ++c)
                oracle_cross(p[(c + 1) % 3], p[(c + 2) % 3], of[i][c]);
        }
        for (int c = 0; c < 3; ++c)
            for (uint32_t i = 0; i < group; ++i)
                for (int k = 0; k < 3; ++k)
                    want[k][corner[c][from + i]] += of[i][c][k];
    }
}

static void gradients_equal_their_scalar_twin(void) {
    struct random random = {1};
    for (uint32_t level = 0; kernels_level(level) != NULL; ++level)
        for (int round = 0; round < ROUNDS; ++round) {
            random_particles_fill(&start, &random, round % 2 == 0);
            struct triangle_set set = random_triangles(&random);
            memset(got, 0, sizeof got);
            memset(want, 0, sizeof want);
            struct pressure_pass pass = pass_over(&start, got);
            kernels_level(level)->pressure_gradient(&pass, &set);
            for (uint32_t r = 0; r < set.run_count; ++r)
                oracle_part(&pass, runs[r].first, runs[r].count);
            oracle_part(&pass, set.first_single, set.count - set.first_single);
            int wrong = 0;
            for (int k = 0; k < 3; ++k)
                for (uint32_t i = 0; i < SET_PARTICLES; ++i)
                    wrong += !oracle_same(got[k][i], want[k][i]);
            CHECK_INT(wrong, 0);
        }
}

/* physics.md §9: blocks of 256, 16 interleaved partial sums, 8-4-2-1. */
static struct pressure_sums oracle_sum(const struct pressure_pass *pass, const uint32_t *list,
                                       uint32_t count) {
    struct pressure_sums sums = {0, 0};
    for (uint32_t block = 0; block < count; block += 256) {
        float moment[16] = {0}, weight[16] = {0};
        for (uint32_t i = block; i < count && i < block + 256; ++i) {
            uint32_t p = list ? list[i] : i;
            float at[3], g[3] = {pass->g[0][p], pass->g[1][p], pass->g[2][p]};
            place(pass, p, at);
            float square = oracle_dot(g, g);
            if (square > 0.0f) moment[i % 16] += oracle_dot(at, g);
            if (pass->w[p] > 0.0f) weight[i % 16] += pass->w[p] * square;
        }
        for (int half = 8; half > 0; half /= 2)
            for (int i = 0; i < half; ++i) {
                moment[i] += moment[i + half];
                weight[i] += weight[i + half];
            }
        sums.moment += moment[0];
        sums.weight += weight[0];
    }
    return sums;
}

static void sums_and_moves_equal_their_scalar_twins(void) {
    struct random random = {2};
    uint32_t list[SET_PARTICLES];
    for (uint32_t level = 0; kernels_level(level) != NULL; ++level)
        for (int round = 0; round < ROUNDS; ++round) {
            const struct kernels *kernels = kernels_level(level);
            random_particles_fill(&start, &random, true);
            for (int k = 0; k < 3; ++k)
                for (uint32_t i = 0; i < SET_PARTICLES; ++i)
                    got[k][i] = i % 5 == 0 ? 0.0f : (float)random_between(&random, -1, 1);
            uint32_t count = SET_PARTICLES;
            for (uint32_t p = 0, n = 0; p < SET_PARTICLES; ++p)
                if (round % 2 == 1 && random_below(&random, 3) > 0) list[n++] = p, count = n;
            const uint32_t *particles = round % 2 == 1 ? list : NULL;
            moved = want_moved = start;
            struct pressure_pass pass = pass_over(&moved, got), twin = pass_over(&want_moved, got);
            struct pressure_sums sums = kernels->pressure_sum(&pass, particles, count);
            struct pressure_sums same = oracle_sum(&twin, particles, count);
            CHECK(sums.moment == same.moment && sums.weight == same.weight);
            const float s = 0.0125f;
            kernels->pressure_apply(&pass, particles, count, s);
            int wrong = 0;
            for (uint32_t i = 0; i < count; ++i)
                for (int k = 0; k < 3; ++k) {
                    uint32_t p = particles ? particles[i] : i;
                    float *u = &want_moved.u[k][p];
                    if (twin.w[p] > 0.0f) *u = *u - s * twin.w[p] * got[k][p];
                }
            for (int k = 0; k < 3; ++k)
                for (uint32_t i = 0; i < SET_PARTICLES; ++i)
                    wrong += !oracle_same(moved.u[k][i], want_moved.u[k][i]);
            CHECK_INT(wrong, 0);
        }
}

static void taking_out_a_spin_equals_its_scalar_twin(void) {
    struct random random = {3};
    const struct rigid_motion rigid = {.center = {0.2f, -0.1f, 0.4f}, .spin = {0.01f, -0.02f, 0.005f}};
    for (uint32_t level = 0; kernels_level(level) != NULL; ++level) {
        random_particles_fill(&start, &random, true);
        moved = want_moved = start;
        struct pressure_pass pass = pass_over(&moved, got);
        kernels_level(level)->pressure_unspin(&pass, SET_PARTICLES, &rigid);
        int wrong = 0;
        for (uint32_t i = 0; i < SET_PARTICLES; ++i) {
            float d[3], turn[3];
            for (int k = 0; k < 3; ++k)
                d[k] = start.x[k][i] - rigid.center[k];
            oracle_cross(rigid.spin, d, turn);
            for (int k = 0; k < 3; ++k) {
                float u = start.w[i] > 0.0f ? start.u[k][i] - turn[k] : start.u[k][i];
                wrong += !oracle_same(moved.u[k][i], u);
            }
        }
        CHECK_INT(wrong, 0);
    }
}

RUN_TESTS(TEST(taking_out_a_spin_equals_its_scalar_twin), TEST(gradients_equal_their_scalar_twin),
          TEST(sums_and_moves_equal_their_scalar_twins))
