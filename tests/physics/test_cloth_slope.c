/* physics.md §10.10, the same cloth on cloth: a sheet on a sheet that is held, on a slope of
 * 20°, or carried along. g = 9.81: g·(sin − 0.2·cos) = 1.512 m/s², g·sin = 3.355 m/s². */
#include "check.h"
#include "crossings.h"

#if defined(__SANITIZE_ADDRESS__) || !defined(__OPTIMIZE__)
#define SLOW_BUILD true
#else
#define SLOW_BUILD false
#endif

#define UNDER 14u
#define OVER 6u

struct slope {
    pbd_world *world;
    pbd_cloth_id ids[2];
    double along[3]; /* unit, downhill */
};

static pbd_cloth_id add_sheet(struct slope *slope, uint32_t n, double size, double lift, double x, double z,
                              float mu, bool held) {
    struct sheet sheet = sheet_create(n, n, size, size);
    double c = slope->along[0], s = -slope->along[1];
    for (uint32_t v = 0; v < sheet.vertex_count; ++v) {
        float *p = sheet.positions + 3 * v;
        double u = (double)p[0] + x;
        p[0] = (float)(c * u + s * lift);
        p[1] = (float)(-s * u + c * lift);
        p[2] = (float)((double)p[2] + z);
    }
    uint32_t pins[UNDER * UNDER];
    for (uint32_t v = 0; v < UNDER * UNDER; ++v)
        pins[v] = v;
    struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
    cloth.friction = mu;
    pbd_cloth_id id =
        cloth_from(slope->world, sheet_fabric(&sheet, 0.2f), sheet.positions, &cloth, pins, held ? n * n : 0);
    sheet_destroy(&sheet);
    return id;
}

/* Both lie on the slope's plane, their middles `far` m downhill and across from the origin. */
static struct slope slope_create(float mu, int substeps, double far) {
    double angle = acos(-1.0) / 9.0;
    struct slope slope = {.along = {cos(angle), -sin(angle), 0.0}};
    struct pbd_world_settings settings = pbd_default_world_settings();
    settings.gravity[1] = -9.81f;
    settings.drag = settings.damping = 0.0f;
    settings.solver.substeps = substeps;
    slope.world = pbd_world_create(&settings);
    double thickness = (double)pbd_default_cloth_settings().thickness;
    slope.ids[0] = add_sheet(&slope, UNDER, 1.3, 0.0, far, far, mu, true);
    slope.ids[1] = add_sheet(&slope, OVER, 0.5, thickness, far - 0.32, far + 0.013, mu, false);
    return slope;
}

static double mean_along(const struct slope *slope,
                         struct point (*of)(const pbd_world *, pbd_cloth_id, uint32_t)) {
    double sum = 0.0;
    for (uint32_t v = 0; v < OVER * OVER; ++v) {
        struct point p = of(slope->world, slope->ids[1], v);
        sum += p.x * slope->along[0] + p.y * slope->along[1] + p.z * slope->along[2];
    }
    return sum / (OVER * OVER);
}

static double acceleration(float mu, int substeps, double far) {
    struct slope slope = slope_create(mu, substeps, far);
    step_ticks_awake(slope.world, 6);
    double before = mean_along(&slope, vertex_velocity);
    step_ticks_awake(slope.world, 24);
    double found = (mean_along(&slope, vertex_velocity) - before) / 0.4;
    printf("     mu %.1f, %d substeps, %.0f m off: %.4f m/s2\n", (double)mu, substeps, far, found);
    CHECK_INT(crossings_of(slope.world, slope.ids, 2), 0);
    pbd_world_destroy(slope.world);
    return found;
}

static double creep(int substeps, double far, int ticks) {
    struct slope slope = slope_create(0.5f, substeps, far);
    double before = mean_along(&slope, vertex_position);
    step_ticks_awake(slope.world, ticks);
    double found = mean_along(&slope, vertex_position) - before;
    printf("     mu 0.5, %d substeps, %.0f m off: %.1e m in %.1f s\n", substeps, far, found, ticks / 60.0);
    CHECK_INT(crossings_of(slope.world, slope.ids, 2), 0);
    pbd_world_destroy(slope.world);
    return found;
}

static void holds_for_ten_seconds_above_the_angle_of_friction(void) {
    int ticks = SLOW_BUILD ? 30 : 600;
    CHECK_NEAR(creep(10, 0.0, ticks), 0.0, 1e-3);
    CHECK_NEAR(creep(10, 10.0, ticks), 0.0, 1e-3);
    CHECK_NEAR(creep(64, 10.0, SLOW_BUILD ? 4 : 600), 0.0, 1e-3);
}

static void slides_with_what_friction_leaves(void) {
    CHECK_NEAR(acceleration(0.2f, 10, 0.0), 1.512, 0.03);
    CHECK_NEAR(acceleration(0.2f, 10, 10.0), 1.512, 0.03);
    if (!SLOW_BUILD) CHECK_NEAR(acceleration(0.2f, 64, 10.0), 1.512, 0.03);
}

static void slides_freely_without_friction(void) {
    CHECK_NEAR(acceleration(0.0f, 10, 0.0), 3.355, 0.03);
    CHECK_NEAR(acceleration(0.0f, 10, 10.0), 3.355, 0.03);
    if (!SLOW_BUILD) CHECK_NEAR(acceleration(0.0f, 64, 10.0), 3.355, 0.03);
}

/* What is held moves 1 m in 2 s, level, and takes along what lies on it. */
static void moved_cloth_carries_a_sheet(void) {
    struct pbd_world_settings settings = pbd_default_world_settings();
    struct slope level = {.world = pbd_world_create(&settings), .along = {1.0, 0.0, 0.0}};
    double thickness = (double)pbd_default_cloth_settings().thickness;
    level.ids[0] = add_sheet(&level, UNDER, 1.3, 0.0, 0.0, 0.0, 0.5f, true);
    level.ids[1] = add_sheet(&level, OVER, 0.5, thickness, 0.0, 0.013, 0.5f, false);
    step_ticks_awake(level.world, 30);
    double before = mean_along(&level, vertex_position);
    uint32_t all[UNDER * UNDER];
    float targets[3 * UNDER * UNDER];
    for (uint32_t v = 0; v < UNDER * UNDER; ++v) {
        struct point p = vertex_position(level.world, level.ids[0], v);
        all[v] = v;
        targets[3 * v] = (float)(p.x + 1.0);
        targets[3 * v + 1] = (float)p.y;
        targets[3 * v + 2] = (float)p.z;
    }
    CHECK_INT(pbd_cloth_move(level.world, level.ids[0], all, UNDER * UNDER, targets, 120), PBD_OK);
    step_ticks_awake(level.world, 180);
    double carried = mean_along(&level, vertex_position) - before;
    printf("     carried over %.4f m of 1\n", carried);
    CHECK_NEAR(carried, 1.0, 0.05); /* it starts and stops at once: slips v²/2μg = 0.026 m each time */
    pbd_world_destroy(level.world);
}

RUN_TESTS(TEST(holds_for_ten_seconds_above_the_angle_of_friction), TEST(slides_with_what_friction_leaves),
          TEST(slides_freely_without_friction), TEST(moved_cloth_carries_a_sheet))
