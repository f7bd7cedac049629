/* From settings to the passes of the wind's kernels. */
#include "solve/aero.h"

#include "math/elementary.h"
#include "solve/kernels.h"

#include <stdlib.h>
#include <string.h>

/* rms of one component of the noise: nodes are even in [−1, 1], blending keeps 26/35 of the
 * variance per axis, and the second layer adds a quarter: √(1/3·(26/35)³·1.25) = 0.4133. */
#define NOISE_RMS 0.4133
/* No gust exceeds this many rms: both layers at 1. */
#define STRONGEST (1.5 / NOISE_RMS)

/* Per particle, padded. */
struct aero {
    float *gust[3];     /* m/s, of this tick */
    float *relative[3]; /* v − gust */
};

static double speed_of(const struct pbd_wind *wind) {
    return vec3_length(vec3_from(wind->velocity));
}

bool aero_acts(const pbd_world *world, const struct pbd_cloth *cloth) {
    const struct pbd_wind *wind = &world->settings.wind;
    const float *v = wind->velocity;
    if (v[0] == 0.0f && v[1] == 0.0f && v[2] == 0.0f) return false;
    if (world->settings.solver.method == PBD_METHOD_JACOBI || !(wind->air_density > 0.0f)) return false;
    const struct pbd_cloth_settings *settings = &cloth->settings;
    bool shaped = settings->drag_coefficient > 0.0f || settings->lift_coefficient > 0.0f;
    return shaped && cloth->fabric->view.triangle_count > 0;
}

double aero_speed(const pbd_world *world, const struct pbd_cloth *cloth) {
    const struct pbd_wind *wind = &world->settings.wind;
    return aero_acts(world, cloth) ? speed_of(wind) * (1.0 + STRONGEST * (double)wind->turbulence) : 0.0;
}

static int require(struct pbd_cloth *cloth) {
    if (cloth->aero != NULL) return PBD_OK;
    size_t n = cloth->fabric->padded_count;
    struct aero *aero = malloc(sizeof *aero);
    float *block = aligned_floats(6 * n);
    if (aero == NULL || block == NULL) {
        free(aero);
        free(block);
        return PBD_OUT_OF_MEMORY;
    }
    for (size_t k = 0; k < 3; ++k) {
        aero->gust[k] = block + k * n;
        aero->relative[k] = block + (3 + k) * n;
    }
    cloth->aero = aero;
    return PBD_OK;
}

void aero_destroy(struct pbd_cloth *cloth) {
    if (cloth->aero != NULL) free(cloth->aero->gust[0]);
    free(cloth->aero);
    cloth->aero = NULL;
}

/* The whole number below, modulo 2³², and the rest. What no int64 holds counts as 0. */
static uint32_t split(double value, float *fraction) {
    if (!(__builtin_fabs(value) < 0x1p62)) value = 0.0;
    int64_t whole = (int64_t)value;
    whole -= (double)whole > value;
    *fraction = (float)(value - (double)whole);
    return (uint32_t)whole;
}

/* Adds a layer of gusts; part: of the wind's way that it has come. */
static void add_layer(const pbd_world *world, struct pbd_cloth *cloth, uint32_t layer, double size,
                      double part, double strength) {
    const struct pbd_world_settings *settings = &world->settings;
    const struct cloth_state *s = &cloth->state;
    struct aero *aero = cloth->aero;
    struct gust_pass pass = {.x = {s->x, s->y, s->z},
                             .gust = {aero->gust[0], aero->gust[1], aero->gust[2]},
                             .inverse_size = (float)(1.0 / size),
                             .seed = settings->seed * 0x9e3779b9u + layer * 0x7f4a7c15u,
                             .strength = (float)strength};
    for (int k = 0; k < 3; ++k) {
        double half_tick = 0.5 * (double)settings->wind.velocity[k] * (double)settings->solver.dt;
        pass.cell[k] = split(-part * (world->gust_shift[k] + half_tick) / size, &pass.fraction[k]);
    }
    world->kernels->gust_add(&pass, cloth->fabric->padded_count);
}

void aero_begin_tick(const pbd_world *world, struct pbd_cloth *cloth) {
    const struct pbd_wind *wind = &world->settings.wind;
    if (!aero_acts(world, cloth) || triangle_set_require(cloth) < 0) return;
    if (!(wind->turbulence > 0.0f) || require(cloth) < 0) return;
    for (int k = 0; k < 3; ++k)
        memset(cloth->aero->gust[k], 0, cloth->fabric->padded_count * sizeof(float));
    double strength = (double)wind->turbulence * speed_of(wind) / NOISE_RMS, size = (double)wind->gust_size;
    add_layer(world, cloth, 0, size, 1.0, strength);
    add_layer(world, cloth, 1, 0.5 * size, 0.5, 0.5 * strength);
}

/* v − gust of every particle. */
static void subtract_gusts(const pbd_world *world, const struct pbd_cloth *cloth) {
    const struct cloth_state *s = &cloth->state;
    const float *v[3] = {s->vx, s->vy, s->vz};
    for (int k = 0; k < 3; ++k)
        world->kernels->gust_subtract(v[k], cloth->aero->gust[k], cloth->aero->relative[k],
                                      cloth->fabric->padded_count);
}

void aero_kick(const pbd_world *world, struct pbd_cloth *cloth, float h) {
    const struct pbd_wind *wind = &world->settings.wind;
    const struct triangle_set *set = cloth->triangles;
    if (set == NULL) return;
    const struct cloth_state *s = &cloth->state;
    struct cloth_scratch *t = &cloth->scratch;
    uint32_t n = cloth->fabric->padded_count;
    bool gusts = wind->turbulence > 0.0f && cloth->aero != NULL;
    if (gusts) subtract_gusts(world, cloth);
    float *const *relative = gusts ? cloth->aero->relative : NULL;
    struct aero_pass pass = {
        .x = {s->x, s->y, s->z},
        .e = {s->ex, s->ey, s->ez},
        .v = {gusts ? relative[0] : s->vx, gusts ? relative[1] : s->vy, gusts ? relative[2] : s->vz},
        .inverse_mass = set->inverse_mass,
        .f = {t->ux, t->uy, t->uz},
        .wind = {wind->velocity[0], wind->velocity[1], wind->velocity[2]},
        .half_density = 0.5f * wind->air_density,
        .drag = cloth->settings.drag_coefficient,
        .lift = cloth->settings.lift_coefficient,
        .h = h,
    };
    for (int k = 0; k < 3; ++k)
        memset(pass.f[k], 0, n * sizeof(float));
    world->kernels->aero_forces(&pass, set);
    world->kernels->aero_kick(s, t->ux, t->uy, t->uz, n, h);
}

void aero_end_tick(pbd_world *world) {
    for (int k = 0; k < 3; ++k)
        world->gust_shift[k] += (double)world->settings.wind.velocity[k] * (double)world->settings.solver.dt;
}
