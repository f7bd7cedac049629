/* Sheets and mesh colliders: nothing gets through, and a mesh collides where it is. */
#include "mesh_scene.h"

/* ---- falling 20 m ---- */

static void flat_at_20_m(float *p) {
    p[1] += 20.0f;
    p[0] += 0.013f;
    p[2] -= 0.007f;
}

static void edge_on_at_20_m(float *p) {
    float x = p[0];
    p[0] = 0.013f;
    p[1] = 21.0f + x;
}

static void drop(struct solid solid, const struct pbd_shape *shape, float y, uint32_t cells, int substeps,
                 void (*place)(float *), const char *name) {
    struct pbd_world_settings settings = falling(substeps);
    struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
    struct scene scene = scene_create(&settings, cells, 1.0, &cloth, place);
    struct pbd_collider_def def = pbd_default_collider_def();
    def.position[1] = y;
    if (shape != NULL) {
        def.shape = *shape;
        CHECK_INT(pbd_collider_add(scene.world, &def, &scene.collider), PBD_OK);
        solid_free(&solid);
    } else {
        scene.collider = add_mesh(scene.world, solid, def);
    }
    double worst = INFINITY;
    for (int tick = 0; tick < 180; ++tick) {
        pbd_world_step(scene.world);
        worst = fmin(worst, lowest(&scene));
    }
    printf("%s, %u cells, %d substeps: lowest vertex at %.6f m\n", name, cells, substeps, worst);
    CHECK(worst >= 0.005 - 1e-5);
    CHECK(lowest(&scene) < 1.0); /* it did arrive */
    pbd_world_destroy(scene.world);
}

static void sheet_falling_20_m_stays_above_two_triangles(void) {
    for (int substeps = 1; substeps <= 10; substeps += 9) {
        drop(solid_floor(6.0, 1), NULL, 0.0f, 4, substeps, flat_at_20_m, "floor, flat");
        drop(solid_floor(6.0, 1), NULL, 0.0f, SHORT ? 8 : 30, substeps, flat_at_20_m, "floor, flat");
        drop(solid_floor(6.0, 1), NULL, 0.0f, SHORT ? 6 : 20, substeps, edge_on_at_20_m, "floor, edge-on");
    }
}

static void sheet_falling_20_m_stays_above_a_box_of_1_cm(void) {
    const struct pbd_shape box = {.type = PBD_BOX, .half_extents = {3.0f, 0.005f, 3.0f}};
    for (int mesh = 0; mesh < 2; ++mesh)
        for (int substeps = 1; substeps <= 10; substeps += 9) {
            const struct pbd_shape *shape = mesh ? NULL : &box;
            const char *name = mesh ? "mesh box" : "box";
            drop(solid_box(3.0, 0.005, 3.0, 1), shape, -0.005f, 4, substeps, flat_at_20_m, name);
            drop(solid_box(3.0, 0.005, 3.0, 3), shape, -0.005f, SHORT ? 8 : 30, substeps, flat_at_20_m, name);
            drop(solid_box(3.0, 0.005, 3.0, 2), shape, -0.005f, SHORT ? 6 : 20, substeps, edge_on_at_20_m,
                 name);
        }
}

static void lift_a_little(float *p) {
    p[1] += 0.05f;
    p[0] += 0.013f;
}

/* ---- moving meshes ---- */

static void inside_the_tube(float *p) {
    p[1] -= 0.3f;
}

/* A ribbed tube turns about its axis with a sheet inside. */
static void turning_ribbed_tube_keeps_its_sheet(void) {
    enum { AROUND = 48, RIBS = 6 };
    struct pbd_world_settings settings = pbd_default_world_settings();
    struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
    struct scene scene = scene_create(&settings, SHORT ? 4 : 14, 0.5, &cloth, inside_the_tube);
    struct pbd_collider_def def = pbd_default_collider_def();
    def.friction = 1.0f;
    def.angular_velocity[2] = 2.5f;
    add_mesh(scene.world, solid_tube(0.6, 8.0, AROUND, 24, RIBS, 0.08), def);
    double farthest = 0.0, highest = -INFINITY;
    for (int tick = 0; tick < (SHORT ? 120 : 600); ++tick) {
        pbd_world_step(scene.world);
        for (uint32_t v = 0; v < scene.vertex_count; ++v) {
            struct point p = vertex_position(scene.world, scene.cloth, v);
            farthest = fmax(farthest, sqrt(p.x * p.x + p.y * p.y));
            highest = fmax(highest, p.y);
        }
    }
    printf("tube: farthest vertex %.6f m from the axis, highest %.3f m\n", farthest, highest);
    CHECK(farthest <= 0.6 - 0.005 + 1e-5);
    CHECK(highest > -0.25); /* the ribs carried it up */
    pbd_world_destroy(scene.world);
}

static void at_rest_in_the_air(float *p) {
    p[1] += 0.0f;
}

/* A plate of 1 cm, open or closed, hits the sheet at 30 … 120 m/s. */
static void fast_mesh_carries_the_sheet(void) {
    for (int closed = 0; closed < 2; ++closed)
        for (float speed = 30.0f; speed <= 120.0f; speed *= 2.0f)
            for (int substeps = 1; substeps <= 20; substeps += 19) {
                struct pbd_world_settings settings = quiet_settings();
                settings.solver.substeps = substeps;
                struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
                struct scene scene = scene_create(&settings, SHORT ? 4 : 8, 0.5, &cloth, at_rest_in_the_air);
                struct pbd_collider_def def = pbd_default_collider_def();
                def.position[1] = -1.0f;
                pbd_collider_id id =
                    add_mesh(scene.world, closed ? solid_box(1.0, 0.005, 1.0, 2) : solid_floor(2.0, 3), def);
                double deepest = 0.0;
                for (int tick = 1; tick <= 12; ++tick) {
                    float y = -1.0f + speed * (float)tick / 60.0f;
                    CHECK_INT(pbd_collider_move(scene.world, id, (float[]){0.0f, y, 0.0f}, NULL, 1, false),
                              PBD_OK);
                    pbd_world_step(scene.world);
                    double top = (double)y + (closed ? 0.005 : 0.0);
                    if (top > 0.0) deepest = fmax(deepest, top + 0.005 - lowest(&scene));
                }
                printf("%s at %.0f m/s, %d substeps: deepest %.2e m\n", closed ? "box" : "floor",
                       (double)speed, substeps, deepest);
                CHECK(deepest < 1e-4);
                pbd_world_destroy(scene.world);
            }
}

static void mesh_collides_where_it_now_is(void) {
    struct pbd_world_settings settings = falling(10);
    struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
    struct scene scene = scene_create(&settings, 6, 0.5, &cloth, lift_a_little);
    pbd_collider_id id = add_mesh(scene.world, solid_floor(2.0, 5), pbd_default_collider_def());
    step_ticks(scene.world, 90);
    CHECK_NEAR(lowest(&scene), 0.005, 1e-5);
    /* Down and aside, out of the way: it falls to where the floor now is. */
    CHECK_INT(pbd_collider_move(scene.world, id, (float[]){0.3f, -1.0f, 0.0f}, NULL, 0, true), PBD_OK);
    step_ticks(scene.world, 90);
    CHECK_NEAR(lowest(&scene), -0.995, 1e-5);
    /* Up through it by teleport: not touched, so it falls for ever. */
    CHECK_INT(pbd_collider_move(scene.world, id, (float[]){0.0f, 1.0f, 0.0f}, NULL, 0, true), PBD_OK);
    step_ticks(scene.world, 60);
    CHECK(lowest(&scene) < -4.0);
    /* A move over several ticks takes it along. */
    CHECK_INT(pbd_collider_move(scene.world, id, (float[]){0.0f, -30.0f, 0.0f}, NULL, 0, true), PBD_OK);
    step_ticks(scene.world, 120);
    CHECK_NEAR(lowest(&scene), -29.995, 1e-4);
    CHECK_INT(pbd_collider_move(scene.world, id, (float[]){0.0f, 0.0f, 0.0f}, NULL, 60, false), PBD_OK);
    for (int tick = 0; tick < 60; ++tick) {
        pbd_world_step(scene.world);
        struct pbd_collider_state state;
        CHECK_INT(pbd_collider_get(scene.world, id, &state), PBD_OK);
        CHECK(lowest(&scene) >= (double)state.def.position[1] + 0.005 - 1e-5);
    }
    pbd_world_destroy(scene.world);
}

static void new_shape_is_what_collides(void) {
    struct pbd_world_settings settings = falling(10);
    struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
    struct scene scene = scene_create(&settings, 4, 0.5, &cloth, lift_a_little);
    pbd_collider_id id = add_mesh(scene.world, solid_floor(2.0, 5), pbd_default_collider_def());
    step_ticks(scene.world, 60);
    struct pbd_collider_state state;
    CHECK_INT(pbd_collider_get(scene.world, id, &state), PBD_OK);
    struct solid deep = solid_floor(2.0, 2);
    for (uint32_t v = 0; v < deep.vertex_count; ++v)
        deep.positions[3 * v + 1] -= 1.0f;
    pbd_collision_mesh *mesh = solid_mesh(&deep);
    state.def.shape.mesh = mesh;
    CHECK_INT(pbd_collider_set(scene.world, id, &state.def), PBD_OK);
    CHECK_INT(pbd_collider_set(scene.world, id, &state.def), PBD_OK); /* the same again */
    pbd_collision_mesh_unref(mesh);
    solid_free(&deep);
    step_ticks(scene.world, 90);
    CHECK_NEAR(lowest(&scene), -0.995, 1e-5);
    state.def.shape = (struct pbd_shape){.type = PBD_SPHERE, .radius = 0.5f};
    CHECK_INT(pbd_collider_set(scene.world, id, &state.def), PBD_OK);
    CHECK_INT(pbd_collider_remove(scene.world, id), PBD_OK);
    pbd_world_destroy(scene.world);
}

/* A floor that starts to move takes the sheet along by friction. */
static void moving_mesh_carries_by_friction(void) {
    struct pbd_world_settings settings = falling(10);
    struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
    cloth.friction = 0.5f;
    struct scene scene = scene_create(&settings, 6, 0.5, &cloth, lift_a_little);
    struct pbd_collider_def def = pbd_default_collider_def();
    def.friction = 0.5f;
    pbd_collider_id id = add_mesh(scene.world, solid_floor(6.0, 40), def);
    step_ticks_awake(scene.world, 60);
    double before = vertex_position(scene.world, scene.cloth, 24).x;
    CHECK_INT(pbd_collider_move(scene.world, id, (float[]){1.0f, 0.0f, 0.0f}, NULL, 120, false), PBD_OK);
    step_ticks_awake(scene.world, 180);
    double slip = 1.0 - (vertex_position(scene.world, scene.cloth, 24).x - before);
    /* To get to 0.5 m/s at μg takes v²/2μg = 0.0255 m of slip, to stop as much again. */
    printf("slip %.4f m\n", slip);
    CHECK_NEAR(slip, 0.0, 0.005);
    pbd_world_destroy(scene.world);
}

RUN_TESTS(TEST(sheet_falling_20_m_stays_above_two_triangles),
          TEST(sheet_falling_20_m_stays_above_a_box_of_1_cm), TEST(turning_ribbed_tube_keeps_its_sheet),
          TEST(fast_mesh_carries_the_sheet), TEST(mesh_collides_where_it_now_is),
          TEST(new_shape_is_what_collides), TEST(moving_mesh_carries_by_friction))
