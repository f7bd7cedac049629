/* Ways past meshes: nothing is passed through, flat surfaces are planes whatever their
 * triangles, edges are not walls. */
#include "check.h"
#include "sheet.h"
#include "solid.h"

#include "contact/collide_mesh.h"

static struct vec3 way_end(const pbd_collision_mesh *mesh, struct vec3 from, struct vec3 to, double margin,
                           double recovery, struct mesh_way *way) {
    collide_mesh_begin(way, mesh, from, to, margin, recovery, true);
    return collide_mesh_resolve(way, to);
}

static struct vec3 random_point(struct random *random, double spread) {
    double x = random_between(random, -spread, spread), y = random_between(random, -spread, spread);
    return vec3_make(x, y, random_between(random, -spread, spread));
}

static double nearest_on_segment(const pbd_collision_mesh *mesh, struct vec3 a, struct vec3 b) {
    double nearest = INFINITY;
    for (int i = 0; i <= 64; ++i) {
        struct vec3 p = vec3_add_scaled(a, vec3_sub(b, a), i / 64.0);
        nearest = fmin(nearest, collision_mesh_closest(mesh, p, INFINITY).distance);
    }
    return nearest;
}

/* Triangles in all directions, that cross each other, too. */
static struct solid soup(struct random *random, uint32_t triangles, double size) {
    struct solid solid = solid_room(3 * (size_t)triangles, triangles);
    for (uint32_t t = 0; t < triangles; ++t) {
        struct vec3 at = random_point(random, 1.0);
        for (int k = 0; k < 3; ++k) {
            struct vec3 p = vec3_add(at, random_point(random, size));
            solid_vertex(&solid, p.x, p.y, p.z);
        }
        solid_triangle(&solid, 3 * t, 3 * t + 1, 3 * t + 2);
    }
    return solid;
}

static void no_way_passes_anything(void) {
    struct random random = {1};
    int stopped = 0;
    for (int round = 0; round < 40; ++round) {
        struct solid solid = soup(&random, round < 20 ? 20 : 300, 0.4);
        pbd_collision_mesh *mesh = solid_mesh(&solid);
        for (int i = 0; i < 60; ++i) {
            double margin = i % 3 == 0 ? collide_mesh_skin(mesh) : 0.02, recovery = 0.001;
            struct vec3 from = random_point(&random, 1.2), to = random_point(&random, 1.2);
            struct mesh_way way;
            struct vec3 end = way_end(mesh, from, to, margin, recovery, &way);
            double start = collision_mesh_closest(mesh, from, INFINITY).distance;
            double must = start < margin ? start : margin;
            CHECK(nearest_on_segment(mesh, from, end) >= must - 1e-8);
            /* Never farther from where it was led than the start was. */
            CHECK(vec3_length(vec3_sub(end, to)) <= vec3_length(vec3_sub(from, to)) + recovery + 1e-9);
            stopped += vec3_length(vec3_sub(end, to)) > 1e-9;
        }
        pbd_collision_mesh_unref(mesh);
        solid_free(&solid);
    }
    printf("%d of 2400 ways were stopped\n", stopped);
    CHECK(stopped > 500);
}

static void free_ways_are_not_touched(void) {
    struct solid solid = solid_ball(1.0, 6);
    pbd_collision_mesh *mesh = solid_mesh(&solid);
    struct random random = {2};
    for (int i = 0; i < 500; ++i) {
        struct vec3 from = random_point(&random, 2.0), to = random_point(&random, 2.0);
        if (nearest_on_segment(mesh, from, to) < 0.08) continue; /* 0.05 and half a sample */
        struct mesh_way way;
        if (collide_mesh_distance(mesh, from, INFINITY, &way.closest) < 0.0) continue;
        struct vec3 end = way_end(mesh, from, to, 0.02, 0.001, &way);
        CHECK(end.x == to.x && end.y == to.y && end.z == to.z);
    }
    pbd_collision_mesh_unref(mesh);
    solid_free(&solid);
}

static void flat_triangles_are_one_plane(void) {
    struct solid flat = solid_floor(2.0, 20);
    pbd_collision_mesh *mesh = solid_mesh(&flat);
    struct random random = {3};
    for (int i = 0; i < 3000; ++i) {
        /* From on it, over it, and a little in it: along it and down, over many edges. */
        const double heights[4] = {0.005, 0.0050000001, 0.0049999999, 0.05};
        struct vec3 from = random_point(&random, 0.8), to = random_point(&random, 0.8);
        if (i % 5 == 0) from.x = 0.1 * floor(from.x * 10.0); /* above an edge */
        if (i % 7 == 0) to.z = from.z = 0.1 * floor(from.z * 10.0);
        from.y = heights[i % 4];
        to.y = i % 3 == 0 ? 0.004 : -fabs(to.y);
        struct mesh_way way;
        struct vec3 end = way_end(mesh, from, to, 0.005, 0.001, &way);
        CHECK_NEAR(end.x, to.x, 1e-9);
        CHECK_NEAR(end.y, 0.005, 1e-9);
        CHECK_NEAR(end.z, to.z, 1e-9);
    }
    pbd_collision_mesh_unref(mesh);
    solid_free(&flat);
}

static void edge_of_a_box_is_no_wall(void) {
    struct solid box = solid_box(0.5, 0.5, 0.5, 2);
    pbd_collision_mesh *mesh = solid_mesh(&box);
    /* On top, at 0.1 mm steps up to the edge and over it, exactly on the surface or a
     * rounding in it. */
    for (int i = 0; i < 200; ++i) {
        double x = 0.49 + i * 1e-4, deep = i % 2 ? 1e-12 : 0.0;
        struct vec3 from = {x, 0.505 - deep, 0.1}, to = {x + 1e-4, 0.505, 0.1};
        struct mesh_way way;
        struct vec3 end = way_end(mesh, from, to, 0.005, 0.001, &way);
        CHECK_NEAR(end.x, to.x, 1e-8);
        CHECK(end.y >= 0.505 - 1e-8);
    }
    /* Over the edge it goes round at 5 mm. */
    struct vec3 at = {0.5, 0.505, 0.0};
    for (int i = 0; i < 100; ++i) {
        struct mesh_way way;
        at = way_end(mesh, at, vec3_make(at.x + (at.x < 0.5045 ? 1e-4 : -1e-4), at.y - 2e-4, at.z), 0.005,
                     0.001, &way);
        double away = collision_mesh_closest(mesh, at, INFINITY).distance;
        CHECK(away >= 0.005 - 1e-9 && away < 0.0052);
    }
    CHECK(at.y < 0.5 && at.x >= 0.505 - 1e-9);
    pbd_collision_mesh_unref(mesh);
    solid_free(&box);
}

static void hollow_edge_touches_both_sides(void) {
    for (double rise = 0.02; rise < 3.0; rise *= 2.0) {
        struct solid valley = solid_valley(2.0, rise, 2.0, 5);
        pbd_collision_mesh *mesh = solid_mesh(&valley);
        struct mesh_way way;
        struct vec3 end =
            way_end(mesh, vec3_make(0.3, rise + 0.1, 0.1), vec3_make(0.0, -0.4, 0.1), 0.005, 0.001, &way);
        /* At 5 mm from both slopes. */
        CHECK_NEAR(end.x, 0.0, 1e-9);
        CHECK_NEAR(end.y, 0.005 * sqrt(1.0 + rise * rise), 1e-9);
        /* And stays there. */
        struct vec3 again = way_end(mesh, end, vec3_make(end.x, end.y - 0.01, end.z), 0.005, 0.001, &way);
        CHECK_NEAR(vec3_length(vec3_sub(again, end)), 0.0, 1e-9);
        pbd_collision_mesh_unref(mesh);
        solid_free(&valley);
    }
}

static void crevice_too_narrow_holds_what_is_in_it(void) {
    struct solid valley = solid_valley(0.02, 0.2, 2.0, 1);
    pbd_collision_mesh *mesh = solid_mesh(&valley);
    struct mesh_way way;
    struct vec3 from = {0.0, 0.01, 0.0};
    double start = collision_mesh_closest(mesh, from, INFINITY).distance;
    CHECK(start < 0.005);
    struct vec3 end = way_end(mesh, from, vec3_make(0.0, -0.1, 0.0), 0.005, 0.001, &way);
    CHECK(collision_mesh_closest(mesh, end, INFINITY).distance >= start - 1e-9);
    pbd_collision_mesh_unref(mesh);
    solid_free(&valley);
}

static void overlap_keeps_its_depth_but_for_the_recovery(void) {
    struct solid floor = solid_floor(2.0, 4);
    pbd_collision_mesh *mesh = solid_mesh(&floor);
    struct mesh_way way;
    for (int side = -1; side <= 1; side += 2) {
        struct vec3 end = way_end(mesh, vec3_make(0.1, side * 0.002, 0.2), vec3_make(0.3, -side * 0.2, 0.2),
                                  0.005, 0.001, &way);
        CHECK_NEAR(end.y, side * 0.003, 1e-9);
        CHECK_NEAR(end.x, 0.3, 1e-9);
        CHECK_NEAR(way.planes[0].recovered, 0.001, 1e-12);
    }
    pbd_collision_mesh_unref(mesh);
    solid_free(&floor);

    struct solid box = solid_box(0.5, 0.5, 0.5, 3);
    mesh = solid_mesh(&box);
    struct vec3 end = way_end(mesh, vec3_make(0.1, 0.3, 0.0), vec3_make(0.2, -0.4, 0.0), 0.005, 0.001, &way);
    CHECK_NEAR(way.distance, -0.2, 1e-12);
    CHECK_NEAR(end.y, 0.301, 1e-9);
    CHECK_NEAR(end.x, 0.2, 1e-9);
    /* The last step out ends at the margin. */
    end = way_end(mesh, vec3_make(0.1, 0.4, 0.0), vec3_make(0.1, 0.0, 0.0), 0.005, 0.2, &way);
    CHECK_NEAR(end.y, 0.505, 1e-9);
    pbd_collision_mesh_unref(mesh);
    solid_free(&box);
}

/* Many more triangles in reach than are listed. */
static void crowds_are_collided_with(void) {
    struct solid ball = solid_ball(1.0, 40);
    pbd_collision_mesh *mesh = solid_mesh(&ball);
    struct random random = {5};
    for (int i = 0; i < 50; ++i) {
        struct vec3 from = random_point(&random, 1.0);
        from = vec3_scale(from, 1.5 / vec3_length(from));
        struct mesh_way way;
        struct vec3 end = way_end(mesh, from, vec3_make(0.0, 0.0, 0.0), 0.2, 0.001, &way);
        CHECK_NEAR(vec3_length(end), 1.2, 0.002);
    }
    pbd_collision_mesh_unref(mesh);
    solid_free(&ball);
}

static void bent_ways_meet_what_straight_ones_miss(void) {
    struct solid floor = solid_floor(1.0, 1);
    pbd_collision_mesh *mesh = solid_mesh(&floor);
    struct mesh_way way;
    struct vec3 from = {0.8, 0.3, 0.0}, to = {0.8, -0.3, 0.0};
    struct vec3 end = way_end(mesh, from, to, 0.005, 0.001, &way);
    CHECK_NEAR(vec3_length(vec3_sub(end, to)), 0.0, 0.0);
    collide_mesh_begin(&way, mesh, from, to, 0.005, 0.001, true);
    collide_mesh_pass(&way, from, vec3_make(0.0, 0.0, 0.0));
    collide_mesh_pass(&way, vec3_make(0.0, 0.0, 0.0), to);
    end = collide_mesh_resolve(&way, to);
    CHECK(end.y >= 0.005 - 1e-9);
    pbd_collision_mesh_unref(mesh);
    solid_free(&floor);
}

RUN_TESTS(TEST(no_way_passes_anything), TEST(free_ways_are_not_touched), TEST(flat_triangles_are_one_plane),
          TEST(edge_of_a_box_is_no_wall), TEST(hollow_edge_touches_both_sides),
          TEST(crevice_too_narrow_holds_what_is_in_it), TEST(overlap_keeps_its_depth_but_for_the_recovery),
          TEST(crowds_are_collided_with), TEST(bent_ways_meet_what_straight_ones_miss))
