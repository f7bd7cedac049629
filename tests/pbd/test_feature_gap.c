/* Nearest points and first contacts against plain sampling. */
#include "check.h"
#include "sheet.h"

#include "contact/feature.h"

static struct vec3 any_point(struct random *random, double size) {
    double x = random_between(random, -size, size), y = random_between(random, -size, size);
    return vec3_make(x, y, random_between(random, -size, size));
}

/* The least distance of points spread over the part, and over the segment. */
static double sampled(struct vec3 a, struct vec3 b, const struct vec3 *p, int corners) {
    enum { PARTS = 60 };
    double least = INFINITY;
    for (int i = 0; i <= PARTS; ++i)
        for (int j = 0; j <= PARTS; ++j) {
            struct vec3 from = a, on;
            if (corners == 2) {
                from = vec3_add_scaled(a, vec3_sub(b, a), (double)i / PARTS);
                on = vec3_add_scaled(p[0], vec3_sub(p[1], p[0]), (double)j / PARTS);
            } else {
                if (i + j > PARTS) break;
                on = vec3_add_scaled(p[0], vec3_sub(p[1], p[0]), (double)i / PARTS);
                on = vec3_add_scaled(on, vec3_sub(p[2], p[0]), (double)j / PARTS);
            }
            least = fmin(least, vec3_length(vec3_sub(on, from)));
        }
    return least;
}

static void distance_is_the_least_of_all_points(void) {
    struct random random = {1};
    double worst = 0.0;
    int inner[4] = {0};
    for (int n = 0; n < 300; ++n) {
        int corners = 2 + n % 2;
        struct vec3 a = any_point(&random, 1.0), b = any_point(&random, 1.0), p[3];
        for (int k = 0; k < 3; ++k)
            p[k] = any_point(&random, 1.0);
        if (n % 10 == 0) b = a;
        struct feature_gap gap = feature_gap_of(a, b, p, corners);
        double about = sampled(a, b, p, corners);
        /* Samples are up to 0.06 apart, and the distance has slope 1. */
        CHECK(gap.distance <= about + 1e-9);
        CHECK(gap.distance >= about - 0.06);
        worst = fmax(worst, about - gap.distance);
        inner[corners] += gap.inner;
        struct vec3 place = feature_place(p, gap.weight, corners);
        struct vec3 off = vec3_sub(place, gap.at);
        CHECK_NEAR(vec3_length(off), gap.distance, 1e-9);
        CHECK_NEAR(vec3_length(vec3_sub(off, vec3_scale(gap.normal, gap.distance))), 0.0, 1e-9);
        CHECK_NEAR(gap.weight[0] + gap.weight[1] + gap.weight[2], 1.0, 1e-12);
    }
    printf("samples are at most %.3f further; inner: %d edges, %d triangles\n", worst, inner[2], inner[3]);
    CHECK(inner[2] > 10 && inner[3] > 10);
}

static void degenerate_parts_have_a_distance(void) {
    struct vec3 q = {0.0, 1.0, 0.0};
    struct vec3 line[3] = {{-1.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.5, 0.0, 0.0}};
    struct feature_gap gap = feature_gap_of(q, q, line, 3);
    CHECK_NEAR(gap.distance, 1.0, 1e-12);
    CHECK(!gap.inner);
    struct vec3 point[2] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    gap = feature_gap_of(q, q, point, 2);
    CHECK_NEAR(gap.distance, 1.0, 1e-12);
    CHECK(!gap.inner);
    /* Parallel edges: a distance, but no contact of their insides. */
    gap = feature_gap_of(vec3_make(-1.0, 1.0, 0.0), vec3_make(1.0, 1.0, 0.0), line, 2);
    CHECK_NEAR(gap.distance, 1.0, 1e-12);
    CHECK(!gap.across);
}

/* On which side of the feature the part is, if it is beside it at all: ±1, else 0. */
static int side_of(const struct feature *feature, const struct vec3 *part, int corners) {
    struct feature_gap gap = feature_gap_of(feature->a, feature->b, part, corners);
    if (!gap.across) return 0;
    struct vec3 u = corners == 3 ? vec3_sub(part[1], part[0]) : vec3_sub(feature->b, feature->a);
    struct vec3 v = vec3_sub(part[corners - 1], part[0]);
    return vec3_dot(gap.normal, vec3_cross(u, v)) > 0.0 ? 1 : -1;
}

/* Whether the one passes through the other: by looking at the side in small steps. */
static bool crosses(const struct feature *feature, const struct feature_way *way) {
    enum { STEPS = 20000 };
    int before = 0;
    for (int s = 0; s <= STEPS; ++s) {
        struct vec3 now[3];
        for (int k = 0; k < way->corners; ++k)
            now[k] = vec3_add_scaled(way->from[k], vec3_sub(way->to[k], way->from[k]), (double)s / STEPS);
        int side = side_of(feature, now, way->corners);
        if (side * before < 0) return true;
        before = side;
    }
    return false;
}

/* Triangles and edges that fly by, up to 200 m in a substep, turning as they go. */
static void first_contact_is_found_at_any_speed(void) {
    struct random random = {2};
    int met = 0, crossed = 0;
    for (int n = 0; n < 400; ++n) {
        int corners = 2 + n % 2;
        struct feature feature = {.kind = corners == 3 ? FEATURE_POINT : FEATURE_SEGMENT};
        feature.a = any_point(&random, 0.2);
        feature.b = corners == 3 ? feature.a : any_point(&random, 0.2);
        struct feature_way way = {.corners = corners, .touching = 1e-4};
        struct vec3 fly = {0.0, n % 3 == 0 ? -200.0 : -4.0, 0.0};
        for (int k = 0; k < 3; ++k) {
            way.from[k] = vec3_add(any_point(&random, 1.0), vec3_scale(fly, -0.5));
            way.to[k] = way.end[k] = vec3_add(vec3_add(way.from[k], fly), any_point(&random, 0.3));
        }
        double margin = 0.05, keep = 0.05;
        struct feature_gap contact = feature_gap_of(feature.a, feature.b, way.from, corners);
        bool found = feature_first_contact(&feature, &way, &margin, keep, &contact);
        bool through = crosses(&feature, &way);
        met += found;
        crossed += through;
        if (through) CHECK(found);
        if (!found) continue;
        CHECK(contact.inner);
        CHECK(contact.distance <= 0.05 * 1.02);
        CHECK(feature_height(&contact, way.end, corners) < keep);
    }
    printf("%d met, of which %d would pass through\n", met, crossed);
    CHECK(crossed > 40 && met < 200);
}

static void what_is_not_a_number_meets_nothing(void) {
    struct feature feature = {.kind = FEATURE_POINT};
    struct feature_way way = {.corners = 3, .touching = 1e-4};
    for (int k = 0; k < 3; ++k)
        way.from[k] = way.to[k] = way.end[k] = vec3_make(NAN, 0.0, INFINITY);
    double margin = 0.05;
    struct feature_gap contact = feature_gap_of(feature.a, feature.b, way.from, 3);
    CHECK(!feature_first_contact(&feature, &way, &margin, 0.05, &contact));
}

RUN_TESTS(TEST(distance_is_the_least_of_all_points), TEST(degenerate_parts_have_a_distance),
          TEST(first_contact_is_found_at_any_speed), TEST(what_is_not_a_number_meets_nothing))
