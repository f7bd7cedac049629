/* Points of contact of bodies and meshes. */
#include "check.h"

#include "sheet.h"
#include "solid.h"
#include "support_bodies.h"

static struct rigid_hits hits_of(const struct pbd_collider *body, pbd_collision_mesh *mesh, double from_y) {
    struct pbd_shape shape = {.type = PBD_MESH, .mesh = mesh};
    struct collide_shape ready = collide_shape_from(&shape);
    struct exact_pose pose = exact_pose_from(vec3_make(0, 0, 0), (struct quaternion){0, 0, 0, 1});
    struct rigid_solid a = {&body->shape, &body->substep_end}, b = {&ready, &pose};
    struct rigid_hits hits = {.count = 0};
    struct vec3 origin = body->substep_end.position;
    origin.y = from_y;
    rigid_manifold_mesh(&a, &b, origin, 0.01, &hits);
    return hits;
}

static struct pbd_collider at(struct pbd_shape shape, double x, double y, double z) {
    return support_body(&shape, vec3_make(x, y, z), vec3_make(0, 1, 0), 0.2);
}

static pbd_collision_mesh *floor_of(uint32_t cells) {
    struct solid solid = solid_floor(4.0, cells);
    pbd_collision_mesh *mesh = solid_mesh(&solid);
    solid_free(&solid);
    return mesh;
}

static void every_shape_stands_on_floors_of_any_fineness(void) {
    for (uint32_t cells = 1; cells <= 33; cells += 16) {
        pbd_collision_mesh *mesh = floor_of(cells);
        struct pbd_collider bodies[3] = {at(support_ball(0.2), 0.13, 0.199, 0.07),
                                         at(support_capsule(0.2, 0.3), 0.13, 0.499, 0.07),
                                         at(support_box(0.3, 0.2, 0.25), 0.13, 0.199, 0.07)};
        for (int k = 0; k < 3; ++k) {
            struct rigid_hits hits = hits_of(&bodies[k], mesh, 1.0);
            CHECK(hits.count >= (k == 2 ? 4u : 1u));
            for (uint32_t i = 0; i < hits.count; ++i) {
                CHECK_NEAR(hits.hit[i].normal.y, 1.0, 1e-6);
                CHECK_NEAR(hits.hit[i].gap, -0.001, 1e-6);
                CHECK_NEAR(hits.hit[i].b.y, 0.0, 1e-6);
            }
        }
        pbd_collision_mesh_unref(mesh);
    }
}

static void open_mesh_pushes_to_the_side_that_was_come_from(void) {
    pbd_collision_mesh *mesh = floor_of(5);
    struct pbd_collider ball = at(support_ball(0.2), 0.13, -0.05, 0.07);
    struct rigid_hits above = hits_of(&ball, mesh, 1.0), below = hits_of(&ball, mesh, -1.0);
    CHECK(above.count >= 1 && below.count >= 1);
    CHECK_NEAR(above.hit[0].normal.y, 1.0, 1e-9);
    CHECK_NEAR(above.hit[0].gap, -0.25, 1e-7);
    CHECK_NEAR(below.hit[0].normal.y, -1.0, 1e-9);
    CHECK_NEAR(below.hit[0].gap, -0.15, 1e-7);
    pbd_collision_mesh_unref(mesh);
}

static void nothing_beside_a_border_touches(void) {
    pbd_collision_mesh *mesh = floor_of(5);
    struct pbd_collider box = at(support_box(0.1, 0.1, 0.1), 2.3, -0.02, 0.0);
    CHECK_INT(hits_of(&box, mesh, 1.0).count, 0);
    pbd_collision_mesh_unref(mesh);
}

static void corner_of_a_solid_meets_a_face_of_a_box(void) {
    /* The mesh's corner pokes into the underside of a large flat box. */
    struct solid solid = solid_box(0.2, 0.2, 0.2, 1);
    pbd_collision_mesh *mesh = solid_mesh(&solid);
    solid_free(&solid);
    float top = pbd_collision_mesh_get_view(mesh).max[1];
    struct pbd_collider plate = at(support_box(2.0, 0.1, 2.0), 0.0, (double)top + 0.099, 0.0);
    struct rigid_hits hits = hits_of(&plate, mesh, 1.0);
    CHECK(hits.count >= 4);
    for (uint32_t i = 0; i < hits.count; ++i) {
        CHECK_NEAR(hits.hit[i].normal.y, 1.0, 1e-6);
        CHECK_NEAR(hits.hit[i].gap, -0.001, 1e-6);
    }
    pbd_collision_mesh_unref(mesh);
}

static void ridge_carries_a_bar_across_it(void) {
    /* Two edges that cross far from every corner. */
    struct solid solid = solid_valley(2.0, -1.0, 2.0, 1);
    pbd_collision_mesh *mesh = solid_mesh(&solid);
    solid_free(&solid);
    float top = pbd_collision_mesh_get_view(mesh).max[1];
    struct pbd_shape bars[2] = {support_box(0.5, 0.05, 0.05), support_capsule(0.05, 0.5)};
    for (int k = 0; k < 2; ++k) {
        struct pbd_collider bar =
            support_body(&bars[k], vec3_make(0.02, (double)top + 0.049, 0.01),
                         k == 0 ? vec3_make(0, 1, 0) : vec3_make(0, 0, 1), k == 0 ? 0.0 : 1.5707963267948966);
        struct rigid_hits hits = hits_of(&bar, mesh, (double)top + 1.0);
        double deepest = 1.0;
        for (uint32_t i = 0; i < hits.count; ++i)
            if (fabs(hits.hit[i].normal.y - 1.0) < 1e-3) deepest = fmin(deepest, hits.hit[i].gap);
        CHECK_NEAR(deepest, -0.001, 1e-5);
    }
    pbd_collision_mesh_unref(mesh);
}

RUN_TESTS(TEST(every_shape_stands_on_floors_of_any_fineness),
          TEST(open_mesh_pushes_to_the_side_that_was_come_from), TEST(nothing_beside_a_border_touches),
          TEST(corner_of_a_solid_meets_a_face_of_a_box), TEST(ridge_carries_a_bar_across_it))
