/* One allocation per buffer: the struct, the headroom and the data behind it, so
 * that dropping the last reference is one free. */
#include <base/buffer.h>
#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct buffer *buffer_create(size_t capacity) {
    if (capacity > SIZE_MAX - sizeof(struct buffer) - BUFFER_HEADROOM) return NULL;
    struct buffer *buffer = malloc(sizeof *buffer + BUFFER_HEADROOM + capacity);
    if (!buffer) return NULL;
    atomic_init(&buffer->refs, 1);
    buffer->length = 0;
    buffer->capacity = capacity;
    buffer->data = (unsigned char *)(buffer + 1) + BUFFER_HEADROOM;
    return buffer;
}

struct buffer *buffer_copy(const void *bytes, size_t length) {
    struct buffer *buffer = buffer_create(length);
    if (!buffer) return NULL;
    if (length) memcpy(buffer->data, bytes, length);
    buffer->length = length;
    return buffer;
}

struct buffer *buffer_ref(struct buffer *buffer) {
    uint32_t before = atomic_fetch_add_explicit(&buffer->refs, 1, memory_order_relaxed);
    assert(before > 0);
    (void)before;
    return buffer;
}

void buffer_unref(struct buffer *buffer) {
    if (!buffer) return;
    /* Release our reads, acquire everyone else's before the memory goes. */
    uint32_t before = atomic_fetch_sub_explicit(&buffer->refs, 1, memory_order_acq_rel);
    assert(before > 0);
    if (before == 1) free(buffer);
}
