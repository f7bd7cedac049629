/* Bodies at rest, sliding and rolling: friction and stacking. */
#include "check.h"
#include "rigid_scene.h"

#define PI 3.14159265358979323846
#define TEN_SECONDS (SLOW_BUILD ? 120 : 600)

static void five_boxes_rest_on_each_other(void) {
    pbd_world *world = rigid_world(true, 10);
    add_slope(world, 0.0, 0.5);
    pbd_collider_id box[5];
    for (int i = 0; i < 5; ++i) {
        struct pbd_collider_def def = body_def(PBD_BOX, 1.0, 0.0, 0.1 + 0.2 * i, 0.0);
        set_box(&def, 0.1, 0.1, 0.1);
        def.friction = 0.5f;
        box[i] = add_collider(world, &def);
    }
    float start[5][3];
    step_ticks_awake(world, 60);
    for (int i = 0; i < 5; ++i)
        memcpy(start[i], state_of(world, box[i]).def.position, sizeof start[i]);
    double sum = 0.0, drift = 0.0, fastest = 0.0;
    for (int tick = 0; tick < TEN_SECONDS; ++tick) {
        step_ticks_awake(world, 1);
        for (int i = 0; i < 5; ++i) {
            struct pbd_collider_state s = state_of(world, box[i]);
            double speed = speed_of(&s);
            sum += speed * speed;
            fastest = speed > fastest ? speed : fastest;
            drift = fmax(drift, distance_between(s.def.position, start[i]));
        }
    }
    double rms = sqrt(sum / (5.0 * TEN_SECONDS));
    struct pbd_collider_state top = state_of(world, box[4]);
    printf("stack of 5: rms %.3g m/s, fastest %.3g m/s, drift %.3g m, top %.3g m too low\n", rms, fastest,
           drift, 0.9 - (double)top.def.position[1]);
    CHECK(rms < 1e-3);
    CHECK(drift < 1e-3);
    CHECK_NEAR(top.def.position[1], 0.9, 1e-3);
    pbd_world_destroy(world);
}

/* Sleep forgets what contacts bore; a stack that wakes finds it out again. */
static void stack_that_wakes_stays(void) {
    pbd_world *world = rigid_world(true, 10);
    add_slope(world, 0.0, 0.5);
    pbd_collider_id box[5];
    for (int i = 0; i < 5; ++i) {
        struct pbd_collider_def def = body_def(PBD_BOX, 1.0, 0.01 * (i % 2), 0.1 + 0.2 * i, 0.0);
        set_box(&def, 0.1, 0.1, 0.1);
        def.friction = 0.5f;
        box[i] = add_collider(world, &def);
    }
    int ticks = 0;
    while (!state_of(world, box[4]).asleep && ticks < 300) {
        pbd_world_step(world);
        ++ticks;
    }
    struct pbd_collider_state before = state_of(world, box[4]);
    CHECK(before.asleep);
    step_ticks_awake(world, 60);
    struct pbd_collider_state after = state_of(world, box[4]);
    double moved = distance_between(after.def.position, before.def.position);
    printf("stack asleep after %.2f s, woken: top moves %.2e m in 1 s\n", ticks / 60.0, moved);
    CHECK(moved < 1e-3);
    pbd_world_destroy(world);
}

/* A box of 20 cm on a slope of 20°; returns how far it went downhill. */
static double slide(double mu, int substeps, int ticks, double *speed) {
    double angle = PI / 9.0, c = cos(angle), s = sin(angle);
    pbd_world *world = rigid_world(true, substeps);
    add_slope(world, angle, mu);
    struct pbd_collider_def def = body_def(PBD_BOX, 2.0, 0.1 * s, 0.1 * c, 0.0);
    set_box(&def, 0.1, 0.1, 0.1);
    def.friction = (float)mu;
    def.rotation[2] = (float)-sin(angle / 2);
    def.rotation[3] = (float)cos(angle / 2);
    pbd_collider_id box = add_collider(world, &def);
    step_ticks_awake(world, ticks);
    struct pbd_collider_state state = state_of(world, box);
    *speed = c * state.velocity[0] - s * state.velocity[1];
    double way = c * ((double)state.def.position[0] - def.position[0]) -
                 s * ((double)state.def.position[1] - def.position[1]);
    pbd_world_destroy(world);
    return way;
}

static void box_on_a_slope_follows_coulomb(void) {
    double speed, creep = slide(0.5, 10, TEN_SECONDS, &speed);
    printf("slope 20 deg, mu 0.5: creep %.3g m in %d ticks\n", creep, TEN_SECONDS);
    CHECK_NEAR(creep, 0.0, 1e-3);
    double fine = slide(0.5, 64, TEN_SECONDS / 10, &speed);
    CHECK_NEAR(fine, 0.0, 1e-4);
    slide(0.2, 10, 60, &speed);
    printf("mu 0.2: %.4f m/s2\n", speed);
    CHECK_NEAR(speed, 1.512, 0.015);
    slide(0.0, 10, 60, &speed);
    printf("mu 0: %.4f m/s2\n", speed);
    CHECK_NEAR(speed, 3.355, 0.03);
}

static void ball_rolls_at_five_sevenths(void) {
    double angle = PI / 9.0, c = cos(angle), s = sin(angle);
    pbd_world *world = rigid_world(true, 10);
    add_slope(world, angle, 0.8);
    struct pbd_collider_def def = body_def(PBD_SPHERE, 1.0, 0.1 * s, 0.1 * c, 0.0);
    def.shape.radius = 0.1f;
    def.friction = 0.8f;
    pbd_collider_id ball = add_collider(world, &def);
    step_ticks_awake(world, 60);
    struct pbd_collider_state state = state_of(world, ball);
    double speed = c * state.velocity[0] - s * state.velocity[1], want = 5.0 / 7.0 * 9.81 * s;
    printf("ball rolls at %.4f m/s2 of %.4f, spin times radius %.4f m/s\n", speed, want,
           -0.1 * state.angular_velocity[2]);
    CHECK_NEAR(speed, want, 0.01 * want);
    CHECK_NEAR(-0.1 * state.angular_velocity[2], speed, 0.01 * speed);
    pbd_world_destroy(world);
}

static void capsule_lies_down_and_rests(void) {
    pbd_world *world = rigid_world(true, 10);
    add_slope(world, 0.0, 0.5);
    struct pbd_collider_def def = body_def(PBD_CAPSULE, 1.0, 0.0, 0.5, 0.0);
    def.shape.radius = 0.1f;
    def.shape.half_height = 0.2f;
    def.rotation[2] = (float)sin(0.7);
    def.rotation[3] = (float)cos(0.7);
    def.friction = 0.5f;
    pbd_collider_id capsule = add_collider(world, &def);
    step_ticks_awake(world, 300);
    struct pbd_collider_state state = state_of(world, capsule);
    printf("capsule: y %.6f, speed %.3g m/s, spin %.3g\n", (double)state.def.position[1], speed_of(&state),
           (double)state.angular_velocity[2]);
    CHECK_NEAR(state.def.position[1], 0.1, 1e-4);
    CHECK(fabs((double)state.velocity[1]) < 1e-3);
    pbd_world_destroy(world);
}

static void boxes_in_any_attitude_come_to_rest(void) {
    pbd_world *world = rigid_world(true, 10);
    add_slope(world, 0.0, 0.5);
    pbd_collider_id box[8];
    struct random random = {7};
    for (int i = 0; i < 8; ++i) {
        struct pbd_collider_def def = body_def(PBD_BOX, 1.0, 0.05 * (i % 2), 0.4 + 0.4 * i, 0.03 * (i % 3));
        set_box(&def, 0.1, 0.07, 0.13);
        def.friction = 0.5f;
        for (int k = 0; k < 4; ++k)
            def.rotation[k] = (float)random_between(&random, -1, 1);
        box[i] = add_collider(world, &def);
    }
    step_ticks_awake(world, SLOW_BUILD ? 240 : 600);
    double fastest = 0.0, lowest = 1.0;
    for (int i = 0; i < 8; ++i) {
        struct pbd_collider_state s = state_of(world, box[i]);
        fastest = fmax(fastest, speed_of(&s));
        lowest = fmin(lowest, (double)s.def.position[1]);
    }
    printf("heap of 8 boxes: fastest %.3g m/s, lowest centre %.4f m\n", fastest, lowest);
    CHECK(fastest < 2e-3);
    CHECK(lowest > 0.0695);
    pbd_world_destroy(world);
}

RUN_TESTS(TEST(five_boxes_rest_on_each_other), TEST(stack_that_wakes_stays),
          TEST(box_on_a_slope_follows_coulomb), TEST(ball_rolls_at_five_sevenths),
          TEST(capsule_lies_down_and_rests), TEST(boxes_in_any_attitude_come_to_rest))
