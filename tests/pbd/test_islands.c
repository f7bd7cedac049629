/* Islands against all pairs. */
#include "check.h"
#include "sheet.h"

#include "world/islands.h"

#define NODES 60

static struct island_node box(double x, double y, double z, double half) {
    return (struct island_node){.low = {x - half, y - half, z - half},
                                .high = {x + half, y + half, z + half}};
}

static uint32_t root(const struct island_node *nodes, uint32_t i) {
    while (nodes[i].parent != i)
        i = nodes[i].parent;
    return i;
}

static void sweep_finds_what_all_pairs_find(void) {
    struct random random = {7};
    for (int round = 0; round < 200; ++round) {
        struct island_node nodes[NODES], want[NODES];
        uint32_t order[NODES], count = 1 + random_below(&random, NODES);
        double half = random_between(&random, 0.01, 0.12);
        for (uint32_t i = 0; i < count; ++i) {
            /* Ends in a grid, so that many are equal. */
            double x = 0.1 * random_below(&random, 11), y = random_between(&random, 0, 1);
            nodes[i] = box(x, y, random_between(&random, 0, 0.3), half);
            nodes[i].restless = random_below(&random, 9) == 0;
            nodes[i].is_cloth = random_below(&random, 2) == 0;
            nodes[i].passes = random_below(&random, 3) == 0;
        }
        memcpy(want, nodes, sizeof want);
        islands_begin(nodes, count);
        islands_join_touching(nodes, order, count);
        islands_begin(want, count);
        for (uint32_t i = 0; i < count; ++i)
            for (uint32_t j = 0; j < i; ++j)
                if (islands_overlap(&want[i], &want[j])) islands_join(want, i, j);
        islands_spread(nodes, count);
        for (uint32_t i = 0; i < count; ++i) {
            bool restless = false;
            for (uint32_t j = 0; j < count; ++j) {
                CHECK((root(nodes, i) == root(nodes, j)) == (root(want, i) == root(want, j)));
                restless = restless || (root(want, i) == root(want, j) && want[j].restless);
            }
            CHECK(nodes[i].restless == restless);
        }
    }
}

static void boxes_that_share_a_face_touch(void) {
    struct island_node a = box(0, 0, 0, 1), b = box(2, 0, 0, 1), c = box(0, 2.1, 0, 1);
    CHECK(islands_overlap(&a, &b) && islands_overlap(&b, &a));
    CHECK(!islands_overlap(&a, &c));
}

static void endless_box_touches_everything(void) {
    struct island_node plane = box(0, 0, 0, HUGE_VAL), a = box(1e6, -1e6, 3, 0.1);
    CHECK(islands_overlap(&plane, &a));
    struct island_node nodes[3] = {a, plane, box(5, 5, 5, 1)};
    uint32_t order[3];
    islands_begin(nodes, 3);
    islands_join_touching(nodes, order, 3);
    CHECK(root(nodes, 0) == root(nodes, 2));
}

static void cloths_that_pass_each_other_are_apart_but_touch_bodies(void) {
    struct island_node a = box(0, 0, 0, 1), b = a, body = a;
    a.is_cloth = b.is_cloth = true;
    CHECK(islands_overlap(&a, &b));
    b.passes = true;
    CHECK(!islands_overlap(&a, &b) && !islands_overlap(&b, &a));
    CHECK(islands_overlap(&b, &body));
}

RUN_TESTS(TEST(sweep_finds_what_all_pairs_find), TEST(boxes_that_share_a_face_touch),
          TEST(endless_box_touches_everything), TEST(cloths_that_pass_each_other_are_apart_but_touch_bodies))
