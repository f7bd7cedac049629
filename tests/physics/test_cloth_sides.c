/* Two cloths keep their thickness from both sides (physics.md §10.11): a loose sheet flies
 * against a sheet that is held at its border, from above and from below. */
#include "check.h"
#include "crossings.h"

#if defined(__SANITIZE_ADDRESS__) || !defined(__OPTIMIZE__)
#define SLOW_BUILD true
#else
#define SLOW_BUILD false
#endif

#define THICKNESS 0.005
#define HELD 17u
#define LOOSE 11u

struct pair {
    pbd_world *world;
    pbd_cloth_id ids[2];
    uint32_t *triangles, triangle_count; /* of the held one */
};

static struct pair pair_create(double side, double speed, int substeps) {
    struct pbd_world_settings settings = pbd_default_world_settings();
    settings.gravity[1] = 0.0f;
    settings.solver.substeps = substeps;
    struct pair pair = {.world = pbd_world_create(&settings)};
    struct sheet held = sheet_create(HELD, HELD, 1.0, 1.0), loose = sheet_create(LOOSE, LOOSE, 0.6, 0.6);
    uint32_t pins[HELD * HELD], pin_count = 0;
    for (uint32_t j = 0; j < HELD; ++j)
        for (uint32_t i = 0; i < HELD; ++i)
            if (i == 0 || j == 0 || i == HELD - 1 || j == HELD - 1) pins[pin_count++] = j * HELD + i;
    struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
    pair.ids[0] = cloth_from(pair.world, sheet_fabric(&held, 0.2f), held.positions, &cloth, pins, pin_count);
    for (uint32_t v = 0; v < loose.vertex_count; ++v) {
        float *p = loose.positions + 3 * v;
        p[0] += 0.013f;
        p[1] = (float)(0.3 * side);
        p[2] += 0.007f;
    }
    struct pbd_cloth_def def = {
        .fabric = sheet_fabric(&loose, 0.2f), .positions = loose.positions, .settings = cloth};
    def.velocity[1] = (float)(-side * speed);
    CHECK_INT(pbd_cloth_add(pair.world, &def, &pair.ids[1]), PBD_OK);
    pbd_fabric_unref(def.fabric);
    pair.triangles = held.triangles;
    pair.triangle_count = held.triangle_count;
    free(held.positions);
    sheet_destroy(&loose);
    return pair;
}

/* m, of a point from the triangle's plane, > 0 above it (the sheet's triangles lie
 * counterclockwise from above); false where the foot is outside. */
static bool height_over(double t[3][3], const double p[3], double *height) {
    double e[3], f[3], s[3];
    for (int k = 0; k < 3; ++k) {
        e[k] = t[1][k] - t[0][k];
        f[k] = t[2][k] - t[0][k];
        s[k] = p[k] - t[0][k];
    }
    double ee = 0.0, ef = 0.0, ff = 0.0, es = 0.0, fs = 0.0;
    for (int k = 0; k < 3; ++k) {
        ee += e[k] * e[k];
        ef += e[k] * f[k];
        ff += f[k] * f[k];
        es += e[k] * s[k];
        fs += f[k] * s[k];
    }
    double square = ee * ff - ef * ef, u = (ff * es - ef * fs) / square, v = (ee * fs - ef * es) / square;
    if (u < 0.0 || v < 0.0 || u + v > 1.0) return false;
    const double n[3] = {e[1] * f[2] - e[2] * f[1], e[2] * f[0] - e[0] * f[2], e[0] * f[1] - e[1] * f[0]};
    *height = (n[0] * s[0] + n[1] * s[1] + n[2] * s[2]) / sqrt(square);
    return true;
}

/* The least distance of the loose sheet's vertices on the side they come from; < 0 when one
 * is on the other. INFINITY while none is over the held sheet. */
static double nearest(const struct pair *pair, double side) {
    double least = INFINITY;
    for (uint32_t v = 0; v < LOOSE * LOOSE; ++v) {
        struct point q = vertex_position(pair->world, pair->ids[1], v);
        double nearest_one = INFINITY;
        for (uint32_t i = 0; i < pair->triangle_count; ++i) {
            double t[3][3], height;
            for (int k = 0; k < 3; ++k) {
                struct point c =
                    vertex_position(pair->world, pair->ids[0], pair->triangles[3 * i + (uint32_t)k]);
                t[k][0] = c.x;
                t[k][1] = c.y;
                t[k][2] = c.z;
            }
            if (height_over(t, (double[3]){q.x, q.y, q.z}, &height) && fabs(height) < fabs(nearest_one))
                nearest_one = height;
        }
        if (isfinite(nearest_one)) least = fmin(least, nearest_one * side);
    }
    return least;
}

static void run(double speed, int substeps) {
    for (int side = -1; side <= 1; side += 2) {
        struct pair pair = pair_create(side, speed, substeps);
        double least = INFINITY;
        uint32_t crossed = 0, touched = 0;
        int ticks = SLOW_BUILD ? 4 : 60, before = (int)(0.3 / speed * 60.0) - 1;
        step_ticks_awake(pair.world, before);
        for (int tick = 0; tick < ticks; ++tick) {
            step_ticks_awake(pair.world, 1);
            least = fmin(least, nearest(&pair, side));
            crossed += crossings_of(pair.world, pair.ids, 2);
            touched += pbd_world_get_stats(pair.world).self_contacts;
        }
        printf("     %g m/s %s, %d substeps: no vertex nearer than %.5f m, %u crossings\n", speed,
               side > 0 ? "from above" : "from below", substeps, least, crossed);
        CHECK(touched > 0);
        CHECK(least >= 0.9 * THICKNESS);
        CHECK_INT(crossed, 0);
        free(pair.triangles);
        pbd_world_destroy(pair.world);
    }
}

static void slow_sheet_is_held_off_from_both_sides(void) {
    run(1.0, 10);
}

static void fast_sheet_is_held_off_from_both_sides(void) {
    run(10.0, 10);
}

RUN_TESTS(TEST(slow_sheet_is_held_off_from_both_sides), TEST(fast_sheet_is_held_off_from_both_sides))
