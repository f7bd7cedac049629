/* Patches: everything is owned once, near things are together, and lists are complete. */
#include "check.h"
#include "sheet.h"

#include "contact/patches.h"
#include "contact/surface.h"

struct cut {
    struct pbd_cloth cloth;
    struct cloth_patches patches;
};

static struct cut cut_fabric(pbd_fabric *fabric) {
    struct cut cut = {.cloth = {.fabric = fabric}};
    CHECK_INT(surface_require(&cut.cloth), PBD_OK);
    CHECK_INT(
        patches_create(fabric, cut.cloth.surface->triangles, cut.cloth.surface->triangle_count, &cut.patches),
        PBD_OK);
    return cut;
}

static void finish(struct cut *cut) {
    patches_destroy(&cut->patches);
    surface_destroy(&cut->cloth);
    pbd_fabric_unref(cut->cloth.fabric);
}

static pbd_fabric *sheet_of(uint32_t nx, uint32_t ny) {
    struct sheet sheet = sheet_create(nx, ny, nx - 1.0, ny - 1.0);
    pbd_fabric *fabric = sheet_fabric(&sheet, 1.0f);
    sheet_destroy(&sheet);
    return fabric;
}

static bool has(const struct patch_list *list, uint32_t patch, uint32_t item) {
    for (uint32_t i = list->first[patch]; i < list->first[patch + 1]; ++i)
        if (list->at[i] == item) return true;
    return false;
}

static void everything_is_owned_once(void) {
    struct cut cut = cut_fabric(sheet_of(23, 17));
    const struct cloth_patches *p = &cut.patches;
    const pbd_fabric *fabric = cut.cloth.fabric;
    CHECK_INT(p->triangles.first[p->count], cut.cloth.surface->triangle_count);
    CHECK_INT(p->edges.first[p->count], fabric->stretch.count);
    CHECK_INT(p->vertices.first[p->count], fabric->particle_count);
    uint32_t *times = calloc(fabric->particle_count, sizeof *times);
    uint64_t edge_sum = 0, want_sum = 0;
    for (uint32_t i = 0; i < p->vertices.first[p->count]; ++i)
        ++times[p->vertices.at[i]];
    for (uint32_t v = 0; v < fabric->particle_count; ++v)
        CHECK_INT(times[v], 1);
    for (uint32_t e = 0; e < fabric->stretch.count; ++e) {
        edge_sum += (uint64_t)p->edges.at[2 * e] * 1000003u + p->edges.at[2 * e + 1];
        want_sum += (uint64_t)fabric->stretch.a[e] * 1000003u + fabric->stretch.b[e];
    }
    CHECK(edge_sum == want_sum);
    free(times);
    finish(&cut);
}

static void patches_are_small_and_know_all_their_corners(void) {
    struct cut cut = cut_fabric(sheet_of(41, 41));
    const struct cloth_patches *p = &cut.patches;
    for (uint32_t k = 0; k < p->count; ++k) {
        CHECK(patch_size(&p->triangles, k) <= PATCH_TRIANGLES_MAX);
        CHECK(patch_size(&p->edges, k) <= PATCH_EDGES_MAX);
        CHECK(patch_size(&p->vertices, k) <= PATCH_VERTICES_MAX);
        for (uint32_t i = 3 * p->triangles.first[k]; i < 3 * p->triangles.first[k + 1]; ++i)
            CHECK(has(&p->corners, k, p->triangles.at[i]));
        for (uint32_t i = 2 * p->edges.first[k]; i < 2 * p->edges.first[k + 1]; ++i)
            CHECK(has(&p->corners, k, p->edges.at[i]));
        for (uint32_t i = p->vertices.first[k]; i < p->vertices.first[k + 1]; ++i)
            CHECK(has(&p->corners, k, p->vertices.at[i]));
        CHECK_NEAR(p->altitude[k], sqrt(0.5), 1e-5);
    }
    printf("     %u patches of %.1f triangles\n", p->count, 3200.0 / p->count);
    CHECK(p->count < 3200 / 16);
    finish(&cut);
}

static void neighbours_share_particles(void) {
    struct cut cut = cut_fabric(sheet_of(19, 13));
    const struct cloth_patches *p = &cut.patches;
    for (uint32_t a = 0; a < p->count; ++a)
        for (uint32_t b = 0; b < p->count; ++b) {
            if (a == b) continue;
            int shared = 0;
            for (uint32_t i = p->corners.first[a]; i < p->corners.first[a + 1]; ++i)
                shared += has(&p->corners, b, p->corners.at[i]);
            CHECK_INT(patches_joint(p, a, b), shared > 2 ? 2 : shared);
        }
    finish(&cut);
}

static void borders_are_the_sides_of_one_triangle(void) {
    struct cut cut = cut_fabric(sheet_of(9, 7));
    const struct cloth_patches *p = &cut.patches;
    uint32_t borders = 0;
    for (uint32_t t = 0; t < p->triangles.first[p->count]; ++t) {
        const uint32_t *corner = p->triangles.at + 3 * t;
        for (uint32_t k = 0; k < 3; ++k) {
            uint32_t a = corner[(k + 1) % 3], b = corner[(k + 2) % 3], uses = 0;
            for (uint32_t o = 0; o < p->triangles.first[p->count]; ++o) {
                int found = 0;
                for (uint32_t i = 0; i < 3; ++i)
                    found += p->triangles.at[3 * o + i] == a || p->triangles.at[3 * o + i] == b;
                uses += found == 2;
            }
            CHECK_INT(p->borders[t] >> k & 1, uses == 1);
            borders += p->borders[t] >> k & 1;
        }
    }
    CHECK_INT(borders, pbd_fabric_report(cut.cloth.fabric)->boundary_edges);
    finish(&cut);
}

static void a_rope_is_cut_too(void) {
    float positions[3 * 60] = {0};
    uint32_t edges[2 * 59];
    for (uint32_t v = 0; v < 60; ++v) {
        positions[3 * v] = (float)v;
        if (v < 59) edges[2 * v] = v, edges[2 * v + 1] = v + 1;
    }
    struct cut cut = cut_fabric(fabric_from(positions, 60, NULL, 0, edges, 59, NULL, 1));
    const struct cloth_patches *p = &cut.patches;
    CHECK(p->count > 2 && p->count < 60);
    CHECK_INT(p->edges.first[p->count], 59);
    CHECK_INT(p->vertices.first[p->count], 60);
    CHECK_INT(p->triangles.first[p->count], 0);
    CHECK(p->altitude[0] == 0.0f);
    finish(&cut);
}

static void a_single_patch_has_no_neighbours(void) {
    struct cut cut = cut_fabric(sheet_of(2, 2));
    const struct cloth_patches *p = &cut.patches;
    CHECK_INT(p->count, 1);
    CHECK_INT(p->corners.first[1], 4);
    CHECK_INT(p->neighbours.first[1], 0);
    finish(&cut);
}

RUN_TESTS(TEST(everything_is_owned_once), TEST(patches_are_small_and_know_all_their_corners),
          TEST(neighbours_share_particles), TEST(borders_are_the_sides_of_one_triangle),
          TEST(a_rope_is_cut_too), TEST(a_single_patch_has_no_neighbours))
