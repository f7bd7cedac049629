/* Bending of a hinge in a world: physics.md §10.9. */
#include "check.h"
#include "sheet.h"

static const uint32_t hinge_triangles[6] = {0, 1, 2, 1, 0, 3};
#define RADIANS (3.14159265358979 / 180)

/* Edge of 1 m along x, wings of 0.8 m, the second one folded down by `angle`: the
 * paper's fold is 180° − angle or 180° + angle. */
static void hinge_positions(double angle, float out[12]) {
    const double at[12] = {-0.5, 0, 0, 0.5, 0, 0, 0, 0, -0.8, 0, -0.8 * sin(angle), 0.8 * cos(angle)};
    for (int i = 0; i < 12; ++i)
        out[i] = (float)at[i];
}

/* Angle between the wings' planes, 0 when flat, positive when folded down. */
static double fold_now(const pbd_world *world, pbd_cloth_id id) {
    struct point p[4];
    for (uint32_t v = 0; v < 4; ++v)
        p[v] = vertex_position(world, id, v);
    struct point e = {p[1].x - p[0].x, p[1].y - p[0].y, p[1].z - p[0].z};
    struct point a = {p[2].x - p[0].x, p[2].y - p[0].y, p[2].z - p[0].z};
    struct point b = {p[3].x - p[0].x, p[3].y - p[0].y, p[3].z - p[0].z};
    double length = sqrt(e.x * e.x + e.y * e.y + e.z * e.z);
    struct point n = {e.y * a.z - e.z * a.y, e.z * a.x - e.x * a.z, e.x * a.y - e.y * a.x};
    struct point m = {b.y * e.z - b.z * e.y, b.z * e.x - b.x * e.z, b.x * e.y - b.y * e.x};
    double sine = -length * (b.x * n.x + b.y * n.y + b.z * n.z), cosine = n.x * m.x + n.y * m.y + n.z * m.z;
    return atan2(sine, cosine);
}

static pbd_cloth_id hinge(pbd_world *world, double rest, double start,
                          const struct pbd_cloth_settings *settings) {
    float rest_positions[12], positions[12];
    hinge_positions(rest, rest_positions);
    hinge_positions(start, positions);
    pbd_fabric *fabric = fabric_from(rest_positions, 4, hinge_triangles, 2, NULL, 0, NULL, 0.2f);
    CHECK_INT(pbd_fabric_report(fabric)->bends, 1);
    return cloth_from(world, fabric, positions, settings, NULL, 0);
}

static void hinges_stay_at_their_rest_fold(void) {
    for (int method = 0; method < 2; ++method)
        for (int degrees = -150; degrees <= 150; degrees += 30) {
            struct pbd_world_settings settings = quiet_settings();
            settings.solver.method = method == 0 ? PBD_METHOD_PBD : PBD_METHOD_XPBD;
            pbd_world *world = pbd_world_create(&settings);
            struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
            cloth.bend_stiffness = 1.0f;
            cloth.bend_compliance = 0.0f;
            pbd_cloth_id id = hinge(world, degrees * RADIANS, degrees * RADIANS, &cloth);
            step_ticks(world, 60);
            CHECK_NEAR(fold_now(world, id), degrees * RADIANS, 1e-4);
            pbd_world_destroy(world);
        }
}

static void bent_hinge_returns_to_a_right_angle(void) {
    for (int method = 0; method < 2; ++method)
        for (int sign = -1; sign <= 1; sign += 2) {
            struct pbd_world_settings settings = quiet_settings();
            settings.damping = 0.3f;
            settings.solver.method = method == 0 ? PBD_METHOD_PBD : PBD_METHOD_XPBD;
            pbd_world *world = pbd_world_create(&settings);
            struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
            cloth.bend_stiffness = 0.5f;
            cloth.bend_compliance = 1.0f;
            pbd_cloth_id id = hinge(world, sign * 90 * RADIANS, sign * 60 * RADIANS, &cloth);
            step_ticks(world, 300);
            CHECK_NEAR(fold_now(world, id), sign * 90 * RADIANS, 1 * RADIANS);
            pbd_world_destroy(world);
        }
}

static void distance_model_restores_the_span(void) {
    struct pbd_world_settings settings = quiet_settings();
    settings.damping = 0.3f;
    pbd_world *world = pbd_world_create(&settings);
    struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
    cloth.bend_model = PBD_BEND_DISTANCE;
    cloth.bend_compliance = 1e-4f;
    pbd_cloth_id id = hinge(world, 90 * RADIANS, 60 * RADIANS, &cloth);
    step_ticks(world, 300);
    struct point a = vertex_position(world, id, 2), b = vertex_position(world, id, 3);
    double span = sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
    CHECK_NEAR(span, 0.8 * sqrt(2), 1e-3);
    pbd_world_destroy(world);
}

static void switched_off_bending_leaves_the_fold(void) {
    for (int method = 0; method < 2; ++method) {
        struct pbd_world_settings settings = quiet_settings();
        settings.solver.method = method == 0 ? PBD_METHOD_PBD : PBD_METHOD_XPBD;
        pbd_world *world = pbd_world_create(&settings);
        struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
        if (method == 0)
            cloth.bend_stiffness = 0.0f;
        else
            cloth.bend_compliance = PBD_COMPLIANCE_OFF;
        pbd_cloth_id id = hinge(world, 0, 60 * RADIANS, &cloth);
        double before = fold_now(world, id);
        step_ticks(world, 60);
        CHECK_NEAR(fold_now(world, id), before, 1e-5);
        CHECK_INT(pbd_world_get_stats(world).constraints, 5);
        pbd_world_destroy(world);
    }
}

RUN_TESTS(TEST(hinges_stay_at_their_rest_fold), TEST(bent_hinge_returns_to_a_right_angle),
          TEST(distance_model_restores_the_span), TEST(switched_off_bending_leaves_the_fold))
