/* physics.md §7 and §10.7: wind as lift and drag, whatever the mesh and the tick. */
#include "check.h"
#include "sheet.h"

/* A sheet of 1 m², turned about z by angle out of the plane across the wind along x. */
static pbd_cloth_id add_tilted(pbd_world *world, uint32_t n, double angle, const uint32_t *pins,
                               uint32_t pin_count) {
    struct sheet sheet = sheet_create(n, n, 1, 1);
    for (uint32_t v = 0; v < sheet.vertex_count; ++v) {
        double along = sheet.positions[3 * v];
        sheet.positions[3 * v] = (float)(along * sin(angle));
        sheet.positions[3 * v + 1] = (float)(along * cos(angle));
    }
    struct pbd_cloth_settings settings = pbd_default_cloth_settings();
    settings.bend_compliance = 1e-3f;
    pbd_cloth_id id =
        cloth_from(world, sheet_fabric(&sheet, 0.2f), sheet.positions, &settings, pins, pin_count);
    sheet_destroy(&sheet);
    return id;
}

static struct point centre_of(const pbd_world *world, pbd_cloth_id id) {
    struct pbd_cloth_view view;
    CHECK_INT(pbd_cloth_get_view(world, id, &view), PBD_OK);
    struct point sum = {0, 0, 0};
    for (uint32_t v = 0; v < view.vertex_count; ++v) {
        struct point p = vertex_position(world, id, v);
        sum.x += p.x / view.vertex_count;
        sum.y += p.y / view.vertex_count;
        sum.z += p.z / view.vertex_count;
    }
    return sum;
}

/* A second in wind of 5 m/s: how far the middle has come. */
static struct point drift(uint32_t n, double angle, int rate, int substeps, double height) {
    struct pbd_world_settings settings = quiet_settings();
    settings.wind.velocity[0] = 5.0f;
    settings.solver.dt = 1.0f / (float)rate;
    settings.solver.substeps = substeps;
    pbd_world *world = pbd_world_create(&settings);
    pbd_cloth_id id = add_tilted(world, n, angle, NULL, 0);
    if (height != 0.0) {
        struct pbd_cloth_view view;
        CHECK_INT(pbd_cloth_get_view(world, id, &view), PBD_OK);
        float *at = malloc(3 * sizeof *at * view.vertex_count);
        for (uint32_t v = 0; v < view.vertex_count; ++v) {
            struct point p = vertex_position(world, id, v);
            at[3 * v] = (float)p.x;
            at[3 * v + 1] = (float)(p.y + height);
            at[3 * v + 2] = (float)p.z;
        }
        CHECK_INT(pbd_cloth_set_state(world, id, at, NULL), PBD_OK);
        free(at);
    }
    struct point before = centre_of(world, id);
    step_ticks(world, rate);
    struct point after = centre_of(world, id);
    pbd_world_destroy(world);
    return (struct point){after.x - before.x, after.y - before.y, after.z - before.z};
}

/* The rigid plate across the wind: dv/dt = c·(U−v)², c = ½ρC_d/σ; x = U·t − ln(1 + c·U·t)/c.
 * The divisor of the explicit force slows the start by h·k·C of it: under 2 %. */
static void a_plate_is_carried_as_computed(void) {
    double c = 0.5 * 1.225 * 1.2 / 0.2, want = 5.0 - log(1.0 + c * 5.0) / c;
    struct point got = drift(9, 0, 60, 10, 0);
    printf("     drift in 1 s: %.4f m, computed %.4f\n", got.x, want);
    CHECK_NEAR(got.x, want, 0.02 * want);
}

static void refined_four_times_it_drifts_the_same(void) {
    for (int tilted = 0; tilted < 2; ++tilted) {
        double angle = tilted ? 0.6 : 0.0;
        struct point coarse = drift(9, angle, 60, 10, 0), fine = drift(33, angle, 60, 10, 0);
        printf("     %s: 9x9 (%.4f, %.4f), 33x33 (%.4f, %.4f) m\n", tilted ? "tilted" : "across", coarse.x,
               coarse.y, fine.x, fine.y);
        CHECK_NEAR(fine.x, coarse.x, 0.03 * coarse.x);
        CHECK_NEAR(fine.y, coarse.y, 0.03 * coarse.x);
    }
}

static void another_tick_rate_gives_the_same(void) {
    struct point want = drift(9, 0.6, 60, 10, 0);
    const int rates[3] = {30, 120, 240};
    for (int i = 0; i < 3; ++i) {
        struct point got = drift(9, 0.6, rates[i], 10, 0);
        printf("     %d Hz: (%.4f, %.4f), 60 Hz (%.4f, %.4f) m\n", rates[i], got.x, got.y, want.x, want.y);
        CHECK_NEAR(got.x, want.x, 0.03 * want.x);
        CHECK_NEAR(got.y, want.y, 0.03 * want.x);
    }
}

/* Residuals count: at 1000 m an ulp is 6e-5 m, a thousandth of an edge. */
static void far_from_the_origin_it_is_the_same(void) {
    struct point near = drift(9, 0.6, 60, 10, 0), far = drift(9, 0.6, 60, 10, 1000);
    printf("     at 0 m (%.4f, %.4f), at 1000 m (%.4f, %.4f)\n", near.x, near.y, far.x, far.y);
    CHECK_NEAR(far.x, near.x, 0.005 * near.x);
    CHECK_NEAR(far.y, near.y, 0.005 * near.x);
}

/* Falling flat through air that hardly moves: σ·g = ½ρ·C_d·v², v = 1.633 m/s. The divisor
 * takes 1 % of the force, half of it shows in v. */
static void a_sheet_falls_no_faster_than_air_lets_it(void) {
    struct pbd_world_settings settings = quiet_settings();
    settings.gravity[1] = -9.8f;
    settings.wind.velocity[1] = 1e-4f;
    pbd_world *world = pbd_world_create(&settings);
    struct sheet sheet = sheet_create(9, 9, 1, 1);
    struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
    cloth.lift_coefficient = 0.0f;
    pbd_cloth_id id = cloth_from(world, sheet_fabric(&sheet, 0.2f), sheet.positions, &cloth, NULL, 0);
    sheet_destroy(&sheet);
    step_ticks(world, 60);
    double got = -vertex_velocity(world, id, 40).y, want = sqrt(0.2 * 9.8 / (0.5 * 1.225 * 1.2));
    printf("     falls at %.4f m/s, computed %.4f\n", got, want);
    CHECK_NEAR(got, want, 0.01 * want);
    pbd_world_destroy(world);
}

/* With its upper edge towards the wind it is lifted, the other way round pushed down. */
static void lift_is_across_the_wind(void) {
    struct point up = drift(9, -0.6, 60, 10, 0), down = drift(9, 0.6, 60, 10, 0);
    CHECK(down.y < -0.1 && up.y > 0.1);
    CHECK_NEAR(up.y, -down.y, 1e-3);
    CHECK_NEAR(up.z, 0, 1e-3);
}

/* §10.7 */
static void a_wind_of_1e6_is_survived_or_told(void) {
    struct pbd_world_settings settings = pbd_default_world_settings();
    pbd_world *world = pbd_world_create(&settings);
    const uint32_t pins[2] = {0, 20};
    pbd_cloth_id id = add_tilted(world, 21, 1.2, pins, 2);
    pbd_snapshot *start = pbd_world_snapshot(world);
    uint64_t want[300];
    for (int i = 0; i < 300; ++i) {
        pbd_world_step(world);
        want[i] = pbd_world_state_hash(world);
    }
    CHECK_INT(pbd_world_restore(world, start), PBD_OK);
    settings.wind.velocity[0] = 1e6f;
    pbd_world_set_settings(world, &settings);
    bool told = false;
    for (int i = 0; i < 30; ++i) {
        pbd_world_step(world);
        const struct pbd_event *events;
        uint32_t count = pbd_world_events(world, &events);
        for (uint32_t e = 0; e < count; ++e)
            told = told || events[e].type == PBD_EVENT_DIVERGED;
        int wrong = 0;
        for (uint32_t v = 0; v < 441; ++v) {
            struct point p = vertex_position(world, id, v), u = vertex_velocity(world, id, v);
            wrong += !(isfinite(p.x) && isfinite(p.y) && isfinite(p.z) && isfinite(u.x + u.y + u.z));
        }
        CHECK_INT(wrong, 0);
    }
    printf("     %s\n", told ? "diverged, told and frozen" : "finite throughout");
    CHECK_INT(pbd_world_restore(world, start), PBD_OK);
    int differ = 0;
    for (int i = 0; i < 300; ++i) {
        pbd_world_step(world);
        differ += pbd_world_state_hash(world) != want[i];
    }
    CHECK_INT(differ, 0);
    pbd_snapshot_destroy(start);
    pbd_world_destroy(world);
}

/* A flag on its upper edge in gusts is still moving after 10 s; without gusts, too, or not. */
static void gusts_keep_a_flag_alive(void) {
    struct pbd_world_settings settings = pbd_default_world_settings();
    settings.wind.velocity[0] = 6.0f;
    settings.wind.turbulence = 0.3f;
    pbd_world *world = pbd_world_create(&settings);
    uint32_t pins[13];
    for (uint32_t i = 0; i < 13; ++i)
        pins[i] = 13 * i + 12;
    pbd_cloth_id id = add_tilted(world, 13, 1.5, pins, 13);
    double energy[2] = {0};
    for (int half = 0; half < 2; ++half)
        for (int i = 0; i < 300; ++i) {
            pbd_world_step(world);
            energy[half] += pbd_world_get_stats(world).kinetic_energy / 300;
        }
    printf("     mean kinetic energy %.4f J in the first 5 s, %.4f J in the next\n", energy[0], energy[1]);
    CHECK(energy[1] > 1e-3);
    struct pbd_cloth_view view;
    CHECK_INT(pbd_cloth_get_view(world, id, &view), PBD_OK);
    CHECK(!view.asleep);
    pbd_world_destroy(world);
}

RUN_TESTS(TEST(a_plate_is_carried_as_computed), TEST(refined_four_times_it_drifts_the_same),
          TEST(another_tick_rate_gives_the_same), TEST(far_from_the_origin_it_is_the_same),
          TEST(a_sheet_falls_no_faster_than_air_lets_it), TEST(lift_is_across_the_wind),
          TEST(a_wind_of_1e6_is_survived_or_told), TEST(gusts_keep_a_flag_alive))
