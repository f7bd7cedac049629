/* The choice of kernels: by what the CPU says when a world is created, never by what
 * the builder's CPU was. No ifunc or target_clones: their resolvers run before
 * sanitizers are ready. */
#include "solve/kernels.h"

#define DECLARE_BASE(name, result, parameters) result name##_base parameters;
#define DECLARE_AVX2(name, result, parameters) result name##_avx2 parameters;
#define DECLARE_AVX512(name, result, parameters) result name##_avx512 parameters;
#define FILL_BASE(name, result, parameters) .name = name##_base,
#define FILL_AVX2(name, result, parameters) .name = name##_avx2,
#define FILL_AVX512(name, result, parameters) .name = name##_avx512,

KERNEL_LIST(DECLARE_BASE)
static const struct kernels base_level = {.level = "base", KERNEL_LIST(FILL_BASE)};

#ifdef KERNELS_X86
KERNEL_LIST(DECLARE_AVX2)
KERNEL_LIST(DECLARE_AVX512)
static const struct kernels avx2_level = {.level = "avx2", KERNEL_LIST(FILL_AVX2)};
static const struct kernels avx512_level = {.level = "avx512", KERNEL_LIST(FILL_AVX512)};

static bool has_avx512(void) {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
}
#endif

const struct kernels *kernels_level(uint32_t index) {
    if (index == 0) return &base_level;
#ifdef KERNELS_X86
    __builtin_cpu_init();
    if (index == 1 && __builtin_cpu_supports("avx2")) return &avx2_level;
    if (index == 2 && __builtin_cpu_supports("avx2") && has_avx512()) return &avx512_level;
#endif
    return NULL;
}

const struct kernels *kernels_best(void) {
    const struct kernels *best = kernels_level(0);
    for (uint32_t index = 1; kernels_level(index) != NULL; ++index)
        best = kernels_level(index);
    return best;
}
