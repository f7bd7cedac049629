/* Pressure: which meshes hold it, its gradient, one projection, its place in a world. */
#include "balloon.h"
#include "check.h"

#include "solve/kernels.h"
#include "contact/surface.h"
#include "solve/pressure.h"

static pbd_cloth_id add_ball(pbd_world *world, double radius, uint32_t cells, float pressure) {
    struct solid ball = solid_ball(radius, cells);
    struct pbd_cloth_settings settings = pbd_default_cloth_settings();
    settings.pressure = pressure;
    pbd_cloth_id id = cloth_from(world, solid_fabric(&ball, 0.2f), ball.positions, &settings, NULL, 0);
    solid_free(&ball);
    return id;
}

static enum pbd_pressure answer_for(pbd_fabric *fabric) {
    enum pbd_pressure answer = pbd_fabric_pressure(fabric);
    pbd_fabric_unref(fabric);
    return answer;
}

/* A strip of 40×3 vertices joined to itself the other way round. */
static pbd_fabric *moebius(void) {
    float at[360];
    uint32_t triangles[3 * 160], *t = triangles;
    for (uint32_t i = 0; i < 40; ++i)
        for (uint32_t j = 0; j < 3; ++j) {
            double turn = 2 * acos(-1.0) * i / 40, out = 1 + 0.2 * (j - 1.0) * cos(turn / 2);
            at[9 * i + 3 * j] = (float)(out * cos(turn));
            at[9 * i + 3 * j + 1] = (float)(0.2 * (j - 1.0) * sin(turn / 2));
            at[9 * i + 3 * j + 2] = (float)(out * sin(turn));
        }
    for (uint32_t i = 0; i < 40; ++i)
        for (uint32_t j = 0; j < 2; ++j) {
            uint32_t a = 3 * i + j, b = a + 1;
            uint32_t c = i < 39 ? a + 3 : 2 - j, d = i < 39 ? b + 3 : 1 - j;
            const uint32_t corners[6] = {a, c, b, b, c, d};
            for (int k = 0; k < 6; ++k)
                *t++ = corners[k];
        }
    return fabric_from(at, 120, triangles, 160, NULL, 0, NULL, 0);
}

static void only_closed_two_sided_volumes_hold_pressure(void) {
    struct solid ball = solid_ball(0.5, 4);
    CHECK_INT(answer_for(solid_fabric(&ball, 0.2f)), PBD_PRESSURE_HOLDS);
    /* One triangle less: three border edges. */
    --ball.triangle_count;
    pbd_fabric *open = solid_fabric(&ball, 0.2f);
    CHECK_INT(pbd_fabric_report(open)->boundary_edges, 3);
    CHECK_INT(answer_for(open), PBD_PRESSURE_OPEN);
    solid_free(&ball);
    struct sheet sheet = sheet_create(5, 5, 1, 1);
    CHECK_INT(answer_for(sheet_fabric(&sheet, 0.2f)), PBD_PRESSURE_OPEN);
    sheet_destroy(&sheet);
    CHECK_INT(answer_for(moebius()), PBD_PRESSURE_OPEN);
    const float two[6] = {0, 0, 0, 1, 0, 0};
    const uint32_t edge[2] = {0, 1};
    CHECK_INT(answer_for(fabric_from(two, 2, NULL, 0, edge, 1, NULL, 0)), PBD_PRESSURE_OPEN);
}

/* Two tetrahedra at one edge, which then has four triangles. */
static void edges_of_more_than_two_triangles_hold_none(void) {
    const float at[18] = {0, 0, 0, 1, 0, 0, 0.5f, 1, 0.5f, 0.5f, 1, -0.5f, 0.5f, -1, 0.5f, 0.5f, -1, -0.5f};
    const uint32_t triangles[24] = {0, 1, 2, 0, 3, 1, 0, 2, 3, 1, 3, 2, 0, 4, 1, 0, 1, 5, 0, 5, 4, 1, 4, 5};
    struct pbd_mesh_def def = pbd_default_mesh_def();
    def.positions = at;
    def.vertex_count = 6;
    def.face_vertices = triangles;
    def.face_count = 8;
    def.allow_nonmanifold = true;
    pbd_fabric *fabric = NULL;
    CHECK_INT(pbd_mesh_import(&def, &fabric, NULL), PBD_OK);
    CHECK_INT(answer_for(fabric), PBD_PRESSURE_NONMANIFOLD);
}

/* A tube's ends joined the wrong way round: closed, one side (a Klein bottle). */
static void closed_without_an_inside_holds_none(void) {
    enum { N = 12 };
    float at[3 * N * N];
    uint32_t triangles[6 * N * N], *t = triangles;
    for (uint32_t i = 0; i < N; ++i)
        for (uint32_t j = 0; j < N; ++j) {
            double u = 2 * acos(-1.0) * i / N, v = 2 * acos(-1.0) * (j + 0.5) / N;
            double r = 2 + cos(u / 2) * sin(v) - sin(u / 2) * sin(2 * v);
            float *p = at + 3 * (i * N + j);
            p[0] = (float)(r * cos(u));
            p[1] = (float)(sin(u / 2) * sin(v) + cos(u / 2) * sin(2 * v));
            p[2] = (float)(r * sin(u));
            uint32_t next = (j + 1) % N, a = i * N + j, b = i * N + next;
            uint32_t c = i + 1 < N ? a + N : N - 1 - j, d = i + 1 < N ? b + N : N - 1 - next;
            const uint32_t corners[6] = {a, c, b, b, c, d};
            for (int k = 0; k < 6; ++k)
                *t++ = corners[k];
        }
    pbd_fabric *fabric = fabric_from(at, N * N, triangles, 2 * N * N, NULL, 0, NULL, 0);
    CHECK_INT(pbd_fabric_report(fabric)->boundary_edges, 0);
    CHECK_INT(answer_for(fabric), PBD_PRESSURE_ONE_SIDED);
}

/* Two sheets of 1 m², `gap` apart, with a rim. */
static enum pbd_pressure pillow(double gap) {
    struct solid box = solid_box(0.5, 0.5 * gap, 0.5, 4);
    enum pbd_pressure answer = answer_for(solid_fabric(&box, 0.2f));
    solid_free(&box);
    return answer;
}

static void a_flat_pillow_holds_none(void) {
    CHECK_INT(pillow(0.1), PBD_PRESSURE_HOLDS);
    CHECK_INT(pillow(1e-5), PBD_PRESSURE_FLAT);
}

static void the_world_refuses_and_changes_nothing(void) {
    struct pbd_world_settings quiet = quiet_settings();
    pbd_world *world = pbd_world_create(&quiet);
    struct sheet sheet = sheet_create(5, 5, 1, 1);
    struct pbd_cloth_settings settings = pbd_default_cloth_settings();
    pbd_cloth_id id = cloth_from(world, sheet_fabric(&sheet, 0.2f), sheet.positions, &settings, NULL, 0);
    settings.pressure = 1.0f;
    settings.friction = 0.77f;
    CHECK_INT(pbd_cloth_set_settings(world, id, &settings), PBD_PRESSURE_REFUSED);
    CHECK_INT(pbd_cloth_get_settings(world, id, &settings), PBD_OK);
    CHECK(settings.pressure == PBD_PRESSURE_OFF && settings.friction != 0.77f);
    settings.pressure = 1.0f;
    struct pbd_cloth_def def = {.positions = sheet.positions, .settings = settings};
    def.fabric = sheet_fabric(&sheet, 0.2f);
    pbd_cloth_id other = 0;
    CHECK_INT(pbd_cloth_add(world, &def, &other), PBD_PRESSURE_REFUSED);
    CHECK_INT(other, 0);
    pbd_fabric_unref(def.fabric);
    sheet_destroy(&sheet);
    pbd_world_destroy(world);
}

static void pressure_off_takes_no_memory_and_counts_nothing(void) {
    struct pbd_world_settings quiet = quiet_settings();
    pbd_world *world = pbd_world_create(&quiet);
    pbd_cloth_id id = add_ball(world, 0.5, 4, PBD_PRESSURE_OFF);
    CHECK(world_cloth(world, id)->pressure == NULL && world_cloth(world, id)->triangles == NULL);
    uint32_t before = pbd_world_get_stats(world).constraints;
    struct pbd_cloth_settings settings;
    CHECK_INT(pbd_cloth_get_settings(world, id, &settings), PBD_OK);
    settings.pressure = 1.0f;
    CHECK_INT(pbd_cloth_set_settings(world, id, &settings), PBD_OK);
    CHECK_INT(pbd_world_get_stats(world).constraints, before + 1);
    settings.pressure = PBD_PRESSURE_OFF;
    CHECK_INT(pbd_cloth_set_settings(world, id, &settings), PBD_OK);
    CHECK_INT(pbd_world_get_stats(world).constraints, before);
    pbd_world_destroy(world);
}

/* A shaken ball: the kernels' gradient against central differences of C in double. C is of
 * degree 1 in each coordinate alone, so that these are exact but for rounding. */
static double sum_of(const struct pbd_cloth *cloth, double (*at)[3]) {
    double sum = 0;
    for (uint32_t t = 0; t < cloth->surface->triangle_count; ++t) {
        const uint32_t *c = cloth->surface->triangles + 3 * t;
        const double *p = at[c[0]], *q = at[c[1]], *r = at[c[2]];
        sum += (p[1] * q[2] - p[2] * q[1]) * r[0] + (p[2] * q[0] - p[0] * q[2]) * r[1] +
               (p[0] * q[1] - p[1] * q[0]) * r[2];
    }
    return sum;
}

static void the_gradient_is_that_of_finite_differences(void) {
    struct pbd_world_settings quiet = quiet_settings();
    pbd_world *world = pbd_world_create(&quiet);
    pbd_cloth_id id = add_ball(world, 0.5, 3, 1.0f);
    struct pbd_cloth *cloth = world_cloth(world, id);
    static double at[128][3];
    static float g[3][128], u[3][128];
    struct random random = {4};
    const float *x[3] = {cloth->state.x, cloth->state.y, cloth->state.z};
    for (uint32_t p = 0; p < cloth->fabric->particle_count; ++p)
        for (int k = 0; k < 3; ++k) {
            u[k][p] = (float)random_between(&random, -0.05, 0.05);
            at[p][k] = (double)x[k][p] + u[k][p];
        }
    struct pressure_pass pass = {
        .x = {x[0], x[1], x[2]}, .u = {u[0], u[1], u[2]}, .w = cloth->state.w, .g = {g[0], g[1], g[2]}};
    world->kernels->pressure_gradient(&pass, cloth->triangles);
    double worst = 0, largest = 0;
    for (uint32_t p = 0; p < cloth->fabric->particle_count; ++p)
        for (int k = 0; k < 3; ++k) {
            const double step = 1e-4, here = at[p][k];
            at[p][k] = here + step;
            double up = sum_of(cloth, at);
            at[p][k] = here - step;
            double down = sum_of(cloth, at);
            at[p][k] = here;
            worst = fmax(worst, fabs(g[k][p] - (up - down) / (2 * step)));
            largest = fmax(largest, fabs(g[k][p]));
        }
    struct pressure_sums sums = world->kernels->pressure_sum(&pass, NULL, cloth->fabric->padded_count);
    double value = sum_of(cloth, at);
    printf("     gradient off by %.1e of %.3f, value by %.1e\n", worst, largest,
           fabs(sums.moment / 3 / value - 1));
    /* Six products and their sums at float32 around a vertex: 1e-6 of it. */
    CHECK_NEAR(worst, 0, 1e-6 * largest);
    CHECK_NEAR(sums.moment / 3, value, 1e-6 * value);
    pbd_world_destroy(world);
}

/* One projection alone (one substep, everything else off), of a ball moved and blown out of
 * shape: ΣmΔp and Σp×mΔp vanish to 1e-6 of Σm|Δp| (·size). */
static void a_projection_keeps_both_momenta(void) {
    struct pbd_world_settings quiet = quiet_settings();
    quiet.solver.substeps = 1;
    pbd_world *world = pbd_world_create(&quiet);
    pbd_cloth_id id = add_ball(world, 0.5, 4, 1.3f);
    struct pbd_cloth_settings settings;
    CHECK_INT(pbd_cloth_get_settings(world, id, &settings), PBD_OK);
    settings.stretch_compliance = settings.bend_compliance = PBD_COMPLIANCE_OFF;
    CHECK_INT(pbd_cloth_set_settings(world, id, &settings), PBD_OK);
    struct pbd_cloth *cloth = world_cloth(world, id);
    struct random random = {9};
    float *start = malloc(3 * sizeof *start * cloth->fabric->view.vertex_count);
    for (uint32_t v = 0; v < cloth->fabric->view.vertex_count; ++v) {
        struct point p = vertex_position(world, id, v);
        start[3 * v] = (float)(1.2 * p.x + random_between(&random, -0.02, 0.02));
        start[3 * v + 1] = (float)(0.8 * p.y + random_between(&random, -0.02, 0.02));
        start[3 * v + 2] = (float)(p.z + random_between(&random, -0.02, 0.02));
    }
    CHECK_INT(pbd_cloth_set_state(world, id, start, NULL), PBD_OK);
    step_ticks_awake(world, 1);
    double momentum[3] = {0}, turn[3] = {0}, size = 0;
    const struct cloth_state *s = &cloth->state;
    for (uint32_t p = 0; p < cloth->fabric->particle_count; ++p) {
        double m = cloth->fabric->mass[p];
        const double x[3] = {s->x[p], s->y[p], s->z[p]}, v[3] = {s->vx[p], s->vy[p], s->vz[p]};
        for (int k = 0; k < 3; ++k) {
            momentum[k] += m * v[k];
            turn[k] += m * (x[(k + 1) % 3] * v[(k + 2) % 3] - x[(k + 2) % 3] * v[(k + 1) % 3]);
        }
        size += m * sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    }
    CHECK(size > 0);
    for (int k = 0; k < 3; ++k) {
        CHECK_NEAR(momentum[k], 0, 1e-6 * size);
        CHECK_NEAR(turn[k], 0, 1e-6 * size);
    }
    free(start);
    pbd_world_destroy(world);
}

/* Everything pinned: nothing to move, and no division by nothing. */
static void a_pinned_ball_stays(void) {
    struct pbd_world_settings quiet = quiet_settings();
    pbd_world *world = pbd_world_create(&quiet);
    pbd_cloth_id id = add_ball(world, 0.5, 2, 2.0f);
    uint32_t count = pbd_fabric_get_view(pbd_cloth_fabric(world, id)).vertex_count, pins[64];
    for (uint32_t v = 0; v < count; ++v)
        pins[v] = v;
    CHECK_INT(pbd_cloth_pin(world, id, pins, count, NULL), PBD_OK);
    uint64_t before = pbd_world_state_hash(world);
    step_ticks_awake(world, 5);
    CHECK(pbd_world_state_hash(world) == before);
    pbd_world_destroy(world);
}

static void a_snapshot_brings_pressure_back(void) {
    struct pbd_world_settings settings = pbd_default_world_settings();
    pbd_world *world = pbd_world_create(&settings);
    pbd_cloth_id id = add_ball(world, 0.5, 4, 1.2f);
    step_ticks(world, 10);
    pbd_snapshot *snapshot = pbd_world_snapshot(world);
    step_ticks(world, 10);
    uint64_t want = pbd_world_state_hash(world);
    CHECK_INT(pbd_cloth_remove(world, id), PBD_OK);
    CHECK_INT(pbd_world_restore(world, snapshot), PBD_OK);
    step_ticks(world, 10);
    CHECK(pbd_world_state_hash(world) == want);
    pbd_snapshot_destroy(snapshot);
    pbd_world_destroy(world);
}

static void the_homework_knows_no_pressure(void) {
    struct pbd_world_settings settings = quiet_settings();
    settings.solver.method = PBD_METHOD_JACOBI;
    pbd_world *world = pbd_world_create(&settings);
    pbd_cloth_id id = add_ball(world, 0.5, 3, 2.0f);
    CHECK_INT(pressure_count(world, world_cloth(world, id)), 0);
    step_ticks_awake(world, 3);
    CHECK_NEAR(pbd_world_get_stats(world).kinetic_energy, 0, 1e-9);
    pbd_world_destroy(world);
}

RUN_TESTS(TEST(only_closed_two_sided_volumes_hold_pressure), TEST(edges_of_more_than_two_triangles_hold_none),
          TEST(closed_without_an_inside_holds_none), TEST(a_flat_pillow_holds_none),
          TEST(the_world_refuses_and_changes_nothing), TEST(pressure_off_takes_no_memory_and_counts_nothing),
          TEST(the_gradient_is_that_of_finite_differences), TEST(a_projection_keeps_both_momenta),
          TEST(a_pinned_ball_stays), TEST(a_snapshot_brings_pressure_back),
          TEST(the_homework_knows_no_pressure))
