/* Out of memory at any allocation: the request fails, nothing changes, the world lives.
 * The n-th allocation is refused for n = 1, 2, 3 … until the request needs no more.
 * Sanitizers bring their own allocator, so there the requests run once, unrefused. */
#include "check.h"
#include "sheet.h"

#include <pbd/collision_mesh.h>

#include <errno.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED
#endif
#endif

/* 0: nothing is refused; otherwise allocations until the one that is. */
static unsigned long refuse_after;
static bool refused;

#ifndef SANITIZED
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static bool refuse(void) {
    if (refuse_after == 0 || --refuse_after > 0) return false;
    refused = true;
    errno = ENOMEM;
    return true;
}

void *malloc(size_t size) {
    return refuse() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    return refuse() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
    return refuse() ? NULL : __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    return refuse() ? NULL : __libc_memalign(alignment, size);
}
#endif

struct scene {
    pbd_world *world;
    pbd_cloth_id cloth;
    pbd_collider_id ball;
    struct sheet sheet;
    pbd_fabric *fabric;
    pbd_snapshot *snapshot;
};

static struct scene start(void) {
    struct pbd_world_settings settings = pbd_default_world_settings();
    struct scene scene = {.world = pbd_world_create(&settings), .sheet = sheet_create(6, 5, 1, 1)};
    struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
    const uint32_t pin = 3;
    scene.fabric = sheet_fabric(&scene.sheet, 0.2f);
    scene.cloth =
        cloth_from(scene.world, pbd_fabric_ref(scene.fabric), scene.sheet.positions, &cloth, &pin, 1);
    struct pbd_collider_def def = pbd_default_collider_def();
    def.position[1] = -0.6f;
    CHECK_INT(pbd_collider_add(scene.world, &def, &scene.ball), PBD_OK);
    step_ticks(scene.world, 3);
    scene.snapshot = pbd_world_snapshot(scene.world);
    step_ticks(scene.world, 3);
    return scene;
}

static void finish(struct scene *scene) {
    pbd_snapshot_destroy(scene->snapshot);
    pbd_fabric_unref(scene->fabric);
    sheet_destroy(&scene->sheet);
    pbd_world_destroy(scene->world);
}

static int add_cloth(struct scene *scene) {
    const uint32_t pins[2] = {0, 5};
    struct pbd_cloth_def def = {.fabric = scene->fabric, .positions = scene->sheet.positions, .pins = pins};
    def.pin_count = 2;
    def.settings = pbd_default_cloth_settings();
    pbd_cloth_id id;
    return pbd_cloth_add(scene->world, &def, &id);
}

static int add_tethered_balloon(struct scene *scene) {
    struct pbd_mesh_def mesh = pbd_default_mesh_def();
    static const float at[18] = {1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1};
    static const uint32_t triangles[24] = {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4,
                                           2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5};
    mesh.positions = at;
    mesh.vertex_count = 6;
    mesh.face_vertices = triangles;
    mesh.face_count = 8;
    struct pbd_cloth_def def = {.positions = at, .settings = pbd_default_cloth_settings()};
    def.settings.pressure = 1.1f;
    def.settings.tethers = true;
    int result = pbd_mesh_import(&mesh, &def.fabric, NULL);
    pbd_cloth_id id;
    if (result == PBD_OK) result = pbd_cloth_add(scene->world, &def, &id);
    pbd_fabric_unref(def.fabric);
    return result;
}

static int set_tethers(struct scene *scene) {
    struct pbd_cloth_settings settings;
    CHECK_INT(pbd_cloth_get_settings(scene->world, scene->cloth, &settings), PBD_OK);
    settings.tethers = true;
    return pbd_cloth_set_settings(scene->world, scene->cloth, &settings);
}

static int add_pins(struct scene *scene) {
    uint32_t all[30];
    for (uint32_t v = 0; v < 30; ++v)
        all[v] = v;
    return pbd_cloth_pin(scene->world, scene->cloth, all, 30, NULL);
}

static int attach(struct scene *scene) {
    uint32_t all[30];
    for (uint32_t v = 0; v < 30; ++v)
        all[v] = v;
    return pbd_cloth_attach(scene->world, scene->cloth, all, 30, scene->ball);
}

static int add_grabs(struct scene *scene) {
    const float at[3] = {0};
    pbd_grab_id id[20];
    int result = PBD_OK, added = 0;
    while (added < 20 &&
           (result = pbd_grab_add(scene->world, scene->cloth, 2, at, 0.1f, &id[added])) == PBD_OK)
        ++added;
    for (int i = 0; i < added; ++i)
        CHECK_INT(pbd_grab_release(scene->world, id[i]), PBD_OK);
    return result;
}

static int take_snapshot(struct scene *scene) {
    pbd_snapshot *snapshot = pbd_world_snapshot(scene->world);
    pbd_snapshot_destroy(snapshot);
    return snapshot != NULL ? PBD_OK : PBD_OUT_OF_MEMORY;
}

static int restore(struct scene *scene) {
    return pbd_world_restore(scene->world, scene->snapshot);
}

static int add_five_colliders(struct scene *scene) {
    struct pbd_collider_def def = pbd_default_collider_def();
    pbd_collider_id id[5];
    int result = PBD_OK, added = 0;
    while (added < 5 && (result = pbd_collider_add(scene->world, &def, &id[added])) == PBD_OK)
        ++added;
    for (int i = 0; i < added && result != PBD_OK; ++i)
        CHECK_INT(pbd_collider_remove(scene->world, id[i]), PBD_OK);
    return result;
}

static int add_mesh(struct scene *scene) {
    struct pbd_collision_mesh_def mesh = pbd_default_collision_mesh_def();
    mesh.positions = scene->sheet.positions;
    mesh.vertex_count = scene->sheet.vertex_count;
    mesh.face_vertices = scene->sheet.triangles;
    mesh.face_count = scene->sheet.triangle_count;
    struct pbd_collider_def def = pbd_default_collider_def();
    def.shape.type = PBD_MESH;
    def.position[1] = -2.0f;
    int result = pbd_collision_mesh_create(&mesh, &def.shape.mesh, NULL);
    if (result != PBD_OK) return result;
    pbd_collider_id id;
    result = pbd_collider_add(scene->world, &def, &id);
    pbd_collision_mesh_unref(def.shape.mesh);
    return result;
}

static void check_request(int (*request)(struct scene *), unsigned long least_allocations) {
    unsigned long n = 1;
    for (;; ++n) {
        struct scene scene = start();
        uint64_t before = pbd_world_state_hash(scene.world);
        uint32_t pins[30], pin_count = pbd_cloth_pins(scene.world, scene.cloth, pins, 30);
        refused = false;
#ifndef SANITIZED
        refuse_after = n;
#endif
        int result = request(&scene);
        refuse_after = 0;
        if (refused) {
            CHECK_INT(result, PBD_OUT_OF_MEMORY);
            CHECK(pbd_world_state_hash(scene.world) == before);
            CHECK_INT(pbd_cloth_pins(scene.world, scene.cloth, pins, 30), pin_count);
            CHECK_INT(pbd_cloth_attachments(scene.world, scene.cloth, NULL, NULL, 0), 0);
        } else {
            CHECK_INT(result, PBD_OK);
        }
        step_ticks(scene.world, 2);
        CHECK_INT(request(&scene), PBD_OK);
        step_ticks(scene.world, 2);
        finish(&scene);
        if (!refused) break;
    }
#ifdef SANITIZED
    (void)least_allocations;
#else
    CHECK(n > least_allocations);
#endif
}

static void adding_a_cloth_fails_whole(void) {
    check_request(add_cloth, 5);
}

static void adding_a_balloon_fails_whole(void) {
    check_request(add_tethered_balloon, 40);
}

static void switching_tethers_on_fails_whole(void) {
    check_request(set_tethers, 12);
}

/* Cloth that finds no memory for it feels no wind in that tick, and does in the next. */
static void wind_waits_for_memory(void) {
#ifndef SANITIZED
    for (unsigned long n = 1;; ++n) {
        struct scene scene = start();
        struct pbd_world_settings settings = pbd_world_get_settings(scene.world);
        settings.wind.velocity[0] = 5.0f;
        settings.wind.turbulence = 0.2f;
        pbd_world_set_settings(scene.world, &settings);
        refused = false;
        refuse_after = n;
        step_ticks(scene.world, 1);
        refuse_after = 0;
        step_ticks(scene.world, 1);
        CHECK(fabs(vertex_velocity(scene.world, scene.cloth, 17).x) > 1e-4);
        finish(&scene);
        if (refused) continue;
        CHECK(n > 5);
        break;
    }
#endif
}

static void pinning_fails_whole(void) {
    check_request(add_pins, 1);
}

static void attaching_fails_whole(void) {
    check_request(attach, 1);
}

static void grabbing_fails_whole(void) {
    check_request(add_grabs, 2);
}

static void snapshot_fails_whole(void) {
    check_request(take_snapshot, 5);
}

static void restore_fails_whole(void) {
    check_request(restore, 8);
}

static void adding_colliders_fails_whole(void) {
    check_request(add_five_colliders, 2);
}

static void adding_a_mesh_fails_whole(void) {
    check_request(add_mesh, 20);
}

static void no_world_without_memory(void) {
#ifndef SANITIZED
    struct pbd_world_settings settings = pbd_default_world_settings();
    refuse_after = 1;
    pbd_world *world = pbd_world_create(&settings);
    refuse_after = 0;
    CHECK(world == NULL);
#endif
}

RUN_TESTS(TEST(adding_a_cloth_fails_whole), TEST(pinning_fails_whole), TEST(adding_a_balloon_fails_whole),
          TEST(switching_tethers_on_fails_whole), TEST(wind_waits_for_memory), TEST(attaching_fails_whole),
          TEST(grabbing_fails_whole), TEST(snapshot_fails_whole), TEST(restore_fails_whole),
          TEST(adding_colliders_fails_whole), TEST(adding_a_mesh_fails_whole), TEST(no_world_without_memory))
