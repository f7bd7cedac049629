/* The tick as a whole: no allocation, the caller's floating-point environment, free
 * fall, order of cloths. */
#include "check.h"
#include "sheet.h"

#include <float.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

/* ---- counting allocations, with and without a sanitizer's own allocator ---- */

static unsigned long allocations;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED
#endif
#endif

#ifdef SANITIZED
int __sanitizer_install_malloc_and_free_hooks(void (*on_malloc)(const volatile void *, size_t),
                                              void (*on_free)(const volatile void *));

static void on_malloc(const volatile void *memory, size_t size) {
    (void)memory;
    (void)size;
    ++allocations;
}

static void on_free(const volatile void *memory) {
    (void)memory;
}

static void count_allocations(void) {
    static int installed;
    if (!installed) CHECK(__sanitizer_install_malloc_and_free_hooks(on_malloc, on_free) > 0);
    installed = 1;
}
#else
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size) {
    ++allocations;
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    ++allocations;
    return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
    ++allocations;
    return __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    ++allocations;
    return __libc_memalign(alignment, size);
}

static void count_allocations(void) {}
#endif

static pbd_world *busy_world(enum pbd_method method) {
    struct pbd_world_settings settings = pbd_default_world_settings();
    settings.solver.method = method;
    settings.solver.iterations = 2;
    settings.solver.substeps = 3;
    pbd_world *world = pbd_world_create(&settings);
    struct sheet sheet = sheet_create(12, 12, 1, 1);
    struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
    cloth.cloth_collision = false; /* they lie in each other */
    const uint32_t pin = 0;
    cloth_from(world, sheet_fabric(&sheet, 0.2f), sheet.positions, &cloth, &pin, 1);
    cloth_from(world, sheet_fabric(&sheet, 0.2f), sheet.positions, &cloth, NULL, 0);
    struct pbd_collider_def def = pbd_default_collider_def();
    def.position[1] = -0.4f; /* overlaps at the start */
    pbd_collider_id id;
    CHECK_INT(pbd_collider_add(world, &def, &id), PBD_OK);
    def.shape.type = PBD_PLANE;
    def.position[1] = -1.0f;
    CHECK_INT(pbd_collider_add(world, &def, &id), PBD_OK);
    sheet_destroy(&sheet);
    return world;
}

static void a_step_allocates_nothing(void) {
    count_allocations();
    for (int method = 0; method < 3; ++method) {
        unsigned long start = allocations;
        pbd_world *world = busy_world((enum pbd_method)method);
        CHECK(allocations > start); /* the counter counts */
        start = allocations;
        step_ticks(world, 100);
        CHECK_INT(allocations - start, 0);
        pbd_world_destroy(world);
    }
}

#if defined(__x86_64__)
/* A library built with -ffast-math switches denormals off for its host. */
static void callers_rounding_neither_matters_nor_changes(void) {
    uint64_t hashes[3];
    const unsigned int modes[3] = {0x1f80, 0x9fc0 /* FTZ, DAZ */, 0x5f80 /* upwards */};
    for (int i = 0; i < 3; ++i) {
        pbd_world *world = busy_world(PBD_METHOD_XPBD);
        unsigned int before = _mm_getcsr();
        _mm_setcsr(modes[i]);
        step_ticks(world, 50);
        CHECK_INT(_mm_getcsr() & 0xffc0, modes[i] & 0xffc0);
        _mm_setcsr(before);
        hashes[i] = pbd_world_state_hash(world);
        pbd_world_destroy(world);
    }
    CHECK(hashes[0] == hashes[1] && hashes[0] == hashes[2]);
}
#else
static void callers_rounding_neither_matters_nor_changes(void) {
    uint64_t hashes[2];
    for (int i = 0; i < 2; ++i) {
        pbd_world *world = busy_world(PBD_METHOD_XPBD);
        step_ticks(world, 50);
        hashes[i] = pbd_world_state_hash(world);
        pbd_world_destroy(world);
    }
    CHECK(hashes[0] == hashes[1]);
}
#endif

/* Symplectic Euler with n substeps: g·h²·N(N+1)/2, N = n·ticks. */
static void free_fall_is_the_sum_of_its_substeps(void) {
    const int substeps[] = {1, 10, 64};
    for (int i = 0; i < 3; ++i) {
        struct pbd_world_settings settings = quiet_settings();
        settings.gravity[1] = -9.8f;
        settings.solver.substeps = substeps[i];
        pbd_world *world = pbd_world_create(&settings);
        struct sheet sheet = sheet_create(4, 4, 1, 1);
        struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
        pbd_cloth_id id = cloth_from(world, sheet_fabric(&sheet, 0.2f), sheet.positions, &cloth, NULL, 0);
        step_ticks(world, 30);
        double h = 1.0 / 60 / substeps[i], n = 30.0 * substeps[i];
        /* h and g·h are rounded once: 1e-7 of 1.25 m each; v in n roundings of 3e-8·5 */
        CHECK_NEAR(vertex_position(world, id, 9).y, -9.8 * h * h * n * (n + 1) / 2, 2e-5);
        sheet_destroy(&sheet);
        pbd_world_destroy(world);
    }
}

static void cloths_do_not_disturb_each_other(void) {
    pbd_world *world = busy_world(PBD_METHOD_XPBD);
    struct sheet sheet = sheet_create(5, 5, 1, 1);
    struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
    cloth.cloth_collision = false;
    pbd_cloth_id with = cloth_from(world, sheet_fabric(&sheet, 0.2f), sheet.positions, &cloth, NULL, 0);
    pbd_world *alone = busy_world(PBD_METHOD_XPBD);
    step_ticks(world, 40);
    step_ticks(alone, 40);
    CHECK_INT(pbd_cloth_remove(world, with), PBD_OK);
    CHECK(pbd_world_state_hash(world) == pbd_world_state_hash(alone));
    sheet_destroy(&sheet);
    pbd_world_destroy(alone);
    pbd_world_destroy(world);
}

RUN_TESTS(TEST(a_step_allocates_nothing), TEST(callers_rounding_neither_matters_nor_changes),
          TEST(free_fall_is_the_sum_of_its_substeps), TEST(cloths_do_not_disturb_each_other))
