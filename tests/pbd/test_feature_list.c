/* The list leaves out nothing that touches, lasts as long as it may and is made anew then. */
#include "support_features.h"

static struct feature_bench sheet_bench(uint32_t n, double size) {
    struct sheet sheet = sheet_create(n, n, size, size);
    struct feature_bench bench = feature_bench_create(sheet.positions, sheet.vertex_count, sheet.triangles,
                                                      sheet.triangle_count, NULL, 0, 0.01f, 0.5f);
    sheet_destroy(&sheet);
    return bench;
}

static const struct feature_pair *find(const struct feature_bench *bench, enum feature_kind kind,
                                       uint32_t part, uint32_t feature) {
    const struct feature_group *g = &bench->features->groups[0];
    uint32_t from = kind == FEATURE_POINT ? g->first : g->first_segment;
    uint32_t end = kind == FEATURE_POINT ? g->first_segment : g->end;
    for (uint32_t k = from; k < end; ++k)
        if (bench->features->pairs[k].part == part && bench->features->pairs[k].feature == feature)
            return &bench->features->pairs[k];
    return NULL;
}

/* Every feature and part that are nearer than the thickness, by trying all. */
static void all_that_touch_are_listed(void) {
    const struct pbd_shape shapes[] = {{.type = PBD_SPHERE, .radius = 0.05f},
                                       {.type = PBD_CAPSULE, .radius = 0.03f, .half_height = 0.2f},
                                       {.type = PBD_BOX, .half_extents = {0.3f, 0.2f, 0.1f}}};
    for (size_t s = 0; s < 3; ++s) {
        struct feature_bench bench = sheet_bench(9, 1.0);
        struct pbd_collider_def def = feature_bench_def(shapes[s], 0.03f, 0.04f, 0.02f);
        def.rotation[0] = 0.3f;
        def.rotation[2] = -0.25f;
        def.rotation[3] = 0.9f;
        feature_bench_begin(&bench, &def, NULL);
        feature_list_refresh(bench.world, bench.cloth, 1.0 / 60.0);
        CHECK_INT(bench.features->group_count, 1);
        int near = 0, listed = (int)bench.features->pair_count;
        for (int kind = 0; kind < 2; ++kind) {
            uint32_t parts = kind == FEATURE_POINT ? bench.cloth->fabric->view.triangle_count
                                                   : bench.cloth->fabric->stretch.count;
            uint32_t count = feature_count(&bench.collider->shape, NULL, (enum feature_kind)kind);
            for (uint32_t part = 0; part < parts; ++part)
                for (uint32_t k = 0; k < count; ++k) {
                    struct feature f = feature_make(&bench.collider->shape, NULL, (enum feature_kind)kind, k);
                    uint32_t particles[3];
                    struct vec3 p[3];
                    feature_part(bench.cloth, (enum feature_kind)kind, part, particles);
                    for (int c = 0; c < 3; ++c)
                        p[c] = pose_to_local(&bench.collider->substep_start,
                                             particle_base(&bench.cloth->state, particles[c]));
                    double gap =
                        feature_gap_of(f.a, f.b, p, kind == FEATURE_POINT ? 3 : 2).distance - f.radius;
                    if (gap > 0.01) continue;
                    ++near;
                    const struct feature_pair *pair = find(&bench, (enum feature_kind)kind, part, k);
                    CHECK(pair != NULL && (double)pair->clear <= gap - 0.01 + 1e-6);
                }
        }
        printf("%d touch, %d listed\n", near, listed);
        CHECK(near > 0 && listed >= near && listed < 400);
        feature_bench_destroy(&bench);
    }
}

static void list_lasts_until_something_moved(void) {
    struct feature_bench bench = sheet_bench(9, 1.0);
    struct pbd_collider_def def =
        feature_bench_def((struct pbd_shape){.type = PBD_SPHERE, .radius = 0.05f}, 0.03f, 0.04f, 0.02f);
    feature_bench_begin(&bench, &def, NULL);
    feature_list_refresh(bench.world, bench.cloth, 1.0 / 60.0);
    uint32_t count = bench.features->pair_count;
    CHECK(count > 0);
    /* A mark that a new list would not have. */
    bench.features->pairs[0].contact = 77;
    feature_list_refresh(bench.world, bench.cloth, 1.0 / 60.0);
    CHECK_INT(bench.features->pairs[0].contact, 77);
    /* Within its slack; the edges are 12.5 cm. */
    feature_bench_shift(&bench, 40, 0.0f, 0.005f, 0.0f);
    feature_list_refresh(bench.world, bench.cloth, 1.0 / 60.0);
    CHECK_INT(bench.features->pairs[0].contact, 77);
    feature_bench_shift(&bench, 40, 0.0f, 0.1f, 0.0f);
    feature_list_refresh(bench.world, bench.cloth, 1.0 / 60.0);
    CHECK_INT(bench.features->pairs[0].contact, 0);
    CHECK((double)bench.features->slack[feature_bench_particle(&bench, 40)] >= 0.105);
    feature_bench_destroy(&bench);
}

static void fast_collider_is_listed_along_its_way(void) {
    struct feature_bench bench = sheet_bench(9, 1.0);
    struct pbd_collider_def def =
        feature_bench_def((struct pbd_shape){.type = PBD_SPHERE, .radius = 0.02f}, 0.03f, -1.0f, 0.02f);
    feature_bench_begin(&bench, &def, (float[]){0.03f, 1.0f, 0.02f});
    feature_list_refresh(bench.world, bench.cloth, 1.0 / 60.0);
    CHECK_NEAR(feature_substep_shift(bench.collider), 2.0, 1e-6);
    CHECK(bench.features->pair_count > 0);
    feature_bench_destroy(&bench);
}

static void far_and_flat_colliders_cost_no_pairs(void) {
    struct feature_bench bench = sheet_bench(9, 1.0);
    struct pbd_collider_def def = feature_bench_def(
        (struct pbd_shape){.type = PBD_BOX, .half_extents = {1.0f, 0.1f, 1.0f}}, 0.0f, -0.11f, 0.0f);
    feature_bench_begin(&bench, &def, NULL);
    feature_list_refresh(bench.world, bench.cloth, 1.0 / 60.0);
    /* The sheet lies within the face: nothing of the box's rim is near. */
    CHECK_INT(bench.features->group_count, 1);
    CHECK_INT(bench.features->pair_count, 0);
    feature_bench_destroy(&bench);
}

/* A contact keeps its pair when the list changes in mid-substep. */
static void contacts_find_their_pairs_again(void) {
    struct feature_bench bench = sheet_bench(9, 1.0);
    struct pbd_collider_def def =
        feature_bench_def((struct pbd_shape){.type = PBD_SPHERE, .radius = 0.05f}, 0.03f, 0.04f, 0.02f);
    feature_bench_begin(&bench, &def, NULL);
    feature_project(bench.world, bench.cloth, 1.0f / 60.0f);
    uint32_t contacts = bench.features->contact_count;
    CHECK(contacts > 0);
    feature_bench_shift(&bench, 0, 0.0f, 0.5f, 0.0f);
    feature_list_refresh(bench.world, bench.cloth, 1.0 / 60.0);
    CHECK_INT(bench.features->contact_count, contacts);
    for (uint32_t c = 0; c < contacts; ++c) {
        const struct feature_contact *contact = &bench.features->contacts[c];
        CHECK(contact->pair < bench.features->pair_count);
        if (contact->pair >= bench.features->pair_count) continue;
        const struct feature_pair *pair = &bench.features->pairs[contact->pair];
        CHECK_INT(pair->contact, c + 1);
        CHECK(pair->part == contact->part && pair->feature == contact->feature);
    }
    feature_bench_destroy(&bench);
}

RUN_TESTS(TEST(all_that_touch_are_listed), TEST(list_lasts_until_something_moved),
          TEST(fast_collider_is_listed_along_its_way), TEST(far_and_flat_colliders_cost_no_pairs),
          TEST(contacts_find_their_pairs_again))
