/* Folded cloth comes to rest on a plane without passing through itself (physics.md §10.11):
 * a strip folded once, a strip that falls upright and folds as it comes down, and a sheet of
 * 22×62 vertices folded in four. Slow builds see their first part. */
#include "check.h"
#include "crossings.h"

#if defined(__SANITIZE_ADDRESS__) || !defined(__OPTIMIZE__)
#define SLOW_BUILD true
#else
#define SLOW_BUILD false
#endif

struct folded {
    pbd_world *world;
    pbd_cloth_id cloth;
    uint32_t vertex_count;
};

/* A sheet of nx × ny vertices, its x bent by `bend` to (x, y) of a point at u from its end. */
static struct folded folded_create(uint32_t nx, uint32_t ny, double length, double width, int folds,
                                   void (*bend)(double u, double length, int folds, float *x, float *y)) {
    struct pbd_world_settings settings = pbd_default_world_settings();
    struct folded folded = {.world = pbd_world_create(&settings)};
    struct sheet sheet = sheet_create(nx, ny, length, width);
    pbd_fabric *fabric = sheet_fabric(&sheet, 0.2f);
    for (uint32_t v = 0; v < sheet.vertex_count; ++v) {
        float *p = sheet.positions + 3 * v;
        bend((double)p[0] + length / 2, length, folds, &p[0], &p[1]);
    }
    struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
    cloth.self_collision = true;
    folded.cloth = cloth_from(folded.world, fabric, sheet.positions, &cloth, NULL, 0);
    folded.vertex_count = sheet.vertex_count;
    sheet_destroy(&sheet);
    struct pbd_collider_def def = pbd_default_collider_def();
    def.shape = (struct pbd_shape){.type = PBD_PLANE, .normal = {0.0f, 1.0f, 0.0f}};
    def.friction = 0.5f;
    pbd_collider_id id;
    CHECK_INT(pbd_collider_add(folded.world, &def, &id), PBD_OK);
    return folded;
}

/* Level legs one above the other, joined by half circles. */
static void to_and_fro(double u, double length, int folds, float *x, float *y) {
    const double radius = 0.015, arc = acos(-1.0) * radius, leg = (length - folds * arc) / (folds + 1);
    int k = 0;
    for (; u > leg && k < folds; ++k) {
        u -= leg;
        if (u <= arc) {
            double angle = u / radius;
            *x = (float)((k % 2 ? 0.0 : leg) + (k % 2 ? -radius : radius) * sin(angle));
            *y = (float)(0.01 + 2 * radius * k + radius * (1.0 - cos(angle)));
            return;
        }
        u -= arc;
    }
    *x = (float)(k % 2 ? leg - u : u);
    *y = (float)(0.01 + 2 * radius * k);
}

/* Upright, leaning a little and waved. */
static void upright(double u, double length, int folds, float *x, float *y) {
    (void)length;
    (void)folds;
    *x = (float)(0.05 * u + 0.002 * sin(9.0 * u));
    *y = (float)(0.05 + u);
}

static double rms_speed(const struct folded *folded) {
    double sum = 0.0;
    for (uint32_t v = 0; v < folded->vertex_count; ++v) {
        struct point u = vertex_velocity(folded->world, folded->cloth, v);
        sum += u.x * u.x + u.y * u.y + u.z * u.z;
    }
    return sqrt(sum / folded->vertex_count);
}

static double highest(const struct folded *folded) {
    double high = 0.0;
    for (uint32_t v = 0; v < folded->vertex_count; ++v)
        high = fmax(high, vertex_position(folded->world, folded->cloth, v).y);
    return high;
}

static void comes_to_rest(const char *what, struct folded folded, int ticks, double low_enough) {
    CHECK_INT(crossings_of(folded.world, &folded.cloth, 1), 0);
    uint32_t most = 0;
    int last = SLOW_BUILD ? ticks / 20 : ticks;
    for (int tick = 1; tick <= last; ++tick) {
        step_ticks_awake(folded.world, 1);
        if (tick % 10 != 0) continue;
        uint32_t now = crossings_of(folded.world, &folded.cloth, 1);
        most = now > most ? now : most;
    }
    struct pbd_world_stats stats = pbd_world_get_stats(folded.world);
    printf("     %s: %u crossings at most, rms %.1e m/s after %.1f s, %u pairs touch, %.3f m high\n", what,
           most, rms_speed(&folded), last / 60.0, stats.self_contacts, highest(&folded));
    CHECK_INT(most, 0);
    CHECK(SLOW_BUILD || rms_speed(&folded) < 0.01);
    CHECK(SLOW_BUILD || stats.self_contacts > 0);
    CHECK(SLOW_BUILD || highest(&folded) < low_enough);
    pbd_world_destroy(folded.world);
}

static void strip_folded_once_rests(void) {
    comes_to_rest("strip of 41x6 folded once", folded_create(41, 6, 1.0, 0.15, 1, to_and_fro), 240, 0.1);
}

static void strip_that_falls_upright_folds_and_rests(void) {
    comes_to_rest("strip of 41x6 from upright", folded_create(41, 6, 1.0, 0.125, 0, upright), 300, 0.3);
}

static void sheet_of_22_by_62_folded_in_four_rests(void) {
    comes_to_rest("62x22 folded in four", folded_create(62, 22, 1.83, 0.63, 3, to_and_fro), 240, 0.15);
}

RUN_TESTS(TEST(strip_folded_once_rests), TEST(strip_that_falls_upright_folds_and_rests),
          TEST(sheet_of_22_by_62_folded_in_four_rests))
