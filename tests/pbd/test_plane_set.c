/* The nearest point in front of planes: in front of all, and none that is in front is nearer. */
#include "check.h"
#include "sheet.h"

#include "contact/plane_set.h"

static struct vec3 random_direction(struct random *random) {
    for (;;) {
        double x = random_between(random, -1.0, 1.0), y = random_between(random, -1.0, 1.0);
        struct vec3 v = {x, y, random_between(random, -1.0, 1.0)};
        double length = vec3_length(v);
        if (length > 0.1 && length < 1.0) return vec3_scale(v, 1.0 / length);
    }
}

/* (q − to)·(any point in front − q) ≥ 0 is what makes q the nearest of a convex set. */
static void nearest_is_in_front_of_all_and_none_is_nearer(void) {
    struct random random = {1};
    int pushes[4] = {0, 0, 0, 0};
    for (int round = 0; round < 4000; ++round) {
        struct plane planes[PLANES_MAX];
        int count = (int)random_below(&random, PLANES_MAX + 1);
        /* The origin is in front of all. */
        for (int k = 0; k < count; ++k)
            planes[k] = (struct plane){random_direction(&random), -random_between(&random, 0.0, 0.3)};
        struct vec3 to = vec3_scale(random_direction(&random), 1.0), nearest, sum = to;
        double push[PLANES_MAX];
        CHECK(plane_set_nearest(planes, count, to, 1e-12, &nearest, push));
        int pushed = 0;
        for (int k = 0; k < count; ++k) {
            double height = vec3_dot(planes[k].normal, nearest) - planes[k].height;
            CHECK(push[k] >= 0.0);
            CHECK(height >= -1e-12);
            if (push[k] > 1e-12) CHECK_NEAR(height, 0.0, 1e-9);
            pushed += push[k] > 0.0;
            sum = vec3_add_scaled(sum, planes[k].normal, push[k]);
        }
        CHECK(pushed <= 3);
        ++pushes[pushed < 4 ? pushed : 3];
        CHECK_NEAR(vec3_length(vec3_sub(sum, nearest)), 0.0, 1e-12);
        struct vec3 way = vec3_sub(nearest, to);
        for (int i = 0; i < 20; ++i) {
            struct vec3 other = vec3_scale(random_direction(&random), random_between(&random, 0.0, 1.0));
            bool front = true;
            for (int k = 0; k < count; ++k)
                front = front && vec3_dot(planes[k].normal, other) >= planes[k].height;
            if (front) CHECK(vec3_dot(way, vec3_sub(other, nearest)) >= -1e-9);
        }
    }
    for (int k = 0; k < 4; ++k)
        CHECK(pushes[k] > 20);
}

static void planes_that_exclude_each_other_have_none(void) {
    const struct plane planes[2] = {{{0.0, 1.0, 0.0}, 1.0}, {{0.0, -1.0, 0.0}, 1.0}};
    struct vec3 nearest;
    double push[2];
    CHECK(!plane_set_nearest(planes, 2, vec3_make(0.0, 0.0, 0.0), 1e-12, &nearest, push));
}

static void equal_planes_count_once(void) {
    const struct plane planes[3] = {{{0.0, 1.0, 0.0}, 1.0}, {{0.0, 1.0, 0.0}, 1.0}, {{0.0, 1.0, 0.0}, 1.0}};
    struct vec3 nearest;
    double push[3];
    CHECK(plane_set_nearest(planes, 3, vec3_make(0.5, 0.0, 0.0), 1e-12, &nearest, push));
    CHECK_NEAR(nearest.y, 1.0, 0.0);
    CHECK_NEAR(push[0] + push[1] + push[2], 1.0, 0.0);
}

RUN_TESTS(TEST(nearest_is_in_front_of_all_and_none_is_nearer), TEST(planes_that_exclude_each_other_have_none),
          TEST(equal_planes_count_once))
