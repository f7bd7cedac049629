/* The points of a substep: slow pairs where they end, fast ones where they first touch. */
#include "check.h"

#include "contact/contact.h"
#include "sheet.h"
#include "support_bodies.h"

#define H (1.0 / 600)

/* A body at (0, y, 0) with a velocity above a static box of ±1 m whose top is y = 0. */
static pbd_world *over_a_box(struct pbd_shape shape, double y, double speed, double spin) {
    struct pbd_world_settings settings = quiet_settings();
    pbd_world *world = pbd_world_create(&settings);
    struct pbd_collider_def def = pbd_default_collider_def();
    pbd_collider_id id;
    def.shape = support_box(1.0, 0.01, 1.0);
    def.motion = PBD_STATIC_MOTION;
    def.position[1] = -0.01f;
    CHECK_INT(pbd_collider_add(world, &def, &id), PBD_OK);
    def.shape = shape;
    def.motion = PBD_DYNAMIC;
    def.position[1] = (float)y;
    def.velocity[1] = (float)speed;
    def.angular_velocity[2] = (float)spin;
    CHECK_INT(pbd_collider_add(world, &def, &id), PBD_OK);
    collider_begin_tick(world);
    rigid_contacts_begin_tick(world);
    collider_begin_substep(world, 0, 10);
    rigid_detect(world, H);
    return world;
}

static void slow_body_has_the_points_of_its_predicted_pose(void) {
    pbd_world *world = over_a_box(support_box(0.1, 0.1, 0.1), 0.1, -0.6, 0.0);
    const struct rigid_contacts *contacts = world->rigid;
    CHECK_INT(contacts->point_count, 4);
    for (uint32_t i = 0; i < contacts->point_count; ++i) {
        const struct rigid_point *point = &contacts->points[i];
        CHECK_NEAR(point->normal.y, 1.0, 1e-12);
        CHECK_NEAR(point->approach, 0.6, 1e-6);
        CHECK_NEAR(point->depth, 0.0, 1e-8); /* it only comes */
        CHECK(point->rise < 1e-8);
    }
    pbd_world_destroy(world);
}

static void fast_body_is_met_before_it_is_through(void) {
    /* 0.33 m in the substep, from 5 cm above. */
    pbd_world *world = over_a_box(support_ball(0.02), 0.07, -200.0, 0.0);
    CHECK_INT(world->rigid->point_count, 1);
    CHECK_NEAR(world->rigid->points[0].normal.y, 1.0, 1e-9);
    pbd_world_destroy(world);
    /* Upwards it leaves. */
    world = over_a_box(support_ball(0.02), 0.07, 200.0, 0.0);
    CHECK_INT(world->rigid->point_count, 0);
    pbd_world_destroy(world);
}

static void spin_of_a_ball_makes_no_way(void) {
    /* 2000 rad/s would turn a surface point by 3.3 rad. */
    pbd_world *world = over_a_box(support_ball(0.1), 0.1, 0.0, 2000.0);
    CHECK_INT(world->rigid->point_count, 1);
    const struct rigid_point *point = &world->rigid->points[0];
    struct vec3 lowest = pose_to_world(&world->colliders[1].substep_end, point->at_a);
    CHECK_NEAR(lowest.y, 0.0, 1e-7);
    CHECK_NEAR(lowest.x, 0.0, 1e-7);
    pbd_world_destroy(world);
}

static void depth_is_undone_at_most_at_max_depenetration(void) {
    pbd_world *world = over_a_box(support_ball(0.1), 0.05, 0.0, 0.0);
    CHECK_INT(world->rigid->point_count, 1);
    const struct rigid_point *point = &world->rigid->points[0];
    CHECK_NEAR(point->depth, 0.05, 1e-7);
    CHECK_NEAR(point->rise, 2.0 * H, 1e-9);
    pbd_world_destroy(world);
}

RUN_TESTS(TEST(slow_body_has_the_points_of_its_predicted_pose), TEST(fast_body_is_met_before_it_is_through),
          TEST(spin_of_a_ball_makes_no_way), TEST(depth_is_undone_at_most_at_max_depenetration))
