/* A multiply-and-fold mix over the bits of float32 numbers. */
#include "sim/fingerprint.h"

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
