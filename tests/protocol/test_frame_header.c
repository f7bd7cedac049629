/* Headers, poses and the walk over a message. */
#include <check.h>
#include <stdlib.h>
#include <wire/frame.h>

#include "support_vectors.h"

static bool headers_equal(const struct frame_header *a, const struct frame_header *b) {
    return a->type == b->type && a->codec == b->codec && a->flags == b->flags &&
           a->predictor == b->predictor && a->step_exp == b->step_exp && a->world == b->world &&
           a->object == b->object && a->epoch == b->epoch && a->tick == b->tick &&
           a->base_tick == b->base_tick && a->server_us == b->server_us && a->count == b->count &&
           a->payload_bytes == b->payload_bytes && a->origin[0] == b->origin[0] &&
           a->origin[1] == b->origin[1] && a->origin[2] == b->origin[2] && a->state_crc == b->state_crc;
}

static int seen;
static void check_header(const struct vector *vector) {
    const cJSON *json = cJSON_GetObjectItemCaseSensitive(vector->json, "header");
    if (json == NULL) return;
    ++seen;
    struct frame_header want = vector_header(json), got;
    frame_header_read(vector->bytes, &got);
    CHECK(headers_equal(&got, &want));
    unsigned char *written = malloc(FRAME_HEADER_BYTES);
    frame_header_write(&want, written);
    CHECK(memcmp(written, vector->bytes, FRAME_HEADER_BYTES) == 0);
    free(written);
}

static void golden_headers_read_and_write_every_field(void) {
    vectors_each(check_header);
    CHECK(seen >= 20);
}

static void a_message_is_walked_segment_by_segment(void) {
    struct vector vector = vector_load("own-message");
    const cJSON *lengths = cJSON_GetObjectItemCaseSensitive(vector.json, "segments");
    const cJSON *headers = cJSON_GetObjectItemCaseSensitive(vector.json, "headers");
    size_t offset = 0, start = 0;
    int count = 0;
    while (offset < vector.length) {
        struct frame_header header, want = vector_header(cJSON_GetArrayItem(headers, count));
        const unsigned char *payload;
        CHECK_INT(frame_next_segment(vector.bytes, vector.length, &offset, &header, &payload), FRAME_OK);
        CHECK(headers_equal(&header, &want));
        CHECK(payload == vector.bytes + start + FRAME_HEADER_BYTES);
        start += (size_t)cJSON_GetArrayItem(lengths, count)->valuedouble;
        CHECK_INT(offset, start);
        if (++count > 4) break;
    }
    CHECK_INT(count, 4);
    vector_free(&vector);
}

/* A message cut anywhere but between segments fails, and says nothing of the rest. */
static void check_truncations(const struct vector *vector) {
    const cJSON *lengths = cJSON_GetObjectItemCaseSensitive(vector->json, "segments"), *item;
    for (size_t length = 1; length < vector->length; ++length) {
        size_t boundary = 0;
        bool whole = false;
        cJSON_ArrayForEach(item, lengths) {
            boundary += (size_t)item->valuedouble;
            whole = whole || boundary == length;
        }
        unsigned char *bytes = exact_copy(vector->bytes, length);
        enum frame_error error = FRAME_OK;
        for (size_t offset = 0; offset < length && error == FRAME_OK;) {
            struct frame_header header;
            const unsigned char *payload;
            size_t before = offset;
            error = frame_next_segment(bytes, length, &offset, &header, &payload);
            if (error != FRAME_OK) CHECK_INT(offset, before);
        }
        CHECK_INT(error, whole ? FRAME_OK : FRAME_TRUNCATED);
        free(bytes);
    }
}

static void every_truncation_of_a_message_is_noticed(void) {
    CHECK(vectors_each(check_truncations) >= 40);
}

static void lengths_that_the_type_does_not_have_are_refused(void) {
    const struct {
        uint8_t type, codec, flags;
        uint32_t count, bytes;
        enum frame_error want;
    } cases[] = {
        {FRAME_STATE, FRAME_F32, FRAME_KEY, 2, 24, FRAME_OK},
        {FRAME_STATE, FRAME_F32, FRAME_KEY, 2, 20, FRAME_BAD_LENGTH},
        {FRAME_STATE, FRAME_F32, FRAME_UNCHANGED, 2, 24, FRAME_BAD_LENGTH},
        {FRAME_STATE, FRAME_CB32, FRAME_UNCHANGED, 2, 0, FRAME_OK},
        {FRAME_STATE, FRAME_CB32, 0, 2, 22, FRAME_BAD_LENGTH},
        {FRAME_TRIANGLES, FRAME_F32, 0, 2, 24, FRAME_OK},
        {FRAME_TRIANGLES, FRAME_F32, 0, 0x15555557u, 4, FRAME_BAD_LENGTH}, /* 12·count = 4 modulo 2^32 */
        {FRAME_REST, FRAME_F32, 0, 1, 24, FRAME_BAD_LENGTH},
        {FRAME_VELOCITIES, FRAME_F32, FRAME_KEY | FRAME_ANSWER, 2, 24, FRAME_OK},
        {FRAME_VELOCITIES, FRAME_F32, FRAME_KEY, 2, 28, FRAME_BAD_LENGTH},
        {FRAME_POSES, FRAME_F32, 0, 1, 32, FRAME_OK},
        {FRAME_POSES, FRAME_F32, 0, 2, 32, FRAME_BAD_LENGTH},
        {FRAME_POSES, FRAME_F32, FRAME_UNCHANGED, 2, 0, FRAME_OK},
        {77, 5, 0, 9, 16, FRAME_OK},
        {77, 5, 0, 9, 18, FRAME_BAD_LENGTH},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        unsigned char *message = calloc(1, FRAME_HEADER_BYTES + 24 + 8);
        struct frame_header header = {.type = cases[i].type,
                                      .codec = cases[i].codec,
                                      .flags = cases[i].flags,
                                      .count = cases[i].count,
                                      .payload_bytes = cases[i].bytes};
        frame_header_write(&header, message);
        size_t offset = 0;
        const unsigned char *payload;
        CHECK_INT(frame_next_segment(message, FRAME_HEADER_BYTES + 32, &offset, &header, &payload),
                  cases[i].want);
        CHECK_INT(offset, cases[i].want == FRAME_OK ? FRAME_HEADER_BYTES + cases[i].bytes : 0);
        free(message);
    }
}

static void the_largest_payload_length_does_not_wrap(void) {
    unsigned char *message = calloc(1, FRAME_HEADER_BYTES);
    struct frame_header header = {.type = 99, .payload_bytes = UINT32_MAX - 3};
    frame_header_write(&header, message);
    size_t offset = 0;
    const unsigned char *payload;
    CHECK_INT(frame_next_segment(message, FRAME_HEADER_BYTES, &offset, &header, &payload), FRAME_TRUNCATED);
    offset = FRAME_HEADER_BYTES + 1;
    CHECK_INT(frame_next_segment(message, FRAME_HEADER_BYTES, &offset, &header, &payload), FRAME_TRUNCATED);
    free(message);
}

static void golden_poses_read_and_write_to_the_bit(void) {
    struct vector vector = vector_load("own-poses");
    const cJSON *poses = cJSON_GetObjectItemCaseSensitive(vector.json, "poses"), *item;
    const unsigned char *at = vector.bytes + FRAME_HEADER_BYTES;
    int count = 0;
    cJSON_ArrayForEach(item, poses) {
        struct frame_pose pose;
        frame_pose_read(at, &pose);
        CHECK_INT(pose.object, cJSON_GetObjectItem(item, "object")->valuedouble);
        CHECK_INT(pose.flags, cJSON_GetObjectItem(item, "flags")->valuedouble);
        for (int i = 0; i < 3; ++i)
            CHECK(pose.position[i] ==
                  (float)cJSON_GetArrayItem(cJSON_GetObjectItem(item, "position"), i)->valuedouble);
        for (int i = 0; i < 4; ++i)
            CHECK(pose.rotation[i] ==
                  (float)cJSON_GetArrayItem(cJSON_GetObjectItem(item, "rotation"), i)->valuedouble);
        unsigned char written[FRAME_POSE_BYTES];
        frame_pose_write(&pose, written);
        CHECK(memcmp(written, at, sizeof written) == 0);
        at += FRAME_POSE_BYTES;
        ++count;
    }
    CHECK_INT(count, 2);
    vector_free(&vector);
}

RUN_TESTS(TEST(golden_headers_read_and_write_every_field), TEST(a_message_is_walked_segment_by_segment),
          TEST(every_truncation_of_a_message_is_noticed),
          TEST(lengths_that_the_type_does_not_have_are_refused),
          TEST(the_largest_payload_length_does_not_wrap), TEST(golden_poses_read_and_write_to_the_bit))
