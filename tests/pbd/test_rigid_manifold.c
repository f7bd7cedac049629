/* Points of contact of all pairs of convex shapes. */
#include "check.h"

#include "sheet.h"
#include "support_bodies.h"

static struct rigid_hits hits_of(const struct pbd_collider *a, const struct pbd_collider *b, double margin) {
    struct rigid_hits hits;
    struct rigid_solid solid_a = {&a->shape, &a->substep_end}, solid_b = {&b->shape, &b->substep_end};
    rigid_manifold(&solid_a, &solid_b, a->substep_end.position, margin, &hits);
    return hits;
}

static struct pbd_collider at(struct pbd_shape shape, double x, double y, double z) {
    return support_body(&shape, vec3_make(x, y, z), vec3_make(0, 1, 0), 0.0);
}

static struct pbd_shape floor_shape(void) {
    return (struct pbd_shape){.type = PBD_PLANE, .normal = {0.0f, 1.0f, 0.0f}};
}

static void shapes_on_a_plane_touch_where_they_stand(void) {
    struct pbd_collider plane = at(floor_shape(), 0, 0, 0);
    struct pbd_collider ball = at(support_ball(0.25), 1, 0.24, 0),
                        box = at(support_box(0.5, 0.25, 0.5), 0, 0.24, 0);
    struct rigid_hits hits = hits_of(&ball, &plane, 0.01);
    CHECK_INT(hits.count, 1);
    CHECK_NEAR(hits.hit[0].gap, -0.01, 1e-7);
    CHECK_NEAR(hits.hit[0].a.y, -0.01, 1e-7);
    CHECK_NEAR(hits.hit[0].b.y, 0.0, 1e-7);
    CHECK_INT(hits_of(&box, &plane, 0.01).count, 4);
    struct pbd_collider standing = at(support_capsule(0.25, 0.5), 0, 0.74, 0);
    CHECK_INT(hits_of(&standing, &plane, 0.01).count, 1);
    struct pbd_shape shape = support_capsule(0.25, 0.5);
    struct pbd_collider lying = support_body(&shape, vec3_make(0, 0.25, 0), vec3_make(0, 0, 1), 1.570796327);
    CHECK_INT(hits_of(&lying, &plane, 0.01).count, 2);
}

static void capsule_across_an_edge_touches_at_its_middle(void) {
    struct pbd_shape shape = support_capsule(0.1, 1.0);
    struct pbd_collider box = at(support_box(0.3, 0.5, 0.3), 0, 0, 0);
    struct pbd_collider capsule = support_body(&shape, vec3_make(0.05, 0.6, 0), vec3_make(0, 0, 1), 1.6);
    struct rigid_hits hits = hits_of(&capsule, &box, 0.02);
    CHECK(hits.count >= 1);
    struct vec3 normal;
    struct rigid_solid a = {&capsule.shape, &capsule.substep_end}, b = {&box.shape, &box.substep_end};
    double gap = rigid_gap(&a, &b, &normal), least = 1.0;
    for (uint32_t i = 0; i < hits.count; ++i)
        least = fmin(least, hits.hit[i].gap);
    CHECK_NEAR(gap, least, 1e-9);
    CHECK(normal.y > 0.9);
}

/* Whoever comes first: the same points with the sides swapped. */
static void order_of_the_two_only_swaps_sides(void) {
    struct pbd_shape shapes[3] = {support_ball(0.3), support_capsule(0.2, 0.3), support_box(0.3, 0.2, 0.25)};
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            struct pbd_collider a =
                support_body(&shapes[i], vec3_make(0.1, 0.42, 0.05), vec3_make(1, 0, 0), 0.1);
            struct pbd_collider b = support_body(&shapes[j], vec3_make(0, 0, 0), vec3_make(0, 0, 1), 0.2);
            struct rigid_hits one = hits_of(&a, &b, 0.2), two = hits_of(&b, &a, 0.2);
            /* Two capsules: the ends of whichever comes first. */
            if (i != 1 || j != 1) CHECK_INT(one.count, two.count);
            double least_one = 1.0, least_two = 1.0;
            for (uint32_t k = 0; k < one.count; ++k) {
                const struct rigid_hit *hit = &one.hit[k];
                least_one = fmin(least_one, hit->gap);
                /* a − b is gap·normal, and both are on the surfaces. */
                CHECK(vec3_length(vec3_sub(vec3_sub(hit->a, hit->b), vec3_scale(hit->normal, hit->gap))) <
                      1e-9);
                struct vec3 n;
                CHECK_NEAR(collide_shape_distance(&b.shape, pose_to_local(&b.substep_end, hit->b), &n), 0.0,
                           0.02);
            }
            for (uint32_t k = 0; k < two.count; ++k)
                least_two = fmin(least_two, two.hit[k].gap);
            CHECK(one.count > 0);
            CHECK_NEAR(least_one, least_two, 1e-6);
        }
}

static void nearest_point_of_a_segment_is_found(void) {
    struct pbd_shape shape = support_ball(0.1);
    struct collide_shape ball = collide_shape_from(&shape);
    CHECK_NEAR(rigid_nearest_on_segment(&ball, vec3_make(-1, 1, 0), vec3_make(3, 1, 0)), 0.25, 1e-9);
    CHECK(rigid_nearest_on_segment(&ball, vec3_make(1, 1, 0), vec3_make(3, 1, 0)) == 0.0);
    CHECK(rigid_nearest_on_segment(&ball, vec3_make(-3, 1, 0), vec3_make(-1, 1, 0)) == 1.0);
}

static void deepest_points_are_kept_when_there_are_many(void) {
    struct rigid_hits hits = {.count = 0};
    for (int i = 0; i < 40; ++i)
        rigid_hits_add(&hits, &(struct rigid_hit){.gap = (double)((i * 7) % 40)});
    CHECK_INT(hits.count, RIGID_POINTS_MAX);
    for (uint32_t i = 0; i < hits.count; ++i)
        CHECK(hits.hit[i].gap < (double)RIGID_POINTS_MAX);
}

RUN_TESTS(TEST(shapes_on_a_plane_touch_where_they_stand), TEST(capsule_across_an_edge_touches_at_its_middle),
          TEST(order_of_the_two_only_swaps_sides), TEST(nearest_point_of_a_segment_is_found),
          TEST(deepest_points_are_kept_when_there_are_many))
