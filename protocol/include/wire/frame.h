/* Binary frames: segments of a 48-byte header and a payload, and the CB32 codec.
 *
 * Only integers here; positions are quantised by frame_quantise. Every function
 * is pure and thread-safe; none allocates. Layout and arithmetic: PROTOCOL.md §3. */
#ifndef WIRE_FRAME_H
#define WIRE_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FRAME_HEADER_BYTES = 48, FRAME_POSE_BYTES = 32, FRAME_BLOCK = 32 };
enum frame_type {
    FRAME_STATE = 1,
    FRAME_TRIANGLES = 2,
    FRAME_REST = 3,
    FRAME_POSES = 4,
    FRAME_GRABS = 5,
    FRAME_VELOCITIES = 6, /* f32 × 3 per vertex, m/s */
};
enum frame_codec { FRAME_F32 = 0, FRAME_CB32 = 1 };
enum frame_flag {
    FRAME_KEY = 1,
    FRAME_UNCHANGED = 2,
    FRAME_CUT = 4,
    FRAME_ANSWER = 8 /* of a reply, not of a stream */
};
enum frame_predictor { FRAME_PREDICT_NONE = 0, FRAME_PREDICT_LEFT = 1, FRAME_PREDICT_2D = 2 };

struct frame_header {
    uint8_t type, codec, flags; /* flags without the predictor bits */
    uint8_t predictor;          /* bits 4–5 of the flags byte */
    int8_t step_exp;
    uint16_t world, object;
    uint32_t epoch, tick, base_tick, server_us, count, payload_bytes;
    int32_t origin[3];
    uint32_t state_crc;
};

struct frame_pose {
    uint16_t object;
    uint16_t flags; /* bit0 removed */
    float position[3];
    float rotation[4];
};

/* Planes of quantised positions: count int32 each, payload order. */
struct frame_planes {
    int32_t *q[3];
};

/* Writes 48 bytes. */
void frame_header_write(const struct frame_header *header, unsigned char *out);
/* Reads 48 bytes; no checks beyond the layout. */
void frame_header_read(const unsigned char *in, struct frame_header *header);

/* floor(log2(diagonal)) − 14, clamped to int8. Exact: from the float's exponent bits.
 * A diagonal that is not a positive finite number counts as 1 m: −14. */
int8_t frame_auto_step_exp(float diagonal);

/* q[i] = lrintf(value[index ? index[i] : i] · 2^−step_exp) for one axis. Returns false
 * when a value does not fit |q| < 2^24 (the caller chooses a coarser step); q is then
 * partly written. */
bool frame_quantise(const float *value, const uint32_t *index, uint32_t count, int8_t step_exp, int32_t *q);

/* The most bytes that a CB32 payload of count vertices takes. */
size_t frame_cb32_bound(uint32_t count);

/* Encodes into out (capacity ≥ frame_cb32_bound). base NULL = KEY. Chooses predictor
 * (2-D only when cols > 0) and origin by the size of the result and writes into *header: codec,
 * predictor, origin, count, payload_bytes, the KEY bit of flags, and state_crc (0 in a delta).
 * The other members are the caller's. Returns payload bytes. scratch: 2 × count int32. */
size_t frame_cb32_encode(const struct frame_planes *q, const struct frame_planes *base, uint32_t count,
                         uint32_t cols, int32_t *scratch, struct frame_header *header, unsigned char *out);

enum frame_error {
    FRAME_OK = 0,
    FRAME_TRUNCATED = -1,     /* header or payload runs past the message */
    FRAME_BAD_TABLE = -2,     /* Σ W differs from the words there */
    FRAME_BAD_COUNT = -3,     /* count ≠ what the mesh said */
    FRAME_BAD_PREDICTOR = -4, /* reserved, or 2-D without cols */
    FRAME_BAD_LENGTH = -5,    /* payload_bytes not a multiple of 4, or not what the type needs */
    FRAME_BAD_CRC = -6,       /* state_crc present and different */
};

/* Decodes a CB32 payload of exactly bytes bytes into q (planes of count). base may
 * equal q (in place) but not overlap it otherwise; it is not read for a KEY. header->count
 * must equal count. On an error q is untouched, except that after FRAME_BAD_CRC it holds
 * the wrong positions: the caller drops its state and asks for a key. */
enum frame_error frame_cb32_decode(const struct frame_header *header, const unsigned char *payload,
                                   size_t bytes, const struct frame_planes *base, uint32_t count,
                                   uint32_t cols, const struct frame_planes *q);

/* The segment at offset of a message of length bytes: header, payload pointer, offset of
 * the next. FRAME_TRUNCATED when it does not fit, FRAME_BAD_LENGTH when payload_bytes is not a
 * multiple of 4 or not what type, codec and count ask for (outputs untouched). Loop while
 * *offset < length. */
enum frame_error frame_next_segment(const unsigned char *message, size_t length, size_t *offset,
                                    struct frame_header *header, const unsigned char **payload);

/* CRC32C (Castagnoli) of bytes, continued from crc (0 at first). */
uint32_t frame_crc32c(uint32_t crc, const void *data, size_t length);
/* The same by tables alone: what frame_crc32c does where the processor has no instruction for it. */
uint32_t frame_crc32c_tables(uint32_t crc, const void *data, size_t length);
/* state_crc of the planes: i32 LE, x then y then z. */
uint32_t frame_state_crc(const struct frame_planes *q, uint32_t count);

void frame_pose_write(const struct frame_pose *pose, unsigned char *out);
void frame_pose_read(const unsigned char *in, struct frame_pose *pose);

#endif
