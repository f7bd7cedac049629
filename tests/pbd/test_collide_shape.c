/* Distances against closed forms, and the sweep against a fine march along the way. */
#include "check.h"

#include <stdint.h>

#include "contact/collide_shape.h"

static struct collide_shape plane_at_one(void) {
    /* 2·y = 2: an unnormalised normal and offset mean the plane y = 1. */
    struct pbd_shape shape = {.type = PBD_PLANE, .normal = {0.0f, 2.0f, 0.0f}, .offset = 2.0f};
    return collide_shape_from(&shape);
}

static struct collide_shape ball(void) {
    struct pbd_shape shape = {.type = PBD_SPHERE, .radius = 0.5f};
    return collide_shape_from(&shape);
}

static struct collide_shape capsule(void) {
    struct pbd_shape shape = {.type = PBD_CAPSULE, .radius = 0.25f, .half_height = 1.0f};
    return collide_shape_from(&shape);
}

static struct collide_shape box(void) {
    struct pbd_shape shape = {.type = PBD_BOX, .half_extents = {1.0f, 0.5f, 2.0f}};
    return collide_shape_from(&shape);
}

/* Doubles of size 1 after a handful of operations. */
#define EXACT 1e-14

static void check_distance(const struct collide_shape *shape, struct vec3 at, double distance,
                           struct vec3 normal) {
    struct vec3 n;
    CHECK_NEAR(collide_shape_distance(shape, at, &n), distance, EXACT);
    CHECK_NEAR(n.x, normal.x, EXACT);
    CHECK_NEAR(n.y, normal.y, EXACT);
    CHECK_NEAR(n.z, normal.z, EXACT);
}

static void plane_measures_along_its_unit_normal(void) {
    struct collide_shape shape = plane_at_one();
    check_distance(&shape, vec3_make(5.0, 3.0, -2.0), 2.0, vec3_make(0.0, 1.0, 0.0));
    check_distance(&shape, vec3_make(5.0, -3.0, -2.0), -4.0, vec3_make(0.0, 1.0, 0.0));
}

static void sphere_measures_from_its_centre(void) {
    struct collide_shape shape = ball();
    check_distance(&shape, vec3_make(0.0, 0.0, -2.0), 1.5, vec3_make(0.0, 0.0, -1.0));
    check_distance(&shape, vec3_make(0.3, 0.0, 0.0), -0.2, vec3_make(1.0, 0.0, 0.0));
    check_distance(&shape, vec3_make(0.0, 0.0, 0.0), -0.5, vec3_make(0.0, 1.0, 0.0));
}

static void capsule_has_a_side_and_round_caps(void) {
    struct collide_shape shape = capsule();
    check_distance(&shape, vec3_make(1.0, 0.5, 0.0), 0.75, vec3_make(1.0, 0.0, 0.0));
    check_distance(&shape, vec3_make(0.0, 2.0, 0.0), 0.75, vec3_make(0.0, 1.0, 0.0));
    check_distance(&shape, vec3_make(0.0, -1.6, 0.8), sqrt(0.36 + 0.64) - 0.25, vec3_make(0.0, -0.6, 0.8));
    check_distance(&shape, vec3_make(0.0, 0.5, 0.0), -0.25, vec3_make(1.0, 0.0, 0.0));
}

static void box_has_faces_edges_and_corners(void) {
    struct collide_shape shape = box();
    check_distance(&shape, vec3_make(0.0, 0.75, 1.0), 0.25, vec3_make(0.0, 1.0, 0.0));
    check_distance(&shape, vec3_make(-1.6, -1.3, 0.0), 1.0, vec3_make(-0.6, -0.8, 0.0));
    double third = 1.0 / sqrt(3.0);
    check_distance(&shape, vec3_make(2.0, 1.5, -3.0), sqrt(3.0), vec3_make(third, third, -third));
    check_distance(&shape, vec3_make(0.9, 0.0, 0.0), -0.1, vec3_make(1.0, 0.0, 0.0));
    check_distance(&shape, vec3_make(0.0, -0.4, 0.0), -0.1, vec3_make(0.0, -1.0, 0.0));
    check_distance(&shape, vec3_make(1.0, 0.0, 0.0), 0.0, vec3_make(1.0, 0.0, 0.0));
    /* Tiny distances keep their direction. */
    check_distance(&shape, vec3_make(0.0, 0.5 + 0x1p-50, 0.0), 0x1p-50, vec3_make(0.0, 1.0, 0.0));
}

/* Reproducible numbers in [−1, 1). */
static double noise(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(int64_t)(*state) * 0x1p-63;
}

static struct vec3 somewhere(uint64_t *state, double reach) {
    double x = reach * noise(state), y = reach * noise(state), z = reach * noise(state);
    return vec3_make(x, y, z);
}

/* The sweep agrees with 1000 samples of the distance along the way: it finds a contact
 * where one is deeper than a sample can miss, none where all are clear, and all samples
 * beyond the first contact's plane are what the plane calls inside or are outside. */
static void check_sweeps(const struct collide_shape *shape, double margin, uint64_t seed) {
    int hits = 0;
    for (int k = 0; k < 400; ++k) {
        struct vec3 a = somewhere(&seed, 2.0), b = somewhere(&seed, 2.0), n, point, normal;
        if (collide_shape_distance(shape, a, &n) <= margin) continue;
        struct vec3 way = vec3_sub(b, a);
        double nearest = INFINITY, first = 2.0;
        for (int i = 0; i <= 1000; ++i) {
            double t = i / 1000.0;
            double gap = collide_shape_distance(shape, vec3_add_scaled(a, way, t), &n) - margin;
            if (gap < nearest) nearest = gap;
            if (gap <= 0.0 && first > 1.0) first = t;
        }
        bool hit = collide_shape_sweep(shape, a, b, margin, &point, &normal);
        double sample = vec3_length(way) / 1000.0;
        if (nearest > sample) CHECK(!hit);
        if (nearest < -sample) CHECK(hit);
        if (!hit || nearest > -sample) continue;
        ++hits;
        /* It is where the march first went in, to a sample, and on the inflated surface. */
        double along = vec3_dot(vec3_sub(point, a), way) / vec3_dot(way, way);
        CHECK_NEAR(along, first, 2e-3);
        CHECK_NEAR(collide_shape_distance(shape, point, &n), margin, 1e-9);
        CHECK_NEAR(vec3_length(normal), 1.0, EXACT);
        /* The shape is behind the plane. */
        for (int i = 0; i < 50; ++i) {
            struct vec3 q = somewhere(&seed, 3.0);
            if (vec3_dot(normal, vec3_sub(q, point)) >= 1e-9)
                CHECK(collide_shape_distance(shape, q, &n) >= margin - 1e-9);
        }
    }
    CHECK(hits > 10);
}

static void sweep_finds_the_first_contact_of_every_shape(void) {
    struct collide_shape shapes[] = {plane_at_one(), ball(), capsule(), box()};
    for (size_t k = 0; k < sizeof shapes / sizeof shapes[0]; ++k) {
        check_sweeps(&shapes[k], 0.0, 17 + k);
        check_sweeps(&shapes[k], 0.125, 99 + k);
    }
}

static void sweep_starting_inside_uses_the_nearest_face(void) {
    struct collide_shape shape = box();
    struct vec3 point, normal;
    CHECK(collide_shape_sweep(&shape, vec3_make(0.2, 0.45, 0.3), vec3_make(0.2, -5.0, 0.3), 0.0, &point,
                              &normal));
    CHECK_NEAR(normal.y, 1.0, EXACT);
    CHECK_NEAR(point.y, 0.5, EXACT);
    CHECK_NEAR(point.x, 0.2, EXACT);
}

static void sweep_passes_a_grazing_way(void) {
    struct collide_shape shape = ball();
    struct vec3 point, normal;
    CHECK(!collide_shape_sweep(&shape, vec3_make(-2.0, 0.5 + 1e-9, 0.0), vec3_make(2.0, 0.5 + 1e-9, 0.0), 0.0,
                               &point, &normal));
    /* Leaving from the surface is no contact that pushes. */
    CHECK(collide_shape_sweep(&shape, vec3_make(0.0, 0.5, 0.0), vec3_make(0.0, 3.0, 0.0), 0.0, &point,
                              &normal));
    CHECK(vec3_dot(normal, vec3_sub(vec3_make(0.0, 3.0, 0.0), point)) > 0.0);
}

static void very_fast_ways_cannot_jump_over_a_thin_box(void) {
    struct pbd_shape thin = {.type = PBD_BOX, .half_extents = {1.0f, 0.005f, 1.0f}};
    struct collide_shape shape = collide_shape_from(&thin);
    struct vec3 point, normal;
    CHECK(collide_shape_sweep(&shape, vec3_make(0.3, 1e6, 0.2), vec3_make(0.3, -1e6, 0.2), 0.0, &point,
                              &normal));
    CHECK_NEAR(normal.y, 1.0, EXACT);
    /* The half extent is a float32. */
    CHECK_NEAR(point.y, 0.005, 1e-9);
}

RUN_TESTS(TEST(plane_measures_along_its_unit_normal), TEST(sphere_measures_from_its_centre),
          TEST(capsule_has_a_side_and_round_caps), TEST(box_has_faces_edges_and_corners),
          TEST(sweep_finds_the_first_contact_of_every_shape),
          TEST(sweep_starting_inside_uses_the_nearest_face), TEST(sweep_passes_a_grazing_way),
          TEST(very_fast_ways_cannot_jump_over_a_thin_box))
