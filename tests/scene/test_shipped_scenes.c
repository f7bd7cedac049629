/* The scenes in server/scenes: each loads, moves, stays finite and whole, and touches
 * what it was made to touch. Short runs: whether they look good is for eyes. */
#include "check.h"

#include <stdlib.h>

#include "support_files.h"

#define SCENES SOURCE_DIR "/server/scenes"

struct run {
    pbd_world *world;
    pbd_cloth_id cloth;
    struct pbd_mesh_report report;
    uint32_t events;
};

static struct run start(const char *name) {
    struct scene_source source;
    struct wire_error error = {0};
    struct run run = {0};
    CHECK_INT(scene_read(SCENES, name, &source, &error), 0);
    struct wire_request *request = decode_scene(source.text);
    const struct wire_scene *scene = request->params;
    CHECK(scene->has_title == WIRE_PRESENT && scene->title[0] != '\0');
    CHECK(scene->has_description == WIRE_PRESENT && scene->has_view == WIRE_PRESENT);
    struct pbd_world_settings settings = pbd_default_world_settings();
    if (scene->has_world == WIRE_PRESENT) scene_world_settings_apply(&settings, &scene->world);
    run.world = pbd_world_create(&settings);
    for (uint32_t i = 0; i < scene->cloths_count; ++i) {
        struct scene_cloth cloth;
        CHECK_INT(scene_cloth_build(&scene->cloths[i], source.base_dir, 500000, &cloth, &error), 0);
        struct pbd_cloth_def def = scene_cloth_def(&cloth);
        CHECK_INT(pbd_cloth_add(run.world, &def, &run.cloth), PBD_OK);
        run.report = *pbd_fabric_report(cloth.fabric);
        scene_cloth_free(&cloth);
    }
    for (uint32_t i = 0; i < scene->colliders_count; ++i) {
        struct pbd_collider_def def;
        pbd_collider_id id;
        CHECK_INT(scene_collider_build(&scene->colliders[i], source.base_dir, 500000, &def, &error), 0);
        CHECK_INT(pbd_collider_add(run.world, &def, &id), PBD_OK);
        scene_collider_free(&def);
    }
    wire_request_destroy(request);
    scene_source_free(&source);
    return run;
}

static void go(struct run *run, int ticks) {
    const struct pbd_event *events;
    for (int k = 0; k < ticks; ++k) {
        pbd_world_step(run->world);
        run->events += pbd_world_events(run->world, &events);
    }
}

static double lowest(const struct run *run) {
    struct pbd_cloth_view view;
    CHECK_INT(pbd_cloth_get_view(run->world, run->cloth, &view), PBD_OK);
    double y = INFINITY;
    for (uint32_t i = 0; i < view.particle_count; ++i)
        y = fmin(y, (double)view.y[i]);
    return y;
}

/* No overlap, no precision loss, nothing frozen, edges not torn apart. */
static void check_sound(struct run *run, double strain) {
    struct pbd_world_stats stats = pbd_world_get_stats(run->world);
    CHECK_INT(run->events, 0);
    CHECK((double)stats.max_strain < strain);
    CHECK(isfinite(stats.kinetic_energy));
    pbd_world_destroy(run->world);
}

static void games103_swings_onto_its_sphere(void) {
    struct run run = start("games103");
    go(&run, 60);
    CHECK(pbd_world_get_stats(run.world).contacts > 0);
    CHECK(lowest(&run) < -5.0);
    check_sound(&run, 3.0); /* the homework's Jacobi passes stretch a lot */
}

static void drape_lies_on_ball_and_floor(void) {
    struct run run = start("drape");
    go(&run, 60);
    CHECK_NEAR(lowest(&run), 0.005, 1e-6);
    CHECK(pbd_world_get_stats(run.world).contacts > 300);
    check_sound(&run, 0.5);
}

static void curtain_has_pleats_and_hangs(void) {
    struct run run = start("curtain");
    CHECK_INT(run.report.particles, 3589);
    go(&run, 60);
    CHECK(lowest(&run) > 0.1);
    check_sound(&run, 0.5);
}

static void dress_is_sewn_and_stays_on_the_shoulders(void) {
    struct run run = start("dress");
    CHECK(run.report.vertices >= 1000);
    CHECK_INT(run.report.welded, 45);
    CHECK_INT(run.report.components, 1);
    /* Two round borders, none along the seam. */
    CHECK_INT(run.report.boundary_edges, 2 * 48);
    go(&run, 60);
    CHECK(lowest(&run) > 0.35);
    CHECK(pbd_world_get_stats(run.world).contacts > 40);
    check_sound(&run, 1.0);
}

static void sheet128_has_16384_vertices_and_moves(void) {
    struct run run = start("sheet128");
    CHECK_INT(run.report.vertices, 16384);
    double before = lowest(&run);
    go(&run, 8);
    CHECK(lowest(&run) < before - 0.05);
    check_sound(&run, 0.5);
}

static void all_of_them_are_listed(void) {
    static const char *const names[] = {"balloon", "barrel",     "bunny",    "curtain", "drape",
                                        "dress",   "flag",       "games103", "net",     "sheet128",
                                        "stack",   "tablecloth", "twist"};
    struct scene_list list;
    CHECK_INT(scene_list_read(SCENES, &list), 0);
    CHECK_INT(list.count, sizeof names / sizeof names[0]);
    for (uint32_t k = 0; k < list.count && k < sizeof names / sizeof names[0]; ++k) {
        CHECK_STRING(list.entries[k].name, names[k]);
        CHECK(list.entries[k].title[0] != '\0' && list.entries[k].description[0] != '\0');
    }
    scene_list_free(&list);
}

RUN_TESTS(TEST(games103_swings_onto_its_sphere), TEST(drape_lies_on_ball_and_floor),
          TEST(curtain_has_pleats_and_hangs), TEST(dress_is_sewn_and_stays_on_the_shoulders),
          TEST(sheet128_has_16384_vertices_and_moves), TEST(all_of_them_are_listed))
