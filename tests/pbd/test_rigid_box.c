/* Two boxes: separation, faces, edges. */
#include "check.h"

#include "sheet.h"
#include "support_bodies.h"

static struct rigid_hits hits_of(const struct pbd_collider *a, const struct pbd_collider *b, double margin) {
    struct rigid_hits hits = {.count = 0};
    struct rigid_solid solid_a = {&a->shape, &a->substep_end}, solid_b = {&b->shape, &b->substep_end};
    rigid_manifold_boxes(&solid_a, &solid_b, margin, &hits);
    return hits;
}

static double gap_of(const struct pbd_collider *a, const struct pbd_collider *b) {
    struct vec3 normal;
    struct rigid_solid solid_a = {&a->shape, &a->substep_end}, solid_b = {&b->shape, &b->substep_end};
    return rigid_gap_boxes(&solid_a, &solid_b, &normal);
}

static void box_on_a_box_touches_at_four_corners(void) {
    struct pbd_shape small = support_box(0.1, 0.1, 0.1), large = support_box(1.0, 0.5, 1.0);
    struct pbd_collider a = support_body(&small, vec3_make(0.2, 0.599, 0.1), vec3_make(0, 1, 0), 0.4);
    struct pbd_collider b = support_body(&large, vec3_make(0, 0, 0), vec3_make(0, 1, 0), 0.0);
    struct rigid_hits hits = hits_of(&a, &b, 0.01);
    CHECK_INT(hits.count, 4);
    for (uint32_t i = 0; i < hits.count; ++i) {
        CHECK_NEAR(hits.hit[i].gap, -0.001, 1e-7);
        CHECK_NEAR(hits.hit[i].normal.y, 1.0, 1e-12);
        CHECK_NEAR(hits.hit[i].b.y, 0.5, 1e-7);
        CHECK_NEAR(vec3_length(vec3_sub(hits.hit[i].a, vec3_make(0.2, 0.499, 0.1))), 0.1 * sqrt(2.0), 1e-7);
    }
    hits = hits_of(&b, &a, 0.01);
    CHECK_INT(hits.count, 4);
    CHECK_NEAR(hits.hit[0].normal.y, -1.0, 1e-12);
}

static void turned_box_on_an_equal_one_touches_at_eight(void) {
    struct pbd_shape shape = support_box(0.1, 0.1, 0.1);
    struct pbd_collider a = support_body(&shape, vec3_make(0, 0.2, 0), vec3_make(0, 1, 0), 0.785398163);
    struct pbd_collider b = support_body(&shape, vec3_make(0, 0, 0), vec3_make(0, 1, 0), 0.0);
    CHECK_INT(hits_of(&a, &b, 0.01).count, 8);
}

static void crossed_edges_touch_at_one_point(void) {
    struct pbd_shape shape = support_box(1.0, 0.1, 0.1);
    /* Both stand on an edge, one along x, the other along z. */
    struct pbd_collider a = support_body(&shape, vec3_make(0.1, 0.0, 0.2), vec3_make(1, 0, 0), 0.785398163);
    struct pbd_collider b = support_body(&shape, vec3_make(0, 0, 0), vec3_make(0, 1, 0), 1.570796327);
    b.body.now.rotation =
        quaternion_product(b.body.now.rotation, quaternion_about(vec3_make(1, 0, 0), 0.785398163));
    b.substep_end = exact_pose_from(vec3_make(0, -0.28, 0), b.body.now.rotation);
    struct rigid_hits hits = hits_of(&a, &b, 0.01);
    CHECK_INT(hits.count, 1);
    CHECK_NEAR(hits.hit[0].gap, 0.28 - 0.2 * sqrt(2.0), 1e-7);
    CHECK_NEAR(hits.hit[0].normal.y, 1.0, 1e-7);
    CHECK_NEAR(hits.hit[0].a.x, 0.0, 1e-7);
    CHECK_NEAR(hits.hit[0].a.z, 0.2, 1e-7);
}

/* Against the true distance, by descending between the two from many starts. */
static void gap_is_a_lower_bound_and_positive_when_apart(void) {
    struct random random = {11};
    int apart = 0;
    for (int i = 0; i < 400; ++i) {
        struct pbd_shape one =
            support_box(random_between(&random, 0.1, 0.6), 0.2, random_between(&random, 0.1, 0.6));
        struct pbd_shape two = support_box(0.3, random_between(&random, 0.1, 0.6), 0.15);
        struct vec3 axis = {random_between(&random, -1, 1), random_between(&random, -1, 1), 0.7};
        struct vec3 place = {random_between(&random, -1, 1), random_between(&random, -1, 1),
                             random_between(&random, -1, 1)};
        struct pbd_collider a = support_body(&one, place, axis, random_between(&random, -3, 3));
        struct pbd_collider b = support_body(&two, vec3_make(0, 0, 0), vec3_make(0.3, 0.2, 1), 1.0);
        /* Alternating projections converge to the nearest points of convex sets. */
        struct vec3 p = a.substep_end.position, q = p;
        for (int k = 0; k < 500; ++k) {
            struct vec3 local = pose_to_local(&b.substep_end, p), h = b.shape.half;
            local = vec3_make(fmax(-h.x, fmin(h.x, local.x)), fmax(-h.y, fmin(h.y, local.y)),
                              fmax(-h.z, fmin(h.z, local.z)));
            q = pose_to_world(&b.substep_end, local);
            local = pose_to_local(&a.substep_end, q);
            h = a.shape.half;
            local = vec3_make(fmax(-h.x, fmin(h.x, local.x)), fmax(-h.y, fmin(h.y, local.y)),
                              fmax(-h.z, fmin(h.z, local.z)));
            p = pose_to_world(&a.substep_end, local);
        }
        double distance = vec3_length(vec3_sub(p, q)), gap = gap_of(&a, &b);
        CHECK(gap <= distance + 1e-9);
        if (distance > 1e-3) {
            ++apart;
            CHECK(gap > 0.0);
        }
    }
    CHECK(apart > 50);
}

RUN_TESTS(TEST(box_on_a_box_touches_at_four_corners), TEST(turned_box_on_an_equal_one_touches_at_eight),
          TEST(crossed_edges_touch_at_one_point), TEST(gap_is_a_lower_bound_and_positive_when_apart))
