/* Fingerprints tell states apart, whatever the order of particles. */
#include "check.h"
#include <sim/fingerprint.h>

static void one_bit_of_one_vertex_shows(void) {
    float x[4] = {0, 1, 2, 3}, y[4] = {0.5f, 0, 0, 0}, z[4] = {0, 0, 1, 1};
    const uint32_t order[4] = {0, 1, 2, 3};
    const struct pbd_cloth_view view = {
        .x = x, .y = y, .z = z, .particle_count = 4, .vertex_count = 4, .vertex_particle = order};
    uint64_t before = fingerprint_positions(&view);
    CHECK(fingerprint_positions(&view) == before);
    z[3] = nextafterf(1.0f, 2.0f);
    CHECK(fingerprint_positions(&view) != before);
    z[3] = 1.0f;
    y[1] = -0.0f;
    CHECK(fingerprint_positions(&view) != before);
}

static void vertices_count_and_particles_do_not(void) {
    const float x[3] = {1, 2, 3}, turned[3] = {3, 2, 1}, none[3] = {0};
    const uint32_t straight[3] = {0, 1, 2}, back[3] = {2, 1, 0};
    const struct pbd_cloth_view
        a = {.x = x, .y = none, .z = none, .vertex_count = 3, .vertex_particle = straight},
        b = {.x = turned, .y = none, .z = none, .vertex_count = 3, .vertex_particle = back};
    CHECK(fingerprint_positions(&a) == fingerprint_positions(&b));
}

RUN_TESTS(TEST(one_bit_of_one_vertex_shows), TEST(vertices_count_and_particles_do_not))
