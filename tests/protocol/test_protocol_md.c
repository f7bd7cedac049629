/* Every example of PROTOCOL.md is true: requests and scenes pass the table, replies and
 * notifications are JSON of the right shape, the CB32 bytes decode to what is said. */
#include <check.h>
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <wire/errors.h>
#include <wire/frame.h>

#include "support_decode.h"

typedef void example(const char *text, size_t length, int line);

/* Calls use for the text of every block fenced with ```kind; returns how many. */
static int each_example(const char *kind, example *use) {
    size_t length = 0;
    char *page = support_read_file(SOURCE_DIR "/protocol/PROTOCOL.md", &length), fence[64];
    CHECK(page != NULL);
    if (!page) return 0;
    snprintf(fence, sizeof fence, "\n```%s\n", kind);
    int count = 0;
    for (char *at = page; (at = strstr(at, fence)) != NULL; ++count) {
        char *text = at + strlen(fence), *end = strstr(text, "\n```\n");
        CHECK(end != NULL);
        if (!end) break;
        int line = 1;
        for (char *p = page; p < text; ++p)
            line += *p == '\n';
        *end = '\0';
        use(text, (size_t)(end - text), line);
        *end = '\n';
        at = end;
    }
    free(page);
    return count;
}

static bool method_shown[WIRE_COMMAND_COUNT];

static void check_request(const char *text, size_t length, int line) {
    const struct wire_decode_rules rules = {.may_control = true};
    struct wire_error error;
    struct wire_request *request = wire_request_decode(text, length, &rules, &error);
    if (!request) {
        printf("PROTOCOL.md:%d: %s\n", line, error.message);
        free(error.data_json);
    } else {
        method_shown[request->command] = true;
    }
    CHECK(request != NULL);
    wire_request_destroy(request);
}

static void requests_pass_the_table(void) {
    CHECK(each_example("json request", check_request) >= 12);
    int shown = 0;
    for (int i = 0; i < WIRE_COMMAND_COUNT; ++i)
        shown += method_shown[i];
    CHECK(shown >= 10);
}

static void check_scene(const char *text, size_t length, int line) {
    struct wire_error error;
    struct wire_request *scene = wire_scene_decode(text, length, &error);
    if (!scene) {
        printf("PROTOCOL.md:%d: %s\n", line, error.message);
        free(error.data_json);
    }
    CHECK(scene != NULL);
    wire_request_destroy(scene);
}

static void scenes_pass_the_table(void) {
    CHECK(each_example("json scene", check_scene) >= 2);
}

static cJSON *parse(const char *text, size_t length) {
    char *copy = calloc(1, length + 1);
    memcpy(copy, text, length);
    cJSON *tree = cJSON_Parse(copy);
    free(copy);
    CHECK(tree != NULL);
    CHECK_STRING(cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(tree, "jsonrpc")), "2.0");
    return tree;
}

static void check_reply(const char *text, size_t length, int line) {
    (void)line;
    cJSON *tree = parse(text, length);
    const cJSON *result = cJSON_GetObjectItemCaseSensitive(tree, "result");
    CHECK(cJSON_IsNumber(cJSON_GetObjectItemCaseSensitive(result, "tick")));
    cJSON_Delete(tree);
}

static void check_error(const char *text, size_t length, int line) {
    (void)line;
    cJSON *tree = parse(text, length);
    const cJSON *error = cJSON_GetObjectItemCaseSensitive(tree, "error");
    const cJSON *code = cJSON_GetObjectItemCaseSensitive(error, "code");
    const cJSON *data = cJSON_GetObjectItemCaseSensitive(error, "data");
    const char *reason = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(data, "reason"));
    size_t count;
    const struct wire_error_kind *kinds = wire_error_kinds(&count);
    bool known = false;
    for (size_t i = 0; i < count; ++i) {
        known = known || (reason && !strcmp(kinds[i].reason, reason) && kinds[i].code == code->valueint);
    }
    CHECK(known);
    cJSON_Delete(tree);
}

/* The error example is what the decoder says. */
static void the_error_example_is_what_is_answered(void) {
    struct wire_error error;
    struct wire_request *request =
        support_decode_params("world.set", "{\"solver\":{\"substeps\":100000}}", &error);
    CHECK(request == NULL);
    size_t length;
    char *page = support_read_file(SOURCE_DIR "/protocol/PROTOCOL.md", &length);
    CHECK(page && strstr(page, error.message) != NULL);
    free(page);
}

static void check_notification(const char *text, size_t length, int line) {
    (void)line;
    static const char *const methods[] = {"hello", "mesh", "event", "presence", "status", "stats"};
    cJSON *tree = parse(text, length);
    const char *method = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(tree, "method"));
    bool known = false;
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; ++i) {
        known = known || (method && !strcmp(method, methods[i]));
    }
    CHECK(known);
    CHECK(cJSON_IsObject(cJSON_GetObjectItemCaseSensitive(tree, "params")));
    CHECK(!cJSON_HasObjectItem(tree, "id"));
    cJSON_Delete(tree);
}

static void answers_have_their_shape(void) {
    CHECK(each_example("json reply", check_reply) >= 1);
    CHECK(each_example("json error", check_error) >= 1);
    CHECK(each_example("json notification", check_notification) >= 3);
}

static void check_cb32(const char *text, size_t length, int line) {
    (void)line;
    (void)length;
    unsigned char payload[64];
    size_t bytes = 0;
    for (const char *p = text; *p && bytes < sizeof payload;) {
        char *end;
        payload[bytes++] = (unsigned char)strtoul(p, &end, 16);
        p = end + (*end == ' ');
    }
    static const int32_t want[9] = {0, 0, 0, -1, -2, -1, -3, -5, -3};
    int32_t base[3][9] = {{0}}, q[3][9];
    const struct frame_planes base_planes = {{base[0], base[1], base[2]}}, planes = {{q[0], q[1], q[2]}};
    const struct frame_header header = {.type = FRAME_STATE,
                                        .codec = FRAME_CB32,
                                        .predictor = FRAME_PREDICT_2D,
                                        .count = 9,
                                        .payload_bytes = (uint32_t)bytes};
    CHECK_INT(frame_cb32_decode(&header, payload, bytes, &base_planes, 9, 3, &planes), FRAME_OK);
    CHECK(memcmp(q[0], base[0], sizeof q[0]) == 0);
    CHECK(memcmp(q[1], want, sizeof want) == 0);
    CHECK(memcmp(q[2], base[2], sizeof q[2]) == 0);
}

static void the_worked_example_decodes(void) {
    CHECK_INT(each_example("hex cb32", check_cb32), 1);
}

RUN_TESTS(TEST(requests_pass_the_table), TEST(scenes_pass_the_table), TEST(answers_have_their_shape),
          TEST(the_error_example_is_what_is_answered), TEST(the_worked_example_decodes))
