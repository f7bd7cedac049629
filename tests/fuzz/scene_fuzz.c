/* Bytes as a scene: decoded, its cloths and colliders built, put into a world and run
 * for a few ticks. Whatever the table accepts must neither end the process nor leave a
 * number that is not finite. */
#include <pbd/pbd.h>
#include <scene/scene.h>
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_VERTICES = 400, MAX_OBJECTS = 8, TICKS = 3, MAX_WORK = 40 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_finite(const pbd_world *world, pbd_cloth_id id) {
    struct pbd_cloth_view view;
    int result = pbd_cloth_get_view(world, id, &view);
    assert(result == PBD_OK);
    (void)result;
    for (uint32_t i = 0; i < view.particle_count; ++i) {
        assert(isfinite(view.x[i]) && isfinite(view.y[i]) && isfinite(view.z[i]));
        assert(isfinite(view.vx[i]) && isfinite(view.vy[i]) && isfinite(view.vz[i]));
    }
}

static void add_cloths(pbd_world *world, const struct wire_scene *scene, pbd_cloth_id *ids, uint32_t *count) {
    for (uint32_t i = 0; i < scene->cloths_count && i < MAX_OBJECTS; ++i) {
        struct wire_error error = {0};
        struct scene_cloth cloth;
        if (scene_cloth_build(&scene->cloths[i], NULL, MAX_VERTICES, &cloth, &error) != 0) {
            free(error.data_json);
            continue;
        }
        struct pbd_cloth_def def = scene_cloth_def(&cloth);
        if (pbd_cloth_add(world, &def, &ids[*count]) == PBD_OK) ++*count;
        scene_cloth_free(&cloth);
    }
}

static void add_colliders(pbd_world *world, const struct wire_scene *scene) {
    for (uint32_t i = 0; i < scene->colliders_count && i < MAX_OBJECTS; ++i) {
        struct wire_error error = {0};
        struct pbd_collider_def def;
        pbd_collider_id id;
        if (scene_collider_build(&scene->colliders[i], NULL, MAX_VERTICES, &def, &error) == 0) {
            (void)pbd_collider_add(world, &def, &id);
            scene_collider_free(&def);
        } else {
            free(error.data_json);
        }
    }
}

static void run(const struct wire_scene *scene) {
    struct pbd_world_settings settings = pbd_default_world_settings();
    if (scene->has_world == WIRE_PRESENT) scene_world_settings_apply(&settings, &scene->world);
    /* What is slow by order is no finding. */
    if (settings.solver.iterations * settings.solver.substeps > MAX_WORK) settings.solver.iterations = 1;
    pbd_world *world = pbd_world_create(&settings);
    if (!world) return;
    pbd_cloth_id ids[MAX_OBJECTS];
    uint32_t count = 0;
    add_cloths(world, scene, ids, &count);
    add_colliders(world, scene);
    for (int tick = 0; tick < TICKS; ++tick)
        pbd_world_step(world);
    for (uint32_t i = 0; i < count; ++i)
        check_finite(world, ids[i]);
    (void)pbd_world_state_hash(world);
    pbd_world_destroy(world);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1);
    if (!text) return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    struct wire_error error = {0};
    struct wire_request *request = wire_scene_decode(text, size, &error);
    if (request) {
        run(request->params);
        wire_request_destroy(request);
    } else {
        free(error.data_json);
    }
    free(text);
    return 0;
}
