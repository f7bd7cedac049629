/* What the scenes of wind and pressure promise, in numbers. Slow builds only see the first
 * ticks of each. */
#include "balloon.h"
#include "shipped.h"

/* Flies out from its pole, and is as lively after 20 s as after 5. */
static void flag_flies_and_never_comes_to_rest(void) {
    struct shipped scene = shipped_open("flag");
    double energy[2] = {0, 0}, out = 0, worst = 0;
    for (int part = 0; part < 2 && !SLOW_BUILD; ++part) {
        shipped_go(&scene, part == 0 ? 180 : 720);
        for (int i = 0; i < 180; ++i) {
            shipped_go(&scene, 1);
            struct pbd_world_stats stats = pbd_world_get_stats(scene.world);
            energy[part] += stats.kinetic_energy / 180;
            worst = fmax(worst, stats.max_strain);
            struct pbd_cloth_view flag = shipped_cloth(&scene, "flag");
            for (uint32_t p = 0; p < flag.particle_count; ++p)
                out += (double)flag.x[p] / flag.particle_count / 360;
        }
    }
    if (SLOW_BUILD) shipped_go(&scene, 3);
    CHECK_INT(scene.events[PBD_EVENT_DIVERGED] + scene.events[PBD_EVENT_SLEPT], 0);
    if (!SLOW_BUILD) {
        printf("     %.3f J around 5 s, %.3f J around 20 s; middle %.2f m out; max strain %.3f\n", energy[0],
               energy[1], out, worst);
        CHECK(energy[0] > 0.03 && energy[1] > 0.03);
        CHECK(out > 0.6 && out < 0.78);
        /* Single edges, for a tick, where the hem snaps round. */
        CHECK(worst < 0.5);
    }
    shipped_close(&scene);
}

/* After the fall each balloon has the volume that its pressure says, in the tray. */
static void balloons_keep_their_volumes(void) {
    static const char *const names[] = {"tight", "full", "slack"};
    const double pressures[] = {1.25, 1.05, 0.6};
    struct shipped scene = shipped_open("balloon");
    double rest[3];
    for (int i = 0; i < 3; ++i) {
        uint32_t id = shipped_id(&scene, OBJECT_CLOTH, names[i]);
        rest[i] =
            volume_of(scene.world, id, 0, pbd_fabric_report(pbd_cloth_fabric(scene.world, id))->triangles);
    }
    shipped_go(&scene, SLOW_BUILD ? 2 : 240);
    CHECK_INT(scene.events[PBD_EVENT_DIVERGED] + scene.events[PBD_EVENT_INITIAL_OVERLAP], 0);
    for (int i = 0; i < 3 && !SLOW_BUILD; ++i) {
        uint32_t id = shipped_id(&scene, OBJECT_CLOTH, names[i]);
        uint32_t count = pbd_fabric_report(pbd_cloth_fabric(scene.world, id))->triangles;
        double ratio = volume_of(scene.world, id, 0, count) / rest[i];
        struct pbd_cloth_view view = shipped_cloth(&scene, names[i]);
        double lowest = 1e9, farthest = 0;
        for (uint32_t p = 0; p < view.particle_count; ++p) {
            lowest = fmin(lowest, (double)view.y[p]);
            farthest = fmax(farthest, fmax(fabs((double)view.x[p]), fabs((double)view.z[p])));
        }
        printf("     %-6s volume %.4f, lowest %.4f m, farthest %.2f m\n", names[i], ratio, lowest, farthest);
        CHECK_NEAR(ratio, pressures[i], 0.02);
        CHECK(lowest > 0.004);
        CHECK(farthest < 1.25);
    }
    shipped_close(&scene);
}

RUN_TESTS(TEST(flag_flies_and_never_comes_to_rest), TEST(balloons_keep_their_volumes))
