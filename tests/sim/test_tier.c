/* Tiers: what tells them apart, and how they follow a world's objects. */
#include "check.h"
#include <sim/tier.h>

static const struct content_room wide = {.max_vertices_per_world = 1000, .max_vertices = 1000};

static struct content scene(const char *text) {
    struct content content = {0};
    struct wire_error error = {0};
    struct wire_request *request = wire_scene_decode(text, strlen(text), &error);
    CHECK(request != NULL);
    CHECK_INT(content_build(&content, request->params, NULL, &wide, "", &error), 0);
    wire_request_destroy(request);
    return content;
}

#define CLOTH(name) "{\"cloth\":\"" name "\",\"grid\":{\"nx\":4,\"ny\":4,\"size\":[1,1]}}"

static void kinds_differ_in_every_member(void) {
    struct tier_kind kind = {
        .codec = FRAME_CB32, .step_exp = TIER_STEP_AUTO, .divisor = 1, .cloths = "a\nb\n"};
    struct tier *tier = tier_create(3, &kind);
    CHECK_INT(tier->id, 3);
    CHECK(tier_is(tier, &kind));
    struct tier_kind other = kind;
    other.codec = FRAME_F32;
    CHECK(!tier_is(tier, &other));
    other = kind;
    other.step_exp = -10;
    CHECK(!tier_is(tier, &other));
    other = kind;
    other.divisor = 2;
    CHECK(!tier_is(tier, &other));
    other = kind;
    other.cloths = NULL;
    CHECK(!tier_is(tier, &other));
    other.cloths = "a\n";
    CHECK(!tier_is(tier, &other));
    tier_free(tier);
}

static void a_name_matches_whole_names_only(void) {
    struct tier_kind kind = {.cloths = "flag\nsail\n"}, all = {.cloths = NULL}, none = {.cloths = ""};
    CHECK(tier_kind_has_cloth(&kind, "flag"));
    CHECK(tier_kind_has_cloth(&kind, "sail"));
    CHECK(!tier_kind_has_cloth(&kind, "fla"));
    CHECK(!tier_kind_has_cloth(&kind, "flags"));
    CHECK(tier_kind_has_cloth(&all, "anything"));
    CHECK(!tier_kind_has_cloth(&none, "anything"));
}

static void a_tier_takes_the_cloths_of_its_kind(void) {
    struct content content = scene("{\"cloths\":[" CLOTH("a") "," CLOTH("b") "," CLOTH("c") "]}");
    struct tier_kind kind = {.codec = FRAME_CB32, .step_exp = -9, .divisor = 1, .cloths = "a\nc\n"};
    struct tier *tier = tier_create(1, &kind);
    struct tier_scratch scratch = {0};
    struct tier_source source = {.content = &content, .epoch = 1};
    CHECK(tier_prepare(tier, &source, &scratch));
    CHECK_INT(tier->cloth_count, 2);
    CHECK_STRING(tier->cloths[1].object->name, "c");
    CHECK_INT(tier->cloths[0].step_exp, -9);
    CHECK(scratch.capacity >= 2 * tier->message_bound);
    tier_free(tier);
    tier_scratch_free(&scratch);
    content_free(&content);
}

static void what_stays_is_known_until_a_new_epoch_begins(void) {
    struct content content = scene("{\"cloths\":[" CLOTH("a") "," CLOTH("b") "]}");
    struct tier_kind kind = {.codec = FRAME_CB32, .step_exp = TIER_STEP_AUTO, .divisor = 1};
    struct tier *tier = tier_create(1, &kind);
    struct tier_scratch scratch = {0};
    struct tier_source source = {.content = &content, .epoch = 1};
    struct tier_frame frame;
    CHECK(tier_prepare(tier, &source, &scratch));
    CHECK(tier_encode(tier, &source, true, true, &scratch, &frame));
    buffer_unref(frame.delta);
    buffer_unref(frame.key);
    tier->force_key = false;
    content_remove(&content, content.objects.items[0]);
    CHECK(tier_prepare(tier, &source, &scratch));
    CHECK_INT(tier->cloth_count, 1);
    CHECK(tier->cloths[0].known && !tier->cloths[0].cut && !tier->force_key);
    source.epoch = 2;
    CHECK(tier_prepare(tier, &source, &scratch));
    CHECK(!tier->cloths[0].known && tier->cloths[0].cut && tier->force_key && tier->poses_cut);
    tier_free(tier);
    tier_scratch_free(&scratch);
    content_free(&content);
}

RUN_TESTS(TEST(kinds_differ_in_every_member), TEST(a_name_matches_whole_names_only),
          TEST(a_tier_takes_the_cloths_of_its_kind), TEST(what_stays_is_known_until_a_new_epoch_begins))
