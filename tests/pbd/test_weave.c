/* Warp and weft: which edge is which, and who can have them. */
#include "check.h"
#include "sheet.h"

#include "solve/weave.h"

static pbd_fabric *rows_fabric(const struct sheet *sheet, uint32_t cols) {
    struct pbd_mesh_def def = pbd_default_mesh_def();
    def.positions = sheet->positions;
    def.vertex_count = sheet->vertex_count;
    def.face_vertices = sheet->triangles;
    def.face_count = sheet->triangle_count;
    def.cols = cols;
    pbd_fabric *fabric = NULL;
    CHECK_INT(pbd_mesh_import(&def, &fabric, NULL), PBD_OK);
    return fabric;
}

static pbd_cloth_id add_sheet(pbd_world *world, uint32_t cols, const struct pbd_cloth_settings *settings) {
    struct sheet sheet = sheet_create(6, 5, 1, 1);
    pbd_cloth_id id = cloth_from(world, rows_fabric(&sheet, cols), sheet.positions, settings, NULL, 0);
    sheet_destroy(&sheet);
    return id;
}

/* 6×5 vertices: 25 edges in rows, 24 in columns, 20 diagonals. */
static void edges_are_told_apart(void) {
    struct pbd_world_settings quiet = quiet_settings();
    pbd_world *world = pbd_world_create(&quiet);
    struct pbd_cloth_settings settings = pbd_default_cloth_settings();
    settings.stretch_compliance = 1e-3f;
    settings.stretch_compliance_weft = 3e-3f;
    struct pbd_cloth *cloth = world_cloth(world, add_sheet(world, 6, &settings));
    const float h = 1.0f / 600.0f, unit = 1e-3f / (h * h);
    const float *alphas = weave_alphas(world, cloth, h);
    CHECK(alphas != NULL);
    int counts[3] = {0};
    for (uint32_t i = 0; alphas != NULL && i < cloth->fabric->stretch.count; ++i) {
        const uint32_t *vertex = cloth->fabric->view.particle_vertex;
        uint32_t a = vertex[cloth->fabric->stretch.a[i]], b = vertex[cloth->fabric->stretch.b[i]];
        int kind = a / 6 == b / 6 ? 0 : a % 6 == b % 6 ? 1 : 2;
        const double want[3] = {1, 3, 2};
        ++counts[kind];
        CHECK_NEAR(alphas[i] / unit, want[kind], 1e-6);
    }
    CHECK_INT(counts[0], 25);
    CHECK_INT(counts[1], 24);
    CHECK_INT(counts[2], 20);
    pbd_world_destroy(world);
}

static void equal_ones_are_plain_cloth(void) {
    uint64_t hashes[2];
    for (int i = 0; i < 2; ++i) {
        struct pbd_world_settings plain = pbd_default_world_settings();
        pbd_world *world = pbd_world_create(&plain);
        struct pbd_cloth_settings settings = pbd_default_cloth_settings();
        if (i == 1) settings.stretch_compliance_weft = settings.stretch_compliance;
        pbd_cloth_id id = add_sheet(world, 6, &settings);
        const uint32_t pins[2] = {0, 5};
        CHECK_INT(pbd_cloth_pin(world, id, pins, 2, NULL), PBD_OK);
        CHECK(world_cloth(world, id)->weave == NULL);
        step_ticks(world, 30);
        hashes[i] = pbd_world_state_hash(world);
        pbd_world_destroy(world);
    }
    CHECK(hashes[0] == hashes[1]);
}

static void cloth_without_rows_is_refused(void) {
    struct pbd_world_settings quiet = quiet_settings();
    pbd_world *world = pbd_world_create(&quiet);
    struct pbd_cloth_settings settings = pbd_default_cloth_settings();
    pbd_cloth_id id = add_sheet(world, 0, &settings);
    settings.stretch_compliance_weft = 1e-3f;
    CHECK_INT(pbd_cloth_set_settings(world, id, &settings), PBD_NO_ROWS);
    CHECK_INT(pbd_cloth_get_settings(world, id, &settings), PBD_OK);
    CHECK(settings.stretch_compliance_weft == PBD_SAME_AS_WARP);
    pbd_world_destroy(world);
}

static void changes_take_effect_at_once(void) {
    struct pbd_world_settings quiet = quiet_settings();
    pbd_world *world = pbd_world_create(&quiet);
    struct pbd_cloth_settings settings = pbd_default_cloth_settings();
    settings.stretch_compliance_weft = 1e-3f;
    pbd_cloth_id id = add_sheet(world, 6, &settings);
    struct pbd_cloth *cloth = world_cloth(world, id);
    float before = weave_alphas(world, cloth, 0.01f)[0];
    /* Another substep, another value; back again. */
    CHECK(weave_alphas(world, cloth, 0.005f)[0] != before);
    CHECK(weave_alphas(world, cloth, 0.01f)[0] == before);
    settings.stretch_compliance_weft = PBD_SAME_AS_WARP;
    CHECK_INT(pbd_cloth_set_settings(world, id, &settings), PBD_OK);
    CHECK(weave_alphas(world, cloth, 0.01f) == NULL);
    quiet.solver.method = PBD_METHOD_PBD;
    settings.stretch_compliance_weft = 1e-3f;
    CHECK_INT(pbd_cloth_set_settings(world, id, &settings), PBD_OK);
    pbd_world_set_settings(world, &quiet);
    CHECK(weave_alphas(world, cloth, 0.01f) == NULL);
    pbd_world_destroy(world);
}

static void a_snapshot_brings_the_weave_back(void) {
    struct pbd_world_settings plain = pbd_default_world_settings();
    pbd_world *world = pbd_world_create(&plain);
    struct pbd_cloth_settings settings = pbd_default_cloth_settings();
    settings.stretch_compliance_weft = 1e-2f;
    pbd_cloth_id id = add_sheet(world, 6, &settings);
    const uint32_t pins[2] = {0, 5};
    CHECK_INT(pbd_cloth_pin(world, id, pins, 2, NULL), PBD_OK);
    step_ticks(world, 10);
    pbd_snapshot *snapshot = pbd_world_snapshot(world);
    step_ticks(world, 10);
    uint64_t want = pbd_world_state_hash(world);
    CHECK_INT(pbd_world_restore(world, snapshot), PBD_OK);
    step_ticks(world, 10);
    CHECK(pbd_world_state_hash(world) == want);
    pbd_snapshot_destroy(snapshot);
    pbd_world_destroy(world);
}

RUN_TESTS(TEST(edges_are_told_apart), TEST(equal_ones_are_plain_cloth), TEST(cloth_without_rows_is_refused),
          TEST(changes_take_effect_at_once), TEST(a_snapshot_brings_the_weave_back))
