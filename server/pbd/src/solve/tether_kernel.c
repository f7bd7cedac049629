/* Tethers: C = d − |p − q| ≥ 0, p back to distance d from q, which stays.
 *
 * Held particles are nobody's p and only they are q: all may move at once. */
#include "solve/kernel_isa.h"

KERNEL_INLINE void pull(float qx, float qy, float qz, float qux, float quy, float quz, float x, float y,
                        float z, float *ux, float *uy, float *uz, float length) {
    float dx = (x - qx) + (*ux - qux), dy = (y - qy) + (*uy - quy), dz = (z - qz) + (*uz - quz);
    float far = __builtin_sqrtf(dx * dx + dy * dy + dz * dz);
    bool taut = far > length;
    float s = (far - length) / (taut ? far : 1.0f);
    s = taut ? s : 0.0f;
    *ux -= s * dx;
    *uy -= s * dy;
    *uz -= s * dz;
}

void KERNEL(tether_project)(const struct tether_pass *pass, uint32_t n) {
    const float *restrict x = pass->x[0], *restrict y = pass->x[1], *restrict z = pass->x[2];
    float *ux = pass->u[0], *uy = pass->u[1], *uz = pass->u[2];
    const float *restrict length = pass->length;
    if (pass->anchors == NULL) {
        uint32_t a = pass->anchor;
        const float qx = x[a], qy = y[a], qz = z[a], qux = ux[a], quy = uy[a], quz = uz[a];
        INDEPENDENT
        for (uint32_t i = 0; i < n; ++i)
            pull(qx, qy, qz, qux, quy, quz, x[i], y[i], z[i], &ux[i], &uy[i], &uz[i], length[i]);
        return;
    }
    const uint32_t *restrict anchors = pass->anchors;
    INDEPENDENT
    for (uint32_t i = 0; i < n; ++i) {
        uint32_t a = anchors[i];
        pull(x[a], y[a], z[a], ux[a], uy[a], uz[a], x[i], y[i], z[i], &ux[i], &uy[i], &uz[i], length[i]);
    }
}
