/* The choice of kernels. */
#include "check.h"

#include "solve/kernels.h"

static void levels_ascend_without_gaps(void) {
    const char *names[] = {"base", "avx2", "avx512"};
    uint32_t count = 0;
    while (kernels_level(count) != NULL) {
        CHECK(count < 3);
        CHECK_STRING(kernels_level(count)->level, names[count]);
        ++count;
    }
    CHECK(count >= 1);
    for (uint32_t beyond = count; beyond < 8; ++beyond)
        CHECK(kernels_level(beyond) == NULL);
}

static void best_is_the_last_level(void) {
    uint32_t last = 0;
    while (kernels_level(last + 1) != NULL)
        ++last;
    CHECK(kernels_best() == kernels_level(last));
}

static void every_level_has_every_kernel(void) {
    for (uint32_t level = 0; kernels_level(level) != NULL; ++level) {
        const struct kernels *kernels = kernels_level(level);
#define IS_THERE(name, result, parameters) CHECK(kernels->name != NULL);
        KERNEL_LIST(IS_THERE)
#undef IS_THERE
    }
}

RUN_TESTS(TEST(levels_ascend_without_gaps), TEST(best_is_the_last_level), TEST(every_level_has_every_kernel))
