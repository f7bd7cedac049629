/* physics.md §10.14 and §10.13: compliance in real units, tension in a chain. */
#include "check.h"
#include "sheet.h"

/* Extra length of a 1 m edge of compliance alpha that carries 1 kg, at rest. */
static double extension(float alpha, int substeps, int iterations, float dt) {
    struct pbd_world_settings settings = pbd_default_world_settings();
    settings.drag = 10.0f;
    settings.solver.substeps = substeps;
    settings.solver.iterations = iterations;
    settings.solver.dt = dt;
    pbd_world *world = pbd_world_create(&settings);
    const float positions[6] = {0, 0, 0, 0, -1, 0}, masses[2] = {1, 1};
    const uint32_t edge[2] = {0, 1}, pin = 0;
    struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
    cloth.stretch_compliance = alpha;
    pbd_cloth_id id =
        cloth_from(world, fabric_from(positions, 2, NULL, 0, edge, 1, masses, 0), positions, &cloth, &pin, 1);
    step_ticks_awake(world, (int)(6.0f / dt));
    double extra = -1 - vertex_position(world, id, 1).y;
    pbd_world_destroy(world);
    return extra;
}

static void edge_stretches_by_its_compliance_whatever_the_solver_does(void) {
    const float alphas[] = {1e-4f, 1e-3f, 1e-2f};
    const int substeps[] = {1, 10, 30}, iterations[] = {1, 8};
    const float dts[] = {1.0f / 240, 1.0f / 60, 1.0f / 30};
    for (int a = 0; a < 3; ++a)
        for (int s = 0; s < 3; ++s)
            for (int i = 0; i < 2; ++i)
                for (int d = 0; d < 3; ++d) {
                    double want = 9.8 * alphas[a];
                    double got = extension(alphas[a], substeps[s], iterations[i], dts[d]);
                    CHECK_NEAR(got, want, 0.01 * want);
                }
}

#define LINKS 19u

struct chain {
    double top_tension, extra;
};

/* 20 particles of 1 kg, the first one pinned, links of `link` m, α = 0, g = 10. */
static struct chain hang_chain(double link, int substeps) {
    struct pbd_world_settings settings = pbd_default_world_settings();
    settings.gravity[1] = -10.0f;
    settings.drag = 4.0f;
    settings.damping = 0.2f;
    settings.solver.substeps = substeps;
    pbd_world *world = pbd_world_create(&settings);
    float positions[3 * (LINKS + 1)] = {0}, masses[LINKS + 1];
    uint32_t edges[2 * LINKS];
    for (uint32_t i = 0; i <= LINKS; ++i) {
        positions[3 * i + 1] = (float)(-link * i);
        masses[i] = 1.0f;
        if (i == LINKS) break;
        edges[2 * i] = i;
        edges[2 * i + 1] = i + 1;
    }
    const uint32_t pin = 0;
    struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
    cloth.stretch_compliance = 0.0f;
    pbd_fabric *fabric = fabric_from(positions, LINKS + 1, NULL, 0, edges, LINKS, masses, 0);
    pbd_cloth_id id = cloth_from(world, fabric, positions, &cloth, &pin, 1);
    step_ticks_awake(world, 900);
    float length[LINKS], force[LINKS];
    CHECK_INT(pbd_cloth_edges(world, id, length, force), PBD_OK);
    struct chain chain = {.top_tension = force[0]};
    for (uint32_t i = 0; i < LINKS; ++i)
        chain.extra += length[i] - link;
    pbd_world_destroy(world);
    return chain;
}

/* The first link carries the 19 below it: 190 N, to 0.1 %. */
static void top_link_of_a_chain_carries_all_below_it(void) {
    const double links[] = {0.01, 0.1, 1};
    const int substeps[] = {1, 10, 64};
    for (int l = 0; l < 3; ++l)
        for (int s = 0; s < 3; ++s)
            CHECK_NEAR(hang_chain(links[l], substeps[s]).top_tension, 190, 0.19);
}

/* What gravity adds in a substep is all that is left to correct: g·h², so n substeps
 * leave 1/n² of the extra length; 5 % for the rounding of 1 m links. */
static void extra_length_falls_with_the_square_of_substeps(void) {
    double one = hang_chain(1, 1).extra;
    CHECK(one > 0);
    CHECK_NEAR(hang_chain(1, 4).extra * 16 / one, 1, 0.05);
    CHECK_NEAR(hang_chain(1, 10).extra * 100 / one, 1, 0.05);
}

RUN_TESTS(TEST(edge_stretches_by_its_compliance_whatever_the_solver_does),
          TEST(top_link_of_a_chain_carries_all_below_it),
          TEST(extra_length_falls_with_the_square_of_substeps))
