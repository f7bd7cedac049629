/* Boxes near each other, against the count of all pairs. */
#include "check.h"
#include "sheet.h"

#include "contact/hash_grid.h"

#define MOST 600u

struct seen {
    unsigned char times[MOST][MOST];
    uint64_t total, order; /* order: a checksum of the sequence */
};

static struct seen seen;

static void note(void *context, const struct grid_pair *pairs, uint32_t count) {
    struct seen *s = context;
    for (uint32_t i = 0; i < count; ++i) {
        ++s->times[pairs[i].query][pairs[i].item];
        ++s->total;
        s->order = s->order * 1099511628211u + (pairs[i].query * MOST + pairs[i].item);
    }
}

/* sizes: 1 = all alike, else some up to that many times as large; flat: on one plane. */
static void fill(struct grid_box *boxes, uint32_t count, struct random *random, double spread, double sizes,
                 bool flat, double far) {
    for (uint32_t i = 0; i < count; ++i) {
        boxes[i].id = i;
        double size = random_below(random, 10) == 0 ? sizes : 1.0;
        for (int k = 0; k < 3; ++k) {
            double centre = far + (flat && k == 1 ? 0.0 : random_between(random, -spread, spread));
            double half = 0.5 * size * random_between(random, 0.0, 1.0);
            boxes[i].low[k] = (float)(centre - half);
            boxes[i].high[k] = (float)(centre + half);
        }
    }
}

static bool near(const struct grid_box *a, const struct grid_box *b, float reach) {
    bool apart = false;
    for (int k = 0; k < 3; ++k)
        apart = apart || !(b->low[k] <= a->high[k] + reach && b->high[k] >= a->low[k] - reach);
    return !apart;
}

static void check_against_all_pairs(struct hash_grid *grid, const struct grid_box *a, uint32_t na,
                                    const struct grid_box *b, uint32_t nb, float reach) {
    memset(&seen, 0, sizeof seen);
    CHECK_INT(hash_grid_reserve(grid, na > nb ? na : nb), PBD_OK);
    hash_grid_pairs(grid, a, na, b, nb, reach, note, &seen);
    uint64_t wrong = 0, wanted = 0;
    for (uint32_t i = 0; i < na; ++i)
        for (uint32_t j = b == NULL ? i + 1 : 0; j < (b == NULL ? na : nb); ++j) {
            uint32_t want = near(&a[i], b == NULL ? &a[j] : &b[j], reach);
            uint32_t got = seen.times[i][j];
            if (b == NULL) got += seen.times[j][i];
            wanted += want;
            wrong += got != want;
        }
    CHECK_INT(wrong, 0);
    CHECK_INT(seen.total, wanted);
}

static void finds_every_near_pair_once(void) {
    struct hash_grid grid = {0};
    struct random random = {7};
    static struct grid_box a[MOST], b[MOST];
    const double sizes[] = {1, 5, 300};
    for (int round = 0; round < 24; ++round) {
        uint32_t na = 1 + random_below(&random, MOST - 1), nb = 1 + random_below(&random, MOST - 1);
        double spread = round % 4 == 0 ? 2 : 12, far = round % 5 == 0 ? 1e5 : 0;
        fill(a, na, &random, spread, sizes[round % 3], round % 2 == 0, far);
        fill(b, nb, &random, spread, sizes[(round + 1) % 3], round % 2 == 0, far);
        float reach = (float)random_between(&random, 0.0, 1.5);
        check_against_all_pairs(&grid, a, na, b, nb, reach);
        check_against_all_pairs(&grid, a, na, NULL, 0, reach);
    }
    hash_grid_destroy(&grid);
}

static void points_on_one_spot_and_single_boxes_work(void) {
    struct hash_grid grid = {0};
    struct grid_box a[3] = {{{1, 1, 1}, {1, 1, 1}, 0}, {{1, 1, 1}, {1, 1, 1}, 1}, {{2, 1, 1}, {2, 1, 1}, 2}};
    check_against_all_pairs(&grid, a, 3, NULL, 0, 0.0f);
    check_against_all_pairs(&grid, a, 3, a, 3, 0.5f);
    check_against_all_pairs(&grid, a, 1, NULL, 0, 0.0f);
    hash_grid_pairs(&grid, a, 0, NULL, 0, 1.0f, note, &seen);
    hash_grid_destroy(&grid);
}

static void what_is_not_finite_meets_nothing(void) {
    struct hash_grid grid = {0};
    struct random random = {3};
    static struct grid_box a[MOST];
    fill(a, 100, &random, 3, 5, false, 0);
    a[10].low[1] = NAN;
    a[20].high[0] = INFINITY;
    a[30].low[2] = a[30].high[2] = -INFINITY;
    for (uint32_t i = 40; i < 43; ++i)
        for (int k = 0; k < 3; ++k)
            a[i].low[k] = a[i].high[k] = NAN;
    memset(&seen, 0, sizeof seen);
    CHECK_INT(hash_grid_reserve(&grid, 100), PBD_OK);
    hash_grid_pairs(&grid, a, 100, NULL, 0, 1.0f, note, &seen);
    CHECK(seen.total > 0);
    for (uint32_t i = 0; i < 100; ++i)
        CHECK(!seen.times[10][i] && !seen.times[i][20] && !seen.times[30][i] && !seen.times[i][41]);
    hash_grid_destroy(&grid);
}

static void same_boxes_give_the_same_order(void) {
    struct hash_grid grid = {0}, other = {0};
    struct random random = {5};
    static struct grid_box a[MOST];
    fill(a, MOST, &random, 6, 5, false, 0);
    memset(&seen, 0, sizeof seen);
    CHECK_INT(hash_grid_reserve(&grid, MOST), PBD_OK);
    hash_grid_pairs(&grid, a, MOST, NULL, 0, 0.5f, note, &seen);
    uint64_t first = seen.order;
    hash_grid_pairs(&grid, a, MOST / 2, a, MOST, 0.9f, note, &seen); /* leaves its memory dirty */
    seen.order = 0;
    hash_grid_pairs(&grid, a, MOST, NULL, 0, 0.5f, note, &seen);
    CHECK(seen.order == first);
    seen.order = 0;
    CHECK_INT(hash_grid_reserve(&other, MOST + 50), PBD_OK);
    hash_grid_pairs(&other, a, MOST, NULL, 0, 0.5f, note, &seen);
    CHECK(seen.order == first);
    hash_grid_destroy(&grid);
    hash_grid_destroy(&other);
}

static void count_only(void *context, const struct grid_pair *pairs, uint32_t count) {
    (void)pairs;
    *(uint64_t *)context += count;
}

/* Boxes of one size at one density: comparisons per box stay the same. */
static void comparisons_grow_as_the_boxes(void) {
    struct hash_grid grid = {0};
    double per_box[2];
    for (int round = 0; round < 2; ++round) {
        uint32_t side = round == 0 ? 60 : 120, count = side * side;
        struct grid_box *boxes = malloc(count * sizeof *boxes);
        for (uint32_t i = 0; i < count; ++i)
            boxes[i] = (struct grid_box){{(float)(i % side), 0, (float)(i / side)},
                                         {(float)(i % side) + 1, 0.1f, (float)(i / side) + 1},
                                         i};
        CHECK_INT(hash_grid_reserve(&grid, count), PBD_OK);
        grid.tests = 0;
        uint64_t emitted = 0;
        hash_grid_pairs(&grid, boxes, count, NULL, 0, 0.2f, count_only, &emitted);
        per_box[round] = (double)grid.tests / count;
        free(boxes);
    }
    printf("     %.1f and %.1f comparisons a box\n", per_box[0], per_box[1]);
    CHECK(per_box[1] < 1.1 * per_box[0]);
    hash_grid_destroy(&grid);
}

RUN_TESTS(TEST(finds_every_near_pair_once), TEST(points_on_one_spot_and_single_boxes_work),
          TEST(what_is_not_finite_meets_nothing), TEST(same_boxes_give_the_same_order),
          TEST(comparisons_grow_as_the_boxes))
