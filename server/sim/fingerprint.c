/* A multiply-and-fold mix over the bits of float32 numbers. */
#include "sim/fingerprint.h"

#include <stdlib.h>
#include <string.h>

static uint64_t mix(uint64_t hash, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    hash = (hash ^ bits) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ (hash >> 29);
}

uint64_t fingerprint_positions(const struct pbd_cloth_view *view) {
    uint64_t hash = view->vertex_count;
    for (uint32_t v = 0; v < view->vertex_count; ++v) {
        uint32_t p = view->vertex_particle[v];
        hash = mix(mix(mix(hash, view->x[p]), view->y[p]), view->z[p]);
    }
    return hash;
}

/* 64 characters that JSON takes as they are. */
static const char alphabet[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_";

char *fingerprint_marks(const struct pbd_cloth_view *view) {
    size_t length = (size_t)FINGERPRINT_CHARACTERS * view->vertex_count;
    char *marks = malloc(length + 1), *at = marks;
    if (!marks) return NULL;
    for (uint32_t v = 0; v < view->vertex_count; ++v) {
        uint32_t p = view->vertex_particle[v];
        uint64_t hash = mix(mix(mix(1, view->x[p]), view->y[p]), view->z[p]);
        hash = mix(mix(mix(hash, view->vx[p]), view->vy[p]), view->vz[p]);
        *at++ = alphabet[hash >> 58];
        *at++ = alphabet[hash >> 52 & 63];
    }
    *at = '\0';
    return marks;
}

void fingerprint_collider(const struct pbd_collider_state *state, char mark[FINGERPRINT_MARK_BYTES + 1]) {
    uint64_t hash = 1;
    for (int k = 0; k < 3; ++k)
        hash = mix(mix(mix(hash, state->def.position[k]), state->velocity[k]), state->angular_velocity[k]);
    for (int k = 0; k < 4; ++k)
        hash = mix(hash, state->def.rotation[k]);
    for (int k = 0; k < FINGERPRINT_MARK_BYTES; ++k)
        mark[k] = alphabet[hash >> (58 - 6 * k) & 63];
    mark[FINGERPRINT_MARK_BYTES] = '\0';
}
