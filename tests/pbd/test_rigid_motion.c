/* A body on its own: prediction, commit, bounds, divergence. */
#include "check.h"

#include "sheet.h"
#include "support_bodies.h"

static void substep_without_pushes_is_a_throw(void) {
    struct pbd_world_settings settings = quiet_settings();
    settings.gravity[1] = -10.0f;
    pbd_world *world = pbd_world_create(&settings);
    struct pbd_shape shape = support_ball(0.5);
    struct pbd_collider body = support_body(&shape, vec3_make(0, 100, 0), vec3_make(0, 1, 0), 0.0);
    body.body.now.velocity = vec3_make(1, 0, 0);
    body.body.now.spin = vec3_make(0, 0, 4);
    rigid_begin_tick(world, &body);
    rigid_begin_substep(world, &body, 0.01);
    rigid_commit(&body, 0.01);
    CHECK_NEAR(body.body.now.velocity.y, -0.1, 1e-15);
    CHECK_NEAR(body.substep_end.position.x, 0.01, 1e-15);
    CHECK_NEAR(body.substep_end.position.y, 100 - 1e-3, 1e-13);
    CHECK_NEAR(body.body.now.spin.z, 4.0, 1e-12);
    CHECK_NEAR(body.body.now.rotation.z, sin(0.02), 1e-15);
    struct exact_pose half = rigid_pose_at(&body, 0.5);
    CHECK_NEAR(half.position.x, 0.005, 1e-15);
    CHECK_NEAR(half.axis[0].y, sin(0.02), 1e-12);
    pbd_world_destroy(world);
}

/* 10 m from the origin at 64 substeps, speeds that float32 positions could not show. */
static void small_speeds_are_kept(void) {
    struct pbd_world_settings settings = quiet_settings();
    pbd_world *world = pbd_world_create(&settings);
    struct pbd_shape shape = support_box(0.5, 0.4, 0.3);
    struct pbd_collider body = support_body(&shape, vec3_make(1000, 10, 0), vec3_make(0, 1, 0), 0.3);
    body.body.now.velocity = vec3_make(1e-6, 0, 0);
    double h = 1.0 / 3840;
    for (int i = 0; i < 3840; ++i) {
        rigid_begin_substep(world, &body, h);
        rigid_commit(&body, h);
    }
    CHECK_NEAR(body.body.now.position.x - 1000.0, 1e-6, 1e-9);
    CHECK(body.body.now.velocity.x == 1e-6);
    pbd_world_destroy(world);
}

static void bound_that_is_outrun_is_told_and_enlarged(void) {
    struct pbd_world_settings settings = quiet_settings();
    pbd_world *world = pbd_world_create(&settings);
    struct pbd_shape shape = support_ball(0.5);
    struct pbd_collider body = support_body(&shape, vec3_make(0, 0, 0), vec3_make(0, 1, 0), 0.0);
    body.body.now.velocity = vec3_make(1, 0, 0);
    rigid_begin_tick(world, &body);
    double bound = body.tick_shift;
    CHECK(bound >= 1.0 / 60);
    rigid_begin_substep(world, &body, 1.0 / 600);
    CHECK(!rigid_outran(&body));
    rigid_push(&body, body.body.now.position, vec3_make(2.0, 0, 0)); /* 1 m */
    CHECK(rigid_outran(&body));
    CHECK(body.tick_shift > 1.0);
    CHECK(!rigid_outran(&body));
    pbd_world_destroy(world);
}

static void body_that_is_not_finite_stops_where_it_was(void) {
    pbd_world *world = pbd_world_create(&(struct pbd_world_settings){0});
    struct pbd_world_settings settings = pbd_default_world_settings();
    pbd_world_set_settings(world, &settings);
    struct pbd_collider_def def = pbd_default_collider_def();
    def.motion = PBD_DYNAMIC;
    def.position[1] = 3.0f;
    pbd_collider_id id, other;
    CHECK_INT(pbd_collider_add(world, &def, &id), PBD_OK);
    def.position[0] = 5.0f;
    CHECK_INT(pbd_collider_add(world, &def, &other), PBD_OK);
    pbd_world_step(world);
    struct pbd_collider_state before, after;
    CHECK_INT(pbd_collider_get(world, id, &before), PBD_OK);
    world_collider(world, id)->body.now.velocity.x = NAN;
    pbd_world_step(world);
    const struct pbd_event *events;
    uint32_t count = pbd_world_events(world, &events), told = 0;
    for (uint32_t i = 0; i < count; ++i)
        told += events[i].type == PBD_EVENT_DIVERGED && events[i].collider == id && events[i].cloth == 0;
    CHECK_INT(told, 1);
    CHECK_INT(pbd_collider_get(world, id, &after), PBD_OK);
    CHECK(memcmp(before.def.position, after.def.position, sizeof after.def.position) == 0);
    CHECK(after.velocity[0] == 0.0f);
    CHECK_INT(pbd_collider_get(world, other, &before), PBD_OK);
    step_ticks(world, 10);
    CHECK_INT(pbd_collider_get(world, other, &after), PBD_OK);
    CHECK(after.def.position[1] < before.def.position[1]);
    /* A move frees it. */
    CHECK_INT(pbd_collider_move(world, id, (float[]){0.0f, 4.0f, 0.0f}, NULL, 0, false), PBD_OK);
    step_ticks(world, 10);
    CHECK_INT(pbd_collider_get(world, id, &after), PBD_OK);
    CHECK(after.velocity[1] < 0.0f);
    pbd_world_destroy(world);
}

static void the_edge_of_the_world_is_no_end(void) {
    struct pbd_world_settings settings = pbd_default_world_settings();
    pbd_world *world = pbd_world_create(&settings);
    struct pbd_collider_def def = pbd_default_collider_def();
    def.motion = PBD_DYNAMIC;
    def.position[0] = 1e6f;
    def.position[1] = -1e6f;
    def.velocity[0] = 400.0f;
    pbd_collider_id id;
    CHECK_INT(pbd_collider_add(world, &def, &id), PBD_OK);
    step_ticks(world, 60);
    struct pbd_collider_state state;
    CHECK_INT(pbd_collider_get(world, id, &state), PBD_OK);
    CHECK(state.def.position[0] > 1e6f && isfinite(state.def.position[0]));
    pbd_world_destroy(world);
}

RUN_TESTS(TEST(substep_without_pushes_is_a_throw), TEST(small_speeds_are_kept),
          TEST(bound_that_is_outrun_is_told_and_enlarged), TEST(body_that_is_not_finite_stops_where_it_was),
          TEST(the_edge_of_the_world_is_no_end))
