/* Members, epochs and what must still be told. */
#include "check.h"
#include <stdlib.h>
#include <sim/world.h>

static const struct content_room wide = {.max_vertices_per_world = 1000, .max_vertices = 1000};

static struct content colliders(const char *first, const char *second) {
    char text[512];
    struct content content = {0};
    struct wire_error error = {0};
    int length =
        snprintf(text, sizeof text,
                 "{\"colliders\":[{\"collider\":\"%s\",\"shape\":{\"type\":\"sphere\",\"radius\":1}},"
                 "{\"collider\":\"%s\",\"shape\":{\"type\":\"sphere\",\"radius\":1}}]}",
                 first, second);
    struct wire_request *scene = wire_scene_decode(text, (size_t)length, &error);
    CHECK(scene != NULL);
    CHECK_INT(content_build(&content, scene->params, NULL, &wide, "", &error), 0);
    wire_request_destroy(scene);
    return content;
}

static struct world *opened(void) {
    struct content content = colliders("a", "b");
    struct world *world = world_open("w", 7, &content, 1 << 20, 1000);
    CHECK(world != NULL && content.pbd == NULL);
    return world;
}

/* A member with a stream, so that gone objects are kept for it. */
static void subscribe(struct world *world, struct client *client) {
    world_member_add(world, client)->subscription = calloc(1, sizeof(struct subscription));
}

static void a_new_world_stands_at_tick_0_of_epoch_1(void) {
    struct world *world = opened();
    CHECK_STRING(world->name, "w");
    CHECK_INT(world->epoch, 1);
    CHECK_INT(world_tick(world), 0);
    CHECK(!world_is_ticking(world));
    clock_start(&world->clock, 1000);
    CHECK(world_is_ticking(world));
    world_close(world);
}

static void a_client_is_a_member_once(void) {
    struct world *world = opened();
    struct client clients[10] = {{.id = 1}};
    for (int i = 0; i < 10; ++i)
        CHECK(world_member_add(world, &clients[i]) != NULL);
    CHECK(world_member_add(world, &clients[3]) == world_member_find(world, &clients[3]));
    CHECK_INT(world->member_count, 10);
    world_member_remove(world, &clients[3]);
    world_member_remove(world, &clients[3]);
    CHECK_INT(world->member_count, 9);
    CHECK(world_member_find(world, &clients[3]) == NULL);
    CHECK_INT(world_subscriber_count(world), 0);
    world_close(world);
}

static void a_load_begins_an_epoch_and_notes_what_is_gone(void) {
    struct world *world = opened();
    struct client client = {.id = 1};
    subscribe(world, &client);
    struct content other = colliders("a", "c"); /* a has the same index, b is gone */
    CHECK(world_replace_content(world, &other, 2000));
    CHECK_INT(world->epoch, 2);
    CHECK(world->announce_all && world->dirty);
    CHECK_INT(world->gone_count, 1);
    CHECK_STRING(world->gone_objects[0].name, "b");
    CHECK_INT(world->gone_objects[0].epoch, 1);
    world_close(world);
}

static void a_reset_notes_what_was_added_since(void) {
    struct world *world = opened();
    struct client client = {.id = 1};
    struct wire_error error = {0};
    subscribe(world, &client);
    const struct wire_collider_spec spec = {
        .collider = "extra",
        .shape = {.has_type = 1, .type = WIRE_shape_type_sphere, .has_radius = 1, .radius = 1.0}};
    struct object *extra;
    const struct content_room room = {.max_vertices_per_world = 1000, .max_vertices = 1000};
    CHECK_INT(content_add_collider(&world->content, &spec, NULL, &room, &extra, &error), 0);
    pbd_world_step(world->content.pbd);
    CHECK(world_reset_content(world, 2000, &error));
    CHECK_INT(world->epoch, 2);
    CHECK_INT(world_tick(world), 0);
    CHECK_INT(world->gone_count, 1);
    CHECK_STRING(world->gone_objects[0].name, "extra");
    world_close(world);
}

static void nothing_is_noted_for_nobody(void) {
    struct world *world = opened();
    CHECK(world_note_gone(world, world->content.objects.items[0]));
    CHECK_INT(world->gone_count, 0);
    world_close(world);
}

RUN_TESTS(TEST(a_new_world_stands_at_tick_0_of_epoch_1), TEST(a_client_is_a_member_once),
          TEST(a_load_begins_an_epoch_and_notes_what_is_gone), TEST(a_reset_notes_what_was_added_since),
          TEST(nothing_is_noted_for_nobody))
