/* The tests' own counter of triangles that pass through each other. */
#include "check.h"
#include "crossings.h"

static struct crossing_triangle triangle(double ax, double ay, double az, double bx, double by, double bz,
                                         double cx, double cy, double cz, uint32_t first) {
    return (struct crossing_triangle){.p = {{ax, ay, az}, {bx, by, bz}, {cx, cy, cz}},
                                      .corner = {first, first + 1, first + 2}};
}

static uint32_t count_two(struct crossing_triangle a, struct crossing_triangle b) {
    struct crossing_triangle both[2] = {a, b};
    return crossing_count(both, 2);
}

static void one_through_another_is_one(void) {
    struct crossing_triangle floor = triangle(0, 0, 0, 2, 0, 0, 0, 0, 2, 0);
    CHECK_INT(count_two(floor, triangle(0.5, -1, 0.5, 0.6, 1, 0.5, 0.5, 1, 0.6, 3)), 1);
    CHECK_INT(count_two(floor, triangle(0.5, 1, 0.5, 0.6, 2, 0.5, 0.5, 2, 0.6, 3)), 0);
    CHECK_INT(count_two(floor, triangle(5, -1, 5, 6, 1, 5, 5, 1, 6, 3)), 0);
    CHECK_INT(count_two(floor, triangle(1.5, -1, 1.5, 1.6, 1, 1.5, 1.5, 1, 1.6, 3)), 0);
    /* The small one's edges pass beside it, the large one's edge through it. */
    CHECK_INT(count_two(triangle(0, 0, 0, 2, 0, 0, 1, 0, 0.01, 0), triangle(1, -5, -5, 1, 5, -5, 1, 0, 5, 3)),
              1);
}

static void sharing_a_corner_or_a_side_is_no_passing(void) {
    struct crossing_triangle a = triangle(0, 0, 0, 1, 0, 0, 0, 0, 1, 0);
    struct crossing_triangle hinge = triangle(1, 0, 0, 0, 0, 1, 1, 1, 1, 0);
    hinge.corner[0] = 1, hinge.corner[1] = 2, hinge.corner[2] = 3;
    CHECK_INT(count_two(a, hinge), 0);
    struct crossing_triangle corner = triangle(0, 0, 0, 0.5, 1, 0.3, 0.3, -1, 0.3, 2);
    corner.corner[0] = 0; /* but its far side passes through */
    CHECK_INT(count_two(a, corner), 1);
    corner.p[2][1] = 1;
    CHECK_INT(count_two(a, corner), 0);
}

static void two_crossed_sheets_cross_along_a_line(void) {
    struct pbd_world_settings settings = quiet_settings();
    pbd_world *world = pbd_world_create(&settings);
    struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
    pbd_cloth_id ids[2];
    for (int k = 0; k < 2; ++k) {
        struct sheet sheet = sheet_create(6, 6, 1, 1);
        pbd_fabric *fabric = sheet_fabric(&sheet, 0.2f);
        for (uint32_t v = 0; k == 1 && v < sheet.vertex_count; ++v) {
            sheet.positions[3 * v + 1] = sheet.positions[3 * v] + 0.03f;
            sheet.positions[3 * v] = 0.01f;
        }
        ids[k] = cloth_from(world, fabric, sheet.positions, &cloth, NULL, 0);
        sheet_destroy(&sheet);
    }
    CHECK_INT(crossings_of(world, ids, 1), 0);
    uint32_t both = crossings_of(world, ids, 2);
    printf("     %u\n", both);
    CHECK(both >= 10 && both <= 40); /* a line of 5 cells, up to 2 × 2 a cell and neighbours */
    pbd_world_destroy(world);
}

RUN_TESTS(TEST(one_through_another_is_one), TEST(sharing_a_corner_or_a_side_is_no_passing),
          TEST(two_crossed_sheets_cross_along_a_line))
