/* The arrays of a cloth: aligned, zeroed, apart from each other. */
#include "check.h"
#include "sheet.h"

#include "world/world_internal.h"

#include <malloc.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED
#endif
#endif

#ifdef SANITIZED
size_t __sanitizer_get_current_allocated_bytes(void);

static size_t allocated(void) {
    return __sanitizer_get_current_allocated_bytes();
}
#else
static size_t allocated(void) {
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}
#endif

static void arrays_are_aligned_zeroed_and_do_not_overlap(void) {
    struct sheet sheet = sheet_create(33, 31, 1, 1);
    struct pbd_cloth cloth = {.fabric = sheet_fabric(&sheet, 0.2f)};
    CHECK_INT(cloth_memory_create(&cloth), PBD_OK);
    struct cloth_state *s = &cloth.state;
    struct cloth_scratch *t = &cloth.scratch;
    float *arrays[] = {s->x, s->y,  s->z,  s->ex, s->ey,        s->ez,        s->vx, s->vy, s->vz,
                       s->w, t->ux, t->uy, t->uz, t->backup[0], t->backup[5], s->qx, s->qz};
    size_t count = sizeof arrays / sizeof arrays[0];
    uint32_t n = cloth.fabric->padded_count;
    for (size_t i = 0; i < count; ++i) {
        CHECK_INT((uintptr_t)arrays[i] % 64, 0);
        for (uint32_t p = 0; p < n; ++p) {
            CHECK(arrays[i][p] == 0.0f);
            arrays[i][p] = (float)i + 1.0f;
        }
    }
    for (uint32_t c = 0; c < cloth.fabric->stretch.count; ++c)
        t->stretch_lambda[c] = t->stretch_lambda_sum[c] = -1.0f;
    for (uint32_t c = 0; c < cloth.fabric->bend.count; ++c)
        t->bend_lambda[c] = -2.0f;
    for (uint32_t c = 0; c < cloth.fabric->stretch.count; ++c)
        CHECK(t->stretch_lambda[c] == -1.0f && t->stretch_lambda_sum[c] == -1.0f);
    float *jacobi[] = {t->sx, t->sy, t->sz, t->scale}; /* in the place of the two λ */
    for (int i = 0; i < 4; ++i)
        for (uint32_t p = 0; p < n; ++p)
            jacobi[i][p] = -3.0f - (float)i;
    for (int i = 0; i < 4; ++i)
        for (uint32_t p = 0; p < n; ++p)
            CHECK(jacobi[i][p] == -3.0f - (float)i && (uintptr_t)jacobi[i] % 64 == 0);
    for (uint32_t c = 0; c < cloth.fabric->stretch.count; ++c)
        CHECK(t->stretch_lambda_sum[c] == -1.0f);
    for (size_t i = 0; i < count; ++i)
        for (uint32_t p = 0; p < n; ++p)
            CHECK(arrays[i][p] == (float)i + 1.0f);
    pbd_fabric_unref(cloth.fabric);
    cloth_memory_destroy(&cloth);
    sheet_destroy(&sheet);
}

/* A 128×128 sheet has 64 KiB per array; without a gap all would share a cache set. */
static void arrays_of_a_power_of_two_lie_on_different_cache_sets(void) {
    struct sheet sheet = sheet_create(64, 64, 1, 1);
    struct pbd_cloth cloth = {.fabric = sheet_fabric(&sheet, 0.2f)};
    CHECK_INT(cloth_memory_create(&cloth), PBD_OK);
    const float *used[] = {cloth.state.x,    cloth.state.y,    cloth.state.z,   cloth.state.w,
                           cloth.scratch.ux, cloth.scratch.uy, cloth.scratch.uz};
    for (int i = 0; i < 7; ++i)
        for (int j = 0; j < i; ++j)
            if (i < 4 || j >= 4) CHECK((uintptr_t)used[i] % 4096 != (uintptr_t)used[j] % 4096);
    pbd_fabric_unref(cloth.fabric);
    cloth_memory_destroy(&cloth);
    sheet_destroy(&sheet);
}

/* The recipe, the state, scratch and what contacts need without colliders. */
static void a_plain_cloth_takes_at_most_300_bytes_a_vertex(void) {
    struct pbd_world_settings settings = pbd_default_world_settings();
    pbd_world *world = pbd_world_create(&settings);
    struct sheet sheet = sheet_create(256, 256, 1, 1);
    struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
    size_t before = allocated();
    cloth_from(world, sheet_fabric(&sheet, 0.2f), sheet.positions, &cloth, NULL, 0);
    double bytes = (double)(allocated() - before) / (256 * 256);
    printf("     %.1f bytes a vertex\n", bytes);
    CHECK(bytes > 100); /* the count counts */
    CHECK(bytes <= 300);
    sheet_destroy(&sheet);
    pbd_world_destroy(world);
}

static void impossible_size_is_out_of_memory(void) {
    CHECK(aligned_floats(SIZE_MAX) == NULL);
    float *none = aligned_floats(0);
    CHECK(none != NULL);
    free(none);
}

RUN_TESTS(TEST(arrays_are_aligned_zeroed_and_do_not_overlap),
          TEST(arrays_of_a_power_of_two_lie_on_different_cache_sets),
          TEST(a_plain_cloth_takes_at_most_300_bytes_a_vertex), TEST(impossible_size_is_out_of_memory))
