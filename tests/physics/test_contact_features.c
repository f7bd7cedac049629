/* What sticks into a cloth between its vertices is caught (physics.md §6): corners, edges,
 * small balls, thin capsules, slow and fast, from both sides. */
#include "feature_scene.h"
#include "solid.h"

#include "build/fabric.h"
#include "contact/feature_gap.h"

#define THICKNESS 0.005

/* The turn that leads a cube's diagonal to y. */
static const float corner_up[4] = {0.36470520f, 0.0f, -0.27984814f, 0.88807383f};
static const float as_it_is[4] = {0.0f, 0.0f, 0.0f, 1.0f};

static struct pbd_world_settings weightless(int substeps) {
    struct pbd_world_settings settings = pbd_default_world_settings();
    settings.gravity[1] = 0.0f;
    settings.solver.substeps = substeps;
    return settings;
}

/* ---- poked ---- */

struct poke {
    double vertex, inside; /* m, the least distances of all ticks */
    double seen;           /* the least of seen_from: < 0 on the wrong side */
    double strain, energy; /* at the end */
};

/* Moves a shape through the middle of a cell of a sheet that is held at its border, from y
 * to −y or to a fourth of that, then waits a second. */
static struct poke poke(struct pbd_shape shape, const float rotation[4], double from, double to, double speed,
                        int substeps, uint32_t n) {
    struct pbd_world_settings settings = weightless(substeps);
    struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
    struct feature_scene scene = feature_scene_create(&settings, n, 1.0, true, &cloth);
    float at[3] = {0.04f, (float)from, 0.07f};
    feature_scene_add(&scene, shape, at, rotation, 0.3f);
    uint32_t ticks = (uint32_t)(fabs(to - from) / speed * 60.0 + 0.5);
    ticks = ticks > 0 ? ticks : 1;
    at[1] = (float)to;
    feature_scene_move(&scene, at, ticks);
    struct poke result = {.vertex = INFINITY, .inside = INFINITY, .seen = INFINITY};
    for (uint32_t t = 0; t < ticks + (FEW_CASES ? 10u : 60u); ++t) {
        pbd_world_step(scene.world);
        result.vertex = fmin(result.vertex, nearest_vertex(&scene));
        result.inside = fmin(result.inside, nearest_inside(&scene));
        double seen = seen_from(&scene, feature_scene_pose(&scene).pose.position);
        result.seen = fmin(result.seen, from < 0.0 ? seen : -seen);
    }
    struct pbd_world_stats stats = pbd_world_get_stats(scene.world);
    result.strain = stats.max_strain;
    result.energy = stats.kinetic_energy;
    feature_scene_destroy(&scene);
    return result;
}

static void check_poke(const char *what, struct poke p) {
    printf("%s: vertices %.4f m, in between %.4f m, seen %.3f, strain %.3f\n", what, p.vertex, p.inside,
           p.seen, p.strain);
    CHECK(p.vertex >= THICKNESS - 1e-3);
    CHECK(p.inside >= THICKNESS - 1e-3);
    CHECK(p.seen > 0.1);
    CHECK(p.strain > 0.05);
}

/* Cells of 25 cm, corners of cubes of 40 and 10 cm. */
static void corner_is_caught_from_both_sides(void) {
    struct pbd_shape large = {.type = PBD_BOX, .half_extents = {0.2f, 0.2f, 0.2f}};
    struct pbd_shape small = {.type = PBD_BOX, .half_extents = {0.05f, 0.05f, 0.05f}};
    for (int side = -1; side <= 1; side += 2) {
        double y = 0.5 * side;
        check_poke("corner, 0.5 m/s", poke(large, corner_up, y, 0.4 * y, 0.5, 10, 5));
        check_poke("corner, 60 m/s", poke(large, corner_up, y, 0.4 * y, 60.0, 20, 5));
        check_poke("corner, 120 m/s", poke(large, corner_up, 3 * y, 0.4 * y, 120.0, 20, 5));
        check_poke("small cube, 0.5 m/s", poke(small, corner_up, y, -0.2 * y, 0.5, 10, 5));
        check_poke("small cube, 60 m/s", poke(small, corner_up, y, -0.2 * y, 60.0, 20, 5));
        check_poke("cell of 50 cm", poke(small, corner_up, y, -0.2 * y, 1.0, 10, 3));
    }
}

static void small_shapes_are_caught(void) {
    struct pbd_shape ball = {.type = PBD_SPHERE, .radius = 0.02f};
    struct pbd_shape pin = {.type = PBD_CAPSULE, .radius = 0.01f, .half_height = 0.1f};
    for (int side = -1; side <= 1; side += 2) {
        double y = 0.5 * side;
        check_poke("ball of 2 cm, 1 m/s", poke(ball, as_it_is, y, -0.3 * y, 1.0, 10, 5));
        check_poke("ball of 2 cm, 60 m/s", poke(ball, as_it_is, y, -0.3 * y, 60.0, 20, 5));
        check_poke("capsule of 1 cm, 1 m/s", poke(pin, as_it_is, y, -0.1 * y, 1.0, 10, 5));
        check_poke("capsule of 1 cm, 60 m/s", poke(pin, as_it_is, y, -0.1 * y, 60.0, 20, 5));
    }
}

/* A box whose upper edge lies across the lattice's edges at 20°. */
static void edge_is_caught_by_edges(void) {
    double roll = acos(-1.0) / 8.0, yaw = acos(-1.0) / 18.0;
    const float turn[4] = {(float)(sin(roll) * cos(yaw)), (float)(cos(roll) * sin(yaw)),
                           (float)(-sin(roll) * sin(yaw)), (float)(cos(roll) * cos(yaw))};
    struct pbd_shape box = {.type = PBD_BOX, .half_extents = {0.1f, 0.05f, 0.05f}};
    for (int side = -1; side <= 1; side += 2) {
        double y = 0.5 * side;
        check_poke("edge, 1 m/s", poke(box, turn, y, -0.2 * y, 1.0, 10, 5));
        check_poke("edge, 60 m/s", poke(box, turn, y, -0.2 * y, 60.0, 20, 5));
    }
}

/* The same when the box itself turns into the sheet, within a tick. */
static void turning_box_hits_between_the_vertices(void) {
    struct pbd_world_settings settings = weightless(20);
    struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
    struct feature_scene scene = feature_scene_create(&settings, 5, 1.0, true, &cloth);
    struct pbd_shape bar = {.type = PBD_BOX, .half_extents = {0.3f, 0.01f, 0.01f}};
    feature_scene_add(&scene, bar, (float[]){-0.2f, -0.2f, 0.06f},
                      (float[]){0.0f, 0.0f, -0.38268343f, 0.92387953f}, 0.3f);
    CHECK_INT(pbd_collider_move(scene.world, scene.collider, NULL,
                                (float[]){0.0f, 0.0f, 0.38268343f, 0.92387953f}, 1, false),
              PBD_OK);
    double least = INFINITY;
    for (int k = 0; k < 30; ++k) {
        pbd_world_step(scene.world);
        least = fmin(least, nearest_inside(&scene));
    }
    printf("bar turned by 90 degrees in a tick: in between %.4f m\n", least);
    CHECK(least >= THICKNESS - 1e-3);
    CHECK(seen_from(&scene, feature_scene_pose(&scene).pose.position) > 0.1);
    feature_scene_destroy(&scene);
}

/* ---- at rest ---- */

static double rms_speed(const struct feature_scene *scene) {
    double sum = 0.0;
    for (uint32_t v = 0; v < scene->vertex_count; ++v) {
        struct point u = vertex_velocity(scene->world, scene->cloth, v);
        sum += u.x * u.x + u.y * u.y + u.z * u.z;
    }
    return sqrt(sum / scene->vertex_count);
}

/* Nothing fights: features and vertices ask for the same distance. */
static void draped_coarse_sheet_rests(void) {
    const struct {
        const char *name;
        struct pbd_shape shape;
        const float *rotation;
    } cases[] = {
        {"box", {.type = PBD_BOX, .half_extents = {0.3f, 0.1f, 0.2f}}, as_it_is},
        {"corner", {.type = PBD_BOX, .half_extents = {0.2f, 0.2f, 0.2f}}, corner_up},
        {"ball", {.type = PBD_SPHERE, .radius = 0.3f}, as_it_is},
        {"capsule", {.type = PBD_CAPSULE, .radius = 0.15f, .half_height = 0.3f}, as_it_is},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; ++k) {
        struct pbd_world_settings settings = pbd_default_world_settings();
        struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
        cloth.friction = 1.0f;
        struct feature_scene scene = feature_scene_create(&settings, 9, 1.0, false, &cloth);
        feature_scene_add(&scene, cases[k].shape, (float[]){0.02f, -0.5f, 0.03f}, cases[k].rotation, 1.0f);
        double least = INFINITY;
        for (int t = 0; t < (FEW_CASES ? 60 : 360); ++t) {
            step_ticks_awake(scene.world, 1);
            if (t % 5 == 0) least = fmin(least, nearest_inside(&scene));
        }
        double speed = rms_speed(&scene);
        struct pbd_world_stats stats = pbd_world_get_stats(scene.world);
        printf("draped over a %s: rms %.1e m/s, strain %.3f, in between %.4f m\n", cases[k].name, speed,
               (double)stats.max_strain, least);
        CHECK(FEW_CASES || speed < 0.01);
        CHECK(stats.max_strain < 0.1f);
        CHECK(least >= 0.5 * THICKNESS - 1e-4);
        CHECK(feature_vertex(&scene, 40).y > -0.6);
        feature_scene_destroy(&scene);
    }
}

/* ---- cloths of edges only ---- */

/* n×n vertices, edges along both ways, no triangles; n×1: a rope along x. */
static struct feature_scene net_create(const struct pbd_world_settings *settings, uint32_t n, uint32_t rows) {
    struct feature_scene scene = {.world = pbd_world_create(settings)};
    float positions[3 * 25];
    uint32_t edges[2 * 40], edge_count = 0, pins[25], pin_count = 0;
    for (uint32_t j = 0; j < rows; ++j)
        for (uint32_t i = 0; i < n; ++i) {
            uint32_t v = j * n + i;
            positions[3 * v] = (float)(0.25 * i - 0.125 * (n - 1));
            positions[3 * v + 1] = 0.0f;
            positions[3 * v + 2] = (float)(0.25 * j - 0.125 * (rows - 1));
            if (i + 1 < n) {
                edges[2 * edge_count] = v;
                edges[2 * edge_count++ + 1] = v + 1;
            }
            if (j + 1 < rows) {
                edges[2 * edge_count] = v;
                edges[2 * edge_count++ + 1] = v + n;
            }
            if (i == 0 || i + 1 == n || (rows > 1 && (j == 0 || j + 1 == rows))) pins[pin_count++] = v;
        }
    pbd_fabric *fabric = fabric_from(positions, n * rows, NULL, 0, edges, edge_count, NULL, 0.2f);
    struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
    scene.cloth = cloth_from(scene.world, fabric, positions, &cloth, pins, pin_count);
    scene.vertex_count = n * rows;
    return scene;
}

/* The least distance of a point of the edges between neighbours in a row. */
static double nearest_on_rows(const struct feature_scene *scene, uint32_t n) {
    struct feature_pose at = feature_scene_pose(scene);
    double least = INFINITY;
    for (uint32_t v = 0; v < scene->vertex_count; ++v) {
        if (v % n + 1 == n) continue;
        struct vec3 a = feature_vertex(scene, v), way = vec3_sub(feature_vertex(scene, v + 1), a);
        for (int k = 0; k <= 50; ++k)
            least = fmin(least, feature_distance(&at, vec3_add_scaled(a, way, 0.02 * k)));
    }
    return least;
}

static void rope_and_net_catch_between_their_vertices(void) {
    struct pbd_shape ball = {.type = PBD_SPHERE, .radius = 0.02f};
    struct pbd_shape cube = {.type = PBD_BOX, .half_extents = {0.03f, 0.03f, 0.03f}};
    const float edge_up[4] = {0.38268343f, 0.0f, 0.0f, 0.92387953f};
    for (int k = 0; k < 4; ++k) {
        bool rope = k < 2;
        struct pbd_world_settings settings = weightless(20);
        struct feature_scene scene = net_create(&settings, 5, rope ? 1 : 5);
        float at[3] = {0.11f, -0.3f, 0.0f};
        const float across[4] = {0.0f, 0.38268343f, 0.0f, 0.92387953f};
        feature_scene_add(&scene, k % 2 == 0 ? ball : cube, at,
                          k % 2 == 0 ? NULL
                          : rope     ? across
                                     : edge_up,
                          0.3f);
        at[1] = 0.05f;
        feature_scene_move(&scene, at, 6);
        double least = INFINITY;
        for (int t = 0; t < 30; ++t) {
            pbd_world_step(scene.world);
            least = fmin(least, nearest_on_rows(&scene, 5));
        }
        uint32_t row = rope ? 0 : 10;
        double y = 0.5 * (feature_vertex(&scene, row + 2).y + feature_vertex(&scene, row + 3).y);
        printf("%s over a %s: edges %.4f m, lifted to %.3f m\n", rope ? "rope" : "net",
               k % 2 == 0 ? "ball" : "cube", least, y);
        CHECK(least >= THICKNESS - 1e-3);
        CHECK(y > 0.05);
        feature_scene_destroy(&scene);
    }
}

/* ---- meshes ---- */

/* A pyramid of height 0.3 on a square of 0.1; open: without its square. */
static struct solid spike(bool open) {
    struct solid solid = solid_room(5, 6);
    uint32_t a = solid_vertex(&solid, -0.05, 0, -0.05), b = solid_vertex(&solid, 0.05, 0, -0.05);
    uint32_t c = solid_vertex(&solid, 0.05, 0, 0.05), d = solid_vertex(&solid, -0.05, 0, 0.05);
    uint32_t tip = solid_vertex(&solid, 0, 0.3, 0);
    solid_triangle(&solid, b, a, tip);
    solid_triangle(&solid, c, b, tip);
    solid_triangle(&solid, d, c, tip);
    solid_triangle(&solid, a, d, tip);
    if (open) return solid;
    solid_triangle(&solid, a, b, c);
    solid_triangle(&solid, a, c, d);
    return solid;
}

static void spike_of_a_mesh_is_caught(void) {
    for (int k = 0; k < 4; ++k) {
        bool open = k % 2 == 1, fast = k >= 2;
        struct pbd_world_settings settings = weightless(20);
        struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
        struct feature_scene scene = feature_scene_create(&settings, 5, 1.0, true, &cloth);
        struct solid solid = spike(open);
        pbd_collision_mesh *mesh = solid_mesh(&solid);
        solid_free(&solid);
        float at[3] = {0.04f, -0.5f, 0.07f};
        feature_scene_add(&scene, (struct pbd_shape){.type = PBD_MESH, .mesh = mesh}, at, NULL, 0.3f);
        pbd_collision_mesh_unref(mesh);
        at[1] = -0.2f;
        feature_scene_move(&scene, at, fast ? 1 : 30);
        double least = INFINITY, seen = INFINITY;
        for (int t = 0; t < (FEW_CASES ? 35 : 60); ++t) {
            pbd_world_step(scene.world);
            struct feature_pose pose = feature_scene_pose(&scene);
            struct vec3 tip = pose_to_world(&pose.pose, vec3_make(0.0, 0.3, 0.0));
            seen = fmin(seen, seen_from(&scene, tip));
            if (tip.y < -0.1) continue;
            /* Above the tip, where it is highest. */
            double above = INFINITY;
            for (uint32_t i = 0; i < scene.triangle_count; ++i) {
                struct vec3 p[3];
                for (uint32_t n = 0; n < 3; ++n)
                    p[n] = feature_vertex(&scene, scene.triangles[3 * i + n]);
                above = fmin(above, feature_gap_of(tip, tip, p, 3).distance);
            }
            least = fmin(least, above);
        }
        printf("%s spike, %s m/s: tip %.4f m off, seen %.3f\n", open ? "open" : "closed", fast ? "18" : "0.6",
               least, seen);
        CHECK(least >= THICKNESS - 1e-3);
        CHECK(seen > 0.1);
        feature_scene_destroy(&scene);
    }
}

/* ---- overlaps and teleports ---- */

/* A corner that is 3 cm through a cell at the start comes back slowly and leaves no speed. */
static void overlap_at_the_start_leaves_at_max_depenetration(void) {
    struct pbd_world_settings settings = weightless(10);
    settings.max_depenetration = 0.3f;
    struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
    cloth.stretch_compliance = 1e-2f;
    struct feature_scene scene = feature_scene_create(&settings, 5, 1.0, false, &cloth);
    struct pbd_shape box = {.type = PBD_BOX, .half_extents = {0.1f, 0.1f, 0.1f}};
    /* The diagonal is 0.1732 long. */
    feature_scene_add(&scene, box, (float[]){0.04f, -0.1432f, 0.07f}, corner_up, 0.0f);
    double before = nearest_inside(&scene), fastest = 0.0;
    int ticks = 0;
    while (nearest_inside(&scene) < THICKNESS - 5e-4 && ticks < 60) {
        pbd_world_step(scene.world);
        ++ticks;
        for (uint32_t v = 0; v < scene.vertex_count; ++v) {
            struct point u = vertex_velocity(scene.world, scene.cloth, v);
            fastest = fmax(fastest, sqrt(u.x * u.x + u.y * u.y + u.z * u.z));
        }
    }
    printf("corner %.4f m inside is out after %d ticks, largest speed %.3f m/s\n", -before, ticks, fastest);
    /* 3.5 cm at 0.3 m/s take 7 ticks. */
    CHECK(before < -0.005);
    CHECK(ticks >= 6 && ticks < 20);
    CHECK(fastest < 0.6);
    feature_scene_destroy(&scene);
}

static void teleport_passes_without_touching(void) {
    struct pbd_shape shapes[] = {{.type = PBD_SPHERE, .radius = 0.02f},
                                 {.type = PBD_BOX, .half_extents = {0.2f, 0.1f, 0.2f}}};
    for (int k = 0; k < 2; ++k) {
        uint64_t hash[2];
        for (int jump = 0; jump < 2; ++jump) {
            struct pbd_world_settings settings = weightless(10);
            struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
            struct feature_scene scene = feature_scene_create(&settings, 5, 1.0, false, &cloth);
            const float below[3] = {0.04f, -0.5f, 0.07f}, above[3] = {0.04f, 0.5f, 0.07f};
            feature_scene_add(&scene, shapes[k], jump == 1 ? below : above, NULL, 0.3f);
            step_ticks_awake(scene.world, 2);
            CHECK_INT(pbd_collider_move(scene.world, scene.collider, above, NULL, 0, true), PBD_OK);
            step_ticks_awake(scene.world, 10);
            hash[jump] = pbd_world_state_hash(scene.world);
            feature_scene_destroy(&scene);
        }
        CHECK(hash[0] == hash[1]);
    }
}

/* ---- and ---- */

static void snapshot_in_mid_contact_restores_bit_for_bit(void) {
    struct pbd_world_settings settings = pbd_default_world_settings();
    struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
    struct feature_scene scene = feature_scene_create(&settings, 5, 1.0, false, &cloth);
    struct pbd_shape box = {.type = PBD_BOX, .half_extents = {0.1f, 0.1f, 0.1f}};
    feature_scene_add(&scene, box, (float[]){0.04f, -0.2f, 0.07f}, corner_up, 0.5f);
    feature_scene_move(&scene, (float[]){0.1f, 0.0f, 0.0f}, 40);
    step_ticks(scene.world, 20);
    pbd_snapshot *snapshot = pbd_world_snapshot(scene.world);
    step_ticks(scene.world, 20);
    uint64_t first = pbd_world_state_hash(scene.world);
    CHECK_INT(pbd_world_restore(scene.world, snapshot), PBD_OK);
    step_ticks(scene.world, 20);
    CHECK(pbd_world_state_hash(scene.world) == first);
    pbd_snapshot_destroy(snapshot);
    feature_scene_destroy(&scene);
}

/* A ball smaller than a cell flies into its middle: what it loses the sheet gains. */
static void momentum_is_kept_between_the_vertices(void) {
    struct pbd_world_settings settings = quiet_settings();
    settings.solver.substeps = 20;
    struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
    struct feature_scene scene = feature_scene_create(&settings, 5, 1.0, false, &cloth);
    struct pbd_collider_def def = pbd_default_collider_def();
    def.shape = (struct pbd_shape){.type = PBD_SPHERE, .radius = 0.02f};
    def.motion = PBD_DYNAMIC;
    def.mass = 0.05f;
    def.position[0] = 0.04f;
    def.position[1] = -0.1f;
    def.position[2] = 0.07f;
    def.velocity[1] = 5.0f;
    CHECK_INT(pbd_collider_add(scene.world, &def, &scene.collider), PBD_OK);
    double worst = 0.0, left = 0.0;
    const struct pbd_fabric *fabric = pbd_cloth_fabric(scene.world, scene.cloth);
    for (int t = 0; t < 12; ++t) {
        pbd_world_step(scene.world);
        struct pbd_collider_state ball;
        CHECK_INT(pbd_collider_get(scene.world, scene.collider, &ball), PBD_OK);
        struct pbd_cloth_view view;
        CHECK_INT(pbd_cloth_get_view(scene.world, scene.cloth, &view), PBD_OK);
        double y = 0.05 * (double)ball.velocity[1];
        for (uint32_t i = 0; i < view.particle_count; ++i)
            y += (double)fabric->mass[i] * (double)view.vy[i];
        worst = fmax(worst, fabs(y - 0.25) / 0.25);
        left = (double)ball.velocity[1] / 5.0;
    }
    printf("momentum off by %.1e, the ball keeps %.2f of its speed\n", worst, left);
    CHECK(worst <= 1e-3);
    CHECK(left < 0.9);
    CHECK(nearest_inside(&scene) >= THICKNESS - 1e-3);
    feature_scene_destroy(&scene);
}

RUN_TESTS(TEST(corner_is_caught_from_both_sides), TEST(small_shapes_are_caught),
          TEST(edge_is_caught_by_edges), TEST(turning_box_hits_between_the_vertices),
          TEST(draped_coarse_sheet_rests), TEST(rope_and_net_catch_between_their_vertices),
          TEST(spike_of_a_mesh_is_caught), TEST(overlap_at_the_start_leaves_at_max_depenetration),
          TEST(teleport_passes_without_touching), TEST(snapshot_in_mid_contact_restores_bit_for_bit),
          TEST(momentum_is_kept_between_the_vertices))
