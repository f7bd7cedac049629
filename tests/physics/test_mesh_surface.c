/* Surfaces of many triangles act as one, solids push out what begins in them, and what a
 * mesh does is state, scale and size. */
#include "mesh_scene.h"

/* ---- slopes ---- */

static const double SLOPE = 0.34906585039886592; /* 20° */

static void on_the_slope(float *p) {
    double s = sin(SLOPE), c = cos(SLOPE), x = (double)p[0] - 1.0, y = 0.005;
    p[0] = (float)(c * x + s * y);
    p[1] = (float)(-s * x + c * y);
    p[2] += 0.0123f;
}

struct slide {
    double way, speed;
};

static struct slide slide(float mu, int ticks, uint32_t cells, int substeps) {
    struct pbd_world_settings settings = falling(substeps);
    struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
    cloth.friction = mu;
    struct scene scene = scene_create(&settings, 5, 0.5, &cloth, on_the_slope);
    struct pbd_collider_def def = pbd_default_collider_def();
    def.friction = mu;
    def.rotation[2] = (float)-sin(SLOPE / 2);
    def.rotation[3] = (float)cos(SLOPE / 2);
    add_mesh(scene.world, solid_floor(8.0, cells), def);
    struct slide slide = {0.0, 0.0};
    double c = cos(SLOPE), s = sin(SLOPE);
    for (uint32_t v = 0; v < scene.vertex_count; ++v) {
        struct point p = vertex_position(scene.world, scene.cloth, v);
        slide.way -= (c * p.x - s * p.y) / scene.vertex_count;
    }
    step_ticks_awake(scene.world, ticks);
    for (uint32_t v = 0; v < scene.vertex_count; ++v) {
        struct point p = vertex_position(scene.world, scene.cloth, v),
                     u = vertex_velocity(scene.world, scene.cloth, v);
        slide.way += (c * p.x - s * p.y) / scene.vertex_count;
        slide.speed += (c * u.x - s * u.y) / scene.vertex_count;
    }
    pbd_world_destroy(scene.world);
    return slide;
}

/* g·sin 20° = 3.355, g·(sin 20° − 0.2·cos 20°) = 1.512 m/s²: as on a plane, since the
 * inner edges of a flat surface are no obstacles. */
static void tessellated_slope_is_a_plane(void) {
    for (uint32_t cells = 1; cells <= 97; cells += SHORT ? 96 : 48) {
        double free_speed = slide(0.0f, 60, cells, 10).speed, rubbed_speed = slide(0.2f, 60, cells, 10).speed;
        printf("%u triangles: %.4f m/s² without friction, %.4f with 0.2\n", 2 * cells * cells, free_speed,
               rubbed_speed);
        CHECK_NEAR(free_speed, 3.355, 0.017);
        CHECK_NEAR(rubbed_speed, 1.512, 0.008);
    }
    CHECK_NEAR(slide(0.0f, 60, 49, 1).speed, 3.355, 0.1);
    if (!SHORT) CHECK_NEAR(slide(0.2f, 60, 49, 64).speed, 1.512, 0.008);
}

static void tessellated_slope_holds_for_ten_seconds(void) {
    double creep = slide(0.5f, SHORT ? 120 : 600, 49, 10).way;
    printf("creep %.2e m\n", creep);
    CHECK_NEAR(creep, 0.0, 1e-3);
}

/* ---- rest ---- */

static void above_the_valley(float *p) {
    p[1] += 0.3f;
    p[0] += 0.013f;
}

static double rms_speed(const struct scene *scene) {
    double sum = 0.0;
    for (uint32_t v = 0; v < scene->vertex_count; ++v) {
        struct point u = vertex_velocity(scene->world, scene->cloth, v);
        sum += u.x * u.x + u.y * u.y + u.z * u.z;
    }
    return sqrt(sum / scene->vertex_count);
}

static void sheet_in_a_valley_rests(void) {
    struct pbd_world_settings settings = pbd_default_world_settings();
    struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
    struct scene scene = scene_create(&settings, SHORT ? 5 : 16, 0.6, &cloth, above_the_valley);
    add_mesh(scene.world, solid_valley(2.0, 0.4, 2.0, 9), pbd_default_collider_def());
    double worst = INFINITY;
    for (int tick = 0; tick < 480; ++tick) {
        step_ticks_awake(scene.world, 1);
        for (uint32_t v = 0; v < scene.vertex_count; ++v) {
            struct point p = vertex_position(scene.world, scene.cloth, v);
            worst = fmin(worst, (p.y - 0.4 * fabs(p.x)) / sqrt(1.16));
        }
    }
    printf("rms speed in the valley after 8 s: %.2e m/s, nearest %.6f m\n", rms_speed(&scene), worst);
    CHECK(rms_speed(&scene) < 0.01);
    CHECK(worst >= 0.005 - 1e-5);
    pbd_world_destroy(scene.world);
}

static void lift_a_little(float *p) {
    p[1] += 0.05f;
    p[0] += 0.013f;
}

static void sheet_on_a_tessellated_floor_rests(void) {
    struct pbd_world_settings settings = pbd_default_world_settings();
    struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
    struct scene scene = scene_create(&settings, SHORT ? 5 : 16, 0.6, &cloth, lift_a_little);
    add_mesh(scene.world, solid_floor(2.0, 37), pbd_default_collider_def());
    step_ticks_awake(scene.world, 300);
    printf("rms speed on the floor after 5 s: %.2e m/s\n", rms_speed(&scene));
    CHECK(rms_speed(&scene) < 1e-3);
    CHECK_NEAR(lowest(&scene), 0.005, 1e-6);
    pbd_world_destroy(scene.world);
}

/* ---- starting inside ---- */

static void deep_in_the_ball(float *p) {
    p[0] += 0.6f;
    p[1] += 0.02f;
}

static void solid_pushes_out_at_max_depenetration_and_tells(void) {
    struct pbd_world_settings settings = quiet_settings();
    settings.max_depenetration = 2.0f;
    struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
    struct scene scene = scene_create(&settings, 2, 0.1, &cloth, deep_in_the_ball);
    pbd_collider_id id = add_mesh(scene.world, solid_ball(1.0, 12), pbd_default_collider_def());
    double before = INFINITY, fastest = 0.0;
    int ticks = 0;
    for (; ticks < 60 && before > 0.0; ++ticks) {
        double depth = 0.0;
        pbd_world_step(scene.world);
        const struct pbd_event *events;
        uint32_t count = pbd_world_events(scene.world, &events), overlaps = 0;
        for (uint32_t i = 0; i < count; ++i) {
            if (events[i].type != PBD_EVENT_INITIAL_OVERLAP) continue;
            ++overlaps;
            CHECK_INT(events[i].count, 9);
            CHECK_INT(events[i].collider, id);
            CHECK_NEAR(events[i].depth, 1.005 - 0.55, 0.02);
        }
        CHECK_INT(overlaps, ticks == 0);
        for (uint32_t v = 0; v < 9; ++v) {
            struct point p = vertex_position(scene.world, scene.cloth, v),
                         u = vertex_velocity(scene.world, scene.cloth, v);
            depth = fmax(depth, 1.0 - sqrt(p.x * p.x + p.y * p.y + p.z * p.z));
            fastest = fmax(fastest, sqrt(u.x * u.x + u.y * u.y + u.z * u.z));
        }
        if (before < INFINITY) CHECK(before - depth <= 1.01 * 2.0 / 60); /* 1 %: pulled by its neighbours */
        before = depth;
    }
    printf("out of 0.45 m after %d ticks, speed of what is out %.3f m/s\n", ticks, fastest);
    CHECK(ticks >= 13 && ticks <= 15);
    CHECK(fastest < 2.5);
    pbd_world_destroy(scene.world);
}

static void too_near(float *p) {
    p[1] += 0.001f;
}

/* An open mesh has no inside, but too near is an overlap, on either side. */
static void open_mesh_tells_of_what_is_too_near(void) {
    for (int side = -1; side <= 1; side += 2) {
        struct pbd_world_settings settings = quiet_settings();
        settings.max_depenetration = 0.03f;
        struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
        struct scene scene = scene_create(&settings, 3, 0.5, &cloth, too_near);
        struct pbd_collider_def def = pbd_default_collider_def();
        def.position[1] = side < 0 ? 0.002f : 0.0f;
        add_mesh(scene.world, solid_floor(2.0, 3), def);
        for (int tick = 1; tick <= 12; ++tick) {
            pbd_world_step(scene.world);
            const struct pbd_event *events;
            CHECK_INT(pbd_world_events(scene.world, &events), tick == 1);
            double distance = side * (lowest(&scene) - (double)def.position[1]);
            CHECK_NEAR(distance, fmin(0.005, 0.001 + tick * 0.0005), 1e-5);
        }
        pbd_world_destroy(scene.world);
    }
}

/* ---- state ---- */

static void snapshot_in_mid_contact_restores_bit_for_bit(void) {
    struct pbd_world_settings settings = pbd_default_world_settings();
    struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
    struct scene scene = scene_create(&settings, SHORT ? 6 : 12, 0.6, &cloth, above_the_valley);
    struct pbd_collider_def def = pbd_default_collider_def();
    def.angular_velocity[1] = 0.5f;
    pbd_collider_id id = add_mesh(scene.world, solid_valley(2.0, 0.4, 2.0, 9), def);
    step_ticks(scene.world, 40);
    CHECK(pbd_world_get_stats(scene.world).contacts > 0);
    pbd_snapshot *snapshot = pbd_world_snapshot(scene.world);
    step_ticks(scene.world, 40);
    uint64_t want = pbd_world_state_hash(scene.world);
    CHECK_INT(pbd_collider_remove(scene.world, id), PBD_OK);
    step_ticks(scene.world, 3);
    CHECK_INT(pbd_world_restore(scene.world, snapshot), PBD_OK);
    step_ticks(scene.world, 40);
    CHECK(pbd_world_state_hash(scene.world) == want);
    pbd_world *other = pbd_world_create(&settings);
    CHECK_INT(pbd_world_restore(other, snapshot), PBD_OK);
    pbd_world_destroy(scene.world);
    pbd_snapshot_destroy(snapshot);
    step_ticks(other, 40);
    CHECK(pbd_world_state_hash(other) == want);
    pbd_world_destroy(other);
}

/* physics.md §10.8: lengths, thickness, g and speeds times a power of two. */
static void scaled_meshes_act_alike(void) {
    enum { CELLS = SHORT ? 5 : 10, VERTICES = (CELLS + 1) * (CELLS + 1) };
    static struct point at[3][VERTICES];
    for (int k = 0; k < 3; ++k) {
        double scale = ldexp(1.0, 10 * (k - 1));
        struct pbd_world_settings settings = pbd_default_world_settings();
        settings.gravity[1] = (float)(-9.8 * scale);
        settings.max_speed = (float)(500.0 * scale);
        settings.max_depenetration = (float)(2.0 * scale);
        struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
        cloth.thickness = (float)(0.005 * scale);
        cloth.stretch_compliance = 0.0f;
        cloth.bend_compliance = 0.0f;
        struct sheet sheet = sheet_create(CELLS + 1, CELLS + 1, scale, scale);
        pbd_fabric *fabric = sheet_fabric(&sheet, 0.2f);
        for (uint32_t v = 0; v < VERTICES; ++v)
            sheet.positions[3 * v + 1] = (float)(0.65 * scale);
        pbd_world *world = pbd_world_create(&settings);
        pbd_cloth_id id = cloth_from(world, fabric, sheet.positions, &cloth, NULL, 0);
        sheet_destroy(&sheet);
        add_mesh(world, solid_ball(0.5 * scale, 8), pbd_default_collider_def());
        step_ticks(world, 120);
        for (uint32_t v = 0; v < VERTICES; ++v) {
            struct point p = vertex_position(world, id, v);
            at[k][v] = (struct point){p.x / scale, p.y / scale, p.z / scale};
        }
        pbd_world_destroy(world);
    }
    double worst = 0.0;
    for (int k = 0; k < 3; k += 2)
        for (uint32_t v = 0; v < VERTICES; ++v)
            worst = fmax(worst, fmax(fabs(at[k][v].x - at[1][v].x),
                                     fmax(fabs(at[k][v].y - at[1][v].y), fabs(at[k][v].z - at[1][v].z))));
    printf("scaled positions differ by %.2e of the sheet\n", worst);
    CHECK(worst < 1e-3);
}

static void onto_the_ball(float *p) {
    p[1] += 1.05f;
}

static void mesh_of_20_000_triangles_holds_a_sheet(void) {
    struct pbd_world_settings settings = pbd_default_world_settings();
    struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
    struct scene scene = scene_create(&settings, SHORT ? 8 : 20, 1.0, &cloth, onto_the_ball);
    add_mesh(scene.world, solid_ball(1.0, 41), pbd_default_collider_def()); /* 20 172 */
    double nearest = INFINITY;
    for (int tick = 0; tick < (SHORT ? 60 : 120); ++tick) {
        pbd_world_step(scene.world);
        for (uint32_t v = 0; v < scene.vertex_count; ++v) {
            struct point p = vertex_position(scene.world, scene.cloth, v);
            nearest = fmin(nearest, sqrt(p.x * p.x + p.y * p.y + p.z * p.z));
        }
    }
    printf("nearest vertex to the middle of a ball of 1 m: %.6f m\n", nearest);
    CHECK(nearest > 1.004 && nearest < 1.006);
    CHECK(pbd_world_get_stats(scene.world).contacts > 20);
    pbd_world_destroy(scene.world);
}

RUN_TESTS(TEST(tessellated_slope_is_a_plane), TEST(tessellated_slope_holds_for_ten_seconds),
          TEST(sheet_in_a_valley_rests), TEST(sheet_on_a_tessellated_floor_rests),
          TEST(solid_pushes_out_at_max_depenetration_and_tells), TEST(open_mesh_tells_of_what_is_too_near),
          TEST(snapshot_in_mid_contact_restores_bit_for_bit), TEST(scaled_meshes_act_alike),
          TEST(mesh_of_20_000_triangles_holds_a_sheet))
