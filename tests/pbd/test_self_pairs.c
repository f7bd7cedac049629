/* Lists of pairs: complete, in order, and with a memory. */
#include "check.h"
#include "support_cloths.h"

/* Both looked at where they stand, all meetings listed with this margin. */
static struct self_couple *listed(pbd_world *world, uint32_t index, double margin, double step) {
    self_begin_tick(world);
    predict_rest(world);
    for (uint32_t i = 0; i < world->cloth_count; ++i)
        self_look_again(&world->cloths[world->cloth_order[i]]);
    struct self_couple *couple = &world->self->couples[index];
    couple->margin = margin + step;
    CHECK_INT(self_find_meetings(world->self, couple), PBD_OK);
    for (uint32_t i = 0; i < couple->meeting_count; ++i) {
        couple->meetings[i].margin = margin;
        CHECK_INT(self_list_pairs(world->self, couple, &couple->meetings[i], step), PBD_OK);
    }
    return couple;
}

static bool in_list(const struct self_couple *couple, enum self_kind kind, const uint32_t p[4]) {
    for (uint32_t m = 0; m < couple->meeting_count; ++m) {
        const struct self_stretch *s = &couple->meetings[m].stretches[kind];
        for (uint32_t i = s->first; i < s->first + s->count; ++i)
            if (memcmp(couple->pools[kind].pairs[i].p, p, 4 * sizeof *p) == 0) return true;
    }
    return false;
}

static uint32_t list_length(const struct self_couple *couple, enum self_kind kind) {
    uint32_t count = 0;
    for (uint32_t m = 0; m < couple->meeting_count; ++m)
        count += couple->meetings[m].stretches[kind].count;
    return count;
}

static struct vec3 at(const struct pbd_cloth *cloth, uint32_t p) {
    return vec3_make((double)cloth->state.x[p], (double)cloth->state.y[p], (double)cloth->state.z[p]);
}

static double distance_of(const struct self_couple *couple, enum self_kind kind, const uint32_t p[4]) {
    struct vec3 points[4];
    for (int k = 0; k < 4; ++k)
        points[k] = at(self_owner(couple, kind, k), p[k]);
    return kind == SELF_EDGE_EDGE ? look_edge_edge_distance(points) : look_vertex_triangle_distance(points);
}

/* All vertices of `a` against all triangles of `b`. */
static uint32_t count_missing(const struct self_couple *couple, enum self_kind kind, double margin,
                              uint32_t *wanted) {
    const struct pbd_cloth *a = couple->cloths[self_first(kind)], *b = couple->cloths[self_second(kind)];
    uint32_t missing = 0;
    for (uint32_t v = 0; v < a->fabric->particle_count; ++v)
        for (uint32_t t = 0; t < b->surface->triangle_count; ++t) {
            const uint32_t *c = b->surface->triangles + 3 * t;
            const uint32_t p[4] = {v, c[0], c[1], c[2]};
            if (a == b && (v == c[0] || v == c[1] || v == c[2])) continue;
            if (distance_of(couple, kind, p) > couple->h + margin) continue;
            ++*wanted;
            missing += !in_list(couple, kind, p) && !(a == b && in_list(couple, SELF_TRIANGLE_VERTEX, p));
        }
    return missing;
}

static uint32_t count_missing_edges(const struct self_couple *couple, double margin, uint32_t *wanted) {
    const struct pbd_cloth *a = couple->cloths[0], *b = couple->cloths[1];
    const struct stretch_set *s = &a->fabric->stretch, *o = &b->fabric->stretch;
    uint32_t missing = 0;
    for (uint32_t e = 0; e < s->count; ++e)
        for (uint32_t f = a == b ? e + 1 : 0; f < o->count; ++f) {
            const uint32_t p[4] = {s->a[e], s->b[e], o->a[f], o->b[f]}, q[4] = {p[2], p[3], p[0], p[1]};
            if (a == b && (p[0] == p[2] || p[0] == p[3] || p[1] == p[2] || p[1] == p[3])) continue;
            if (distance_of(couple, SELF_EDGE_EDGE, p) > couple->h + margin) continue;
            ++*wanted;
            missing += !in_list(couple, SELF_EDGE_EDGE, p) && !in_list(couple, SELF_EDGE_EDGE, q);
        }
    return missing;
}

static void nothing_near_is_missing_between_two_cloths(void) {
    pbd_world *world = quiet_world();
    add_sheet(world, 12, 0, 0, 0, false);
    add_sheet(world, 9, 0.21, 0.015, 0.13, false);
    struct self_couple *couple = listed(world, 0, 0.02, 0.0);
    uint32_t wanted[3] = {0, 0, 0};
    CHECK_INT(count_missing(couple, SELF_VERTEX_TRIANGLE, 0.02, &wanted[0]), 0);
    CHECK_INT(count_missing(couple, SELF_TRIANGLE_VERTEX, 0.02, &wanted[1]), 0);
    CHECK_INT(count_missing_edges(couple, 0.02, &wanted[2]), 0);
    CHECK(wanted[0] > 30 && wanted[1] > 30 && wanted[2] > 100);
    CHECK(list_length(couple, SELF_EDGE_EDGE) < 3 * wanted[2]); /* and not everything is in it */
    pbd_world_destroy(world);
}

static void nothing_near_is_missing_within_one(void) {
    pbd_world *world = quiet_world();
    pbd_cloth_id id = add_sheet(world, 13, 0, 0, 0, true);
    float positions[3 * 169];
    struct random random = {6};
    for (uint32_t v = 0; v < 169; ++v) {
        double x = (v % 13) / 12.0, z = (v / 13) / 12.0;
        positions[3 * v] = (float)(x < 0.5 ? x : 1.0 - x + random_between(&random, -0.01, 0.01));
        positions[3 * v + 1] = (float)(x < 0.5 ? 0.0 : 0.02 + random_between(&random, 0.0, 0.01));
        positions[3 * v + 2] = (float)(z + random_between(&random, -0.01, 0.01));
    }
    CHECK_INT(pbd_cloth_set_state(world, id, positions, NULL), PBD_OK);
    struct self_couple *couple = listed(world, 0, 0.02, 0.0);
    uint32_t wanted[2] = {0, 0};
    CHECK_INT(count_missing(couple, SELF_VERTEX_TRIANGLE, 0.02, &wanted[0]), 0);
    CHECK_INT(count_missing_edges(couple, 0.02, &wanted[1]), 0);
    CHECK(wanted[0] > 50 && wanted[1] > 200);
    for (uint32_t m = 0; m < couple->meeting_count; ++m)
        for (int kind = 0; kind < SELF_KINDS; ++kind) {
            const struct self_stretch *s = &couple->meetings[m].stretches[kind];
            for (uint32_t i = s->first + 1; i < s->first + s->count; ++i)
                CHECK(couple->pools[kind].pairs[i - 1].rank < couple->pools[kind].pairs[i].rank);
        }
    pbd_world_destroy(world);
}

/* Layers 8 mm apart at rest, 10 mm thick: they were made so. */
static void what_is_near_at_rest_is_left_out(void) {
    pbd_world *world = quiet_world();
    const float positions[] = {0, 0, 0, 1, 0, 0, 0, 0, 1, 0.3f, 0.008f, 0.3f, 1, 0.008f, 1, 0.3f, 0.5f, 1};
    const uint32_t triangles[] = {0, 1, 2, 3, 4, 5};
    pbd_cloth_id id = add_triangles(world, positions, 6, triangles, 2, 0.01f, 0);
    struct pbd_cloth_settings settings;
    CHECK_INT(pbd_cloth_get_settings(world, id, &settings), PBD_OK);
    settings.self_collision = true;
    CHECK_INT(pbd_cloth_set_settings(world, id, &settings), PBD_OK);
    struct self_couple *couple = listed(world, 0, 0.02, 0.0);
    CHECK_INT(list_length(couple, SELF_VERTEX_TRIANGLE) + list_length(couple, SELF_TRIANGLE_VERTEX), 0);
    settings.thickness = 0.006f;
    CHECK_INT(pbd_cloth_set_settings(world, id, &settings), PBD_OK);
    couple = listed(world, 0, 0.02, 0.0);
    CHECK(list_length(couple, SELF_VERTEX_TRIANGLE) + list_length(couple, SELF_TRIANGLE_VERTEX) > 0);
    pbd_world_destroy(world);
}

static void listing_again_keeps_what_was_known(void) {
    pbd_world *world = quiet_world();
    add_sheet(world, 8, 0, 0, 0, false);
    add_sheet(world, 8, 0.05, 0.015, 0.03, false);
    struct self_couple *couple = listed(world, 0, 0.01, 0.0);
    uint32_t few = list_length(couple, SELF_EDGE_EDGE), marked = 0;
    for (uint32_t m = 0; m < couple->meeting_count; ++m) {
        const struct self_stretch *s = &couple->meetings[m].stretches[SELF_EDGE_EDGE];
        for (uint32_t i = s->first; i < s->first + s->count; ++i) {
            struct self_pair *pair = &couple->pools[SELF_EDGE_EDGE].pairs[i];
            pair->side = pair->p[0] % 2 ? 1 : -1;
            ++marked;
        }
    }
    CHECK(few > 0 && marked == few);
    for (uint32_t m = 0; m < couple->meeting_count; ++m) {
        couple->meetings[m].margin = 0.1; /* does not fit in the old place */
        CHECK_INT(self_list_pairs(world->self, couple, &couple->meetings[m], 0.0), PBD_OK);
    }
    CHECK(list_length(couple, SELF_EDGE_EDGE) > few);
    uint32_t known = 0;
    for (uint32_t m = 0; m < couple->meeting_count; ++m) {
        const struct self_stretch *s = &couple->meetings[m].stretches[SELF_EDGE_EDGE];
        for (uint32_t i = s->first; i < s->first + s->count; ++i) {
            const struct self_pair *pair = &couple->pools[SELF_EDGE_EDGE].pairs[i];
            if (pair->side == 0) continue;
            ++known;
            CHECK_INT(pair->side, pair->p[0] % 2 ? 1 : -1);
        }
    }
    CHECK_INT(known, few);
    pbd_world_destroy(world);
}

static void what_is_held_fast_on_both_sides_is_no_pair(void) {
    pbd_world *world = quiet_world();
    pbd_cloth_id a = add_sheet(world, 6, 0, 0, 0, false), b = add_sheet(world, 6, 0.03, 0.012, 0, false);
    uint32_t all[36];
    for (uint32_t v = 0; v < 36; ++v)
        all[v] = v;
    CHECK_INT(pbd_cloth_pin(world, a, all, 36, NULL), PBD_OK);
    CHECK(list_length(listed(world, 0, 0.02, 0.0), SELF_VERTEX_TRIANGLE) > 0);
    CHECK_INT(pbd_cloth_pin(world, b, all, 36, NULL), PBD_OK);
    CHECK_INT(list_length(listed(world, 0, 0.02, 0.0), SELF_VERTEX_TRIANGLE), 0);
    pbd_world_destroy(world);
}

RUN_TESTS(TEST(nothing_near_is_missing_between_two_cloths), TEST(nothing_near_is_missing_within_one),
          TEST(what_is_near_at_rest_is_left_out), TEST(listing_again_keeps_what_was_known),
          TEST(what_is_held_fast_on_both_sides_is_no_pair))
