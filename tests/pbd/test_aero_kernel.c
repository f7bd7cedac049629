/* The wind's kernels against a scalar twin, bit for bit, at every level, and the formula of
 * physics.md §7 against itself in double. */
#include "check.h"
#include "physics/oracle.h"
#include "physics/random_set.h"

#define ROUNDS 12
#define TRIANGLES 500u

static struct random_particles start;
static float got[3][SET_PARTICLES], want[3][SET_PARTICLES], inverse_mass[TRIANGLES];
static uint32_t corner[3][TRIANGLES];
static struct triangle_run runs[TRIANGLES];

/* Runs that overlap themselves, as those of a grid do, then singles. */
static struct triangle_set random_triangles(struct random *random) {
    struct triangle_set set = {.runs = runs, .a = corner[0], .b = corner[1], .c = corner[2]};
    set.inverse_mass = inverse_mass;
    while (set.count + 60 < TRIANGLES / 2) {
        uint32_t length = 8 + random_below(random, 45), a = random_below(random, SET_PARTICLES - 100);
        uint32_t b = a + 1 + random_below(random, 40), c = a + 1 + random_below(random, 40);
        if (b == c) continue;
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
            corner[k][set.count] = (random_below(random, SET_PARTICLES / 3)) * 3 + k;
    for (uint32_t t = 0; t < set.count; ++t)
        inverse_mass[t] = random_below(random, 9) == 0 ? 0.0f : (float)random_between(random, 1, 1e4);
    return set;
}

static struct aero_pass pass_over(struct random_particles *p, float (*f)[SET_PARTICLES]) {
    return (struct aero_pass){.x = {p->x[0], p->x[1], p->x[2]},
                              .e = {p->e[0], p->e[1], p->e[2]},
                              .v = {p->v[0], p->v[1], p->v[2]},
                              .inverse_mass = inverse_mass,
                              .f = {f[0], f[1], f[2]},
                              .wind = {7.5f, -0.5f, 2.0f},
                              .half_density = 0.6125f,
                              .drag = 1.2f,
                              .lift = 0.9f,
                              .h = 1.0f / 600.0f};
}

static void oracle_force(const struct aero_pass *pass, uint32_t t, float f[3]) {
    float e1[3], e2[3], u[3], n[3];
    for (int k = 0; k < 3; ++k) {
        const float *x = pass->x[k], *e = pass->e[k], *v = pass->v[k];
        uint32_t a = corner[0][t], b = corner[1][t], c = corner[2][t];
        e1[k] = (x[b] - x[a]) + (e[b] - e[a]);
        e2[k] = (x[c] - x[a]) + (e[c] - e[a]);
        u[k] = pass->wind[k] - (v[a] + v[b] + v[c]) * (1.0f / 3.0f);
    }
    oracle_cross(e1, e2, n);
    float along = oracle_dot(n, u), size = sqrtf(oracle_dot(n, n)), speed = sqrtf(oracle_dot(u, u));
    f[0] = f[1] = f[2] = 0.0f;
    bool live = size * speed > 0.0f && inverse_mass[t] > 0.0f;
    if (!live) return;
    float inverse = 1.0f / (size * speed), faced = fabsf(along), cosine = faced * inverse;
    float k = 0.5f * pass->half_density * faced;
    float third = k / (3.0f * (1.0f + pass->h * k * (pass->drag + pass->lift) * inverse_mass[t]));
    float with = third * (pass->drag - pass->lift * cosine);
    float across = third * pass->lift * (speed * speed * inverse);
    if (along < 0.0f) across = -across;
    for (int axis = 0; axis < 3; ++axis)
        f[axis] = with * u[axis] + across * n[axis];
}

/* A group: all forces, then at all a, at all b, at all c. */
static void oracle_group(const struct aero_pass *pass, uint32_t first, uint32_t count) {
    float f[16][3];
    for (uint32_t i = 0; i < count; ++i)
        oracle_force(pass, first + i, f[i]);
    for (int c = 0; c < 3; ++c)
        for (uint32_t i = 0; i < count; ++i)
            for (int k = 0; k < 3; ++k)
                want[k][corner[c][first + i]] += f[i][k];
}

static void oracle_part(const struct aero_pass *pass, uint32_t first, uint32_t count) {
    for (uint32_t done = 0; done < count; done += 16)
        oracle_group(pass, first + done, count - done < 16 ? count - done : 16);
}

static void forces_equal_their_scalar_twin(void) {
    struct random random = {1};
    for (uint32_t level = 0; kernels_level(level) != NULL; ++level)
        for (int round = 0; round < ROUNDS; ++round) {
            random_particles_fill(&start, &random, round % 2 == 0);
            struct triangle_set set = random_triangles(&random);
            memset(got, 0, sizeof got);
            memset(want, 0, sizeof want);
            struct aero_pass pass = pass_over(&start, got);
            kernels_level(level)->aero_forces(&pass, &set);
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

static void kick_equals_its_scalar_twin(void) {
    struct random random = {2};
    const float h = 1.0f / 600.0f;
    for (uint32_t level = 0; kernels_level(level) != NULL; ++level) {
        random_particles_fill(&start, &random, true);
        struct random_particles moved = start;
        struct cloth_state s = {.vx = moved.v[0], .vy = moved.v[1], .vz = moved.v[2], .w = moved.w};
        for (int k = 0; k < 3; ++k)
            for (uint32_t i = 0; i < SET_PARTICLES; ++i)
                got[k][i] = moved.w[i] > 0.0f ? (float)random_between(&random, -1, 1) : INFINITY;
        kernels_level(level)->aero_kick(&s, got[0], got[1], got[2], SET_PARTICLES, h);
        int wrong = 0;
        for (int k = 0; k < 3; ++k)
            for (uint32_t i = 0; i < SET_PARTICLES; ++i) {
                float now = start.v[k][i];
                if (start.w[i] > 0.0f) now = now + h * start.w[i] * got[k][i];
                wrong += !oracle_same(moved.v[k][i], now);
            }
        CHECK_INT(wrong, 0);
    }
}

/* One triangle of 0.5 m² whose normal is at any angle to the wind: drag and lift as the
 * specification has them, in double, with unit vectors and the cross products spelled out. */
static void one_triangle_obeys_the_formula(void) {
    struct random random = {3};
    double worst = 0.0;
    for (int round = 0; round < 200; ++round) {
        random_particles_fill(&start, &random, true);
        for (uint32_t k = 0; k < 3; ++k)
            corner[k][0] = k;
        struct triangle_set set = {.count = 1, .a = corner[0], .b = corner[1], .c = corner[2]};
        set.inverse_mass = inverse_mass;
        inverse_mass[0] = 20.0f;
        memset(got, 0, sizeof got);
        struct aero_pass pass = pass_over(&start, got);
        kernels_best()->aero_forces(&pass, &set);
        double e1[3], e2[3], u[3], n[3], sized = 0, speed = 0, along = 0;
        for (int k = 0; k < 3; ++k) {
            e1[k] = (double)start.x[k][1] - start.x[k][0] + ((double)start.e[k][1] - start.e[k][0]);
            e2[k] = (double)start.x[k][2] - start.x[k][0] + ((double)start.e[k][2] - start.e[k][0]);
            u[k] = pass.wind[k] - ((double)start.v[k][0] + start.v[k][1] + start.v[k][2]) / 3.0;
        }
        for (int k = 0; k < 3; ++k) {
            n[k] = e1[(k + 1) % 3] * e2[(k + 2) % 3] - e1[(k + 2) % 3] * e2[(k + 1) % 3];
            sized += n[k] * n[k];
            speed += u[k] * u[k];
        }
        double area = 0.5 * sqrt(sized);
        speed = sqrt(speed);
        for (int k = 0; k < 3; ++k) {
            n[k] /= 2.0 * area;
            u[k] /= speed;
            along += n[k] * u[k];
        }
        for (int k = 0; k < 3 && along < 0; ++k)
            n[k] = -n[k];
        double facing = area * fabs(along), q = 0.5 * 1.225 * speed * speed * facing, cross[3], lift[3];
        double limit = 1.0 + pass.h * 0.5 * 1.225 * speed * facing * (1.2 + 0.9) * 20.0;
        for (int k = 0; k < 3; ++k)
            cross[k] = u[(k + 1) % 3] * n[(k + 2) % 3] - u[(k + 2) % 3] * n[(k + 1) % 3];
        for (int k = 0; k < 3; ++k)
            lift[k] = cross[(k + 1) % 3] * u[(k + 2) % 3] - cross[(k + 2) % 3] * u[(k + 1) % 3];
        for (int k = 0; k < 3; ++k) {
            double force = q * (1.2 * u[k] + 0.9 * lift[k]) / limit;
            for (int c = 0; c < 3; ++c)
                worst = fmax(worst, fabs(got[k][c] - force / 3.0) / (q / limit + 1e-30));
        }
    }
    printf("     largest error %.1e of the force\n", worst);
    /* Nearly edge-on triangles lose digits of the angle: a few 1e-7/|cos|. */
    CHECK_NEAR(worst, 0, 2e-4);
}

RUN_TESTS(TEST(forces_equal_their_scalar_twin), TEST(kick_equals_its_scalar_twin),
          TEST(one_triangle_obeys_the_formula))
