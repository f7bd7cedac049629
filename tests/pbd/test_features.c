/* The stages of a substep: memory, what a substep forgets, velocities. */
#include "support_features.h"

static const float triangle[9] = {0, 0, 0, 1, 0, 0, 0, 0, 1};

static struct feature_bench ball_in_a_triangle(float restitution, bool starts_inside) {
    struct feature_bench bench =
        feature_bench_create(triangle, 3, (uint32_t[]){0, 1, 2}, 1, NULL, 0, 0.01f, 0.0f);
    struct pbd_collider_def def = feature_bench_def((struct pbd_shape){.type = PBD_SPHERE, .radius = 0.05f},
                                                    0.3f, starts_inside ? -0.04f : -0.09f, 0.3f);
    def.restitution = restitution;
    feature_bench_begin(&bench, &def, starts_inside ? NULL : (float[]){0.3f, -0.04f, 0.3f});
    return bench;
}

/* v = (p − x)/h, as the commit does. */
static void set_velocities(struct feature_bench *bench) {
    struct pbd_cloth *cloth = bench->cloth;
    for (uint32_t i = 0; i < cloth->fabric->particle_count; ++i) {
        cloth->state.vx[i] = cloth->scratch.ux[i] * 60.0f;
        cloth->state.vy[i] = cloth->scratch.uy[i] * 60.0f;
        cloth->state.vz[i] = cloth->scratch.uz[i] * 60.0f;
    }
}

/* The speed of the contact's place, up. */
static double place_speed(const struct feature_bench *bench) {
    const struct feature_contact *contact = &bench->features->contacts[0];
    double speed = 0.0;
    for (int k = 0; k < 3; ++k)
        speed += contact->gap.weight[k] * (double)bench->cloth->state.vy[contact->particles[k]];
    return speed;
}

static void memory_comes_with_the_first_collider(void) {
    struct feature_bench bench =
        feature_bench_create(triangle, 3, (uint32_t[]){0, 1, 2}, 1, NULL, 0, 0.01f, 0.0f);
    CHECK(bench.cloth->contacts->features == NULL);
    struct cloth_features *features = NULL;
    CHECK_INT(feature_reserve(&features, bench.cloth->fabric, 3), PBD_OK);
    CHECK(features != NULL && features->group_capacity >= 3);
    struct cloth_features *same = features;
    CHECK_INT(feature_reserve(&features, bench.cloth->fabric, 9), PBD_OK);
    CHECK(features == same && features->group_capacity >= 9);
    feature_destroy(features);
    feature_destroy(NULL);
    feature_bench_destroy(&bench);
}

static void substep_begins_without_contacts(void) {
    struct feature_bench bench = ball_in_a_triangle(0.0f, false);
    feature_project(bench.world, bench.cloth, 1.0f / 60.0f);
    CHECK_INT(bench.features->contact_count, 1);
    CHECK(bench.cloth->contacts->touched[0] || bench.cloth->contacts->touched[1] ||
          bench.cloth->contacts->touched[2]);
    feature_begin_substep(bench.cloth);
    CHECK_INT(bench.features->contact_count, 0);
    for (uint32_t k = 0; k < bench.features->pair_count; ++k)
        CHECK_INT(bench.features->pairs[k].contact, 0);
    feature_begin_tick(bench.cloth);
    CHECK(!bench.features->made);
    feature_bench_destroy(&bench);
}

/* The ball comes at 3 m/s: the place leaves at 3 m/s, and at 3·(1 + e) when it bounces. */
static void touched_cloth_moves_with_the_collider_or_bounces_off(void) {
    for (int k = 0; k < 2; ++k) {
        float e = k == 0 ? 0.0f : 0.5f;
        struct feature_bench bench = ball_in_a_triangle(e, false);
        feature_project(bench.world, bench.cloth, 1.0f / 60.0f);
        set_velocities(&bench);
        feature_velocities(bench.world, bench.cloth, 1.0f / 60.0f);
        /* Without a bounce it keeps what put it on the surface: 2 cm in 1/60 s. */
        CHECK_NEAR(place_speed(&bench), k == 0 ? 1.2 : 3.0 * 1.5, 1e-3);
        feature_bench_destroy(&bench);
    }
}

/* Half of an overlap of 2 cm is undone at 0.6 m/s, and leaves no speed. */
static void undoing_an_overlap_leaves_no_speed(void) {
    struct feature_bench bench = ball_in_a_triangle(0.0f, true);
    bench.world->settings.max_depenetration = 0.6f;
    feature_project(bench.world, bench.cloth, 1.0f / 60.0f);
    CHECK_INT(bench.features->contact_count, 1);
    set_velocities(&bench);
    CHECK_NEAR(place_speed(&bench), 0.6, 1e-4);
    feature_velocities(bench.world, bench.cloth, 1.0f / 60.0f);
    CHECK_NEAR(place_speed(&bench), 0.0, 1e-4);
    feature_bench_destroy(&bench);
}

RUN_TESTS(TEST(memory_comes_with_the_first_collider), TEST(substep_begins_without_contacts),
          TEST(touched_cloth_moves_with_the_collider_or_bounces_off),
          TEST(undoing_an_overlap_leaves_no_speed))
