/* physics.md §10.11 and what issue 3 asks of cloth that touches cloth: it stays on its
 * side, keeps its distance, comes to rest without passing through itself, at any speed. */
#include "check.h"
#include "crossings.h"

#include "contact/self_internal.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SLOW 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SLOW 1
#endif
#endif
#if !defined(SLOW) && !defined(__OPTIMIZE__)
#define SLOW 1
#endif

static void add_floor(pbd_world *world) {
    struct pbd_collider_def def = pbd_default_collider_def();
    pbd_collider_id id;
    def.shape = (struct pbd_shape){.type = PBD_PLANE, .normal = {0, 1, 0}};
    def.motion = PBD_STATIC_MOTION;
    CHECK_INT(pbd_collider_add(world, &def, &id), PBD_OK);
}

static double rms_speed(const pbd_world *world, const pbd_cloth_id *ids, uint32_t count) {
    double sum = 0.0;
    uint32_t particles = 0;
    for (uint32_t c = 0; c < count; ++c) {
        struct pbd_cloth_view view;
        CHECK_INT(pbd_cloth_get_view(world, ids[c], &view), PBD_OK);
        particles += view.particle_count;
        for (uint32_t p = 0; p < view.particle_count; ++p) {
            double x = (double)view.vx[p], y = (double)view.vy[p], z = (double)view.vz[p];
            sum += x * x + y * y + z * z;
        }
    }
    return sqrt(sum / particles);
}

/* Adds a sheet that lies flat at rest, at these positions. */
static pbd_cloth_id add_sheet(pbd_world *world, struct sheet *sheet, pbd_fabric *fabric, bool self) {
    struct pbd_cloth_settings settings = pbd_default_cloth_settings();
    settings.self_collision = self;
    pbd_cloth_id id = cloth_from(world, fabric, sheet->positions, &settings, NULL, 0);
    sheet_destroy(sheet);
    return id;
}

/* A sheet falls on a pinned one, from above; and from below, where gravity is upside down. */
static void both_sides_keep_their_distance(void) {
    for (int below = 0; below < 2; ++below) {
        struct pbd_world_settings settings = pbd_default_world_settings();
        double up = below ? -1.0 : 1.0;
        settings.gravity[1] = (float)(-9.8 * up);
        pbd_world *world = pbd_world_create(&settings);
        pbd_cloth_id ids[2];
        for (int k = 0; k < 2; ++k) {
            uint32_t n = k == 0 ? 15 : 10;
            struct sheet sheet = sheet_create(n, n, k == 0 ? 2 : 1, k == 0 ? 2 : 1);
            pbd_fabric *fabric = sheet_fabric(&sheet, 0.2f);
            for (uint32_t v = 0; v < sheet.vertex_count; ++v) {
                sheet.positions[3 * v] += 0.013f * (float)k;
                sheet.positions[3 * v + 1] = (float)(0.2 * up * k);
            }
            ids[k] = add_sheet(world, &sheet, fabric, false);
        }
        uint32_t all[225];
        for (uint32_t v = 0; v < 225; ++v)
            all[v] = v;
        CHECK_INT(pbd_cloth_pin(world, ids[0], all, 225, NULL), PBD_OK);
        double least = 1.0;
        for (int tick = 0; tick < 60; ++tick) {
            step_ticks(world, 1);
            for (uint32_t v = 0; v < 100; ++v)
                least = fmin(least, up * vertex_position(world, ids[1], v).y);
        }
        printf("     nearest %.5f m of 0.005\n", least);
        CHECK(least >= 0.9 * 0.005);
        CHECK(least < 0.006); /* it did land */
        CHECK_INT(crossings_of(world, ids, 2), 0);
        pbd_world_destroy(world);
    }
}

/* Along an accordion of straight pieces and half circles. */
static void folded_point(double along, double piece, double radius, double *x, double *y) {
    double period = piece + acos(-1.0) * radius;
    int fold = (int)(along / period);
    double rest = along - fold * period, base = 2 * radius * fold;
    bool back = fold % 2;
    if (rest <= piece) {
        *x = back ? piece - rest : rest;
        *y = base;
    } else {
        double angle = (rest - piece) / radius;
        *x = back ? -radius * sin(angle) : piece + radius * sin(angle);
        *y = base + radius - radius * cos(angle);
    }
}

static void check_rest(pbd_world *world, const pbd_cloth_id *ids, uint32_t count, int ticks,
                       const char *name) {
    uint32_t most = 0, last = 0, touched = 0;
    double speed = 0.0;
    for (int tick = 0; tick < ticks; ++tick) {
        step_ticks_awake(world, 1);
        uint32_t touches = pbd_world_get_stats(world).self_contacts;
        touched = touches > touched ? touches : touched;
        if (tick % 10 != 9) continue;
        last = crossings_of(world, ids, count);
        most = last > most ? last : most;
    }
    speed = rms_speed(world, ids, count);
    printf("     %s: rms %.4f m/s, %u crossings (%u on the way), up to %u touches\n", name, speed, last, most,
           touched);
    CHECK(speed < 0.01);
    CHECK_INT(last, 0);
    CHECK_INT(most, 0);
    CHECK(touched > 0);
}

static pbd_world *ground(void) {
    struct pbd_world_settings settings = pbd_default_world_settings();
    pbd_world *world = pbd_world_create(&settings);
    add_floor(world);
    return world;
}

static void a_folded_sheet_of_22_by_62_rests(void) {
    pbd_world *world = ground();
    struct sheet sheet = sheet_create(22, 62, 0.7, 2.0);
    pbd_fabric *fabric = sheet_fabric(&sheet, 0.2f);
    for (uint32_t v = 0; v < sheet.vertex_count; ++v) {
        double x, y;
        folded_point((double)sheet.positions[3 * v + 2] + 1.0, 0.5, 0.05, &x, &y);
        sheet.positions[3 * v + 2] = (float)x;
        sheet.positions[3 * v + 1] = (float)(y + 0.1);
    }
    pbd_cloth_id id = add_sheet(world, &sheet, fabric, true);
#ifdef SLOW
    step_ticks(world, 5);
    CHECK_INT(crossings_of(world, &id, 1), 0);
#else
    check_rest(world, &id, 1, 240, "folded sheet");
#endif
    pbd_world_destroy(world);
}

/* Upright at the start, it folds up under its weight. */
static void a_strip_folds_and_rests(void) {
    pbd_world *world = ground();
    struct sheet sheet = sheet_create(5, 41, 0.1, 1.0);
    pbd_fabric *fabric = sheet_fabric(&sheet, 0.2f);
    for (uint32_t v = 0; v < sheet.vertex_count; ++v) {
        double z = (double)sheet.positions[3 * v + 2];
        sheet.positions[3 * v + 1] = (float)(0.55 + z);
        sheet.positions[3 * v + 2] = (float)(0.02 * sin(9 * z));
    }
    pbd_cloth_id id = add_sheet(world, &sheet, fabric, true);
#ifdef SLOW
    step_ticks(world, 50);
    CHECK(pbd_world_get_stats(world).self_contacts > 0);
    CHECK_INT(crossings_of(world, &id, 1), 0);
#else
    check_rest(world, &id, 1, 300, "strip");
#endif
    pbd_world_destroy(world);
}

static void a_stack_of_three_rests(void) {
    pbd_world *world = ground();
    pbd_cloth_id ids[3];
    for (int k = 0; k < 3; ++k) {
        struct sheet sheet = sheet_create(11, 11, 1, 1);
        pbd_fabric *fabric = sheet_fabric(&sheet, 0.2f);
        for (uint32_t v = 0; v < sheet.vertex_count; ++v) {
            double x = (double)sheet.positions[3 * v], z = (double)sheet.positions[3 * v + 2], a = 0.3 * k;
            sheet.positions[3 * v] = (float)(x * cos(a) - z * sin(a));
            sheet.positions[3 * v + 1] = (float)(0.1 + 0.1 * k);
            sheet.positions[3 * v + 2] = (float)(x * sin(a) + z * cos(a));
        }
        ids[k] = add_sheet(world, &sheet, fabric, false);
    }
#ifdef SLOW
    check_rest(world, ids, 3, 60, "stack");
#else
    check_rest(world, ids, 3, 180, "stack");
#endif
    pbd_world_destroy(world);
}

/* Two sheets that meet at 20 m/s: 3.3 cm a substep, cells of 5 cm and of 1.7 cm. */
static void sheets_that_meet_fast_do_not_pass(void) {
#ifdef SLOW
    const uint32_t sides[] = {21};
#else
    const uint32_t sides[] = {21, 51};
#endif
    for (size_t round = 0; round < sizeof sides / sizeof sides[0]; ++round) {
        struct pbd_world_settings settings = quiet_settings();
        pbd_world *world = pbd_world_create(&settings);
        pbd_cloth_id ids[2];
        for (int k = 0; k < 2; ++k) {
            uint32_t n = k == 0 ? sides[round] + 8 : sides[round];
            struct sheet sheet = sheet_create(n, n, 0.05 * (n - 1), 0.05 * (n - 1));
            if (round == 1)
                for (uint32_t i = 0; i < 3 * sheet.vertex_count; ++i)
                    sheet.positions[i] /= 3.0f;
            pbd_fabric *fabric = sheet_fabric(&sheet, 0.2f);
            for (uint32_t v = 0; v < sheet.vertex_count; ++v) {
                sheet.positions[3 * v] += 0.013f * (float)k;
                sheet.positions[3 * v + 1] = k == 0 ? 0.0f : 0.31f;
            }
            struct pbd_cloth_def def = {.fabric = fabric, .positions = sheet.positions};
            def.settings = pbd_default_cloth_settings();
            def.velocity[1] = k == 0 ? 10.0f : -10.0f;
            CHECK_INT(pbd_cloth_add(world, &def, &ids[k]), PBD_OK);
            pbd_fabric_unref(fabric);
            sheet_destroy(&sheet);
        }
        step_ticks(world, 6);
        uint32_t passing =
            crossings_of(world, ids, 2) - crossings_of(world, ids, 1) - crossings_of(world, ids + 1, 1);
        double up = 0.0, momentum = 0.0;
        uint32_t n = sides[round];
        for (uint32_t v = 0; v < n * n; ++v)
            up += vertex_velocity(world, ids[1], v).y / (n * n);
        for (int k = 0; k < 2; ++k) {
            const struct pbd_cloth *cloth = world_cloth(world, ids[k]);
            for (uint32_t p = 0; p < cloth->fabric->particle_count; ++p)
                momentum += (double)cloth->fabric->mass[p] * (double)cloth->state.vy[p];
        }
        double m0 = pbd_fabric_report(pbd_cloth_fabric(world, ids[0]))->mass,
               m1 = pbd_fabric_report(pbd_cloth_fabric(world, ids[1]))->mass;
        printf("     %u: %u crossings, the upper one from -10 to %.2f m/s, momentum %.4f of %.4f\n", n,
               passing, up, momentum, 10 * (m0 - m1));
        CHECK_INT(passing, 0);
        CHECK(up > 0.0); /* carried along by the heavier one */
        CHECK_NEAR(momentum, 10 * (m0 - m1), 1e-3 * 10 * (m0 + m1));
        pbd_world_destroy(world);
    }
}

/* A rope that falls across a rope that hangs between two pins stays on top of it. */
static void ropes_hold_each_other(void) {
    struct pbd_world_settings settings = pbd_default_world_settings();
    pbd_world *world = pbd_world_create(&settings);
    pbd_cloth_id ids[2];
    for (int k = 0; k < 2; ++k) {
        float positions[63];
        uint32_t edges[40];
        for (uint32_t v = 0; v < 21; ++v) {
            float along = (float)((v - 10.0) / 20.0);
            positions[3 * v] = k == 0 ? along : 0.012f;
            positions[3 * v + 1] = k == 0 ? 0.0f : 0.1f;
            positions[3 * v + 2] = k == 0 ? 0.017f : along;
            if (v < 20) edges[2 * v] = v, edges[2 * v + 1] = v + 1;
        }
        struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
        const uint32_t pins[2] = {0, 20};
        ids[k] = cloth_from(world, fabric_from(positions, 21, NULL, 0, edges, 20, NULL, 0.2f), positions,
                            &cloth, pins, k == 0 ? 2 : 0);
    }
    step_ticks(world, 90);
    double lowest = vertex_position(world, ids[0], 10).y, middle = vertex_position(world, ids[1], 10).y;
    printf("     the one below %.4f, the one across it %.4f\n", lowest, middle);
    CHECK(middle > lowest - 0.01);
    CHECK(vertex_position(world, ids[1], 0).y < middle - 0.1); /* its ends hang down */
    pbd_world_destroy(world);
}

/* A snapshot in the middle of it all: the same hashes from there on. */
static void a_snapshot_in_contact_goes_on_the_same(void) {
    pbd_world *world = ground();
    struct sheet sheet = sheet_create(9, 31, 0.3, 1.0);
    pbd_fabric *fabric = sheet_fabric(&sheet, 0.2f);
    for (uint32_t v = 0; v < sheet.vertex_count; ++v) {
        double z = (double)sheet.positions[3 * v + 2];
        sheet.positions[3 * v + 1] = (float)(0.55 + z);
        sheet.positions[3 * v + 2] = (float)(0.02 * sin(9 * z));
    }
    add_sheet(world, &sheet, fabric, true);
    sheet = sheet_create(9, 9, 0.5, 0.5);
    fabric = sheet_fabric(&sheet, 0.2f);
    for (uint32_t v = 0; v < sheet.vertex_count; ++v)
        sheet.positions[3 * v + 1] = 1.2f;
    add_sheet(world, &sheet, fabric, true);
    for (int moment = 0; moment < 3; ++moment) {
        step_ticks(world, 25);
        pbd_snapshot *snapshot = pbd_world_snapshot(world);
        CHECK(pbd_world_get_stats(world).self_contacts > 0 || moment == 0);
        uint64_t want[12];
        for (int tick = 0; tick < 12; ++tick) {
            step_ticks(world, 1);
            want[tick] = pbd_world_state_hash(world);
        }
        CHECK_INT(pbd_world_restore(world, snapshot), PBD_OK);
        int wrong = 0;
        for (int tick = 0; tick < 12; ++tick) {
            step_ticks(world, 1);
            wrong += pbd_world_state_hash(world) != want[tick];
        }
        CHECK_INT(wrong, 0);
        pbd_snapshot_destroy(snapshot);
    }
    pbd_world_destroy(world);
}

/* A falling sheet that touches nothing: what is looked at grows as its vertices do. */
static void four_times_the_vertices_are_four_times_the_work(void) {
    double work[2];
    for (int round = 0; round < 2; ++round) {
        struct pbd_world_settings settings = pbd_default_world_settings();
        pbd_world *world = pbd_world_create(&settings);
        uint32_t n = round == 0 ? 32 : 64;
        struct sheet sheet = sheet_create(n, n, 2, 2);
        struct random random = {8};
        pbd_fabric *fabric = sheet_fabric(&sheet, 0.2f);
        for (uint32_t v = 0; v < sheet.vertex_count; ++v)
            sheet.positions[3 * v + 1] = (float)random_between(&random, 0.0, 0.2 / n);
        pbd_cloth_id id = add_sheet(world, &sheet, fabric, true);
        step_ticks(world, 10);
        const struct self_contacts *self = world->self;
        work[round] = (double)(self->candidates + self->visits + self->listings + self->grid.tests) +
                      10.0 * (double)self->searches * world_cloth(world, id)->surface->self->patches.count;
        printf("     %u vertices: %.0f (lists %.0f, candidates %.0f, looks %.0f)\n", n * n, work[round],
               (double)self->listings, (double)self->candidates, (double)self->visits);
        pbd_world_destroy(world);
    }
    CHECK(work[1] <= 5 * work[0]);
}

RUN_TESTS(TEST(both_sides_keep_their_distance), TEST(a_folded_sheet_of_22_by_62_rests),
          TEST(a_strip_folds_and_rests), TEST(a_stack_of_three_rests),
          TEST(sheets_that_meet_fast_do_not_pass), TEST(ropes_hold_each_other),
          TEST(a_snapshot_in_contact_goes_on_the_same), TEST(four_times_the_vertices_are_four_times_the_work))
