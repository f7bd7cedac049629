/* Clones of contents: the same bits, the same start, nothing shared that changes. */
#include "check.h"
#include "shipped.h"

#include <sim/clone.h>

static uint64_t after(pbd_world *pbd, int ticks) {
    for (int i = 0; i < ticks; ++i)
        pbd_world_step(pbd);
    return pbd_world_state_hash(pbd);
}

static void a_clone_of_now_goes_on_with_the_same_bits(void) {
    static const char *const names[] = {"net", "stack", "drape"};
    for (int i = 0; i < 3; ++i) {
        struct shipped scene = shipped_open(names[i]);
        struct content *source = &scene.sim->worlds[0]->content, clone;
        struct wire_error error = {0};
        shipped_go(&scene, SLOW_BUILD ? 2 : 20);
        CHECK_INT(clone_content(&clone, source, true, &error), 0);
        CHECK(pbd_world_state_hash(clone.pbd) == pbd_world_state_hash(source->pbd));
        CHECK_INT(pbd_world_tick(clone.pbd), pbd_world_tick(source->pbd));
        int more = SLOW_BUILD ? 2 : 30;
        CHECK(after(clone.pbd, more) == after(source->pbd, more));
        CHECK_INT(content_return(&clone, &clone.start, &error), 0);
        CHECK_INT(content_return(source, &source->start, &error), 0);
        CHECK(after(clone.pbd, 1) == after(source->pbd, 1));
        content_free(&clone);
        shipped_close(&scene);
    }
}

static void a_clone_of_the_scene_is_the_start(void) {
    struct shipped scene = shipped_open("games103");
    struct content *source = &scene.sim->worlds[0]->content, clone;
    struct wire_error error = {0};
    uint64_t start = pbd_world_state_hash(source->pbd);
    shipped_go(&scene, 5);
    source->time_scale = 3.0;
    CHECK_INT(clone_content(&clone, source, false, &error), 0);
    CHECK(pbd_world_state_hash(clone.pbd) == start);
    CHECK_INT(pbd_world_tick(clone.pbd), 0);
    CHECK_NEAR(clone.time_scale, 1.0, 0);
    CHECK_STRING(clone.title, source->title);
    content_free(&clone);
    shipped_close(&scene);
}

static void objects_are_its_own_and_shared_with_its_start_alone(void) {
    struct shipped scene = shipped_open("games103");
    struct content *source = &scene.sim->worlds[0]->content, clone;
    struct wire_error error = {0};
    CHECK_INT(clone_content(&clone, source, true, &error), 0);
    CHECK_INT(clone.objects.count, source->objects.count);
    for (uint32_t i = 0; i < clone.objects.count; ++i) {
        const struct object *mine = clone.objects.items[i], *other = source->objects.items[i];
        CHECK(mine != other && mine == clone.start.objects.items[i]);
        CHECK_STRING(mine->name, other->name);
        CHECK_INT(mine->index, other->index);
        CHECK_INT(mine->id, other->id);
        CHECK(mine->fabric == other->fabric);
    }
    content_free(&clone);
    shipped_close(&scene);
}

RUN_TESTS(TEST(a_clone_of_now_goes_on_with_the_same_bits), TEST(a_clone_of_the_scene_is_the_start),
          TEST(objects_are_its_own_and_shared_with_its_start_alone))
