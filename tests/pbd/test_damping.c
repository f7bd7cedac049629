/* Drag and P07's damping. */
#include "check.h"
#include "sheet.h"

#include "solve/damping.h"

/* A world in which nothing but drag and damping acts. */
static pbd_world *free_world(float drag, float damping, int substeps) {
    struct pbd_world_settings settings = quiet_settings();
    settings.drag = drag;
    settings.damping = damping;
    settings.solver.substeps = substeps;
    return pbd_world_create(&settings);
}

static struct pbd_cloth_settings slack(void) {
    struct pbd_cloth_settings settings = pbd_default_cloth_settings();
    settings.stretch_compliance = settings.bend_compliance = PBD_COMPLIANCE_OFF;
    return settings;
}

struct momentum {
    double p[3], l[3]; /* about the origin */
};

static struct momentum momentum_of(const pbd_world *world, pbd_cloth_id id, const float *masses,
                                   uint32_t count) {
    struct momentum sum = {{0}, {0}};
    for (uint32_t v = 0; v < count; ++v) {
        struct point x = vertex_position(world, id, v), u = vertex_velocity(world, id, v);
        double m = masses[v];
        sum.p[0] += m * u.x;
        sum.p[1] += m * u.y;
        sum.p[2] += m * u.z;
        sum.l[0] += m * (x.y * u.z - x.z * u.y);
        sum.l[1] += m * (x.z * u.x - x.x * u.z);
        sum.l[2] += m * (x.x * u.y - x.y * u.x);
    }
    return sum;
}

static void drag_slows_exponentially_whatever_the_substeps(void) {
    const int substeps[] = {1, 10};
    for (int i = 0; i < 2; ++i) {
        pbd_world *world = free_world(2.0f, 0.0f, substeps[i]);
        struct sheet sheet = sheet_create(3, 3, 1, 1);
        struct pbd_cloth_settings settings = slack();
        pbd_cloth_id id = cloth_from(world, sheet_fabric(&sheet, 0.2f), sheet.positions, &settings, NULL, 0);
        float velocities[27];
        for (int k = 0; k < 27; ++k)
            velocities[k] = 1.0f;
        CHECK_INT(pbd_cloth_set_state(world, id, NULL, velocities), PBD_OK);
        step_ticks(world, 60);
        /* e^-2; 600 roundings of 6e-8 */
        CHECK_NEAR(vertex_velocity(world, id, 4).x, 0.135335283, 0.1353 * 600 * 6e-8);
        sheet_destroy(&sheet);
        pbd_world_destroy(world);
    }
}

/* With k = 1 velocities become v_cm + ω×r and both momenta stay. Positions move by v·dt
 * in the tick, so velocities are kept small: 1e-3 m/s moves 1.7e-5 m. */
static void full_damping_leaves_the_rigid_motion(void) {
    pbd_world *world = free_world(0.0f, 1.0f, 1);
    struct sheet sheet = sheet_create(9, 7, 2, 1);
    float masses[63], velocities[189];
    struct random random = {11};
    for (int v = 0; v < 63; ++v)
        masses[v] = (float)random_between(&random, 0.5, 2);
    for (int k = 0; k < 189; ++k)
        velocities[k] = (float)random_between(&random, -1e-3, 1e-3);
    for (uint32_t k = 0; k < 189; ++k)
        sheet.positions[k] += (float)random_between(&random, -0.05, 0.05);
    struct pbd_cloth_settings settings = slack();
    pbd_fabric *fabric =
        fabric_from(sheet.positions, 63, sheet.triangles, sheet.triangle_count, NULL, 0, masses, 0);
    pbd_cloth_id id = cloth_from(world, fabric, sheet.positions, &settings, NULL, 0);
    CHECK_INT(pbd_cloth_set_state(world, id, NULL, velocities), PBD_OK);
    struct momentum before = momentum_of(world, id, masses, 63);
    step_ticks(world, 1);
    struct momentum after = momentum_of(world, id, masses, 63);
    /* 63 masses near 1.2 at 1e-3 m/s: sums of 0.08 in float32, 1e-6 of them */
    for (int k = 0; k < 3; ++k) {
        CHECK_NEAR(after.p[k], before.p[k], 1e-7);
        CHECK_NEAR(after.l[k], before.l[k], 2e-6);
    }
    /* Rigid: no two particles approach each other. */
    double fastest = 0;
    for (uint32_t a = 0; a < 63; ++a)
        for (uint32_t b = 0; b < a; ++b) {
            struct point xa = vertex_position(world, id, a), xb = vertex_position(world, id, b);
            struct point va = vertex_velocity(world, id, a), vb = vertex_velocity(world, id, b);
            double dx = xa.x - xb.x, dy = xa.y - xb.y, dz = xa.z - xb.z;
            double rate = (dx * (va.x - vb.x) + dy * (va.y - vb.y) + dz * (va.z - vb.z)) /
                          sqrt(dx * dx + dy * dy + dz * dz);
            if (fabs(rate) > fastest) fastest = fabs(rate);
        }
    CHECK_NEAR(fastest, 0, 1e-7); /* ω·(v·dt): 1e-3 · 1.7e-5, and rounding */
    sheet_destroy(&sheet);
    pbd_world_destroy(world);
}

/* A square's saddle motion has no rigid part; k is per tick, whatever the substeps. */
static void damping_is_per_tick(void) {
    const int substeps[] = {1, 10, 64};
    for (int i = 0; i < 3; ++i) {
        pbd_world *world = free_world(0.0f, 0.3f, substeps[i]);
        struct sheet sheet = sheet_create(3, 3, 1, 1);
        float masses[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1}, velocities[27];
        for (int v = 0; v < 9; ++v) {
            velocities[3 * v] = 1e-3f * sheet.positions[3 * v];
            velocities[3 * v + 1] = 0;
            velocities[3 * v + 2] = -1e-3f * sheet.positions[3 * v + 2];
        }
        struct pbd_cloth_settings settings = slack();
        pbd_fabric *fabric = fabric_from(sheet.positions, 9, sheet.triangles, 8, NULL, 0, masses, 0);
        pbd_cloth_id id = cloth_from(world, fabric, sheet.positions, &settings, NULL, 0);
        CHECK_INT(pbd_cloth_set_state(world, id, NULL, velocities), PBD_OK);
        step_ticks(world, 1);
        CHECK_NEAR(vertex_velocity(world, id, 0).x / velocities[0], 0.7, 1e-4);
        sheet_destroy(&sheet);
        pbd_world_destroy(world);
    }
}

/* Moments of three particles of 1 kg on the x axis that turn about z with 2 rad/s and
 * move with 5 m/s: I is singular about x. */
static void line_turns_about_its_two_axes_only(void) {
    struct moments m = {{0, 0, 0}, {0, 0, 0}, {0}};
    const double x[3] = {-1, 0.5, 2};
    for (int i = 0; i < 3; ++i) {
        double vy = 2 * x[i], vz = 5;
        m.sum[MOMENT_MASS] += 1;
        m.sum[MOMENT_X] += x[i];
        m.sum[MOMENT_VY] += vy;
        m.sum[MOMENT_VZ] += vz;
        m.sum[MOMENT_LY] += -x[i] * vz;
        m.sum[MOMENT_LZ] += x[i] * vy;
        m.sum[MOMENT_XX] += x[i] * x[i];
    }
    struct rigid_motion rigid = damping_rigid_motion(&m, 0.5f);
    CHECK(rigid.k == 0.5f);
    CHECK_NEAR(rigid.center[0], 0.5, 1e-7);
    CHECK_NEAR(rigid.velocity[1], 1.0, 1e-7);
    CHECK_NEAR(rigid.velocity[2], 5.0, 1e-6);
    CHECK_NEAR(rigid.spin[0], 0.0, 1e-12);
    CHECK_NEAR(rigid.spin[1], 0.0, 1e-6);
    CHECK_NEAR(rigid.spin[2], 2.0, 1e-6);
}

/* A slanted line of float32 points is a line but for rounding; what that gives as moment
 * and inertia about itself is a quotient of two errors, 1e6 rad/s and more. */
static void slanted_line_does_not_spin_about_itself(void) {
    struct moments m = {{0, 0, 0}, {0, 0, 0}, {0}};
    for (int i = 0; i < 9; ++i) {
        double s = (i - 4) / 4.0, x = (float)(0.27 * s), y = (float)(0.53 * s), z = (float)(0.80 * s);
        double vx = i % 3 - 1, vy = i % 2, vz = i % 5 - 2;
        m.sum[MOMENT_MASS] += 1;
        m.sum[MOMENT_X] += x, m.sum[MOMENT_Y] += y, m.sum[MOMENT_Z] += z;
        m.sum[MOMENT_VX] += vx, m.sum[MOMENT_VY] += vy, m.sum[MOMENT_VZ] += vz;
        m.sum[MOMENT_LX] += y * vz - z * vy;
        m.sum[MOMENT_LY] += z * vx - x * vz;
        m.sum[MOMENT_LZ] += x * vy - y * vx;
        m.sum[MOMENT_XX] += x * x, m.sum[MOMENT_YY] += y * y, m.sum[MOMENT_ZZ] += z * z;
        m.sum[MOMENT_XY] += x * y, m.sum[MOMENT_YZ] += y * z, m.sum[MOMENT_ZX] += z * x;
    }
    struct rigid_motion rigid = damping_rigid_motion(&m, 1.0f);
    double along = 0.27 * rigid.spin[0] + 0.53 * rigid.spin[1] + 0.80 * rigid.spin[2];
    CHECK_NEAR(along, 0.0, 1e-6);
    /* Speeds up to 2.5 m/s on a body of 2 m. */
    CHECK(fabsf(rigid.spin[0]) + fabsf(rigid.spin[1]) + fabsf(rigid.spin[2]) < 10.0f);
}

static void a_point_and_nothing_have_no_spin(void) {
    struct moments m = {{1, 2, 3}, {4, 5, 6}, {0}};
    struct rigid_motion none = damping_rigid_motion(&m, 1.0f);
    CHECK(none.spin[0] == 0.0f && none.velocity[0] == 0.0f);
    m.sum[MOMENT_MASS] = 2;
    struct rigid_motion point = damping_rigid_motion(&m, 1.0f);
    CHECK(point.center[0] == 1.0f && point.velocity[2] == 6.0f);
    CHECK(point.spin[0] == 0.0f && point.spin[1] == 0.0f && point.spin[2] == 0.0f);
}

static void pinned_particles_are_left_out(void) {
    pbd_world *world = free_world(0.0f, 1.0f, 1);
    struct sheet sheet = sheet_create(3, 3, 1, 1);
    const uint32_t pin = 4;
    struct pbd_cloth_settings settings = slack();
    pbd_cloth_id id = cloth_from(world, sheet_fabric(&sheet, 0.2f), sheet.positions, &settings, &pin, 1);
    float velocities[27] = {0};
    for (int v = 0; v < 9; ++v)
        velocities[3 * v + 1] = 1.0f;
    CHECK_INT(pbd_cloth_set_state(world, id, NULL, velocities), PBD_OK);
    step_ticks(world, 1);
    CHECK_NEAR(vertex_velocity(world, id, 0).y, 1.0, 1e-6);
    CHECK(vertex_velocity(world, id, 4).y == 0.0);
    sheet_destroy(&sheet);
    pbd_world_destroy(world);
}

RUN_TESTS(TEST(drag_slows_exponentially_whatever_the_substeps), TEST(full_damping_leaves_the_rigid_motion),
          TEST(damping_is_per_tick), TEST(line_turns_about_its_two_axes_only),
          TEST(slanted_line_does_not_spin_about_itself), TEST(a_point_and_nothing_have_no_spin),
          TEST(pinned_particles_are_left_out))
