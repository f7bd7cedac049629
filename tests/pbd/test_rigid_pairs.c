/* Which pairs are looked at, and overlaps at the start. */
#include "check.h"

#include "contact/contact.h"
#include "sheet.h"
#include "support_bodies.h"

static pbd_collider_id add(pbd_world *world, enum pbd_motion motion, struct pbd_shape shape, double x,
                           double y) {
    struct pbd_collider_def def = pbd_default_collider_def();
    def.motion = motion;
    def.shape = shape;
    def.position[0] = (float)x;
    def.position[1] = (float)y;
    pbd_collider_id id = 0;
    CHECK_INT(pbd_collider_add(world, &def, &id), PBD_OK);
    return id;
}

static pbd_world *quiet_world(void) {
    struct pbd_world_settings settings = quiet_settings();
    return pbd_world_create(&settings);
}

static void only_what_can_meet_is_a_pair(void) {
    pbd_world *world = quiet_world();
    add(world, PBD_STATIC_MOTION, support_ball(0.5), 0.9, 0.0);
    add(world, PBD_DYNAMIC, support_ball(0.5), 0.0, 0.0);
    add(world, PBD_DYNAMIC, support_ball(0.5), 5.0, 0.0);
    add(world, PBD_DYNAMIC, support_ball(0.5), 5.9, 0.0);
    add(world, PBD_STATIC_MOTION,
        (struct pbd_shape){.type = PBD_PLANE, .normal = {0.0f, 1.0f, 0.0f}, .offset = -10.0f}, 0.0, 0.0);
    add(world, PBD_KINEMATIC, support_ball(0.5), 0.9, 0.0); /* with the static one: none moves */
    pbd_world_step(world);
    const struct rigid_contacts *contacts = world->rigid;
    CHECK_INT(contacts->pair_count, 3);
    CHECK_INT(contacts->pairs[0].a, 1);
    CHECK_INT(contacts->pairs[0].b, 0);
    CHECK_INT(contacts->pairs[1].b, 5);
    CHECK_INT(contacts->pairs[2].a, 2);
    CHECK_INT(contacts->pairs[2].b, 3);
    pbd_world_destroy(world);
}

static void fast_ones_are_paired_with_what_they_will_reach(void) {
    pbd_world *world = quiet_world();
    pbd_collider_id id = add(world, PBD_DYNAMIC, support_ball(0.1), -3.0, 0.0);
    add(world, PBD_STATIC_MOTION, support_box(0.01, 1.0, 1.0), 0.0, 0.0);
    world_collider(world, id)->body.now.velocity.x = 150.0;
    pbd_world_step(world); /* 2.5 m */
    CHECK_INT(world->rigid->pair_count, 1);
    pbd_world_destroy(world);
}

static void worlds_without_bodies_have_nothing_of_this(void) {
    pbd_world *world = quiet_world();
    add(world, PBD_STATIC_MOTION, support_ball(0.5), 0.9, 0.0);
    add(world, PBD_KINEMATIC, support_ball(0.5), 0.0, 0.0);
    pbd_world_step(world);
    CHECK(world->rigid == NULL && !world->has_bodies);
    const struct pbd_event *events;
    CHECK_INT(pbd_world_events(world, &events), 0);
    pbd_world_destroy(world);
}

static void overlap_is_told_when_something_appears_in_another(void) {
    pbd_world *world = quiet_world();
    pbd_collider_id box = add(world, PBD_STATIC_MOTION, support_box(1.0, 1.0, 1.0), 0.0, 0.0);
    pbd_collider_id ball = add(world, PBD_DYNAMIC, support_ball(0.5), 0.0, 1.2);
    pbd_world_step(world);
    const struct pbd_event *events;
    CHECK_INT(pbd_world_events(world, &events), 1);
    CHECK_INT(events[0].type, PBD_EVENT_INITIAL_OVERLAP);
    CHECK(events[0].collider == box && events[0].other_collider == ball);
    CHECK_NEAR(events[0].depth, 0.3, 1e-6);
    pbd_world_step(world);
    CHECK_INT(pbd_world_events(world, &events), 0);
    pbd_world_destroy(world);
}

/* What contacts bear goes with the world's state. */
static void memory_survives_a_snapshot(void) {
    struct pbd_world_settings settings = quiet_settings();
    settings.gravity[1] = -9.81f;
    pbd_world *world = pbd_world_create(&settings);
    add(world, PBD_STATIC_MOTION, (struct pbd_shape){.type = PBD_PLANE, .normal = {0.0f, 1.0f, 0.0f}}, 0, 0);
    for (int i = 0; i < 4; ++i)
        add(world, PBD_DYNAMIC, support_box(0.1, 0.1, 0.1), 0.01 * i, 0.1 + 0.2 * i);
    step_ticks(world, 20);
    pbd_snapshot *snapshot = pbd_world_snapshot(world);
    uint64_t then = pbd_world_state_hash(world);
    uint32_t count;
    CHECK(rigid_contacts_memory(world, &count) != NULL && count == 16);
    step_ticks(world, 20);
    uint64_t later = pbd_world_state_hash(world);
    CHECK_INT(pbd_world_restore(world, snapshot), PBD_OK);
    CHECK(pbd_world_state_hash(world) == then);
    step_ticks(world, 20);
    CHECK(pbd_world_state_hash(world) == later);
    pbd_world *other = pbd_world_create(&settings);
    CHECK_INT(pbd_world_restore(other, snapshot), PBD_OK);
    step_ticks(other, 20);
    CHECK(pbd_world_state_hash(other) == later);
    /* It decides what comes, so it is in the hash. */
    CHECK_INT(pbd_world_restore(other, snapshot), PBD_OK);
    other->rigid->memory[0].pushed *= 1.5;
    CHECK(pbd_world_state_hash(other) != then);
    pbd_snapshot_destroy(snapshot);
    pbd_world_destroy(world);
    pbd_world_destroy(other);
}

RUN_TESTS(TEST(only_what_can_meet_is_a_pair), TEST(fast_ones_are_paired_with_what_they_will_reach),
          TEST(worlds_without_bodies_have_nothing_of_this),
          TEST(overlap_is_told_when_something_appears_in_another), TEST(memory_survives_a_snapshot))
