/* The kernels of method jacobi against scalar twins, bit for bit, at every level. */
#include "check.h"
#include "physics/oracle.h"
#include "physics/random_set.h"

#define ROUNDS 20

static struct random_particles start, got, want;
static struct random_set set;
static struct stretch_run runs[SET_MOST];
static float sums[3][SET_PARTICLES], want_sums[3][SET_PARTICLES], scale[SET_PARTICLES];

static struct cloth_state state_of(struct random_particles *p) {
    return (struct cloth_state){p->x[0], p->x[1], p->x[2], p->e[0], p->e[1], p->e[2], p->v[0],
                                p->v[1], p->v[2], p->w,    NULL,    NULL,    NULL};
}

static struct cloth_scratch scratch_of(struct random_particles *p) {
    return (struct cloth_scratch){.ux = p->u[0],
                                  .uy = p->u[1],
                                  .uz = p->u[2],
                                  .sx = sums[0],
                                  .sy = sums[1],
                                  .sz = sums[2],
                                  .scale = scale};
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

static void gathered_sums_equal_the_serial_list(void) {
    struct random random = {1};
    for (uint32_t level = 0; kernels_level(level) != NULL; ++level)
        for (int round = 0; round < ROUNDS; ++round) {
            random_particles_fill(&start, &random, round % 2 == 0);
            random_set_fill(&set, 2, &random);
            struct stretch_set stretch = random_stretch(&set, runs);
            memset(sums, 0, sizeof sums);
            memset(want_sums, 0, sizeof want_sums);
            struct jacobi_pass pass = {start.x[0], start.x[1], start.x[2], start.u[0], start.u[1],
                                       start.u[2], sums[0],    sums[1],    sums[2],    set.rest};
            kernels_level(level)->jacobi_gather(&pass, &stretch);
            for (uint32_t c = 0; c < set.count; ++c) {
                uint32_t a = set.p[0][c], b = set.p[1][c];
                float d[3];
                for (int k = 0; k < 3; ++k)
                    d[k] = (start.x[k][a] - start.x[k][b]) + (start.u[k][a] - start.u[k][b]);
                float length = sqrtf(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
                if (!(length > 0.0f)) continue;
                float share = 0.5f * (set.rest[c] - length) / length;
                for (int k = 0; k < 3; ++k) {
                    want_sums[k][a] += share * d[k];
                    want_sums[k][b] -= share * d[k];
                }
            }
            int wrong = 0;
            for (int k = 0; k < 3; ++k)
                for (uint32_t i = 0; i < SET_PARTICLES; ++i)
                    wrong += !oracle_same(sums[k][i], want_sums[k][i]);
            CHECK_INT(wrong, 0);
        }
}

static void particle_loops_equal_their_scalar_twins(void) {
    struct random random = {2};
    const struct kick kick = {.factor = 0.99f, .y = -0.326f};
    const float dt = 0.0333f, inverse_dt = 1.0f / dt;
    for (uint32_t level = 0; kernels_level(level) != NULL; ++level)
        for (int round = 0; round < ROUNDS; ++round) {
            random_particles_fill(&start, &random, round % 2 == 0);
            got = want = start;
            struct cloth_state state = state_of(&got);
            struct cloth_scratch scratch = scratch_of(&got);
            for (uint32_t i = 0; i < SET_PARTICLES; ++i) {
                scale[i] = (float)random_between(&random, 0.1, 0.5);
                for (int k = 0; k < 3; ++k)
                    sums[k][i] = (float)random_between(&random, -0.1, 0.1);
            }
            memcpy(want_sums, sums, sizeof sums);
            kernels_level(level)->jacobi_predict(&state, &scratch, SET_PARTICLES, kick, dt);
            kernels_level(level)->jacobi_apply(&state, &scratch, SET_PARTICLES, inverse_dt);
            kernels_level(level)->jacobi_commit(&state, &scratch, SET_PARTICLES);
            const float add[3] = {kick.x, kick.y, kick.z};
            for (int k = 0; k < 3; ++k)
                for (uint32_t i = 0; i < SET_PARTICLES; ++i) {
                    float v = want.v[k][i], u = want.e[k][i], unused;
                    if (want.w[i] > 0.0f) {
                        v = (v + add[k]) * kick.factor;
                        u = u + dt * v;
                        float step = scale[i] * want_sums[k][i];
                        u = u + step;
                        v = v + step * inverse_dt;
                    }
                    want.u[k][i] = u;
                    want.v[k][i] = oracle_without_tiny(v);
                    oracle_commit(&want.x[k][i], &want.e[k][i], &unused, u, 1.0f);
                }
            CHECK_INT(differences(), 0);
            int left = 0;
            for (int k = 0; k < 3; ++k)
                for (uint32_t i = 0; i < SET_PARTICLES; ++i)
                    left += sums[k][i] != 0.0f;
            CHECK_INT(left, 0);
        }
}

RUN_TESTS(TEST(gathered_sums_equal_the_serial_list), TEST(particle_loops_equal_their_scalar_twins))
