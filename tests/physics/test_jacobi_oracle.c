/* Method jacobi against the homework itself: GAMES103's loop in double precision,
 * written from its description alone (physics.md §4). */
#include "check.h"
#include "sheet.h"

#define N 21u
#define COUNT (N * N)
#define EDGES_MAX 1300u
#define PASSES 32

struct homework {
    double x[COUNT][3], v[COUNT][3], rest[EDGES_MAX];
    uint32_t edges[EDGES_MAX][2], edge_count;
    double sphere[3], radius;
};

static void add_edge(struct homework *h, uint32_t a, uint32_t b) {
    double square = 0;
    for (int k = 0; k < 3; ++k)
        square += (h->x[a][k] - h->x[b][k]) * (h->x[a][k] - h->x[b][k]);
    h->edges[h->edge_count][0] = a;
    h->edges[h->edge_count][1] = b;
    h->rest[h->edge_count++] = sqrt(square);
}

/* X[j·21+i] = (5 − 10i/20, 0, 5 − 10j/20); one diagonal per cell: 1240 unique edges. */
static void homework_start(struct homework *h) {
    memset(h, 0, sizeof *h);
    for (uint32_t j = 0; j < N; ++j)
        for (uint32_t i = 0; i < N; ++i) {
            h->x[j * N + i][0] = 5 - 10.0 * i / 20;
            h->x[j * N + i][2] = 5 - 10.0 * j / 20;
        }
    for (uint32_t j = 0; j < N; ++j)
        for (uint32_t i = 0; i < N; ++i) {
            uint32_t v = j * N + i;
            if (i + 1 < N) add_edge(h, v, v + 1);
            if (j + 1 < N) add_edge(h, v, v + N);
            if (i + 1 < N && j + 1 < N) add_edge(h, v, v + N + 1);
        }
}

static bool is_fixed(uint32_t v) {
    return v == 0 || v == 20;
}

static void homework_pass(struct homework *h, double dt) {
    static double sum[COUNT][3];
    static int count[COUNT];
    memset(sum, 0, sizeof sum);
    memset(count, 0, sizeof count);
    for (uint32_t e = 0; e < h->edge_count; ++e) {
        uint32_t a = h->edges[e][0], b = h->edges[e][1];
        double d[3], length = 0;
        for (int k = 0; k < 3; ++k) {
            d[k] = h->x[a][k] - h->x[b][k];
            length += d[k] * d[k];
        }
        length = sqrt(length);
        for (int k = 0; k < 3; ++k) {
            double middle = 0.5 * (h->x[a][k] + h->x[b][k]);
            sum[a][k] += middle + 0.5 * h->rest[e] * d[k] / length;
            sum[b][k] += middle - 0.5 * h->rest[e] * d[k] / length;
        }
        ++count[a];
        ++count[b];
    }
    for (uint32_t v = 0; v < COUNT; ++v) {
        if (is_fixed(v)) continue;
        for (int k = 0; k < 3; ++k) {
            double next = (0.2 * h->x[v][k] + sum[v][k]) / (0.2 + count[v]);
            h->v[v][k] += (next - h->x[v][k]) / dt;
            h->x[v][k] = next;
        }
    }
}

static uint32_t homework_tick(struct homework *h, double dt) {
    for (uint32_t v = 0; v < COUNT; ++v) {
        if (is_fixed(v)) continue;
        h->v[v][1] += -9.8 * dt;
        for (int k = 0; k < 3; ++k) {
            h->v[v][k] *= 0.99;
            h->x[v][k] += h->v[v][k] * dt;
        }
    }
    for (int i = 0; i < PASSES; ++i)
        homework_pass(h, dt);
    uint32_t touching = 0;
    for (uint32_t v = 0; v < COUNT; ++v) {
        double d[3], distance = 0;
        for (int k = 0; k < 3; ++k) {
            d[k] = h->x[v][k] - h->sphere[k];
            distance += d[k] * d[k];
        }
        distance = sqrt(distance);
        if (is_fixed(v) || distance > h->radius) continue;
        ++touching;
        for (int k = 0; k < 3; ++k) {
            double next = h->sphere[k] + h->radius * d[k] / distance;
            h->v[v][k] += (next - h->x[v][k]) / dt;
            h->x[v][k] = next;
        }
    }
    return touching;
}

struct scene {
    pbd_world *world;
    pbd_cloth_id cloth;
};

static struct scene start(const struct homework *h, const float *sphere_position, float radius) {
    struct pbd_world_settings settings = pbd_default_world_settings();
    settings.solver = (struct pbd_solver_settings){.method = PBD_METHOD_JACOBI,
                                                   .substeps = 1,
                                                   .iterations = PASSES,
                                                   .dt = 0.0333f,
                                                   .jacobi_weight = 0.2f,
                                                   .velocity_factor = 0.99f};
    struct scene scene = {.world = pbd_world_create(&settings)};
    static float positions[3 * COUNT];
    for (uint32_t v = 0; v < COUNT; ++v)
        for (uint32_t k = 0; k < 3; ++k)
            positions[3 * v + k] = (float)h->x[v][k];
    struct sheet sheet = sheet_create(N, N, 10, 10);
    const uint32_t pins[2] = {0, 20};
    struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
    pbd_fabric *fabric =
        fabric_from(positions, COUNT, sheet.triangles, sheet.triangle_count, NULL, 0, NULL, 0.2f);
    CHECK_INT(pbd_fabric_get_view(fabric).edge_count, 1240);
    scene.cloth = cloth_from(scene.world, fabric, positions, &cloth, pins, 2);
    sheet_destroy(&sheet);
    if (sphere_position != NULL) {
        struct pbd_collider_def def = pbd_default_collider_def();
        memcpy(def.position, sphere_position, sizeof def.position);
        def.shape.radius = radius;
        pbd_collider_id id;
        CHECK_INT(pbd_collider_add(scene.world, &def, &id), PBD_OK);
    }
    return scene;
}

static double worst_difference(const struct homework *h, const struct scene *scene) {
    double worst = 0;
    for (uint32_t v = 0; v < COUNT; ++v) {
        struct point p = vertex_position(scene->world, scene->cloth, v);
        worst = fmax(worst, fabs(p.x - h->x[v][0]));
        worst = fmax(worst, fmax(fabs(p.y - h->x[v][1]), fabs(p.z - h->x[v][2])));
    }
    return worst;
}

/* float32 against double. Positions near 10 m are read to 2.4e-7 (half an ulp of 5), and
 * the residual keeps the rest of them, so for 25 ticks nothing but that shows. Then the
 * sheet buckles, which multiplies any difference by a thousand: 1e-2 m of 10 m. */
static void hanging_sheet_follows_the_homework(void) {
    static struct homework h;
    homework_start(&h);
    CHECK_INT(h.edge_count, 1240);
    struct scene scene = start(&h, NULL, 0);
    for (int tick = 1; tick <= 100; ++tick) {
        homework_tick(&h, (double)0.0333f);
        step_ticks(scene.world, 1);
        CHECK_NEAR(worst_difference(&h, &scene), 0, tick <= 25 ? 4e-6 : 1e-2);
    }
    CHECK(h.x[440][1] < -3);
    pbd_world_destroy(scene.world);
}

/* The top of the sphere lies 0.3 m below the sheet, so that it is met before rounding
 * has grown. */
static void sheet_on_the_sphere_follows_the_homework(void) {
    static struct homework h;
    const float at[3] = {0.4f, -3.0f, 1.0f};
    homework_start(&h);
    for (int k = 0; k < 3; ++k)
        h.sphere[k] = (double)at[k];
    h.radius = (double)2.7f;
    struct scene scene = start(&h, at, 2.7f);
    uint32_t touched_early = 0, touched = 0;
    for (int tick = 1; tick <= 60; ++tick) {
        touched += homework_tick(&h, (double)0.0333f);
        if (tick <= 20) touched_early = touched;
        step_ticks(scene.world, 1);
        CHECK_NEAR(worst_difference(&h, &scene), 0, tick <= 20 ? 1e-5 : 2e-2);
        struct point v = vertex_velocity(scene.world, scene.cloth, 300);
        if (tick <= 20) CHECK_NEAR(v.y, h.v[300][1], 1e-3); /* 1e-5 m in dt */
    }
    CHECK(touched_early > 200);
    CHECK(touched > 1000);
    pbd_world_destroy(scene.world);
}

RUN_TESTS(TEST(hanging_sheet_follows_the_homework), TEST(sheet_on_the_sphere_follows_the_homework))
