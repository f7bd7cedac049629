/* What is checked at a tick's end: a cloth that is no longer finite stops at its last
 * finite state, speeds stay below the world's limit, and coordinates too large for the
 * substep are named (physics.md §1, §8). */
#include "world/world_internal.h"

#include "solve/kernels.h"

#include <float.h>
#include <string.h>

/* Of a particle: X, v and e. A backup has the first six; a cloth that stops starts
 * again, if ever, from X itself. */
#define NUMBERS 9
#define SAVED 6

static void arrays_of(const struct cloth_state *s, float *arrays[NUMBERS]) {
    float *all[NUMBERS] = {s->x, s->y, s->z, s->vx, s->vy, s->vz, s->ex, s->ey, s->ez};
    memcpy(arrays, all, sizeof all);
}

void cloth_backup(struct pbd_cloth *cloth) {
    float *arrays[NUMBERS];
    arrays_of(&cloth->state, arrays);
    for (int k = 0; k < SAVED; ++k)
        memcpy(cloth->scratch.backup[k], arrays[k], cloth->fabric->padded_count * sizeof(float));
}

/* The lowest vertex whose particle is not finite. */
static uint32_t first_wrong_vertex(const struct pbd_cloth *cloth) {
    float *arrays[NUMBERS];
    arrays_of(&cloth->state, arrays);
    uint32_t lowest = UINT32_MAX;
    for (uint32_t p = 0; p < cloth->fabric->particle_count; ++p) {
        bool finite = true;
        for (int k = 0; k < NUMBERS; ++k)
            finite = finite && __builtin_fabsf(arrays[k][p]) <= FLT_MAX;
        uint32_t vertex = cloth->fabric->view.particle_vertex[p];
        if (!finite && vertex < lowest) lowest = vertex;
    }
    return lowest;
}

static void freeze(pbd_world *world, struct pbd_cloth *cloth) {
    struct pbd_event event = {
        .type = PBD_EVENT_DIVERGED, .cloth = cloth->id, .vertex = first_wrong_vertex(cloth)};
    float *arrays[NUMBERS];
    arrays_of(&cloth->state, arrays);
    for (int k = 0; k < SAVED; ++k)
        memcpy(arrays[k], cloth->scratch.backup[k], cloth->fabric->padded_count * sizeof(float));
    for (int k = SAVED; k < NUMBERS; ++k)
        memset(arrays[k], 0, cloth->fabric->padded_count * sizeof(float));
    cloth->frozen = true;
    cloth->force_scale = NAN;
    world_emit(world, &event);
}

/* The limit itself, travelled with for a tick, comes back rounded: no new event. */
#define SPEED_SLACK 1.00001

/* In double, where the square of any float32 speed is finite. */
static void clamp_speed(pbd_world *world, struct pbd_cloth *cloth) {
    struct cloth_state *s = &cloth->state;
    double limit = world->settings.max_speed, largest = 0.0;
    for (uint32_t p = 0; p < cloth->fabric->particle_count; ++p) {
        if (!(s->w[p] > 0.0f)) continue;
        double x = s->vx[p], y = s->vy[p], z = s->vz[p];
        double speed = __builtin_sqrt(x * x + y * y + z * z);
        if (!(speed > limit * SPEED_SLACK)) continue;
        if (speed > largest) largest = speed;
        double factor = limit / speed;
        s->vx[p] = (float)(x * factor);
        s->vy[p] = (float)(y * factor);
        s->vz[p] = (float)(z * factor);
    }
    if (largest == 0.0) return;
    struct pbd_event event = {.type = PBD_EVENT_CLAMPED,
                              .cloth = cloth->id,
                              .got = largest < (double)FLT_MAX ? (float)largest : FLT_MAX,
                              .max = world->settings.max_speed};
    world_emit(world, &event);
}

/* Once per cloth: g·h² below 64 ulp of a coordinate is lost in its rounding. */
static void check_precision(pbd_world *world, struct pbd_cloth *cloth, float coordinate) {
    const struct pbd_solver_settings *solver = &world->settings.solver;
    if (cloth->precision_reported || solver->method == PBD_METHOD_JACOBI) return;
    const float *g = world->settings.gravity;
    float gravity = __builtin_sqrtf(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
    float h = solver->dt / (float)solver->substeps;
    uint32_t bits;
    memcpy(&bits, &coordinate, sizeof bits);
    bits += 1;
    float next;
    memcpy(&next, &bits, sizeof next);
    float got = gravity * h * h, least = 64.0f * (next - coordinate);
    if (gravity == 0.0f || !(got < least)) return;
    cloth->precision_reported = true;
    struct pbd_event event = {.type = PBD_EVENT_PRECISION, .cloth = cloth->id, .got = got, .max = least};
    world_emit(world, &event);
}

void cloth_diagnose(pbd_world *world, struct pbd_cloth *cloth) {
    struct extent extent = world->kernels->integrate_extent(&cloth->state, cloth->fabric->padded_count);
    if (!extent.finite) {
        freeze(world, cloth);
        return;
    }
    double limit = world->settings.max_speed * SPEED_SLACK;
    if ((double)extent.speed_square > limit * limit) clamp_speed(world, cloth);
    check_precision(world, cloth, extent.coordinate);
}
