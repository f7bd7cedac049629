/* Colours hold no particle twice, runs say what the arrays say, hubs stay cheap. */
#include "check.h"
#include "build/coloring.h"
#include "support_mesh.h"

#include <stdlib.h>

/* Violations of: each constraint once; no particle twice in a colour; runs equal the
 * arrays, are long enough and cover all but the singles; colours in a row. */
static uint32_t violations(const uint32_t *const particles[4], uint32_t arity, uint32_t count,
                           uint32_t particle_count, const struct coloring *c) {
    uint32_t wrong = 0, next = 0, next_run = 0;
    uint32_t *seen = calloc(particle_count, sizeof *seen);
    unsigned char *once = calloc(count + 1, 1);
    for (uint32_t color = 0; color < c->color_count; ++color) {
        const struct fabric_color *entry = &c->colors[color];
        uint32_t begin = next;
        wrong += entry->first_run != next_run;
        for (uint32_t r = entry->first_run; r < entry->first_run + entry->run_count; ++r, ++next_run) {
            const struct coloring_run *run = &c->runs[r];
            wrong += run->first != next;
            wrong += run->count < FABRIC_MIN_RUN;
            for (uint32_t k = 0; k < run->count; ++k)
                for (uint32_t i = 0; i < arity; ++i)
                    wrong += particles[i][c->order[run->first + k]] != run->p[i] + k;
            next += run->count;
        }
        wrong += entry->first_single != next;
        next += entry->single_count;
        for (uint32_t at = begin; at < next; ++at) {
            wrong += once[c->order[at]]++ != 0;
            for (uint32_t i = 0; i < arity; ++i) {
                uint32_t *mark = &seen[particles[i][c->order[at]]];
                wrong += *mark == color + 1;
                *mark = color + 1;
            }
        }
        wrong += next == begin; /* an empty colour */
    }
    wrong += next != count || next_run != c->run_count;
    free(seen);
    free(once);
    return wrong;
}

static void random_constraints_are_coloured(void) {
    enum { COUNT = 3000, PARTICLES = 500 };
    static uint32_t given[4][COUNT];
    const uint32_t *const particles[4] = {given[0], given[1], given[2], given[3]};
    uint32_t state = 9;
    for (uint32_t i = 0; i < COUNT; ++i) {
        for (uint32_t k = 0; k < 4; ++k) {
            bool again = true;
            while (again) {
                state = state * 1664525u + 1013904223u;
                given[k][i] = (uint32_t)((uint64_t)state * PARTICLES >> 32);
                again = false;
                for (uint32_t j = 0; j < k; ++j)
                    again = again || given[j][i] == given[k][i];
            }
        }
    }
    for (uint32_t arity = 2; arity <= 4; arity += 2) {
        struct coloring coloring;
        CHECK_INT(coloring_create(particles, arity, COUNT, PARTICLES, &coloring), PBD_OK);
        CHECK_INT(violations(particles, arity, COUNT, PARTICLES, &coloring), 0);
        coloring_destroy(&coloring);
    }
}

static void shifted_copies_become_runs(void) {
    /* Pairs (i, i+1000) for i < 900 in a mixed order: one run. */
    static uint32_t a[900], b[900];
    const uint32_t *const particles[4] = {a, b, NULL, NULL};
    for (uint32_t i = 0; i < 900; ++i) {
        a[i] = i * 7 % 900;
        b[i] = a[i] + 1000;
    }
    struct coloring coloring;
    CHECK_INT(coloring_create(particles, 2, 900, 2000, &coloring), PBD_OK);
    CHECK_INT(coloring.color_count, 1);
    CHECK_INT(coloring.run_count, 1);
    CHECK_INT(coloring.runs[0].count, 900);
    CHECK_INT(violations(particles, 2, 900, 2000, &coloring), 0);
    coloring_destroy(&coloring);
}

static void overlapping_streams_are_cut_into_disjoint_runs(void) {
    /* (i, i+16) for i < 160: after 16 the streams would meet. Two colours of five runs. */
    static uint32_t a[160], b[160];
    const uint32_t *const particles[4] = {a, b, NULL, NULL};
    for (uint32_t i = 0; i < 160; ++i) {
        a[i] = i;
        b[i] = i + 16;
    }
    struct coloring coloring;
    CHECK_INT(coloring_create(particles, 2, 160, 176, &coloring), PBD_OK);
    CHECK_INT(coloring.color_count, 2);
    CHECK_INT(coloring.run_count, 10);
    CHECK_INT(violations(particles, 2, 160, 176, &coloring), 0);
    coloring_destroy(&coloring);
}

static void hub_of_any_degree_gets_a_colour_each_in_linear_time(void) {
    enum { SPOKES = 100000 };
    uint32_t *a = calloc(SPOKES, sizeof *a), *b = calloc(SPOKES, sizeof *b);
    const uint32_t *const particles[4] = {a, b, NULL, NULL};
    for (uint32_t i = 0; i < SPOKES; ++i)
        b[i] = i + 1;
    struct coloring coloring;
    CHECK_INT(coloring_create(particles, 2, SPOKES, SPOKES + 1, &coloring), PBD_OK);
    CHECK_INT(coloring.color_count, SPOKES);
    CHECK_INT(violations(particles, 2, SPOKES, SPOKES + 1, &coloring), 0);
    coloring_destroy(&coloring);
    free(a);
    free(b);
}

static void nothing_is_a_valid_set(void) {
    const uint32_t *const particles[4] = {0};
    struct coloring coloring;
    CHECK_INT(coloring_create(particles, 4, 0, 10, &coloring), PBD_OK);
    CHECK_INT(coloring.color_count, 0);
    CHECK_INT(coloring.run_count, 0);
    coloring_destroy(&coloring);
}

static void meshes_of_all_kinds_keep_the_rules(void) {
    struct mesh grid = mesh_grid(30, 17, 1, 1, true);
    struct mesh meshes[] = {mesh_grid(64, 64, 1, 1, false), mesh_grid(21, 21, 1, 1, true),
                            mesh_tube(24, 30, true),        mesh_moebius(40, 3),
                            mesh_shuffled(&grid, 2),        mesh_grid(2, 2, 1, 1, false)};
    mesh_free(&grid);
    for (size_t m = 0; m < sizeof meshes / sizeof meshes[0]; ++m) {
        pbd_fabric *fabric = mesh_into_fabric(meshes[m]);
        const struct bend_set *bend = &fabric->bend;
        const struct stretch_set *stretch = &fabric->stretch;
        const uint32_t *const hinges[4] = {bend->p[0], bend->p[1], bend->p[2], bend->p[3]};
        const uint32_t *const edges[4] = {stretch->a, stretch->b, NULL, NULL};
        struct coloring again;
        CHECK_INT(coloring_create(edges, 2, stretch->count, fabric->particle_count, &again), PBD_OK);
        CHECK_INT(violations(edges, 2, stretch->count, fabric->particle_count, &again), 0);
        /* What is in execution order already stays so: the order depends on the constraints alone. */
        uint32_t moved = 0;
        for (uint32_t i = 0; i < stretch->count; ++i)
            moved += again.order[i] != i;
        CHECK_INT(moved, 0);
        coloring_destroy(&again);
        CHECK_INT(coloring_create(hinges, 4, bend->count, fabric->particle_count, &again), PBD_OK);
        CHECK_INT(violations(hinges, 4, bend->count, fabric->particle_count, &again), 0);
        coloring_destroy(&again);
        pbd_fabric_unref(fabric);
    }
}

RUN_TESTS(TEST(random_constraints_are_coloured), TEST(shifted_copies_become_runs),
          TEST(overlapping_streams_are_cut_into_disjoint_runs),
          TEST(hub_of_any_degree_gets_a_colour_each_in_linear_time), TEST(nothing_is_a_valid_set),
          TEST(meshes_of_all_kinds_keep_the_rules))
