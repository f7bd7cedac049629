/* The state hash against XXH3-64 of the documented bytes, computed here in one go. */
#include "check.h"
#include "sheet.h"

#include <xxhash.h>

#include "world/world_internal.h"

static pbd_cloth_id add_sheet(pbd_world *world, uint32_t nx, uint32_t ny) {
    struct sheet sheet = sheet_create(nx, ny, 1, 1);
    struct pbd_cloth_settings settings = pbd_default_cloth_settings();
    pbd_cloth_id id = cloth_from(world, sheet_fabric(&sheet, 0.2f), sheet.positions, &settings, NULL, 0);
    sheet_destroy(&sheet);
    return id;
}

static void hash_is_that_of_the_documented_bytes(void) {
    struct pbd_world_settings settings = pbd_default_world_settings();
    pbd_world *world = pbd_world_create(&settings);
    const pbd_cloth_id ids[2] = {add_sheet(world, 13, 11), add_sheet(world, 3, 2)};
    struct pbd_collider_def def = pbd_default_collider_def();
    def.position[1] = -0.7f;
    pbd_collider_id collider;
    CHECK_INT(pbd_collider_add(world, &def, &collider), PBD_OK);
    step_ticks(world, 7);
    static float bytes[4096];
    size_t n = 0;
    for (int c = 0; c < 2; ++c) {
        const struct pbd_cloth *cloth = world_cloth(world, ids[c]);
        for (uint32_t v = 0; v < cloth->fabric->view.vertex_count; ++v) {
            uint32_t p = cloth->fabric->view.vertex_particle[v];
            struct point x = vertex_position(world, ids[c], v), u = vertex_velocity(world, ids[c], v);
            const float nine[9] = {(float)x.x,         (float)x.y,         (float)x.z,
                                   cloth->state.ex[p], cloth->state.ey[p], cloth->state.ez[p],
                                   (float)u.x,         (float)u.y,         (float)u.z};
            for (int k = 0; k < 9; ++k)
                bytes[n++] = nine[k];
        }
    }
    struct pbd_collider_state state;
    CHECK_INT(pbd_collider_get(world, collider, &state), PBD_OK);
    for (int k = 0; k < 3; ++k)
        bytes[n++] = state.def.position[k];
    for (int k = 0; k < 4; ++k)
        bytes[n++] = state.def.rotation[k];
    for (int k = 0; k < 3; ++k)
        bytes[n++] = state.velocity[k];
    for (int k = 0; k < 3; ++k)
        bytes[n++] = state.angular_velocity[k];
    CHECK(pbd_world_state_hash(world) == XXH3_64bits(bytes, n * sizeof bytes[0]));
    pbd_world_destroy(world);
}

static void every_part_of_the_state_counts(void) {
    struct pbd_world_settings settings = quiet_settings();
    pbd_world *world = pbd_world_create(&settings);
    pbd_cloth_id id = add_sheet(world, 5, 5);
    uint64_t before = pbd_world_state_hash(world);
    struct cloth_state *s = &world_cloth(world, id)->state;
    float *parts[] = {s->x, s->y, s->z, s->ex, s->ey, s->ez, s->vx, s->vy, s->vz};
    for (int k = 0; k < 9; ++k) {
        float kept = parts[k][17];
        parts[k][17] = kept + 1e-3f;
        CHECK(pbd_world_state_hash(world) != before);
        parts[k][17] = kept;
    }
    CHECK(pbd_world_state_hash(world) == before);
    pbd_world_destroy(world);
}

static void same_calls_give_the_same_hash(void) {
    uint64_t hashes[2];
    for (int i = 0; i < 2; ++i) {
        struct pbd_world_settings settings = pbd_default_world_settings();
        pbd_world *world = pbd_world_create(&settings);
        add_sheet(world, 9, 9);
        step_ticks(world, 60);
        hashes[i] = pbd_world_state_hash(world);
        pbd_world_destroy(world);
    }
    CHECK(hashes[0] == hashes[1]);
}

RUN_TESTS(TEST(hash_is_that_of_the_documented_bytes), TEST(every_part_of_the_state_counts),
          TEST(same_calls_give_the_same_hash))
