/* The work of self-contact in a waved sheet that touches nothing grows as its vertices do:
 * four times as many make at most five times as many meetings. Counted, not timed: a time
 * says as much of the machine. */
#include "check.h"
#include "sheet.h"

#include "contact/self_internal.h"
#include "world/world_internal.h"

#if defined(__SANITIZE_ADDRESS__) || !defined(__OPTIMIZE__)
#define SLOW_BUILD true
#else
#define SLOW_BUILD false
#endif

#define SIZES 3

static const uint32_t sides[SIZES] = {32, 64, 128};

static pbd_world *waved_sheet(uint32_t n, bool self_collision) {
    struct pbd_world_settings settings = pbd_default_world_settings();
    pbd_world *world = pbd_world_create(&settings);
    double size = 0.04 * (n - 1);
    struct sheet sheet = sheet_create(n, n, size, size);
    pbd_fabric *fabric = sheet_fabric(&sheet, 0.2f);
    for (uint32_t v = 0; v < sheet.vertex_count; ++v) {
        float *p = sheet.positions + 3 * v;
        p[1] = (float)(0.03 * sin(9.0 * (double)p[0]) * sin(7.0 * (double)p[2]));
    }
    struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
    cloth.self_collision = self_collision;
    const uint32_t pins[2] = {0, n - 1};
    cloth_from(world, fabric, sheet.positions, &cloth, pins, 2);
    sheet_destroy(&sheet);
    return world;
}

/* What is near what, whether or not it comes to touching. */
static void neighbours_grow_as_the_vertices(void) {
    double meetings[SIZES];
    int count = SLOW_BUILD ? 2 : SIZES;
    for (int k = 0; k < count; ++k) {
        pbd_world *world = waved_sheet(sides[k], true);
        step_ticks(world, 2);
        CHECK_INT(world->self->couple_count, 1);
        meetings[k] = world->self->couples[0].meeting_count;
        CHECK(meetings[k] > 0.0);
        CHECK_INT(pbd_world_get_stats(world).self_contacts, 0);
        if (k > 0) {
            printf("     %u to %u vertices a side: %.0f to %.0f meetings, times %.2f\n", sides[k - 1],
                   sides[k], meetings[k - 1], meetings[k], meetings[k] / meetings[k - 1]);
            CHECK(meetings[k] <= 5.0 * meetings[k - 1]);
        }
        pbd_world_destroy(world);
    }
}

RUN_TESTS(TEST(neighbours_grow_as_the_vertices))
