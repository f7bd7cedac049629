/* Events: members, order, drags, what the solver reports. */
#include "check.h"
#include "support_sim.h"

#define SCENE                                                                                                \
    "{\"cloths\":[{\"cloth\":\"a\",\"grid\":{\"nx\":5,\"ny\":5,\"size\":[1,1]}}],"                           \
    "\"colliders\":[{\"collider\":\"ball\",\"shape\":{\"type\":\"sphere\",\"radius\":0.2},\"position\":[0,-3,0]}]}"

static struct bench bench;

static void everyone_who_subscribed_or_commanded_hears_of_a_command(void) {
    bench_open(&bench, SCENE);
    for (uint32_t client = 2; client <= 4; ++client)
        bench_connect(&bench, client);
    bench_call_as(&bench, 2, "stream.subscribe", NULL);
    bench_call_as(&bench, 3, "world.set", "{\"drag\":0.3}");
    bench_call_as(&bench, 4, "world.describe", NULL); /* a mere reader */
    bench_clear(&bench);
    bench_call(&bench, "cloth.pin", "{\"cloth\":\"a\",\"vertices\":[1,2]}");
    for (uint32_t client = 1; client <= 3; ++client) {
        const cJSON *event = bench_notification(&bench, client, "event", 0);
        CHECK_STRING(bench_string(event, "method"), "cloth.pin");
        CHECK_INT(bench_number(event, "client"), 1);
        CHECK_INT(bench_number(event, "tick"), 0);
        const cJSON *vertices = cJSON_GetObjectItem(cJSON_GetObjectItem(event, "params"), "vertices");
        CHECK_INT(cJSON_GetArraySize(vertices), 2);
    }
    CHECK_INT(bench_notifications(&bench, 4, "event"), 0);
    bench_close(&bench);
}

static void seq_rises_by_one(void) {
    bench_open(&bench, SCENE);
    for (int i = 0; i < 3; ++i)
        bench_call(&bench, "world.set", "{\"drag\":0.3}");
    bench_call(&bench, "world.reset", NULL); /* does not restart it */
    double first = bench_number(bench_notification(&bench, 1, "event", 0), "seq");
    for (uint32_t i = 0; i < 4; ++i)
        CHECK_INT(bench_number(bench_notification(&bench, 1, "event", i), "seq"), first + i);
    bench_close(&bench);
}

static void a_refused_command_is_no_event(void) {
    bench_open(&bench, SCENE);
    bench_refused(&bench, "cloth.pin", "{\"cloth\":\"a\",\"vertices\":[999]}");
    bench_refused(&bench, "cloth.remove", "{\"cloth\":\"nope\"}");
    CHECK_INT(bench_notifications(&bench, 1, "event"), 0);
    bench_close(&bench);
}

static void a_fast_drag_is_told_at_its_start_twice_a_second_and_at_its_end(void) {
    bench_open(&bench, SCENE);
    char params[96];
    /* 60 moves a second for 2 s. */
    for (int i = 0; i < 120; ++i) {
        snprintf(params, sizeof params, "{\"collider\":\"ball\",\"position\":[%d,-3,0]}", i);
        bench_call(&bench, "collider.move", params);
        bench_advance(&bench, 16667);
    }
    bench_advance(&bench, 1000000);
    uint32_t count = bench_notifications(&bench, 1, "event");
    CHECK(count >= 5 && count <= 6); /* start, 0.5, 1.0, 1.5, end (2.0) */
    double last = -1;
    for (uint32_t i = 0; i < count; ++i) {
        const cJSON *moved = cJSON_GetObjectItem(bench_notification(&bench, 1, "event", i), "params");
        double x = cJSON_GetArrayItem(cJSON_GetObjectItem(moved, "position"), 0)->valuedouble;
        CHECK(x > last);
        CHECK(i > 0 || x == 0);
        last = x;
    }
    CHECK_INT(last, 119);
    bench_close(&bench);
}

static void a_fast_drag_of_a_grab_is_coalesced_and_ends_before_its_release(void) {
    bench_open(&bench, SCENE);
    char params[96];
    bench_call(&bench, "cloth.grab", "{\"cloth\":\"a\",\"vertex\":12}");
    bench_call(&bench, "cloth.grab", "{\"cloth\":\"a\",\"vertex\":0}");
    bench_clear(&bench);
    for (int i = 0; i < 120; ++i) {
        snprintf(params, sizeof params, "{\"grab\":1,\"position\":[%d,0,0]}", i);
        bench_call(&bench, "cloth.drag", params);
        bench_advance(&bench, 16667);
        /* Another thing is dragged on its own account. */
        if (i == 30) bench_call(&bench, "cloth.drag", "{\"grab\":2,\"position\":[0,5,0]}");
        if (i == 31) bench_call(&bench, "collider.move", "{\"collider\":\"ball\",\"position\":[0,-4,0]}");
    }
    bench_call(&bench, "cloth.release", "{\"grab\":1}");
    uint32_t count = bench_notifications(&bench, 1, "event"), drags = 0;
    double last = -1;
    for (uint32_t i = 0; i < count; ++i) {
        const cJSON *event = bench_notification(&bench, 1, "event", i),
                    *moved = cJSON_GetObjectItem(event, "params");
        if (strcmp(bench_string(event, "method"), "cloth.drag") != 0 || bench_number(moved, "grab") != 1)
            continue;
        last = cJSON_GetArrayItem(cJSON_GetObjectItem(moved, "position"), 0)->valuedouble;
        ++drags;
    }
    CHECK(drags >= 5 && drags <= 6);
    CHECK_INT(last, 119);
    CHECK_INT(count, drags + 3);
    CHECK_STRING(bench_string(bench_notification(&bench, 1, "event", count - 1), "method"), "cloth.release");
    bench_close(&bench);
}

/* The index-th event of this name that client 1 got, or NULL. */
static const cJSON *event_named(const char *name, uint32_t index) {
    for (uint32_t i = 0; i < bench_notifications(&bench, 1, "event"); ++i) {
        const cJSON *event = bench_notification(&bench, 1, "event", i);
        if (strcmp(bench_string(event, "event"), name) == 0 && index-- == 0) return event;
    }
    return NULL;
}

#define BODY(name, x)                                                                                        \
    "{\"collider\":\"" name                                                                                  \
    "\",\"shape\":{\"type\":\"sphere\",\"radius\":0.3},\"motion\":\"dynamic\",\"position\":[" x ",9,0]}"

/* Two sheets through each other, one of which is folded into itself, and two balls in one place. */
static void overlaps_of_cloths_and_of_bodies_name_both(void) {
    bench_open(
        &bench,
        "{\"world\":{\"gravity\":[0,0,0]},\"cloths\":["
        "{\"cloth\":\"a\",\"grid\":{\"nx\":9,\"ny\":9,\"size\":[1,1]},\"position\":[0,0.01,0]},"
        "{\"cloth\":\"b\",\"grid\":{\"nx\":8,\"ny\":8,\"size\":[1,1]},\"rotation\":[0.7071068,0,0,0.7071068],\"position\":[0.01,0,0.05]}],"
        "\"colliders\":[" BODY("left", "0") "," BODY("right", "0.5") "]}");
    bench_call(&bench, "world.step", NULL);
    bool cloths = false, bodies = false;
    for (uint32_t i = 0; event_named("initial_overlap", i); ++i) {
        const cJSON *event = event_named("initial_overlap", i);
        const char *other = bench_string(event, "other");
        CHECK(bench_number(event, "count") >= 1 && bench_number(event, "depth") >= 0);
        if (cJSON_GetObjectItem(event, "cloth")) {
            CHECK(cJSON_GetObjectItem(event, "collider") == NULL);
            cloths = cloths || strcmp(other, strcmp(bench_string(event, "cloth"), "a") == 0 ? "b" : "a") == 0;
        } else {
            bodies =
                bodies ||
                strcmp(other, strcmp(bench_string(event, "collider"), "left") == 0 ? "right" : "left") == 0;
        }
    }
    CHECK(cloths && bodies);
    bench_close(&bench);
}

static void a_body_that_is_too_fast_is_told_by_name(void) {
    bench_open(&bench, "{\"world\":{\"gravity\":[0,-1000,0],\"max_speed\":1,\"drag\":0},\"colliders\":[" BODY(
                           "ball", "0") "]}");
    bench_call(&bench, "world.step", "{\"ticks\":30}");
    CHECK_STRING(bench_string(event_named("clamped", 0), "collider"), "ball");
    CHECK_STRING(bench_string(event_named("clamped", 0), "what"), "max_speed");
    CHECK(event_named("clamped", 1) == NULL); /* once a second */
    bench_close(&bench);
}

static void sleeping_and_waking_name_the_cloth_or_the_body(void) {
    bench_open(&bench,
               "{\"world\":{\"gravity\":[0,0,0]},\"cloths\":[{\"cloth\":\"a\",\"grid\":{\"nx\":3,\"ny\":3,"
               "\"size\":[1,1]}}],\"colliders\":[{\"collider\":\"ball\",\"shape\":{\"type\":\"sphere\","
               "\"radius\":0.2},\"position\":[0,-3,0],\"motion\":\"dynamic\"}]}");
    bench_call(&bench, "world.step", "{\"ticks\":90}");
    bool cloth = false, body = false;
    for (uint32_t i = 0; i < 2; ++i) {
        const cJSON *event = event_named("slept", i);
        cloth = cloth || strcmp(bench_string(event, "cloth"), "a") == 0;
        body = body || strcmp(bench_string(event, "collider"), "ball") == 0;
        CHECK(cJSON_IsNull(cJSON_GetObjectItem(event, "client")));
    }
    CHECK(cloth && body);
    bench_call(&bench, "cloth.impulse", "{\"cloth\":\"a\",\"vertices\":[4],\"impulse\":[0,0.1,0]}");
    bench_call(&bench, "world.step", NULL);
    CHECK_STRING(bench_string(event_named("woke", 0), "cloth"), "a");
    CHECK(cJSON_GetObjectItem(event_named("woke", 0), "collider") == NULL);
    bench_close(&bench);
}

static void slow_moves_are_all_told_at_once(void) {
    bench_open(&bench, SCENE);
    for (uint32_t i = 0; i < 4; ++i) {
        bench_call(&bench, "collider.move", "{\"collider\":\"ball\",\"position\":[1,0,0]}");
        CHECK_INT(bench_notifications(&bench, 1, "event"), i + 1);
        bench_advance(&bench, 500001);
    }
    CHECK_INT(bench_notifications(&bench, 1, "event"), 4);
    bench_close(&bench);
}

static void another_event_does_not_overtake_a_held_move(void) {
    bench_open(&bench, SCENE);
    bench_call(&bench, "collider.move", "{\"collider\":\"ball\",\"position\":[1,0,0]}");
    bench_call(&bench, "collider.move", "{\"collider\":\"ball\",\"position\":[2,0,0]}");
    CHECK_INT(bench_notifications(&bench, 1, "event"), 1);
    bench_call(&bench, "collider.remove", "{\"collider\":\"ball\"}");
    CHECK_INT(bench_notifications(&bench, 1, "event"), 3);
    CHECK_STRING(bench_string(bench_notification(&bench, 1, "event", 1), "method"), "collider.move");
    CHECK_STRING(bench_string(bench_notification(&bench, 1, "event", 2), "method"), "collider.remove");
    bench_advance(&bench, 2000000);
    CHECK_INT(bench_notifications(&bench, 1, "event"), 3);
    bench_close(&bench);
}

static void the_end_of_a_drag_is_told_when_its_client_leaves(void) {
    bench_open(&bench, SCENE);
    bench_connect(&bench, 2);
    bench_call_as(&bench, 2, "collider.move", "{\"collider\":\"ball\",\"position\":[1,0,0]}");
    bench_call_as(&bench, 2, "collider.move", "{\"collider\":\"ball\",\"position\":[7,0,0]}");
    bench_disconnect(&bench, 2);
    CHECK_INT(bench_notifications(&bench, 1, "event"), 2);
    bench_close(&bench);
}

static void a_cloth_that_diverges_is_told_once_and_the_world_goes_on(void) {
    bench_open(&bench, "{\"world\":{\"gravity\":[0,0,0],\"max_speed\":1000000,\"solver\":{\"dt\":0.1}},"
                       "\"cloths\":[{\"cloth\":\"a\",\"grid\":{\"nx\":3,\"ny\":3,\"size\":[1,1]}}]}");
    bench_call(&bench, "world.set", "{\"max_speed\":1000000}");
    bench_clear(&bench);
    static char params[2048];
    int length = snprintf(params, sizeof params, "{\"cloth\":\"a\",\"velocities\":[");
    for (int i = 0; i < 27; ++i) {
        length += snprintf(params + length, sizeof params - (size_t)length, "%s1000000", i ? "," : "");
    }
    snprintf(params + length, sizeof params - (size_t)length, "]}");
    CHECK(bench_call(&bench, "cloth.set_state", params) != NULL);
    bench_call(&bench, "world.step", "{\"ticks\":30}");
    /* Whatever the solver reports of so fast a cloth names it; the world has ticked on. */
    CHECK_INT(bench_number(bench_call(&bench, "world.stats", NULL), "tick"), 30);
    for (uint32_t i = 0; i < bench_notifications(&bench, 1, "event"); ++i) {
        const cJSON *event = bench_notification(&bench, 1, "event", i);
        if (!cJSON_GetObjectItem(event, "event")) continue;
        CHECK(cJSON_IsNull(cJSON_GetObjectItem(event, "client")));
        CHECK_STRING(bench_string(event, "cloth"), "a");
    }
    bench_close(&bench);
}

static void a_start_inside_a_collider_is_told_with_names_count_and_depth(void) {
    bench_open(
        &bench,
        "{\"cloths\":[{\"cloth\":\"a\",\"grid\":{\"nx\":5,\"ny\":5,\"size\":[1,1]}}],\"colliders\":"
        "[{\"collider\":\"ball\",\"shape\":{\"type\":\"sphere\",\"radius\":0.3},\"position\":[0,0.1,0]}]}");
    bench_call(&bench, "world.step", NULL);
    const cJSON *event = bench_notification(&bench, 1, "event", 0);
    CHECK_STRING(bench_string(event, "event"), "initial_overlap");
    CHECK_STRING(bench_string(event, "cloth"), "a");
    CHECK_STRING(bench_string(event, "collider"), "ball");
    CHECK(bench_number(event, "count") >= 1);
    CHECK(bench_number(event, "depth") > 0);
    bench_close(&bench);
}

static void a_clamped_speed_is_told_once_a_second(void) {
    bench_open(&bench, "{\"world\":{\"gravity\":[0,-1000,0],\"max_speed\":1,\"drag\":0},"
                       "\"cloths\":[{\"cloth\":\"a\",\"grid\":{\"nx\":3,\"ny\":3,\"size\":[1,1]}}]}");
    bench_call(&bench, "world.step", "{\"ticks\":119}");
    uint32_t clamped = 0;
    for (uint32_t i = 0; i < bench_notifications(&bench, 1, "event"); ++i) {
        const cJSON *event = bench_notification(&bench, 1, "event", i);
        if (strcmp(bench_string(event, "event"), "clamped") != 0) continue;
        ++clamped;
        CHECK_STRING(bench_string(event, "what"), "max_speed");
        CHECK_NEAR(bench_number(event, "max"), 1, 0);
        CHECK(bench_number(event, "got") > 1);
    }
    CHECK_INT(clamped, 2); /* 119 ticks of 1/60 s are almost two seconds */
    bench_close(&bench);
}

RUN_TESTS(TEST(everyone_who_subscribed_or_commanded_hears_of_a_command), TEST(seq_rises_by_one),
          TEST(a_refused_command_is_no_event),
          TEST(a_fast_drag_is_told_at_its_start_twice_a_second_and_at_its_end),
          TEST(a_fast_drag_of_a_grab_is_coalesced_and_ends_before_its_release),
          TEST(overlaps_of_cloths_and_of_bodies_name_both), TEST(a_body_that_is_too_fast_is_told_by_name),
          TEST(sleeping_and_waking_name_the_cloth_or_the_body), TEST(slow_moves_are_all_told_at_once),
          TEST(another_event_does_not_overtake_a_held_move),
          TEST(the_end_of_a_drag_is_told_when_its_client_leaves),
          TEST(a_cloth_that_diverges_is_told_once_and_the_world_goes_on),
          TEST(a_start_inside_a_collider_is_told_with_names_count_and_depth),
          TEST(a_clamped_speed_is_told_once_a_second))
