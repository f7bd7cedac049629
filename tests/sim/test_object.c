/* Names, ids and indices of objects. */
#include "check.h"
#include "sheet.h"
#include <sim/object.h>

static pbd_fabric *square(uint32_t n) {
    struct sheet sheet = sheet_create(n, n, 1.0, 1.0);
    pbd_fabric *fabric = sheet_fabric(&sheet, 0.2f);
    sheet_destroy(&sheet);
    return fabric;
}

static struct object *add_collider(struct object_table *table, const char *name) {
    struct object *object = object_create_collider(name);
    CHECK(object && object_table_reserve(table));
    object_table_add(table, object);
    return object;
}

static void indices_rise_and_are_not_used_again(void) {
    struct object_table table = {0};
    add_collider(&table, "a");
    struct object *b = add_collider(&table, "b");
    CHECK_INT(b->index, 1);
    object_table_remove(&table, b);
    CHECK_INT(add_collider(&table, "b")->index, 2);
    CHECK_INT(object_find_index(&table, 2)->index, 2);
    CHECK(object_find_index(&table, 1) == NULL);
    object_table_free(&table);
}

static void a_cloth_and_a_collider_may_share_a_name(void) {
    struct object_table table = {0};
    pbd_fabric *fabric = square(4);
    struct object *cloth = object_create_cloth("x", fabric);
    pbd_fabric_unref(fabric);
    CHECK(object_table_reserve(&table));
    object_table_add(&table, cloth);
    struct object *collider = add_collider(&table, "x");
    CHECK(object_find(&table, OBJECT_CLOTH, "x") == cloth);
    CHECK(object_find(&table, OBJECT_COLLIDER, "x") == collider);
    CHECK(object_find(&table, OBJECT_CLOTH, "y") == NULL);
    CHECK_INT(object_count(&table, OBJECT_CLOTH), 1);
    CHECK_INT(object_vertices(&table), 16);
    object_table_free(&table);
}

static void the_payload_follows_the_order_that_is_announced(void) {
    pbd_fabric *fabric = square(6); /* without cols: the fabric may choose an order */
    struct object *cloth = object_create_cloth("x", fabric);
    for (uint32_t i = 0; i < 36; ++i) {
        uint32_t vertex = cloth->view.payload_order ? cloth->view.payload_order[i] : i;
        CHECK_INT(cloth->payload_particle[i], cloth->view.vertex_particle[vertex]);
    }
    CHECK_INT(cloth->step_exp, -14); /* floor(log2(√2)) − 14 */
    object_unref(cloth);
    pbd_fabric_unref(fabric);
}

static void a_copy_shares_the_objects_and_outlives_the_table(void) {
    struct object_table table = {0}, copy;
    struct object *a = add_collider(&table, "a");
    CHECK(object_table_copy(&copy, &table));
    CHECK_INT(a->refs, 2);
    CHECK(copy.version != table.version);
    object_table_free(&table);
    CHECK(object_find(&copy, OBJECT_COLLIDER, "a") == a);
    CHECK_INT(copy.next_index, 1);
    object_table_free(&copy);
}

static void clones_share_what_their_originals_share_and_nothing_else(void) {
    struct object_table start = {0}, live = {0}, live_clone, start_clone;
    struct object *a = add_collider(&start, "a");
    add_collider(&start, "gone");
    CHECK(object_table_copy(&live, &start));
    object_table_remove(&live, live.items[1]);
    add_collider(&live, "late");
    a->appeared = a->changed = false;
    CHECK(object_table_clone(&live_clone, &live, NULL, NULL));
    CHECK(object_table_clone(&start_clone, &start, &live, &live_clone));
    CHECK(live_clone.items[0] == start_clone.items[0] && live_clone.items[0] != a);
    CHECK(live_clone.items[1] != start_clone.items[1]);
    CHECK_STRING(start_clone.items[1]->name, "gone");
    CHECK_STRING(live_clone.items[1]->name, "late");
    CHECK_INT(live_clone.items[1]->index, live.items[1]->index);
    CHECK(live_clone.items[0]->appeared && !a->appeared);
    object_table_free(&start);
    object_table_free(&live);
    object_table_free(&start_clone);
    object_table_free(&live_clone);
}

RUN_TESTS(TEST(indices_rise_and_are_not_used_again), TEST(a_cloth_and_a_collider_may_share_a_name),
          TEST(the_payload_follows_the_order_that_is_announced),
          TEST(a_copy_shares_the_objects_and_outlives_the_table),
          TEST(clones_share_what_their_originals_share_and_nothing_else))
