/* Bodies on mesh colliders. */
#include "check.h"
#include "rigid_scene.h"
#include <pbd/collision_mesh.h>

/* A floor of n×n cells, `size` wide, open, at y = 0; steep: a valley along z instead. */
static pbd_collider_id add_floor(pbd_world *world, uint32_t n, double size, double steep, double friction) {
    struct sheet sheet = sheet_create(n + 1, n + 1, size, size);
    for (uint32_t v = 0; v < sheet.vertex_count; ++v)
        sheet.positions[3 * v + 1] = (float)(steep * fabs((double)sheet.positions[3 * v]));
    struct pbd_collision_mesh_def mesh = pbd_default_collision_mesh_def();
    mesh.positions = sheet.positions;
    mesh.vertex_count = sheet.vertex_count;
    mesh.face_vertices = sheet.triangles;
    mesh.face_count = sheet.triangle_count;
    struct pbd_collider_def def = pbd_default_collider_def();
    def.shape.type = PBD_MESH;
    def.motion = PBD_STATIC_MOTION;
    def.friction = (float)friction;
    int result = pbd_collision_mesh_create(&mesh, &def.shape.mesh, NULL);
    assert(result == PBD_OK);
    (void)result;
    pbd_collider_id id = add_collider(world, &def);
    pbd_collision_mesh_unref(def.shape.mesh);
    sheet_destroy(&sheet);
    return id;
}

static struct pbd_collider_def shape_of(int k) {
    const enum pbd_shape_type types[3] = {PBD_SPHERE, PBD_CAPSULE, PBD_BOX};
    struct pbd_collider_def def = body_def(types[k], 1.0, 0.031, 0.3, 0.017);
    def.shape.radius = 0.1f;
    def.shape.half_height = 0.15f;
    set_box(&def, 0.1, 0.1, 0.15);
    def.friction = 0.5f;
    return def;
}

static void bodies_rest_on_coarse_and_fine_floors(void) {
    for (uint32_t n = 1; n <= 40; n += 39)
        for (int k = 0; k < 3; ++k) {
            pbd_world *world = rigid_world(true, 10);
            add_floor(world, n, 4.0, 0.0, 0.5);
            struct pbd_collider_def def = shape_of(k);
            def.rotation[0] = k == 0 ? 0.0f : 0.3f;
            def.rotation[2] = k == 0 ? 0.0f : 0.25f;
            def.rotation[3] = 0.9f;
            pbd_collider_id id = add_collider(world, &def);
            step_ticks_awake(world, 240);
            struct pbd_collider_state s = state_of(world, id);
            struct pbd_collider_state before = s;
            step_ticks_awake(world, 60);
            s = state_of(world, id);
            double height = s.def.position[1], sunk = height - 0.1;
            printf("floor of %u cells, shape %d: %.2e m above, speed %.2e m/s, drift in 1 s %.2e m\n", n * n,
                   k, sunk, speed_of(&s), distance_between(s.def.position, before.def.position));
            CHECK(fabs(sunk) < 5e-4 || (k == 2 && fabs(height - 0.15) < 5e-4));
            CHECK(fabs((double)s.velocity[1]) < 1e-3);
            CHECK(k == 1 || distance_between(s.def.position, before.def.position) < 1e-4);
            pbd_world_destroy(world);
        }
}

static void ball_rolls_over_seams_without_bumps(void) {
    pbd_world *world = rigid_world(true, 10);
    add_floor(world, 60, 12.0, 0.0, 0.5);
    struct pbd_collider_def def = shape_of(0);
    def.position[0] = -5.0f;
    def.position[1] = 0.1f;
    def.velocity[0] = 3.0f;
    def.angular_velocity[2] = -30.0f;
    pbd_collider_id id = add_collider(world, &def);
    double highest = 0.0, sideways = 0.0;
    for (int tick = 0; tick < 120; ++tick) {
        step_ticks_awake(world, 1);
        struct pbd_collider_state s = state_of(world, id);
        highest = fmax(highest, fabs((double)s.def.position[1] - 0.1));
        sideways = fmax(sideways, fabs((double)s.velocity[2]));
    }
    struct pbd_collider_state s = state_of(world, id);
    printf("ball over 30 cells at 3 m/s: %.6f m/s after 2 s, off the floor by %.2e m, sideways %.2e m/s\n",
           (double)s.velocity[0], highest, sideways);
    CHECK_NEAR(s.velocity[0], 3.0, 3e-3);
    CHECK(highest < 2e-4);
    CHECK(sideways < 1e-3);
    pbd_world_destroy(world);
}

static void ball_rests_in_a_valley(void) {
    pbd_world *world = rigid_world(true, 10);
    add_floor(world, 8, 4.0, 1.0, 0.5);
    struct pbd_collider_def def = shape_of(0);
    def.position[0] = 0.1f;
    def.position[1] = 0.6f;
    pbd_collider_id id = add_collider(world, &def);
    step_ticks_awake(world, 600);
    struct pbd_collider_state s = state_of(world, id);
    printf("valley: ball at (%.2e, %.6f), %.2e m/s\n", (double)s.def.position[0], (double)s.def.position[1],
           speed_of(&s));
    /* 0.1·√2 above the groove. */
    CHECK_NEAR(s.def.position[0], 0.0, 1e-3);
    CHECK_NEAR(s.def.position[1], 0.141421, 1e-3);
    CHECK(speed_of(&s) < 1e-3);
    pbd_world_destroy(world);
}

static void fast_bodies_do_not_pass_a_floor_of_two_triangles(void) {
    for (int k = 0; k < 3; ++k) {
        pbd_world *world = rigid_world(false, 10);
        add_floor(world, 1, 4.0, 0.0, 0.5);
        struct pbd_collider_def def = shape_of(k);
        def.shape.radius = 0.02f;
        def.shape.half_height = 0.02f;
        set_box(&def, 0.02, 0.02, 0.02);
        def.velocity[1] = -200.0f;
        def.rotation[0] = 0.3f;
        def.rotation[3] = 0.95f;
        def.position[1] = 2.03f;
        pbd_collider_id id = add_collider(world, &def);
        double lowest = 2.0;
        for (int tick = 0; tick < 10; ++tick) {
            step_ticks_awake(world, 1);
            lowest = fmin(lowest, (double)state_of(world, id).def.position[1]);
        }
        printf("shape %d at 200 m/s: lowest centre %.4f m\n", k, lowest);
        CHECK(lowest > 0.01);
        pbd_world_destroy(world);
    }
}

static void box_hangs_over_a_border_and_falls_off(void) {
    /* The floor ends at x = 2. */
    for (int far = 0; far < 2; ++far) {
        pbd_world *world = rigid_world(true, 10);
        add_floor(world, 1, 4.0, 0.0, 0.5);
        struct pbd_collider_def def = shape_of(2);
        def.position[0] = far ? 2.03f : 1.96f;
        def.position[1] = 0.1f;
        pbd_collider_id id = add_collider(world, &def);
        step_ticks_awake(world, 120);
        double y = state_of(world, id).def.position[1];
        printf("box %s the border: y %.4f\n", far ? "beyond" : "before", y);
        CHECK(far ? y < -1.0 : fabs(y - 0.1) < 1e-3);
        pbd_world_destroy(world);
    }
}

RUN_TESTS(TEST(bodies_rest_on_coarse_and_fine_floors), TEST(ball_rolls_over_seams_without_bumps),
          TEST(ball_rests_in_a_valley), TEST(fast_bodies_do_not_pass_a_floor_of_two_triangles),
          TEST(box_hangs_over_a_border_and_falls_off))
