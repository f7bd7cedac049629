/* The floating-point environment of a step and of an import: round to nearest, denormals on, no traps.
 * A library built with -ffast-math switches flush-to-zero on when it is loaded, which
 * would change results; so both set the default and give the caller's back. */
#ifndef PBD_MATH_FLOAT_ENVIRONMENT_H
#define PBD_MATH_FLOAT_ENVIRONMENT_H

#include <stdint.h>

#if defined(__x86_64__)
#include <immintrin.h>

#define MXCSR_DEFAULT 0x1f80u

static inline uint64_t float_environment_enter(void) {
    uint64_t before = _mm_getcsr();
    _mm_setcsr(MXCSR_DEFAULT);
    return before;
}

static inline void float_environment_leave(uint64_t before) {
    _mm_setcsr((unsigned int)before);
}

#elif defined(__aarch64__)

static inline uint64_t float_environment_enter(void) {
    uint64_t before;
    __asm__ volatile("mrs %0, fpcr" : "=r"(before));
    __asm__ volatile("msr fpcr, %0" : : "r"((uint64_t)0));
    return before;
}

static inline void float_environment_leave(uint64_t before) {
    __asm__ volatile("msr fpcr, %0" : : "r"(before));
}

#else

static inline uint64_t float_environment_enter(void) {
    return 0;
}

static inline void float_environment_leave(uint64_t before) {
    (void)before;
}

#endif

#endif
