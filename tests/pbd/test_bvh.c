/* The tree finds exactly what looking at every box finds, and is the same every time. */
#include "check.h"
#include "sheet.h"

#include "contact/bvh.h"

static struct bvh_box random_box(struct random *random, double spread, double size) {
    struct bvh_box box;
    for (int k = 0; k < 3; ++k) {
        double low = random_between(random, -spread, spread);
        box.low[k] = (float)low;
        box.high[k] = (float)(low + random_between(random, 0.0, size));
    }
    return box;
}

static bool meets(const struct bvh_box *box, const struct bvh_range *range) {
    for (int k = 0; k < 3; ++k)
        if ((double)box->low[k] > range->high[k] || (double)box->high[k] < range->low[k]) return false;
    return true;
}

/* What a walk visits must hold every box that meets the range, once. Returns the leaves. */
static uint32_t check_walk(const struct bvh *bvh, const struct bvh_box *boxes, uint32_t count,
                           const struct bvh_range *range) {
    unsigned char *seen = calloc(count, 1);
    struct bvh_walk walk;
    uint32_t first, items, leaves = 0;
    bvh_walk_begin(&walk, bvh, range);
    while (bvh_walk_next(&walk, &first, &items)) {
        ++leaves;
        CHECK(items >= 1 && items <= BVH_LEAF);
        for (uint32_t i = 0; i < items; ++i)
            ++seen[bvh->items[first + i]];
    }
    for (uint32_t i = 0; i < count; ++i) {
        CHECK(seen[i] <= 1);
        if (meets(&boxes[i], range)) CHECK_INT(seen[i], 1);
    }
    free(seen);
    return leaves;
}

static void walks_find_what_brute_force_finds(void) {
    struct random random = {1};
    for (int round = 0; round < 60; ++round) {
        uint32_t count = 1 + random_below(&random, round < 30 ? 12 : 700);
        struct bvh_box *boxes = malloc(count * sizeof *boxes);
        for (uint32_t i = 0; i < count; ++i)
            boxes[i] = random_box(&random, 1.0, 0.2);
        struct bvh bvh;
        CHECK_INT(bvh_build(&bvh, boxes, count), PBD_OK);
        for (int query = 0; query < 20; ++query) {
            struct bvh_box box = random_box(&random, 1.2, 0.5);
            struct bvh_range range;
            for (int k = 0; k < 3; ++k) {
                range.low[k] = (double)box.low[k];
                range.high[k] = (double)box.high[k];
            }
            check_walk(&bvh, boxes, count, &range);
        }
        bvh_free(&bvh);
        free(boxes);
    }
}

static void small_ranges_visit_few_leaves(void) {
    enum { COUNT = 20000 };
    struct random random = {2};
    struct bvh_box *boxes = malloc(COUNT * sizeof *boxes);
    for (uint32_t i = 0; i < COUNT; ++i)
        boxes[i] = random_box(&random, 1.0, 0.02);
    struct bvh bvh;
    CHECK_INT(bvh_build(&bvh, boxes, COUNT), PBD_OK);
    struct bvh_range range = {{0.3, 0.3, 0.3}, {0.31, 0.31, 0.31}};
    uint32_t leaves = check_walk(&bvh, boxes, COUNT, &range);
    printf("%u of %u leaves\n", leaves, (bvh.node_count + 1) / 2);
    CHECK(leaves < 30);
    bvh_free(&bvh);
    free(boxes);
}

static void equal_boxes_end_in_halves(void) {
    enum { COUNT = 1000 };
    struct bvh_box *boxes = calloc(COUNT, sizeof *boxes);
    struct bvh bvh;
    CHECK_INT(bvh_build(&bvh, boxes, COUNT), PBD_OK);
    struct bvh_range range = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    check_walk(&bvh, boxes, COUNT, &range);
    bvh_free(&bvh);
    free(boxes);
}

/* Centres in a geometric row make the deepest tree that splitting by area gives. */
static void deep_trees_stay_within_the_stack(void) {
    enum { COUNT = 3000 };
    struct bvh_box *boxes = calloc(COUNT, sizeof *boxes);
    float at = 1e-30f;
    for (int i = 0; i < COUNT; ++i) {
        boxes[i].low[0] = boxes[i].high[0] = at;
        if (i % 2 == 0 && at < 1e30f) at *= 1.05f;
    }
    struct bvh bvh;
    CHECK_INT(bvh_build(&bvh, boxes, COUNT), PBD_OK);
    struct bvh_range range = {{-INFINITY, -1.0, -1.0}, {INFINITY, 1.0, 1.0}};
    check_walk(&bvh, boxes, COUNT, &range);
    bvh_free(&bvh);
    free(boxes);
}

static void same_boxes_make_the_same_tree(void) {
    struct random random = {3};
    struct bvh_box boxes[500];
    for (int i = 0; i < 500; ++i)
        boxes[i] = random_box(&random, 1.0, 0.1);
    struct bvh a, b;
    CHECK_INT(bvh_build(&a, boxes, 500), PBD_OK);
    CHECK_INT(bvh_build(&b, boxes, 500), PBD_OK);
    CHECK_INT(a.node_count, b.node_count);
    CHECK(memcmp(a.nodes, b.nodes, a.node_count * sizeof *a.nodes) == 0);
    CHECK(memcmp(a.items, b.items, a.item_count * sizeof *a.items) == 0);
    bvh_free(&a);
    bvh_free(&b);
}

static void walk_stops_short_when_its_range_shrinks(void) {
    struct bvh_box boxes[64];
    for (int i = 0; i < 64; ++i)
        boxes[i] = (struct bvh_box){{(float)i, 0.0f, 0.0f}, {(float)i, 0.0f, 0.0f}};
    struct bvh bvh;
    CHECK_INT(bvh_build(&bvh, boxes, 64), PBD_OK);
    struct bvh_walk walk;
    struct bvh_range range = {{-1.0, -1.0, -1.0}, {100.0, 1.0, 1.0}};
    uint32_t first, count, leaves = 0;
    bvh_walk_begin(&walk, &bvh, &range);
    while (bvh_walk_next(&walk, &first, &count)) {
        ++leaves;
        walk.range.high[0] = -1.0;
    }
    CHECK_INT(leaves, 1);
    bvh_free(&bvh);
}

RUN_TESTS(TEST(walks_find_what_brute_force_finds), TEST(small_ranges_visit_few_leaves),
          TEST(equal_boxes_end_in_halves), TEST(deep_trees_stay_within_the_stack),
          TEST(same_boxes_make_the_same_tree), TEST(walk_stops_short_when_its_range_shrinks))
