/* Gusts against a scalar twin, bit for bit, at every level, and what the field is like. */
#include "check.h"
#include "physics/oracle.h"
#include "sheet.h"

#define COUNT 4096u

static float x[3][COUNT], got[3][COUNT], want[3][COUNT];

static struct gust_pass pass_over(float (*gust)[COUNT], float strength) {
    return (struct gust_pass){.x = {x[0], x[1], x[2]},
                              .gust = {gust[0], gust[1], gust[2]},
                              .inverse_size = 1.25f,
                              .fraction = {0.25f, 0.0f, 0.875f},
                              .cell = {0xfffffffeu, 7, 123456},
                              .seed = 99,
                              .strength = strength};
}

static uint32_t oracle_hash(uint32_t a, uint32_t b, uint32_t c, uint32_t seed) {
    uint32_t h = seed ^ a * 0x8da6b343u ^ b * 0xd8163841u ^ c * 0xcb1ab31fu;
    h = (h ^ h >> 16) * 0x85ebca6bu;
    h = (h ^ h >> 13) * 0xc2b2ae35u;
    return h ^ h >> 16;
}

static void oracle_gust(const struct gust_pass *pass, uint32_t i, float out[3]) {
    uint32_t cell[3];
    float t[3];
    for (int k = 0; k < 3; ++k) {
        float at = pass->x[k][i] * pass->inverse_size + pass->fraction[k];
        if (!(fabsf(at) < 1e9f)) at = 0.0f;
        float below = floorf(at), in = at - below;
        cell[k] = pass->cell[k] + (uint32_t)(int32_t)below;
        t[k] = in * in * (3.0f - 2.0f * in);
    }
    for (int k = 0; k < 3; ++k) {
        float plane[2];
        for (uint32_t z = 0; z < 2; ++z) {
            float line[2];
            for (uint32_t y = 0; y < 2; ++y) {
                float node[2];
                for (uint32_t n = 0; n < 2; ++n) {
                    uint32_t hash = oracle_hash(cell[0] + n, cell[1] + y, cell[2] + z, pass->seed);
                    node[n] = (float)(hash >> (10 * k) & 1023u) * (2.0f / 1023.0f) - 1.0f;
                }
                line[y] = node[0] + t[0] * (node[1] - node[0]);
            }
            plane[z] = line[0] + t[1] * (line[1] - line[0]);
        }
        out[k] = plane[0] + t[2] * (plane[1] - plane[0]);
    }
}

static void gusts_equal_their_scalar_twin(void) {
    struct random random = {1};
    for (uint32_t i = 0; i < COUNT; ++i)
        for (int k = 0; k < 3; ++k)
            x[k][i] = i % 64 == 0  ? (float)random_between(&random, -1e12, 1e12)
                      : i % 7 == 0 ? (float)random_below(&random, 20) - 10.0f
                                   : (float)random_between(&random, -30, 30);
    for (uint32_t level = 0; kernels_level(level) != NULL; ++level) {
        memset(got, 0, sizeof got);
        struct gust_pass pass = pass_over(got, 1.5f);
        kernels_level(level)->gust_add(&pass, COUNT);
        int wrong = 0;
        for (uint32_t i = 0; i < COUNT; ++i) {
            float noise[3];
            oracle_gust(&pass, i, noise);
            for (int k = 0; k < 3; ++k)
                wrong += !oracle_same(got[k][i], 0.0f + 1.5f * noise[k]);
        }
        CHECK_INT(wrong, 0);
        kernels_level(level)->gust_subtract(x[0], got[0], want[0], COUNT);
        for (uint32_t i = 0; i < COUNT; ++i)
            wrong += !oracle_same(want[0][i], x[0][i] - got[0][i]);
        CHECK_INT(wrong, 0);
    }
}

/* Nodes differ by 2 at most and t²(3−2t) has slope 1.5: 3 per cell. */
static void the_field_is_smooth(void) {
    double steepest = 0, kink = 0;
    for (uint32_t i = 0; i < COUNT; ++i) {
        x[0][i] = -10.0f + (float)i * (1.0f / 256.0f);
        x[1][i] = 0.3f;
        x[2][i] = 0.7f;
    }
    memset(got, 0, sizeof got);
    struct gust_pass pass = pass_over(got, 1.0f);
    pass.inverse_size = 1.0f;
    kernels_best()->gust_add(&pass, COUNT);
    for (uint32_t i = 1; i + 1 < COUNT; ++i)
        for (int k = 0; k < 3; ++k) {
            double before = (got[k][i] - got[k][i - 1]) * 256.0, after = (got[k][i + 1] - got[k][i]) * 256.0;
            steepest = fmax(steepest, fabs(after));
            kink = fmax(kink, fabs(after - before));
        }
    printf("     steepest %.3f per cell, slope changes by %.4f per 1/256 cell\n", steepest, kink);
    CHECK(steepest <= 3.0 + 1e-3);
    /* Second derivative at most 6·2 = 12 per cell²: 12/256 and rounding. */
    CHECK(kink <= 12.0 / 256.0 + 1e-3);
}

/* rms √(1/3·(26/35)³) = 0.3697 of independent cells: 16 a cell edge, 4096 samples. */
static void the_field_has_no_mean_and_the_rms_that_is_said(void) {
    struct random random = {5};
    double sum[3] = {0}, square[3] = {0}, mixed = 0;
    const int rounds = 50;
    for (int round = 0; round < rounds; ++round) {
        for (uint32_t i = 0; i < COUNT; ++i)
            for (int k = 0; k < 3; ++k)
                x[k][i] = (float)random_between(&random, -2000, 2000);
        memset(got, 0, sizeof got);
        struct gust_pass pass = pass_over(got, 1.0f);
        kernels_best()->gust_add(&pass, COUNT);
        for (uint32_t i = 0; i < COUNT; ++i) {
            mixed += got[0][i] * got[1][i];
            for (int k = 0; k < 3; ++k) {
                sum[k] += got[k][i];
                square[k] += (double)got[k][i] * got[k][i];
            }
        }
    }
    double n = (double)COUNT * rounds;
    for (int k = 0; k < 3; ++k) {
        /* Standard errors of 2e5 samples: 0.0008 and 0.0007. */
        CHECK_NEAR(sum[k] / n, 0, 0.004);
        CHECK_NEAR(sqrt(square[k] / n), 0.3697, 0.004);
    }
    CHECK_NEAR(mixed / n, 0, 0.002);
}

/* Carried by whole cells it is the same field. */
static void carried_on_it_is_the_same(void) {
    struct random random = {6};
    for (uint32_t i = 0; i < COUNT; ++i)
        for (int k = 0; k < 3; ++k)
            x[k][i] = (float)random_below(&random, 4096) * (1.0f / 64.0f);
    memset(got, 0, sizeof got);
    struct gust_pass pass = pass_over(got, 1.0f);
    pass.inverse_size = 1.0f;
    kernels_best()->gust_add(&pass, COUNT);
    for (uint32_t i = 0; i < COUNT; ++i)
        x[0][i] += 3.0f;
    memset(want, 0, sizeof want);
    pass = pass_over(want, 1.0f);
    pass.inverse_size = 1.0f;
    pass.cell[0] -= 3;
    kernels_best()->gust_add(&pass, COUNT);
    CHECK(memcmp(got, want, sizeof got) == 0);
}

RUN_TESTS(TEST(gusts_equal_their_scalar_twin), TEST(the_field_is_smooth),
          TEST(the_field_has_no_mean_and_the_rms_that_is_said), TEST(carried_on_it_is_the_same))
