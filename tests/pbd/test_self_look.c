/* Features seen from each other: analytic cases, and bounds against sampling. */
#include "check.h"
#include "sheet.h"

#include "contact/self_look.h"

static struct vec3 random_point(struct random *random) {
    return vec3_make(random_between(random, -1, 1), random_between(random, -1, 1),
                     random_between(random, -1, 1));
}

static void a_foot_inside_gives_distance_side_and_weights(void) {
    struct vec3 p[4] = {{0.2, 0.3, 0.25}, {0, 0, 0}, {1, 0, 0}, {0, 0, 1}};
    struct look look = look_vertex_triangle(p); /* n = x × z = −y */
    CHECK(look.sound && look.inside && look.volume < 0.0);
    CHECK_NEAR(look.clear, 0.3, 1e-15);
    CHECK_NEAR(look.c[1], -0.55, 1e-15);
    CHECK_NEAR(look.c[2], -0.2, 1e-15);
    CHECK_NEAR(look.c[3], -0.25, 1e-15);
    p[0].y = -0.3;
    CHECK(look_vertex_triangle(p).volume > 0.0);
    p[0].x = -0.1;
    CHECK(!look_vertex_triangle(p).inside);
}

static void crossing_edges_give_their_closest_points(void) {
    struct vec3 p[4] = {{-1, 0.1, 0}, {3, 0.1, 0}, {0, 0, -1}, {0, 0, 1}};
    struct look look = look_edge_edge(p);
    CHECK(look.sound && look.inside);
    CHECK_NEAR(look.clear, 0.1, 1e-15);
    CHECK_NEAR(look.c[0], 0.75, 1e-15);
    CHECK_NEAR(look.c[1], 0.25, 1e-15);
    CHECK_NEAR(look.c[2], -0.5, 1e-15);
    CHECK_NEAR(look.c[3], -0.5, 1e-15);
    double before = look.volume;
    p[0].y = p[1].y = -0.1;
    CHECK(look_edge_edge(p).volume * before < 0.0);
    p[0].x = 0.5; /* the line still passes, the edge does not */
    CHECK(!look_edge_edge(p).inside);
}

static void what_has_no_direction_is_not_sound(void) {
    struct vec3 flat[4] = {{0, 1, 0}, {0, 0, 0}, {1, 0, 0}, {2, 1e-9, 0}};
    CHECK(!look_vertex_triangle(flat).sound);
    struct vec3 point[4] = {{0, 1, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    CHECK(!look_vertex_triangle(point).sound);
    struct vec3 parallel[4] = {{0, 0.5, 0}, {1, 0.5, 0}, {0, 0, 0}, {1, 0, 5e-4}};
    struct look look = look_edge_edge(parallel);
    CHECK(!look.sound);
    CHECK(look.clear > 0.4 && look.clear <= 0.5);
    struct vec3 nan[4] = {{NAN, 0, 0}, {1, 0, 0}, {0, 0, 0}, {0, 0, 1}};
    CHECK(!look_edge_edge(nan).inside && !look_vertex_triangle(nan).inside);
}

/* Σ c = 0, and Σ c·p is as long as clear where the features face each other. */
static void weights_are_the_gradient(void) {
    struct random random = {1};
    for (int round = 0; round < 2000; ++round) {
        struct vec3 p[4];
        for (int k = 0; k < 4; ++k)
            p[k] = random_point(&random);
        struct look look = round % 2 ? look_edge_edge(p) : look_vertex_triangle(p);
        CHECK_NEAR(look.c[0] + look.c[1] + look.c[2] + look.c[3], 0.0, 1e-9);
        if (!look.inside) continue;
        struct vec3 apart = look_apart(look.c, p);
        CHECK_NEAR(vec3_length(apart), look.clear, 1e-9);
        CHECK(vec3_dot(apart, look.normal) * look.volume >= 0.0);
    }
}

/* The nearest of many points of both features: never nearer than distance, never much further. */
static double sampled(const struct vec3 p[4], bool edges) {
    double least = 1e9;
    for (int i = 0; i <= 40; ++i)
        for (int j = 0; j <= 40; ++j) {
            double s = i / 40.0, t = j / 40.0;
            if (!edges && s + t > 1.0) continue;
            struct vec3 a = p[0], b;
            if (edges) {
                a = vec3_add_scaled(p[0], vec3_sub(p[1], p[0]), s);
                b = vec3_add_scaled(p[2], vec3_sub(p[3], p[2]), t);
            } else {
                b = vec3_add_scaled(vec3_add_scaled(p[1], vec3_sub(p[2], p[1]), s), vec3_sub(p[3], p[1]), t);
            }
            double distance = vec3_length(vec3_sub(a, b));
            if (distance < least) least = distance;
        }
    return least;
}

static void clear_and_distance_are_bounds(void) {
    struct random random = {2};
    int nearly = 0;
    for (int round = 0; round < 300; ++round) {
        struct vec3 p[4];
        for (int k = 0; k < 4; ++k)
            p[k] = random_point(&random);
        bool edges = round % 2;
        if (round % 10 == 1) p[3] = vec3_add(p[2], vec3_sub(p[1], p[0])); /* parallel */
        double near = sampled(p, edges);
        double distance = edges ? look_edge_edge_distance(p) : look_vertex_triangle_distance(p);
        double clear = edges ? look_edge_edge(p).clear : look_vertex_triangle(p).clear;
        CHECK(distance <= near + 1e-9 && distance >= near - 0.06);
        CHECK(clear <= distance + 1e-9);
        nearly += clear > 0.8 * distance;
    }
    CHECK(nearly > 150); /* and no loose one */
}

static void piercing_is_passing_through_the_inside(void) {
    const struct vec3 t[3] = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}};
    CHECK(look_edge_pierces(vec3_make(0.2, -1, 0.2), vec3_make(0.3, 1, 0.3), t));
    CHECK(look_edge_pierces(vec3_make(0.3, 1, 0.3), vec3_make(0.2, -1, 0.2), t));
    CHECK(!look_edge_pierces(vec3_make(0.9, -1, 0.9), vec3_make(0.9, 1, 0.9), t));
    CHECK(!look_edge_pierces(vec3_make(0.2, 0.1, 0.2), vec3_make(0.3, 1, 0.3), t));
    CHECK(!look_edge_pierces(vec3_make(0.2, 0, 0.2), vec3_make(0.3, 0, 0.3), t)); /* lies in it */
    /* Two edges that meet in its plane: one of them passes. */
    struct vec3 middle = vec3_make(0.2, 0, 0.2);
    CHECK_INT(look_edge_pierces(vec3_make(0.3, -1, 0.3), middle, t) +
                  look_edge_pierces(middle, vec3_make(0.3, 1, 0.3), t),
              1);
}

RUN_TESTS(TEST(a_foot_inside_gives_distance_side_and_weights), TEST(crossing_edges_give_their_closest_points),
          TEST(what_has_no_direction_is_not_sound), TEST(weights_are_the_gradient),
          TEST(clear_and_distance_are_bounds), TEST(piercing_is_passing_through_the_inside))
