/* Ids of cloths and colliders. */
#include "check.h"
#include "sheet.h"

#include "world/world_internal.h"

static pbd_world *new_world(void) {
    struct pbd_world_settings settings = pbd_default_world_settings();
    return pbd_world_create(&settings);
}

static pbd_collider_id add_collider(pbd_world *world) {
    struct pbd_collider_def def = pbd_default_collider_def();
    pbd_collider_id id = 0;
    CHECK_INT(pbd_collider_add(world, &def, &id), PBD_OK);
    return id;
}

static void removed_id_stays_stale_when_the_slot_is_taken_again(void) {
    pbd_world *world = new_world();
    pbd_collider_id first = add_collider(world);
    CHECK_INT(pbd_collider_remove(world, first), PBD_OK);
    pbd_collider_id second = add_collider(world);
    CHECK(first != second && first != 0 && second != 0);
    CHECK_INT(first & 0xffff, second & 0xffff); /* the slot is the same one */
    CHECK(world_collider(world, first) == NULL);
    CHECK(world_collider(world, second) != NULL);
    CHECK_INT(pbd_collider_remove(world, first), PBD_STALE_ID);
    pbd_world_destroy(world);
}

static void ids_that_never_were_are_stale(void) {
    pbd_world *world = new_world();
    add_collider(world);
    CHECK(world_collider(world, 0) == NULL);
    CHECK(world_collider(world, 0xffffffffu) == NULL);
    CHECK(world_collider(world, 0x00010003u) == NULL);
    CHECK(world_cloth(world, 0x00010001u) == NULL);
    pbd_world_destroy(world);
}

static void many_slots_keep_their_contents_and_order(void) {
    pbd_world *world = new_world();
    pbd_collider_id ids[100];
    for (int i = 0; i < 100; ++i) {
        struct pbd_collider_def def = pbd_default_collider_def();
        def.position[0] = (float)i;
        CHECK_INT(pbd_collider_add(world, &def, &ids[i]), PBD_OK);
    }
    for (int i = 0; i < 100; i += 3)
        CHECK_INT(pbd_collider_remove(world, ids[i]), PBD_OK);
    CHECK_INT(world->collider_count, 66);
    uint32_t before = 0;
    for (uint32_t i = 0; i < world->collider_count; ++i) {
        const struct pbd_collider *collider = &world->colliders[world->collider_order[i]];
        CHECK(i == 0 || collider->order > before);
        before = collider->order;
        CHECK((int)collider->def.position[0] % 3 != 0);
    }
    /* A later one comes last in order although it takes the first free slot. */
    pbd_collider_id late = add_collider(world);
    CHECK(&world->colliders[world->collider_order[66]] == world_collider(world, late));
    CHECK_INT(world->collider_order[66], 0);
    pbd_world_destroy(world);
}

static void used_up_slot_is_not_taken_again(void) {
    pbd_world *world = new_world();
    pbd_collider_id id = add_collider(world);
    world_collider(world, id)->generation = 0xffff;
    CHECK_INT(pbd_collider_remove(world, id), PBD_OK);
    pbd_collider_id next = add_collider(world);
    CHECK((next & 0xffff) != (id & 0xffff));
    pbd_world_destroy(world);
}

static void events_beyond_the_room_are_dropped(void) {
    pbd_world *world = new_world();
    struct pbd_event event = {.type = PBD_EVENT_CLAMPED};
    world_emit(world, &event); /* no cloth, no room */
    const struct pbd_event *events;
    CHECK_INT(pbd_world_events(world, &events), 0);
    CHECK_INT(world_reserve_events(world, 2, 1), PBD_OK);
    for (int i = 0; i < 20; ++i)
        world_emit(world, &event);
    CHECK_INT(pbd_world_events(world, &events), world->event_capacity);
    CHECK(world->event_capacity >= 8);
    pbd_world_destroy(world);
}

RUN_TESTS(TEST(removed_id_stays_stale_when_the_slot_is_taken_again), TEST(ids_that_never_were_are_stale),
          TEST(many_slots_keep_their_contents_and_order), TEST(used_up_slot_is_not_taken_again),
          TEST(events_beyond_the_room_are_dropped))
