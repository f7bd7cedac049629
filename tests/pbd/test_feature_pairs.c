/* What vertices hold alone, and who is left out. */
#include "support_features.h"

/* Random triangles and edges whose corners are kept at R: those that the bound calls held dip
 * by no more than half of the thickness. */
static void held_parts_dip_by_half_of_the_thickness_at_most(void) {
    struct random random = {3};
    struct feature_bench bench = feature_bench_create((float[]){0, 0, 0, 1, 0, 0, 0, 0, 1}, 3,
                                                      (uint32_t[]){0, 1, 2}, 1, NULL, 0, 0.02f, 0.0f);
    struct pbd_collider collider = {0};
    collider.shape = collide_shape_from(&(struct pbd_shape){.type = PBD_SPHERE, .radius = 0.5f});
    struct feature_making m = {.cloth = bench.cloth, .collider = &collider};
    double deepest = 0.0, longest_held = 0.0;
    int held = 0;
    for (int n = 0; n < 3000; ++n) {
        int corners = 2 + n % 2;
        double size = random_between(&random, 0.01, 0.4), longest = 0.0, r = 0.52;
        struct vec3 p[3];
        for (int k = 0; k < corners; ++k) {
            struct vec3 way = {random_between(&random, -size, size), r, random_between(&random, -size, size)};
            p[k] = vec3_scale(way, r / vec3_length(way));
        }
        for (int k = 0; k < corners; ++k) {
            struct vec3 edge = vec3_sub(p[k], p[(k + 1) % corners]);
            longest = fmax(longest, vec3_dot(edge, edge));
        }
        if (!feature_held_by_vertices(&m, longest, corners)) continue;
        ++held;
        longest_held = fmax(longest_held, sqrt(longest));
        struct vec3 origin = {0.0, 0.0, 0.0};
        deepest = fmax(deepest, r - feature_gap_of(origin, origin, p, corners).distance);
    }
    printf("%d held, edges up to %.3f m, they dip by up to %.5f m of 0.02\n", held, longest_held, deepest);
    CHECK(held > 100);
    CHECK(deepest <= 0.01);
    CHECK(deepest > 0.005); /* the bound is no waste either */
    collider.shape =
        collide_shape_from(&(struct pbd_shape){.type = PBD_BOX, .half_extents = {1.0f, 1.0f, 1.0f}});
    CHECK(!feature_held_by_vertices(&m, 1e-9, 3));
    feature_bench_destroy(&bench);
}

static uint32_t pairs_of_a_ball_on_a_triangle(bool pin_all, bool attach_one, bool dynamic) {
    const float positions[9] = {0, 0, 0, 1, 0, 0, 0, 0, 1};
    struct feature_bench bench =
        feature_bench_create(positions, 3, (uint32_t[]){0, 1, 2}, 1, NULL, 0, 0.01f, 0.0f);
    struct pbd_collider_def def =
        feature_bench_def((struct pbd_shape){.type = PBD_SPHERE, .radius = 0.05f}, 0.3f, 0.05f, 0.3f);
    if (dynamic) def.motion = PBD_DYNAMIC;
    pbd_cloth_id id = bench.cloth->id;
    const uint32_t all[3] = {0, 1, 2};
    if (pin_all) CHECK_INT(pbd_cloth_pin(bench.world, id, all, 3, NULL), PBD_OK);
    feature_bench_begin(&bench, &def, NULL);
    if (attach_one) CHECK_INT(pbd_cloth_attach(bench.world, id, all, 1, bench.collider->id), PBD_OK);
    feature_list_refresh(bench.world, bench.cloth, 1.0 / 60.0);
    uint32_t count = bench.features->pair_count;
    feature_bench_destroy(&bench);
    return count;
}

static void what_cannot_move_and_what_is_attached_is_left_out(void) {
    CHECK_INT(pairs_of_a_ball_on_a_triangle(false, false, false), 1);
    CHECK_INT(pairs_of_a_ball_on_a_triangle(true, false, false), 0);
    CHECK_INT(pairs_of_a_ball_on_a_triangle(true, false, true), 1);
    CHECK_INT(pairs_of_a_ball_on_a_triangle(false, true, false), 0);
}

RUN_TESTS(TEST(held_parts_dip_by_half_of_the_thickness_at_most),
          TEST(what_cannot_move_and_what_is_attached_is_left_out))
