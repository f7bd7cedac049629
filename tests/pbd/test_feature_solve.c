/* One contact: who moves how far, friction, masses, pinned particles. */
#include "support_features.h"

#include "contact/rigid.h"

static const float triangle[9] = {0, 0, 0, 1, 0, 0, 0, 0, 1};
static const uint32_t corners[3] = {0, 1, 2};

static struct feature_bench triangle_bench(float friction) {
    return feature_bench_create(triangle, 3, corners, 1, NULL, 0, 0.01f, friction);
}

static void project(struct feature_bench *bench) {
    feature_project(bench->world, bench->cloth, 1.0f / 60.0f);
}

/* A ball that is raised into the inside of a triangle lifts each corner by its weight. */
static void push_is_shared_by_weight(void) {
    struct feature_bench bench = triangle_bench(0.0f);
    struct pbd_collider_def def =
        feature_bench_def((struct pbd_shape){.type = PBD_SPHERE, .radius = 0.05f}, 0.5f, -0.5f, 0.3f);
    feature_bench_begin(&bench, &def, (float[]){0.5f, 0.05f, 0.3f});
    project(&bench);
    CHECK_INT(bench.features->contact_count, 1);
    /* Weights 0.2, 0.5, 0.3; the ball's top and the thickness are at 0.11. A contact begins
     * within 1 % of the distance kept. */
    double square = 0.04 + 0.25 + 0.09, sum = 0.0;
    const double weight[3] = {0.2, 0.5, 0.3};
    for (uint32_t k = 0; k < 3; ++k) {
        double y = feature_bench_at(&bench, k).y;
        CHECK_NEAR(y, 0.11 * weight[k] / square, 1e-3);
        sum += weight[k] * y;
    }
    CHECK_NEAR(sum, 0.11, 1e-3);
    feature_bench_destroy(&bench);
}

static void edge_is_met_by_ball_and_box(void) {
    const float line[6] = {-0.5f, 0, 0, 0.5f, 0, 0};
    for (int k = 0; k < 2; ++k) {
        struct feature_bench bench =
            feature_bench_create(line, 2, NULL, 0, (uint32_t[]){0, 1}, 1, 0.01f, 0.0f);
        struct pbd_shape shape = {
            .type = k == 0 ? PBD_SPHERE : PBD_BOX, .radius = 0.05f, .half_extents = {0.01f, 0.05f, 0.05f}};
        struct pbd_collider_def def = feature_bench_def(shape, 0.0f, -0.5f, 0.01f);
        feature_bench_begin(&bench, &def, (float[]){0.0f, 0.0f, 0.01f});
        project(&bench);
        CHECK(bench.features->contact_count > 0);
        double y = feature_bench_at(&bench, 0).y, z = feature_bench_at(&bench, 0).z;
        double distance = k == 0 ? hypot(y, z - 0.01) : y;
        CHECK_NEAR(distance, 0.06, 2e-3);
        feature_bench_destroy(&bench);
    }
}

/* Momentum: what the triangle gains the body loses; none of it is near the other's start. */
static void bodies_take_their_share(void) {
    struct feature_bench bench = triangle_bench(0.5f);
    struct pbd_collider_def def =
        feature_bench_def((struct pbd_shape){.type = PBD_SPHERE, .radius = 0.05f}, 0.3f, -0.055f, 0.3f);
    def.motion = PBD_DYNAMIC;
    def.mass = 2.0f;
    def.velocity[0] = 3.0f;
    def.velocity[1] = 6.0f;
    feature_bench_begin(&bench, &def, NULL);
    struct vec3 before = bench.collider->substep_end.position;
    project(&bench);
    CHECK(bench.features->contact_count > 0);
    /* Without what undid the depth at the start, which is no momentum. */
    before = vec3_add(before, bench.collider->body.lifted);
    struct vec3 sum = vec3_scale(vec3_sub(bench.collider->substep_end.position, before), 2.0);
    struct vec3 gained = {0.0, 0.0, 0.0};
    for (uint32_t k = 0; k < 3; ++k) {
        uint32_t i = feature_bench_particle(&bench, k);
        const struct cloth_state *state = &bench.cloth->state;
        struct vec3 start = vec3_add(particle_base(state, i), particle_residual(state, i));
        gained = vec3_add(gained, vec3_sub(feature_bench_at(&bench, k), start));
    }
    printf("impulse %.3f %.3f %.3f kg m\n", gained.x, gained.y, gained.z);
    CHECK(gained.y > 0.01 && gained.x > 0.001);
    CHECK_NEAR(vec3_length(vec3_add(sum, gained)), 0.0, 1e-6);
    feature_bench_destroy(&bench);
}

/* A platform's edge slides 5 cm sideways while it lifts by 2 cm: friction is μ times that. */
static void friction_is_coulombs(void) {
    for (int k = 0; k < 2; ++k) {
        double mu = k == 0 ? 0.5 : 4.0;
        struct feature_bench bench = triangle_bench((float)(mu * mu)); /* the ball has 1 */
        struct pbd_collider_def def =
            feature_bench_def((struct pbd_shape){.type = PBD_SPHERE, .radius = 0.05f}, 0.3f, -0.06f, 0.3f);
        feature_bench_begin(&bench, &def, (float[]){0.35f, -0.04f, 0.3f});
        project(&bench);
        const struct feature_contact *contact = &bench.features->contacts[0];
        CHECK(bench.features->contact_count == 1);
        double x = 0.0, y = 0.0;
        for (uint32_t n = 0; n < 3; ++n) {
            uint32_t v = n; /* weights belong to the contact's particles */
            for (int c = 0; c < 3; ++c)
                if (contact->particles[c] == feature_bench_particle(&bench, v)) {
                    x += contact->gap.weight[c] * (feature_bench_at(&bench, v).x - (double)triangle[3 * v]);
                    y += contact->gap.weight[c] * feature_bench_at(&bench, v).y;
                }
        }
        CHECK_NEAR(y, 0.02, 1e-5);
        CHECK_NEAR(x, mu * 0.02 < 0.05 ? mu * 0.02 : 0.05, 1e-5);
        feature_bench_destroy(&bench);
    }
}

static void lone_free_corner_is_not_flung_away(void) {
    struct feature_bench bench = triangle_bench(0.0f);
    CHECK_INT(pbd_cloth_pin(bench.world, bench.cloth->id, (uint32_t[]){0, 1}, 2, NULL), PBD_OK);
    /* Its weight is 0.01: to lift the place by 2 cm it would have to go 2 m. */
    struct pbd_collider_def def =
        feature_bench_def((struct pbd_shape){.type = PBD_SPHERE, .radius = 0.05f}, 0.5f, -0.06f, 0.01f);
    feature_bench_begin(&bench, &def, (float[]){0.5f, -0.04f, 0.01f});
    project(&bench);
    double y = feature_bench_at(&bench, 2).y;
    printf("lifted by %.3f m\n", y);
    CHECK(y > 0.0 && y < 0.5);
    feature_bench_destroy(&bench);
}

RUN_TESTS(TEST(push_is_shared_by_weight), TEST(edge_is_met_by_ball_and_box), TEST(bodies_take_their_share),
          TEST(friction_is_coulombs), TEST(lone_free_corner_is_not_flung_away))
