/* Which features the shapes have, which normals they allow, what counts as crossed. */
#include "check.h"
#include "solid.h"

#include "contact/feature.h"

static struct collide_shape box_shape(void) {
    return collide_shape_from(&(struct pbd_shape){.type = PBD_BOX, .half_extents = {1.0f, 2.0f, 3.0f}});
}

static void shapes_have_their_features(void) {
    const struct {
        struct pbd_shape shape;
        uint32_t points, segments;
    } cases[] = {{{.type = PBD_PLANE, .normal = {0.0f, 1.0f, 0.0f}}, 0, 0},
                 {{.type = PBD_SPHERE, .radius = 0.5f}, 1, 1},
                 {{.type = PBD_CAPSULE, .radius = 0.5f, .half_height = 2.0f}, 2, 1},
                 {{.type = PBD_BOX, .half_extents = {1.0f, 2.0f, 3.0f}}, 8, 12}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; ++k) {
        struct collide_shape shape = collide_shape_from(&cases[k].shape);
        CHECK_INT(feature_count(&shape, NULL, FEATURE_POINT), cases[k].points);
        CHECK_INT(feature_count(&shape, NULL, FEATURE_SEGMENT), cases[k].segments);
    }
    struct collide_shape capsule =
        collide_shape_from(&(struct pbd_shape){.type = PBD_CAPSULE, .radius = 0.5f, .half_height = 2.0f});
    struct feature axis = feature_make(&capsule, NULL, FEATURE_SEGMENT, 0);
    CHECK_NEAR(axis.b.y - axis.a.y, 4.0, 1e-12);
    CHECK_NEAR(axis.radius, 0.5, 1e-12);
    CHECK_NEAR(feature_make(&capsule, NULL, FEATURE_POINT, 1).a.y, 2.0, 1e-12);
}

/* All 8 corners and the 12 edges between those that differ in one coordinate, each once. */
static void box_has_its_corners_and_edges(void) {
    struct collide_shape box = box_shape();
    unsigned corners = 0, seen[8] = {0};
    for (uint32_t k = 0; k < 8; ++k) {
        struct vec3 c = feature_make(&box, NULL, FEATURE_POINT, k).a;
        CHECK(fabs(c.x) == 1.0 && fabs(c.y) == 2.0 && fabs(c.z) == 3.0);
        corners |= 1u << ((c.x > 0) + 2 * (c.y > 0) + 4 * (c.z > 0));
    }
    CHECK_INT(corners, 255);
    double lengths = 0.0;
    for (uint32_t k = 0; k < 12; ++k) {
        struct feature e = feature_make(&box, NULL, FEATURE_SEGMENT, k);
        int a = (e.a.x > 0) + 2 * (e.a.y > 0) + 4 * (e.a.z > 0);
        int b = (e.b.x > 0) + 2 * (e.b.y > 0) + 4 * (e.b.z > 0);
        CHECK(a < b && (b - a == 1 || b - a == 2 || b - a == 4));
        CHECK((seen[a] & 1u << b) == 0);
        seen[a] |= 1u << b;
        lengths += vec3_length(vec3_sub(e.b, e.a));
    }
    CHECK_NEAR(lengths, 4.0 * (2.0 + 4.0 + 6.0), 1e-9);
}

static void normals_lead_away_from_the_faces(void) {
    struct collide_shape box = box_shape();
    struct feature corner = feature_make(&box, NULL, FEATURE_POINT, 7);
    double d = 1.0 / sqrt(3.0), h = sqrt(0.5);
    CHECK(feature_allows(&corner, vec3_make(d, d, d)));
    CHECK(feature_allows(&corner, vec3_make(0.0, 1.0, 0.0)));
    CHECK(!feature_allows(&corner, vec3_make(h, -h, 0.0)));
    CHECK(!feature_allows(&corner, vec3_make(-d, -d, -d)));
    struct feature edge = feature_make(&box, NULL, FEATURE_SEGMENT, 3); /* along x, at +y +z */
    CHECK(feature_allows(&edge, vec3_make(0.0, h, h)));
    CHECK(!feature_allows(&edge, vec3_make(0.0, h, -h)));
}

static void what_is_inside_near_a_feature_has_crossed_it(void) {
    struct collide_shape box = box_shape();
    struct feature corner = feature_make(&box, NULL, FEATURE_POINT, 7);
    double d = 1.0 / sqrt(3.0);
    struct vec3 inwards = {-d, -d, -d};
    CHECK(feature_is_crossed(&corner, inwards, vec3_make(0.9, 1.9, 2.9)));
    /* Outside; on the far side of the box; a ball tells nothing. */
    CHECK(!feature_is_crossed(&corner, vec3_make(d, d, d), vec3_make(1.1, 2.1, 3.1)));
    CHECK(!feature_is_crossed(&corner, inwards, vec3_make(-0.9, 1.9, 2.9)));
    struct collide_shape ball = collide_shape_from(&(struct pbd_shape){.type = PBD_SPHERE, .radius = 0.5f});
    struct feature centre = feature_make(&ball, NULL, FEATURE_POINT, 0);
    CHECK(!feature_is_crossed(&centre, inwards, vec3_make(-0.1, -0.1, -0.1)));
}

/* A box as a mesh sticks out where the box does: at corners and along edges, not within
 * its faces. */
static void mesh_of_a_box_sticks_out_like_it(void) {
    struct solid solid = solid_box(1.0, 2.0, 3.0, 3);
    pbd_collision_mesh *mesh = solid_mesh(&solid);
    solid_free(&solid);
    struct collide_shape shape = {.type = PBD_MESH};
    uint32_t points = 0, edges = 0;
    for (uint32_t k = 0; k < mesh->point_count; ++k) {
        struct vec3 p = mesh->points[k];
        int faces = (fabs(p.x) > 0.999) + (fabs(p.y) > 1.999) + (fabs(p.z) > 2.999);
        CHECK_INT(feature_sticks_out(mesh, FEATURE_POINT, k), faces >= 2);
        points += faces == 3;
        struct feature feature = feature_make(&shape, mesh, FEATURE_POINT, k);
        CHECK(feature_allows(&feature, mesh->point_normals[k]));
        CHECK(!feature_allows(&feature, vec3_scale(mesh->point_normals[k], -1.0)));
    }
    CHECK_INT(points, 8);
    for (uint32_t k = 0; k < mesh->edge_count; ++k) {
        if (!feature_sticks_out(mesh, FEATURE_SEGMENT, k)) continue;
        ++edges;
        struct feature feature = feature_make(&shape, mesh, FEATURE_SEGMENT, k);
        struct vec3 n = collision_mesh_edge_normal(mesh, k);
        CHECK(feature_allows(&feature, n));
        CHECK(!feature_allows(&feature, vec3_scale(n, -1.0)));
        struct vec3 middle = vec3_scale(vec3_add(feature.a, feature.b), 0.5);
        struct vec3 inwards = vec3_scale(n, -1.0);
        CHECK(feature_is_crossed(&feature, inwards, vec3_add_scaled(middle, inwards, 0.1)));
        CHECK(!feature_is_crossed(&feature, n, vec3_add_scaled(middle, n, 0.1)));
    }
    CHECK_INT(edges, 12 * 3);
    pbd_collision_mesh_unref(mesh);
}

/* Two slopes that meet in a valley: the edge there is hollow from above and, as the mesh is
 * open, sticks out below. */
static void valley_sticks_out_below(void) {
    struct solid solid = solid_valley(2.0, 0.5, 2.0, 1);
    pbd_collision_mesh *mesh = solid_mesh(&solid);
    solid_free(&solid);
    struct collide_shape shape = {.type = PBD_MESH};
    int valleys = 0;
    for (uint32_t k = 0; k < mesh->edge_count; ++k) {
        struct feature feature = feature_make(&shape, mesh, FEATURE_SEGMENT, k);
        if (fabs(feature.a.y) > 1e-6 || fabs(feature.b.y) > 1e-6) continue;
        ++valleys;
        CHECK(feature_sticks_out(mesh, FEATURE_SEGMENT, k));
        CHECK(!feature_allows(&feature, vec3_make(0.0, 1.0, 0.0)));
        CHECK(feature_allows(&feature, vec3_make(0.0, -1.0, 0.0)));
    }
    CHECK_INT(valleys, 1);
    pbd_collision_mesh_unref(mesh);
}

RUN_TESTS(TEST(shapes_have_their_features), TEST(box_has_its_corners_and_edges),
          TEST(normals_lead_away_from_the_faces), TEST(what_is_inside_near_a_feature_has_crossed_it),
          TEST(mesh_of_a_box_sticks_out_like_it), TEST(valley_sticks_out_below))
