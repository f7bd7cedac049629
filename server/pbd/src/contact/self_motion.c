/* How far a cloth's particles move against each other in a substep. */
#include "contact/self_internal.h"

#include "math/elementary.h"

#define LANES 16u

/* Vectors of 16 particles: lanes are independent and their count is fixed, so compilers
 * make vectors of them. */
struct block {
    float at[3][LANES];
};

/* δ = u − e, or scale·v. */
struct field {
    const float *a[3], *b[3];
    float scale;
    bool difference;
};

static struct block block_at(const struct field *field, uint32_t first) {
    struct block block;
    for (int axis = 0; axis < 3; ++axis) {
        const float *a = field->a[axis] + first;
        if (field->difference) {
            const float *b = field->b[axis] + first;
            for (uint32_t k = 0; k < LANES; ++k)
                block.at[axis][k] = a[k] - b[k];
        } else {
            for (uint32_t k = 0; k < LANES; ++k)
                block.at[axis][k] = field->scale * a[k];
        }
    }
    return block;
}

/* Padding holds zeros. */
static void mean_of(const struct field *field, const pbd_fabric *fabric, float mean[3]) {
    struct block sum = {{{0.0f}}};
    for (uint32_t first = 0; first < fabric->padded_count; first += LANES) {
        struct block block = block_at(field, first);
        for (int axis = 0; axis < 3; ++axis)
            for (uint32_t k = 0; k < LANES; ++k)
                sum.at[axis][k] += block.at[axis][k];
    }
    for (int axis = 0; axis < 3; ++axis) {
        double total = 0.0;
        for (uint32_t k = 0; k < LANES; ++k)
            total += (double)sum.at[axis][k];
        mean[axis] = (float)(total / fabric->particle_count);
    }
}

/* The largest distance of a δ from the mean; what is no number does not count. */
static double stray_of(const struct field *field, uint32_t count, const float mean[3]) {
    float most[LANES] = {0.0f};
    for (uint32_t first = 0; first < count; first += LANES) {
        struct block block = block_at(field, first);
        uint32_t here = count - first < LANES ? count - first : LANES;
        for (uint32_t k = here; k < LANES; ++k) /* padding stands still */
            for (int axis = 0; axis < 3; ++axis)
                block.at[axis][k] = mean[axis];
        for (uint32_t k = 0; k < LANES; ++k) {
            float x = block.at[0][k] - mean[0], y = block.at[1][k] - mean[1], z = block.at[2][k] - mean[2];
            float square = x * x + y * y + z * z;
            most[k] = square > most[k] ? square : most[k];
        }
    }
    for (uint32_t k = 1; k < LANES; ++k)
        most[0] = math_maxf(most[k], most[0]);
    return __builtin_sqrt((double)most[0]) * (1.0 + 0x1p-20);
}

static struct field displacements(const struct pbd_cloth *cloth) {
    const struct cloth_state *s = &cloth->state;
    const struct cloth_scratch *t = &cloth->scratch;
    return (struct field){
        .a = {t->ux, t->uy, t->uz}, .b = {s->ex, s->ey, s->ez}, .scale = 1.0f, .difference = true};
}

static struct field velocities(const struct pbd_cloth *cloth, float scale) {
    const struct cloth_state *s = &cloth->state;
    return (struct field){.a = {s->vx, s->vy, s->vz}, .scale = scale};
}

static struct self_motion motion_of(const struct pbd_cloth *cloth, const struct field *field) {
    struct self_motion motion = {{0.0f, 0.0f, 0.0f}, 0.0};
    if (!cloth_is_active(cloth)) return motion;
    mean_of(field, cloth->fabric, motion.mean);
    motion.stray = stray_of(field, cloth->fabric->particle_count, motion.mean);
    return motion;
}

struct self_motion self_motion_of(const struct pbd_cloth *cloth) {
    struct field field = displacements(cloth);
    return motion_of(cloth, &field);
}

struct self_motion self_motion_of_velocities(const struct pbd_cloth *cloth, float scale) {
    struct field field = velocities(cloth, scale);
    return motion_of(cloth, &field);
}

double self_stray_of(const struct pbd_cloth *cloth, const float mean[3]) {
    if (!cloth_is_active(cloth)) return 0.0;
    struct field field = displacements(cloth);
    return stray_of(&field, cloth->fabric->particle_count, mean);
}

double self_stray_of_velocities(const struct pbd_cloth *cloth, const float mean[3], float scale) {
    if (!cloth_is_active(cloth)) return 0.0;
    struct field field = velocities(cloth, scale);
    return stray_of(&field, cloth->fabric->particle_count, mean);
}

double self_approach(const struct self_motion *a, const struct self_motion *b, bool same) {
    if (same) return 2.0 * a->stray;
    double square = 0.0;
    for (int k = 0; k < 3; ++k) {
        double apart = (double)a->mean[k] - (double)b->mean[k];
        square += apart * apart;
    }
    return a->stray + b->stray + __builtin_sqrt(square);
}
