/* The assembled recipe: kernels' arrays, views, rest values, references, size. */
#include "check.h"
#include "build/hinge.h"
#include "support_mesh.h"

#include <stdlib.h>

static struct mesh crumpled(void) {
    struct mesh mesh = mesh_grid(23, 19, 1, 1, false);
    for (uint32_t v = 0; v < mesh.vertex_count; ++v)
        mesh.positions[3 * v + 1] = 0.03f * (float)((v * 2654435761u >> 16) % 17) / 17.0f;
    return mesh;
}

static const float *rest_of(const pbd_fabric *fabric, uint32_t particle) {
    return fabric->view.rest_positions + 3 * fabric->view.particle_vertex[particle];
}

static void runs_say_what_the_arrays_spell_out(void) {
    pbd_fabric *fabric = mesh_into_fabric(mesh_grid(50, 31, 1, 1, true));
    const struct stretch_set *s = &fabric->stretch;
    const struct bend_set *b = &fabric->bend;
    uint32_t wrong = 0, in_runs = 0;
    for (uint32_t r = 0; r < s->run_count; ++r) {
        in_runs += s->runs[r].count;
        for (uint32_t k = 0; k < s->runs[r].count; ++k)
            wrong += s->a[s->runs[r].first + k] != s->runs[r].a + k ||
                     s->b[s->runs[r].first + k] != s->runs[r].b + k;
    }
    for (uint32_t r = 0; r < b->run_count; ++r)
        for (uint32_t k = 0; k < b->runs[r].count; ++k)
            for (int i = 0; i < 4; ++i)
                wrong += b->p[i][b->runs[r].first + k] != b->runs[r].p[i] + k;
    CHECK_INT(wrong, 0);
    CHECK_NEAR(fabric->view.run_fraction, (double)in_runs / s->count, 1e-12);
    pbd_fabric_unref(fabric);
}

static void rest_lengths_are_those_of_the_solver_bit_for_bit(void) {
    pbd_fabric *fabric = mesh_into_fabric(crumpled());
    const struct stretch_set *s = &fabric->stretch;
    float *rests = calloc(s->count, sizeof *rests);
    pbd_fabric_edges(fabric, NULL, NULL, rests);
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < s->count; ++i) {
        const float *p = rest_of(fabric, s->a[i]), *q = rest_of(fabric, s->b[i]);
        float x = q[0] - p[0], y = q[1] - p[1], z = q[2] - p[2];
        wrong += s->rest[i] != math_sqrtf(x * x + y * y + z * z);
        wrong += s->rest[i] != rests[s->edge[i]];
        wrong += s->a[i] >= s->b[i];
    }
    free(rests);
    CHECK_INT(wrong, 0);
    pbd_fabric_unref(fabric);
}

static void rest_angles_are_the_hinges(void) {
    pbd_fabric *fabric = mesh_into_fabric(crumpled());
    const struct bend_set *b = &fabric->bend;
    uint32_t wrong = 0, bent = 0;
    for (uint32_t i = 0; i < b->count; ++i) {
        const float *x[4];
        float d[3][3];
        for (int k = 0; k < 4; ++k)
            x[k] = rest_of(fabric, b->p[k][i]);
        for (int j = 0; j < 3; ++j)
            for (int k = 0; k < 3; ++k)
                d[j][k] = x[j + 1][k] - x[0][k];
        float angle =
            hinge_angle(d[0][0], d[0][1], d[0][2], d[1][0], d[1][1], d[1][2], d[2][0], d[2][1], d[2][2]);
        wrong += b->rest_angle[i] != angle;
        bent += fabsf(angle) > 0.01f;
        float span = hypotf(hypotf(x[3][0] - x[2][0], x[3][1] - x[2][1]), x[3][2] - x[2][2]);
        wrong += fabsf(b->rest_distance[i] - span) > 1e-6f;
    }
    CHECK_INT(wrong, 0);
    CHECK(bent > b->count / 2);
    pbd_fabric_unref(fabric);
    fabric = mesh_into_fabric(mesh_grid(23, 19, 1, 1, false));
    for (uint32_t i = 0; i < fabric->bend.count; ++i)
        wrong += fabric->bend.rest_angle[i] != 0.0f;
    CHECK_INT(wrong, 0);
    pbd_fabric_unref(fabric);
}

static void edge_colours_are_those_of_the_constraints(void) {
    pbd_fabric *fabric = mesh_into_fabric(mesh_moebius(40, 3));
    const struct stretch_set *s = &fabric->stretch;
    uint32_t wrong = 0, end = 0, *pairs = calloc(3 * (size_t)s->count, sizeof *pairs);
    uint32_t *edge_color = pairs + 2 * s->count;
    pbd_fabric_edges(fabric, pairs, edge_color, NULL);
    for (uint32_t c = 0; c < s->color_count; ++c) {
        uint32_t begin = end;
        end = s->colors[c].first_single + s->colors[c].single_count;
        for (uint32_t i = begin; i < end; ++i)
            wrong += edge_color[s->edge[i]] != c;
    }
    for (uint32_t i = 0; i < s->count; ++i) {
        uint32_t p = fabric->view.particle_vertex[s->a[i]], q = fabric->view.particle_vertex[s->b[i]];
        const uint32_t *edge = pairs + 2 * s->edge[i];
        wrong += edge[0] != math_minu(p, q) || edge[1] != math_maxu(p, q);
    }
    CHECK_INT(end, s->count);
    CHECK_INT(wrong, 0);
    free(pairs);
    pbd_fabric_unref(fabric);
}

static void view_names_the_rest_box(void) {
    pbd_fabric *fabric = mesh_into_fabric(mesh_grid(5, 4, 3, 4, false));
    struct pbd_fabric_view view = pbd_fabric_get_view(fabric);
    CHECK_NEAR(view.rest_diagonal, 5.0, 1e-6);
    CHECK(view.rest_min[0] == -1.5f && view.rest_max[2] == 2.0f && view.rest_min[1] == 0.0f);
    CHECK_INT(view.vertex_count, 20);
    CHECK_INT(view.triangle_count, 24);
    CHECK_INT(view.bend_count, fabric->bend.count);
    CHECK_NEAR(fabric->mean_edge, (16 * 0.75 + 15 * 4.0 / 3 + 12 * hypot(0.75, 4.0 / 3)) / 43, 1e-6);
    pbd_fabric_unref(fabric);
}

static void arrays_are_aligned_and_padded_with_zeros(void) {
    pbd_fabric *fabric = mesh_into_fabric(mesh_grid(7, 5, 1, 1, false));
    CHECK_INT(fabric->padded_count, 48);
    CHECK((uintptr_t)fabric->mass % 64 == 0 && (uintptr_t)fabric->inverse_mass % 64 == 0);
    CHECK((uintptr_t)fabric->stretch.rest % 64 == 0 && (uintptr_t)fabric->bend.p[3] % 64 == 0);
    for (uint32_t p = 35; p < 48; ++p)
        CHECK(fabric->mass[p] == 0.0f && fabric->inverse_mass[p] == 0.0f);
    for (uint32_t i = fabric->stretch.count; i % FABRIC_PAD != 0; ++i)
        CHECK(fabric->stretch.a[i] == 0 && fabric->stretch.rest[i] == 0.0f);
    pbd_fabric_unref(fabric);
}

static void references_keep_the_recipe_alive(void) {
    pbd_fabric *fabric = mesh_into_fabric(mesh_grid(4, 4, 1, 1, false));
    CHECK(pbd_fabric_ref(fabric) == fabric);
    pbd_fabric_unref(fabric);
    CHECK_INT(pbd_fabric_report(fabric)->vertices, 16); /* under ASan a freed one would end the test here */
    pbd_fabric_unref(fabric);
    pbd_fabric_unref(NULL);
}

RUN_TESTS(TEST(runs_say_what_the_arrays_spell_out), TEST(rest_lengths_are_those_of_the_solver_bit_for_bit),
          TEST(rest_angles_are_the_hinges), TEST(edge_colours_are_those_of_the_constraints),
          TEST(view_names_the_rest_box), TEST(arrays_are_aligned_and_padded_with_zeros),
          TEST(references_keep_the_recipe_alive))
