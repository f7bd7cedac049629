/* Attachments carry what hangs on them: forces and lengths at rest, in SI units. */
#include "check.h"
#include "sheet.h"

#define LINKS 8u

struct rope {
    pbd_world *world;
    pbd_cloth_id cloth;
    pbd_collider_id weight;
};

/* A rope of 8 links of 0.1 m that weighs 8 g and hangs from a pin at the origin, link
 * compliance α; a weight is sewn on by its lower end. */
static struct rope start(float compliance, float mass, int substeps) {
    struct pbd_world_settings settings = pbd_default_world_settings();
    settings.drag = 3.0f;
    settings.solver.substeps = substeps;
    struct rope rope = {.world = pbd_world_create(&settings)};
    float positions[3 * (LINKS + 1)] = {0}, masses[LINKS + 1];
    uint32_t edges[2 * LINKS];
    for (uint32_t i = 0; i <= LINKS; ++i) {
        positions[3 * i + 1] = -0.1f * (float)i;
        masses[i] = 0.001f;
        if (i == LINKS) break;
        edges[2 * i] = i;
        edges[2 * i + 1] = i + 1;
    }
    struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
    cloth.stretch_compliance = compliance;
    const uint32_t top = 0, end = LINKS;
    rope.cloth = cloth_from(rope.world, fabric_from(positions, LINKS + 1, NULL, 0, edges, LINKS, masses, 0),
                            positions, &cloth, &top, 1);
    struct pbd_collider_def def = pbd_default_collider_def();
    def.motion = PBD_DYNAMIC;
    def.mass = mass;
    def.shape.radius = 0.05f;
    def.position[1] = -0.1f * LINKS - 0.05f;
    CHECK_INT(pbd_collider_add(rope.world, &def, &rope.weight), PBD_OK);
    CHECK_INT(pbd_cloth_attach(rope.world, rope.cloth, &end, 1, rope.weight), PBD_OK);
    return rope;
}

struct at_rest {
    double length, force; /* largest deviations: of the lengths (m), of the forces (relative) */
};

/* At rest link i carries F = (Σ of the masses below)·g and is F·α longer than 0.1 m. */
static struct at_rest hang(float compliance, float mass, int substeps) {
    struct rope rope = start(compliance, mass, substeps);
    step_ticks(rope.world, 1200);
    float length[LINKS], force[LINKS];
    CHECK_INT(pbd_cloth_edges(rope.world, rope.cloth, length, force), PBD_OK);
    struct at_rest off = {0};
    for (uint32_t k = 0; k < LINKS; ++k) {
        double want = ((double)mass + 0.001 * (LINKS - k)) * 9.8;
        off.length = fmax(off.length, fabs(length[k] - 0.1 - want * (double)compliance));
        off.force = fmax(off.force, fabs(force[k] / want - 1));
    }
    /* The weight hangs below the last particle, turned into the rope's direction. */
    struct pbd_collider_state body;
    CHECK_INT(pbd_collider_get(rope.world, rope.weight, &body), PBD_OK);
    struct point end = vertex_position(rope.world, rope.cloth, LINKS);
    CHECK_NEAR(end.y - (double)body.def.position[1], 0.05, 1e-4);
    CHECK_NEAR(body.def.position[0], 0, 1e-3);
    pbd_world_destroy(rope.world);
    return off;
}

static void weight_stretches_a_rope_by_its_force(void) {
    struct at_rest off = hang(0.05f, 0.01f, 60);
    double stretch = 0.018 * 9.8 * 0.05;
    printf(
        "     10 g on particles of 1 g, 60 substeps: lengths to %.2f %% of the stretch, forces to %.3f %%\n",
        100 * off.length / stretch, 100 * off.force);
    CHECK(off.length < 0.01 * stretch && off.force < 0.01);
}

/* One sweep per substep leaves each link longer by about F·h²/m, m a particle's mass: it
 * falls with the square of the substeps, and the forces are right all the same. */
static void heavy_weight_needs_substeps(void) {
    double before = 0;
    for (int substeps = 10; substeps <= 40; substeps *= 2) {
        struct at_rest off = hang(1e-3f, 0.5f, substeps);
        double h = 1.0 / 60 / substeps, bound = 2.0 * 0.508 * 9.8 * h * h / 0.001;
        printf("     500 g on particles of 1 g, %d substeps: links %.2f mm too long, forces to %.3f %%\n",
               substeps, 1e3 * off.length, 100 * off.force);
        CHECK(off.length < bound && off.force < 0.01);
        if (before > 0) CHECK_NEAR(before / off.length, 4, 0.1);
        before = off.length;
    }
}

/* Pushed aside, the weight swings as a pendulum of length L about the pin: T = 2π·√(L/g) for
 * small angles; with the body's own moment of inertia about the pin, L = l + 2r²/5l. */
static void weight_swings_as_a_pendulum(void) {
    struct rope rope = start(1e-6f, 0.1f, 20);
    struct pbd_world_settings settings = pbd_world_get_settings(rope.world);
    settings.drag = settings.damping = 0.0f;
    pbd_world_set_settings(rope.world, &settings);
    struct pbd_collider_state body;
    CHECK_INT(pbd_collider_get(rope.world, rope.weight, &body), PBD_OK);
    step_ticks(rope.world, 60);
    const uint32_t end = LINKS;
    CHECK_INT(pbd_cloth_impulse(rope.world, rope.cloth, &end, 1, (float[3]){0.02f, 0, 0}), PBD_OK);
    double crossings[8], before = 0;
    int count = 0;
    for (int i = 1; i < 900 && count < 8; ++i) {
        step_ticks(rope.world, 1);
        CHECK_INT(pbd_collider_get(rope.world, rope.weight, &body), PBD_OK);
        double x = body.def.position[0];
        if (i > 5 && before * x < 0) crossings[count++] = (i - x / (x - before)) / 60;
        before = x;
    }
    CHECK_INT(count, 8);
    double period = 2 * (crossings[7] - crossings[0]) / 7, l = 0.85;
    /* The rope's 8 g at half its length shift the period by less than 1 %. */
    double want = 2 * 3.14159265358979 * sqrt((l + 0.4 * 0.05 * 0.05 / l) / 9.8);
    printf("     period %.4f s, a pendulum's is %.4f s\n", period, want);
    CHECK_NEAR(period / want, 1, 0.02);
    pbd_world_destroy(rope.world);
}

RUN_TESTS(TEST(weight_stretches_a_rope_by_its_force), TEST(heavy_weight_needs_substeps),
          TEST(weight_swings_as_a_pendulum))
