/* Free particles and mesh colliders: friction along each surface that touches, bounces,
 * depenetration, turning meshes, many triangles. */
#include "check.h"
#include "sheet.h"
#include "solid.h"

#include "contact/collide_mesh.h"
#include "contact/contact_internal.h"
#include "support_free_particles.h"

static pbd_collider_id add_mesh(struct free_particles *scene, struct solid solid, float friction,
                                float restitution) {
    struct pbd_collider_def def = pbd_default_collider_def();
    def.shape = (struct pbd_shape){.type = PBD_MESH, .mesh = solid_mesh(&solid)};
    def.friction = friction;
    def.restitution = restitution;
    pbd_collider_id id = 0;
    CHECK_INT(pbd_collider_add(&scene->world, &def, &id), PBD_OK);
    pbd_collision_mesh_unref(def.shape.mesh);
    solid_free(&solid);
    return id;
}

static void no_thickness_is_enough_to_stay_on_a_side(void) {
    struct free_particles scene;
    free_particles_create(&scene, 2, (float[]){0.1f, 20.0f, 0.2f, 0.1f, -20.0f, 0.2f});
    scene.world.settings.solver.substeps = 1;
    add_mesh(&scene, solid_floor(4.0, 1), 0.0f, 0.0f);
    scene.world.settings.gravity[1] = -9.81f;
    for (int k = 0; k < 150; ++k)
        free_particles_tick(&scene);
    double y = free_particles_at(&scene, 0).y;
    CHECK(y > 0.0 && y < 1e-5);
    scene.world.settings.gravity[1] = 100.0f;
    for (int k = 0; k < 300; ++k)
        free_particles_tick(&scene);
    y = free_particles_at(&scene, 1).y;
    CHECK(y < 0.0 && y > -1e-5);
    free_particles_destroy(&scene);
}

/* In a valley along z whose sides rise at 45° both carry 1/√2 of the weight: along it
 * friction is √2·μ of the weight. 1 N of push (1 kg) at √2·0.05·9.81 = 0.69 N. */
static void each_side_of_a_valley_rubs(void) {
    struct free_particles scene;
    free_particles_create(&scene, 1, (float[]){0.0f, 0.0f, 0.0f});
    scene.cloth->settings.friction = 0.05f;
    scene.cloth->settings.thickness = 0.005f;
    scene.cloth->state.y[0] = 0.005f * 1.41421356f;
    add_mesh(&scene, solid_valley(2.0, 1.0, 4.0, 6), 0.05f, 0.0f);
    scene.world.settings.gravity[2] = 1.0f;
    for (int k = 0; k < 60; ++k)
        free_particles_tick(&scene);
    double want = 1.0 - sqrt(2.0) * 0.05 * 9.81;
    printf("along a valley %.4f m/s in 1 s, by Coulomb %.4f\n", (double)scene.cloth->state.vz[0], want);
    /* There is room for one contact only, so the sides share it. */
    CHECK_NEAR(scene.cloth->state.vz[0], want, 0.01);
    free_particles_destroy(&scene);

    free_particles_create(&scene, 2, (float[]){0.0f, 0.00707107f, 0.0f, 0.0f, 50.0f, 0.0f});
    scene.cloth->settings.friction = 0.05f;
    scene.cloth->settings.thickness = 0.005f;
    add_mesh(&scene, solid_valley(2.0, 1.0, 4.0, 6), 0.05f, 0.0f);
    scene.world.settings.gravity[2] = 1.0f;
    for (int k = 0; k < 60; ++k)
        free_particles_tick(&scene);
    CHECK_NEAR(scene.cloth->state.vz[0], want, 0.01);
    free_particles_destroy(&scene);
}

static void bounces_like_on_a_plane(void) {
    double heights[2];
    for (int mesh = 0; mesh < 2; ++mesh) {
        struct free_particles scene;
        free_particles_create(&scene, 1, (float[]){0.13f, 1.0f, 0.07f});
        scene.cloth->settings.restitution = 0.6f;
        scene.cloth->settings.thickness = 0.01f;
        if (mesh)
            add_mesh(&scene, solid_floor(2.0, 10), 0.0f, 0.0f);
        else
            free_particles_add(&scene, floor_shape(), 0.0f, 0.0f, 0.0f);
        heights[mesh] = 0.0;
        for (int k = 0; k < 50; ++k) {
            free_particles_tick(&scene);
            double y = free_particles_at(&scene, 0).y;
            if (scene.cloth->state.vy[0] >= 0.0f && y > heights[mesh]) heights[mesh] = y;
        }
        free_particles_destroy(&scene);
    }
    CHECK(heights[0] > 0.3);
    CHECK_NEAR(heights[1], heights[0], 1e-6);
}

/* Against the same shape without triangles: a box turns under a particle. */
static void turning_mesh_hits_as_the_shape_does(void) {
    struct vec3 ends[2];
    for (int mesh = 0; mesh < 2; ++mesh) {
        struct free_particles scene;
        free_particles_create(&scene, 1, (float[]){0.8f, 0.5f, 0.0f});
        no_gravity(&scene);
        scene.cloth->settings.thickness = 0.01f;
        scene.world.settings.solver.substeps = 1;
        pbd_collider_id id;
        if (mesh)
            id = add_mesh(&scene, solid_box(1.0, 0.02, 0.3, 3), 0.0f, 0.0f);
        else
            id = free_particles_add(&scene,
                                    (struct pbd_shape){.type = PBD_BOX, .half_extents = {1.0f, 0.02f, 0.3f}},
                                    0.0f, 0.0f, 0.0f);
        /* A third of a turn in one tick, over the particle's place at 32°. */
        float turn[4] = {0.0f, 0.0f, 0.86602540f, 0.5f};
        CHECK_INT(pbd_collider_move(&scene.world, id, NULL, turn, 1, false), PBD_OK);
        free_particles_tick(&scene);
        ends[mesh] = free_particles_at(&scene, 0);
        free_particles_destroy(&scene);
    }
    CHECK(ends[0].x < 0.5); /* it was swept along */
    CHECK_NEAR(vec3_length(vec3_sub(ends[0], ends[1])), 0.0, 1e-5);
}

/* A particle that sits on an edge's line of a mesh of 20 000 triangles for a while, is
 * pushed by nothing but gravity: rests. */
static void edges_and_corners_hold_still(void) {
    struct free_particles scene;
    free_particles_create(
        &scene, 3, (float[]){0.0f, 0.0100001f, 0.0f, 0.02f, 0.0100001f, 0.013f, 0.01f, 0.0100001f, -0.01f});
    scene.cloth->settings.thickness = 0.01f;
    add_mesh(&scene, solid_floor(2.0, 100), 0.5f, 0.0f);
    for (int k = 0; k < 120; ++k)
        free_particles_tick(&scene);
    for (uint32_t i = 0; i < 3; ++i) {
        CHECK_NEAR(free_particles_at(&scene, i).y, 0.01, 1e-8);
        CHECK(scene.cloth->state.vx[i] == 0.0f && scene.cloth->state.vz[i] == 0.0f);
    }
    free_particles_destroy(&scene);
}

static void far_particles_are_not_looked_at(void) {
    struct free_particles scene;
    free_particles_create(&scene, 1, (float[]){0.0f, 0.5f, 0.0f});
    no_gravity(&scene);
    add_mesh(&scene, solid_floor(2.0, 4), 0.0f, 0.0f);
    collider_begin_tick(&scene.world);
    contact_begin_tick(&scene.world, scene.cloth);
    CHECK_INT(scene.cloth->contacts->near_count, 0);
    set_velocity(&scene, 0, 0.0f, -20.0f, 0.0f);
    contact_begin_tick(&scene.world, scene.cloth);
    CHECK_INT(scene.cloth->contacts->near_count, 1);
    CHECK_NEAR(scene.cloth->contacts->clearance[0], 0.5, 1e-4);
    free_particles_destroy(&scene);
}

/* A solid with dents, moved and turned at random among particles that fly about. */
static void tumbling_solid_lets_nothing_in(void) {
    enum { COUNT = 64 };
    for (int round = 0; round < 4; ++round) {
        struct random random = {(uint64_t)round + 1};
        struct solid star = solid_ball(0.4, 3);
        for (uint32_t v = 0; v < star.vertex_count; ++v) {
            /* By place, so that seams stay closed. */
            float *p = star.positions + 3 * v, bump = 1.0f + 0.5f * sinf(9.0f * p[0]) * sinf(11.0f * p[1]);
            for (int k = 0; k < 3; ++k)
                p[k] *= bump;
        }
        pbd_collision_mesh *mesh = solid_mesh(&star);
        float start[3 * COUNT];
        for (int i = 0; i < COUNT; ++i) {
            struct vec3 at = {random_between(&random, -1.0, 1.0), random_between(&random, -1.0, 1.0),
                              random_between(&random, -1.0, 1.0)};
            at = vec3_scale(at, 0.9 / vec3_length(at));
            start[3 * i] = (float)at.x;
            start[3 * i + 1] = (float)at.y;
            start[3 * i + 2] = (float)at.z;
        }
        struct free_particles scene;
        free_particles_create(&scene, COUNT, start);
        no_gravity(&scene);
        scene.cloth->settings.thickness = round % 2 ? 0.01f : 0.0f;
        scene.world.settings.solver.substeps = round < 2 ? 1 : 5;
        pbd_collider_id id = add_mesh(&scene, star, 0.3f, 0.0f);
        double nearest = INFINITY;
        for (int tick = 0; tick < 120; ++tick) {
            float to[3], turn[4];
            for (int k = 0; k < 3; ++k)
                to[k] = (float)random_between(&random, -0.3, 0.3);
            for (int k = 0; k < 4; ++k)
                turn[k] = (float)random_between(&random, -1.0, 1.0);
            if (tick % 3 == 0) CHECK_INT(pbd_collider_move(&scene.world, id, to, turn, 3, false), PBD_OK);
            for (uint32_t i = 0; i < COUNT && tick % 10 == 0; ++i) {
                struct vec3 p = free_particles_at(&scene, i);
                double speed = random_between(&random, 0.0, 30.0) / vec3_length(p);
                set_velocity(&scene, i, (float)(-speed * p.x), (float)(-speed * p.y), (float)(-speed * p.z));
            }
            free_particles_tick(&scene);
            struct pbd_collider_state state;
            CHECK_INT(pbd_collider_get(&scene.world, id, &state), PBD_OK);
            struct pose now;
            memcpy(now.position, state.def.position, sizeof now.position);
            memcpy(now.rotation, state.def.rotation, sizeof now.rotation);
            struct exact_pose pose = pose_exact(&now);
            for (uint32_t i = 0; i < COUNT; ++i) {
                struct mesh_closest closest;
                struct vec3 local = pose_to_local(&pose, free_particles_at(&scene, i));
                double distance = collide_mesh_distance(mesh, local, INFINITY, &closest);
                nearest = fmin(nearest, distance - (round % 2 ? 0.01 : 0.0));
            }
        }
        printf("nearest %.2e m\n", nearest);
        CHECK(nearest > (round % 2 ? -1e-6 : 0.0));
        pbd_collision_mesh_unref(mesh);
        free_particles_destroy(&scene);
    }
}

/* ---- every shape ---- */

static struct pbd_shape shape_of(int kind, struct solid *solid) {
    *solid = solid_box(0.5, 0.4, 0.3, 2);
    switch (kind) {
    case 0:
        return floor_shape();
    case 1:
        return (struct pbd_shape){.type = PBD_SPHERE, .radius = 0.5f};
    case 2:
        return (struct pbd_shape){.type = PBD_CAPSULE, .radius = 0.3f, .half_height = 0.4f};
    case 3:
        return (struct pbd_shape){.type = PBD_BOX, .half_extents = {0.5f, 0.4f, 0.3f}};
    case 4:
        break;
    default:
        solid_free(solid);
        *solid = solid_ball(0.5, 16);
        break;
    }
    return (struct pbd_shape){.type = PBD_MESH, .mesh = solid_mesh(solid)};
}

/* physics.md §6: at depth d at a substep's start a particle may keep max(0, d − 2 m/s·h),
 * and does, whatever pulls it inwards. */
static void every_shape_lets_go_at_max_depenetration(void) {
    for (int kind = 0; kind < 6; ++kind)
        for (int pulled = 0; pulled < 2; ++pulled) {
            struct solid solid;
            struct pbd_shape shape = shape_of(kind, &solid);
            struct free_particles scene;
            free_particles_create(&scene, 2, (float[]){0.02f, -0.25f, 0.03f, 0.1f, -0.12f, -0.02f});
            no_gravity(&scene);
            scene.cloth->settings.thickness = 0.01f;
            scene.world.settings.solver.substeps = 4;
            free_particles_add(&scene, shape, 0.0f, 0.0f, 0.0f);
            struct collide_shape ready = collide_shape_from(&shape);
            double before[2], step = 2.0 / 60.0, rounding = kind == 5 ? 0.02 : 1e-5;
            struct vec3 normal;
            for (uint32_t i = 0; i < 2; ++i)
                before[i] = 0.01 - collide_shape_distance(&ready, free_particles_at(&scene, i), &normal);
            for (int tick = 0; tick < 20; ++tick) {
                for (uint32_t i = 0; i < 2 && pulled; ++i) {
                    /* Back inwards at 5 m/s. */
                    collide_shape_distance(&ready, free_particles_at(&scene, i), &normal);
                    set_velocity(&scene, i, (float)(-5.0 * normal.x), (float)(-5.0 * normal.y),
                                 (float)(-5.0 * normal.z));
                }
                free_particles_tick(&scene);
                for (uint32_t i = 0; i < 2; ++i) {
                    double depth =
                        0.01 - collide_shape_distance(&ready, free_particles_at(&scene, i), &normal);
                    double want = before[i] > step ? before[i] - step : 0.0;
                    CHECK_NEAR(depth > 0.0 ? depth : 0.0, want, rounding * step + 1e-6);
                    before[i] = depth;
                }
            }
            CHECK(before[0] < 1e-5 && before[1] < 1e-5);
            if (shape.mesh != NULL) pbd_collision_mesh_unref(shape.mesh);
            solid_free(&solid);
            free_particles_destroy(&scene);
        }
}

/* A collider that was moved, teleported or given another shape collides where it now is. */
static void every_shape_collides_where_it_now_is(void) {
    for (int kind = 0; kind < 6; ++kind) {
        struct solid solid;
        struct pbd_shape shape = shape_of(kind, &solid);
        struct free_particles scene;
        free_particles_create(&scene, 1, (float[]){0.02f, 3.0f, 0.03f});
        scene.cloth->settings.thickness = 0.01f;
        pbd_collider_id id = free_particles_add(&scene, shape, 50.0f, kind == 0 ? -50.0f : 0.0f, 0.0f);
        const float places[3][3] = {{0.0f, 1.0f, 0.0f}, {0.0f, -4.0f, 0.0f}, {0.0f, -3.0f, 0.0f}};
        for (int k = 0; k < 3; ++k) {
            bool teleport = k < 2;
            CHECK_INT(pbd_collider_move(&scene.world, id, places[k], NULL, 20, teleport), PBD_OK);
            for (int tick = 0; tick < 120; ++tick)
                free_particles_tick(&scene);
            /* Round ones drop it in the end: held where it slides, by its nearness. */
            struct vec3 normal, at = free_particles_at(&scene, 0);
            struct collide_shape ready = collide_shape_from(&shape);
            at.y -= (double)places[k][1];
            double distance = collide_shape_distance(&ready, at, &normal);
            CHECK(distance >= 0.01 - 1e-5);
            if (kind == 0 || kind == 3 || kind == 4) CHECK_NEAR(distance, 0.01, 1e-5);
            set_velocity(&scene, 0, 0.0f, 0.0f, 0.0f);
            float *x = scene.cloth->state.x, *z = scene.cloth->state.z;
            x[0] = z[0] = 0.0f;
        }
        if (shape.mesh != NULL) pbd_collision_mesh_unref(shape.mesh);
        solid_free(&solid);
        free_particles_destroy(&scene);
    }
}

RUN_TESTS(TEST(no_thickness_is_enough_to_stay_on_a_side), TEST(each_side_of_a_valley_rubs),
          TEST(bounces_like_on_a_plane), TEST(turning_mesh_hits_as_the_shape_does),
          TEST(edges_and_corners_hold_still), TEST(far_particles_are_not_looked_at),
          TEST(tumbling_solid_lets_nothing_in), TEST(every_shape_lets_go_at_max_depenetration),
          TEST(every_shape_collides_where_it_now_is))
