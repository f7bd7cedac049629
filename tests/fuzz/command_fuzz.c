/* Bytes as a request and as a scene. What decodes is told as an event tells
 * it, what does not is answered; nothing may be read past the text. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <wire/reply.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void tell(const struct wire_request *request) {
    struct json json;
    json_init(&json);
    describe_params(&json, request);
    json_free(&json);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1); /* of its exact size, so that a read past it is seen */
    if (!text) return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    const struct wire_decode_rules rules = {.may_control = true, .max_depth = 16};
    struct wire_error error;
    struct wire_request *request = wire_request_decode(text, size, &rules, &error);
    if (request) {
        tell(request);
        wire_request_destroy(request);
    } else {
        struct json json;
        json_init(&json);
        reply_error(&json, &error);
        json_free(&json);
        free(error.data_json);
    }
    struct wire_request *scene = wire_scene_decode(text, size, &error);
    if (scene) {
        wire_request_destroy(scene);
    } else {
        free(error.data_json);
    }
    free(text);
    return 0;
}
