/* Events tell a command as it was sent: present members only, long lists by their length. */
#include <check.h>
#include <stdlib.h>
#include <wire/reply.h>

#include "support_decode.h"

static void check_told(const char *method, const char *params, const char *want) {
    struct wire_error error;
    struct wire_request *request = support_decode_params(method, params, &error);
    if (!request) printf("%s\n", error.message);
    CHECK(request != NULL);
    if (!request) return;
    struct json json;
    json_init(&json);
    describe_params(&json, request);
    CHECK_STRING(json.text, want);
    json_free(&json);
    wire_request_destroy(request);
}

static void present_members_are_told_in_the_tables_order(void) {
    check_told("world.pause", "{}", "{}");
    check_told("world.pause", "{\"world\":\"main\"}", "{\"world\":\"main\"}");
    check_told("world.set", "{\"solver\":{\"substeps\":4,\"method\":\"pbd\"},\"drag\":0.25}",
               "{\"drag\":0.25,\"solver\":{\"method\":\"pbd\",\"substeps\":4}}");
    check_told("cloth.set", "{\"cloth\":\"a\",\"bend_compliance\":null,\"bend_model\":\"distance\"}",
               "{\"cloth\":\"a\",\"bend_compliance\":null,\"bend_model\":\"distance\"}");
    check_told("collider.move", "{\"collider\":\"a\",\"rotation\":[0,0,0,1],\"teleport\":true,\"over\":3}",
               "{\"collider\":\"a\",\"rotation\":[0,0,0,1],\"over\":3,\"teleport\":true}");
    check_told("stream.subscribe", "{\"cloths\":[\"a\",\"b\"]}", "{\"cloths\":[\"a\",\"b\"]}");
    check_told(
        "world.load",
        "{\"spec\":{\"title\":\"t\",\"colliders\":[{\"collider\":\"c\",\"shape\":{\"type\":\"plane\"}}]}}",
        "{\"spec\":{\"title\":\"t\",\"colliders\":[{\"collider\":\"c\",\"shape\":{\"type\":\"plane\"}}]}}");
}

/* Not as the float32 that the server keeps: 0.1 is no 0.100000001. */
static void numbers_are_told_as_they_are_written(void) {
    check_told("collider.move",
               "{\"collider\":\"a\",\"position\":[0.1,-0.7,12.3],\"rotation\":[0,0.6,0,0.8]}",
               "{\"collider\":\"a\",\"position\":[0.1,-0.7,12.3],\"rotation\":[0,0.6,0,0.8]}");
    check_told("cloth.pin", "{\"cloth\":\"a\",\"vertices\":[3],\"positions\":[0.1,0.2,0.3]}",
               "{\"cloth\":\"a\",\"vertices\":[3],\"positions\":[0.1,0.2,0.3]}");
}

static void lists_up_to_16_are_told_whole(void) {
    check_told("cloth.pin",
               "{\"cloth\":\"a\",\"vertices\":[3,{\"from\":5,\"to\":7}],\"positions\":[0.5,1,2]}",
               "{\"cloth\":\"a\",\"vertices\":[3,{\"from\":5,\"to\":7}],\"positions\":[0.5,1,2]}");
    check_told("cloth.pin", "{\"cloth\":\"a\",\"vertices\":[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15]}",
               "{\"cloth\":\"a\",\"vertices\":[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15]}");
}

static void longer_lists_are_told_by_their_length(void) {
    check_told("cloth.pin", "{\"cloth\":\"a\",\"vertices\":[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16]}",
               "{\"cloth\":\"a\",\"vertices\":17}");
    check_told(
        "cloth.set_state",
        "{\"cloth\":\"a\",\"positions\":[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17],\"velocities\":[1,2,3]}",
        "{\"cloth\":\"a\",\"positions\":18,\"velocities\":[1,2,3]}");
}

/* Whatever the table holds: told params are accepted again and told the same. */
static void what_is_told_can_be_sent(void) {
    for (int i = 0; i < WIRE_COMMAND_COUNT; ++i) {
        const char *method = wire_command_get_info((enum wire_command)i)->method;
        struct json sample, told, again;
        json_init(&sample);
        json_init(&told);
        json_init(&again);
        support_full_record(&sample, command_record((enum wire_command)i));
        struct wire_error error;
        struct wire_request *request = support_decode_params(method, sample.text, &error);
        CHECK(request != NULL);
        if (request) describe_params(&told, request);
        struct wire_request *second = request ? support_decode_params(method, told.text, &error) : NULL;
        if (!second) printf("%s %s: %s\n", method, told.text, error.message);
        CHECK(second != NULL);
        if (second) describe_params(&again, second);
        CHECK_STRING(again.text, told.text);
        wire_request_destroy(request);
        wire_request_destroy(second);
        json_free(&sample);
        json_free(&told);
        json_free(&again);
    }
}

/* What decodes from the whole text is told the same again, with every number exact. */
static void told_whole_it_is_the_same_command(void) {
    static const char *const commands[][2] = {
        {"cloth.set_state",
         "{\"cloth\":\"a\",\"positions\":[0.1,-0,1e-42,3.4028e5,5,6,7,8,9,10,11,12,13,14,15,16,17,18,"
         "19,20,0.333333343]}"},
        {"cloth.pin",
         "{\"cloth\":\"a\",\"vertices\":[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,{\"from\":20,\"to\":30}]}"},
        {"world.set", "{\"time_scale\":0.1,\"drag\":0.30000000000000004,\"gravity\":[0,-9.81,0]}"},
        {"world.step",
         "{\"ticks\":2,\"commands\":[{\"method\":\"cloth.pin\",\"params\":{\"cloth\":\"a\",\"vertices\":[1]}},"
         "{\"method\":\"world.reset\"}],\"state\":{\"codec\":\"cb32\",\"velocities\":true}}"},
        {"cloth.add", "{\"cloth\":\"n\",\"mesh\":{\"positions\":[0,0,0,1,0,0,0,0,1],\"triangles\":[0,1,2]},"
                      "\"static_friction\":null}"},
    };
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; ++i) {
        struct wire_error error;
        char *text[2] = {NULL, NULL};
        for (int k = 0; k < 2; ++k) {
            struct wire_request *request =
                support_decode_params(commands[i][0], k == 0 ? commands[i][1] : text[0], &error);
            if (!request) printf("%s\n", error.message);
            CHECK(request != NULL);
            if (!request) continue;
            struct json json;
            json_init(&json);
            describe_params_whole(&json, request);
            text[k] = json.text;
            wire_request_destroy(request);
        }
        CHECK_STRING(text[1], text[0]);
        free(text[0]);
        free(text[1]);
    }
}

static void commands_within_a_step_are_told_in_place(void) {
    check_told(
        "world.step",
        "{\"commands\":[{\"method\":\"world.reset\"},{\"method\":\"world.set\",\"params\":{\"drag\":1}}]}",
        "{\"commands\":[{\"method\":\"world.reset\"},{\"method\":\"world.set\",\"params\":{\"drag\":1}}]}");
}

RUN_TESTS(TEST(told_whole_it_is_the_same_command), TEST(commands_within_a_step_are_told_in_place),
          TEST(present_members_are_told_in_the_tables_order), TEST(numbers_are_told_as_they_are_written),
          TEST(lists_up_to_16_are_told_whole), TEST(longer_lists_are_told_by_their_length),
          TEST(what_is_told_can_be_sent))
