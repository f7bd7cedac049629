/* Refcounted bytes with headroom for a WebSocket header.
 *
 *   [ BUFFER_HEADROOM ][ data … length … capacity ]
 *
 * Filled by one thread, then immutable and shared by reference: the same bytes
 * serve every client. The headroom belongs to the thread that writes sockets. */
#ifndef BASE_BUFFER_H
#define BASE_BUFFER_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

enum { BUFFER_HEADROOM = 32 };

struct buffer {
    _Atomic uint32_t refs;
    size_t length, capacity;
    unsigned char *data; /* headroom lies before it */
};

/* One reference, length 0. NULL when out of memory. */
struct buffer *buffer_create(size_t capacity);
/* A copy of bytes. */
struct buffer *buffer_copy(const void *bytes, size_t length);
struct buffer *buffer_ref(struct buffer *buffer);
/* NULL is allowed. */
void buffer_unref(struct buffer *buffer);

#endif
