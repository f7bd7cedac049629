/* The table of named snapshots: kept, replaced, found, counted. */
#include "check.h"
#include <sim/saved.h>

static struct content built(void) {
    static const char text[] =
        "{\"cloths\":[{\"cloth\":\"a\",\"grid\":{\"nx\":6,\"ny\":5,\"size\":[1,1]},\"pins\":[0]}]}";
    static const struct content_room room = {.max_vertices_per_world = 100, .max_vertices = 100};
    struct content content = {0};
    struct wire_error error = {0};
    struct wire_request *scene = wire_scene_decode(text, sizeof text - 1, &error);
    CHECK(scene != NULL);
    CHECK_INT(content_build(&content, scene->params, NULL, &room, "", &error), 0);
    wire_request_destroy(scene);
    return content;
}

static void save(struct saved_table *table, const char *name, const struct content *content) {
    struct grab_table none = {0};
    struct saved saved;
    CHECK(saved_take(&saved, name, content, &none));
    CHECK(saved_put(table, &saved));
    CHECK(saved.state.snapshot == NULL);
}

static void names_are_kept_in_order_and_replaced_in_place(void) {
    struct content content = built();
    struct saved_table table = {0};
    save(&table, "one", &content);
    save(&table, "two", &content);
    size_t bytes = saved_bytes(&table);
    pbd_world_step(content.pbd);
    save(&table, "one", &content);
    CHECK_INT(table.count, 2);
    CHECK_STRING(table.items[0].name, "one");
    CHECK_INT(saved_find(&table, "one")->tick, 1);
    CHECK_INT(saved_find(&table, "two")->tick, 0);
    CHECK(saved_find(&table, "three") == NULL);
    CHECK_INT(saved_bytes(&table), bytes);
    /* 30 particles of 13 float32 each, padded, and what belongs to them. */
    CHECK(bytes > 2 * 30 * 13 * sizeof(float) && bytes < 40000);
    saved_table_free(&table);
    content_free(&content);
}

static void a_snapshot_brings_the_content_back_bit_for_bit(void) {
    struct content content = built();
    struct saved_table table = {0};
    struct wire_error error = {0};
    for (int i = 0; i < 5; ++i)
        pbd_world_step(content.pbd);
    save(&table, "five", &content);
    uint64_t hash = saved_find(&table, "five")->hash, later = 0;
    for (int repeat = 0; repeat < 2; ++repeat) {
        CHECK(pbd_world_state_hash(content.pbd) == hash);
        for (int i = 0; i < 7; ++i)
            pbd_world_step(content.pbd);
        if (repeat == 0) later = pbd_world_state_hash(content.pbd);
        CHECK(pbd_world_state_hash(content.pbd) == later && later != hash);
        CHECK_INT(content_return(&content, &saved_find(&table, "five")->state, &error), 0);
        CHECK_INT(pbd_world_tick(content.pbd), 5);
    }
    saved_table_free(&table);
    content_free(&content);
}

RUN_TESTS(TEST(names_are_kept_in_order_and_replaced_in_place),
          TEST(a_snapshot_brings_the_content_back_bit_for_bit))
