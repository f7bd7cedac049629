/* Features of meshes near a triangle: none where the mesh is smooth beside it, all where it
 * is not. */
#include "support_features.h"

#include "solid.h"

/* Pairs of a small triangle (edges of 3 cm) that lies at `height` over the solid's top. */
static uint32_t pairs_over(struct solid solid, double x, double height, double z, uint32_t *segments) {
    const double size = 0.03;
    const float positions[9] = {(float)x, (float)height, (float)z,      (float)(x + size), (float)height,
                                (float)z, (float)x,      (float)height, (float)(z + size)};
    struct feature_bench bench =
        feature_bench_create(positions, 3, (uint32_t[]){0, 1, 2}, 1, NULL, 0, 0.005f, 0.0f);
    struct pbd_shape shape = {.type = PBD_MESH, .mesh = solid_mesh(&solid)};
    struct pbd_collider_def def = feature_bench_def(shape, 0.0f, 0.0f, 0.0f);
    feature_bench_begin(&bench, &def, NULL);
    pbd_collision_mesh_unref(shape.mesh);
    solid_free(&solid);
    feature_list_refresh(bench.world, bench.cloth, 1.0 / 60.0);
    const struct feature_group *group = &bench.features->groups[0];
    uint32_t points = group->first_segment - group->first;
    *segments = group->end - group->first_segment;
    feature_bench_destroy(&bench);
    return points;
}

static void smooth_meshes_need_no_pairs(void) {
    uint32_t segments;
    CHECK_INT(pairs_over(solid_ball(1.0, 60), -0.01, 1.006, -0.01, &segments), 0);
    CHECK_INT(segments, 0);
    CHECK_INT(pairs_over(solid_floor(2.0, 40), 0.1, 0.006, 0.1, &segments), 0);
    CHECK_INT(segments, 0);
}

static void small_balls_and_spikes_are_met(void) {
    uint32_t segments;
    /* An edge of the triangle lies across the top of both. */
    CHECK(pairs_over(solid_ball(0.02, 6), -0.01, 0.0252, 0.0, &segments) > 3);
    CHECK(segments > 3);
    /* A single point sticks out of it. */
    struct solid spike = solid_room(4, 4);
    solid_vertex(&spike, -0.2, -0.5, -0.2);
    solid_vertex(&spike, 0.2, -0.5, -0.2);
    solid_vertex(&spike, 0.0, -0.5, 0.3);
    solid_vertex(&spike, 0.0, 0.0, 0.0);
    solid_triangle(&spike, 0, 1, 2);
    solid_triangle(&spike, 0, 3, 1);
    solid_triangle(&spike, 1, 3, 2);
    solid_triangle(&spike, 2, 3, 0);
    CHECK_INT(pairs_over(spike, -0.01, 0.006, 0.0, &segments), 1);
    CHECK_INT(segments, 3);
}

static void border_of_an_open_mesh_is_met(void) {
    uint32_t segments;
    /* The floor ends at x = 1, and two edges of the triangle reach beyond. */
    pairs_over(solid_floor(2.0, 1), 0.985, 0.006, 0.1, &segments);
    CHECK_INT(segments, 2);
}

RUN_TESTS(TEST(smooth_meshes_need_no_pairs), TEST(small_balls_and_spikes_are_met),
          TEST(border_of_an_open_mesh_is_met))
