/* Leaves: values arrive exactly, bounds hold in float32, texts and names by their bytes. */
#include <check.h>
#include <stdlib.h>

#include "support_decode.h"

static struct wire_request *accept(const char *method, const char *params) {
    struct wire_error error;
    struct wire_request *request = support_decode_params(method, params, &error);
    if (!request) printf("%s %s: %s\n", method, params, error.message);
    CHECK(request != NULL);
    return request;
}

static void numbers_arrive_as_they_are(void) {
    struct wire_request *request = accept(
        "world.set",
        "{\"gravity\":[0.1,-9.81,1e-30],\"drag\":0.30000000000000004,\"solver\":{\"substeps\":6.4e1}}");
    if (!request) return;
    const struct wire_world_settings *settings =
        &((const struct wire_world_set *)request->params)->world_settings;
    CHECK_NEAR(settings->gravity[0], 0.1f, 0);
    CHECK_NEAR(settings->gravity[1], -9.81f, 0);
    CHECK_NEAR(settings->gravity[2], 1e-30f, 0);
    CHECK_NEAR(settings->drag, 0.30000000000000004, 0);
    CHECK_INT(settings->solver.substeps, 64);
    wire_request_destroy(request);
}

/* The server prints float32(0.1) as 0.100000001; that must be taken back where 0.1 is the bound. */
static void bounds_hold_in_float32(void) {
    wire_request_destroy(accept("world.set", "{\"solver\":{\"dt\":0.100000001}}"));
    wire_request_destroy(accept("world.set", "{\"solver\":{\"dt\":0.001}}"));
    wire_request_destroy(accept("world.set", "{\"solver\":{\"dt\":0.00100000005}}"));
    CHECK(support_fails("world.set", "{\"solver\":{\"dt\":0.10000002}}", "out_of_range", "solver.dt"));
    CHECK(support_fails("world.set", "{\"solver\":{\"dt\":0.00099999}}", "out_of_range", "solver.dt"));
    CHECK(support_fails("world.set", "{\"drag\":1e300}", "out_of_range", "drag"));
    CHECK(support_fails("world.step", "{\"ticks\":100000.5}", "wrong_type", "ticks"));
}

static void one_number_scales_all_axes(void) {
    struct wire_request *request = accept("cloth.add", "{\"cloth\":\"a\",\"file\":\"f.obj\",\"scale\":2.5}");
    if (!request) return;
    const struct wire_cloth_spec *spec = &((const struct wire_cloth_add *)request->params)->cloth_spec;
    for (int i = 0; i < 3; ++i)
        CHECK_NEAR(spec->scale[i], 2.5f, 0);
    wire_request_destroy(request);
    CHECK(support_fails("cloth.add", "{\"cloth\":\"a\",\"file\":\"f.obj\",\"scale\":0}", "out_of_range",
                        "scale"));
    CHECK(support_fails("cloth.add", "{\"cloth\":\"a\",\"file\":\"f.obj\",\"scale\":[1,0,1]}", "out_of_range",
                        "scale[1]"));
}

static void names_hold_up_to_64_bytes_of_a_few_letters(void) {
    char params[128];
    snprintf(params, sizeof params, "{\"cloth\":\"%064d\"}", 0);
    wire_request_destroy(accept("cloth.remove", params));
    snprintf(params, sizeof params, "{\"cloth\":\"%065d\"}", 0);
    CHECK(support_fails("cloth.remove", params, "out_of_range", "cloth"));
    wire_request_destroy(accept("cloth.remove", "{\"cloth\":\"A.b_c-9\"}"));
    static const char *const bad[] = {"\".a\"", "\"_a\"", "\"a/b\"", "\"\xC3\xA9\"", "\"a\\n\"", "\"..\""};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        snprintf(params, sizeof params, "{\"cloth\":%s}", bad[i]);
        CHECK(support_fails("cloth.remove", params, "out_of_range", "cloth"));
    }
}

static void texts_are_copied_whole(void) {
    struct wire_request *request =
        accept("client.set", "{\"name\":\"\\u00c4nne \\ud83d\\ude00\",\"color\":\"#ff0000\"}");
    if (!request) return;
    const struct wire_client_set *set = request->params;
    CHECK_STRING(set->name, "Änne 😀");
    CHECK_STRING(set->color, "#ff0000");
    CHECK(request->world == NULL);
    wire_request_destroy(request);
}

static void no_text_passes_for_a_list(void) {
    /* What stands for lists inside the decoder cannot be written by a client. */
    CHECK(
        support_fails("cloth.pin", "{\"cloth\":\"a\",\"vertices\":\"\\u00ff0\"}", "wrong_type", "vertices"));
    CHECK(support_fails("client.set", "{\"name\":[1,2]}", "wrong_type", "name"));
    CHECK(support_fails("cloth.remove", "{\"cloth\":[]}", "wrong_type", "cloth"));
    CHECK(support_fails("cloth.set", "{\"cloth\":\"a\",\"bend_model\":[]}", "wrong_type", "bend_model"));
}

static void lists_of_names_keep_their_order(void) {
    struct wire_request *request = accept("stream.subscribe", "{\"cloths\":[\"b\",\"a\"]}");
    if (request) {
        const struct wire_stream_subscribe *subscribe = request->params;
        CHECK_INT(subscribe->cloths.count, 2);
        CHECK_STRING(subscribe->cloths.values[0], "b");
        CHECK_STRING(subscribe->cloths.values[1], "a");
        CHECK_INT(subscribe->codec, WIRE_codec_cb32);
        wire_request_destroy(request);
    }
    request = accept("stream.subscribe", "{\"cloths\":[],\"codec\":\"f32\"}");
    if (request) {
        const struct wire_stream_subscribe *subscribe = request->params;
        CHECK_INT(subscribe->has_cloths, WIRE_PRESENT);
        CHECK_INT(subscribe->cloths.count, 0);
        CHECK_INT(subscribe->codec, WIRE_codec_f32);
        wire_request_destroy(request);
    }
    CHECK(support_fails("stream.subscribe", "{\"cloths\":[1]}", "wrong_type", "cloths"));
    CHECK(support_fails("stream.subscribe", "{\"cloths\":[\"a\",1]}", "wrong_type", "cloths[1]"));
}

RUN_TESTS(TEST(numbers_arrive_as_they_are), TEST(bounds_hold_in_float32), TEST(one_number_scales_all_axes),
          TEST(names_hold_up_to_64_bytes_of_a_few_letters), TEST(texts_are_copied_whole),
          TEST(no_text_passes_for_a_list), TEST(lists_of_names_keep_their_order))
