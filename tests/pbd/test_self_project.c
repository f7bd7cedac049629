/* One projection at a time, between cloths of single triangles. */
#include "check.h"
#include "support_cloths.h"

#define H (1.0 / 60)

/* A triangle on the floor, and one whose first corner comes down on it. */
struct pair_scene {
    pbd_world *world;
    pbd_cloth_id floor, above;
};

static struct pair_scene scene_create(double height, float friction) {
    const float floor[] = {0, 0, 0, 3, 0, 0, 0, 0, 3};
    const float above[] = {0.8f, (float)height,     0.7f, 0.8f, (float)height + 1, 0.7f,
                           1.8f, (float)height + 1, 0.7f};
    const uint32_t triangle[] = {0, 2, 1}; /* n = +y */
    struct pair_scene scene = {.world = quiet_world()};
    scene.floor = add_triangles(scene.world, floor, 3, triangle, 1, 0.1f, friction);
    scene.above = add_triangles(scene.world, above, 3, triangle, 1, 0.1f, friction);
    self_begin_tick(scene.world);
    self_begin_substep(scene.world, 0, 1);
    predict_rest(scene.world);
    return scene;
}

/* Sum of masses (1 kg each) times displacements, and of their lengths. */
static double momentum(const struct pair_scene *s, double sum[3]) {
    double size = 0.0;
    sum[0] = sum[1] = sum[2] = 0.0;
    for (uint32_t c = 0; c < s->world->cloth_count; ++c) {
        const struct pbd_cloth *cloth = &s->world->cloths[s->world->cloth_order[c]];
        const float *u[3] = {cloth->scratch.ux, cloth->scratch.uy, cloth->scratch.uz};
        for (uint32_t p = 0; p < cloth->fabric->particle_count; ++p)
            for (int k = 0; k < 3; ++k) {
                sum[k] += (double)u[k][p];
                size += fabs((double)u[k][p]);
            }
    }
    return size;
}

static void a_vertex_is_held_off_a_triangle(void) {
    struct pair_scene s = scene_create(0.15, 0.0f);
    predict_vertex(s.world, s.above, 0, 0, -0.12, 0); /* to 3 cm; 10 cm are to be kept */
    double before[3], after[3], size;
    momentum(&s, before);
    self_project(s.world, (float)H);
    size = momentum(&s, after);
    for (int k = 0; k < 3; ++k)
        CHECK_NEAR(after[k], before[k], 1e-6 * size);
    double t[3] = {1.0 - 0.8 / 3 - 0.7 / 3, 0.8 / 3, 0.7 / 3}, floor = 0.0;
    for (uint32_t v = 0; v < 3; ++v)
        floor += t[v] * predicted_vertex(s.world, s.floor, v).y;
    CHECK_NEAR(predicted_vertex(s.world, s.above, 0).y - floor, 0.1, 1e-6);
    CHECK_INT(s.world->self->couples[0].touch_count, 1);
    pbd_world_destroy(s.world);
}

static void it_is_held_whichever_way_and_however_far_it_goes(void) {
    const double ways[] = {-0.2, -0.5, -3.0};
    for (int i = 0; i < 3; ++i) {
        struct pair_scene s = scene_create(0.15, 0.0f);
        s.world->settings.max_speed = 1e6f;
        for (uint32_t v = 0; v < 3; ++v)
            predict_vertex(s.world, s.above, v, 0, ways[i], 0);
        for (int k = 0; k < 8; ++k)
            self_project(s.world, (float)H);
        CHECK(predicted_vertex(s.world, s.above, 0).y > predicted_vertex(s.world, s.floor, 0).y);
        pbd_world_destroy(s.world);
    }
    struct pair_scene s = scene_create(-1.15, 0.0f); /* its top 15 cm below: from the other side */
    predict_vertex(s.world, s.above, 1, 0, 0.4, 0);
    for (int k = 0; k < 4; ++k)
        self_project(s.world, (float)H);
    double floor = 0.0;
    for (uint32_t v = 0; v < 3; ++v)
        floor += predicted_vertex(s.world, s.floor, v).y / 3.0;
    CHECK(predicted_vertex(s.world, s.above, 1).y < floor - 0.05);
    pbd_world_destroy(s.world);
}

/* Round the floor's border from above to below: no side is kept that it never had. */
static void going_round_the_border_is_free(void) {
    struct pair_scene s = scene_create(0.15, 0.0f);
    for (uint32_t v = 0; v < 3; ++v)
        predict_vertex(s.world, s.above, v, -2.0, 0, 0); /* out … */
    self_project(s.world, (float)H);
    for (uint32_t v = 0; v < 3; ++v)
        predict_vertex(s.world, s.above, v, -2.0, -1.4, 0); /* … down, all of it … */
    self_project(s.world, (float)H);
    for (uint32_t v = 0; v < 3; ++v)
        predict_vertex(s.world, s.above, v, 0, -1.4, 0); /* … and back below */
    self_project(s.world, (float)H);
    CHECK_NEAR(predicted_vertex(s.world, s.above, 1).y, -0.25, 1e-5);
    CHECK_INT(s.world->self->couples[0].touch_count, 0);
    pbd_world_destroy(s.world);
}

static void edges_are_held_off_each_other(void) {
    const float floor[] = {-1, 0, 0, 1, 0, 0, 0, -1, 0}; /* its upper edge along x */
    const float above[] = {0, 0.15f, -1, 0, 0.15f, 1, 0, 1, 0};
    const uint32_t triangle[] = {0, 1, 2};
    struct pair_scene s = {.world = quiet_world()};
    s.floor = add_triangles(s.world, floor, 3, triangle, 1, 0.1f, 0);
    s.above = add_triangles(s.world, above, 3, triangle, 1, 0.1f, 0);
    self_begin_tick(s.world);
    self_begin_substep(s.world, 0, 1);
    predict_rest(s.world);
    for (uint32_t v = 0; v < 3; ++v)
        predict_vertex(s.world, s.above, v, 0, -0.3, 0); /* through it: 15 cm below */
    double before[3], after[3];
    momentum(&s, before);
    self_project(s.world, (float)H);
    double size = momentum(&s, after);
    for (int k = 0; k < 3; ++k)
        CHECK_NEAR(after[k], before[k], 1e-6 * size);
    double apart = 0.5 * (predicted_vertex(s.world, s.above, 0).y + predicted_vertex(s.world, s.above, 1).y) -
                   0.5 * (predicted_vertex(s.world, s.floor, 0).y + predicted_vertex(s.world, s.floor, 1).y);
    CHECK_NEAR(apart, 0.1, 1e-6);
    pbd_world_destroy(s.world);
}

/* μ·N: with μ = 0.5 and a penetration of 7 cm, 3.5 cm of slip are taken. */
static void friction_is_coulombs(void) {
    const double slips[] = {0.02, 0.2};
    for (int i = 0; i < 2; ++i) {
        struct pair_scene s = scene_create(0.15, 0.5f);
        predict_vertex(s.world, s.above, 0, slips[i], -0.12, 0);
        self_project(s.world, (float)H);
        self_project(s.world, (float)H); /* not twice */
        double x = slips[i] + 0.8, t[3] = {1.0 - x / 3 - 0.7 / 3, x / 3, 0.7 / 3}, floor = 0.0;
        for (uint32_t v = 0; v < 3; ++v)
            floor += t[v] * (predicted_vertex(s.world, s.floor, v).x - (v == 1 ? 3.0 : 0.0));
        double slip = predicted_vertex(s.world, s.above, 0).x - 0.8 - floor;
        CHECK_NEAR(slip, i == 0 ? 0.0 : slips[i] - 0.5 * 0.07, 2e-3);
        pbd_world_destroy(s.world);
    }
}

/* 4 cm too near at the start, 2 m/s at most: all of it within a tick of 1/60 s, and no
 * speed is left of it. */
static void an_overlap_leaves_without_speed(void) {
    struct pair_scene s = scene_create(0.0701, 0.0f);
    self_project(s.world, (float)H);
    CHECK_NEAR(s.world->self->couples[0].touches[0].recovered, 0.0299, 1e-4);
    for (uint32_t c = 0; c < 2; ++c) {
        struct pbd_cloth *cloth = &s.world->cloths[s.world->cloth_order[c]];
        for (uint32_t p = 0; p < cloth->fabric->particle_count; ++p)
            cloth->state.vy[p] = cloth->scratch.uy[p] / (float)H;
    }
    self_velocities(s.world, (float)H);
    for (uint32_t v = 0; v < 3; ++v) {
        CHECK_NEAR(vertex_velocity(s.world, s.above, v).y, 0.0, 1e-4);
        CHECK_NEAR(vertex_velocity(s.world, s.floor, v).y, 0.0, 1e-4);
    }
    pbd_world_destroy(s.world);
    s = scene_create(0.02, 0.0f); /* 8 cm: more than a tick's worth */
    self_project(s.world, (float)H);
    CHECK_NEAR(s.world->self->couples[0].touches[0].recovered, 2.0 / 60, 1e-4);
    pbd_world_destroy(s.world);
}

static void what_is_pinned_or_frozen_does_not_yield(void) {
    for (int frozen = 0; frozen < 2; ++frozen) {
        struct pair_scene s = scene_create(0.15, 0.0f);
        const uint32_t all[3] = {0, 1, 2};
        if (frozen)
            world_cloth(s.world, s.floor)->frozen = true;
        else
            CHECK_INT(pbd_cloth_pin(s.world, s.floor, all, 3, NULL), PBD_OK);
        self_begin_tick(s.world);
        predict_vertex(s.world, s.above, 0, 0, -0.12, 0);
        self_project(s.world, (float)H);
        CHECK_NEAR(predicted_vertex(s.world, s.above, 0).y, 0.1, 1e-6);
        for (uint32_t v = 0; v < 3; ++v)
            CHECK(predicted_vertex(s.world, s.floor, v).y == 0.0);
        pbd_world_destroy(s.world);
    }
}

RUN_TESTS(TEST(a_vertex_is_held_off_a_triangle), TEST(it_is_held_whichever_way_and_however_far_it_goes),
          TEST(going_round_the_border_is_free), TEST(edges_are_held_off_each_other),
          TEST(friction_is_coulombs), TEST(an_overlap_leaves_without_speed),
          TEST(what_is_pinned_or_frozen_does_not_yield))
