/* Kinematic colliders that move on their own, and bodies that do: free flight and spin. */
#include "check.h"
#include "rigid_scene.h"

#define PI 3.14159265358979323846

static void driven_collider_moves_while_it_is_told_to(void) {
    pbd_world *world = rigid_world(true, 7);
    struct pbd_collider_def def = pbd_default_collider_def();
    def.position[1] = 1.0f;
    def.velocity[0] = 2.0f;
    def.angular_velocity[1] = 3.0f;
    def.moves_from = 0.5f;
    def.moves_until = 1.25f;
    pbd_collider_id id = add_collider(world, &def);
    for (int tick = 1; tick <= 120; ++tick) {
        step_ticks_awake(world, 1);
        struct pbd_collider_state s = state_of(world, id);
        double now = tick / 60.0, part = fmin(fmax(now - 0.5, 0.0), 0.75);
        CHECK_NEAR(s.def.position[0], 2.0 * part, 2e-6);
        CHECK_NEAR(s.def.rotation[1], sin(1.5 * part), 1e-6);
        bool within = now > 0.5 + 1e-6 && now <= 1.25 + 1e-6;
        CHECK_NEAR(s.velocity[0], within ? 2.0 : 0.0, 1e-4);
        CHECK_NEAR(s.angular_velocity[1], within ? 3.0 : 0.0, 1e-4);
    }
    pbd_world_destroy(world);
}

static void driven_barrel_turns_for_hours(void) {
    /* 1/10 s ticks, an hour and more; the rotation is that of ω·t. */
    pbd_world *world = rigid_world(true, 1);
    struct pbd_world_settings settings = pbd_world_get_settings(world);
    settings.solver.dt = 0.1f;
    pbd_world_set_settings(world, &settings);
    struct pbd_collider_def def = pbd_default_collider_def();
    def.angular_velocity[0] = 1.5f;
    def.rotation[0] = 0.6f;
    def.rotation[3] = 0.8f;
    pbd_collider_id id = add_collider(world, &def);
    int ticks = 40000;
    double off = 0.0;
    for (int i = 0; i < ticks; ++i) {
        pbd_world_step(world);
        struct pbd_collider_state s = state_of(world, id);
        double length = 0.0;
        for (int k = 0; k < 4; ++k)
            length += (double)s.def.rotation[k] * s.def.rotation[k];
        off = fmax(off, fabs(length - 1.0));
    }
    struct pbd_collider_state s = state_of(world, id);
    double angle = 1.5 * ticks * (double)0.1f + 2.0 * atan2((double)0.6f, (double)0.8f);
    printf("after %d s: quaternion %.1e from unit length, angle off by %.1e\n", ticks / 10, off,
           fabs(fabs((double)s.def.rotation[0]) - fabs(sin(angle / 2))));
    CHECK(off < 3e-7);
    CHECK_NEAR(fabs((double)s.def.rotation[0]), fabs(sin(angle / 2)), 1e-6);
    pbd_world_destroy(world);
}

static void move_takes_over_and_snapshot_goes_on(void) {
    pbd_world *world = rigid_world(true, 10);
    struct pbd_collider_def def = pbd_default_collider_def();
    def.velocity[2] = 1.0f;
    def.angular_velocity[1] = 0.7f;
    pbd_collider_id id = add_collider(world, &def);
    step_ticks(world, 33);
    pbd_snapshot *snapshot = pbd_world_snapshot(world);
    uint64_t at = pbd_world_state_hash(world);
    step_ticks(world, 50);
    uint64_t later = pbd_world_state_hash(world);
    CHECK_INT(pbd_world_restore(world, snapshot), PBD_OK);
    CHECK(pbd_world_state_hash(world) == at);
    step_ticks(world, 50);
    CHECK(pbd_world_state_hash(world) == later);
    const float to[3] = {1.0f, 2.0f, 3.0f};
    CHECK_INT(pbd_collider_move(world, id, to, NULL, 4, false), PBD_OK);
    step_ticks(world, 10);
    struct pbd_collider_state s = state_of(world, id);
    CHECK(memcmp(s.def.position, to, sizeof to) == 0);
    CHECK(s.def.velocity[2] == 0.0f && s.velocity[2] == 0.0f);
    pbd_snapshot_destroy(snapshot);
    pbd_world_destroy(world);
}

static void driven_plate_carries_a_sheet(void) {
    pbd_world *world = rigid_world(true, 10);
    struct pbd_collider_def def = pbd_default_collider_def();
    def.shape.type = PBD_BOX;
    set_box(&def, 1.0, 0.05, 1.0);
    def.velocity[0] = 1.0f;
    def.friction = 0.5f;
    pbd_collider_id plate = add_collider(world, &def);
    struct sheet sheet = sheet_create(6, 6, 0.5, 0.5);
    for (uint32_t v = 0; v < sheet.vertex_count; ++v)
        sheet.positions[3 * v + 1] = 0.055f;
    struct pbd_cloth_settings settings = pbd_default_cloth_settings();
    settings.friction = 0.5f;
    pbd_cloth_id cloth = cloth_from(world, sheet_fabric(&sheet, 0.2f), sheet.positions, &settings, NULL, 0);
    step_ticks_awake(world, 60);
    double mean = 0.0;
    for (uint32_t v = 0; v < 36; ++v)
        mean += vertex_velocity(world, cloth, v).x / 36.0;
    printf("sheet on a plate at 1 m/s: %.5f m/s\n", mean);
    CHECK_NEAR(mean, 1.0, 1e-3);
    CHECK_NEAR(state_of(world, plate).velocity[0], 1.0, 1e-6);
    sheet_destroy(&sheet);
    pbd_world_destroy(world);
}

static void free_body_falls_as_it_should_anywhere(void) {
    const double places[2] = {0.0, 1000.0};
    for (int i = 0; i < 2; ++i)
        for (int substeps = 10; substeps <= 64; substeps += 54) {
            pbd_world *world = rigid_world(true, substeps);
            struct pbd_collider_def def = body_def(PBD_BOX, 3.0, places[i], places[i], 0.0);
            pbd_collider_id id = add_collider(world, &def);
            step_ticks_awake(world, 60);
            double n = 60.0 * substeps, h = 1.0 / n, fell = 9.81 * h * h * n * (n + 1) / 2;
            CHECK_NEAR(places[i] - (double)state_of(world, id).def.position[1], fell, 1e-4);
            CHECK_NEAR(state_of(world, id).velocity[1], -9.81, 1e-5);
            pbd_world_destroy(world);
        }
}

static void drag_slows_speed_and_spin(void) {
    pbd_world *world = rigid_world(false, 10);
    struct pbd_world_settings settings = pbd_world_get_settings(world);
    settings.drag = 0.5f;
    pbd_world_set_settings(world, &settings);
    struct pbd_collider_def def = body_def(PBD_SPHERE, 1.0, 0.0, 0.0, 0.0);
    def.velocity[0] = 4.0f;
    def.angular_velocity[2] = 6.0f;
    pbd_collider_id id = add_collider(world, &def);
    step_ticks_awake(world, 120);
    CHECK_NEAR(state_of(world, id).velocity[0], 4.0 * exp(-1.0), 1e-5);
    CHECK_NEAR(state_of(world, id).angular_velocity[2], 6.0 * exp(-1.0), 1e-5);
    pbd_world_destroy(world);
}

/* Energy and momentum of a box of 1 kg with half extents 0.1, 0.2, 0.3. */
static void measure_spin(const struct pbd_collider_state *s, double *energy, double momentum[3]) {
    const double inertia[3] = {(0.04 + 0.09) / 3, (0.09 + 0.01) / 3, (0.01 + 0.04) / 3};
    const float *q = s->def.rotation, *w = s->angular_velocity;
    double axes[3][3] = {{1 - 2.0 * (q[1] * q[1] + q[2] * q[2]), 2.0 * (q[0] * q[1] + q[3] * q[2]),
                          2.0 * (q[0] * q[2] - q[3] * q[1])},
                         {2.0 * (q[0] * q[1] - q[3] * q[2]), 1 - 2.0 * (q[0] * q[0] + q[2] * q[2]),
                          2.0 * (q[1] * q[2] + q[3] * q[0])},
                         {2.0 * (q[0] * q[2] + q[3] * q[1]), 2.0 * (q[1] * q[2] - q[3] * q[0]),
                          1 - 2.0 * (q[0] * q[0] + q[1] * q[1])}};
    *energy = momentum[0] = momentum[1] = momentum[2] = 0.0;
    for (int k = 0; k < 3; ++k) {
        double along = axes[k][0] * w[0] + axes[k][1] * w[1] + axes[k][2] * w[2];
        *energy += 0.5 * inertia[k] * along * along;
        for (int c = 0; c < 3; ++c)
            momentum[c] += inertia[k] * along * axes[k][c];
    }
}

static void box_about_its_middle_axis_tumbles_and_keeps_energy_and_momentum(void) {
    pbd_world *world = rigid_world(false, 10);
    struct pbd_collider_def def = body_def(PBD_BOX, 1.0, 0.0, 0.0, 0.0);
    set_box(&def, 0.1, 0.2, 0.3);
    /* Of x, y, z inertias 0.0433, 0.0333, 0.0167 y is the middle one. */
    def.angular_velocity[1] = 10.0f;
    def.angular_velocity[0] = 0.01f;
    pbd_collider_id id = add_collider(world, &def);
    struct pbd_collider_state s = state_of(world, id);
    double energy, momentum[3], now, l[3], worst_energy = 0.0, worst_momentum = 0.0, least = 1.0;
    measure_spin(&s, &energy, momentum);
    for (int tick = 0; tick < 1200; ++tick) {
        step_ticks_awake(world, 1);
        s = state_of(world, id);
        measure_spin(&s, &now, l);
        worst_energy = fmax(worst_energy, fabs(now / energy - 1.0));
        for (int k = 0; k < 3; ++k)
            worst_momentum = fmax(worst_momentum, fabs(l[k] - momentum[k]) / momentum[1]);
        const float *q = s.def.rotation;
        least = fmin(least, 1.0 - 2.0 * ((double)q[0] * q[0] + (double)q[2] * q[2]));
    }
    printf("tumbling for 20 s at 10 rad/s: energy off by %.1e, momentum by %.1e, turned over to %.2f\n",
           worst_energy, worst_momentum, least);
    CHECK(worst_energy < 1e-4);
    CHECK(worst_momentum < 1e-6);
    CHECK(least < -0.9);
    pbd_world_destroy(world);
}

static void speed_is_clamped_and_told(void) {
    pbd_world *world = rigid_world(false, 10);
    struct pbd_world_settings settings = pbd_world_get_settings(world);
    settings.max_speed = 50.0f;
    pbd_world_set_settings(world, &settings);
    struct pbd_collider_def def = body_def(PBD_SPHERE, 1.0, 0.0, 0.0, 0.0);
    def.velocity[0] = 80.0f;
    pbd_collider_id id = add_collider(world, &def);
    pbd_world_step(world);
    const struct pbd_event *events;
    uint32_t count = pbd_world_events(world, &events), told = 0;
    for (uint32_t i = 0; i < count; ++i)
        if (events[i].type == PBD_EVENT_CLAMPED && events[i].collider == id) {
            ++told;
            CHECK(events[i].got == 80.0f && events[i].max == 50.0f);
        }
    CHECK_INT(told, 1);
    CHECK_NEAR(state_of(world, id).velocity[0], 50.0, 1e-5);
    pbd_world_step(world);
    count = pbd_world_events(world, &events);
    for (uint32_t i = 0; i < count; ++i)
        CHECK(events[i].type != PBD_EVENT_CLAMPED);
    pbd_world_destroy(world);
}

RUN_TESTS(TEST(driven_collider_moves_while_it_is_told_to), TEST(driven_barrel_turns_for_hours),
          TEST(move_takes_over_and_snapshot_goes_on), TEST(driven_plate_carries_a_sheet),
          TEST(free_body_falls_as_it_should_anywhere), TEST(drag_slows_speed_and_spin),
          TEST(box_about_its_middle_axis_tumbles_and_keeps_energy_and_momentum),
          TEST(speed_is_clamped_and_told))
