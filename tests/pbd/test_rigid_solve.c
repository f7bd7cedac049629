/* The solve of body contacts: complementarity, Coulomb, restitution, on random heaps. */
#include "check.h"

#include "sheet.h"
#include "support_bodies.h"

static pbd_world *heap(uint64_t seed, int count, float friction, float restitution) {
    struct pbd_world_settings settings = quiet_settings();
    settings.gravity[1] = -9.81f;
    pbd_world *world = pbd_world_create(&settings);
    struct random random = {seed};
    struct pbd_collider_def def = pbd_default_collider_def();
    pbd_collider_id id;
    def.friction = friction;
    def.restitution = restitution;
    def.motion = PBD_STATIC_MOTION;
    def.shape = (struct pbd_shape){.type = PBD_PLANE, .normal = {0.0f, 1.0f, 0.0f}};
    CHECK_INT(pbd_collider_add(world, &def, &id), PBD_OK);
    def.motion = PBD_DYNAMIC;
    for (int i = 0; i < count; ++i) {
        def.shape = i % 3 == 0   ? support_box(0.1, 0.08, 0.12)
                    : i % 3 == 1 ? support_ball(0.1)
                                 : support_capsule(0.07, 0.1);
        def.mass = (float)random_between(&random, 0.5, 2.0);
        def.position[0] = (float)random_between(&random, -0.2, 0.2);
        def.position[1] = 0.2f + 0.25f * (float)i;
        def.position[2] = (float)random_between(&random, -0.2, 0.2);
        for (int k = 0; k < 4; ++k)
            def.rotation[k] = (float)random_between(&random, -1, 1);
        CHECK_INT(pbd_collider_add(world, &def, &id), PBD_OK);
    }
    return world;
}

/* After every tick: λ ≥ 0, friction within its cone, nothing deep. */
static void pushes_only_push_and_friction_obeys_coulomb(void) {
    double deepest = 0.0;
    uint32_t points = 0, sticking = 0;
    for (uint64_t seed = 1; seed <= 3; ++seed) {
        pbd_world *world = heap(seed, 9, 0.4f, 0.0f);
        for (int tick = 0; tick < 150; ++tick) {
            step_ticks_awake(world, 1);
            const struct rigid_contacts *contacts = world->rigid;
            for (uint32_t i = 0; i < contacts->point_count; ++i) {
                const struct rigid_point *point = &contacts->points[i];
                double rubbed =
                    sqrt(point->rubbed[0] * point->rubbed[0] + point->rubbed[1] * point->rubbed[1]);
                CHECK(point->pushed >= 0.0);
                CHECK(rubbed <= 0.4 * point->pushed * (1.0 + 1e-3) + 1e-12);
                if (point->pushed > 0.0) {
                    ++points;
                    sticking += rubbed < 0.39 * point->pushed;
                }
                if (tick > 60) deepest = fmax(deepest, point->depth);
            }
        }
        pbd_world_destroy(world);
    }
    printf("%u points, %u of them stick; deepest %.2e m\n", points, sticking, deepest);
    CHECK(points > 1000 && sticking > 100);
    CHECK(deepest < 2e-3);
}

static double energy_of(const pbd_world *world) {
    double sum = 0.0;
    for (uint32_t i = 0; i < world->collider_count; ++i) {
        const struct pbd_collider *c = &world->colliders[world->collider_order[i]];
        if (!rigid_moves(c)) continue;
        const struct rigid_state *s = &c->body.now;
        double m = 1.0 / c->body.inverse_mass;
        sum += 0.5 * m * vec3_dot(s->velocity, s->velocity) + m * 9.81 * s->position.y;
        struct exact_pose pose = exact_pose_from(s->position, s->rotation);
        double x = vec3_dot(pose.axis[0], s->spin), y = vec3_dot(pose.axis[1], s->spin),
               z = vec3_dot(pose.axis[2], s->spin);
        sum += 0.5 * (x * x / c->body.inverse_inertia.x + y * y / c->body.inverse_inertia.y +
                      z * z / c->body.inverse_inertia.z);
    }
    return sum;
}

static void heap_never_gains_energy(void) {
    const float restitution[2] = {0.0f, 0.6f};
    for (int i = 0; i < 2; ++i) {
        pbd_world *world = heap(5, 9, 0.4f, restitution[i]);
        double before = energy_of(world), start = before, most = 0.0;
        for (int tick = 0; tick < 240; ++tick) {
            step_ticks_awake(world, 1);
            double now = energy_of(world);
            most = fmax(most, now - before);
            before = now;
        }
        printf("restitution %.1f: %.2f J at first, %.2f J at last, at most +%.1e J in a tick\n",
               (double)restitution[i], start, before, most);
        CHECK(most < 0.01 * start);
        CHECK(before < 0.7 * start);
        pbd_world_destroy(world);
    }
}

static void same_heap_gives_the_same_bits(void) {
    uint64_t hash[2];
    for (int i = 0; i < 2; ++i) {
        pbd_world *world = heap(9, 6, 0.5f, 0.2f);
        step_ticks(world, 120);
        hash[i] = pbd_world_state_hash(world);
        pbd_world_destroy(world);
    }
    CHECK(hash[0] == hash[1]);
}

static void flat_landing_bounces_without_turning(void) {
    struct pbd_world_settings settings = quiet_settings();
    pbd_world *world = pbd_world_create(&settings);
    struct pbd_collider_def def = pbd_default_collider_def();
    pbd_collider_id id;
    def.restitution = 0.5f;
    def.motion = PBD_STATIC_MOTION;
    def.shape = (struct pbd_shape){.type = PBD_PLANE, .normal = {0.0f, 1.0f, 0.0f}};
    CHECK_INT(pbd_collider_add(world, &def, &id), PBD_OK);
    def.motion = PBD_DYNAMIC;
    def.shape = support_box(0.2, 0.1, 0.3);
    def.position[1] = 0.3f;
    def.velocity[1] = -4.0f;
    CHECK_INT(pbd_collider_add(world, &def, &id), PBD_OK);
    step_ticks(world, 6);
    struct pbd_collider_state state;
    CHECK_INT(pbd_collider_get(world, id, &state), PBD_OK);
    CHECK_NEAR(state.velocity[1], 2.0, 1e-3);
    CHECK_NEAR(state.angular_velocity[0], 0.0, 2e-2);
    CHECK_NEAR(state.angular_velocity[2], 0.0, 2e-2);
    pbd_world_destroy(world);
}

RUN_TESTS(TEST(pushes_only_push_and_friction_obeys_coulomb), TEST(heap_never_gains_energy),
          TEST(same_heap_gives_the_same_bits), TEST(flat_landing_bounces_without_turning))
