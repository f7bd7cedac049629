/* The hash by which two runs are compared: XXH3-64 over little-endian float32, cloths
 * in the order of adding and within a cloth particles by their lowest vertex (so the
 * build's own particle order does not show): X, e, v; then every collider's position,
 * rotation, velocity and angular velocity; of dynamic ones the same again as the doubles they
 * are, and what their contacts bore; of driven ones the age; where there are gusts, how far
 * the wind has come. */
#include "world/world_internal.h"

#include "contact/rigid_contact.h"

#define XXH_STATIC_LINKING_ONLY
#include <xxhash.h>

#include <string.h>

/* Particles per update: each one's nine numbers go through a small buffer. */
#define BATCH 64u
#define NUMBERS 9u

struct hasher {
    XXH3_state_t *state;
    uint32_t words[BATCH * NUMBERS];
    size_t count;
};

static void flush(struct hasher *hasher) {
    XXH3_64bits_update(hasher->state, hasher->words, hasher->count * sizeof hasher->words[0]);
    hasher->count = 0;
}

static void put_word(struct hasher *hasher, uint32_t bits) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    bits = __builtin_bswap32(bits);
#endif
    hasher->words[hasher->count++] = bits;
    if (hasher->count == BATCH * NUMBERS) flush(hasher);
}

static void put(struct hasher *hasher, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_word(hasher, bits);
}

static void put_all(struct hasher *hasher, const float *values, size_t count) {
    for (size_t i = 0; i < count; ++i)
        put(hasher, values[i]);
}

static void put_cloth(struct hasher *hasher, const struct pbd_cloth *cloth) {
    const struct pbd_fabric_view *view = &cloth->fabric->view;
    const struct cloth_state *s = &cloth->state;
    const float *arrays[NUMBERS] = {s->x, s->y, s->z, s->ex, s->ey, s->ez, s->vx, s->vy, s->vz};
    for (uint32_t v = 0; v < view->vertex_count; ++v) {
        uint32_t p = view->vertex_particle[v];
        if (view->particle_vertex[p] != v) continue;
        for (size_t k = 0; k < NUMBERS; ++k)
            put(hasher, arrays[k][p]);
    }
}

static void put_double(struct hasher *hasher, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_word(hasher, (uint32_t)bits);
    put_word(hasher, (uint32_t)(bits >> 32));
}

static void put_vector(struct hasher *hasher, struct vec3 v) {
    put_double(hasher, v.x);
    put_double(hasher, v.y);
    put_double(hasher, v.z);
}

static void put_body(struct hasher *hasher, const struct rigid_body *body) {
    put_vector(hasher, body->now.position);
    put_vector(hasher, vec3_make(body->now.rotation.x, body->now.rotation.y, body->now.rotation.z));
    put_double(hasher, body->now.rotation.w);
    put_vector(hasher, body->now.velocity);
    put_vector(hasher, body->now.spin);
}

/* What the contacts of bodies bore. */
static void put_memory(struct hasher *hasher, const pbd_world *world) {
    uint32_t count;
    const struct rigid_memory *memory = rigid_contacts_memory(world, &count);
    for (uint32_t i = 0; i < count; ++i) {
        put_vector(hasher, memory[i].at_a);
        put_vector(hasher, memory[i].at_b);
        put_vector(hasher, memory[i].normal);
        put_vector(hasher, vec3_make(memory[i].pushed, memory[i].rubbed[0], memory[i].rubbed[1]));
    }
}

uint64_t pbd_world_state_hash(const pbd_world *world) {
    XXH3_state_t state;
    struct hasher hasher = {.state = &state};
    XXH3_64bits_reset(&state);
    for (uint32_t i = 0; i < world->cloth_count; ++i)
        put_cloth(&hasher, &world->cloths[world->cloth_order[i]]);
    for (uint32_t i = 0; i < world->collider_count; ++i) {
        const struct pbd_collider *collider = &world->colliders[world->collider_order[i]];
        put_all(&hasher, collider->def.position, 3);
        put_all(&hasher, collider->def.rotation, 4);
        put_all(&hasher, collider->velocity, 3);
        put_all(&hasher, collider->angular_velocity, 3);
        if (collider->driven) put_double(&hasher, collider->age);
        if (collider->body.inverse_mass > 0.0) put_body(&hasher, &collider->body);
    }
    put_memory(&hasher, world);
    for (int k = 0; k < 3 && world->settings.wind.turbulence > 0.0f; ++k)
        put_double(&hasher, world->gust_shift[k]);
    flush(&hasher);
    return XXH3_64bits_digest(&state);
}
