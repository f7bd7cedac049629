/* What two looks tell: where patches are, how far they moved, which lie in one layer. */
#include "check.h"
#include "support_cloths.h"

static pbd_world *looked_at(pbd_cloth_id *id, uint32_t n) {
    pbd_world *world = quiet_world();
    *id = add_sheet(world, n, 0, 0, 0, true);
    CHECK_INT(self_require(world), PBD_OK);
    struct pbd_cloth *cloth = world_cloth(world, *id);
    CHECK_INT(self_require_scratch(cloth), PBD_OK);
    self_look_first(cloth);
    predict_rest(world);
    world->self->look = 1;
    return world;
}

static void approach_bounds_how_much_closer_particles_come(void) {
    pbd_cloth_id id;
    pbd_world *world = looked_at(&id, 21);
    struct pbd_cloth *cloth = world_cloth(world, id);
    struct random random = {9};
    for (uint32_t v = 0; v < 441; ++v)
        predict_vertex(world, id, v, 1.0 + random_between(&random, -0.1, 0.1),
                       random_between(&random, -0.3, 0.3), random_between(&random, -0.1, 0.2));
    self_look_again(cloth);
    const struct self_scratch *s = cloth->surface->self;
    const struct patch_list *corners = &s->patches.corners;
    int wrong = 0;
    for (uint32_t a = 0; a < s->patches.count; ++a)
        for (uint32_t b = a; b < s->patches.count; ++b) {
            double bound = self_approach(&s->motions[a], &s->motions[b], a == b);
            wrong += !(bound < 0.9); /* what all do together is no approach */
            for (uint32_t i = corners->first[a]; i < corners->first[a + 1]; ++i)
                for (uint32_t k = corners->first[b]; k < corners->first[b + 1]; ++k) {
                    const float *u[3] = {cloth->scratch.ux, cloth->scratch.uy, cloth->scratch.uz};
                    double square = 0.0;
                    for (int axis = 0; axis < 3; ++axis) {
                        double d = (double)u[axis][corners->at[i]] - (double)u[axis][corners->at[k]];
                        square += d * d;
                    }
                    wrong += !(sqrt(square) <= bound * (1.0 + 1e-6) + 1e-6);
                }
        }
    CHECK_INT(wrong, 0);
    for (uint32_t a = 0; a < s->patches.count; ++a)
        for (uint32_t i = corners->first[a]; i < corners->first[a + 1]; ++i) {
            const struct surface_node *now = &cloth->surface->nodes[corners->at[i]];
            CHECK(s->boxes[a].high[0] >= (float)now->x && s->boxes[a].low[0] <= (float)(now->x - 0.9));
        }
    pbd_world_destroy(world);
}

static void looks_remember_where_projections_left_things(void) {
    pbd_cloth_id id;
    pbd_world *world = looked_at(&id, 5);
    struct pbd_cloth *cloth = world_cloth(world, id);
    predict_vertex(world, id, 0, 0, 0.25, 0);
    self_look_again(cloth);
    uint32_t p = cloth->fabric->view.vertex_particle[0];
    CHECK_NEAR(cloth->surface->self->seen[p].y, 0.0, 1e-12);
    cloth->surface->nodes[p].y = 0.5; /* as a projection would */
    self_look_away(cloth);
    CHECK_NEAR(cloth->surface->self->seen[p].y, 0.25, 1e-7);
    CHECK_NEAR(cloth->surface->self->left[p].y, 0.5, 1e-12);
    pbd_world_destroy(world);
}

static void distance_of_boxes_is_a_lower_bound(void) {
    struct grid_box a = {.low = {0, 0, 0}, .high = {1, 1, 1}}, b = {.low = {4, 5, 0.5f}, .high = {6, 6, 2}};
    CHECK_NEAR(self_distance(&a, &b), 5.0, 1e-5);
    CHECK(self_distance(&a, &b) <= 5.0);
    CHECK(self_distance(&a, &a) <= 0.0);
}

static bool all_flat(pbd_world *world, pbd_cloth_id id) {
    struct pbd_cloth *cloth = world_cloth(world, id);
    ++world->self->look;
    self_look_again(cloth);
    const struct cloth_patches *patches = &cloth->surface->self->patches;
    bool flat = true;
    for (uint32_t a = 0; a < patches->count; ++a)
        for (uint32_t b = 0; b < patches->count; ++b)
            if (a == b || patches_joint(patches, a, b) > 0)
                flat = flat && self_is_flat(world->self, cloth, a, b);
    return flat;
}

static void one_layer_is_flat_and_a_fold_is_not(void) {
    pbd_cloth_id id;
    pbd_world *world = looked_at(&id, 13);
    struct pbd_cloth *cloth = world_cloth(world, id);
    CHECK(all_flat(world, id));
    CHECK(!self_is_flat(world->self, cloth, 0, cloth->surface->self->patches.count - 1)); /* not joined */
    for (uint32_t v = 0; v < 169; ++v) /* slopes of 50° both ways: a wave */
        predict_vertex(world, id, v, 0, v % 2 ? 0.099 : 0, 0);
    CHECK(all_flat(world, id));
    for (uint32_t v = 0; v < 169; ++v) { /* one half over the other, folded between columns 5 and 7 */
        uint32_t i = v % 13;
        double x = (i - 6.0) / 12.0;
        predict_vertex(world, id, v, i > 6 ? -2 * x : 0, i > 6 ? 0.02 : 0, 0);
    }
    CHECK(!all_flat(world, id));
    pbd_world_destroy(world);
}

RUN_TESTS(TEST(approach_bounds_how_much_closer_particles_come),
          TEST(looks_remember_where_projections_left_things), TEST(distance_of_boxes_is_a_lower_bound),
          TEST(one_layer_is_flat_and_a_fold_is_not))
