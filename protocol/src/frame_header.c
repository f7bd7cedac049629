/* The layout of segments: headers and poses to and from little-endian bytes, and
 * the walk over a message. All lengths of a message are doubted here, once. */
#include <wire/frame.h>

#include <string.h>

#include "frame_words.h"

enum { BYTES_PER_TRIPLE = 12, PREDICTOR_SHIFT = 4, PREDICTOR_MASK = 3, FLAG_MASK = 0xCF };

static void put_float(unsigned char *out, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    frame_put32(out, bits);
}

static float get_float(const unsigned char *in) {
    uint32_t bits = frame_get32(in);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

void frame_header_write(const struct frame_header *header, unsigned char *out) {
    out[0] = header->type;
    out[1] = header->codec;
    out[2] = (unsigned char)((header->flags & FLAG_MASK) | (header->predictor & PREDICTOR_MASK)
                                                               << PREDICTOR_SHIFT);
    out[3] = (unsigned char)header->step_exp;
    frame_put16(out + 4, header->world);
    frame_put16(out + 6, header->object);
    frame_put32(out + 8, header->epoch);
    frame_put32(out + 12, header->tick);
    frame_put32(out + 16, header->base_tick);
    frame_put32(out + 20, header->server_us);
    frame_put32(out + 24, header->count);
    frame_put32(out + 28, header->payload_bytes);
    for (int axis = 0; axis < 3; ++axis)
        frame_put32(out + 32 + 4 * axis, (uint32_t)header->origin[axis]);
    frame_put32(out + 44, header->state_crc);
}

void frame_header_read(const unsigned char *in, struct frame_header *header) {
    header->type = in[0];
    header->codec = in[1];
    header->flags = in[2] & FLAG_MASK;
    header->predictor = (in[2] >> PREDICTOR_SHIFT) & PREDICTOR_MASK;
    header->step_exp = (int8_t)in[3];
    header->world = frame_get16(in + 4);
    header->object = frame_get16(in + 6);
    header->epoch = frame_get32(in + 8);
    header->tick = frame_get32(in + 12);
    header->base_tick = frame_get32(in + 16);
    header->server_us = frame_get32(in + 20);
    header->count = frame_get32(in + 24);
    header->payload_bytes = frame_get32(in + 28);
    for (int axis = 0; axis < 3; ++axis)
        header->origin[axis] = (int32_t)frame_get32(in + 32 + 4 * axis);
    header->state_crc = frame_get32(in + 44);
}

/* Whether payload_bytes is what the type needs; CB32 states are checked by their
 * decoder, unknown types and codecs may have any length. */
static bool length_fits_type(const struct frame_header *header) {
    uint64_t bytes = header->payload_bytes, count = header->count;
    switch (header->type) {
    case FRAME_STATE:
        if (header->flags & FRAME_UNCHANGED) return bytes == 0;
        return header->codec != FRAME_F32 || bytes == count * BYTES_PER_TRIPLE;
    case FRAME_TRIANGLES:
    case FRAME_REST:
    case FRAME_VELOCITIES:
        return bytes == count * BYTES_PER_TRIPLE;
    case FRAME_POSES:
        if (header->flags & FRAME_UNCHANGED) return bytes == 0;
        return bytes == count * FRAME_POSE_BYTES;
    default:
        return true;
    }
}

enum frame_error frame_next_segment(const unsigned char *message, size_t length, size_t *offset,
                                    struct frame_header *header, const unsigned char **payload) {
    struct frame_header found;
    if (*offset > length || length - *offset < FRAME_HEADER_BYTES) return FRAME_TRUNCATED;
    frame_header_read(message + *offset, &found);
    if (found.payload_bytes > length - *offset - FRAME_HEADER_BYTES) return FRAME_TRUNCATED;
    if (found.payload_bytes % 4 != 0 || !length_fits_type(&found)) return FRAME_BAD_LENGTH;
    *header = found;
    *payload = message + *offset + FRAME_HEADER_BYTES;
    *offset += FRAME_HEADER_BYTES + (size_t)found.payload_bytes;
    return FRAME_OK;
}

void frame_pose_write(const struct frame_pose *pose, unsigned char *out) {
    frame_put16(out, pose->object);
    frame_put16(out + 2, pose->flags);
    for (int axis = 0; axis < 3; ++axis)
        put_float(out + 4 + 4 * axis, pose->position[axis]);
    for (int part = 0; part < 4; ++part)
        put_float(out + 16 + 4 * part, pose->rotation[part]);
}

void frame_pose_read(const unsigned char *in, struct frame_pose *pose) {
    pose->object = frame_get16(in);
    pose->flags = frame_get16(in + 2);
    for (int axis = 0; axis < 3; ++axis)
        pose->position[axis] = get_float(in + 4 + 4 * axis);
    for (int part = 0; part < 4; ++part)
        pose->rotation[part] = get_float(in + 16 + 4 * part);
}
