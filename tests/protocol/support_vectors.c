/* Reads protocol/vectors/ (see its README.md) for the tests of the codec. */
#include "support_vectors.h"

#include <assert.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VECTORS SOURCE_DIR "/protocol/vectors/"

static char *read_file(const char *path) {
    FILE *file = fopen(path, "rb");
    assert(file != NULL);
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    assert(size > 0);
    rewind(file);
    char *text = malloc((size_t)size + 1);
    size_t got = fread(text, 1, (size_t)size, file);
    assert(got == (size_t)size);
    text[got] = 0;
    fclose(file);
    return text;
}

static unsigned nibble(char digit) {
    const char *digits = "0123456789abcdef", *at = strchr(digits, digit);
    assert(at != NULL && digit != 0);
    return (unsigned)(at - digits);
}

static double number(const cJSON *json, const char *key) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(json, key);
    assert(cJSON_IsNumber(item));
    return item->valuedouble;
}

struct frame_planes planes_alloc(uint32_t count) {
    struct frame_planes planes;
    for (int axis = 0; axis < 3; ++axis)
        planes.q[axis] = malloc(count > 0 ? (size_t)count * 4 : 1);
    return planes;
}

struct frame_planes planes_copy(const struct frame_planes *planes, uint32_t count) {
    struct frame_planes copy = planes_alloc(count);
    for (int axis = 0; axis < 3; ++axis)
        memcpy(copy.q[axis], planes->q[axis], (size_t)count * 4);
    return copy;
}

void planes_free(struct frame_planes *planes) {
    for (int axis = 0; axis < 3; ++axis)
        free(planes->q[axis]);
}

bool planes_equal(const struct frame_planes *a, const struct frame_planes *b, uint32_t count) {
    for (int axis = 0; axis < 3; ++axis)
        if (memcmp(a->q[axis], b->q[axis], (size_t)count * 4) != 0) return false;
    return true;
}

unsigned char *exact_copy(const unsigned char *bytes, size_t length) {
    unsigned char *copy = malloc(length > 0 ? length : 1);
    if (length > 0) memcpy(copy, bytes, length);
    return copy;
}

static struct frame_planes read_planes(const cJSON *list, uint32_t count) {
    struct frame_planes planes = planes_alloc(count);
    int axis = 0;
    const cJSON *plane, *value;
    cJSON_ArrayForEach(plane, list) {
        uint32_t i = 0;
        cJSON_ArrayForEach(value, plane) planes.q[axis][i++] = (int32_t)value->valuedouble;
        assert(i == count);
        ++axis;
    }
    assert(axis == 3);
    return planes;
}

struct frame_header vector_header(const cJSON *json) {
    struct frame_header header = {
        .type = (uint8_t)number(json, "type"),
        .codec = (uint8_t)number(json, "codec"),
        .flags = (uint8_t)number(json, "flags"),
        .predictor = (uint8_t)number(json, "predictor"),
        .step_exp = (int8_t)number(json, "step_exp"),
        .world = (uint16_t)number(json, "world"),
        .object = (uint16_t)number(json, "object"),
        .epoch = (uint32_t)number(json, "epoch"),
        .tick = (uint32_t)number(json, "tick"),
        .base_tick = (uint32_t)number(json, "base_tick"),
        .server_us = (uint32_t)number(json, "server_us"),
        .count = (uint32_t)number(json, "count"),
        .payload_bytes = (uint32_t)number(json, "payload_bytes"),
        .state_crc = (uint32_t)number(json, "state_crc"),
    };
    const cJSON *origin = cJSON_GetObjectItemCaseSensitive(json, "origin");
    for (int axis = 0; axis < 3; ++axis)
        header.origin[axis] = (int32_t)cJSON_GetArrayItem(origin, axis)->valuedouble;
    return header;
}

struct vector vector_load(const char *name) {
    struct vector vector = {0};
    char path[512];
    snprintf(vector.name, sizeof vector.name, "%s", name);
    snprintf(path, sizeof path, VECTORS "%s.json", name);
    char *text = read_file(path);
    vector.json = cJSON_Parse(text);
    free(text);
    assert(vector.json != NULL);

    const cJSON *hex = cJSON_GetObjectItemCaseSensitive(vector.json, "segment");
    if (hex == NULL) hex = cJSON_GetObjectItemCaseSensitive(vector.json, "message");
    assert(cJSON_IsString(hex));
    vector.length = strlen(hex->valuestring) / 2;
    vector.bytes = malloc(vector.length);
    for (size_t i = 0; i < vector.length; ++i)
        vector.bytes[i] =
            (unsigned char)(nibble(hex->valuestring[2 * i]) << 4 | nibble(hex->valuestring[2 * i + 1]));

    const cJSON *q = cJSON_GetObjectItemCaseSensitive(vector.json, "q");
    if (q != NULL) {
        const cJSON *base = cJSON_GetObjectItemCaseSensitive(vector.json, "base");
        vector.count = (uint32_t)number(vector.json, "count");
        vector.cols = (uint32_t)number(vector.json, "cols");
        vector.state_crc = (uint32_t)number(vector.json, "state_crc");
        vector.key = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(vector.json, "key"));
        vector.q = read_planes(q, vector.count);
        if (!vector.key) vector.base = read_planes(base, vector.count);
    }
    return vector;
}

void vector_free(struct vector *vector) {
    planes_free(&vector->q);
    planes_free(&vector->base);
    free(vector->bytes);
    cJSON_Delete(vector->json);
}

int vectors_each(void (*run)(const struct vector *vector)) {
    DIR *folder = opendir(VECTORS);
    assert(folder != NULL);
    int seen = 0;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        char name[64];
        size_t length = strlen(entry->d_name);
        if (length < 6 || length >= sizeof name || strcmp(entry->d_name + length - 5, ".json") != 0) continue;
        memcpy(name, entry->d_name, length - 5);
        name[length - 5] = 0;
        struct vector vector = vector_load(name);
        run(&vector);
        vector_free(&vector);
        ++seen;
    }
    closedir(folder);
    return seen;
}
