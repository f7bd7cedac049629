/* Attachments: physics.md §5, the same promises as pins where the collider cannot be pushed. */
#include "check.h"
#include "sheet.h"

#include "solve/attach.h"

struct scene {
    pbd_world *world;
    pbd_cloth_id cloth;
    pbd_collider_id box;
    struct sheet sheet;
};

static pbd_collider_id add_box(pbd_world *world, enum pbd_motion motion, double x) {
    struct pbd_collider_def def = pbd_default_collider_def();
    def.shape.type = PBD_BOX;
    def.shape.half_extents[0] = def.shape.half_extents[1] = def.shape.half_extents[2] = 0.05f;
    def.motion = motion;
    def.position[0] = (float)x;
    pbd_collider_id id = 0;
    CHECK_INT(pbd_collider_add(world, &def, &id), PBD_OK);
    return id;
}

/* A sheet of 7×5 and a box at its edge x = −0.55. */
static struct scene start(enum pbd_motion motion) {
    struct pbd_world_settings settings = pbd_default_world_settings();
    struct scene scene = {.world = pbd_world_create(&settings), .sheet = sheet_create(7, 5, 1.1, 0.7)};
    struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
    scene.cloth =
        cloth_from(scene.world, sheet_fabric(&scene.sheet, 0.2f), scene.sheet.positions, &cloth, NULL, 0);
    scene.box = add_box(scene.world, motion, -0.55);
    return scene;
}

static void finish(struct scene *scene) {
    sheet_destroy(&scene->sheet);
    pbd_world_destroy(scene->world);
}

static int attach(struct scene *scene, uint32_t vertex) {
    return pbd_cloth_attach(scene->world, scene->cloth, &vertex, 1, scene->box);
}

static bool is_where_it_started(const struct scene *scene, uint32_t vertex) {
    struct point p = vertex_position(scene->world, scene->cloth, vertex);
    const float *x = scene->sheet.positions + 3 * vertex;
    return (float)p.x == x[0] && (float)p.y == x[1] && (float)p.z == x[2];
}

static float inverse_mass(const struct scene *scene, uint32_t vertex) {
    const struct pbd_cloth *cloth = world_cloth(scene->world, scene->cloth);
    return cloth->state.w[cloth->fabric->view.vertex_particle[vertex]];
}

static void vertex_of_a_static_collider_never_moves(void) {
    for (int method = 0; method < 3; ++method) {
        struct scene scene = start(PBD_STATIC_MOTION);
        struct pbd_world_settings settings = pbd_world_get_settings(scene.world);
        settings.solver.method = (enum pbd_method)method;
        pbd_world_set_settings(scene.world, &settings);
        CHECK_INT(attach(&scene, 14), PBD_OK);
        for (int i = 0; i < 30; ++i) {
            step_ticks(scene.world, 1);
            CHECK(is_where_it_started(&scene, 14));
            CHECK(vertex_velocity(scene.world, scene.cloth, 14).y == 0.0);
        }
        CHECK(vertex_position(scene.world, scene.cloth, 20).y < -0.1); /* and the rest does */
        finish(&scene);
    }
}

static double ulp_of(double x) {
    return (double)nextafterf((float)fabs(x), INFINITY) - fabs((double)(float)x);
}

/* At every tick's end the float32 position is the exact one rounded, up to the rounding of
 * the last substep's way: 8 mm · 2⁻²⁴ is 0.1 % of an ulp at 1 m. */
static void moving_collider_is_followed_to_float32_at_five_meters_a_second(void) {
    double worst = 0;
    for (int substeps = 1; substeps <= 10; substeps += 3) {
        struct scene scene = start(PBD_KINEMATIC);
        struct pbd_world_settings settings = pbd_world_get_settings(scene.world);
        settings.solver.substeps = substeps;
        pbd_world_set_settings(scene.world, &settings);
        CHECK_INT(attach(&scene, 22), PBD_OK);
        const float *from = scene.sheet.positions + 3 * 22;
        float before = -0.55f;
        for (int i = 1; i <= 60; ++i) {
            float way = 5.0f / 60.0f * (float)i;
            float target[3] = {-0.55f + 0.6f * way, 0.64f * way, -0.48f * way};
            CHECK_INT(pbd_collider_move(scene.world, scene.box, target, NULL, 1, false), PBD_OK);
            step_ticks(scene.world, 1);
            struct point p = vertex_position(scene.world, scene.cloth, 22);
            double want[3] = {from[0] + ((double)target[0] - (double)-0.55f), (double)from[1] + target[1],
                              (double)from[2] + target[2]};
            const double got[3] = {p.x, p.y, p.z};
            for (int k = 0; k < 3; ++k) {
                double off = fabs(got[k] - want[k]) / ulp_of(want[k]);
                worst = off > worst ? off : worst;
            }
            double speed = ((double)target[0] - before) * 60.0;
            CHECK_NEAR(vertex_velocity(scene.world, scene.cloth, 22).x, speed, 1e-3);
            before = target[0];
        }
        finish(&scene);
    }
    printf("     off by at most %.3f ulp\n", worst);
    CHECK(worst <= 0.55);
}

static void turning_collider_is_followed_to_float32(void) {
    struct scene scene = start(PBD_KINEMATIC);
    struct pbd_collider_def def = pbd_default_collider_def();
    def.angular_velocity[1] = 7.0f;
    pbd_collider_id drum;
    CHECK_INT(pbd_collider_add(scene.world, &def, &drum), PBD_OK);
    const uint32_t vertex = 34; /* (0.55, 0, 0.35), 0.65 m from the axis: 4.6 m/s */
    CHECK_INT(pbd_cloth_attach(scene.world, scene.cloth, &vertex, 1, drum), PBD_OK);
    const float *from = scene.sheet.positions + 3 * vertex;
    double worst = 0, time = 0;
    for (int i = 1; i <= 600; ++i) {
        step_ticks(scene.world, 1);
        time += (double)(1.0f / 60.0f);
        double c = cos(7.0 * time), s = sin(7.0 * time);
        struct point p = vertex_position(scene.world, scene.cloth, vertex);
        double x = c * from[0] + s * from[2] - p.x, z = c * from[2] - s * from[0] - p.z;
        double off = (fabs(x) > fabs(z) ? fabs(x) : fabs(z)) / 0x1p-24; /* ulp in [0.5, 1) */
        worst = off > worst ? off : worst;
        CHECK(p.y == 0.0);
    }
    printf("     off by at most %.3f ulp after 11 turns\n", worst);
    CHECK(worst <= 0.6);
    finish(&scene);
}

static void detaching_restores_the_inverse_mass_bit_for_bit_and_keeps_velocity(void) {
    struct scene scene = start(PBD_KINEMATIC);
    const float before = inverse_mass(&scene, 14);
    CHECK_INT(attach(&scene, 14), PBD_OK);
    CHECK(inverse_mass(&scene, 14) == 0.0f);
    const float target[3] = {-0.55f, 0.25f, 0.0f};
    CHECK_INT(pbd_collider_move(scene.world, scene.box, target, NULL, 3, false), PBD_OK);
    step_ticks(scene.world, 2);
    struct point moving = vertex_velocity(scene.world, scene.cloth, 14);
    CHECK_NEAR(moving.y, 0.25 * 20, 1e-4);
    const uint32_t vertex = 14;
    CHECK_INT(pbd_cloth_detach(scene.world, scene.cloth, &vertex, 1), PBD_OK);
    const float after = inverse_mass(&scene, 14);
    CHECK(memcmp(&before, &after, sizeof before) == 0);
    CHECK(vertex_velocity(scene.world, scene.cloth, 14).y == moving.y);
    CHECK_INT(pbd_cloth_detach(scene.world, scene.cloth, &vertex, 1), PBD_NOT_ATTACHED);
    finish(&scene);
}

static void attaching_again_moves_the_vertex_to_the_later_collider(void) {
    struct scene scene = start(PBD_KINEMATIC);
    pbd_collider_id body = add_box(scene.world, PBD_DYNAMIC, 3),
                    other = add_box(scene.world, PBD_KINEMATIC, 1);
    const float mass = inverse_mass(&scene, 14);
    const uint32_t vertices[3] = {14, 7, 14};
    CHECK_INT(attach(&scene, 14), PBD_OK);
    CHECK_INT(pbd_cloth_attach(scene.world, scene.cloth, vertices, 3, other), PBD_OK);
    uint32_t seen[4];
    pbd_collider_id holders[4];
    CHECK_INT(pbd_cloth_attachments(scene.world, scene.cloth, seen, holders, 4), 2);
    CHECK(seen[0] == 7 && seen[1] == 14 && holders[0] == other && holders[1] == other);
    const float target[3] = {1.0f, 0.5f, 0.0f};
    CHECK_INT(pbd_collider_move(scene.world, other, target, NULL, 5, false), PBD_OK);
    step_ticks(scene.world, 5);
    CHECK_NEAR(vertex_position(scene.world, scene.cloth, 14).y, 0.5, 1e-7);
    CHECK_INT(pbd_cloth_attach(scene.world, scene.cloth, vertices, 1, body), PBD_OK);
    CHECK(inverse_mass(&scene, 14) == mass); /* a body holds what keeps its mass */
    finish(&scene);
}

static void pin_wins_over_an_attachment(void) {
    struct scene scene = start(PBD_KINEMATIC);
    const float mass = inverse_mass(&scene, 14), up[3] = {-0.55f, 1.0f, 0.0f};
    const uint32_t vertex = 14;
    CHECK_INT(attach(&scene, 14), PBD_OK);
    CHECK_INT(pbd_cloth_pin(scene.world, scene.cloth, &vertex, 1, NULL), PBD_OK);
    CHECK_INT(pbd_collider_move(scene.world, scene.box, up, NULL, 5, false), PBD_OK);
    step_ticks(scene.world, 10);
    CHECK(is_where_it_started(&scene, 14));
    /* Without the pin the collider holds it where it is now. */
    CHECK_INT(pbd_cloth_unpin(scene.world, scene.cloth, &vertex, 1), PBD_OK);
    step_ticks(scene.world, 10);
    CHECK(is_where_it_started(&scene, 14));
    CHECK(inverse_mass(&scene, 14) == 0.0f);
    /* The other way round: detached, the pin still holds. */
    CHECK_INT(pbd_cloth_pin(scene.world, scene.cloth, &vertex, 1, NULL), PBD_OK);
    CHECK_INT(pbd_cloth_detach(scene.world, scene.cloth, &vertex, 1), PBD_OK);
    CHECK(inverse_mass(&scene, 14) == 0.0f);
    CHECK_INT(pbd_cloth_unpin(scene.world, scene.cloth, &vertex, 1), PBD_OK);
    CHECK(inverse_mass(&scene, 14) == mass);
    finish(&scene);
}

/* Unpinning what is not pinned must not free what is attached. */
static void unpinning_leaves_attachments_alone(void) {
    struct scene scene = start(PBD_KINEMATIC);
    const uint32_t vertex = 14;
    CHECK_INT(attach(&scene, 14), PBD_OK);
    CHECK_INT(pbd_cloth_unpin(scene.world, scene.cloth, &vertex, 1), PBD_OK);
    step_ticks(scene.world, 5);
    CHECK(is_where_it_started(&scene, 14));
    finish(&scene);
}

static void removed_collider_lets_go(void) {
    struct scene scene = start(PBD_KINEMATIC);
    const float mass = inverse_mass(&scene, 14);
    CHECK_INT(attach(&scene, 14), PBD_OK);
    uint32_t version = pbd_cloth_attachments_version(scene.world, scene.cloth);
    CHECK_INT(pbd_collider_remove(scene.world, scene.box), PBD_OK);
    CHECK_INT(pbd_cloth_attachments(scene.world, scene.cloth, NULL, NULL, 0), 0);
    CHECK_INT(pbd_cloth_attachments_version(scene.world, scene.cloth), version + 1);
    CHECK(inverse_mass(&scene, 14) == mass);
    step_ticks(scene.world, 5);
    CHECK(vertex_position(scene.world, scene.cloth, 14).y < -0.01);
    finish(&scene);
}

static void teleport_of_the_collider_takes_the_vertices_along(void) {
    for (int motion = PBD_KINEMATIC; motion <= PBD_DYNAMIC; ++motion) {
        struct scene scene = start((enum pbd_motion)motion);
        struct pbd_world_settings settings = quiet_settings();
        pbd_world_set_settings(scene.world, &settings);
        const uint32_t all[5] = {0, 7, 14, 21, 28};
        CHECK_INT(pbd_cloth_attach(scene.world, scene.cloth, all, 5, scene.box), PBD_OK);
        const float target[3] = {-0.55f, 0.25f, 0.0f}, quarter[4] = {0.0f, 0.70710678f, 0.0f, 0.70710678f};
        CHECK_INT(pbd_collider_move(scene.world, scene.box, target, quarter, 0, true), PBD_OK);
        /* 0.35 along z is now along x. */
        struct point p = vertex_position(scene.world, scene.cloth, 28);
        CHECK_NEAR(p.x, -0.55 + 0.35, 2e-7);
        CHECK_NEAR(p.y, 0.25, 1e-7);
        CHECK_NEAR(p.z, 0, 2e-7);
        CHECK(vertex_velocity(scene.world, scene.cloth, 28).x == 0.0);
        if (motion == PBD_KINEMATIC) {
            step_ticks(scene.world, 1);
            struct point v = vertex_velocity(scene.world, scene.cloth, 28);
            CHECK(v.x == 0.0 && v.y == 0.0 && v.z == 0.0);
        }
        finish(&scene);
    }
}

static void new_state_of_the_cloth_moves_the_anchors(void) {
    struct scene scene = start(PBD_KINEMATIC);
    CHECK_INT(attach(&scene, 14), PBD_OK);
    for (uint32_t v = 0; v < scene.sheet.vertex_count; ++v)
        scene.sheet.positions[3 * v + 1] += 4.0f;
    CHECK_INT(pbd_cloth_set_state(scene.world, scene.cloth, scene.sheet.positions, NULL), PBD_OK);
    step_ticks(scene.world, 3);
    CHECK(is_where_it_started(&scene, 14));
    finish(&scene);
}

static void welded_vertices_are_attached_together(void) {
    const float positions[] = {0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0, 1};
    const uint32_t triangles[] = {0, 1, 2, 3, 4, 5};
    struct pbd_world_settings settings = pbd_default_world_settings();
    pbd_world *world = pbd_world_create(&settings);
    struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
    pbd_cloth_id id = cloth_from(world, fabric_from(positions, 6, triangles, 2, NULL, 0, NULL, 0.2f),
                                 positions, &cloth, NULL, 0);
    pbd_collider_id box = add_box(world, PBD_KINEMATIC, 9), holders[6];
    const uint32_t one = 5, other = 2;
    uint32_t vertices[6];
    CHECK_INT(pbd_cloth_attach(world, id, &one, 1, box), PBD_OK);
    CHECK_INT(pbd_cloth_attachments(world, id, vertices, holders, 6), 2);
    CHECK(vertices[0] == 2 && vertices[1] == 5);
    CHECK_INT(pbd_cloth_detach(world, id, &other, 1), PBD_OK);
    CHECK_INT(pbd_cloth_attachments(world, id, vertices, holders, 6), 0);
    pbd_world_destroy(world);
}

static void wrong_requests_change_nothing(void) {
    struct scene scene = start(PBD_KINEMATIC);
    const uint32_t good_and_bad[2] = {3, 35};
    uint32_t version = pbd_cloth_attachments_version(scene.world, scene.cloth);
    CHECK_INT(pbd_cloth_attach(scene.world, scene.cloth, good_and_bad, 2, scene.box), PBD_INDEX_RANGE);
    CHECK_INT(pbd_cloth_attach(scene.world, scene.cloth, good_and_bad, 1, 12345), PBD_STALE_ID);
    CHECK_INT(pbd_cloth_attach(scene.world, 12345, good_and_bad, 1, scene.box), PBD_STALE_ID);
    CHECK_INT(pbd_cloth_detach(scene.world, scene.cloth, good_and_bad, 2), PBD_INDEX_RANGE);
    CHECK_INT(pbd_cloth_detach(scene.world, scene.cloth, good_and_bad, 1), PBD_NOT_ATTACHED);
    CHECK_INT(pbd_cloth_attachments(scene.world, scene.cloth, NULL, NULL, 0), 0);
    CHECK_INT(pbd_cloth_attachments_version(scene.world, scene.cloth), version);
    CHECK(inverse_mass(&scene, 3) > 0.0f);
    finish(&scene);
}

/* Vertices on a body's surface, closer than the thickness, and one inside. */
static void no_contact_with_the_holder(void) {
    for (int motion = PBD_STATIC_MOTION; motion <= PBD_DYNAMIC; ++motion) {
        struct scene scene = start((enum pbd_motion)motion);
        const struct pbd_cloth *cloth = world_cloth(scene.world, scene.cloth);
        CHECK_INT(attach(&scene, 14), PBD_OK); /* at the box's centre, alone */
        CHECK(attach_holds(cloth, cloth->fabric->view.vertex_particle[14], scene.box));
        step_ticks(scene.world, 1);
        const struct pbd_event *events;
        for (uint32_t i = 0; i < pbd_world_events(scene.world, &events); ++i)
            CHECK(events[i].type != PBD_EVENT_INITIAL_OVERLAP);
        CHECK_INT(pbd_world_get_stats(scene.world).contacts, 0);
        finish(&scene);
    }
}

/* Zero gravity, the sheet flies at 3 m/s and drags the body it is sewn to behind it. */
static void body_and_cloth_share_their_momentum(void) {
    struct pbd_world_settings settings = quiet_settings();
    struct scene scene = {.world = pbd_world_create(&settings), .sheet = sheet_create(7, 5, 1.1, 0.7)};
    struct pbd_cloth_def def = {.fabric = sheet_fabric(&scene.sheet, 0.2f),
                                .positions = scene.sheet.positions,
                                .velocity = {3.0f, 0.5f, 0.0f},
                                .settings = pbd_default_cloth_settings()};
    CHECK_INT(pbd_cloth_add(scene.world, &def, &scene.cloth), PBD_OK);
    scene.box = add_box(scene.world, PBD_DYNAMIC, -0.65);
    double cloth_mass = pbd_fabric_report(def.fabric)->mass;
    pbd_fabric_unref(def.fabric);
    const uint32_t edge[5] = {0, 7, 14, 21, 28};
    CHECK_INT(pbd_cloth_attach(scene.world, scene.cloth, edge, 5, scene.box), PBD_OK);
    const struct pbd_cloth *cloth = world_cloth(scene.world, scene.cloth);
    double worst = 0, fastest = 0;
    for (int i = 0; i < 300; ++i) {
        step_ticks(scene.world, 1);
        struct pbd_collider_state body;
        CHECK_INT(pbd_collider_get(scene.world, scene.box, &body), PBD_OK);
        double p[3] = {body.velocity[0], body.velocity[1], body.velocity[2]};
        const float *v[3] = {cloth->state.vx, cloth->state.vy, cloth->state.vz};
        for (uint32_t k = 0; k < cloth->fabric->particle_count; ++k)
            for (int axis = 0; axis < 3; ++axis)
                p[axis] += (double)cloth->fabric->mass[k] * (double)v[axis][k];
        double x = p[0] - 3 * cloth_mass, y = p[1] - 0.5 * cloth_mass;
        double off = sqrt(x * x + y * y + p[2] * p[2]) / (cloth_mass * sqrt(9.25));
        worst = off > worst ? off : worst;
        fastest = fabs((double)body.velocity[0]) > fastest ? fabs((double)body.velocity[0]) : fastest;
    }
    printf("     momentum off by %.1e, the body reached %.2f m/s\n", worst, fastest);
    CHECK(worst < 1e-3);
    CHECK(fastest > 0.2); /* of 0.154 kg·3 m/s, shared with 1 kg: 0.4 m/s on average */
    finish(&scene);
}

static void snapshot_holds_attachments(void) {
    struct scene scene = start(PBD_KINEMATIC);
    pbd_collider_id body = add_box(scene.world, PBD_DYNAMIC, 0.65);
    const uint32_t end[2] = {6, 34};
    CHECK_INT(attach(&scene, 14), PBD_OK);
    CHECK_INT(pbd_cloth_attach(scene.world, scene.cloth, end, 2, body), PBD_OK);
    const float up[3] = {-0.55f, 0.5f, 0.2f};
    CHECK_INT(pbd_collider_move(scene.world, scene.box, up, NULL, 30, false), PBD_OK);
    step_ticks(scene.world, 10);
    pbd_snapshot *snapshot = pbd_world_snapshot(scene.world);
    uint64_t first[30];
    for (int i = 0; i < 30; ++i) {
        step_ticks(scene.world, 1);
        first[i] = pbd_world_state_hash(scene.world);
    }
    CHECK_INT(pbd_cloth_detach(scene.world, scene.cloth, end, 2), PBD_OK);
    uint32_t version = pbd_cloth_attachments_version(scene.world, scene.cloth);
    CHECK_INT(pbd_world_restore(scene.world, snapshot), PBD_OK);
    CHECK_INT(pbd_cloth_attachments(scene.world, scene.cloth, NULL, NULL, 0), 3);
    CHECK(pbd_cloth_attachments_version(scene.world, scene.cloth) > version);
    for (int i = 0; i < 30; ++i) {
        step_ticks(scene.world, 1);
        CHECK(pbd_world_state_hash(scene.world) == first[i]);
    }
    pbd_snapshot_destroy(snapshot);
    finish(&scene);
}

RUN_TESTS(TEST(vertex_of_a_static_collider_never_moves),
          TEST(moving_collider_is_followed_to_float32_at_five_meters_a_second),
          TEST(turning_collider_is_followed_to_float32),
          TEST(detaching_restores_the_inverse_mass_bit_for_bit_and_keeps_velocity),
          TEST(attaching_again_moves_the_vertex_to_the_later_collider), TEST(pin_wins_over_an_attachment),
          TEST(unpinning_leaves_attachments_alone), TEST(removed_collider_lets_go),
          TEST(teleport_of_the_collider_takes_the_vertices_along),
          TEST(new_state_of_the_cloth_moves_the_anchors), TEST(welded_vertices_are_attached_together),
          TEST(wrong_requests_change_nothing), TEST(no_contact_with_the_holder),
          TEST(body_and_cloth_share_their_momentum), TEST(snapshot_holds_attachments))
