/* Bytes as a binary message: every segment is read and decoded against a mesh of
 * 40 vertices. Nothing may be read past the message. */
#include <stdint.h>
#include <wire/frame.h>

enum { COUNT = 40 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    int32_t base_q[3][COUNT] = {{0}}, q[3][COUNT];
    const struct frame_planes base = {{base_q[0], base_q[1], base_q[2]}};
    const struct frame_planes planes = {{q[0], q[1], q[2]}};
    struct frame_header header;
    const unsigned char *payload;
    size_t offset = 0;
    while (offset < size && frame_next_segment(data, size, &offset, &header, &payload) == FRAME_OK) {
        for (uint32_t cols = 0; cols <= 8; cols += 8)
            (void)frame_cb32_decode(&header, payload, header.payload_bytes, &base, COUNT, cols, &planes);
    }
    return 0;
}
