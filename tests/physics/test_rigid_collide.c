/* Bodies that hit: restitution, momentum, speed, overlap. */
#include "check.h"
#include "rigid_scene.h"

static void equal_balls_exchange_their_velocities(void) {
    pbd_world *world = rigid_world(false, 10);
    struct pbd_collider_def def = body_def(PBD_SPHERE, 1.5, -1.0, 0.0, 0.0);
    def.shape.radius = 0.1f;
    def.restitution = 1.0f;
    def.friction = 0.0f;
    def.velocity[0] = 3.0f;
    pbd_collider_id moving = add_collider(world, &def);
    def.position[0] = 0.3f;
    def.velocity[0] = 0.0f;
    pbd_collider_id resting = add_collider(world, &def);
    step_ticks_awake(world, 60);
    struct pbd_collider_state a = state_of(world, moving), b = state_of(world, resting);
    printf("billiard: 3 and 0 m/s become %.6f and %.6f\n", (double)a.velocity[0], (double)b.velocity[0]);
    CHECK_NEAR(a.velocity[0], 0.0, 3e-3);
    CHECK_NEAR(b.velocity[0], 3.0, 3e-3);
    pbd_world_destroy(world);
}

static void ball_bounces_to_the_height_of_its_restitution(void) {
    pbd_world *world = rigid_world(true, 10);
    add_slope(world, 0.0, 0.5);
    struct pbd_collider_def def = body_def(PBD_SPHERE, 1.0, 0.0, 1.1, 0.0);
    def.shape.radius = 0.1f;
    def.restitution = 0.5f;
    pbd_collider_id ball = add_collider(world, &def);
    double highest = 0.0;
    bool landed = false;
    for (int tick = 0; tick < 90; ++tick) {
        step_ticks_awake(world, 1);
        struct pbd_collider_state s = state_of(world, ball);
        landed = landed || s.velocity[1] > 0.0f;
        if (landed) highest = fmax(highest, (double)s.def.position[1] - 0.1);
    }
    printf("restitution 0.5: from 1 m back to %.4f m\n", highest);
    CHECK_NEAR(highest, 0.25, 0.01);
    step_ticks_awake(world, 120);
    struct pbd_collider_state s = state_of(world, ball);
    CHECK(speed_of(&s) < 1e-6);
    pbd_world_destroy(world);
}

/* Linear and angular momentum about the origin; inertia[k] about the local axes. */
static void add_momentum(const pbd_world *world, pbd_collider_id id, const double inertia[3], double sum[6]) {
    struct pbd_collider_state s = state_of(world, id);
    double m = s.def.mass;
    const float *x = s.def.position, *v = s.velocity, *w = s.angular_velocity, *q = s.def.rotation;
    double axes[3][3] = {{1 - 2.0 * (q[1] * q[1] + q[2] * q[2]), 2.0 * (q[0] * q[1] + q[3] * q[2]),
                          2.0 * (q[0] * q[2] - q[3] * q[1])},
                         {2.0 * (q[0] * q[1] - q[3] * q[2]), 1 - 2.0 * (q[0] * q[0] + q[2] * q[2]),
                          2.0 * (q[1] * q[2] + q[3] * q[0])},
                         {2.0 * (q[0] * q[2] + q[3] * q[1]), 2.0 * (q[1] * q[2] - q[3] * q[0]),
                          1 - 2.0 * (q[0] * q[0] + q[1] * q[1])}};
    for (int k = 0; k < 3; ++k) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        sum[k] += m * v[k];
        sum[3 + k] += m * ((double)x[i] * v[j] - (double)x[j] * v[i]);
        double along = axes[k][0] * w[0] + axes[k][1] * w[1] + axes[k][2] * w[2];
        for (int c = 0; c < 3; ++c)
            sum[3 + c] += inertia[k] * along * axes[k][c];
    }
}

static void colliding_bodies_keep_their_momentum(void) {
    pbd_world *world = rigid_world(false, 10);
    struct pbd_collider_def box = body_def(PBD_BOX, 2.0, -0.5, 0.05, 0.02);
    set_box(&box, 0.1, 0.2, 0.15);
    box.velocity[0] = 2.0f;
    box.angular_velocity[1] = 3.0f;
    box.angular_velocity[2] = 1.0f;
    struct pbd_collider_def ball = body_def(PBD_SPHERE, 1.0, 0.3, 0.0, 0.0);
    ball.shape.radius = 0.15f;
    ball.velocity[0] = -1.0f;
    ball.angular_velocity[2] = 10.0f;
    struct pbd_collider_def capsule = body_def(PBD_CAPSULE, 1.0, 0.0, 0.6, 0.05);
    capsule.shape.radius = 0.1f;
    capsule.shape.half_height = 0.2f;
    capsule.velocity[1] = -1.5f;
    pbd_collider_id id[3] = {add_collider(world, &box), add_collider(world, &ball),
                             add_collider(world, &capsule)};
    double hx = 0.01 * 2 / 3, hy = 0.04 * 2 / 3, hz = 0.0225 * 2 / 3;
    /* A capsule: cylinder 0.4 m and two half balls of 0.1 m. */
    double cylinder = 0.4 / (0.4 + 0.4 / 3), caps = 1 - cylinder;
    double across = cylinder * (0.0025 + 0.04 / 3) + caps * (0.004 + 0.04 + 0.75 * 0.1 * 0.2);
    double along = cylinder * 0.005 + caps * 0.004;
    double inertia[3][3] = {{hy + hz, hz + hx, hx + hy}, {0.009, 0.009, 0.009}, {across, along, across}};
    double before[6] = {0}, after[6] = {0}, scale[2] = {2 * 2 + 1 + 1.5, 0.0};
    for (int i = 0; i < 3; ++i)
        add_momentum(world, id[i], inertia[i], before);
    step_ticks_awake(world, 90);
    for (int i = 0; i < 3; ++i)
        add_momentum(world, id[i], inertia[i], after);
    double linear = 0.0, angular = 0.0;
    for (int k = 0; k < 3; ++k) {
        linear = fmax(linear, fabs(after[k] - before[k]));
        angular = fmax(angular, fabs(after[3 + k] - before[3 + k]));
        scale[1] = fmax(scale[1], fabs(before[3 + k]));
    }
    struct pbd_collider_state s = state_of(world, id[1]);
    printf("three bodies: linear momentum off by %.2e, angular by %.2e; ball now at %.3f m/s\n",
           linear / scale[0], angular / scale[1], (double)s.velocity[0]);
    CHECK(linear <= 1e-3 * scale[0]);
    CHECK(angular <= 1e-3 * scale[1]);
    CHECK(s.velocity[0] > 0.0f);
    pbd_world_destroy(world);
}

/* A body of 2 cm shot at 200 m/s at a plate of 1 cm; returns where it ends. */
static double shoot(enum pbd_shape_type shape, enum pbd_shape_type target, int substeps) {
    pbd_world *world = rigid_world(false, substeps);
    struct pbd_collider_def plate = pbd_default_collider_def();
    plate.shape.type = target;
    plate.motion = PBD_STATIC_MOTION;
    plate.shape.normal[0] = -1.0f;
    plate.shape.normal[1] = 0.0f;
    plate.restitution = 0.0f;
    set_box(&plate, 0.005, 1.0, 1.0);
    add_collider(world, &plate);
    struct pbd_collider_def def = body_def(shape, 0.1, -2.03, 0.01, 0.02);
    def.shape.radius = 0.01f;
    def.shape.half_height = 0.01f;
    set_box(&def, 0.01, 0.01, 0.01);
    def.rotation[2] = 0.3f;
    def.rotation[3] = 0.95f;
    def.velocity[0] = 200.0f;
    pbd_collider_id id = add_collider(world, &def);
    double furthest = -10.0;
    for (int tick = 0; tick < 4; ++tick) {
        step_ticks_awake(world, 1);
        furthest = fmax(furthest, (double)state_of(world, id).def.position[0]);
    }
    pbd_world_destroy(world);
    return furthest;
}

static void fast_small_bodies_do_not_pass_thin_things(void) {
    const enum pbd_shape_type shapes[3] = {PBD_SPHERE, PBD_CAPSULE, PBD_BOX};
    for (int i = 0; i < 3; ++i)
        for (int substeps = 1; substeps <= 10; substeps += 9) {
            double box = shoot(shapes[i], PBD_BOX, substeps), plane = shoot(shapes[i], PBD_PLANE, substeps);
            printf("shape %d at 200 m/s, %d substeps: stops at %.4f before a plate, %.4f before a plane\n", i,
                   substeps, box, plane);
            CHECK(box < -0.005 && box > -0.05);
            CHECK(plane < 0.0 && plane > -0.05);
        }
}

static void overlap_leaves_slowly_and_is_told_once(void) {
    pbd_world *world = rigid_world(false, 10);
    struct pbd_collider_def def = body_def(PBD_SPHERE, 1.0, 0.0, 0.0, 0.0);
    def.shape.radius = 0.5f;
    pbd_collider_id a = add_collider(world, &def);
    def.position[0] = 0.7f;
    pbd_collider_id b = add_collider(world, &def);
    double fastest = 0.0, before = 0.7;
    uint32_t told = 0;
    for (int tick = 0; tick < 120; ++tick) {
        step_ticks_awake(world, 1);
        const struct pbd_event *events;
        uint32_t count = pbd_world_events(world, &events);
        for (uint32_t i = 0; i < count; ++i)
            if (events[i].type == PBD_EVENT_INITIAL_OVERLAP) {
                ++told;
                CHECK(events[i].collider == a && events[i].other_collider == b && events[i].cloth == 0);
                CHECK_NEAR(events[i].depth, 0.3, 1e-6);
            }
        double apart =
            (double)state_of(world, b).def.position[0] - (double)state_of(world, a).def.position[0];
        fastest = fmax(fastest, (apart - before) * 60.0);
        before = apart;
    }
    struct pbd_collider_state s = state_of(world, b);
    printf("overlap of 0.3 m: leaves at %.3f m/s at most, apart %.6f m, left with %.2e m/s\n", fastest,
           before, speed_of(&s));
    CHECK_INT(told, 1);
    CHECK(fastest <= 2.0 * 1.0001);
    CHECK_NEAR(before, 1.0, 1e-3);
    CHECK(speed_of(&s) < 1e-6);
    pbd_world_destroy(world);
}

static void kinematic_box_pushes_and_carries(void) {
    pbd_world *world = rigid_world(true, 10);
    struct pbd_collider_def belt = pbd_default_collider_def();
    belt.shape.type = PBD_BOX;
    set_box(&belt, 5.0, 0.1, 1.0);
    belt.position[1] = -0.1f;
    belt.velocity[0] = 1.0f;
    belt.friction = 0.5f;
    add_collider(world, &belt);
    struct pbd_collider_def def = body_def(PBD_BOX, 1.0, 0.0, 0.1, 0.0);
    set_box(&def, 0.1, 0.1, 0.1);
    def.friction = 0.5f;
    pbd_collider_id box = add_collider(world, &def);
    step_ticks_awake(world, 60);
    struct pbd_collider_state s = state_of(world, box);
    /* 0.5·9.81 m/s² until it is as fast: 0.2039 s, 0.1019 m behind. */
    printf("on a belt at 1 m/s: %.6f m/s, %.4f m after 1 s\n", (double)s.velocity[0],
           (double)s.def.position[0]);
    CHECK_NEAR(s.velocity[0], 1.0, 1e-4);
    CHECK_NEAR(s.def.position[0], 1.0 - 0.10194, 2e-3);
    pbd_world_destroy(world);
}

/* The homework's method knows no bodies; here they fall and land, and cloths only meet them. */
static void in_jacobi_bodies_move_and_cloths_do_not_push_them(void) {
    double y[2];
    for (int with_cloth = 0; with_cloth < 2; ++with_cloth) {
        pbd_world *world = rigid_world(true, 1);
        struct pbd_world_settings settings = pbd_world_get_settings(world);
        settings.solver.method = PBD_METHOD_JACOBI;
        pbd_world_set_settings(world, &settings);
        add_slope(world, 0.0, 0.5);
        struct pbd_collider_def def = body_def(PBD_SPHERE, 0.01, 0.0, 1.0, 0.0);
        def.shape.radius = 0.2f;
        pbd_collider_id ball = add_collider(world, &def);
        if (with_cloth != 0) {
            struct sheet sheet = sheet_create(8, 8, 1.0, 1.0);
            for (uint32_t v = 0; v < sheet.vertex_count; ++v)
                sheet.positions[3 * v + 1] = 0.9f;
            struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
            const uint32_t pins[2] = {0, 7};
            cloth_from(world, sheet_fabric(&sheet, 0.2f), sheet.positions, &cloth, pins, 2);
            sheet_destroy(&sheet);
        }
        step_ticks(world, 90);
        y[with_cloth] = state_of(world, ball).def.position[1];
        pbd_world_destroy(world);
    }
    CHECK_NEAR(y[0], 0.2, 1e-3);
    CHECK(y[0] == y[1]);
}

RUN_TESTS(TEST(equal_balls_exchange_their_velocities), TEST(ball_bounces_to_the_height_of_its_restitution),
          TEST(colliding_bodies_keep_their_momentum), TEST(fast_small_bodies_do_not_pass_thin_things),
          TEST(overlap_leaves_slowly_and_is_told_once), TEST(kinematic_box_pushes_and_carries),
          TEST(in_jacobi_bodies_move_and_cloths_do_not_push_them))
