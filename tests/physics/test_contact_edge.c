/* Cloth slides over a box's edge as the weights and Coulomb say. */
#include "feature_scene.h"

#define THICKNESS 0.005

/* A strip of 2 m on a table, `hang` of it over the edge at x = 0; begin: x of its other end. */
struct table {
    struct feature_scene scene;
    double strain;
};

#define STRIP_COLUMNS 41u
#define STRIP_ROWS 5u

static struct table table_create(double hang, float mu) {
    struct pbd_world_settings settings = pbd_default_world_settings();
    settings.gravity[1] = -9.81f;
    settings.drag = settings.damping = 0.0f;
    settings.solver.substeps = 20;
    struct table table = {.scene = {.world = pbd_world_create(&settings)}};
    struct sheet sheet = sheet_create(STRIP_COLUMNS, STRIP_ROWS, 2.0, 0.2);
    pbd_fabric *fabric = sheet_fabric(&sheet, 0.2f);
    for (uint32_t v = 0; v < sheet.vertex_count; ++v) {
        float *p = sheet.positions + 3 * v;
        double beyond = (double)p[0] - (1.0 - hang);
        p[0] = (float)(beyond > 0.0 ? THICKNESS : beyond);
        p[1] = (float)(beyond > 0.0 ? THICKNESS - beyond : THICKNESS);
    }
    struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
    cloth.friction = mu;
    table.scene.cloth = cloth_from(table.scene.world, fabric, sheet.positions, &cloth, NULL, 0);
    table.scene.vertex_count = sheet.vertex_count;
    sheet_destroy(&sheet);
    struct pbd_shape box = {.type = PBD_BOX, .half_extents = {2.0f, 1.0f, 1.0f}};
    feature_scene_add(&table.scene, box, (float[]){-2.0f, -1.0f, 0.0f}, NULL, mu);
    return table;
}

/* x of the end that lies on the table. */
static double table_end(const struct table *table) {
    return feature_vertex(&table->scene, STRIP_ROWS / 2 * STRIP_COLUMNS).x;
}

static void table_run(struct table *table, int ticks) {
    for (int t = 0; t < ticks; ++t) {
        step_ticks_awake(table->scene.world, 1);
        table->strain = fmax(table->strain, (double)pbd_world_get_stats(table->scene.world).max_strain);
    }
}

/* Without friction only the hanging weight pulls: x'' = g·x/L, so x = x0·cosh(√(g/L)·t). */
static void strip_slides_over_an_edge_without_friction(void) {
    struct table table = table_create(0.8, 0.0f);
    double start = table_end(&table);
    for (int k = 1; k <= 4; ++k) {
        table_run(&table, 10);
        double want = 0.8 * (cosh(sqrt(9.81 / 2.0) * k / 6.0) - 1.0), way = table_end(&table) - start;
        printf("after %.2f s: slid %.3f m, by the balance of weights %.3f m\n", k / 6.0, way, want);
        CHECK_NEAR(way, want, 0.02 + 0.1 * want);
    }
    printf("largest strain %.4f\n", table.strain);
    CHECK(table.strain < 0.05);
    feature_scene_destroy(&table.scene);
}

/* Over a right angle friction multiplies by e^(μπ/2): it holds while hang ≤ μ·lie·e^(μπ/2). */
static void strip_is_held_at_an_edge_by_friction(void) {
    double mu = 0.3, gain = mu * exp(mu * acos(-1.0) / 2.0), limit = 2.0 * gain / (1.0 + gain);
    struct table held = table_create(0.7 * limit, (float)mu), slips = table_create(1.5 * limit, (float)mu);
    table_run(&held, 60);
    table_run(&slips, 30);
    double before = table_end(&held), from = table_end(&slips);
    table_run(&held, 20);
    table_run(&slips, 10);
    double creep = table_end(&held) - before, slide = table_end(&slips) - from;
    printf("limit %.3f m: %.3f m creeps %.1e m in 0.33 s, %.3f m slides %.3f m in 0.17 s\n", limit,
           0.7 * limit, creep, 1.5 * limit, slide);
    CHECK(fabs(creep) < 1e-3);
    CHECK(slide > 0.1);
    feature_scene_destroy(&held.scene);
    feature_scene_destroy(&slips.scene);
}

RUN_TESTS(TEST(strip_slides_over_an_edge_without_friction), TEST(strip_is_held_at_an_edge_by_friction))
