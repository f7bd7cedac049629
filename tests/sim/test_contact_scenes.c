/* What the scenes of contact promise, in numbers: caught, pulled away, at rest, whole.
 * Slow builds only see the first ticks of each. */
#include "physics/crossings.h"
#include "shipped.h"

/* Runs to this tick, or a little way in slow builds: false, and then nothing is asked of it. */
static bool go(struct shipped *scene, int ticks) {
    shipped_go(scene, SLOW_BUILD ? 2 : ticks);
    CHECK_INT(scene->events[PBD_EVENT_DIVERGED], 0);
    CHECK_INT(scene->events[PBD_EVENT_INITIAL_OVERLAP], 0);
    CHECK(isfinite(pbd_world_get_stats(scene->world).kinetic_energy));
    return !SLOW_BUILD;
}

static uint32_t crossings(const struct shipped *scene) {
    pbd_cloth_id ids[8];
    uint32_t count = 0;
    for (uint32_t i = 0; i < scene->objects->count; ++i)
        if (scene->objects->items[i]->kind == OBJECT_CLOTH) ids[count++] = scene->objects->items[i]->id;
    return crossings_of(scene->world, ids, count);
}

static void net_catches_balls_of_every_mass(void) {
    static const char *const balls[] = {"ball", "cannonball", "melon", "orange", "apple"};
    struct shipped scene = shipped_open("net");
    if (go(&scene, 220)) {
        for (int i = 0; i < 5; ++i) {
            struct pbd_collider_state ball = shipped_collider(&scene, balls[i]);
            const float *p = ball.def.position;
            printf("     %-10s %4.2f kg at %.2f %.2f %.2f\n", balls[i], (double)ball.def.mass, (double)p[0],
                   (double)p[1], (double)p[2]);
            CHECK(p[1] > 0.8f && p[1] < 1.4f);
            CHECK(fabsf(p[0]) < 1.0f && fabsf(p[2]) < 1.0f);
        }
        CHECK(pbd_world_get_stats(scene.world).max_strain < 0.3f);
    }
    shipped_close(&scene);
}

static void barrel_tumbles_the_towel_inside_itself(void) {
    struct shipped scene = shipped_open("barrel");
    if (go(&scene, 130)) {
        struct pbd_cloth_view towel = shipped_cloth(&scene, "towel");
        struct pbd_collider_state barrel = shipped_collider(&scene, "barrel");
        double far = 0.0, along = 0.0;
        for (uint32_t i = 0; i < towel.particle_count; ++i) {
            far = fmax(far, hypot((double)towel.x[i] - (double)barrel.def.position[0],
                                  (double)towel.y[i] - (double)barrel.def.position[1]));
            along = fmax(along, fabs((double)towel.z[i]));
        }
        uint32_t crossed = crossings(&scene);
        printf("     %.3f m from the axle, %.3f m along it, %u crossings\n", far, along, crossed);
        CHECK(far < 0.5 && along < 0.35);
        CHECK_INT(crossed, 0);
        CHECK(pbd_world_get_stats(scene.world).max_strain < 0.3f);
    }
    shipped_close(&scene);
}

static void tablecloth_goes_and_the_table_stays_laid(void) {
    static const char *const things[] = {"plate", "book", "mug", "jar"};
    struct shipped scene = shipped_open("tablecloth");
    if (go(&scene, 180)) {
        int stayed = 0;
        for (int i = 0; i < 4; ++i) {
            struct pbd_collider_state thing = shipped_collider(&scene, things[i]);
            const float *p = thing.def.position;
            printf("     %-6s at %.3f %.3f %.3f\n", things[i], (double)p[0], (double)p[1], (double)p[2]);
            stayed += p[1] > 0.76f && fabsf(p[0]) < 0.6f && fabsf(p[2]) < 0.42f;
        }
        CHECK(stayed >= 3);
        struct pbd_cloth_view cloth = shipped_cloth(&scene, "tablecloth");
        for (uint32_t i = 0; i < cloth.particle_count; ++i)
            if (!(cloth.x[i] > 0.6f)) {
                CHECK(cloth.x[i] > 0.6f);
                break;
            }
    }
    shipped_close(&scene);
}

static void stack_lies_in_order_and_is_quiet(void) {
    static const char *const things[] = {"box", "ball", "brick"};
    static const float half[] = {0.05f, 0.06f, 0.03f};
    struct shipped scene = shipped_open("stack");
    if (go(&scene, 120)) {
        /* Block, three blankets with their thickness between, and one more to the body. */
        double top = 0.3 + 4 * 0.012;
        for (int i = 0; i < 3; ++i) {
            struct pbd_collider_state thing = shipped_collider(&scene, things[i]);
            double bottom = (double)thing.def.position[1] - (double)half[i];
            printf("     %-8s %.1f mm above the blankets\n", things[i], 1000 * (bottom - top));
            CHECK(fabs(bottom - top) < 0.025);
        }
        struct pbd_world_stats stats = pbd_world_get_stats(scene.world);
        uint32_t crossed = crossings(&scene);
        printf("     kinetic energy %.1e J, %u crossings\n", stats.kinetic_energy, crossed);
        CHECK(stats.kinetic_energy < 1e-3);
        CHECK_INT(crossed, 0);
    }
    shipped_close(&scene);
}

static void bunny_is_squeezed_and_not_turned_inside_out(void) {
    struct shipped scene = shipped_open("bunny");
    if (go(&scene, 180)) {
        struct pbd_cloth_view skin = shipped_cloth(&scene, "bunny");
        struct pbd_collider_state upper = shipped_collider(&scene, "upper");
        double low = INFINITY, high = -INFINITY;
        for (uint32_t i = 0; i < skin.particle_count; ++i) {
            low = fmin(low, (double)skin.y[i]);
            high = fmax(high, (double)skin.y[i]);
        }
        uint32_t crossed = crossings(&scene);
        printf("     from %.3f to %.3f m under the block at %.3f m, %u crossings\n", low, high,
               (double)upper.def.position[1] - 0.06, crossed);
        CHECK(low > 0.12 && high < (double)upper.def.position[1] - 0.06);
        CHECK(crossed < 20);
    }
    shipped_close(&scene);
}

static void twist_buckles_without_passing_through_itself(void) {
    struct shipped scene = shipped_open("twist");
    if (go(&scene, 200)) {
        uint32_t crossed = crossings(&scene);
        struct pbd_world_stats stats = pbd_world_get_stats(scene.world);
        printf("     %u pairs touch, %u crossings, strain up to %.2f\n", stats.self_contacts, crossed,
               (double)stats.max_strain);
        CHECK(stats.self_contacts > 50);
        CHECK(crossed < 20);
    }
    shipped_close(&scene);
}

RUN_TESTS(TEST(net_catches_balls_of_every_mass), TEST(barrel_tumbles_the_towel_inside_itself),
          TEST(tablecloth_goes_and_the_table_stays_laid), TEST(stack_lies_in_order_and_is_quiet),
          TEST(bunny_is_squeezed_and_not_turned_inside_out),
          TEST(twist_buckles_without_passing_through_itself))
