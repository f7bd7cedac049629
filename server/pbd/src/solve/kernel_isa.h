/* What a kernel source needs to be built once per instruction-set level: names with
 * the level's suffix, and the promise that a loop's iterations are independent. */
#ifndef PBD_SOLVE_KERNEL_ISA_H
#define PBD_SOLVE_KERNEL_ISA_H

#include "solve/kernels.h"

#ifndef KERNEL_LEVEL
#define KERNEL_LEVEL base
#endif

#define KERNEL_JOIN(name, level) name##_##level
#define KERNEL_EXPAND(name, level) KERNEL_JOIN(name, level)
#define KERNEL(name) KERNEL_EXPAND(name, KERNEL_LEVEL)

/* No iteration reads what another one of the following loop writes. */
#ifdef __clang__
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define INDEPENDENT _Pragma("GCC ivdep")
#endif

#define KERNEL_INLINE static inline __attribute__((always_inline))

#define KERNEL_DECLARE(name, result, parameters) result KERNEL(name) parameters;
KERNEL_LIST(KERNEL_DECLARE)
#undef KERNEL_DECLARE

#endif
