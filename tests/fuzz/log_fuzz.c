/* Bytes as a command log: decoded, and what is decoded walked through as a replay would. No path
 * of an error may lead out of the text. */
#include <wire/commands.h>
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t walk(const struct wire_log *log) {
    size_t sum = log->start.cloths_count + strlen(log->server);
    for (uint32_t i = 0; i < log->commands_count; ++i) {
        const struct wire_log_entry *entry = &log->commands[i];
        assert(entry->method < WIRE_COMMAND_COUNT && entry->params);
        const char *world = wire_params_world(entry->method, entry->params);
        sum += world ? strlen(world) : 0;
    }
    for (uint32_t i = 0; i < log->checks_count; ++i) {
        for (uint32_t k = 0; k < log->checks[i].cloths_count; ++k)
            sum += strlen(log->checks[i].cloths[k].marks);
    }
    return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1);
    if (!text) return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    struct wire_error error = {0};
    struct wire_request *request = wire_log_decode(text, size, &error);
    if (request) {
        if (walk(request->params) == SIZE_MAX) abort(); /* never: so that the walk stays */
        wire_request_destroy(request);
    } else {
        free(error.data_json);
    }
    free(text);
    return 0;
}
