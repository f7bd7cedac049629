/* Numbers of grabs: rising, whose, and forgotten when the solver has ended them. */
#include "check.h"
#include "support_sim.h"
#include <sim/grab.h>

#define SHEET "{\"cloths\":[{\"cloth\":\"a\",\"grid\":{\"nx\":4,\"ny\":3,\"size\":[1,1]}}]}"

static struct bench bench;
static struct grab_table table;

static uint32_t grab(uint32_t client, uint32_t vertex) {
    pbd_world *pbd = bench.sim->worlds[0]->content.pbd;
    pbd_cloth_id cloth = bench.sim->worlds[0]->content.objects.items[0]->id;
    pbd_grab_id id;
    CHECK(grab_reserve(&table));
    CHECK_INT(pbd_grab_add(pbd, cloth, vertex, (float[3]){0, 1, 0}, 0.001f, &id), PBD_OK);
    return grab_add(&table, client, id);
}

static void numbers_rise_and_are_not_used_again(void) {
    bench_open(&bench, SHEET);
    const pbd_world *pbd = bench.sim->worlds[0]->content.pbd;
    CHECK_INT(grab(1, 0), 1);
    CHECK_INT(grab(2, 1), 2);
    grab_remove(&table, grab_find(&table, pbd, 1));
    CHECK(grab_find(&table, pbd, 1) == NULL);
    CHECK_INT(grab(1, 0), 3);
    CHECK_INT(table.count, 2);
    grab_clear(&table);
    CHECK_INT(grab(1, 0), 4);
    grab_table_free(&table);
    bench_close(&bench);
}

static void a_clients_grabs_are_found_one_by_one(void) {
    bench_open(&bench, SHEET);
    const pbd_world *pbd = bench.sim->worlds[0]->content.pbd;
    grab(7, 0);
    grab(8, 1);
    grab(7, 2);
    struct grab *found = grab_of_client(&table, pbd, 7);
    CHECK_INT(found->number, 1);
    grab_remove(&table, found);
    found = grab_of_client(&table, pbd, 7);
    CHECK_INT(found->number, 3);
    grab_remove(&table, found);
    CHECK(grab_of_client(&table, pbd, 7) == NULL);
    CHECK_INT(table.items[0].client, 8);
    grab_table_free(&table);
    bench_close(&bench);
}

static void those_that_the_solver_has_ended_are_forgotten(void) {
    bench_open(&bench, SHEET);
    pbd_world *pbd = bench.sim->worlds[0]->content.pbd;
    grab(1, 0);
    grab(1, 1);
    pbd_grab_release(pbd, table.items[0].id);
    CHECK(grab_find(&table, pbd, 1) == NULL);
    CHECK_INT(table.count, 1);
    pbd_cloth_remove(pbd, bench.sim->worlds[0]->content.objects.items[0]->id);
    grab_prune(&table, pbd);
    CHECK_INT(table.count, 0);
    grab_table_free(&table);
    object_table_remove(&bench.sim->worlds[0]->content.objects,
                        bench.sim->worlds[0]->content.objects.items[0]);
    bench_close(&bench);
}

static void a_copy_is_equal_and_its_own(void) {
    bench_open(&bench, SHEET);
    grab(1, 0);
    grab(2, 1);
    struct grab_table copy;
    CHECK(grab_table_copy(&copy, &table));
    grab_remove(&table, &table.items[0]);
    CHECK_INT(copy.count, 2);
    CHECK_INT(copy.items[0].client, 1);
    CHECK_INT(copy.last, table.last);
    CHECK(grab_reserve(&copy));
    grab_table_free(&copy);
    grab_table_free(&table);
    bench_close(&bench);
}

RUN_TESTS(TEST(numbers_rise_and_are_not_used_again), TEST(a_clients_grabs_are_found_one_by_one),
          TEST(those_that_the_solver_has_ended_are_forgotten), TEST(a_copy_is_equal_and_its_own))
