/* Random recipes for kernel tests: colours of runs and singles in which no particle
 * occurs twice, as build/fabric.h promises, and particles with every kind of awkward
 * number: coincident ones, huge and denormal differences, pinned lanes. */
#ifndef CLOTHD_TESTS_RANDOM_SET_H
#define CLOTHD_TESTS_RANDOM_SET_H

#include "sheet.h"

#include "build/fabric.h"

#define SET_PARTICLES 640u
#define SET_COLORS 3u
#define SET_MOST (SET_PARTICLES * SET_COLORS)

struct random_particles {
    float x[3][SET_PARTICLES], u[3][SET_PARTICLES], e[3][SET_PARTICLES], v[3][SET_PARTICLES];
    float w[SET_PARTICLES], mass[SET_PARTICLES];
};

/* Constraints of `ends` particles each (2 or 4). */
struct random_set {
    uint32_t count, run_count;
    struct fabric_color colors[SET_COLORS];
    struct bend_run runs[SET_MOST];
    uint32_t p[4][SET_MOST];
    float rest[SET_MOST];
};

static inline float awkward(struct random *random) {
    switch (random_below(random, 24)) {
    case 0:
        return 0.0f;
    case 1:
        return (float)random_between(random, -1e-40, 1e-40);
    case 2:
        return (float)random_between(random, -1e18, 1e18);
    case 3:
        return (float)random_between(random, -1e30, 1e30);
    case 4:
        return (float)random_between(random, -1e-12, 1e-12);
    default:
        return (float)random_between(random, -2.0, 2.0);
    }
}

/* plain: numbers near 1 alone. */
static inline void random_particles_fill(struct random_particles *p, struct random *random, bool plain) {
    for (uint32_t i = 0; i < SET_PARTICLES; ++i) {
        bool copy = i >= 40 && random_below(random, 8) == 0;
        uint32_t other = i >= 40 ? i - 1 - random_below(random, 40) : 0;
        for (int k = 0; k < 3; ++k) {
            p->x[k][i] = copy    ? p->x[k][other]
                         : plain ? (float)random_between(random, -2, 2)
                                 : awkward(random);
            p->u[k][i] = copy ? p->u[k][other] : (float)random_between(random, -0.01, 0.01);
            p->e[k][i] = (float)random_between(random, -1e-8, 1e-8);
            p->v[k][i] = plain ? (float)random_between(random, -5, 5) : awkward(random);
        }
        bool fixed = random_below(random, 6) == 0;
        p->mass[i] = (float)random_between(random, 0.01, 2);
        p->w[i] = fixed ? 0.0f : 1.0f / p->mass[i];
    }
}

static inline void random_set_add(struct random_set *set, const uint32_t at[4], int ends,
                                  struct random *random) {
    for (int k = 0; k < 4; ++k)
        set->p[k][set->count] = k < ends ? at[k] : 0;
    set->rest[set->count++] = (float)random_between(random, 0.0, 1.5);
}

static inline void random_set_fill(struct random_set *set, int ends, struct random *random) {
    set->count = set->run_count = 0;
    for (uint32_t c = 0; c < SET_COLORS; ++c) {
        struct fabric_color *color = &set->colors[c];
        uint32_t spare[SET_PARTICLES], spares = 0, next = 0;
        color->first_run = set->run_count;
        for (;;) {
            uint32_t gap = random_below(random, 9), length = 8 + random_below(random, 45);
            uint32_t end = next + gap + length * (uint32_t)ends;
            if (end > SET_PARTICLES) break;
            while (gap-- > 0)
                spare[spares++] = next++;
            struct bend_run run = {.first = set->count, .count = length};
            for (int k = 0; k < ends; ++k)
                run.p[k] = next + length * (uint32_t)k;
            set->runs[set->run_count++] = run;
            for (uint32_t i = 0; i < length; ++i) {
                uint32_t at[4] = {run.p[0] + i, run.p[1] + i, run.p[2] + i, run.p[3] + i};
                random_set_add(set, at, ends, random);
            }
            next = end;
        }
        while (next < SET_PARTICLES)
            spare[spares++] = next++;
        color->run_count = set->run_count - color->first_run;
        color->first_single = set->count;
        for (uint32_t i = spares; i > 1; --i) {
            uint32_t j = random_below(random, i), swapped = spare[i - 1];
            spare[i - 1] = spare[j];
            spare[j] = swapped;
        }
        for (uint32_t i = 0; i + (uint32_t)ends <= spares; i += (uint32_t)ends) {
            uint32_t at[4] = {spare[i], spare[i + 1], 0, 0};
            if (ends == 4) at[2] = spare[i + 2], at[3] = spare[i + 3];
            random_set_add(set, at, ends, random);
        }
        color->single_count = set->count - color->first_single;
    }
}

/* The set as the solver's types, pointing into *set and *runs. */
static inline struct stretch_set random_stretch(struct random_set *set, struct stretch_run runs[SET_MOST]) {
    for (uint32_t r = 0; r < set->run_count; ++r)
        runs[r] = (struct stretch_run){set->runs[r].first, set->runs[r].count, set->runs[r].p[0],
                                       set->runs[r].p[1]};
    return (struct stretch_set){.count = set->count,
                                .run_count = set->run_count,
                                .color_count = SET_COLORS,
                                .colors = set->colors,
                                .runs = runs,
                                .a = set->p[0],
                                .b = set->p[1],
                                .rest = set->rest};
}

static inline struct bend_set random_bend(struct random_set *set) {
    return (struct bend_set){.count = set->count,
                             .run_count = set->run_count,
                             .color_count = SET_COLORS,
                             .colors = set->colors,
                             .runs = set->runs,
                             .p = {set->p[0], set->p[1], set->p[2], set->p[3]},
                             .rest_angle = set->rest,
                             .rest_distance = set->rest};
}

#endif
