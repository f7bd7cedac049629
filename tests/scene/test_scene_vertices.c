/* Vertices of commands spelled out: each once, none beyond the cloth, fast for any text. */
#include "check.h"

#include <stdlib.h>
#include <time.h>
#include <scene/scene.h>

static void each_vertex_comes_once_in_the_order_of_its_first_naming(void) {
    struct wire_range ranges[] = {{7, 7}, {2, 5}, {4, 8}, {7, 7}};
    const struct wire_vertices wire = {.ranges = ranges, .range_count = 4, .count = 11};
    static const uint32_t want[] = {7, 2, 3, 4, 5, 6, 8};
    struct wire_error error = {0};
    uint32_t *vertices, count;
    CHECK_INT(scene_vertices_expand(&wire, 9, "pins", &vertices, &count, &error), 0);
    CHECK_INT(count, 7);
    CHECK(count == 7 && memcmp(vertices, want, sizeof want) == 0);
    free(vertices);
}

static void a_vertex_beyond_the_cloth_is_named_with_the_member(void) {
    struct wire_range ranges[] = {{0, 3}, {5, 9}};
    const struct wire_vertices wire = {.ranges = ranges, .range_count = 2, .count = 9};
    struct wire_error error = {0};
    uint32_t *vertices = NULL, count = 0;
    CHECK_INT(scene_vertices_expand(&wire, 9, "attach", &vertices, &count, &error), -1);
    CHECK_INT(error.code, -32602);
    CHECK_STRING(error.path, "attach");
    CHECK(strstr(error.message, "vertex 9") && strstr(error.message, "9 (0…8)"));
    CHECK(vertices == NULL);
    free(error.data_json);
}

/* 300 000 times the whole cloth of 100 000 vertices: 3e10 steps if each were walked. */
static void ranges_of_the_whole_cloth_cost_no_more_than_their_number(void) {
    enum { RANGES = 300000, VERTICES = 100000 };
    struct wire_range *ranges = malloc(RANGES * sizeof *ranges);
    for (uint32_t i = 0; i < RANGES; ++i)
        ranges[i] = (struct wire_range){0, VERTICES - 1};
    const struct wire_vertices wire = {.ranges = ranges, .range_count = RANGES, .count = 0};
    struct wire_error error = {0};
    uint32_t *vertices, count;
    clock_t start = clock();
    CHECK_INT(scene_vertices_expand(&wire, VERTICES, "pins", &vertices, &count, &error), 0);
    CHECK((double)(clock() - start) / CLOCKS_PER_SEC < 1.0);
    CHECK_INT(count, VERTICES);
    free(vertices);
    free(ranges);
}

RUN_TESTS(TEST(each_vertex_comes_once_in_the_order_of_its_first_naming),
          TEST(a_vertex_beyond_the_cloth_is_named_with_the_member),
          TEST(ranges_of_the_whole_cloth_cost_no_more_than_their_number))
