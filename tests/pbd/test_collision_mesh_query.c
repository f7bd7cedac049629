/* Queries of a collision mesh against looking at every triangle. */
#include "check.h"
#include "sheet.h"
#include "solid.h"

#include "contact/collision_mesh.h"

/* Random triangles, some in chains, some alone. */
static struct solid soup(struct random *random, uint32_t triangles, double size) {
    struct solid solid = solid_room(3 * (size_t)triangles, triangles);
    for (uint32_t t = 0; t < triangles; ++t) {
        double at[3];
        for (int k = 0; k < 3; ++k)
            at[k] = random_between(random, -1.0, 1.0);
        for (int k = 0; k < 3; ++k)
            solid_vertex(&solid, at[0] + random_between(random, 0.0, size),
                         at[1] + random_between(random, 0.0, size),
                         at[2] + random_between(random, 0.0, size));
        solid_triangle(&solid, 3 * t, 3 * t + 1, 3 * t + 2);
    }
    return solid;
}

static struct vec3 random_point(struct random *random, double spread) {
    double x = random_between(random, -spread, spread), y = random_between(random, -spread, spread);
    return vec3_make(x, y, random_between(random, -spread, spread));
}

static void closest_point_is_brute_forces(void) {
    struct random random = {1};
    for (int round = 0; round < 20; ++round) {
        struct solid solid = soup(&random, 1 + random_below(&random, 400), 0.3);
        pbd_collision_mesh *mesh = solid_mesh(&solid);
        for (int query = 0; query < 100; ++query) {
            struct vec3 from = random_point(&random, 1.5);
            struct mesh_closest want = {.triangle = MESH_NONE, .distance = INFINITY};
            for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
                struct mesh_closest one = collision_mesh_closest_on(mesh, t, from);
                if (one.distance < want.distance) want = one;
            }
            struct mesh_closest got = collision_mesh_closest(mesh, from, INFINITY);
            CHECK_INT(got.triangle, want.triangle);
            CHECK_NEAR(got.distance, want.distance, 0.0);
            got = collision_mesh_closest(mesh, from, want.distance * 0.99);
            CHECK_INT(got.triangle, MESH_NONE);
            CHECK_NEAR(got.distance, want.distance * 0.99, 0.0);
            got = collision_mesh_closest(mesh, from, want.distance * 1.01);
            CHECK_INT(got.triangle, want.triangle);
        }
        pbd_collision_mesh_unref(mesh);
        solid_free(&solid);
    }
}

/* No point of the triangle is nearer: tried on a lattice of it. The region is where it says. */
static void closest_on_a_triangle_is_the_nearest_of_its_points(void) {
    struct random random = {2};
    struct solid solid = soup(&random, 50, 1.0);
    pbd_collision_mesh *mesh = solid_mesh(&solid);
    int regions[3] = {0, 0, 0};
    for (int query = 0; query < 500; ++query) {
        uint32_t t = random_below(&random, mesh->triangle_count);
        struct vec3 from = random_point(&random, 1.5);
        struct mesh_closest got = collision_mesh_closest_on(mesh, t, from);
        const uint32_t *corner = mesh->triangles[t].point;
        struct vec3 a = mesh->points[corner[0]], b = mesh->points[corner[1]], c = mesh->points[corner[2]];
        ++regions[got.region];
        CHECK_NEAR(vec3_length(vec3_sub(from, got.point)), got.distance, 1e-12);
        for (int i = 0; i <= 20; ++i)
            for (int j = 0; j <= 20 - i; ++j) {
                struct vec3 p =
                    vec3_add_scaled(vec3_add_scaled(a, vec3_sub(b, a), i / 20.0), vec3_sub(c, a), j / 20.0);
                CHECK(vec3_length(vec3_sub(from, p)) >= got.distance - 1e-12);
            }
        double height = vec3_dot(mesh->triangles[t].normal, vec3_sub(got.point, a));
        CHECK_NEAR(height, 0.0, 1e-12);
        if (got.region == MESH_POINT) {
            CHECK_NEAR(vec3_length(vec3_sub(got.point, mesh->points[corner[got.corner]])), 0.0, 0.0);
        } else if (got.region == MESH_EDGE) {
            struct vec3 p = mesh->points[corner[got.corner]], q = mesh->points[corner[(got.corner + 1) % 3]];
            struct vec3 off = vec3_cross(vec3_sub(got.point, p), vec3_sub(q, p));
            CHECK_NEAR(vec3_length(off), 0.0, 1e-12);
        }
    }
    CHECK(regions[0] > 5 && regions[1] > 5 && regions[2] > 5);
    pbd_collision_mesh_unref(mesh);
    solid_free(&solid);
}

static double sign_at(const pbd_collision_mesh *mesh, struct vec3 from) {
    struct mesh_closest closest = collision_mesh_closest(mesh, from, INFINITY);
    return vec3_dot(vec3_sub(from, closest.point), collision_mesh_normal_at(mesh, &closest));
}

/* Points around a box, whose inside is known, where the nearest feature is a face, an
 * edge or a corner; and around a star, whose spikes have sharp points. */
static void pseudo_normals_tell_inside_from_outside(void) {
    struct random random = {3};
    struct solid box = solid_box(0.5, 0.3, 0.2, 2);
    pbd_collision_mesh *mesh = solid_mesh(&box);
    int inside = 0;
    for (int i = 0; i < 3000; ++i) {
        struct vec3 p = random_point(&random, 0.7);
        bool in = fabs(p.x) < 0.5 && fabs(p.y) < 0.3 && fabs(p.z) < 0.2;
        inside += in;
        CHECK((sign_at(mesh, p) < 0.0) == in);
    }
    CHECK(inside > 100);
    pbd_collision_mesh_unref(mesh);
    solid_free(&box);

    struct solid star = solid_ball(1.0, 2);
    for (uint32_t v = 0; v < star.vertex_count; ++v) {
        float *p = star.positions + 3 * v;
        float longest = fmaxf(fabsf(p[0]), fmaxf(fabsf(p[1]), fabsf(p[2])));
        float scale = longest > 0.99f ? 1.0f : 0.4f;
        for (int k = 0; k < 3; ++k)
            p[k] *= scale;
    }
    mesh = solid_mesh(&star);
    /* Inside by counting: a ray's crossings, all triangles looked at. */
    for (int i = 0; i < 1000; ++i) {
        struct vec3 p = random_point(&random, 1.0), d = {0.3711, 0.5723, 0.7312};
        int crossings = 0;
        for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
            const uint32_t *corner = mesh->triangles[t].point;
            struct vec3 a = vec3_sub(mesh->points[corner[0]], p), b = vec3_sub(mesh->points[corner[1]], p),
                        c = vec3_sub(mesh->points[corner[2]], p);
            double u = vec3_dot(d, vec3_cross(a, b)), v = vec3_dot(d, vec3_cross(b, c)),
                   w = vec3_dot(d, vec3_cross(c, a));
            bool through = (u > 0 && v > 0 && w > 0) || (u < 0 && v < 0 && w < 0);
            double along = vec3_dot(d, mesh->triangles[t].normal);
            crossings += through && vec3_dot(a, mesh->triangles[t].normal) / along > 0.0;
        }
        CHECK((sign_at(mesh, p) < 0.0) == (crossings % 2 == 1));
    }
    pbd_collision_mesh_unref(mesh);
    solid_free(&star);
}

static bool box_meets(const pbd_collision_mesh *mesh, const uint32_t *points, int count,
                      const struct bvh_range *range) {
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int i = 0; i < count; ++i) {
        struct vec3 p = mesh->points[points[i]];
        const double at[3] = {p.x, p.y, p.z};
        for (int k = 0; k < 3; ++k) {
            low[k] = fmin(low[k], at[k]);
            high[k] = fmax(high[k], at[k]);
        }
    }
    for (int k = 0; k < 3; ++k)
        if (low[k] > range->high[k] || high[k] < range->low[k]) return false;
    return true;
}

static void features_in_a_box_are_found_once_each(void) {
    struct random random = {4};
    struct solid ball = solid_ball(1.0, 8);
    pbd_collision_mesh *mesh = solid_mesh(&ball);
    uint32_t out[3000];
    for (int query = 0; query < 200; ++query) {
        struct vec3 at = random_point(&random, 1.0), half = random_point(&random, 0.3);
        struct bvh_range range = {{at.x - fabs(half.x), at.y - fabs(half.y), at.z - fabs(half.z)},
                                  {at.x + fabs(half.x), at.y + fabs(half.y), at.z + fabs(half.z)}};
        uint32_t want = 0, got = collision_mesh_find_triangles(mesh, &range, out, 3000);
        for (uint32_t t = 0; t < mesh->triangle_count; ++t)
            want += box_meets(mesh, mesh->triangles[t].point, 3, &range);
        CHECK_INT(got, want);
        want = 0;
        for (uint32_t e = 0; e < mesh->edge_count; ++e)
            want += box_meets(mesh, mesh->edges[e].point, 2, &range);
        CHECK_INT(collision_mesh_find_edges(mesh, &range, NULL, 0), want);
        got = collision_mesh_find_edges(mesh, &range, out, 3000);
        CHECK_INT(got, want);
        for (uint32_t i = 0; i < got; ++i)
            CHECK(box_meets(mesh, mesh->edges[out[i]].point, 2, &range));
        want = 0;
        for (uint32_t p = 0; p < mesh->point_count; ++p)
            want += box_meets(mesh, &p, 1, &range);
        got = collision_mesh_find_points(mesh, &range, out, 3000);
        CHECK_INT(got, want);
        for (uint32_t i = 0; i < got; ++i)
            CHECK(box_meets(mesh, &out[i], 1, &range));
    }
    pbd_collision_mesh_unref(mesh);
    solid_free(&ball);
}

RUN_TESTS(TEST(closest_point_is_brute_forces), TEST(closest_on_a_triangle_is_the_nearest_of_its_points),
          TEST(pseudo_normals_tell_inside_from_outside), TEST(features_in_a_box_are_found_once_each))
