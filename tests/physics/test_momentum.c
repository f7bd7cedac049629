/* physics.md §10.5: what the internal constraints keep. */
#include "check.h"
#include "sheet.h"

struct momentum {
    double p[3], l[3], size; /* l about the origin; size Σ m|v| */
};

static struct momentum momentum_of(const pbd_world *world, pbd_cloth_id id, const float *masses,
                                   uint32_t count) {
    struct momentum sum = {{0}, {0}, 0};
    for (uint32_t v = 0; v < count; ++v) {
        struct point x = vertex_position(world, id, v), u = vertex_velocity(world, id, v);
        double m = masses[v];
        sum.p[0] += m * u.x;
        sum.p[1] += m * u.y;
        sum.p[2] += m * u.z;
        sum.l[0] += m * (x.y * u.z - x.z * u.y);
        sum.l[1] += m * (x.z * u.x - x.x * u.z);
        sum.l[2] += m * (x.x * u.y - x.y * u.x);
        sum.size += m * sqrt(u.x * u.x + u.y * u.y + u.z * u.z);
    }
    return sum;
}

static double length_of(const double v[3]) {
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static void random_velocities_keep_their_momentum(void) {
    for (int method = 0; method < 2; ++method) {
        struct pbd_world_settings settings = quiet_settings();
        settings.solver.method = method == 0 ? PBD_METHOD_PBD : PBD_METHOD_XPBD;
        settings.solver.substeps = 1;
        settings.solver.iterations = 4;
        pbd_world *world = pbd_world_create(&settings);
        struct sheet sheet = sheet_create(21, 21, 1, 1);
        float masses[441], velocities[1323];
        struct random random = {5};
        for (int v = 0; v < 441; ++v)
            masses[v] = (float)random_between(&random, 0.5e-3, 2e-3);
        for (int k = 0; k < 1323; ++k)
            velocities[k] = (float)random_between(&random, -0.5, 0.5);
        struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
        pbd_fabric *fabric =
            fabric_from(sheet.positions, 441, sheet.triangles, sheet.triangle_count, NULL, 0, masses, 0);
        pbd_cloth_id id = cloth_from(world, fabric, sheet.positions, &cloth, NULL, 0);
        CHECK_INT(pbd_cloth_set_state(world, id, NULL, velocities), PBD_OK);
        struct momentum before = momentum_of(world, id, masses, 441);
        step_ticks_awake(world, 300);
        struct momentum after = momentum_of(world, id, masses, 441);
        double change[3], turn[3];
        for (int k = 0; k < 3; ++k) {
            change[k] = after.p[k] - before.p[k];
            turn[k] = after.l[k] - before.l[k];
        }
        CHECK_NEAR(length_of(change), 0, 5e-5 * before.size);
        double drift = length_of(turn) / length_of(before.l);
        printf("     %s: angular momentum drifted by %.2f %%\n", method == 0 ? "pbd" : "xpbd", 100 * drift);
        CHECK_NEAR(drift, 0, 0.1);
        sheet_destroy(&sheet);
        pbd_world_destroy(world);
    }
}

static void a_sheet_at_rest_stays_at_rest(void) {
    for (int method = 0; method < 2; ++method) {
        struct pbd_world_settings settings = quiet_settings();
        settings.solver.method = method == 0 ? PBD_METHOD_PBD : PBD_METHOD_XPBD;
        settings.solver.substeps = 1;
        pbd_world *world = pbd_world_create(&settings);
        struct sheet sheet = sheet_create(21, 21, 1, 1);
        struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
        pbd_cloth_id id = cloth_from(world, sheet_fabric(&sheet, 0.2f), sheet.positions, &cloth, NULL, 0);
        step_ticks_awake(world, 300);
        double moved = 0;
        for (uint32_t v = 0; v < 441; ++v) {
            struct point p = vertex_position(world, id, v);
            moved = fmax(moved, fabs(p.x - sheet.positions[3 * v]));
            moved = fmax(moved, fabs(p.y));
            moved = fmax(moved, fabs(p.z - sheet.positions[3 * v + 2]));
        }
        CHECK_NEAR(moved, 0, 1e-6);
        sheet_destroy(&sheet);
        pbd_world_destroy(world);
    }
}

/* One stretch projection alone: a tick of one substep from rest at a wrong length, so
 * that m·Δp is m·v·h. 1e-6 of Σ m|Δp|. */
static void one_projection_keeps_both_momenta(void) {
    const float rest[6] = {0, 0, 0, 1, 0, 0}, masses[2] = {0.3f, 1.7f};
    const uint32_t edge[2] = {0, 1};
    struct random random = {8};
    for (int i = 0; i < 20; ++i) {
        struct pbd_world_settings settings = quiet_settings();
        settings.solver.substeps = 1;
        pbd_world *world = pbd_world_create(&settings);
        float at[6];
        for (int k = 0; k < 6; ++k)
            at[k] = (float)random_between(&random, -1, 1);
        struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
        pbd_cloth_id id =
            cloth_from(world, fabric_from(rest, 2, NULL, 0, edge, 1, masses, 0), at, &cloth, NULL, 0);
        step_ticks_awake(world, 1);
        struct momentum sum = momentum_of(world, id, masses, 2);
        CHECK(sum.size > 0);
        CHECK_NEAR(length_of(sum.p), 0, 1e-6 * sum.size);
        CHECK_NEAR(length_of(sum.l), 0, 1e-6 * sum.size);
        pbd_world_destroy(world);
    }
}

RUN_TESTS(TEST(random_velocities_keep_their_momentum), TEST(a_sheet_at_rest_stays_at_rest),
          TEST(one_projection_keeps_both_momenta))
