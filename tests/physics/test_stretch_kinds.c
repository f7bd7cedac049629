/* physics.md §5: stretch that resists less when pushed, and not alike in all directions. */
#include "check.h"
#include "sheet.h"

/* Two free vertices at `length` of an edge of 1 m, one tick of one substep, k = 1. */
static double error_after(float compression, double length) {
    struct pbd_world_settings settings = quiet_settings();
    settings.solver.method = PBD_METHOD_PBD;
    settings.solver.substeps = 1;
    settings.solver.iterations = 4;
    pbd_world *world = pbd_world_create(&settings);
    const float rest[6] = {0, 0, 0, 1, 0, 0}, at[6] = {0, 0, 0, (float)length, 0, 0};
    const float masses[2] = {1, 3};
    const uint32_t edge[2] = {0, 1};
    struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
    cloth.compression = compression;
    pbd_cloth_id id =
        cloth_from(world, fabric_from(rest, 2, NULL, 0, edge, 1, masses, 0), at, &cloth, NULL, 0);
    step_ticks(world, 1);
    struct point a = vertex_position(world, id, 0), b = vertex_position(world, id, 1);
    /* The centre of mass stays. */
    CHECK_NEAR(a.x + 3 * b.x, 3 * length, 1e-6);
    pbd_world_destroy(world);
    return hypot(hypot(b.x - a.x, b.y - a.y), b.z - a.z) - 1;
}

/* What is short comes back by (1 − compression) each of 4 iterations; what is long, whole. */
static void compression_is_a_factor_of_what_is_short(void) {
    const float factors[4] = {1.0f, 0.75f, 0.25f, 0.0f};
    for (int i = 0; i < 4; ++i) {
        double want = -0.4 * pow(1 - factors[i], 4), got = error_after(factors[i], 0.6);
        printf("     compression %.2f: short by %.5f m, computed %.5f\n", factors[i], -got, -want);
        CHECK_NEAR(got, want, 1e-6);
        CHECK_NEAR(error_after(factors[i], 1.5), 0, 1e-6);
    }
}

/* Nine masses pushed together to 0.8 of their distance: they spring apart, or stay. */
static void a_slack_rope_does_not_push(void) {
    double energy[2];
    for (int i = 0; i < 2; ++i) {
        struct pbd_world_settings settings = quiet_settings();
        pbd_world *world = pbd_world_create(&settings);
        float rest[3 * 9], at[3 * 9], masses[9];
        uint32_t edges[16];
        for (uint32_t v = 0; v < 9; ++v) {
            const float place[3] = {0.1f * (float)v, 0, 0};
            for (int k = 0; k < 3; ++k) {
                rest[3 * v + (uint32_t)k] = place[k];
                at[3 * v + (uint32_t)k] = 0.8f * place[k];
            }
            masses[v] = 0.01f;
            if (v == 8) continue;
            edges[2 * v] = v;
            edges[2 * v + 1] = v + 1;
        }
        struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
        cloth.compression = i == 0 ? 1.0f : 0.0f;
        pbd_cloth_id id =
            cloth_from(world, fabric_from(rest, 9, NULL, 0, edges, 8, masses, 0), at, &cloth, NULL, 0);
        step_ticks_awake(world, 1);
        energy[i] = pbd_world_get_stats(world).kinetic_energy;
        if (i == 1) CHECK_NEAR(vertex_position(world, id, 4).x, 0.32, 1e-7);
        pbd_world_destroy(world);
    }
    printf("     energy of a rope pushed together: %.4g J with, %.4g J without compression\n", energy[0],
           energy[1]);
    CHECK(energy[0] > 1e-3);
    CHECK_NEAR(energy[1], 0, 1e-12);
}

/* m·g·α of a mass on one edge, along rows and across them (XPBD, physics.md §10.14). */
static double extension(uint32_t cols) {
    struct pbd_world_settings settings = quiet_settings();
    settings.gravity[1] = -10.0f;
    settings.drag = 3.0f;
    pbd_world *world = pbd_world_create(&settings);
    const float rest[6] = {0, 0, 0, 0, -1, 0}, masses[2] = {1, 2};
    const uint32_t edge[2] = {0, 1}, pin = 0;
    struct pbd_mesh_def def = pbd_default_mesh_def();
    def.positions = rest;
    def.vertex_count = 2;
    def.edges = edge;
    def.edge_count = 1;
    def.masses = masses;
    def.cols = cols;
    pbd_fabric *fabric = NULL;
    CHECK_INT(pbd_mesh_import(&def, &fabric, NULL), PBD_OK);
    struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
    cloth.stretch_compliance = 1e-3f;
    cloth.stretch_compliance_weft = 4e-3f;
    pbd_cloth_id id = cloth_from(world, fabric, rest, &cloth, &pin, 1);
    step_ticks_awake(world, 600);
    double length = -vertex_position(world, id, 1).y;
    pbd_world_destroy(world);
    return length - 1;
}

static void weft_gives_way_by_its_own_compliance(void) {
    double warp = extension(2), weft = extension(1);
    printf("     20 N: warp %.5f m, weft %.5f m\n", warp, weft);
    CHECK_NEAR(warp, 0.02, 2e-4);
    CHECK_NEAR(weft, 0.08, 8e-4);
}

/* A grid hung by its rows' ends stretches less than one hung by its columns'. */
static double sag(bool by_columns) {
    struct pbd_world_settings settings = pbd_default_world_settings();
    pbd_world *world = pbd_world_create(&settings);
    struct sheet sheet = sheet_create(11, 11, 1, 1);
    struct pbd_mesh_def def = pbd_default_mesh_def();
    def.positions = sheet.positions;
    def.vertex_count = sheet.vertex_count;
    def.face_vertices = sheet.triangles;
    def.face_count = sheet.triangle_count;
    def.cols = 11;
    pbd_fabric *fabric = NULL;
    CHECK_INT(pbd_mesh_import(&def, &fabric, NULL), PBD_OK);
    struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
    cloth.stretch_compliance = 1e-3f;
    cloth.stretch_compliance_weft = 2e-1f;
    uint32_t pins[11];
    for (uint32_t i = 0; i < 11; ++i)
        pins[i] = by_columns ? i : 11 * i;
    pbd_cloth_id id = cloth_from(world, fabric, sheet.positions, &cloth, pins, 11);
    step_ticks(world, 300);
    double lowest = 0;
    for (uint32_t v = 0; v < sheet.vertex_count; ++v)
        lowest = fmin(lowest, vertex_position(world, id, v).y);
    sheet_destroy(&sheet);
    pbd_world_destroy(world);
    return -lowest;
}

static void a_grid_stretches_more_across_its_rows(void) {
    double warp = sag(false), weft = sag(true);
    printf("     hung by a column %.3f m, by a row %.3f m\n", warp, weft);
    CHECK(warp < 1.0);
    CHECK(weft > 1.08);
}

RUN_TESTS(TEST(compression_is_a_factor_of_what_is_short), TEST(a_slack_rope_does_not_push),
          TEST(weft_gives_way_by_its_own_compliance), TEST(a_grid_stretches_more_across_its_rows))
