/* Where wind acts, what it takes along, and what it leaves alone. */
#include "check.h"
#include "sheet.h"

#include "solve/aero.h"

static pbd_world *windy_world(float speed, float turbulence) {
    struct pbd_world_settings settings = quiet_settings();
    settings.wind.velocity[0] = speed;
    settings.wind.turbulence = turbulence;
    return pbd_world_create(&settings);
}

/* Upright, across the wind along x. */
static pbd_cloth_id add_upright(pbd_world *world, uint32_t n, const struct pbd_cloth_settings *settings,
                                const uint32_t *pins, uint32_t pin_count) {
    struct sheet sheet = sheet_create(n, n, 1, 1);
    for (uint32_t v = 0; v < sheet.vertex_count; ++v) {
        sheet.positions[3 * v + 1] = sheet.positions[3 * v];
        sheet.positions[3 * v] = 0.0f;
    }
    pbd_cloth_id id =
        cloth_from(world, sheet_fabric(&sheet, 0.2f), sheet.positions, settings, pins, pin_count);
    sheet_destroy(&sheet);
    return id;
}

static double mean_speed(const pbd_world *world, pbd_cloth_id id) {
    struct pbd_cloth_view view;
    CHECK_INT(pbd_cloth_get_view(world, id, &view), PBD_OK);
    double sum = 0;
    for (uint32_t p = 0; p < view.particle_count; ++p)
        sum += view.vx[p];
    return sum / view.particle_count;
}

static void no_wind_is_no_air_and_costs_nothing(void) {
    struct pbd_cloth_settings settings = pbd_default_cloth_settings();
    pbd_world *world = windy_world(0, 0.5f);
    pbd_cloth_id id = add_upright(world, 5, &settings, NULL, 0);
    CHECK(!aero_acts(world, world_cloth(world, id)));
    step_ticks_awake(world, 3);
    CHECK(world_cloth(world, id)->triangles == NULL);
    CHECK(world_cloth(world, id)->aero == NULL);
    CHECK_NEAR(mean_speed(world, id), 0, 0);
    pbd_world_destroy(world);
}

static void coefficients_of_zero_feel_no_wind(void) {
    struct pbd_cloth_settings settings = pbd_default_cloth_settings();
    settings.drag_coefficient = settings.lift_coefficient = 0.0f;
    pbd_world *world = windy_world(10, 0);
    pbd_cloth_id id = add_upright(world, 5, &settings, NULL, 0);
    CHECK(!aero_acts(world, world_cloth(world, id)));
    CHECK_NEAR(aero_speed(world, world_cloth(world, id)), 0, 0);
    step_ticks_awake(world, 3);
    CHECK_NEAR(mean_speed(world, id), 0, 0);
    pbd_world_destroy(world);
}

static void the_homework_knows_no_wind(void) {
    struct pbd_cloth_settings settings = pbd_default_cloth_settings();
    pbd_world *world = windy_world(10, 0);
    struct pbd_world_settings jacobi = pbd_world_get_settings(world);
    jacobi.solver.method = PBD_METHOD_JACOBI;
    pbd_world_set_settings(world, &jacobi);
    pbd_cloth_id id = add_upright(world, 5, &settings, NULL, 0);
    step_ticks_awake(world, 3);
    CHECK_NEAR(mean_speed(world, id), 0, 0);
    pbd_world_destroy(world);
}

/* One substep from rest: Δv = h·½ρU²C_d/σ/(1 + h·½ρU(C_d + C_l)/σ), σ = 0.2 kg/m². */
static void the_first_push_is_as_computed(void) {
    for (int damped = 0; damped < 2; ++damped) {
        struct pbd_cloth_settings settings = pbd_default_cloth_settings();
        pbd_world *world = windy_world(6, 0);
        struct pbd_world_settings one = pbd_world_get_settings(world);
        one.solver.substeps = 1;
        one.damping = damped ? 0.3f : 0.0f;
        pbd_world_set_settings(world, &one);
        pbd_cloth_id id = add_upright(world, 9, &settings, NULL, 0);
        step_ticks_awake(world, 1);
        double h = 1.0 / 60.0, k = 0.5 * 1.225 * 6.0 / 0.2;
        double want = h * k * 6.0 * 1.2 / (1.0 + h * k * 2.2);
        CHECK_NEAR(mean_speed(world, id), want, 1e-5 * want);
        pbd_world_destroy(world);
    }
}

static void pinned_vertices_stay(void) {
    struct pbd_cloth_settings settings = pbd_default_cloth_settings();
    pbd_world *world = windy_world(20, 0.4f);
    uint32_t pins[25];
    for (uint32_t v = 0; v < 25; ++v)
        pins[v] = v;
    pbd_cloth_id id = add_upright(world, 5, &settings, pins, 25);
    struct point before = vertex_position(world, id, 12);
    step_ticks_awake(world, 10);
    struct point after = vertex_position(world, id, 12);
    CHECK(after.x == before.x && after.y == before.y && after.z == before.z);
    pbd_world_destroy(world);
}

static uint64_t hash_after(float turbulence, uint32_t seed, int ticks) {
    struct pbd_cloth_settings settings = pbd_default_cloth_settings();
    pbd_world *world = windy_world(8, turbulence);
    struct pbd_world_settings seeded = pbd_world_get_settings(world);
    seeded.seed = seed;
    pbd_world_set_settings(world, &seeded);
    const uint32_t pins[2] = {0, 8};
    add_upright(world, 9, &settings, pins, 2);
    step_ticks(world, ticks);
    uint64_t hash = pbd_world_state_hash(world);
    pbd_world_destroy(world);
    return hash;
}

static void the_seed_makes_the_gusts(void) {
    CHECK(hash_after(0.3f, 1, 20) == hash_after(0.3f, 1, 20));
    CHECK(hash_after(0.3f, 1, 20) != hash_after(0.3f, 2, 20));
    CHECK(hash_after(0.0f, 1, 20) == hash_after(0.0f, 2, 20));
}

/* Gusts at 64 places a gust size apart and less, over the time in which 400 of them pass: rms
 * of each component is turbulence·speed, the mean 0. Some 400 independent ones in a line:
 * 3.5 % of the rms, and 5 % of the mean; three times as much. */
static void gusts_are_as_strong_as_turbulence_says(void) {
    struct pbd_cloth_settings settings = pbd_default_cloth_settings();
    pbd_world *world = windy_world(12, 0.25f);
    uint32_t pins[64];
    for (uint32_t v = 0; v < 64; ++v)
        pins[v] = v;
    pbd_cloth_id id = add_upright(world, 8, &settings, pins, 64);
    double sum[3] = {0}, square[3] = {0}, most = 0;
    const int ticks = 2000;
    for (int i = 0; i < ticks; ++i) {
        step_ticks_awake(world, 1);
        /* What the tick has sampled is the first member of its memory. */
        const float *const *gust = (const float *const *)(const void *)world_cloth(world, id)->aero;
        for (int k = 0; k < 3; ++k)
            for (uint32_t p = 0; p < 64; ++p) {
                double g = gust[k][p];
                sum[k] += g / 64;
                square[k] += g * g / 64;
                most = fmax(most, fabs(g));
            }
    }
    double rms = 0.25 * 12;
    printf("     rms %.3f %.3f %.3f of %.3f m/s, strongest %.2f\n", sqrt(square[0] / ticks),
           sqrt(square[1] / ticks), sqrt(square[2] / ticks), rms, most);
    for (int k = 0; k < 3; ++k) {
        CHECK_NEAR(sqrt(square[k] / ticks), rms, 0.105 * rms);
        CHECK_NEAR(sum[k] / ticks, 0, 0.15 * rms);
    }
    CHECK(most <= aero_speed(world, world_cloth(world, id)) - 12.0);
    pbd_world_destroy(world);
}

static void a_snapshot_keeps_the_gusts(void) {
    struct pbd_cloth_settings settings = pbd_default_cloth_settings();
    pbd_world *world = windy_world(8, 0.3f);
    const uint32_t pins[2] = {0, 8};
    add_upright(world, 9, &settings, pins, 2);
    step_ticks(world, 15);
    pbd_snapshot *snapshot = pbd_world_snapshot(world);
    step_ticks(world, 15);
    uint64_t want = pbd_world_state_hash(world);
    CHECK_INT(pbd_world_restore(world, snapshot), PBD_OK);
    step_ticks(world, 15);
    CHECK(pbd_world_state_hash(world) == want);
    pbd_snapshot_destroy(snapshot);
    pbd_world_destroy(world);
}

/* Flat in the wind's plane nothing pushes it, and still it must not sleep. */
static void what_stands_in_wind_stays_awake(void) {
    for (int wind = 0; wind < 2; ++wind) {
        pbd_world *world = windy_world(wind ? 5.0f : 0.0f, 0);
        struct sheet sheet = sheet_create(5, 5, 1, 1);
        struct pbd_cloth_settings settings = pbd_default_cloth_settings();
        pbd_cloth_id id = cloth_from(world, sheet_fabric(&sheet, 0.2f), sheet.positions, &settings, NULL, 0);
        sheet_destroy(&sheet);
        step_ticks(world, 120);
        struct pbd_cloth_view view;
        CHECK_INT(pbd_cloth_get_view(world, id, &view), PBD_OK);
        CHECK(view.asleep == (wind == 0));
        pbd_world_destroy(world);
    }
}

RUN_TESTS(TEST(no_wind_is_no_air_and_costs_nothing), TEST(coefficients_of_zero_feel_no_wind),
          TEST(the_homework_knows_no_wind), TEST(the_first_push_is_as_computed), TEST(pinned_vertices_stay),
          TEST(the_seed_makes_the_gusts), TEST(gusts_are_as_strong_as_turbulence_says),
          TEST(a_snapshot_keeps_the_gusts), TEST(what_stands_in_wind_stays_awake))
